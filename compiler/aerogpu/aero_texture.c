// Textures and views: creation, uploads by linear byte ranges, copies.
#include "compiler/aerogpu/aero.h"

#include <assert.h>
#include <string.h>

#include "compiler/texels/bc_decode.h"
#include "resources/base/checked.h"

#define COPY_WRITEBACK 1u // the only copy flag
#define D24_MAX 16777215.0f

static bool check_create(struct gv_aero *a, const struct gv_cmd *c,
                         const struct gv_aero_texture *t, struct gv_error *err)
{
    const struct gv_aero_extent *e = &t->extent;
    if (!e->width || !e->height || !e->mips || !e->layers)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "%ux%u with %u mips and %u layers", e->width, e->height,
                            e->mips, e->layers);
    if (e->width > GV_AERO_MAX_DIMENSION || e->height > GV_AERO_MAX_DIMENSION ||
        e->layers > GV_AERO_MAX_LAYERS)
        return gv_aero_fail(a, GV_ERR_LIMIT, c, err,
                            "%ux%u with %u layers is over the limit", e->width,
                            e->height, e->layers);
    if (e->mips > gv_aero_max_mips(e->width, e->height))
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "%u mips of %ux%u", e->mips,
                            e->width, e->height);
    if (!t->linear_size)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "row pitch %u is too small, or the texture too large",
                            e->row_pitch);
    if (t->backing.alloc_id && !e->row_pitch)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "row pitch 0 in guest memory");
    return true;
}

uint32_t gv_aero_gpu_format(const struct gv_aero *a, uint32_t format)
{
    uint32_t sibling = 0, plain = gv_bc_plain_format(format, &sibling);
    bool there = gv_builder_target_has_format(a->b, format) &&
                 gv_builder_target_has_format(a->b, sibling);
    return plain && !there ? plain : format;
}

// Whether the target lacks the format, so that texels are decoded here.
static bool decoded(const struct gv_aero *a, const struct gv_aero_format *f)
{
    return gv_aero_gpu_format(a, f->vk) != f->vk;
}

static void make_image(struct gv_aero *a, struct gv_aero_texture *t)
{
    const struct gv_aero_format *f = t->format;
    uint32_t usage = GV_IMAGE_USAGE_SAMPLED, flags = 0;
    if (f->flags & GV_AERO_FORMAT_DEPTH)
        usage |= GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT;
    else if (f->block == 1)
        usage |= GV_IMAGE_USAGE_COLOR_ATTACHMENT;
    if (f->sibling)
        flags |= GV_IMAGE_FLAG_MUTABLE_FORMAT;
    if (t->cube)
        flags |= GV_IMAGE_FLAG_CUBE_COMPATIBLE;
    t->gpu = gv_emit(gv_lower_transfer(&a->pass), image_create,
                     .type = GV_IMAGE_TYPE_2D, .format = gv_aero_gpu_format(a, f->vk),
                     .width = t->extent.width, .height = t->extent.height, .depth = 1,
                     .mips = t->extent.mips, .layers = t->extent.layers, .samples = 1,
                     .usage = usage, .flags = flags);
}

