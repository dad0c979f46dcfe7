#include "compiler/aerogpu/image_pieces.h"

#include <assert.h>
#include <string.h>

#include "compiler/texels/bc_decode.h"
#include "resources/base/cursor.h"

#define D24_MAX 16777215.0f

// ---- making ----

uint32_t gv_aero_device_format(const struct gv_builder *b, uint32_t format)
{
    uint32_t sibling = 0, plain = gv_bc_plain_format(format, &sibling);
    bool there = gv_builder_target_has_format(b, format) &&
                 gv_builder_target_has_format(b, sibling);
    return plain && !there ? plain : format;
}

// Whether the target lacks the format, so that texels are decoded here.
static bool decoded(const struct gv_aero_images *is, const struct gv_linear_format *f)
{
    return gv_aero_device_format(is->pass->b, f->format) != f->format;
}

bool gv_aero_image_is_plain(const struct gv_aero_images *is,
                            const struct gv_aero_image *t)
{
    return !(t->format->flags & GV_LINEAR_STENCIL) && !decoded(is, t->format);
}

bool gv_aero_image_init(struct gv_aero_images *is, struct gv_aero_image *t,
                        struct gv_error *err)
{
    const struct gv_linear_format *f = t->format;
    uint32_t usage = GV_IMAGE_USAGE_SAMPLED, flags = 0;
    t->uploaded = gv_arena_alloc(is->arena, (size_t)t->extent.mips * t->extent.layers);
    if (!t->uploaded)
        return gv_out_of_memory(err);
    if (f->flags & GV_LINEAR_DEPTH)
        usage |= GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    else if (f->block == 1)
        usage |= GV_IMAGE_USAGE_COLOR_ATTACHMENT;
    if (f->sibling)
        flags |= GV_IMAGE_FLAG_MUTABLE_FORMAT;
    if (t->cube)
        flags |= GV_IMAGE_FLAG_CUBE_COMPATIBLE;
    t->gpu =
        gv_emit(gv_lower_transfer(is->pass), image_create, .type = GV_IMAGE_TYPE_2D,
                .format = gv_aero_device_format(is->pass->b, f->format),
                .width = t->extent.width, .height = t->extent.height, .depth = 1,
                .mips = t->extent.mips, .layers = t->extent.layers, .samples = 1,
                .usage = usage, .flags = flags);
    return true;
}

// ---- pieces ----

// A rectangle of texels and where its first byte is, from the start of the source.
struct piece {
    struct gv_aero_images *is;
    struct gv_builder *b; // outside of passes
    const struct gv_aero_image *t;
    const struct gv_linear_subresource *s;
    const struct gv_lower_source *source;
    uint32_t x, y, width, height; // texels
    uint32_t columns, rows;       // bytes of a row; rows of texels or blocks
    uint64_t offset;
};

static uint32_t aspect_of(const struct gv_linear_format *f)
{
    return f->flags & GV_LINEAR_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR;
}

static void emit_upload(const struct piece *p, uint32_t aspect, uint32_t row_bytes,
                        struct gv_contents data, uint64_t size)
{
    gv_emit(p->b, image_upload, .image = p->t->gpu, .aspect = aspect, .mip = p->s->mip,
            .layer = p->s->layer, .layers = 1, .x = p->x, .y = p->y, .z = 0,
            .width = p->width, .height = p->height, .depth = 1, .row_bytes = row_bytes,
            .rows = 0, .data = data, .size = size);
}

// Depth of 24 bits and stencil as the two aspects of the device's format.
static bool upload_depth_stencil(const struct piece *p, const uint8_t *data,
                                 struct gv_error *err)
{
    size_t texels = (size_t)p->width * p->height;
    p->is->scratch.size = 0;
    uint8_t *depth = gv_bytes_grow(&p->is->scratch, texels * 5);
    if (!depth)
        return gv_out_of_memory(err);
    uint8_t *stencil = depth + texels * 4;
    for (size_t i = 0; i < texels; i++) {
        size_t row = i / p->width, column = i % p->width;
        uint32_t v = gv_load_u32(data + row * p->s->pitch + column * 4);
        float d = (float)(v & 0xFFFFFFu) / D24_MAX;
        memcpy(depth + i * 4, &d, 4);
        stencil[i] = (uint8_t)(v >> 24);
    }
    emit_upload(p, GV_ASPECT_DEPTH, 0, gv_data(depth), texels * 4);
    emit_upload(p, GV_ASPECT_STENCIL, 0, gv_data(stencil), texels);
    return true;
}

