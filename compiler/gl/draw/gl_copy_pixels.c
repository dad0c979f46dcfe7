// glCopyPixels: through an image that holds the source for the while.
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/draw/gl_pixel_draw.h"
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

static void copy(struct gv_gl *gl, const struct part *p, struct gv_image to)
{
    gv_emit(gv_lower_transfer(&gl->pass), image_copy, .dst = to,
            .dst_aspect = p->aspect, .dst_mip = 0, .dst_layer = 0, .dst_x = 0,
            .dst_y = 0, .dst_z = 0, .src = p->from->image, .src_aspect = p->aspect,
            .src_mip = p->from->mip, .src_layer = p->from->layer, .src_x = p->x,
            .src_y = p->y, .src_z = 0, .width = p->width, .height = p->height,
            .depth = 1, .layers = 1);
}

// The image that held the last source, if it is of that kind, or a new one.
static struct gv_image held(struct gv_gl *gl, const struct part *p)
{
    struct gv_gl_held_image *h = &gl->drawing->held[p->aspect != GV_ASPECT_COLOR];
    if (h->image.id && h->format == p->from->format && h->width == p->width &&
        h->height == p->height)
        return h->image;
    struct gv_builder *b = gv_lower_transfer(&gl->pass);
    if (h->image.id)
        gv_emit(b, image_destroy, .image = h->image);
    *h = (struct gv_gl_held_image){ p->from->format, p->width, p->height, GV_NO_IMAGE };
    h->image =
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = h->format,
                .width = h->width, .height = h->height, .depth = 1, .mips = 1,
                .layers = 1, .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    return h->image;
}

static bool copy_colors(struct gv_gl *gl, const struct gv_trace_call *call,
                        const struct gv_gl_read_source *s, struct gv_error *err)
{
    struct part p = { .from = &s->color, .aspect = GV_ASPECT_COLOR };
    if (!find_part(call, s, &p))
        return true;
    if (gv_gl_pixels_transferred(&gl->context->state.pixel, GV_GL_PIXELS_COLOR))
        gv_gl_unsupported(gl, "glCopyPixels(pixel transfer)");
    struct gv_image image = held(gl, &p);
    copy(gl, &p, image);
    return gv_gl_draw_texels(gl,
                             &(struct gv_gl_texel_source){ .image = image,
                                                           .format = s->color.format,
                                                           .width = p.width,
                                                           .height = p.height,
                                                           .x = p.left,
                                                           .y = p.bottom,
                                                           .downward = s->flipped },
                             err);
}

// Depth and stencil, as they are: unzoomed, between targets of one format.
static bool copy_plane(struct gv_gl *gl, const struct gv_trace_call *call,
                       const struct gv_gl_read_source *s, uint32_t aspect,
                       struct gv_error *err)
{
    struct gv_gl_targets t;
    struct gv_gl_zoomed z;
    struct part p = { .from = &s->depth, .aspect = aspect };
    const float *zoom = gl->context->state.pixel.zoom;
    if (!gv_gl_draw_targets(gl, &t, err))
        return false;
    if (!t.complete || !(t.lower.depth_aspects & s->depth_aspects & aspect) ||
        !find_part(call, s, &p))
        return true;
    if (zoom[0] != 1 || zoom[1] != 1 || t.flipped != s->flipped ||
        t.lower.depth.format != s->depth.format)
        return gv_gl_unsupported(gl, "glCopyPixels(depth or stencil, zoomed)");
    if (!gv_gl_zoom_rectangle(gl, &t, p.width, p.height, &z))
        return true;
    struct gv_image image = held(gl, &p);
    copy(gl, &p, image);
    uint32_t skip_x = (uint32_t)((float)z.x - z.left);
    uint32_t skip_y = (uint32_t)((float)z.y - z.bottom);
    gv_emit(gl->b, image_copy, .dst = t.lower.depth.image, .dst_aspect = aspect,
            .dst_mip = t.lower.depth.mip, .dst_layer = t.lower.depth.layer,
            .dst_x = (uint32_t)z.x,
            .dst_y = t.flipped ? t.height - (uint32_t)z.y - z.rows : (uint32_t)z.y,
            .dst_z = 0, .src = image, .src_aspect = aspect, .src_mip = 0,
            .src_layer = 0, .src_x = skip_x,
            .src_y = t.flipped ? p.height - skip_y - z.rows : skip_y, .src_z = 0,
            .width = z.columns, .height = z.rows, .depth = 1, .layers = 1);
    return true;
}

static bool copy_pixels(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    struct gv_gl_read_source s;
    uint32_t type = gv_gl_uint(call, 4);
    if (type != GL_COLOR && type != GL_DEPTH && type != GL_STENCIL &&
        type != GL_DEPTH_STENCIL)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    if (gv_gl_int(call, 2) < 0 || gv_gl_int(call, 3) < 0)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    if (!c->state.current.raster.valid || c->no_pixels)
        return true;
    if (!gv_gl_read_targets(gl, &s, err))
        return false;
    if (!s.complete)
        return gv_gl_reject(gl, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (s.samples > 1)
        return gv_gl_unsupported(gl, "glCopyPixels(samples)");
    if (type == GL_COLOR)
        return copy_colors(gl, call, &s, err);
    bool depth = type != GL_STENCIL && gv_gl_stores_depth(gl, "glCopyPixels(depth)");
    bool stencil =
        type != GL_DEPTH && (c->state.stencil.face[0].write_mask & 0xFF) == 0xFF;
    return (!depth || copy_plane(gl, call, &s, GV_ASPECT_DEPTH, err)) &&
           (!stencil || copy_plane(gl, call, &s, GV_ASPECT_STENCIL, err));
}

const struct gv_gl_row gv_gl_copy_pixels_rows[] = {
    { "glCopyPixels", copy_pixels, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
