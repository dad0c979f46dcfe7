#include "resources/source_folder.h"

#include "resources/store.h"

#include <stdlib.h>
#include <string.h>

struct folder_source {
    struct gv_source base;  // first: fetch and destroy cast back
    struct gv_store *store; // owned
    char *name;             // owned
};

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct folder_source *folder = (struct folder_source *)source;
    for (size_t i = 0; i < count; i++) {
        struct gv_fetch *item = &items[i];
        if (item->found)
            continue;
        if (!gv_store_get(folder->store, item, err)) {
            item->found = false;
            return false;
        }
    }
    return true;
}

static void destroy(struct gv_source *source)
{
    struct folder_source *folder = (struct folder_source *)source;
    gv_store_destroy(folder->store);
    free(folder->name);
    free(folder);
}

struct gv_source *gv_source_folder(const char *path, struct gv_error *err)
{
    struct gv_store *store = gv_store_open(path, err);
    if (!store)
        return NULL;
    struct folder_source *folder = calloc(1, sizeof *folder);
    char *name = strdup(path);
    if (!folder || !name) {
        gv_store_destroy(store);
        free(folder);
        free(name);
        gv_out_of_memory(err);
        return NULL;
    }
    *folder = (struct folder_source){
        .base = { .name = name, .fetch = fetch, .destroy = destroy },
        .store = store,
        .name = name,
    };
    return &folder->base;
}
