// Sources of resources that callers of the library name or are.
#include <stdlib.h>

#include "resources/source_folder.h"
#include "resources/source_open.h"
#include "tools/library/library.h"

struct gpuvm_source {
    struct gv_source callback; // its first member: `self` of a callback
    struct gv_source *used;    // that, or a store's, owned
    gpuvm_fetch fetch;
    void *context;
};

static struct gpuvm_source *make(struct gpuvm_error *error)
{
    struct gpuvm_source *source = calloc(1, sizeof *source);
    struct gv_error err = GV_ERROR_INIT;
    gv_library_ok(error);
    if (source)
        return source;
    gv_out_of_memory(&err);
    gv_library_fail(error, &err, GV_PHASE_OPEN, NULL);
    return NULL;
}

gpuvm_source *gpuvm_source_folder(const char *path, struct gpuvm_error *error)
{
    struct gpuvm_source *source = path ? make(error) : NULL;
    struct gv_error err = GV_ERROR_INIT;
    if (!path)
        gv_library_misuse(error, "no path");
    if (!source)
        return NULL;
    source->used = gv_source_folder(path, &err);
    if (source->used)
        return source;
    gv_library_fail(error, &err, GV_PHASE_OPEN, NULL);
    free(source);
    return NULL;
}

// Folder, pack or web server.
static struct gv_source *open_any(const char *location, const char *token_file,
                                  const gpuvm_cancel *cancel, struct gv_error *err)
{
    const char *path;
    return gv_location_of(location, &path) == GV_LOCATION_URL
               ? gv_library_web_source(location, token_file, cancel, err)
               : gv_source_open(location, err);
}

gpuvm_source *gpuvm_source_store(const char *location, const char *token_file,
                                 gpuvm_cancel *cancel, struct gpuvm_error *error)
{
    struct gpuvm_source *source = location ? make(error) : NULL;
    struct gv_error err = GV_ERROR_INIT;
    if (!location)
        gv_library_misuse(error, "no place of a store");
    if (!source)
        return NULL;
    source->used = open_any(location, token_file, cancel, &err);
    if (source->used)
        return source;
    gv_library_fail(error, &err, GV_PHASE_OPEN, cancel);
    free(source);
    return NULL;
}

static bool ask(const struct gpuvm_source *source, struct gv_fetch *item,
                struct gv_error *err)
{
    char name[GV_HASH_HEX];
    gv_hash_to_hex(&item->hash, name);
    int got = source->fetch(source->context, name, item->data, item->raw_size);
    if (got < 0)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "the host could not fetch the object %s", name);
    struct gv_hash hash = { 0 };
    if (got > 0)
        hash = gv_hash_bytes(item->data, (size_t)item->raw_size);
    if (got > 0 && !gv_hash_equal(&hash, &item->hash))
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "the object %s arrived damaged from the host", name);
    item->found = got > 0;
    return true;
}

static bool fetch(struct gv_source *self, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!items[i].found && !ask((struct gpuvm_source *)self, &items[i], err))
            return false;
    return true;
}

gpuvm_source *gpuvm_source_callback(gpuvm_fetch callback, void *context,
                                    struct gpuvm_error *error)
{
    struct gpuvm_source *source = callback ? make(error) : NULL;
    if (!callback)
        gv_library_misuse(error, "no function that fetches");
    if (!source)
        return NULL;
    source->callback = (struct gv_source){ .name = "host", .fetch = fetch };
    source->used = &source->callback;
    source->fetch = callback;
    source->context = context;
    return source;
}

void gpuvm_source_destroy(gpuvm_source *source)
{
    if (source && source->used != &source->callback)
        gv_source_destroy(source->used);
    free(source);
}

struct gv_source *gv_library_source(struct gpuvm_source *source)
{
    return source->used;
}
