// Textures and views: creation, uploads by linear byte ranges, copies.
#include "compiler/aerogpu/aero.h"

#include <assert.h>
#include <string.h>

#include "resources/base/checked.h"

#define COPY_WRITEBACK 1u // the only copy flag

static bool check_create(struct gv_aero *a, const struct gv_aero_texture *t,
                         struct gv_error *err)
{
    const struct gv_linear_extent *e = &t->base.extent;
    if (!e->width || !e->height || !e->mips || !e->layers)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "%ux%u with %u mips and %u layers",
                            e->width, e->height, e->mips, e->layers);
    if (e->width > GV_AERO_MAX_DIMENSION || e->height > GV_AERO_MAX_DIMENSION ||
        e->layers > GV_AERO_MAX_LAYERS)
        return gv_aero_fail(a, GV_ERR_LIMIT, err,
                            "%ux%u with %u layers is over the limit", e->width,
                            e->height, e->layers);
    if (e->mips > gv_aero_max_mips(e->width, e->height))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "%u mips of %ux%u", e->mips,
                            e->width, e->height);
    if (!t->base.linear_size)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "row pitch %u is too small, or the texture too large",
                            e->row_pitch);
    if (t->backing.alloc_id && !e->row_pitch)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "row pitch 0 in guest memory");
    return true;
}

// Guest memory that copies changed: assembled in a buffer, whole subresources from
// there.
static bool fetch_changed(struct gv_aero *a, struct gv_aero_texture *t, uint64_t begin,
                          uint64_t size, const struct gv_lower_source *source,
                          struct gv_error *err)
{
    const struct gv_aero_image *image = &t->base;
    if (!gv_aero_image_is_plain(&a->images, image))
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err,
                            "unsupported: %s in memory that a copy changed",
                            image->format->name);
    struct gv_builder *b = gv_lower_transfer(&a->pass);
    struct gv_buffer memory = gv_emit(b, buffer_create, .size = (size + 3) & ~3ull,
                                      .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, buffer_upload, .buffer = memory, .offset = 0, .data = source->value,
            .size = size);
    gv_aero_writeback_apply(a, &t->backing, begin, size, memory, 0);
    gv_aero_image_from_buffer(&a->images, image, begin, size, memory);
    gv_emit(b, buffer_destroy, .buffer = memory);
    return true;
}

bool gv_aero_texture_fetch(struct gv_aero *a, struct gv_aero_texture *t,
                           uint64_t offset, uint64_t size, struct gv_error *err)
{
    // Whole subresources, so that pieces never split a texel.
    const struct gv_aero_image *i = &t->base;
    struct gv_linear_subresource first, last;
    first = gv_linear_locate(i->format, &i->extent, i->linear_size, offset);
    last = gv_linear_locate(i->format, &i->extent, i->linear_size, offset + size - 1);
    uint64_t begin = first.offset, end = last.offset + last.size;
    struct gv_lower_source source = { 0 };
    source.data =
        gv_aero_memory_read(a, &t->backing, begin, end - begin, &source.value, err);
    if (!source.data)
        return false;
    if (gv_aero_written_back(a, &t->backing, begin, end - begin))
        return fetch_changed(a, t, begin, end - begin, &source, err);
    return gv_aero_texture_write(a, t, begin, end - begin, &source, err);
}

