// glCopyPixels: through an image that holds the source for the while.
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/pixels/gl_pixel_draw.h"
#include "compiler/gl/texture/gl_pixels.h"

#include "vm/formats.h"

// A part of an attachment, cut to it; in the order of its rows.
struct part {
    const struct gv_lower_attachment *from;
    uint32_t aspect, x, y, width, height;
    int32_t left, bottom; // how much was cut there, in GL's rows
};

static bool cut(int32_t at, int32_t size, uint32_t limit, uint32_t *from,
                uint32_t *count)
{
    int64_t begin = at > 0 ? at : 0, end = (int64_t)at + size;
    end = end < limit ? end : limit;
    *from = (uint32_t)begin;
    *count = end > begin ? (uint32_t)(end - begin) : 0;
    return *count != 0;
}

static bool find_part(const struct gv_trace_call *call,
                      const struct gv_gl_read_source *s, struct part *p)
{
    int32_t x = gv_gl_int(call, 0), y = gv_gl_int(call, 1);
    if (!p->from->image.id ||
        !cut(x, gv_gl_int(call, 2), p->from->width, &p->x, &p->width) ||
        !cut(y, gv_gl_int(call, 3), p->from->height, &p->y, &p->height))
        return false;
    p->left = (int32_t)p->x - x;
    p->bottom = (int32_t)p->y - y;
    if (s->flipped)
        p->y = p->from->height - p->y - p->height;
    return true;
}

static void copy(struct gv_lower_pass *pass, const struct part *p, struct gv_image to)
{
    const struct gv_lower_attachment at = { .image = to };
    const struct gv_gl_texel_copy part = {
        .from = p->from,
        .to = &at,
        .part = { p->x, p->y, p->width, p->height },
        .aspects = p->aspect,
    };
    gv_gl_copy_texels(pass, &part);
}

// The image that held the last source, if it is of that kind, or a new one.
static struct gv_image held(struct gv_gl_drawing *d, struct gv_lower_pass *pass,
                            const struct part *p, uint32_t format)
{
    return gv_gl_hold(pass, &d->held[p->aspect != GV_ASPECT_COLOR],
                      &(struct gv_gl_held_image){ .format = format,
                                                  .width = p->width,
                                                  .height = p->height,
                                                  .layers = 1,
                                                  .samples = 1 });
}

// Whether a stencil test leaves stencil alone.
static bool keeps(const struct gv_gl_stencil *s)
{
    bool all = true;
    for (uint32_t i = 0; i < 2; i++)
        all = all && s->face[i].fail == GL_KEEP && s->face[i].depth_fail == GL_KEEP &&
              s->face[i].pass == GL_KEEP;
    return all;
}

// Whether Mesa copies colours without drawing them.
static bool takes_bits(const struct gv_gl *gl)
{
    const struct gv_gl_context *c = gl->context;
    const struct gv_gl_state *s = &c->state;
    const bool depth = s->depth.test && (s->depth.func != GL_ALWAYS || s->depth.write);
    return s->pixel.zoom[0] == 1 && s->pixel.zoom[1] == 1 &&
           !s->color.blend[0].enabled && !s->color.alpha_test &&
           !(s->color.logic_op && s->color.logic != GL_COPY) && !depth &&
           !s->fog.enabled && (!s->stencil.test || keeps(&s->stencil)) && !c->program &&
           !s->assembly[0] && !s->assembly[1] && !gl->counting;
}

// What colours are drawn as: as Mesa has it sRGB is light, unless the target is sRGB
// too and takes bits.
static bool find_seen(struct gv_gl *gl, const struct gv_gl_read_source *s,
                      uint32_t *seen, struct gv_error *err)
{
    struct gv_gl_targets t;
    if (!gv_gl_draw_targets(gl, &t, err))
        return false;
    const struct gv_lower_attachment *to = &t.lower.colors[0];
    const bool bits =
        takes_bits(gl) && to->image.id && gv_lower_made(to) == s->color.format;
    *seen = bits ? to->format : s->color.format;
    return true;
}

static bool copy_colors(struct gv_gl *gl, const struct gv_trace_call *call,
                        const struct gv_gl_read_source *s, struct gv_error *err)
{
    struct part p = { .from = &s->color, .aspect = GV_ASPECT_COLOR };
    if (!find_part(call, s, &p))
        return true;
    if (gv_gl_pixels_transferred(&gl->context->state.pixel, GV_GL_PIXELS_COLOR))
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_PIXELS_TRANSFER));
    uint32_t seen;
    if (!find_seen(gl, s, &seen, err))
        return false;
    struct gv_image image = held(gl->drawing, &gl->sink.pass, &p, seen);
    copy(&gl->sink.pass, &p, image);
    return gv_gl_draw_texels(gl,
                             &(struct gv_gl_texel_source){ .image = image,
                                                           .format = seen,
                                                           .width = p.width,
                                                           .height = p.height,
                                                           .x = p.left,
                                                           .y = p.bottom,
                                                           .downward = s->flipped },
                             err);
}