static bool upload_decoded(const struct piece *p, const uint8_t *data,
                           struct gv_error *err)
{
    size_t size = (size_t)p->width * p->height * 4;
    p->is->scratch.size = 0;
    uint8_t *rgba = gv_bytes_grow(&p->is->scratch, size);
    if (!rgba)
        return gv_out_of_memory(err);
    const struct gv_bc_image image = { .format = p->t->format->format,
                                       .width = p->width,
                                       .height = p->height,
                                       .pitch = p->s->pitch,
                                       .blocks = data };
    gv_bc_decode(&image, rgba);
    emit_upload(p, GV_ASPECT_COLOR, 0, gv_data(rgba), size);
    return true;
}

static bool upload_piece(const struct piece *p, struct gv_error *err)
{
    const uint8_t *data = p->source->data + p->offset;
    if (p->t->format->flags & GV_LINEAR_STENCIL)
        return upload_depth_stencil(p, data, err);
    if (decoded(p->is, p->t->format))
        return upload_decoded(p, data, err);
    uint32_t row_bytes = p->rows > 1 && p->s->pitch != p->columns ? p->s->pitch : 0;
    uint64_t size = (uint64_t)p->s->pitch * (p->rows - 1) + p->columns;
    emit_upload(p, aspect_of(p->t->format), row_bytes,
                gv_lower_source_at(p->source, p->offset), size);
    return true;
}

// ---- parts of texels ----

// Columns [begin, end) of one row, which are not whole texels or blocks: the texels are
// read back on the device, the bytes laid over them, and the texels written again.
static bool upload_split(const struct piece *p, uint32_t begin, uint32_t end,
                         struct gv_error *err)
{
    const struct gv_linear_format *f = p->t->format;
    uint32_t aspect = aspect_of(f), size = p->columns;
    if (!gv_aero_image_is_plain(p->is, p->t)) // not the bytes of the source
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %s that splits a texel of %s", p->is->upload,
                       f->name);
    struct gv_builder *b = p->b;
    struct gv_buffer texels = gv_emit(b, buffer_create, .size = (size + 3) & ~3u,
                                      .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, image_to_buffer, .buffer = texels, .offset = 0, .row_bytes = 0,
            .rows = 0, .image = p->t->gpu, .aspect = aspect, .mip = p->s->mip,
            .layer = p->s->layer, .layers = 1, .x = p->x, .y = p->y, .z = 0,
            .width = p->width, .height = p->height, .depth = 1);
    gv_emit(b, buffer_upload, .buffer = texels,
            .offset = begin - begin / f->bytes * f->bytes,
            .data = gv_lower_source_at(p->source, p->offset), .size = end - begin);
    gv_emit(b, buffer_to_image, .image = p->t->gpu, .aspect = aspect, .mip = p->s->mip,
            .layer = p->s->layer, .layers = 1, .x = p->x, .y = p->y, .z = 0,
            .width = p->width, .height = p->height, .depth = 1, .buffer = texels,
            .offset = 0, .row_bytes = 0, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = texels);
    return true;
}

// ---- ranges ----

// Part of a subresource: byte columns [begin, end) of rows [row, row + rows), from byte
// `offset` of the source on.
struct rows {
    uint32_t row, rows, begin, end;
    uint64_t offset;
};

// `p` has what all pieces of the range share.
static bool upload_rows(struct piece p, const struct rows *r, struct gv_error *err)
{
    uint32_t bytes = p.t->format->bytes, block = p.t->format->block;
    uint32_t end = r->end < p.s->tight ? r->end : p.s->tight; // the rest is padding
    if (!r->rows || r->begin >= end)
        return true;
    uint32_t first = r->begin / bytes, last = (end + bytes - 1) / bytes;
    p.x = first * block;
    p.y = r->row * block;
    p.width = (last - first) * block;
    p.height = r->rows * block;
    p.columns = (last - first) * bytes;
    p.rows = r->rows;
    p.offset = r->offset;
    if (p.width > p.s->width - p.x)
        p.width = p.s->width - p.x;
    if (p.height > p.s->height - p.y)
        p.height = p.s->height - p.y;
    return r->begin % bytes || end % bytes ? upload_split(&p, r->begin, end, err)
                                           : upload_piece(&p, err);
}

