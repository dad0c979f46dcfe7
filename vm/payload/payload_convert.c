#include "vm/payload/payload_convert.h"

#include "vm/payload/payload_batch.h"
#include "vm/payload/payload_segments.h"

#include <stdlib.h>
#include <string.h>

struct converter {
    const struct gv_payload *payload;
    const struct gv_convert_params *params;
    struct gv_segment_sink sink;
    size_t group;           // the next one
    struct gv_bytes table;  // rows of the RESOURCES segment being written
    struct gv_bytes stored; // the groups of the RESOURCE_BYTES segment behind it
    struct gv_dictionary_offers offers; // that groups are compressed with
};

// ---- one group ----

// What a row begins with; which dictionary a group has stays the same.
static void put_codec(struct converter *c, const struct gv_group *group,
                      enum gv_codec codec, uint64_t stored)
{
    bool dictionary = group->codec == GV_CODEC_DICTIONARY;
    gv_bytes_u8(&c->table, (uint8_t)(dictionary ? GV_CODEC_DICTIONARY : codec));
    if (dictionary)
        gv_bytes_uleb(&c->table, group->dictionary);
    gv_bytes_uleb(&c->table, stored);
}

static bool give_group(struct converter *c, const struct gv_group *group,
                       const uint8_t *raw, struct gv_error *err)
{
    const struct gv_span all = { raw, (size_t)group->raw_size };
    struct gv_span frame = { 0 };
    if (group->codec == GV_CODEC_ZSTD)
        frame = (struct gv_span){ c->payload->file.data + group->file_offset,
                                  (size_t)group->stored_size };
    put_codec(c, group, GV_CODEC_RAW, 0);
    return c->params->take(c->params->taker, &group->hash, all, frame, err);
}

static uint8_t *read_group(struct converter *c, const struct gv_group *group,
                           struct gv_error *err)
{
    return gv_payload_read_group(c->payload, group, c->params->sources,
                                 c->params->source_count, err);
}

// That of a group which has been read: dictionaries come before those that name them.
static struct gv_codec_dictionary *offered(const struct converter *c, uint32_t number)
{
    for (size_t i = 0; i < c->offers.count; i++)
        if (c->offers.items[i].number == number)
            return c->offers.items[i].dictionary;
    return NULL;
}

// Keeps what groups further on need of one that is at hand.
static bool offer_ahead(struct converter *c, uint32_t number, const uint8_t *raw,
                        struct gv_error *err)
{
    const struct gv_payload *p = c->payload;
    const struct gv_span all = { raw, (size_t)p->groups[number].raw_size };
    size_t i = 0;
    while (i < p->dictionary_count && p->private->dictionary_groups[i] != number)
        i++;
    return i == p->dictionary_count || offered(c, number) ||
           gv_dictionary_offers_add(&c->offers, number, all, err);
}

static bool compress_group(struct converter *c, const struct gv_group *group,
                           struct gv_span raw, struct gv_error *err)
{
    if (group->codec != GV_CODEC_DICTIONARY)
        return gv_codec_compress(c->sink.codec, c->sink.level, raw, &c->stored, err);
    return gv_codec_compress_with(c->sink.codec, offered(c, group->dictionary), raw,
                                  &c->stored, err);
}

static bool keep_group(struct converter *c, const struct gv_group *group,
                       const uint8_t *raw, struct gv_error *err)
{
    const struct gv_span all = { raw, (size_t)group->raw_size };
    size_t start = c->stored.size;
    if (!compress_group(c, group, all, err))
        return false;
    bool frame = gv_codec_worth(all.size, c->stored.size - start);
    if (!frame) {
        c->stored.size = start;
        gv_bytes_put(&c->stored, raw, all.size);
    }
    if (frame)
        put_codec(c, group, GV_CODEC_ZSTD, c->stored.size - start);
    else {
        gv_bytes_u8(&c->table, GV_CODEC_RAW);
        gv_bytes_uleb(&c->table, c->stored.size - start);
    }
    gv_bytes_zero_to(&c->stored, GV_GROUP_ALIGNMENT);
    return !c->stored.failed || gv_out_of_memory(err);
}

// Moves the next group and writes what its row begins with.
static bool move_group(struct converter *c, struct gv_error *err)
{
    const uint32_t number = (uint32_t)c->group++;
    const struct gv_group *group = &c->payload->groups[number];
    uint8_t *raw = read_group(c, group, err);
    bool ok = raw && (c->sink.thin ? give_group(c, group, raw, err)
                                   : offer_ahead(c, number, raw, err) &&
                                         keep_group(c, group, raw, err));
    if (raw)
        gv_payload_drop_group(c->payload, group, raw);
    gv_bytes_put(&c->table, group->hash.bytes, sizeof group->hash.bytes);
    return ok;
}

// ---- segments ----