// Guest memory that copies changed: assembled in a buffer, whole subresources from
// there.
static bool fetch_changed(struct gv_aero *a, const struct gv_cmd *c,
                          struct gv_aero_texture *t, uint64_t begin, uint64_t size,
                          const struct gv_lower_source *source, struct gv_error *err)
{
    if (t->format->flags & GV_AERO_FORMAT_STENCIL || decoded(a, t->format))
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, c, err,
                            "unsupported: %s in memory that a copy changed",
                            t->format->name);
    uint32_t aspect =
        t->format->flags & GV_AERO_FORMAT_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR;
    struct gv_buffer memory =
        gv_emit(gv_lower_transfer(&a->pass), buffer_create, .size = (size + 3) & ~3ull,
                .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(a->b, buffer_upload, .buffer = memory, .offset = 0, .data = source->value,
            .size = size);
    gv_aero_writeback_apply(a, &t->backing, begin, size, memory, 0);
    for (uint64_t at = begin; at < begin + size;) {
        struct gv_aero_subresource s = { 0 };
        gv_aero_texture_locate(t, at, &s);
        t->uploaded[s.layer * t->extent.mips + s.mip] = 1;
        gv_emit(a->b, buffer_to_image, .image = t->gpu, .aspect = aspect, .mip = s.mip,
                .layer = s.layer, .layers = 1, .x = 0, .y = 0, .z = 0, .width = s.width,
                .height = s.height, .depth = 1, .buffer = memory, .offset = at - begin,
                .row_bytes = s.pitch, .rows = 0);
        at += s.size;
    }
    gv_emit(a->b, buffer_destroy, .buffer = memory);
    return true;
}

bool gv_aero_texture_fetch(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_aero_texture *t, uint64_t offset, uint64_t size,
                           struct gv_error *err)
{
    // Whole subresources, so that pieces never split a texel.
    struct gv_aero_subresource first = { 0 }, last = { 0 };
    gv_aero_texture_locate(t, offset, &first);
    gv_aero_texture_locate(t, offset + size - 1, &last);
    uint64_t begin = first.offset, end = last.offset + last.size;
    struct gv_lower_source source = { 0 };
    source.data =
        gv_aero_memory_read(a, c, &t->backing, begin, end - begin, &source.value, err);
    if (!source.data)
        return false;
    if (gv_aero_written_back(a, &t->backing, begin, end - begin))
        return fetch_changed(a, c, t, begin, end - begin, &source, err);
    return gv_aero_texture_write(a, c, t, begin, end - begin, &source, err);
}

GV_AERO_HANDLER(create_texture2d)
{
    (void)x;
    struct gv_aero_texture t = {
        .format = gv_aero_format_find(GV_CMD_U32(c, CREATE_TEXTURE2D, format)),
        .extent = { GV_CMD_U32(c, CREATE_TEXTURE2D, width),
                    GV_CMD_U32(c, CREATE_TEXTURE2D, height),
                    GV_CMD_U32(c, CREATE_TEXTURE2D, mip_levels),
                    GV_CMD_U32(c, CREATE_TEXTURE2D, array_layers),
                    GV_CMD_U32(c, CREATE_TEXTURE2D, row_pitch) },
        .usage = GV_CMD_U32(c, CREATE_TEXTURE2D, usage),
        .backing = { GV_CMD_U32(c, CREATE_TEXTURE2D, backing_alloc_id),
                     GV_CMD_U32(c, CREATE_TEXTURE2D, backing_offset) },
    };
    const struct gv_aero_extent *e = &t.extent;
    if (!t.format)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "unknown format %u",
                            GV_CMD_U32(c, CREATE_TEXTURE2D, format));
    if (e->width <= GV_AERO_MAX_DIMENSION && e->mips <= GV_AERO_MAX_MIPS &&
        e->height <= GV_AERO_MAX_DIMENSION)
        t.linear_size = gv_aero_layout_size(t.format, e);
    if (!check_create(a, c, &t, err))
        return false;
    t.cube = e->layers % 6 == 0 && e->width == e->height;
    t.opaque = (t.format->flags & GV_AERO_FORMAT_X8) != 0;
    t.uploaded = gv_arena_alloc(a->arena, (size_t)e->mips * e->layers);
    if (!t.uploaded)
        return gv_out_of_memory(err);
    struct gv_aero_object *o = gv_aero_create(
        a, c, GV_CMD_U32(c, CREATE_TEXTURE2D, handle), GV_AERO_TEXTURE, err);
    if (!o)
        return false;
    make_image(a, &t);
    o->texture = t;
    return !t.backing.alloc_id ||
           gv_aero_texture_fetch(a, c, &o->texture, 0, t.linear_size, err);
}