// Bytes [begin, end) of one subresource; `offset` is where byte `begin` is in the
// source. First what is left of a row, then whole rows, then the beginning of one.
static bool write_subresource(const struct piece *p, uint64_t begin, uint64_t end,
                              uint64_t offset, struct gv_error *err)
{
    uint32_t pitch = p->s->pitch;
    assert(pitch);
    uint32_t first = (uint32_t)(begin / pitch), last = (uint32_t)(end / pitch);
    uint32_t from = (uint32_t)(begin % pitch), to = (uint32_t)(end % pitch);
    if (first == last)
        return upload_rows(*p, &(struct rows){ first, 1, from, to, offset }, err);
    if (from) {
        if (!upload_rows(*p, &(struct rows){ first, 1, from, pitch, offset }, err))
            return false;
        offset += pitch - from;
        first++;
    }
    if (!upload_rows(*p, &(struct rows){ first, last - first, 0, pitch, offset }, err))
        return false;
    offset += (uint64_t)(last - first) * pitch;
    return !to || upload_rows(*p, &(struct rows){ last, 1, 0, to, offset }, err);
}

bool gv_aero_image_write(struct gv_aero_images *is, const struct gv_aero_image *t,
                         uint64_t offset, uint64_t size,
                         const struct gv_lower_source *source, struct gv_error *err)
{
    uint64_t at = offset, end = offset + size;
    struct gv_builder *b = gv_lower_transfer(is->pass);
    while (at < end) {
        const struct gv_linear_subresource s =
            gv_linear_locate(t->format, &t->extent, t->linear_size, at);
        const struct piece p = { is, b, t, &s, source, 0, 0, 0, 0, 0, 0, 0 };
        uint64_t stop = s.offset + s.size < end ? s.offset + s.size : end;
        uint8_t *uploaded = &t->uploaded[s.layer * t->extent.mips + s.mip];
        bool whole = at == s.offset && stop == s.offset + s.size;
        if (!whole && !*uploaded)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "part of mip %u, layer %u, which was never uploaded whole",
                           s.mip, s.layer);
        *uploaded = 1;
        if (!write_subresource(&p, at - s.offset, stop - s.offset, at - offset, err))
            return false;
        at = stop;
    }
    return true;
}

void gv_aero_image_from_buffer(struct gv_aero_images *is, const struct gv_aero_image *t,
                               uint64_t begin, uint64_t size, struct gv_buffer from)
{
    struct gv_builder *b = gv_lower_transfer(is->pass);
    for (uint64_t at = begin; at < begin + size;) {
        const struct gv_linear_subresource s =
            gv_linear_locate(t->format, &t->extent, t->linear_size, at);
        t->uploaded[s.layer * t->extent.mips + s.mip] = 1;
        gv_emit(b, buffer_to_image, .image = t->gpu, .aspect = aspect_of(t->format),
                .mip = s.mip, .layer = s.layer, .layers = 1, .x = 0, .y = 0, .z = 0,
                .width = s.width, .height = s.height, .depth = 1, .buffer = from,
                .offset = at - begin, .row_bytes = s.pitch, .rows = 0);
        at += s.size;
    }
}

// ---- copies ----

struct rectangle {
    uint32_t width, height;
};

// One aspect after the other.
static void emit_copy(struct gv_builder *b, uint32_t flags,
                      const struct gv_lower_corner *to,
                      const struct gv_lower_corner *from, const struct rectangle *r)
{
    const uint32_t aspects[] = {
        flags & GV_LINEAR_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR,
        flags & GV_LINEAR_STENCIL ? GV_ASPECT_STENCIL : 0,
    };
    for (size_t i = 0; i < 2 && aspects[i]; i++)
        gv_emit(b, image_copy, .dst = to->image->gpu, .dst_aspect = aspects[i],
                .dst_mip = to->mip, .dst_layer = to->layer, .dst_x = to->x,
                .dst_y = to->y, .dst_z = 0, .src = from->image->gpu,
                .src_aspect = aspects[i], .src_mip = from->mip,
                .src_layer = from->layer, .src_x = from->x, .src_y = from->y,
                .src_z = 0, .width = r->width, .height = r->height, .depth = 1,
                .layers = 1);
}

void gv_aero_image_copy(struct gv_aero_images *is, const struct gv_lower_corner *to,
                        const struct gv_lower_corner *from, uint32_t width,
                        uint32_t height)
{
    const struct gv_linear_format *f = to->image->format;
    const struct rectangle r = { width, height };
    struct gv_builder *b = gv_lower_transfer(is->pass);
    if (to->image != from->image) {
        emit_copy(b, f->flags, to, from, &r);
        return;
    }
    // Through a second image: calls copy between two, and rectangles may overlap.
    const struct gv_aero_image between = {
        .gpu = gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                       .format = gv_aero_device_format(b, f->format), .width = width,
                       .height = height, .depth = 1, .mips = 1, .layers = 1,
                       .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0)
    };
    const struct gv_lower_corner middle = { .image = &between };
    emit_copy(b, f->flags, &middle, from, &r);
    emit_copy(b, f->flags, to, &middle, &r);
    gv_emit(b, image_destroy, .image = between.gpu);
}
