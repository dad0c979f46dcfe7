#include "vm/keyframe/payload_append.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/payload/payload_batch.h"
#include "vm/payload/payload_segments.h"

// What a resource holds.
struct content {
    struct gv_hash hash;
    uint64_t size; // 0: a free place
    uint32_t number;
};

struct gv_append {
    const struct gv_payload *payload; // borrowed
    struct gv_append_params params;
    struct gv_segment_sink sink;
    struct content *contents; // owned; open addressing
    size_t content_count, content_capacity;
    uint32_t import_numbers[GV_CALL_LIMIT]; // number + 1, or 0
    uint32_t import_count, resource_count;
    struct gv_limits limits;
    uint64_t keyframe;                    // frame of the last one
    size_t old;                           // the payload's own that comes next
    uint64_t raw, stored;                 // bytes of new groups
    struct gv_bytes group;                // raw bytes of the one that fills
    struct gv_bytes sizes;                // of its resources
    uint32_t group_count;                 // so many are in it
    struct gv_bytes imports, rows, bytes; // of the batch that is gathered
};

// ---- contents ----

static size_t place_of(const struct gv_append *a, const struct gv_hash *hash,
                       uint64_t size)
{
    size_t i = (size_t)gv_load_u64(hash->bytes) & (a->content_capacity - 1);
    while (a->contents[i].size &&
           (a->contents[i].size != size || !gv_hash_equal(&a->contents[i].hash, hash)))
        i = (i + 1) & (a->content_capacity - 1);
    return i;
}

static bool grow_contents(struct gv_append *a, struct gv_error *err)
{
    if (a->content_count * 2 < a->content_capacity)
        return true;
    const size_t old_capacity = a->content_capacity;
    struct content *old = a->contents;
    a->content_capacity = old_capacity ? old_capacity * 2 : 1024;
    a->contents = calloc(a->content_capacity, sizeof *a->contents);
    for (size_t i = 0; a->contents && i < old_capacity; i++)
        if (old[i].size)
            a->contents[place_of(a, &old[i].hash, old[i].size)] = old[i];
    free(old);
    return a->contents || gv_out_of_memory(err);
}

// The place of a content; if it is new, it has number UINT32_MAX.
static struct content *find(struct gv_append *a, const void *data, size_t size,
                            struct gv_error *err)
{
    const struct gv_hash hash = gv_hash_bytes(data, size);
    if (!grow_contents(a, err))
        return NULL;
    struct content *c = &a->contents[place_of(a, &hash, size)];
    if (!c->size) {
        *c = (struct content){ hash, size, UINT32_MAX };
        a->content_count++;
    }
    return c;
}

bool gv_append_know(struct gv_append *a, struct gv_source *const *sources,
                    size_t source_count, struct gv_error *err)
{
    const struct gv_payload *p = a->payload;
    bool ok = true;
    for (size_t i = 0, group = 0; ok && i < p->resource_count; group++) {
        struct gv_error missing = GV_ERROR_INIT;
        uint8_t *raw = gv_payload_read_group(p, &p->groups[group], sources,
                                             source_count, &missing);
        for (; ok && i < p->resource_count && p->resources[i].group == group; i++) {
            const struct gv_resource *r = &p->resources[i];
            struct content *c =
                raw ? find(a, raw + r->offset, (size_t)r->size, err) : NULL;
            ok = !raw || c;
            if (c && c->number == UINT32_MAX)
                c->number = (uint32_t)i;
        }
        if (raw)
            gv_payload_drop_group(p, &p->groups[group], raw);
    }
    return ok;
}

// ---- groups ----

