#include "resources/object.h"

#include <stdlib.h>
#include <string.h>

uint64_t gv_object_most_stored(uint64_t raw_size)
{
    if (raw_size > GV_STORE_MAX_OBJECT)
        raw_size = GV_STORE_MAX_OBJECT;
    return raw_size + raw_size / 64 + 65536;
}

bool gv_object_damaged(const struct gv_hash *hash, const char *why,
                       struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "object %s is damaged: %s", hex,
                   why);
}

bool gv_object_collides(const struct gv_hash *hash, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "content id collision: %s", hex);
}

bool gv_object_decode(struct gv_codec_state *codec, const struct gv_fetch *item,
                      struct gv_span frame, struct gv_error *err)
{
    const struct gv_codec_frame alone = { .stored = frame };
    return gv_object_decode_with(codec, item, &alone, err);
}

bool gv_object_decode_with(struct gv_codec_state *codec, const struct gv_fetch *item,
                           const struct gv_codec_frame *frame, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_codec_decompress_with(codec, frame, item->data, (size_t)item->raw_size,
                                  &mine))
        return gv_object_damaged(&item->hash, mine.message, err);
    struct gv_hash actual = gv_hash_bytes(item->data, (size_t)item->raw_size);
    return gv_hash_equal(&actual, &item->hash) ||
           gv_object_damaged(&item->hash, "its bytes have another hash", err);
}

enum gv_object_state gv_object_compare(struct gv_codec_state *codec,
                                       const struct gv_hash *hash, struct gv_span raw,
                                       const struct gv_codec_frame *frame)
{
    struct gv_fetch there = { .hash = *hash };
    enum gv_object_state state = GV_OBJECT_BROKEN;
    if (gv_codec_raw_size(frame->stored.data, frame->stored.size, GV_STORE_MAX_OBJECT,
                          &there.raw_size, NULL))
        there.data = malloc(there.raw_size ? (size_t)there.raw_size : 1);
    if (there.data && gv_object_decode_with(codec, &there, frame, NULL))
        state =
            there.raw_size == raw.size && memcmp(there.data, raw.data, raw.size) == 0
                ? GV_OBJECT_SAME
                : GV_OBJECT_OTHER;
    free(there.data);
    return state;
}