// ---- writing texels ----

void gv_aero_texture_locate(const struct gv_aero_texture *t, uint64_t offset,
                            struct gv_aero_subresource *out)
{
    assert(t->extent.layers); // checked at creation
    uint64_t layer_bytes = t->linear_size / t->extent.layers;
    assert(layer_bytes);
    uint32_t layer = (uint32_t)(offset / layer_bytes);
    for (uint32_t mip = 0; mip < t->extent.mips; mip++) {
        *out = gv_aero_subresource_at(t->format, &t->extent, layer, mip);
        if (offset < out->offset + out->size)
            return;
    }
}

// A rectangle of texels and where its first byte is, from the start of the source.
struct piece {
    const struct gv_aero_subresource *s;
    uint32_t x, y, width, height; // texels
    uint32_t columns, rows;       // bytes of a row; rows of texels or blocks
    uint64_t offset;
};

static void emit_upload(struct gv_aero *a, const struct gv_aero_texture *t,
                        const struct piece *p, uint32_t aspect, uint32_t row_bytes,
                        struct gv_contents data, uint64_t size)
{
    gv_emit(a->b, image_upload, .image = t->gpu, .aspect = aspect, .mip = p->s->mip,
            .layer = p->s->layer, .layers = 1, .x = p->x, .y = p->y, .z = 0,
            .width = p->width, .height = p->height, .depth = 1, .row_bytes = row_bytes,
            .rows = 0, .data = data, .size = size);
}

// D24_UNORM_S8_UINT texels (bits 0 to 23 depth, 24 to 31 stencil) as the two aspects of
// D32_SFLOAT_S8_UINT.
static bool upload_d24s8(struct gv_aero *a, const struct gv_aero_texture *t,
                         const struct piece *p, const uint8_t *data,
                         struct gv_error *err)
{
    size_t texels = (size_t)p->width * p->height;
    a->scratch.size = 0;
    uint8_t *depth = gv_bytes_grow(&a->scratch, texels * 5);
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
    emit_upload(a, t, p, GV_ASPECT_DEPTH, 0, gv_data(depth), texels * 4);
    emit_upload(a, t, p, GV_ASPECT_STENCIL, 0, gv_data(stencil), texels);
    return true;
}

static bool upload_decoded(struct gv_aero *a, const struct gv_aero_texture *t,
                           const struct piece *p, const uint8_t *data,
                           struct gv_error *err)
{
    size_t size = (size_t)p->width * p->height * 4;
    a->scratch.size = 0;
    uint8_t *rgba = gv_bytes_grow(&a->scratch, size);
    if (!rgba)
        return gv_out_of_memory(err);
    gv_bc_decode(t->format->vk, data, p->s->pitch, p->width, p->height, rgba);
    emit_upload(a, t, p, GV_ASPECT_COLOR, 0, gv_data(rgba), size);
    return true;
}

static bool upload_piece(struct gv_aero *a, const struct gv_aero_texture *t,
                         const struct piece *p, const struct gv_lower_source *source,
                         struct gv_error *err)
{
    if (t->format->flags & GV_AERO_FORMAT_STENCIL)
        return upload_d24s8(a, t, p, source->data + p->offset, err);
    if (decoded(a, t->format))
        return upload_decoded(a, t, p, source->data + p->offset, err);
    uint32_t aspect =
        t->format->flags & GV_AERO_FORMAT_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR;
    uint32_t row_bytes = p->rows > 1 && p->s->pitch != p->columns ? p->s->pitch : 0;
    uint64_t size = (uint64_t)p->s->pitch * (p->rows - 1) + p->columns;
    emit_upload(a, t, p, aspect, row_bytes, gv_lower_source_at(source, p->offset),
                size);
    return true;
}

