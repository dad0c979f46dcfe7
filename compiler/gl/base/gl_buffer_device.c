#include "compiler/gl/base/gl_buffer_device.h"

#include <stdlib.h>

#include "resources/base/checked.h"

// What most buffers are for.
#define USAGE                                                                   \
    (GV_BUFFER_USAGE_VERTEX | GV_BUFFER_USAGE_INDEX | GV_BUFFER_USAGE_UNIFORM | \
     GV_BUFFER_USAGE_STORAGE)
#define MOST_RANGES 1024u // that were written apart

void gv_gl_buffer_dirty(struct gv_gl_buffer *b, uint64_t begin, uint64_t end)
{
    struct gv_gl_buffer_dirt *d = &b->dirt;
    if (!b->gpu.id || begin >= end)
        return;
    for (uint32_t i = 0; i < d->count; i++) {
        struct gv_gl_buffer_range *r = &d->ranges[i];
        // What lies between is known too, unless the device has written.
        if (b->unknown && (begin > r->end || end < r->begin))
            continue;
        r->begin = begin < r->begin ? begin : r->begin;
        r->end = end > r->end ? end : r->end;
        return;
    }
    if (d->count == d->capacity) {
        const uint32_t more = d->capacity ? 2 * d->capacity : 4;
        void *larger =
            more > MOST_RANGES ? NULL : realloc(d->ranges, more * sizeof *d->ranges);
        if (!larger) {
            d->failed = true;
            return;
        }
        d->ranges = larger;
        d->capacity = more;
    }
    d->ranges[d->count++] = (struct gv_gl_buffer_range){ begin, end };
}

static void upload(struct gv_gl_sink *sink, struct gv_gl_buffer *b)
{
    struct gv_gl_buffer_dirt *d = &b->dirt;
    if (d->failed)
        gv_gl_unsupported(sink, GV_GL_LACK(BUFFER_WRITES));
    for (uint32_t i = 0; i < d->count; i++) {
        const struct gv_gl_buffer_range *r = &d->ranges[i];
        const uint64_t end = r->end < b->size ? r->end : b->size;
        if (r->begin >= end || !gv_gl_made(sink, end - r->begin, NULL))
            continue;
        gv_emit(gv_lower_transfer(&sink->pass), buffer_upload, .buffer = b->gpu,
                .offset = r->begin, .data = gv_data(b->bytes + r->begin),
                .size = end - r->begin);
    }
    d->count = 0;
    d->failed = false;
}

static void make(struct gv_lower_pass *pass, struct gv_gl_buffer *b, uint32_t usage)
{
    const struct gv_buffer before = b->gpu;
    const uint64_t size = (b->size + 3) & ~UINT64_C(3);
    struct gv_builder *out = gv_lower_transfer(pass);
    b->gpu_usage |= usage | USAGE;
    b->gpu = gv_emit(out, buffer_create, .size = size, .usage = b->gpu_usage);
    if (!before.id) {
        gv_gl_buffer_dirty(b, 0, b->size);
        return;
    }
    gv_emit(out, buffer_copy, .dst = b->gpu, .dst_offset = 0, .src = before,
            .src_offset = 0, .size = size);
    gv_emit(out, buffer_destroy, .buffer = before);
}

struct gv_buffer gv_gl_buffer_gpu(struct gv_gl_sink *sink, struct gv_gl_buffer *b,
                                  uint32_t usage)
{
    if (!b->size)
        return (struct gv_buffer){ 0 };
    if (!b->gpu.id || usage & ~b->gpu_usage)
        make(&sink->pass, b, usage);
    upload(sink, b);
    return b->gpu;
}

struct gv_buffer gv_gl_buffer_target(struct gv_gl_sink *sink, struct gv_gl_buffer *b,
                                     uint32_t usage)
{
    if (b->unknown && !b->on_device)
        gv_gl_unsupported(sink, GV_GL_LACK(PACKED_TARGET));
    const struct gv_buffer gpu = gv_gl_buffer_gpu(sink, b, usage);
    b->unknown = b->on_device = true;
    b->version++;
    return gpu;
}

void gv_gl_buffer_copy(struct gv_gl_sink *sink, const struct gv_gl_buffer_part *to,
                       const struct gv_gl_buffer_part *from)
{
    const struct gv_buffer src = gv_gl_buffer_gpu(sink, from->buffer, 0);
    const struct gv_buffer dst = gv_gl_buffer_target(sink, to->buffer, 0);
    if (src.id && dst.id && from->size)
        gv_emit(gv_lower_transfer(&sink->pass), buffer_copy, .dst = dst,
                .dst_offset = to->offset, .src = src, .src_offset = from->offset,
                .size = from->size);
}

void gv_gl_buffer_fill(struct gv_gl_sink *sink, struct gv_gl_buffer *b, uint64_t offset,
                       uint64_t size, uint32_t word)
{
    const struct gv_buffer gpu = gv_gl_buffer_target(sink, b, 0);
    if (gpu.id && size)
        gv_emit(gv_lower_transfer(&sink->pass), buffer_fill, .buffer = gpu,
                .offset = offset, .size = size, .value = word);
}

void gv_gl_buffer_leave(struct gv_builder *builder, struct gv_gl_buffer *b)
{
    if (b->gpu.id)
        gv_emit(builder, buffer_destroy, .buffer = b->gpu); // a pass may contain it
    free(b->dirt.ranges);
    b->dirt = (struct gv_gl_buffer_dirt){ 0 };
    b->gpu = (struct gv_buffer){ 0 };
    b->gpu_usage = 0;
}
