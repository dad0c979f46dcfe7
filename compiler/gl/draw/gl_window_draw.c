#include "compiler/gl/draw/gl_window_draw.h"

#include <string.h>

#include "compiler/gl/draw/gl_drawing.h"

static void identity(struct gv_gl_matrix *m)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < 4; i++)
        m->m[5 * i] = 1;
}

static void strip_state(struct gv_gl_state *s)
{
    s->lighting.enabled = false;
    s->transform.clip_enabled = 0;
    s->transform.depth_clamp = false;
    s->transform.clip_upper_left = s->transform.clip_zero_to_one = false;
    s->polygon.cull = s->polygon.smooth = s->polygon.stipple = false;
    s->polygon.offset_fill = false;
    s->polygon.mode[0] = s->polygon.mode[1] = GL_FILL;
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        for (uint32_t k = 0; k < 4; k++)
            s->texture.units[i].texgen[k].enabled = false;
}

struct gv_gl_context *gv_gl_window_context(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_targets t;
    struct gv_gl_context *c = gl->drawing->window;
    if (!gv_gl_draw_targets(gl, &t, err))
        return NULL;
    if (!t.complete) {
        gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
        return NULL;
    }
    memcpy(c, gl->context, sizeof *c);
    strip_state(&c->state);
    c->program = NULL;
    memset(c->state.assembly, 0, sizeof c->state.assembly);
    c->discards = false;
    c->capturing = NULL;
    identity(gv_gl_top(&c->modelview));
    identity(gv_gl_top(&c->projection));
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        identity(gv_gl_top(&c->texture[i]));
    c->state.viewport = (struct gv_gl_viewport){ .width = (float)t.width,
                                                 .height = (float)t.height,
                                                 .far = 1 };
    return c;
}

void gv_gl_window_strip(struct gv_gl_context *c)
{
    struct gv_gl_state *s = &c->state;
    s->depth.test = s->stencil.test = false;
    s->color.alpha_test = s->color.logic_op = false;
    s->fog.enabled = s->fog.color_sum = false;
    s->multisample.alpha_to_coverage = s->multisample.alpha_to_one = false;
    s->multisample.coverage = s->multisample.masked = false;
    s->multisample.enabled = true;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        s->color.blend[i].enabled = false;
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        s->texture.units[i].enabled = 0;
}

static void sample_alone(struct gv_gl_texture_state *t)
{
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        t->units[i].enabled = 0;
    t->units[0].enabled = 1u << GV_GL_TARGET_2D;
    t->units[0].env_mode = GL_REPLACE;
}

bool gv_gl_window_draw(struct gv_gl *gl, struct gv_gl_context *c,
                       const struct gv_gl_geometry *g,
                       const struct gv_gl_sampled *image, struct gv_error *err)
{
    struct gv_gl_context *current = gl->context;
    if (image)
        sample_alone(&c->state.texture);
    gl->context = c;
    bool ok = gv_gl_draw_sampling(gl, g, image, err);
    gl->context = current;
    return ok;
}

void gv_gl_rectangle_corners(const struct gv_gl_window_rectangle *r, float out[6 * 4])
{
    const float x[] = { r->x0, r->x1, r->x1, r->x0, r->x1, r->x0 };
    const float y[] = { r->y1, r->y1, r->y0, r->y1, r->y0, r->y0 };
    for (size_t i = 0; i < 6; i++) {
        out[4 * i] = x[i];
        out[4 * i + 1] = y[i];
        out[4 * i + 2] = r->z;
        out[4 * i + 3] = 1;
    }
}

void gv_gl_window_corners(const struct gv_gl_context *c,
                          const struct gv_gl_window_rectangle *r, float out[6 * 4])
{
    const float w = c->state.viewport.width, h = c->state.viewport.height;
    const struct gv_gl_window_rectangle clip = { r->x0 / w * 2 - 1, r->y0 / h * 2 - 1,
                                                 r->x1 / w * 2 - 1, r->y1 / h * 2 - 1,
                                                 r->z * 2 - 1 };
    gv_gl_rectangle_corners(&clip, out);
}