static bool put_group(struct gv_append *a, struct gv_error *err)
{
    const struct gv_span raw = { a->group.data, a->group.size };
    const struct gv_hash hash = gv_hash_bytes(raw.data, raw.size);
    struct gv_bytes frame = { 0 };
    if (!a->group_count)
        return true;
    bool ok = gv_codec_compress(a->sink.codec, a->sink.level, raw, &frame, err);
    const bool worth = ok && gv_codec_worth(raw.size, frame.size);
    const struct gv_span stored =
        worth ? (struct gv_span){ frame.data, frame.size } : raw;
    gv_bytes_u8(&a->rows, worth && !a->sink.thin ? GV_CODEC_ZSTD : GV_CODEC_RAW);
    gv_bytes_uleb(&a->rows, a->sink.thin ? 0 : stored.size);
    gv_bytes_put(&a->rows, hash.bytes, sizeof hash.bytes);
    gv_bytes_uleb(&a->rows, a->group_count);
    gv_bytes_put(&a->rows, a->sizes.data, a->sizes.size);
    if (ok && a->sink.thin)
        ok = a->params.take(a->params.taker, &hash, raw,
                            (struct gv_span){ frame.data, frame.size }, err);
    if (ok && !a->sink.thin) {
        gv_bytes_put(&a->bytes, stored.data, stored.size);
        gv_bytes_zero_to(&a->bytes, GV_GROUP_ALIGNMENT);
    }
    a->raw += raw.size;
    a->stored += stored.size;
    a->group.size = a->sizes.size = 0;
    a->group_count = 0;
    gv_bytes_finish(&frame);
    return ok;
}

bool gv_append_resource(struct gv_append *a, const void *data, size_t size,
                        uint32_t *number, struct gv_error *err)
{
    struct content *c = find(a, data, size, err);
    if (!c)
        return false;
    if (c->number == UINT32_MAX) {
        if (a->group.size >= GV_GROUP_BYTES && !put_group(a, err))
            return false;
        if (a->resource_count >= GV_MAX_RESOURCES)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many resources");
        gv_bytes_zero_to(&a->group, GV_RESOURCE_ALIGNMENT);
        gv_bytes_put(&a->group, data, size);
        gv_bytes_uleb(&a->sizes, size);
        if (a->group.failed)
            return gv_out_of_memory(err);
        a->group_count++;
        c->number = a->resource_count++;
    }
    *number = c->number;
    return true;
}

// ---- other tables ----

uint32_t gv_append_import(struct gv_append *a, enum gv_call call)
{
    if (!a->import_numbers[call]) {
        gv_bytes_uleb(&a->imports, (uint64_t)call);
        gv_bytes_u64(&a->imports, gv_call_signature(call));
        a->import_numbers[call] = ++a->import_count;
    }
    return a->import_numbers[call] - 1;
}

static bool put_limits(struct gv_append *a, uint64_t instructions, struct gv_error *err)
{
    struct gv_limits *l = &a->limits;
    struct gv_bytes row = { 0 };
    uint64_t more;
    if (!gv_add_u64(a->payload->limits.instructions, instructions, &more))
        more = UINT64_MAX;
    if (more <= l->instructions)
        return true;
    l->instructions = more;
    gv_bytes_uleb(&row, l->volatile_bytes);
    gv_bytes_uleb(&row, l->map_bytes);
    gv_bytes_uleb(&row, l->stack_cells);
    gv_bytes_uleb(&row, l->objects);
    gv_bytes_uleb(&row, l->instructions);
    gv_bytes_uleb(&row, l->object_bytes);
    bool ok = gv_sink_rows(&a->sink, GV_SEGMENT_LIMITS, &row, err);
    gv_bytes_finish(&row);
    return ok;
}

static bool put_bytes(struct gv_append *a, struct gv_error *err)
{
    struct gv_segment_info s = { .kind = GV_SEGMENT_RESOURCE_BYTES,
                                 .size = a->bytes.size };
    return a->bytes.size == 0 ||
           (gv_sink_begin(&a->sink, &s, err) &&
            gv_sink_put(&a->sink, a->bytes.data, a->bytes.size, err));
}

static bool put_row(struct gv_append *a, const struct gv_keyframe *k,
                    struct gv_error *err)
{
    struct gv_bytes row = { 0 };
    gv_keyframe_put(&row, k, a->keyframe);
    a->keyframe = k->frame;
    bool ok = gv_sink_rows(&a->sink, GV_SEGMENT_KEYFRAMES, &row, err);
    gv_bytes_finish(&row);
    return ok;
}

