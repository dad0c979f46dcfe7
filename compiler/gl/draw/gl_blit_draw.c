// Blits that no copy of a device does: to several samples from one, and from several to
// as many where formats or the order of rows and columns differ. They are drawn.
#include "compiler/gl/draw/gl_blit_draw.h"

#include <string.h>

#include "compiler/gl/draw/gl_window_draw.h"
#include "vm/formats.h"

// The part that is copied, in texels of its image, as one of its own that is sampled.
static struct gv_image take(struct gv_gl *gl, const struct gv_gl_drawn_blit *x)
{
    const uint32_t aspects = gv_gl_format_aspects(x->from->format);
    const struct gv_image image =
        gv_gl_hold(gl, &gl->drawing->drawn_from,
                   &(struct gv_gl_held_image){ .format = x->format,
                                               .width = x->part.width,
                                               .height = x->part.height,
                                               .layers = 1,
                                               .samples = x->samples });
    for (uint32_t bit = GV_ASPECT_COLOR; bit <= GV_ASPECT_STENCIL; bit <<= 1)
        if (aspects & bit)
            gv_emit(gv_lower_transfer(&gl->pass), image_copy, .dst = image,
                    .dst_aspect = bit, .dst_mip = 0, .dst_layer = 0, .dst_x = 0,
                    .dst_y = 0, .dst_z = 0, .src = x->from->image, .src_aspect = bit,
                    .src_mip = x->from->mip, .src_layer = x->from->layer,
                    .src_x = x->part.x, .src_y = x->part.y, .src_z = 0,
                    .width = x->part.width, .height = x->part.height, .depth = 1,
                    .layers = 1);
    return image;
}

static char integers_of(const struct gv_gl_drawn_blit *x)
{
    const uint32_t kind = gv_format_info(x->format)->kind;
    if (x->aspect != GV_ASPECT_COLOR)
        return 0;
    if (kind == GV_FORMAT_KIND_UINT)
        return 'u';
    if (kind == GV_FORMAT_KIND_SINT)
        return 'i';
    return 0;
}

static struct gv_gl_sampled sampled(struct gv_gl *gl, const struct gv_gl_drawn_blit *x)
{
    const struct gv_sampler_desc nearest = { .compare_enable = false };
    const struct gv_gl_sampled s = {
        .image = { .there = true,
                   .target = GV_GL_TARGET_2D,
                   .base_format = GL_RGBA,
                   .plane = x->aspect == GV_ASPECT_DEPTH ? GV_GL_PLANE_DEPTH : 0,
                   .fetch = x->samples > 1 ? GV_GL_FETCH_SAMPLES : GV_GL_FETCH_TEXEL,
                   .integers = integers_of(x),
                   .scale = { 1, 1 } },
        .texture = { .image = take(gl, x),
                     .type = GV_VIEW_TYPE_2D,
                     .aspect = x->aspect,
                     .swizzle = x->from->opaque ? GV_LOWER_SWIZZLE_OPAQUE : 0,
                     .mips = 1,
                     .layers = 1,
                     .sampler = gv_builder_sampler(gl->b, &nearest) },
    };
    return s;
}

// A colour goes to one draw buffer, a plane to none.
static void mask(struct gv_gl_state *s, const struct gv_gl_drawn_blit *x)
{
    memset(s->color.mask, 0, sizeof s->color.mask);
    for (uint32_t k = 0; x->aspect == GV_ASPECT_COLOR && k < 4; k++)
        s->color.mask[x->buffer][k] = true;
    s->scissor.enabled = false; // what is copied was cut
    s->depth.test = s->depth.write = x->aspect == GV_ASPECT_DEPTH;
    s->depth.func = GL_ALWAYS;
}

// No device need write stencil from a shader: all bits are cleared, and then those set
// that are, a draw each.
static bool draw_stencil(struct gv_gl *gl, struct gv_gl_context *c,
                         const struct gv_gl_geometry *g, struct gv_gl_sampled *image,
                         struct gv_error *err)
{
    struct gv_gl_stencil_face face = { .func = GL_ALWAYS,
                                       .fail = GL_REPLACE,
                                       .depth_fail = GL_REPLACE,
                                       .pass = GL_REPLACE,
                                       .value_mask = 0xFF,
                                       .write_mask = 0xFF };
    struct gv_gl_stencil *s = &c->state.stencil;
    s->test = true;
    s->face[0] = s->face[1] = face;
    bool ok = gv_gl_window_draw(gl, c, g, NULL, err);
    face.reference = 0xFF;
    for (uint32_t bit = 0; ok && bit < 8; bit++) {
        image->image.plane = (uint8_t)(GV_GL_PLANE_STENCIL + bit);
        face.write_mask = 1u << bit;
        s->face[0] = s->face[1] = face;
        ok = gv_gl_window_draw(gl, c, g, image, err);
    }
    return ok;
}

bool gv_gl_blit_by_draw(struct gv_gl *gl, const struct gv_gl_drawn_blit *x,
                        struct gv_error *err)
{
    float corners[6 * 4], texels[6 * 4];
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return !gv_builder_failed(gl->b, err);
    const float width = (float)x->part.width, height = (float)x->part.height;
    const float left = x->turned_x ? width : 0, first = x->turned_y ? height : 0;
    struct gv_gl_window_rectangle place = { .x0 = (float)x->x,
                                            .y0 = (float)x->y,
                                            .x1 = (float)x->x + width,
                                            .y1 = (float)x->y + height };
    struct gv_gl_window_rectangle from = {
        .x0 = left, .y0 = first, .x1 = width - left, .y1 = height - first
    };
    if (x->flipped) { // GL's rows go up
        place.y0 = c->state.viewport.height - place.y0;
        place.y1 = c->state.viewport.height - place.y1;
    }
    gv_gl_window_corners(c, &place, corners);
    gv_gl_rectangle_corners(&from, texels);
    gv_gl_window_strip(c);
    mask(&c->state, x);
    struct gv_gl_geometry g = { .mode = GL_TRIANGLES,
                                .vertex_count = 6,
                                .slots[GV_GL_POSITION] = corners,
                                .strides[GV_GL_POSITION] = 4,
                                .sizes[GV_GL_POSITION] = 3,
                                .instances = 1 };
    g.slots[GV_GL_TEXCOORD] = texels;
    g.strides[GV_GL_TEXCOORD] = 4;
    g.sizes[GV_GL_TEXCOORD] = 2;
    struct gv_gl_sampled image = sampled(gl, x);
    if (x->aspect == GV_ASPECT_STENCIL)
        return draw_stencil(gl, c, &g, &image, err);
    return gv_gl_window_draw(gl, c, &g, &image, err);
}