// Byte columns [begin, end) of rows [row, row + rows).
static bool upload_rows(struct gv_aero *a, const struct gv_cmd *c,
                        const struct gv_aero_texture *t,
                        const struct gv_aero_subresource *s, uint32_t row,
                        uint32_t rows, uint32_t begin, uint32_t end, uint64_t offset,
                        const struct gv_lower_source *source, struct gv_error *err)
{
    uint32_t bytes = t->format->bytes, block = t->format->block;
    if (end > s->tight)
        end = s->tight; // the rest is padding
    if (!rows || begin >= end)
        return true;
    if (begin % bytes || end % bytes)
        return gv_aero_upload_split(a, c, t, s, row, begin, end,
                                    gv_lower_source_at(source, offset), err);
    struct piece p = { .s = s,
                       .x = begin / bytes * block,
                       .y = row * block,
                       .width = (end - begin) / bytes * block,
                       .height = rows * block,
                       .columns = end - begin,
                       .rows = rows,
                       .offset = offset };
    if (p.width > s->width - p.x)
        p.width = s->width - p.x;
    if (p.height > s->height - p.y)
        p.height = s->height - p.y;
    return upload_piece(a, t, &p, source, err);
}

// Bytes [begin, end) of one subresource; `offset` is where byte `begin` is in `source`.
static bool write_subresource(struct gv_aero *a, const struct gv_cmd *c,
                              const struct gv_aero_texture *t,
                              const struct gv_aero_subresource *s, uint64_t begin,
                              uint64_t end, uint64_t offset,
                              const struct gv_lower_source *source,
                              struct gv_error *err)
{
    uint32_t pitch = s->pitch;
    assert(pitch);
    uint32_t first = (uint32_t)(begin / pitch), last = (uint32_t)(end / pitch);
    uint32_t from = (uint32_t)(begin % pitch), to = (uint32_t)(end % pitch);
    if (first == last)
        return upload_rows(a, c, t, s, first, 1, from, to, offset, source, err);
    if (from) {
        if (!upload_rows(a, c, t, s, first, 1, from, pitch, offset, source, err))
            return false;
        offset += pitch - from;
        first++;
    }
    if (!upload_rows(a, c, t, s, first, last - first, 0, pitch, offset, source, err))
        return false;
    offset += (uint64_t)(last - first) * pitch;
    return !to || upload_rows(a, c, t, s, last, 1, 0, to, offset, source, err);
}

bool gv_aero_texture_write(struct gv_aero *a, const struct gv_cmd *c,
                           struct gv_aero_texture *t, uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source, struct gv_error *err)
{
    uint64_t at = offset, end = offset + size;
    gv_lower_transfer(&a->pass);
    while (at < end) {
        struct gv_aero_subresource s = { 0 };
        gv_aero_texture_locate(t, at, &s);
        uint64_t stop = s.offset + s.size < end ? s.offset + s.size : end;
        uint8_t *uploaded = &t->uploaded[s.layer * t->extent.mips + s.mip];
        bool whole = at == s.offset && stop == s.offset + s.size;
        if (!whole && !*uploaded)
            return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                                "part of mip %u, layer %u, which was never uploaded "
                                "whole",
                                s.mip, s.layer);
        *uploaded = 1;
        if (!write_subresource(a, c, t, &s, at - s.offset, stop - s.offset, at - offset,
                               source, err))
            return false;
        at = stop;
    }
    return true;
}

// ---- copies ----

struct copy_side {
    struct gv_aero_texture *t;
    uint32_t mip, layer, x, y;
};

static bool check_side(struct gv_aero *a, const struct gv_cmd *c,
                       const struct copy_side *s, uint32_t width, uint32_t height,
                       struct gv_error *err)
{
    const struct gv_aero_extent *e = &s->t->extent;
    if (s->mip >= e->mips || s->layer >= e->layers)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "mip %u, layer %u of a texture with %u and %u", s->mip,
                            s->layer, e->mips, e->layers);
    uint32_t w = gv_mip_size(e->width, s->mip), h = gv_mip_size(e->height, s->mip);
    if (!gv_range_inside(s->x, width, w) || !gv_range_inside(s->y, height, h))
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "rectangle %u,%u %ux%u passes a mip of %ux%u", s->x, s->y,
                            width, height, w, h);
    uint32_t block = s->t->format->block;
    if (s->x % block || s->y % block || (width % block && s->x + width != w) ||
        (height % block && s->y + height != h))
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "rectangle %u,%u %ux%u splits a block", s->x, s->y, width,
                            height);
    return true;
}

