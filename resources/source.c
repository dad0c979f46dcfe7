#include "resources/source.h"

bool gv_source_fail_absent(const struct gv_hash *hash, struct gv_source *const *sources,
                           size_t count, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    bool store = false;
    for (size_t i = 0; i < count; i++)
        store = store || !sources[i]->storeless;
    gv_hash_to_hex(hash, hex);
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "no source has the object %s%s",
                   hex, store ? "" : ": the payload is thin, name its store (--store)");
}

void gv_source_destroy(struct gv_source *source)
{
    if (source)
        source->destroy(source);
}
