// State that pipelines leave open, from that of a context.
#include "compiler/gl/draw/gl_edge_rule.h"
#include "compiler/gl/draw/gl_pipeline.h"

#include <string.h>

#include "vm/formats.h"

#define MOST_BOUND (2.0f * GV_GL_MAX_SIDE - 1) // of a viewport, as Vulkan has it

static float bounded(float v, float low, float high)
{
    return v >= low ? (v <= high ? v : high) : low; // a NaN is `low`
}

static void set_viewport(const struct gv_gl_state *s, const struct gv_gl_viewport *v,
                         const struct gv_gl_targets *t, struct gv_lower_viewport *out)
{
    const float side = (float)GV_GL_MAX_SIDE, bound = MOST_BOUND + 1;
    *out = (struct gv_lower_viewport){
        .x = bounded(v->x, -bound, bound - 1),
        .y = bounded(v->y, -bound, bound - 1),
        .width = bounded(v->width, 0, side),
        .height = bounded(v->height, 0, side),
        .min_depth = bounded((float)v->near, 0, 1),
        .max_depth = bounded((float)v->far, 0, 1),
        .y_down = t->flipped == s->transform.clip_upper_left,
    };
    if (t->flipped)
        out->y = (float)t->height - out->y - out->height;
}

// Lines and points reach so far out of it, by half of the largest.
#define REACH 256.0f

// Whether something may be seen of it; the places of others may be such as no device
// has.
static bool meets(const struct gv_lower_viewport *v, const struct gv_gl_targets *t)
{
    return v->x > -REACH - v->width && v->x < (float)t->width + REACH &&
           v->y > -REACH - v->height && v->y < (float)t->height + REACH &&
           v->x + v->width < MOST_BOUND && v->y + v->height < MOST_BOUND &&
           v->width > 0 && v->height > 0;
}

static bool set_scissor(const struct gv_gl_scissor *s, const struct gv_gl_targets *t,
                        struct gv_lower_rectangle *out)
{
    struct gv_lower_scissor at = { s->x, s->y, s->width, s->height };
    int64_t below = (int64_t)t->height - at.y - at.height;
    if (t->flipped)
        at.y = below < INT32_MIN || below > INT32_MAX ? INT32_MAX : (int32_t)below;
    return gv_lower_scissor(s->enabled ? &at : NULL, t->width, t->height, out);
}

static uint32_t clamped_reference(int32_t reference)
{
    return reference < 0 ? 0 : reference > 255 ? 255 : (uint32_t)reference;
}

static void set_stencil(const struct gv_gl_stencil *s, struct gv_lower_stencil out[2])
{
    for (uint32_t i = 0; i < 2; i++)
        out[i] = (struct gv_lower_stencil){ clamped_reference(s->face[i].reference),
                                            s->face[i].value_mask & 0xFF,
                                            s->face[i].write_mask & 0xFF };
}

static bool uses_constant(const struct gv_gl_color *c)
{
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++) {
        const uint32_t factors[] = { c->blend[i].src, c->blend[i].dst,
                                     c->blend[i].src_alpha, c->blend[i].dst_alpha };
        for (size_t n = 0; n < 4 && c->blend[i].enabled; n++)
            if (factors[n] - GL_CONSTANT_COLOR <=
                GL_ONE_MINUS_CONSTANT_ALPHA - GL_CONSTANT_COLOR)
                return true;
    }
    return false;
}

static void set_lines(const struct gv_gl_line *l, const struct gv_gl_draw *d,
                      struct gv_gl_draw_state *out)
{
    if (d->part.drawn != GV_GL_CLASS_LINES)
        return;
    out->lined = 1;
    out->line_width = bounded(l->width, 1, 255);
    if (l->stipple && l->pattern != 0xFFFF) {
        out->stipple_factor = l->factor < 1 ? 1 : l->factor > 256 ? 256 : l->factor;
        out->stipple_pattern = l->pattern;
    }
}

// A viewport that nothing is seen of.
static void shut(const struct gv_gl_targets *t, struct gv_lower_viewport *viewport,
                 struct gv_lower_rectangle *scissor)
{
    *viewport = (struct gv_lower_viewport){ .width = (float)t->width,
                                            .height = (float)t->height };
    *scissor = (struct gv_lower_rectangle){ 0 };
}

void gv_gl_dynamic_views(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                         struct gv_gl_batch_view out[GV_GL_VIEWPORTS - 1])
{
    const struct gv_gl_state *s = &c->state;
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS - 1; i++) {
        struct gv_gl_batch_view *to = &out[i];
        set_viewport(s, &s->viewports[i], &d->targets, &to->viewport);
        if (!set_scissor(&s->scissors[i], &d->targets, &to->scissor) ||
            !meets(&to->viewport, &d->targets))
            shut(&d->targets, &to->viewport, &to->scissor);
    }
}

bool gv_gl_dynamic_state(struct gv_gl_context *c, struct gv_gl_drawing *drawing,
                         const struct gv_gl_draw *d, struct gv_gl_draw_state *out)
{
    const struct gv_gl_state *s = &c->state;
    const struct gv_gl_targets *t = &d->targets;
    set_viewport(s, &s->viewport, t, &out->viewport);
    const struct gv_gl_edge_shift shift = gv_gl_edge_shift(c, drawing, d);
    out->viewport.x += shift.x;
    out->viewport.y += shift.y;
    out->coarse_x = shift.coarse_x;
    out->coarse_y = shift.coarse_y;
    if (!set_scissor(&s->scissor, t, &out->scissor) || !meets(&out->viewport, t)) {
        if (!d->stages.viewports)
            return false;
        shut(t, &out->viewport, &out->scissor);
        out->coarse_x = out->coarse_y = 0;
    }
    if (uses_constant(&s->color)) {
        out->blended = 1;
        memcpy(out->blend_color, s->color.blend_color, sizeof out->blend_color);
    }
    if (s->stencil.test && t->stencil) {
        out->stenciled = 1;
        set_stencil(&s->stencil, out->stencil);
    }
    if (gv_gl_is_offset(c, d)) {
        out->biased = 1;
        out->bias.units = s->polygon.offset_units;
        out->bias.slope = s->polygon.offset_factor;
        out->bias.clamp = s->polygon.offset_clamp;
        out->bias.in_24_bits =
            t->lower.depth.format == GV_FORMAT_D32_SFLOAT_S8_UINT && t->flipped;
    }
    set_lines(&s->line, d, out);
    return true;
}
