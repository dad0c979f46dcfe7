#include "tools/keyframe/bake_spool.h"

#include <errno.h>
#include <string.h>

#include "resources/codec.h"
#include "tools/store/place.h"

static bool fail(struct gv_error *err)
{
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                   "contents for the store cannot be kept: %s", strerror(errno));
}

bool gv_bake_spool_open(FILE **spool, struct gv_error *err)
{
    *spool = tmpfile();
    return *spool || fail(err);
}

bool gv_bake_spool_put(void *spool, const struct gv_hash *hash, struct gv_span raw,
                       struct gv_span frame, struct gv_error *err)
{
    const uint64_t size = raw.size;
    (void)hash;
    (void)frame;
    return (fwrite(&size, sizeof size, 1, spool) == 1 &&
            fwrite(raw.data, 1, raw.size, spool) == raw.size && fflush(spool) == 0) ||
           fail(err);
}

// Hashed and compressed here: whoever wrote it is not to decide what a name means.
static bool store_one(FILE *spool, struct gv_place *place, uint64_t size,
                      struct gv_error *err)
{
    struct gv_bytes raw = { 0 };
    struct gv_hash hash;
    uint8_t *bytes =
        size <= GV_STORE_MAX_OBJECT ? gv_bytes_grow(&raw, (size_t)size) : NULL;
    bool ok = bytes || gv_out_of_memory(err);
    ok = ok && (fread(bytes, 1, (size_t)size, spool) == size || fail(err)) &&
         gv_place_add(place, (struct gv_span){ raw.data, raw.size },
                      GV_CODEC_DEFAULT_LEVEL, &hash, err);
    gv_bytes_finish(&raw);
    return ok;
}

bool gv_bake_spool_store(FILE *spool, const char *store, struct gv_error *err)
{
    struct gv_place place = { 0 };
    uint64_t size;
    rewind(spool);
    bool any = fread(&size, sizeof size, 1, spool) == 1;
    bool ok = !any || gv_place_open(&place, store, true, err);
    while (ok && any) {
        ok = store_one(spool, &place, size, err);
        any = ok && fread(&size, sizeof size, 1, spool) == 1;
    }
    ok = ok && (!ferror(spool) || fail(err)) &&
         (!(place.pack || place.folder) || gv_place_close(&place, err));
    gv_place_finish(&place);
    return ok;
}
