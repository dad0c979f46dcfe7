// glDrawPixels: colours as a textured rectangle, depth and stencil as uploads or,
// under tests and masks, drawn too.
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/pixels/gl_pixel_draw.h"
#include "compiler/gl/texture/gl_packed.h"

#include <math.h>
#include <string.h>

#include "vm/formats.h"

#define MOST_PIXELS ((uint64_t)1 << 26) // of one call

// ---- colours ----

static uint8_t to_byte(float v)
{
    return v > 0 ? (v < 1 ? (uint8_t)lroundf(v * 255) : 255) : 0;
}

static bool is_narrow(uint32_t type)
{
    switch (type) {
    case GL_BITMAP:
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
    case GL_UNSIGNED_SHORT_5_5_5_1:
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
        return true;
    default:
        return false;
    }
}

// As bytes, unless both the pixels and what is drawn to have more bits.
static bool find_format(struct gv_gl *gl, const struct gv_gl_pixels *p, uint32_t *out,
                        struct gv_error *err)
{
    struct gv_gl_targets t;
    *out = GV_FORMAT_R8G8B8A8_UNORM;
    if (is_narrow(p->type))
        return true;
    if (!gv_gl_draw_targets(gl, &t, err))
        return false;
    for (uint32_t i = 0; t.complete && i < t.lower.color_count; i++) {
        const struct gv_format_info *f = gv_format_info(t.lower.colors[i].format);
        for (uint32_t k = 0; f && k < 4; k++)
            if (f->bits[k] > 8)
                *out = GV_FORMAT_R32G32B32A32_SFLOAT;
    }
    return true;
}

// All rows in a format, the lowest first. False: memory, or pixels that were not
// recorded.
static bool convert(const struct gv_gl_context *c, const struct gv_gl_pixels *p,
                    uint32_t format, struct gv_bytes *out)
{
    const bool bytes = format == GV_FORMAT_R8G8B8A8_UNORM;
    struct gv_bytes row = { 0 };
    float *rgba = (float *)(void *)gv_bytes_grow(&row, (size_t)p->width * 16);
    bool ok = rgba != NULL;
    out->size = 0;
    for (uint32_t y = 0; ok && y < p->height; y++) {
        const uint8_t *from = gv_gl_pixels_row(p, y, 0);
        uint8_t *to =
            from ? gv_bytes_grow(out, (size_t)p->width * (bytes ? 4 : 16)) : NULL;
        ok = to && gv_gl_pixels_rgba(&c->state.pixel, p, from, rgba);
        for (size_t i = 0; ok && bytes && i < (size_t)p->width * 4; i++)
            to[i] = to_byte(rgba[i]);
        if (ok && !bytes)
            memcpy(to, rgba, (size_t)p->width * 16);
    }
    gv_bytes_finish(&row);
    return ok;
}

static struct gv_image make_image(struct gv_gl_sink *sink, const struct gv_gl_pixels *p,
                                  uint32_t format, const struct gv_bytes *texels)
{
    gv_gl_made(sink, texels->size, NULL); // the call's end tells
    struct gv_builder *b = gv_lower_transfer(&sink->pass);
    struct gv_image image =
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = format,
                .width = p->width, .height = p->height, .depth = 1, .mips = 1,
                .layers = 1, .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    gv_emit(b, image_upload, .image = image, .aspect = GV_ASPECT_COLOR, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = p->width,
            .height = p->height, .depth = 1, .row_bytes = 0, .rows = 0,
            .data = gv_data(texels->data), .size = texels->size);
    return image;
}

