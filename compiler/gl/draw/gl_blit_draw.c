// Blits that no copy of a device does: to several samples from one, from several to as
// many where formats or the order of rows and columns differ, and scaled ones of which
// a part is cut off, which would begin between texels. They are drawn.
#include "compiler/gl/draw/gl_blit_draw.h"

#include <string.h>

#include "compiler/gl/draw/gl_window_draw.h"
#include "vm/formats.h"

static uint32_t least(int32_t a, int32_t b)
{
    return (uint32_t)(a < b ? a : b);
}

// What is sampled: all of the source where edges count, else what is copied.
static struct gv_lower_rectangle part_of(const struct gv_gl_drawn_blit *x)
{
    if (x->scaled)
        return (struct gv_lower_rectangle){ .width = x->from->width,
                                            .height = x->from->height };
    return (struct gv_lower_rectangle){ least(x->x.s0, x->x.s1),
                                        least(x->y.s0, x->y.s1),
                                        (uint32_t)(x->x.d1 - x->x.d0),
                                        (uint32_t)(x->y.d1 - x->y.d0) };
}

// An image of its own that has it.
static struct gv_image take(struct gv_gl_drawing *d, struct gv_lower_pass *pass,
                            const struct gv_gl_drawn_blit *x)
{
    const struct gv_lower_rectangle part = part_of(x);
    const struct gv_lower_attachment to = {
        .image = gv_gl_hold(pass, &d->drawn_from,
                            &(struct gv_gl_held_image){ .format = x->format,
                                                        .width = part.width,
                                                        .height = part.height,
                                                        .layers = 1,
                                                        .samples = x->samples })
    };
    gv_gl_copy_texels(pass, &(struct gv_gl_texel_copy){
                                .from = x->from,
                                .to = &to,
                                .part = part,
                                .aspects = gv_gl_format_aspects(x->from->format) });
    return to.image;
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

// Colours of one sample are sampled; others are fetched.
static enum gv_gl_texel_fetch fetch_of(const struct gv_gl_drawn_blit *x)
{
    if (x->scaled)
        return x->aspect == GV_ASPECT_COLOR && !integers_of(x) ? GV_GL_FETCH_NONE
                                                               : GV_GL_FETCH_NEAREST;
    return x->samples > 1 ? GV_GL_FETCH_SAMPLES : GV_GL_FETCH_TEXEL;
}

static struct gv_gl_sampled sampled(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                                    const struct gv_gl_drawn_blit *x)
{
    const uint32_t filter = x->linear ? GV_FILTER_LINEAR : GV_FILTER_NEAREST;
    const uint32_t wrap =
        x->scaled ? GV_ADDRESS_MODE_CLAMP_TO_EDGE : GV_ADDRESS_MODE_REPEAT;
    const struct gv_sampler_desc sampler = {
        .mag_filter = filter, .min_filter = filter, .address_u = wrap, .address_v = wrap
    };
    const struct gv_gl_sampled s = {
        .image = { .there = true,
                   .target = GV_GL_TARGET_2D,
                   .base_format = GL_RGBA,
                   .plane = x->aspect == GV_ASPECT_DEPTH ? GV_GL_PLANE_DEPTH : 0,
                   .fetch = fetch_of(x),
                   .integers = integers_of(x),
                   .scale = { 1, 1 } },
        .texture = { .image = take(d, &sink->pass, x),
                     .type = GV_VIEW_TYPE_2D,
                     .aspect = x->aspect,
                     .swizzle = x->from->opaque ? GV_LOWER_SWIZZLE_OPAQUE : 0,
                     .mips = 1,
                     .layers = 1,
                     .sampler = gv_builder_sampler(sink->b, &sampler) },
    };
    return s;
}

// A colour goes to one draw buffer, a plane to none.
static void mask(struct gv_gl_state *s, const struct gv_gl_drawn_blit *x)
{
    memset(s->color.mask, 0, sizeof s->color.mask);
    for (uint32_t k = 0; x->aspect == GV_ASPECT_COLOR && k < 4; k++)
        s->color.mask[x->buffer][k] = true;
    s->scissor.enabled = x->scaled; // what else is copied was cut
    s->scissor.x = (int32_t)x->cut.x;
    s->scissor.y = (int32_t)x->cut.y;
    s->scissor.width = (int32_t)x->cut.width;
    s->scissor.height = (int32_t)x->cut.height;
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

// Where the texels of the image's own corners are: counted, or as fractions of its
// size.
static struct gv_gl_window_rectangle texels_of(const struct gv_gl_drawn_blit *x)
{
    const struct gv_lower_rectangle part = part_of(x);
    const float width = x->scaled ? (float)part.width : 1,
                height = x->scaled ? (float)part.height : 1;
    return (struct gv_gl_window_rectangle){
        .x0 = (float)(x->x.s0 - (int32_t)part.x) / width,
        .y0 = (float)(x->y.s0 - (int32_t)part.y) / height,
        .x1 = (float)(x->x.s1 - (int32_t)part.x) / width,
        .y1 = (float)(x->y.s1 - (int32_t)part.y) / height
    };
}

static void turn_rows(struct gv_gl_window_rectangle *r)
{
    const float y0 = r->y0;
    r->y0 = r->y1;
    r->y1 = y0;
}

bool gv_gl_blit_by_draw(struct gv_gl *gl, const struct gv_gl_drawn_blit *x,
                        struct gv_error *err)
{
    float corners[6 * 4], texels[6 * 4];
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return !gv_builder_failed(gl->sink.b, err);
    struct gv_gl_window_rectangle place = { .x0 = (float)x->x.d0,
                                            .y0 = (float)x->y.d0,
                                            .x1 = (float)x->x.d1,
                                            .y1 = (float)x->y.d1 };
    struct gv_gl_window_rectangle from = texels_of(x);
    if (x->scaled) { // Mesa's triangles begin in the image's first row
        turn_rows(&place);
        turn_rows(&from);
    }
    if (x->flipped) { // GL's rows go up
        place.y0 = c->state.viewport.height - place.y0;
        place.y1 = c->state.viewport.height - place.y1;
    }
    gv_gl_window_corners(c, &place, corners);
    gv_gl_rectangle_corners(&from, texels);
    gv_gl_window_strip(c);
    mask(&c->state, x);
    if (x->flipped)
        c->state.scissor.y = (int32_t)c->state.viewport.height - c->state.scissor.y -
                             c->state.scissor.height;
    struct gv_gl_geometry g = { .mode = GL_TRIANGLES,
                                .vertex_count = 6,
                                .slots[GV_GL_POSITION] = corners,
                                .strides[GV_GL_POSITION] = 4,
                                .sizes[GV_GL_POSITION] = 3,
                                .instances = 1 };
    g.slots[GV_GL_TEXCOORD] = texels;
    g.strides[GV_GL_TEXCOORD] = 4;
    g.sizes[GV_GL_TEXCOORD] = 2;
    struct gv_gl_sampled image = sampled(gl->drawing, &gl->sink, x);
    if (x->aspect == GV_ASPECT_STENCIL)
        return draw_stencil(gl, c, &g, &image, err);
    return gv_gl_window_draw(gl, c, &g, &image, err);
}
