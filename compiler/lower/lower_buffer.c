#include "compiler/lower/lower_buffer.h"

#include <string.h>

// ---- content ----

static const size_t link_size = sizeof(void *); // of a free block to the next

// The size class of known content: blocks are powers of two with room for a link.
static unsigned known_class(uint64_t size)
{
    unsigned k = 4;
    while ((1ull << k) < size)
        k++;
    return k;
}

static bool track_content(struct gv_lower_buffers *bs, struct gv_lower_buffer *b)
{
    unsigned k = known_class(b->size);
    void *block = bs->free_known[k];
    if (block) {
        memcpy(&bs->free_known[k], block, link_size);
        memset(block, 0, (size_t)b->size);
    } else {
        block = gv_arena_alloc(bs->arena, (size_t)1 << k);
    }
    b->known = block;
    bs->known_bytes += block ? b->size : 0;
    return block;
}

static void forget_content(struct gv_lower_buffers *bs, struct gv_lower_buffer *b)
{
    if (!b->known)
        return;
    unsigned k = known_class(b->size);
    memcpy(b->known, &bs->free_known[k], link_size);
    bs->free_known[k] = b->known;
    bs->known_bytes -= b->size;
    b->known = NULL;
}

// ---- buffers ----

// What sources say of a buffer's use are hints: every binding is legal for every
// buffer. Whole words, because raw views read words.
static void make_gpu(struct gv_lower_buffers *bs, struct gv_lower_buffer *b)
{
    b->gpu = gv_emit(gv_lower_transfer(bs->pass), buffer_create,
                     .size = (b->size + 3) & ~3ull,
                     .usage = GV_BUFFER_USAGE_VERTEX | GV_BUFFER_USAGE_INDEX |
                              GV_BUFFER_USAGE_UNIFORM | GV_BUFFER_USAGE_STORAGE);
}

bool gv_lower_buffer_init(struct gv_lower_buffers *bs, struct gv_lower_buffer *b,
                          uint64_t size, uint64_t serial, bool track,
                          struct gv_error *err)
{
    *b = (struct gv_lower_buffer){ .size = size, .serial = serial };
    if (track && size <= GV_LOWER_KNOWN_BYTES &&
        bs->known_bytes + size <= GV_LOWER_MAX_KNOWN)
        return track_content(bs, b) || gv_out_of_memory(err);
    make_gpu(bs, b);
    return true;
}

void gv_lower_buffer_finish(struct gv_lower_buffers *bs, struct gv_lower_buffer *b)
{
    if (b->gpu.id)
        gv_emit(bs->pass->b, buffer_destroy, .buffer = b->gpu); // a pass may contain it
    if (b->packed.gpu.id)
        gv_emit(bs->pass->b, buffer_destroy, .buffer = b->packed.gpu);
    forget_content(bs, b);
}

void gv_lower_buffer_write(struct gv_lower_buffers *bs, struct gv_lower_buffer *b,
                           uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source)
{
    b->version++;
    if (!b->known) {
        if (!b->gpu.id)
            make_gpu(bs, b);
        gv_emit(gv_lower_transfer(bs->pass), buffer_upload, .buffer = b->gpu,
                .offset = offset, .data = source->value, .size = size);
        return;
    }
    memcpy(b->known + offset, source->data, size);
    bool clean = b->dirty_begin >= b->dirty_end;
    if (clean || offset < b->dirty_begin)
        b->dirty_begin = offset;
    if (clean || offset + size > b->dirty_end)
        b->dirty_end = offset + size;
}

struct gv_buffer gv_lower_buffer_gpu(struct gv_lower_buffers *bs,
                                     struct gv_lower_buffer *b)
{
    if (!b->gpu.id)
        make_gpu(bs, b);
    if (b->known && b->dirty_begin < b->dirty_end) {
        gv_emit(gv_lower_transfer(bs->pass), buffer_upload, .buffer = b->gpu,
                .offset = b->dirty_begin, .data = gv_data(b->known + b->dirty_begin),
                .size = b->dirty_end - b->dirty_begin);
        b->dirty_begin = b->dirty_end = 0;
    }
    return b->gpu;
}

struct gv_buffer gv_lower_buffer_target(struct gv_lower_buffers *bs,
                                        struct gv_lower_buffer *b)
{
    struct gv_buffer gpu = gv_lower_buffer_gpu(bs, b);
    forget_content(bs, b);
    b->version++;
    return gpu;
}

void gv_lower_buffer_copy(struct gv_lower_buffers *bs,
                          const struct gv_lower_buffer_range *to,
                          const struct gv_lower_buffer_range *from, uint64_t size,
                          bool on_device)
{
    if (to->buffer->known && from->buffer->known && !on_device) {
        const uint8_t *data = from->buffer->known + from->offset;
        gv_lower_buffer_write(bs, to->buffer, to->offset, size,
                              &(struct gv_lower_source){ data, gv_data(data) });
        return;
    }
    struct gv_buffer src = gv_lower_buffer_gpu(bs, from->buffer);
    struct gv_buffer dst = gv_lower_buffer_target(bs, to->buffer);
    gv_emit(gv_lower_transfer(bs->pass), buffer_copy, .dst = dst,
            .dst_offset = to->offset, .src = src, .src_offset = from->offset,
            .size = size);
}

// ---- copies at offset 0 ----

#define COPY_USAGE \
    (GV_BUFFER_USAGE_UNIFORM | GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_INDEX)

struct gv_buffer gv_lower_copy_aligned(struct gv_lower_buffers *bs,
                                       struct gv_lower_copy *copy,
                                       const struct gv_lower_buffer_range *from,
                                       uint64_t size, uint64_t copied)
{
    const struct gv_lower_buffer *b = from->buffer;
    struct gv_buffer source = gv_lower_buffer_gpu(bs, from->buffer), gpu = copy->gpu;
    bool same = copy->source == b->serial && copy->offset == from->offset &&
                copy->size == size && copy->copied == copied;
    if (same && copy->version == b->version)
        return gpu;
    struct gv_builder *out = gv_lower_transfer(bs->pass);
    if (!same) {
        if (gpu.id)
            gv_emit(out, buffer_destroy, .buffer = gpu);
        gpu = gv_emit(out, buffer_create, .size = (size + 3) & ~3ull,
                      .usage = COPY_USAGE);
    }
    *copy = (struct gv_lower_copy){ .gpu = gpu,
                                    .source = b->serial,
                                    .version = b->version,
                                    .offset = from->offset,
                                    .size = size,
                                    .copied = copied };
    if (copied)
        gv_emit(out, buffer_copy, .dst = gpu, .dst_offset = 0, .src = source,
                .src_offset = from->offset, .size = copied);
    return gpu;
}

void gv_lower_copy_back(struct gv_lower_buffers *bs, struct gv_lower_copy *copy,
                        struct gv_lower_buffer *b)
{
    if (!copy->written)
        return;
    gv_emit(gv_lower_transfer(bs->pass), buffer_copy, .dst = b->gpu,
            .dst_offset = copy->offset, .src = copy->gpu, .src_offset = 0,
            .size = copy->copied);
    copy->version = b->version;
    copy->written = false;
}

struct gv_buffer gv_lower_zeros(struct gv_lower_buffers *bs)
{
    if (!bs->zeros.id)
        bs->zeros = gv_emit(gv_lower_transfer(bs->pass), buffer_create,
                            .size = GV_LOWER_KNOWN_BYTES, .usage = COPY_USAGE);
    return bs->zeros;
}