// Depth with stencil as bytes of colours.
static bool copy_depth_colors(struct gv_gl *gl, const struct gv_trace_call *call,
                              const struct gv_gl_read_source *s, struct gv_error *err)
{
    struct gv_lower_attachment from = s->depth;
    struct part p = { .from = &from, .aspect = GV_ASPECT_DEPTH | GV_ASPECT_STENCIL };
    const bool bgra = gv_gl_uint(call, 4) == GL_DEPTH_STENCIL_TO_BGRA_NV;
    const struct gv_gl_plain_depth wanted = { s->depth_samples, from.format, false };
    if (s->depth_aspects != p.aspect)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!find_part(call, s, &p))
        return true;
    if (!gv_gl_plain_depth(gl->drawing, &gl->sink, &from, &wanted, err))
        return false;
    copy(&gl->sink.pass, &p, held(gl->drawing, &gl->sink.pass, &p, from.format));
    struct gv_gl_texel_source texels = { .format = GV_FORMAT_R8G8B8A8_UNORM,
                                         .width = p.width,
                                         .height = p.height,
                                         .x = p.left,
                                         .y = p.bottom,
                                         .downward = s->flipped };
    const struct gv_gl_held_image *planes = &gl->drawing->held[1];
    p.aspect = GV_ASPECT_COLOR;
    texels.image = held(gl->drawing, &gl->sink.pass, &p, texels.format);
    return gv_gl_depth_colors(gl, planes, bgra, texels.image, err) &&
           gv_gl_draw_texels(gl, &texels, err);
}

// A held plane straight into the target, as it is: unzoomed, of one format.
static void store_plane(struct gv_lower_pass *pass, const struct part *p,
                        const struct gv_gl_targets *t, const struct gv_gl_zoomed *z,
                        struct gv_image image)
{
    uint32_t skip_x = (uint32_t)((float)z->x - z->left);
    uint32_t skip_y = (uint32_t)((float)z->y - z->bottom);
    gv_emit(gv_lower_transfer(pass), image_copy, .dst = t->lower.depth.image,
            .dst_aspect = p->aspect, .dst_mip = t->lower.depth.mip,
            .dst_layer = t->lower.depth.layer, .dst_x = (uint32_t)z->x,
            .dst_y = t->flipped ? t->height - (uint32_t)z->y - z->rows : (uint32_t)z->y,
            .dst_z = 0, .src = image, .src_aspect = p->aspect, .src_mip = 0,
            .src_layer = 0, .src_x = skip_x,
            .src_y = t->flipped ? p->height - skip_y - z->rows : skip_y, .src_z = 0,
            .width = z->columns, .height = z->rows, .depth = 1, .layers = 1);
}

// Stencil values as texels that can be sampled anywhere: by way of a buffer.
static struct gv_image stencil_texels(struct gv_lower_pass *pass, const struct part *p)
{
    struct gv_builder *b = gv_lower_transfer(pass);
    // Rows of copies are multiples of 4 bytes for every device.
    uint32_t pitch = (p->width + 3) / 4 * 4;
    struct gv_buffer bytes =
        gv_emit(b, buffer_create, .size = (uint64_t)pitch * p->height, .usage = 0);
    struct gv_image image =
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = GV_FORMAT_R8_UNORM,
                .width = p->width, .height = p->height, .depth = 1, .mips = 1,
                .layers = 1, .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    gv_emit(b, image_to_buffer, .buffer = bytes, .offset = 0, .row_bytes = pitch,
            .rows = 0, .image = p->from->image, .aspect = GV_ASPECT_STENCIL,
            .mip = p->from->mip, .layer = p->from->layer, .layers = 1, .x = p->x,
            .y = p->y, .z = 0, .width = p->width, .height = p->height, .depth = 1);
    gv_emit(b, buffer_to_image, .image = image, .aspect = GV_ASPECT_COLOR, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = p->width,
            .height = p->height, .depth = 1, .buffer = bytes, .offset = 0,
            .row_bytes = pitch, .rows = 0);
    gv_emit(b, buffer_destroy, .buffer = bytes);
    return image;
}

struct plane_copy {
    struct part part;
    struct gv_lower_attachment from; // what the part is of, with one sample
    bool both, downward;
    uint32_t mask; // of stencil
};