// Images of pixels that were drawn before are kept, as many as there is room for.
static struct gv_image image_of(struct gv_gl_drawing *x, struct gv_gl_sink *sink,
                                const struct gv_gl_pixels *p, uint32_t format,
                                const struct gv_bytes *texels)
{
    const struct gv_hash hash = gv_hash_bytes(texels->data, texels->size);
    for (uint32_t i = 0; i < GV_GL_DRAWN_IMAGES; i++)
        if (x->drawn[i].image.id && x->drawn[i].width == p->width &&
            x->drawn[i].format == format && gv_hash_equal(&x->drawn[i].hash, &hash))
            return x->drawn[i].image;
    struct gv_gl_drawn_image *slot = &x->drawn[x->next_drawn++ % GV_GL_DRAWN_IMAGES];
    if (slot->image.id)
        gv_emit(gv_lower_transfer(&sink->pass), image_destroy, .image = slot->image);
    *slot = (struct gv_gl_drawn_image){ hash, p->width, format,
                                        make_image(sink, p, format, texels) };
    return slot->image;
}

static bool draw_colors(struct gv_gl *gl, const struct gv_gl_pixels *p,
                        struct gv_error *err)
{
    struct gv_bytes *texels = &gl->drawing->texels;
    uint32_t format;
    if (!find_format(gl, p, &format, err))
        return false;
    if (!convert(gl->context, p, format, texels))
        return !texels->failed || gv_out_of_memory(err);
    const struct gv_gl_texel_source s = { .image = image_of(gl->drawing, &gl->sink, p,
                                                            format, texels),
                                          .format = format,
                                          .width = p->width,
                                          .height = p->height };
    return gv_gl_draw_texels(gl, &s, err);
}

// What the device has put into a buffer.
static bool draw_packed(struct gv_gl *gl, const struct gv_gl_pixels *p,
                        struct gv_error *err)
{
    const struct gv_gl_packed *x = p->packed;
    if (p->packed_x || p->packed_y || p->width != x->width || p->height != x->height)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_PART));
    const struct gv_gl_texel_source s = { .image = x->image,
                                          .format = x->format,
                                          .width = p->width,
                                          .height = p->height,
                                          .opaque = x->opaque };
    return gv_gl_draw_texels(gl, &s, err);
}

// ---- depth and stencil ----

struct planes {
    const struct gv_gl_pixels *pixels;
    const struct gv_gl_targets *targets;
    struct gv_gl_zoomed zoomed;
    double *depth; // of a row
    uint8_t *stencil;
};

static uint32_t source_at(float begin, float zoom, int32_t pixel, uint32_t size)
{
    float at = floorf(((float)pixel + 0.5f - begin) / zoom);
    return at <= 0 ? 0 : at >= (float)size ? size - 1 : (uint32_t)at;
}

static void put_value(const struct planes *x, uint32_t aspect, uint32_t column,
                      struct gv_bytes *out)
{
    double depth = x->depth[column];
    depth = depth > 0 ? (depth < 1 ? depth : 1) : 0;
    if (aspect == GV_ASPECT_STENCIL)
        gv_bytes_u8(out, x->stencil[column]);
    else if (x->targets->lower.depth.format == GV_FORMAT_D16_UNORM)
        gv_bytes_u16(out, (uint16_t)lround(depth * 65535));
    else if (x->targets->lower.depth.format == GV_FORMAT_D24_UNORM_S8_UINT ||
             x->targets->lower.depth.format == GV_FORMAT_X8_D24_UNORM_PACK32)
        gv_bytes_u32(out, (uint32_t)lround(depth * 16777215));
    else
        gv_bytes_f32(out, (float)depth);
}

// One aspect of the rectangle, in the order of the target's rows.
static void gather_plane(const struct gv_gl_context *c, struct planes *x,
                         uint32_t aspect, struct gv_bytes *out)
{
    const struct gv_gl_zoomed *z = &x->zoomed;
    out->size = 0;
    for (uint32_t i = 0; i < z->rows; i++) {
        uint32_t row = x->targets->flipped ? z->rows - 1 - i : i;
        uint32_t y =
            source_at(z->bottom, z->zoom[1], z->y + (int32_t)row, x->pixels->height);
        const uint8_t *from = gv_gl_pixels_row(x->pixels, y, 0);
        if (!from) {
            out->failed = true;
            return;
        }
        gv_gl_pixels_depth_stencil(&c->state.pixel, x->pixels, from, x->depth,
                                   x->stencil);
        for (uint32_t k = 0; k < z->columns; k++)
            put_value(
                x, aspect,
                source_at(z->left, z->zoom[0], z->x + (int32_t)k, x->pixels->width),
                out);
    }
}

