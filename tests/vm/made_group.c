#include "tests/vm/made_group.h"

#include <stdlib.h>

#include "tests/helpers.h"
#include "vm/payload/payload_batch.h"
#include "vm/payload/payload_segments.h"

#define LEVEL 3

static uint8_t *make_noise(const struct made_group *group)
{
    uint8_t *raw = malloc(group->size);
    uint32_t seed = group->noise;
    for (uint32_t i = 0; raw && i < group->size; i++)
        raw[i] = (uint8_t)(gv_test_random(&seed) >> 9);
    return raw;
}

static void put_row(struct gv_bytes *table, const struct made_group *group,
                    const uint8_t *raw, uint64_t stored)
{
    const struct gv_hash hash = gv_hash_bytes(raw, group->size);
    const bool whole = stored == group->size;
    gv_bytes_u8(table, group->said != MADE_GROUP_NONE ? GV_CODEC_DICTIONARY
                       : whole                        ? GV_CODEC_RAW
                                                      : GV_CODEC_ZSTD);
    if (group->said != MADE_GROUP_NONE)
        gv_bytes_uleb(table, group->said);
    gv_bytes_uleb(table, stored);
    gv_bytes_put(table, hash.bytes, sizeof hash.bytes);
    gv_bytes_uleb(table, 1);
    gv_bytes_uleb(table, group->size);
}

static bool compress(const struct made_group *with, struct gv_span raw,
                     struct gv_bytes *stored)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_codec_state *codec = gv_codec_create();
    struct gv_codec_dictionary *digested = NULL;
    uint8_t *other = with ? make_noise(with) : NULL;
    if (other)
        digested = gv_codec_dictionary_create(
            LEVEL, (struct gv_span){ other, with->size }, &err);
    bool ok = codec &&
              (digested ? gv_codec_compress_with(codec, digested, raw, stored, &err)
                        : !with && gv_codec_compress(codec, LEVEL, raw, stored, &err));
    gv_codec_dictionary_destroy(digested);
    gv_codec_destroy(codec);
    free(other);
    return ok;
}

bool made_group_put(const struct made_group *groups, size_t number,
                    struct gv_bytes *table, struct gv_bytes *stored)
{
    const struct made_group *group = &groups[number];
    uint8_t *raw = make_noise(group);
    size_t start = stored->size;
    bool ok =
        raw && compress(group->with == MADE_GROUP_NONE ? NULL : &groups[group->with],
                        (struct gv_span){ raw, group->size }, stored);
    if (ok && stored->size - start >= group->size) {
        stored->size = start;
        gv_bytes_put(stored, raw, group->size);
    }
    if (ok)
        put_row(table, group, raw, stored->size - start);
    gv_bytes_zero_to(stored, GV_GROUP_ALIGNMENT);
    free(raw);
    return ok;
}

bool made_group_file(const struct gv_bytes *table, const struct gv_bytes *stored,
                     struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_segment_sink sink = { .write = gv_test_append,
                                    .context = out,
                                    .level = 3,
                                    .major = GV_PAYLOAD_MAJOR,
                                    .minor = GV_PAYLOAD_MINOR,
                                    .codec = gv_codec_create() };
    struct gv_segment_info s = { .kind = GV_SEGMENT_RESOURCE_BYTES,
                                 .size = stored->size };
    out->size = 0;
    bool ok = gv_sink_header(&sink, &err) &&
              gv_sink_rows(&sink, GV_SEGMENT_RESOURCES, table, &err) &&
              gv_sink_begin(&sink, &s, &err) &&
              gv_sink_put(&sink, stored->data, stored->size, &err) &&
              gv_sink_close(&sink, GV_TRAILER_COMPLETE, 0, &err);
    gv_bytes_finish(&sink.directory);
    gv_codec_destroy(sink.codec);
    return ok;
}