static void emit_copy(struct gv_aero *a, struct gv_image dst,
                      const struct copy_side *to, struct gv_image src,
                      const struct copy_side *from, uint32_t flags, uint32_t width,
                      uint32_t height)
{
    const uint32_t aspects[] = {
        flags & GV_AERO_FORMAT_DEPTH ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR,
        flags & GV_AERO_FORMAT_STENCIL ? GV_ASPECT_STENCIL : 0,
    };
    for (size_t i = 0; i < 2 && aspects[i]; i++)
        gv_emit(a->b, image_copy, .dst = dst, .dst_aspect = aspects[i],
                .dst_mip = to->mip, .dst_layer = to->layer, .dst_x = to->x,
                .dst_y = to->y, .dst_z = 0, .src = src, .src_aspect = aspects[i],
                .src_mip = from->mip, .src_layer = from->layer, .src_x = from->x,
                .src_y = from->y, .src_z = 0, .width = width, .height = height,
                .depth = 1, .layers = 1);
}

// Within one image, through a second one: the waist copies between images, and
// rectangles may overlap.
static void copy_within(struct gv_aero *a, const struct copy_side *to,
                        const struct copy_side *from, uint32_t width, uint32_t height)
{
    const struct gv_aero_format *f = to->t->format;
    const struct copy_side corner = { 0 };
    struct gv_image temporary =
        gv_emit(a->b, image_create, .type = GV_IMAGE_TYPE_2D,
                .format = gv_aero_gpu_format(a, f->vk), .width = width,
                .height = height, .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    emit_copy(a, temporary, &corner, to->t->gpu, from, f->flags, width, height);
    emit_copy(a, to->t->gpu, to, temporary, &corner, f->flags, width, height);
    gv_emit(a->b, image_destroy, .image = temporary);
}

// The whole of mip 0, layer 0 goes back: it is what the texture now mirrors.
static bool writeback_texture(struct gv_aero *a, const struct gv_cmd *c,
                              const struct copy_side *to, struct gv_error *err)
{
    const struct gv_aero_format *f = to->t->format;
    if (to->mip || to->layer || f->block > 1 || f->flags & GV_AERO_FORMAT_DEPTH)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "WRITEBACK_DST into mip %u, layer %u of %s", to->mip,
                            to->layer, f->name);
    const struct gv_aero_subresource s =
        gv_aero_subresource_at(f, &to->t->extent, 0, 0);
    const struct gv_aero_writeback *w =
        gv_aero_writeback_add(a, c, &to->t->backing, 0, s.size, err);
    if (w)
        gv_emit(a->b, image_to_buffer, .buffer = w->copy, .offset = 0,
                .row_bytes = s.pitch, .rows = 0, .image = to->t->gpu,
                .aspect = GV_ASPECT_COLOR, .mip = 0, .layer = 0, .layers = 1, .x = 0,
                .y = 0, .z = 0, .width = s.width, .height = s.height, .depth = 1);
    return w;
}