// As fragments, which all tests and masks reach.
static bool draw_plane(struct gv_gl *gl, const struct plane_copy *c,
                       struct gv_error *err)
{
    const struct part *p = &c->part;
    bool depth = p->aspect == GV_ASPECT_DEPTH;
    struct gv_gl_texel_source s = { .width = p->width,
                                    .height = p->height,
                                    .x = p->left,
                                    .y = p->bottom,
                                    .downward = c->downward,
                                    .both = c->both };
    if (depth) {
        s.image = held(gl->drawing, &gl->sink.pass, p, p->from->format);
        s.aspect = GV_ASPECT_DEPTH;
        s.plane = GV_GL_PLANE_DEPTH;
        copy(&gl->sink.pass, p, s.image);
        return gv_gl_draw_texels(gl, &s, err);
    }
    s.image = stencil_texels(&gl->sink.pass, p);
    bool ok = gv_gl_draw_stencil(gl, &s, (uint8_t)c->mask, err);
    gv_emit(gv_lower_transfer(&gl->sink.pass), image_destroy, .image = s.image);
    return ok;
}

// Depth or stencil.
static bool copy_plane(struct gv_gl *gl, const struct gv_trace_call *call,
                       const struct gv_gl_read_source *s, struct plane_copy *c,
                       struct gv_error *err)
{
    struct gv_gl_targets t;
    struct gv_gl_zoomed z;
    struct part *p = &c->part;
    const float *zoom = gl->context->state.pixel.zoom;
    bool depth = p->aspect == GV_ASPECT_DEPTH;
    enum gv_gl_pixel_kind kind = depth ? GV_GL_PIXELS_DEPTH : GV_GL_PIXELS_STENCIL;
    if (!gv_gl_draw_targets(gl, &t, err))
        return false;
    c->from = s->depth;
    p->from = &c->from;
    if (!t.complete || !(t.lower.depth_aspects & s->depth_aspects & p->aspect) ||
        !find_part(call, s, p) ||
        (depth ? gv_gl_ignores_depth(gl->context, c->both) : c->mask == 0))
        return true;
    if (gv_gl_pixels_transferred(&gl->context->state.pixel, kind))
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_PIXELS_TRANSFER));
    const struct gv_gl_plain_depth wanted = { s->depth_samples, c->from.format, false };
    if (!gv_gl_plain_depth(gl->drawing, &gl->sink, &c->from, &wanted, err))
        return false;
    c->downward = s->flipped;
    // Copies of one aspect of two take both along on lavapipe.
    bool alone = gv_gl_format_aspects(s->depth.format) == p->aspect;
    bool whole = depth ? gv_gl_stores_depth(gl->context, c->both) : c->mask == 0xFF;
    if (!whole || !alone || t.samples > 1 || zoom[0] != 1 || zoom[1] != 1 ||
        t.flipped != s->flipped || t.lower.depth.format != s->depth.format || p->left ||
        p->bottom)
        return draw_plane(gl, c, err);
    if (!gv_gl_zoom_rectangle(gl->context, &t, p->width, p->height, &z))
        return true;
    struct gv_image image = held(gl->drawing, &gl->sink.pass, p, p->from->format);
    copy(&gl->sink.pass, p, image);
    store_plane(&gl->sink.pass, p, &t, &z, image);
    return true;
}

static bool copy_planes(struct gv_gl *gl, const struct gv_trace_call *call,
                        const struct gv_gl_read_source *s, struct gv_error *err)
{
    uint32_t type = gv_gl_uint(call, 4);
    struct plane_copy depth = { .part.aspect = GV_ASPECT_DEPTH,
                                .both = type == GL_DEPTH_STENCIL };
    struct plane_copy stencil = {
        .part.aspect = GV_ASPECT_STENCIL,
        .mask = gl->context->state.stencil.face[0].write_mask & 0xFF,
    };
    return (type == GL_STENCIL || copy_plane(gl, call, s, &depth, err)) &&
           (type == GL_DEPTH || copy_plane(gl, call, s, &stencil, err));
}

static bool copy_pixels(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    struct gv_gl_read_source s;
    uint32_t type = gv_gl_uint(call, 4);
    const bool colors =
        type == GL_DEPTH_STENCIL_TO_RGBA_NV || type == GL_DEPTH_STENCIL_TO_BGRA_NV;
    if (type != GL_COLOR && type != GL_DEPTH && type != GL_STENCIL &&
        type != GL_DEPTH_STENCIL && !colors)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (gv_gl_int(call, 2) < 0 || gv_gl_int(call, 3) < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!c->state.current.raster.valid || gv_gl_draws_nothing(c))
        return true;
    if (!gv_gl_read_targets(gl, &s, err))
        return false;
    if (!s.complete)
        return gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (s.samples > 1)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (type == GL_COLOR)
        return copy_colors(gl, call, &s, err);
    if (colors)
        return copy_depth_colors(gl, call, &s, err);
    return copy_planes(gl, call, &s, err);
}

const struct gv_gl_row gv_gl_copy_pixels_rows[] = {
    { "glCopyPixels", copy_pixels, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