static bool upload_plane(struct gv_gl_context *c, struct gv_gl_drawing *d,
                         struct gv_lower_pass *pass, struct planes *x, uint32_t aspect)
{
    struct gv_bytes *out = &d->texels;
    const struct gv_gl_zoomed *z = &x->zoomed;
    const struct gv_lower_attachment *a = &x->targets->lower.depth;
    gather_plane(c, x, aspect, out);
    if (out->failed)
        return false;
    uint32_t below = (uint32_t)z->y;
    gv_emit(gv_lower_transfer(pass), image_upload, .image = a->image, .aspect = aspect,
            .mip = a->mip, .layer = a->layer, .layers = 1, .x = (uint32_t)z->x,
            .y = x->targets->flipped ? x->targets->height - below - z->rows : below,
            .z = 0, .width = z->columns, .height = z->rows, .depth = 1, .row_bytes = 0,
            .rows = 0, .data = gv_data(out->data), .size = out->size);
    return true;
}

// The same of all pixels, as an image to sample: depth as floats, stencil as bytes.
static bool make_plane(struct gv_gl *gl, struct planes *x, uint32_t aspect,
                       struct gv_image *image)
{
    struct gv_bytes *out = &gl->drawing->texels;
    const struct gv_gl_pixels *p = x->pixels;
    bool depth = aspect == GV_ASPECT_DEPTH;
    out->size = 0;
    for (uint32_t y = 0; y < p->height; y++) {
        const uint8_t *from = gv_gl_pixels_row(p, y, 0);
        if (!from)
            return false;
        gv_gl_pixels_depth_stencil(&gl->context->state.pixel, p, from, x->depth,
                                   x->stencil);
        for (uint32_t i = 0; i < p->width; i++)
            if (depth)
                gv_bytes_f32(out, (float)fmin(fmax(x->depth[i], 0), 1));
            else
                gv_bytes_u8(out, x->stencil[i]);
    }
    if (out->failed)
        return false;
    gv_gl_made(&gl->sink, out->size, NULL); // the call's end tells
    struct gv_builder *b = gv_lower_transfer(&gl->sink.pass);
    *image =
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                .format = depth ? GV_FORMAT_R32_SFLOAT : GV_FORMAT_R8_UNORM,
                .width = p->width, .height = p->height, .depth = 1, .mips = 1,
                .layers = 1, .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    gv_emit(b, image_upload, .image = *image, .aspect = GV_ASPECT_COLOR, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = p->width,
            .height = p->height, .depth = 1, .row_bytes = 0, .rows = 0,
            .data = gv_data(out->data), .size = out->size);
    return true;
}

// As fragments, which all tests and masks reach. False also for pixels that were not
// recorded, without an error.
static bool draw_plane(struct gv_gl *gl, struct planes *x, uint32_t aspect,
                       struct gv_error *err)
{
    struct gv_gl_texel_source s = { .width = x->pixels->width,
                                    .height = x->pixels->height };
    uint32_t mask = gl->context->state.stencil.face[0].write_mask;
    if (!make_plane(gl, x, aspect, &s.image))
        return false;
    s.plane = aspect == GV_ASPECT_DEPTH ? GV_GL_PLANE_DEPTH : 0;
    s.both = x->pixels->kind == GV_GL_PIXELS_DEPTH_STENCIL;
    bool ok = s.plane ? gv_gl_draw_texels(gl, &s, err)
                      : gv_gl_draw_stencil(gl, &s, (uint8_t)mask, err);
    gv_emit(gv_lower_transfer(&gl->sink.pass), image_destroy, .image = s.image);
    return ok;
}