GV_AERO_HANDLER(copy_texture2d)
{
    (void)x;
    struct gv_aero_object *dst = gv_aero_find(a, GV_CMD_U32(c, COPY_TEXTURE2D, dst));
    struct gv_aero_object *src = gv_aero_find(a, GV_CMD_U32(c, COPY_TEXTURE2D, src));
    uint32_t width = GV_CMD_U32(c, COPY_TEXTURE2D, width);
    uint32_t height = GV_CMD_U32(c, COPY_TEXTURE2D, height);
    uint32_t flags = GV_CMD_U32(c, COPY_TEXTURE2D, flags);
    if (flags & ~COPY_WRITEBACK)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "unknown flags 0x%x", flags);
    if (!dst || dst->kind != GV_AERO_TEXTURE || !src || src->kind != GV_AERO_TEXTURE)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "handle is no texture");
    const struct copy_side to = { &dst->texture, GV_CMD_U32(c, COPY_TEXTURE2D, dst_mip),
                                  GV_CMD_U32(c, COPY_TEXTURE2D, dst_layer),
                                  GV_CMD_U32(c, COPY_TEXTURE2D, dst_x),
                                  GV_CMD_U32(c, COPY_TEXTURE2D, dst_y) };
    const struct copy_side from = { &src->texture,
                                    GV_CMD_U32(c, COPY_TEXTURE2D, src_mip),
                                    GV_CMD_U32(c, COPY_TEXTURE2D, src_layer),
                                    GV_CMD_U32(c, COPY_TEXTURE2D, src_x),
                                    GV_CMD_U32(c, COPY_TEXTURE2D, src_y) };
    if (to.t->format != from.t->format)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "formats %s and %s differ",
                            to.t->format->name, from.t->format->name);
    if (!width || !height)
        return true;
    if (!check_side(a, c, &to, width, height, err) ||
        !check_side(a, c, &from, width, height, err))
        return false;
    gv_lower_transfer(&a->pass);
    if (dst == src)
        copy_within(a, &to, &from, width, height);
    else
        emit_copy(a, to.t->gpu, &to, from.t->gpu, &from, to.t->format->flags, width,
                  height);
    return !(flags & COPY_WRITEBACK) || writeback_texture(a, c, &to, err);
}

// ---- views ----

static bool same_class(const struct gv_aero_format *f, const struct gv_aero_format *g)
{
    return f->vk == g->vk || f->sibling == g->vk;
}

static uint32_t rest(uint32_t count, uint32_t base, uint32_t total)
{
    return count || base >= total ? count : total - base;
}

GV_AERO_HANDLER(create_texture_view)
{
    (void)x;
    struct gv_aero_object *texture =
        gv_aero_find(a, GV_CMD_U32(c, CREATE_TEXTURE_VIEW, texture));
    uint32_t number = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, format);
    if (!texture || texture->kind != GV_AERO_TEXTURE)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "handle %u is no texture",
                            GV_CMD_U32(c, CREATE_TEXTURE_VIEW, texture));
    const struct gv_aero_extent *e = &texture->texture.extent;
    assert(texture->texture.format); // every texture has one
    struct gv_aero_view v = { .texture = texture,
                              .format = number ? gv_aero_format_find(number)
                                               : texture->texture.format,
                              .mip = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, base_mip),
                              .layer = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, base_layer) };
    v.mips = rest(GV_CMD_U32(c, CREATE_TEXTURE_VIEW, mip_count), v.mip, e->mips);
    v.layers =
        rest(GV_CMD_U32(c, CREATE_TEXTURE_VIEW, layer_count), v.layer, e->layers);
    if (!v.format || !same_class(v.format, texture->texture.format))
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "format %u does not fit %s",
                            number, texture->texture.format->name);
    if (!v.mips || !v.layers || !gv_range_inside(v.mip, v.mips, e->mips) ||
        !gv_range_inside(v.layer, v.layers, e->layers))
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "mips %u+%u, layers %u+%u of a texture with %u and %u",
                            v.mip, v.mips, v.layer, v.layers, e->mips, e->layers);
    struct gv_aero_object *o = gv_aero_create(
        a, c, GV_CMD_U32(c, CREATE_TEXTURE_VIEW, view), GV_AERO_VIEW, err);
    if (!o)
        return false;
    o->view = v;
    texture->references++;
    return true;
}
