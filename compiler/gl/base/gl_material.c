#include "compiler/gl/base/gl_material.h"

#include <string.h>

uint32_t gv_gl_material_parts(uint32_t name)
{
    switch (name) {
    case GL_AMBIENT:
        return GV_GL_MATERIAL_AMBIENT;
    case GL_DIFFUSE:
        return GV_GL_MATERIAL_DIFFUSE;
    case GL_SPECULAR:
        return GV_GL_MATERIAL_SPECULAR;
    case GL_EMISSION:
        return GV_GL_MATERIAL_EMISSION;
    case GL_AMBIENT_AND_DIFFUSE:
        return GV_GL_MATERIAL_AMBIENT | GV_GL_MATERIAL_DIFFUSE;
    default:
        return 0;
    }
}

void gv_gl_material_set(struct gv_gl_material *m, uint32_t parts, const float color[4])
{
    float *const to[4] = { m->ambient, m->diffuse, m->specular, m->emission };
    for (uint32_t i = 0; i < 4; i++)
        if (parts >> i & 1)
            memcpy(to[i], color, 4 * sizeof(float));
}

uint32_t gv_gl_material_tracked(const struct gv_gl_lighting *l, uint32_t face)
{
    const uint32_t other = face ? GL_FRONT : GL_BACK;
    const bool tracks = l->color_material && l->color_material_face != other;
    return tracks ? gv_gl_material_parts(l->color_material_mode) : 0;
}

void gv_gl_material_track(struct gv_gl_state *s)
{
    for (uint32_t face = 0; face < 2; face++)
        gv_gl_material_set(&s->lighting.material[face],
                           gv_gl_material_tracked(&s->lighting, face),
                           s->current.slots[GV_GL_COLOR]);
}

static void give_again(struct gv_gl_material *to, const struct gv_gl_material *from,
                       uint32_t parts)
{
    const float *const colors[4] = { from->ambient, from->diffuse, from->specular,
                                     from->emission };
    for (uint32_t i = 0; i < 4; i++)
        gv_gl_material_set(to, parts & 1u << i, colors[i]);
}

void gv_gl_material_hear(struct gv_gl_context *c)
{
    struct gv_gl_given *given = &c->given;
    for (uint32_t face = 0; face < 2; face++)
        if (given->parts[face])
            give_again(&c->state.lighting.material[face], &given->values[face],
                       given->parts[face]);
    bool same = true;
    for (uint32_t i = 0; i < 4; i++)
        same = same && given->color[i] == c->state.current.slots[GV_GL_COLOR][i];
    if (same)
        return;
    memcpy(given->color, c->state.current.slots[GV_GL_COLOR], sizeof(given->color));
    gv_gl_material_track(&c->state);
}

void gv_gl_material_ask(struct gv_gl_context *c)
{
    c->given.waits = c->given.waits || c->given.fresh;
    c->given.fresh = false;
}

void gv_gl_material_flush(struct gv_gl_context *c)
{
    gv_gl_material_hear(c);
    c->given.parts[0] = c->given.parts[1] = 0;
    c->given.fresh = c->given.waits = false;
}

void gv_gl_lit_color(const float *light, const float *material, float out[4])
{
    for (int i = 0; i < 3; i++)
        out[i] = light[i] * material[i];
    out[3] = material[3];
}