static struct gv_span content_of(const struct converter *c,
                                 const struct gv_segment_info *s)
{
    return (struct gv_span){
        c->payload->file.data + s->offset + GV_SEGMENT_HEADER_BYTES, (size_t)s->size
    };
}

// The rows of a RESOURCES segment, as the payload's reader has taken them: only codec
// and stored size change.
static bool move_rows(struct converter *c, struct gv_cursor rows, struct gv_error *err)
{
    while (gv_cursor_left(&rows) && !rows.bad && c->group < c->payload->group_count) {
        if (gv_cursor_u8(&rows) == GV_CODEC_DICTIONARY)
            gv_cursor_uleb(&rows);
        gv_cursor_uleb(&rows);
        gv_cursor_take(&rows, sizeof(struct gv_hash));
        uint64_t count = gv_cursor_uleb(&rows);
        size_t from = rows.pos;
        for (uint64_t i = 0; i < count && !rows.bad; i++)
            gv_cursor_uleb(&rows);
        if (rows.bad)
            break;
        if (!move_group(c, err))
            return false;
        gv_bytes_uleb(&c->table, count);
        gv_bytes_put(&c->table, rows.data + from, rows.pos - from);
    }
    return !gv_cursor_left(&rows) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "resource rows differ");
}

static bool put_groups(struct converter *c, struct gv_error *err)
{
    struct gv_segment_info s = { .kind = GV_SEGMENT_RESOURCE_BYTES,
                                 .size = c->stored.size };
    return c->stored.size == 0 ||
           (gv_sink_begin(&c->sink, &s, err) &&
            gv_sink_put(&c->sink, c->stored.data, c->stored.size, err));
}

static bool move_resources(struct converter *c, const struct gv_segment_info *s,
                           struct gv_error *err)
{
    struct gv_span content = content_of(c, s);
    uint8_t *raw = NULL;
    bool ok = true;
    if (s->flags & GV_SEGMENT_ZSTD) {
        raw = malloc(s->raw_size ? s->raw_size : 1);
        ok = raw ? gv_codec_decompress(c->sink.codec, content, raw, s->raw_size, err)
                 : gv_out_of_memory(err);
        content = (struct gv_span){ raw, s->raw_size };
    }
    c->table.size = c->stored.size = 0;
    ok = ok && move_rows(c, gv_cursor_make(content.data, content.size), err) &&
         gv_sink_rows(&c->sink, GV_SEGMENT_RESOURCES, &c->table, err) &&
         put_groups(c, err);
    free(raw);
    return ok;
}

static bool copy_segment(struct converter *c, const struct gv_segment_info *segment,
                         struct gv_error *err)
{
    const struct gv_span content = content_of(c, segment);
    struct gv_segment_info s = *segment;
    return gv_sink_begin(&c->sink, &s, err) &&
           gv_sink_put(&c->sink, content.data, content.size, err);
}

static bool move_segments(struct converter *c, struct gv_error *err)
{
    const struct gv_payload *p = c->payload;
    bool ok = true;
    for (size_t i = 0; ok && i < p->segment_count; i++) {
        const struct gv_segment_info *s = &p->segments[i];
        if (s->kind == GV_SEGMENT_RESOURCES)
            ok = move_resources(c, s, err);
        else if (s->kind != GV_SEGMENT_RESOURCE_BYTES)
            ok = copy_segment(c, s, err);
    }
    return ok;
}

static bool convert(const struct gv_payload *payload,
                    const struct gv_convert_params *params, bool thin,
                    struct gv_error *err)
{
    struct converter c = {
        .payload = payload,
        .params = params,
        .sink = { .write = params->write,
                  .context = params->context,
                  .level = payload->level,
                  .major = payload->major,
                  .minor = payload->minor,
                  .thin = thin,
                  .codec = gv_codec_create() },
        .offers = { .level = payload->level },
    };
    const uint32_t flags = (payload->complete ? GV_TRAILER_COMPLETE : 0) |
                           (payload->joined ? GV_TRAILER_JOINED : 0);
    bool ok = c.sink.codec || gv_out_of_memory(err);
    ok = ok && gv_sink_header(&c.sink, err) && move_segments(&c, err) &&
         gv_sink_close(&c.sink, flags, payload->command_count, err);
    gv_bytes_finish(&c.table);
    gv_bytes_finish(&c.stored);
    gv_bytes_finish(&c.sink.directory);
    gv_dictionary_offers_finish(&c.offers);
    gv_codec_destroy(c.sink.codec);
    return ok;
}

bool gv_payload_thin(const struct gv_payload *payload,
                     const struct gv_convert_params *params, struct gv_error *err)
{
    if (payload->thin)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the payload is thin already");
    return convert(payload, params, true, err);
}

bool gv_payload_fatten(const struct gv_payload *payload,
                       const struct gv_convert_params *params, struct gv_error *err)
{
    if (!payload->thin)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the payload is fat already");
    return convert(payload, params, false, err);
}