GV_AERO_HANDLER(gv_aero_create_texture2d)
{
    (void)x;
    struct gv_aero_texture t = {
        .base = { .format =
                      gv_aero_format_find(GV_CMD_U32(c, CREATE_TEXTURE2D, format)),
                  .extent = { GV_CMD_U32(c, CREATE_TEXTURE2D, width),
                              GV_CMD_U32(c, CREATE_TEXTURE2D, height),
                              GV_CMD_U32(c, CREATE_TEXTURE2D, mip_levels),
                              GV_CMD_U32(c, CREATE_TEXTURE2D, array_layers),
                              GV_CMD_U32(c, CREATE_TEXTURE2D, row_pitch) } },
        .usage = GV_CMD_U32(c, CREATE_TEXTURE2D, usage),
        .backing = { GV_CMD_U32(c, CREATE_TEXTURE2D, backing_alloc_id),
                     GV_CMD_U32(c, CREATE_TEXTURE2D, backing_offset) },
    };
    struct gv_aero_image *image = &t.base;
    const struct gv_linear_extent *e = &image->extent;
    if (!image->format)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown format %u",
                            GV_CMD_U32(c, CREATE_TEXTURE2D, format));
    if (e->width <= GV_AERO_MAX_DIMENSION && e->mips <= GV_AERO_MAX_MIPS &&
        e->height <= GV_AERO_MAX_DIMENSION)
        image->linear_size = gv_linear_size(image->format, e);
    if (!check_create(a, &t, err))
        return false;
    image->cube = e->layers % 6 == 0 && e->width == e->height;
    t.opaque = (image->format->flags & GV_LINEAR_OPAQUE) != 0;
    struct gv_aero_object *o = gv_aero_create(
        a, GV_CMD_U32(c, CREATE_TEXTURE2D, handle), GV_AERO_TEXTURE, err);
    if (!o)
        return false;
    o->texture = t;
    if (!gv_aero_image_init(&a->images, &o->texture.base, err))
        return false;
    return !t.backing.alloc_id ||
           gv_aero_texture_fetch(a, &o->texture, 0, image->linear_size, err);
}

// ---- writing texels ----

bool gv_aero_texture_write(struct gv_aero *a, struct gv_aero_texture *t,
                           uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source, struct gv_error *err)
{
    struct gv_error inner = GV_ERROR_INIT;
    return gv_aero_image_write(&a->images, &t->base, offset, size, source, &inner) ||
           gv_aero_refuse(a, &inner, err);
}

// ---- copies ----

static bool check_side(struct gv_aero *a, const struct gv_lower_corner *s,
                       uint32_t width, uint32_t height, struct gv_error *err)
{
    const struct gv_linear_extent *e = &s->image->extent;
    if (s->mip >= e->mips || s->layer >= e->layers)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "mip %u, layer %u of a texture with %u and %u", s->mip,
                            s->layer, e->mips, e->layers);
    uint32_t w = gv_mip_size(e->width, s->mip), h = gv_mip_size(e->height, s->mip);
    if (!gv_range_inside(s->x, width, w) || !gv_range_inside(s->y, height, h))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "rectangle %u,%u %ux%u passes a mip of %ux%u", s->x, s->y,
                            width, height, w, h);
    uint32_t block = s->image->format->block;
    if (s->x % block || s->y % block || (width % block && s->x + width != w) ||
        (height % block && s->y + height != h))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "rectangle %u,%u %ux%u splits a block", s->x, s->y, width,
                            height);
    return true;
}

// The whole of mip 0, layer 0 goes back: it is what the texture now mirrors.
static bool writeback_texture(struct gv_aero *a, const struct gv_lower_corner *to,
                              const struct gv_aero_backing *backing,
                              struct gv_error *err)
{
    const struct gv_linear_format *f = to->image->format;
    if (to->mip || to->layer || f->block > 1 || f->flags & GV_LINEAR_DEPTH)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "WRITEBACK_DST into mip %u, layer %u of %s", to->mip,
                            to->layer, f->name);
    const struct gv_linear_subresource s =
        gv_linear_subresource(f, &to->image->extent, 0, 0);
    const struct gv_aero_writeback *w =
        gv_aero_writeback_add(a, backing, 0, s.size, err);
    if (w)
        gv_emit(a->b, image_to_buffer, .buffer = w->copy, .offset = 0,
                .row_bytes = s.pitch, .rows = 0, .image = to->image->gpu,
                .aspect = GV_ASPECT_COLOR, .mip = 0, .layer = 0, .layers = 1, .x = 0,
                .y = 0, .z = 0, .width = s.width, .height = s.height, .depth = 1);
    return w;
}

