// glClear: as the beginning of a pass where it is whole, as a rectangle where it is
// scissored, as a draw where masks leave parts of texels.
#include "compiler/gl/draw/gl_accum.h"
#include "compiler/gl/draw/gl_window_draw.h"

#include <string.h>

// ---- what is cleared ----

enum amount { NOTHING, PART, ALL }; // of a texel

static enum amount color_amount(const struct gv_gl_color *c,
                                const struct gv_lower_targets *t)
{
    uint32_t on = 0, count = 0;
    for (uint32_t i = 0; i < t->color_count; i++)
        for (uint32_t k = 0; k < 4 && t->colors[i].image.id; k++) {
            // An alpha that is always 1 needs no writing.
            on += c->mask[i][k] || (k == 3 && t->colors[i].opaque);
            count++;
        }
    return on == 0 ? NOTHING : on == count ? ALL : PART;
}

static enum amount stencil_amount(const struct gv_gl_stencil *s)
{
    uint32_t mask = s->face[0].write_mask & 0xFF;
    return mask == 0 ? NOTHING : mask == 0xFF ? ALL : PART;
}

struct clearing {
    struct gv_gl_targets targets;
    struct gv_lower_clear clear;
    struct gv_lower_rectangle part;
    bool whole; // no part
    bool masked_color, masked_stencil;
};

static void find_aspects(const struct gv_gl_state *s, uint32_t bits, struct clearing *x)
{
    const struct gv_lower_targets *t = &x->targets.lower;
    uint32_t has = t->depth_aspects;
    enum amount color =
        bits & GL_COLOR_BUFFER_BIT ? color_amount(&s->color, t) : NOTHING;
    enum amount stencil = bits & GL_STENCIL_BUFFER_BIT && has & GV_ASPECT_STENCIL
                              ? stencil_amount(&s->stencil)
                              : NOTHING;
    if (color == ALL)
        x->clear.aspects |= GV_ASPECT_COLOR;
    if (stencil == ALL)
        x->clear.aspects |= GV_ASPECT_STENCIL;
    if (bits & GL_DEPTH_BUFFER_BIT && s->depth.write && has & GV_ASPECT_DEPTH)
        x->clear.aspects |= GV_ASPECT_DEPTH;
    x->masked_color = color == PART;
    x->masked_stencil = stencil == PART;
    memcpy(x->clear.color, s->color.clear, sizeof x->clear.color);
    x->clear.depth = (float)(s->depth.clear > 0 ? s->depth.clear : 0);
    x->clear.depth = x->clear.depth < 1 ? x->clear.depth : 1;
    x->clear.stencil = (uint32_t)s->stencil.clear & 0xFF;
}

// ---- parts of texels ----

static void strip_fragments(struct gv_gl_state *s)
{
    s->depth.test = s->stencil.test = false;
    s->color.alpha_test = s->color.logic_op = false;
    s->fog.enabled = s->fog.color_sum = false;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        s->color.blend[i].enabled = false;
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        s->texture.units[i].enabled = 0;
}

static void write_stencil(struct gv_gl_state *s)
{
    memset(s->color.mask, 0, sizeof s->color.mask);
    s->stencil.test = true;
    for (uint32_t i = 0; i < 2; i++) {
        s->stencil.face[i].write_mask = s->stencil.face[0].write_mask;
        s->stencil.face[i].func = GL_ALWAYS;
        s->stencil.face[i].reference = s->stencil.clear & 0xFF;
        s->stencil.face[i].fail = s->stencil.face[i].depth_fail =
            s->stencil.face[i].pass = GL_REPLACE;
    }
}

static bool clear_by_draw(struct gv_gl *gl, const struct clearing *x, bool stencil,
                          struct gv_error *err)
{
    float corners[6 * 4];
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return false;
    strip_fragments(&c->state);
    memcpy(c->state.current.slots[GV_GL_COLOR], c->state.color.clear,
           sizeof c->state.color.clear);
    if (stencil)
        write_stencil(&c->state);
    gv_gl_window_corners(
        c,
        &(struct gv_gl_window_rectangle){ .x1 = (float)x->targets.width,
                                          .y1 = (float)x->targets.height },
        corners);
    const struct gv_gl_geometry g = { .mode = GL_TRIANGLES,
                                      .vertex_count = 6,
                                      .slots[GV_GL_POSITION] = corners,
                                      .strides[GV_GL_POSITION] = 4,
                                      .sizes[GV_GL_POSITION] = 4,
                                      .instances = 1 };
    return gv_gl_window_draw(gl, c, &g, NULL, err);
}

// ---- calls ----

static bool clear(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    const struct gv_gl_state *s = &gl->context->state;
    uint32_t bits = gv_gl_uint(call, 0);
    struct clearing x = { 0 };
    if (bits & ~(uint32_t)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                           GL_STENCIL_BUFFER_BIT | GL_ACCUM_BUFFER_BIT))
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    if (!gv_gl_draw_targets(gl, &x.targets, err))
        return false;
    if (!x.targets.complete)
        return gv_gl_reject(gl, GL_INVALID_FRAMEBUFFER_OPERATION);
    if (!gv_gl_scissored(gl, &x.targets, &x.part))
        return true;
    x.whole = x.part.width == x.targets.width && x.part.height == x.targets.height;
    find_aspects(s, bits, &x);
    if (x.clear.aspects)
        gv_lower_pass_clear(&gl->pass, &x.targets.lower, &x.clear,
                            x.whole ? NULL : &x.part);
    return (!x.masked_color || clear_by_draw(gl, &x, false, err)) &&
           (!x.masked_stencil || clear_by_draw(gl, &x, true, err)) &&
           (!(bits & GL_ACCUM_BUFFER_BIT) || gv_gl_accum_clear(gl, &x.part, err)) &&
           !gv_builder_failed(gl->b, err);
}

const struct gv_gl_row gv_gl_clear_rows[] = {
    { "glClear", clear, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
