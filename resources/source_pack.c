#include "resources/source_pack.h"

#include "resources/packfile.h"

#include <stdlib.h>

struct pack_source {
    struct gv_source base;    // first: fetch and destroy cast back
    struct gv_packfile *pack; // owned
};

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct pack_source *pack = (struct pack_source *)source;
    for (size_t i = 0; i < count; i++) {
        if (items[i].found)
            continue;
        if (!gv_packfile_get(pack->pack, &items[i], err)) {
            items[i].found = false;
            return false;
        }
    }
    return true;
}

static void destroy(struct gv_source *source)
{
    struct pack_source *pack = (struct pack_source *)source;
    gv_packfile_destroy(pack->pack);
    free(pack);
}

struct gv_source *gv_source_pack(const char *path, struct gv_error *err)
{
    struct gv_packfile *file = gv_packfile_open(path, err);
    struct pack_source *pack = file ? calloc(1, sizeof *pack) : NULL;
    if (!pack) {
        if (file)
            gv_out_of_memory(err);
        gv_packfile_destroy(file);
        return NULL;
    }
    *pack = (struct pack_source){
        .base = { .name = gv_packfile_path(file), .fetch = fetch, .destroy = destroy },
        .pack = file,
    };
    return &pack->base;
}