GV_AERO_HANDLER(gv_aero_copy_texture2d)
{
    (void)x;
    struct gv_aero_object *dst = gv_aero_find(a, GV_CMD_U32(c, COPY_TEXTURE2D, dst));
    struct gv_aero_object *src = gv_aero_find(a, GV_CMD_U32(c, COPY_TEXTURE2D, src));
    uint32_t width = GV_CMD_U32(c, COPY_TEXTURE2D, width);
    uint32_t height = GV_CMD_U32(c, COPY_TEXTURE2D, height);
    uint32_t flags = GV_CMD_U32(c, COPY_TEXTURE2D, flags);
    if (flags & ~COPY_WRITEBACK)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "unknown flags 0x%x", flags);
    if (!dst || dst->kind != GV_AERO_TEXTURE || !src || src->kind != GV_AERO_TEXTURE)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle is no texture");
    const struct gv_lower_corner to = { &dst->texture.base,
                                        GV_CMD_U32(c, COPY_TEXTURE2D, dst_mip),
                                        GV_CMD_U32(c, COPY_TEXTURE2D, dst_layer),
                                        GV_CMD_U32(c, COPY_TEXTURE2D, dst_x),
                                        GV_CMD_U32(c, COPY_TEXTURE2D, dst_y) };
    const struct gv_lower_corner from = { &src->texture.base,
                                          GV_CMD_U32(c, COPY_TEXTURE2D, src_mip),
                                          GV_CMD_U32(c, COPY_TEXTURE2D, src_layer),
                                          GV_CMD_U32(c, COPY_TEXTURE2D, src_x),
                                          GV_CMD_U32(c, COPY_TEXTURE2D, src_y) };
    if (to.image->format != from.image->format)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "formats %s and %s differ",
                            to.image->format->name, from.image->format->name);
    if (!width || !height)
        return true;
    if (!check_side(a, &to, width, height, err) ||
        !check_side(a, &from, width, height, err))
        return false;
    gv_aero_image_copy(&a->images, &to, &from, width, height);
    return !(flags & COPY_WRITEBACK) ||
           writeback_texture(a, &to, &dst->texture.backing, err);
}

// ---- views ----

static bool same_class(const struct gv_linear_format *f,
                       const struct gv_linear_format *g)
{
    return f->format == g->format || f->sibling == g->format;
}

static uint32_t rest(uint32_t count, uint32_t base, uint32_t total)
{
    return count || base >= total ? count : total - base;
}

GV_AERO_HANDLER(gv_aero_create_texture_view)
{
    (void)x;
    struct gv_aero_object *texture =
        gv_aero_find(a, GV_CMD_U32(c, CREATE_TEXTURE_VIEW, texture));
    uint32_t number = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, format);
    if (!texture || texture->kind != GV_AERO_TEXTURE)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no texture",
                            GV_CMD_U32(c, CREATE_TEXTURE_VIEW, texture));
    const struct gv_linear_extent *e = &texture->texture.base.extent;
    assert(texture->texture.base.format); // every texture has one
    struct gv_aero_view v = { .texture = texture,
                              .format = number ? gv_aero_format_find(number)
                                               : texture->texture.base.format,
                              .mip = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, base_mip),
                              .layer = GV_CMD_U32(c, CREATE_TEXTURE_VIEW, base_layer) };
    v.mips = rest(GV_CMD_U32(c, CREATE_TEXTURE_VIEW, mip_count), v.mip, e->mips);
    v.layers =
        rest(GV_CMD_U32(c, CREATE_TEXTURE_VIEW, layer_count), v.layer, e->layers);
    if (!v.format || !same_class(v.format, texture->texture.base.format))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "format %u does not fit %s", number,
                            texture->texture.base.format->name);
    if (!v.mips || !v.layers || !gv_range_inside(v.mip, v.mips, e->mips) ||
        !gv_range_inside(v.layer, v.layers, e->layers))
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "mips %u+%u, layers %u+%u of a texture with %u and %u",
                            v.mip, v.mips, v.layer, v.layers, e->mips, e->layers);
    struct gv_aero_object *o =
        gv_aero_create(a, GV_CMD_U32(c, CREATE_TEXTURE_VIEW, view), GV_AERO_VIEW, err);
    if (!o)
        return false;
    o->view = v;
    texture->named.references++;
    return true;
}