static bool put_plane(struct gv_gl *gl, struct planes *x, uint32_t aspect,
                      struct gv_error *err)
{
    bool both = x->pixels->kind == GV_GL_PIXELS_DEPTH_STENCIL;
    uint32_t mask = gl->context->state.stencil.face[0].write_mask & 0xFF;
    bool depth = aspect == GV_ASPECT_DEPTH;
    if (depth ? gv_gl_ignores_depth(gl->context, both) : mask == 0)
        return true;
    const float *zoom = gl->context->state.pixel.zoom;
    bool whole = depth ? gv_gl_stores_depth(gl->context, both) : mask == 0xFF;
    if (whole && x->targets->samples == 1 && zoom[0] == 1 && zoom[1] == 1)
        return upload_plane(gl->context, gl->drawing, &gl->sink.pass, x, aspect);
    return draw_plane(gl, x, aspect, err);
}

static uint32_t wanted_aspects(const struct gv_gl_pixels *p)
{
    return (p->kind != GV_GL_PIXELS_STENCIL ? (uint32_t)GV_ASPECT_DEPTH : 0) |
           (p->kind != GV_GL_PIXELS_DEPTH ? (uint32_t)GV_ASPECT_STENCIL : 0);
}

static bool draw_planes(struct gv_gl *gl, const struct gv_gl_pixels *p,
                        struct gv_error *err)
{
    struct gv_gl_targets t;
    struct gv_bytes rows = { 0 };
    struct planes x = { .pixels = p, .targets = &t };
    if (!gv_gl_draw_targets(gl, &t, err))
        return false;
    if (!t.complete)
        return gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
    uint32_t aspects = wanted_aspects(p) & t.lower.depth_aspects;
    if (!aspects ||
        !gv_gl_zoom_rectangle(gl->context, &t, p->width, p->height, &x.zoomed))
        return true;
    if ((uint64_t)x.zoomed.columns * x.zoomed.rows > MOST_PIXELS)
        return gv_gl_unsupported_over(&gl->sink, GV_GL_LACK(DRAWN_PIXELS),
                                      (uint64_t)x.zoomed.columns * x.zoomed.rows,
                                      MOST_PIXELS);
    uint8_t *room = gv_bytes_grow(&rows, (size_t)p->width * 9);
    bool ok = room != NULL;
    x.depth = (double *)(void *)room;
    x.stencil = room + (size_t)p->width * 8;
    for (uint32_t bit = GV_ASPECT_DEPTH; ok && bit <= GV_ASPECT_STENCIL; bit <<= 1)
        ok = !(aspects & bit) || put_plane(gl, &x, bit, err);
    gv_bytes_finish(&rows);
    bool missing = !ok && room && (!err || err->status == GV_OK); // were not recorded
    if (missing)
        gv_bytes_finish(&gl->drawing->texels);
    return ok || missing || (room ? false : gv_out_of_memory(err));
}

// ---- the call ----

static bool draw_pixels(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    int32_t width = gv_gl_int(call, 0), height = gv_gl_int(call, 1);
    struct gv_gl_pixels p = { .format = gv_gl_uint(call, 2),
                              .type = gv_gl_uint(call, 3),
                              .width = (uint32_t)width,
                              .height = (uint32_t)height,
                              .depth = 1 };
    if (width < 0 || height < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    uint32_t error = gv_gl_pixel_format(p.format, p.type, &p);
    if (error == GL_NO_ERROR)
        error = p.kind == GV_GL_PIXELS_INTEGER ? GL_INVALID_OPERATION
                                               : gv_gl_pixels_locate(gl, 4, 2, &p);
    if (error != GL_NO_ERROR)
        return gv_gl_reject(&gl->sink, error);
    if (!c->state.current.raster.valid || gv_gl_draws_nothing(c) || !width || !height ||
        (uint64_t)p.width * p.height > MOST_PIXELS)
        return true;
    if (p.packed)
        return draw_packed(gl, &p, err);
    if (!p.bytes)
        return true;
    if (!gv_gl_work(&gl->sink.work, (uint64_t)p.width * p.height, err))
        return false;
    return p.kind == GV_GL_PIXELS_COLOR || p.kind == GV_GL_PIXELS_INDEX
               ? draw_colors(gl, &p, err)
               : draw_planes(gl, &p, err);
}

const struct gv_gl_row gv_gl_draw_pixels_rows[] = {
    { "glDrawPixels", draw_pixels, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