// Those of the payload that are in front of a frame.
static bool put_old(struct gv_append *a, uint64_t frame, struct gv_error *err)
{
    const struct gv_payload *p = a->payload;
    bool ok = true;
    while (ok && a->old < p->keyframe_count && p->keyframes[a->old].frame < frame)
        ok = put_row(a, &p->keyframes[a->old++], err);
    return ok;
}

bool gv_append_keyframe(struct gv_append *a, const struct gv_keyframe *k,
                        uint64_t instructions, struct gv_error *err)
{
    if (!put_group(a, err))
        return false;
    if (a->bytes.failed || a->sizes.failed)
        return gv_out_of_memory(err);
    bool ok = put_old(a, k->frame, err) &&
              gv_sink_rows(&a->sink, GV_SEGMENT_IMPORTS, &a->imports, err) &&
              put_limits(a, instructions, err) &&
              gv_sink_rows(&a->sink, GV_SEGMENT_RESOURCES, &a->rows, err) &&
              put_bytes(a, err) && put_row(a, k, err);
    a->imports.size = a->rows.size = a->bytes.size = 0;
    return ok;
}

void gv_append_count(const struct gv_append *a, uint64_t *raw, uint64_t *stored)
{
    *raw = a->raw;
    *stored = a->stored;
}

// ---- the file ----

// But for keyframes, between which others may come.
static bool copy_segments(struct gv_append *a, struct gv_error *err)
{
    const struct gv_payload *p = a->payload;
    for (size_t i = 0; i < p->segment_count; i++) {
        struct gv_segment_info s = p->segments[i];
        if (s.kind == GV_SEGMENT_KEYFRAMES)
            continue;
        const uint8_t *content = p->file.data + s.offset + GV_SEGMENT_HEADER_BYTES;
        if (!gv_sink_begin(&a->sink, &s, err) ||
            !gv_sink_put(&a->sink, content, (size_t)s.size, err))
            return false;
    }
    return true;
}

static bool begin(struct gv_append *a, struct gv_error *err)
{
    const struct gv_payload *p = a->payload;
    if (p->remote)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: keyframes of a URL");
    if (!a->sink.codec)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < p->import_count; i++)
        a->import_numbers[p->imports[i].call] = (uint32_t)i + 1;
    return gv_sink_header(&a->sink, err) && copy_segments(a, err);
}

struct gv_append *gv_append_create(const struct gv_payload *p,
                                   const struct gv_append_params *params,
                                   struct gv_error *err)
{
    struct gv_append *a = calloc(1, sizeof *a);
    if (!a) {
        gv_out_of_memory(err);
        return NULL;
    }
    *a = (struct gv_append){
        .payload = p,
        .params = *params,
        .sink = { .write = params->write,
                  .context = params->context,
                  .level = p->level,
                  .major = GV_PAYLOAD_MAJOR,
                  .minor = GV_PAYLOAD_MINOR,
                  .thin = p->thin,
                  .codec = gv_codec_create() },
        .import_count = (uint32_t)p->import_count,
        .resource_count = (uint32_t)p->resource_count,
        .limits = p->limits,
    };
    if (begin(a, err))
        return a;
    gv_append_destroy(a);
    return NULL;
}

void gv_append_destroy(struct gv_append *a)
{
    if (!a)
        return;
    free(a->contents);
    gv_bytes_finish(&a->group);
    gv_bytes_finish(&a->sizes);
    gv_bytes_finish(&a->imports);
    gv_bytes_finish(&a->rows);
    gv_bytes_finish(&a->bytes);
    gv_bytes_finish(&a->sink.directory);
    gv_codec_destroy(a->sink.codec);
    free(a);
}

bool gv_append_close(struct gv_append *a, struct gv_error *err)
{
    const struct gv_payload *p = a->payload;
    const uint32_t flags =
        (p->complete ? GV_TRAILER_COMPLETE : 0) | (p->joined ? GV_TRAILER_JOINED : 0);
    return put_old(a, UINT64_MAX, err) &&
           gv_sink_close(&a->sink, flags, p->command_count, err);
}
