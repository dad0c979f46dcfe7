#include "compiler/gl/draw/gl_edge_rule.h"

#include <math.h>

#define GRID 256
#define SHIFT (0.51f / GRID)

// y of window coordinates is a sum of the vertex's with these factors.
struct row {
    float factors[4];
};

// False: in perspective, where no edge stays on centres for long.
static bool find_row(const struct gv_gl_context *c, const struct gv_gl_viewport *v,
                     struct row *out)
{
    const float *p = c->projection.entries[c->projection.top].m;
    const float *m = c->modelview.entries[c->modelview.top].m;
    if (p[3] != 0 || p[7] != 0 || p[11] != 0 || m[3] != 0 || m[7] != 0 || m[11] != 0 ||
        p[15] * m[15] == 0)
        return false;
    float scale = v->height / 2 / (p[15] * m[15]);
    for (uint32_t i = 0; i < 4; i++) {
        out->factors[i] = 0;
        for (uint32_t k = 0; k < 4; k++)
            out->factors[i] += p[4 * k + 1] * m[4 * i + k];
        out->factors[i] *= scale;
    }
    out->factors[3] += v->y + v->height / 2;
    return true;
}

// Whether a vertex lies on the centre of a row (polygons), or where the sides of lines
// of whole widths may.
static bool matters(const struct row *r, const float v[4], bool lines)
{
    float y = r->factors[0] * v[0] + r->factors[1] * v[1] + r->factors[2] * v[2] +
              r->factors[3] * v[3];
    float steps = roundf(y * GRID);
    if (!(fabsf(steps) < 0x1p23f))
        return false;
    int32_t part = (int32_t)steps & (GRID - 1);
    return part == GRID / 2 || (lines && part == 0);
}

struct gv_gl_edge_shift gv_gl_edge_shift(const struct gv_gl *gl,
                                         const struct gv_gl_draw *d)
{
    const struct gv_gl_geometry *g = d->geometry;
    const struct gv_gl_context *c = gl->context;
    bool lines = d->part.drawn == GV_GL_CLASS_LINES;
    struct gv_gl_edge_shift shift = { 0, 0 };
    struct row r;
    if (!d->targets.flipped || d->part.drawn == GV_GL_CLASS_POINTS ||
        c == gl->drawing->window || !find_row(c, &c->state.viewport, &r))
        return shift;
    for (uint32_t i = 0; i < g->vertex_count && shift.y == 0; i++)
        if (matters(&r, g->slots[GV_GL_POSITION] + (size_t)i * g->strides[0], lines))
            shift.y = SHIFT;
    if (!lines)
        shift.x = -shift.y;
    return shift;
}
