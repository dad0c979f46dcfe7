#include "compiler/gl/draw/gl_clipped.h"

#include <stddef.h>

#include "compiler/gl/base/gl_matrix.h"

static const struct gv_gl_matrix *top(const struct gv_gl_matrix_stack *s)
{
    return &s->entries[s->top];
}

static bool within(const float v[4], bool depth)
{
    for (int i = 0; i < (depth ? 3 : 2); i++)
        if (!(v[i] <= v[3] && -v[i] <= v[3]))
            return false;
    return true;
}

static bool behind_planes(const struct gv_gl_transform *t, const float eye[4])
{
    for (uint32_t i = 0; i < GV_GL_CLIP_PLANES; i++) {
        const float *p = t->clip_planes[i];
        if (t->clip_enabled >> i & 1 &&
            !(p[0] * eye[0] + p[1] * eye[1] + p[2] * eye[2] + p[3] * eye[3] >= 0))
            return true;
    }
    return false;
}

bool gv_gl_is_clipped(const struct gv_gl_context *c, const struct gv_gl_geometry *g)
{
    const struct gv_gl_transform *t = &c->state.transform;
    struct gv_gl_matrix both;
    gv_gl_geometry_make(g);
    gv_gl_matrix_multiply(&both, top(&c->projection), top(&c->modelview));
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        float given[4], v[4];
        gv_gl_geometry_fetch(g, GV_GL_POSITION, i, given);
        gv_gl_transform_point(v, &both, given);
        if (!within(v, !t->depth_clamp))
            return true;
        if (!t->clip_enabled)
            continue;
        gv_gl_transform_point(v, top(&c->modelview), given);
        if (behind_planes(t, v))
            return true;
    }
    return false;
}

// No stage of the rasteriser stands ahead of it.
static bool is_straight(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                        bool fixed_place)
{
    const struct gv_gl_polygon *p = &c->state.polygon;
    return !p->stipple && p->mode[0] == GL_FILL && p->mode[1] == GL_FILL &&
           !(fixed_place && g->slots[GV_GL_POSITION] && gv_gl_is_clipped(c, g));
}

bool gv_gl_first_diagonal(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                          bool fixed_place)
{
    return g->mode == GL_QUADS && !g->other_diagonal &&
           c->state.lighting.provoking != GL_FIRST_VERTEX_CONVENTION &&
           is_straight(c, g, fixed_place);
}

bool gv_gl_begun_first(const struct gv_gl_context *c, const struct gv_gl_geometry *g,
                       bool fixed_place)
{
    return g->mode == GL_QUAD_STRIP && is_straight(c, g, fixed_place);
}
