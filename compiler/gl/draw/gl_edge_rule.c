#include "compiler/gl/draw/gl_edge_rule.h"

#include <math.h>

#define GRID GV_LOWER_FINE_GRID
#define SHIFT (0.51f / GRID)
#define COARSER ((float)GRID / GV_LOWER_COARSE_GRID - 1) // so much is added

#define NOWHERE INT32_MIN
#define NEAR_VERTICES 3u // of a quad's, those that an edge may lead to

// y and w of clip coordinates are sums of the vertex's with these factors.
struct rows {
    float y[4], w[4];
    float centre, half; // of the viewport
};

static void find_rows(const struct gv_gl_context *c, struct rows *out)
{
    const float *p = c->projection.entries[c->projection.top].m;
    const float *m = c->modelview.entries[c->modelview.top].m;
    const struct gv_gl_viewport *v = &c->state.viewport;
    for (uint32_t i = 0; i < 4; i++) {
        out->y[i] = out->w[i] = 0;
        for (uint32_t k = 0; k < 4; k++) {
            out->y[i] += p[4 * k + 1] * m[4 * i + k];
            out->w[i] += p[4 * k + 3] * m[4 * i + k];
        }
    }
    out->half = v->height / 2;
    out->centre = v->y + out->half;
}

static float dot(const float a[4], const float b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Where a vertex lies on the grid, if an edge that stays there passes through centres
// of pixels: polygons' on centres of rows, sides of lines of whole widths between rows
// as well.
static int32_t place_of(const struct rows *r, const float v[4], bool lines)
{
    float w = dot(r->w, v);
    float steps = roundf((dot(r->y, v) / w * r->half + r->centre) * GRID);
    if (!(w > 0) || !(fabsf(steps) < 0x1p23f))
        return NOWHERE;
    int32_t part = (int32_t)steps & (GRID - 1);
    return part == GRID / 2 || (lines && part == 0) ? (int32_t)steps : NOWHERE;
}

static bool has_such_edge(const struct rows *r, const struct gv_gl_geometry *g,
                          bool lines)
{
    int32_t last[NEAR_VERTICES] = { NOWHERE, NOWHERE, NOWHERE };
    uint32_t count = g->indices ? g->index_count : g->vertex_count;
    gv_gl_geometry_make(g);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = g->indices ? g->indices[i] : i;
        if (number >= g->vertex_count)
            continue;
        float v[4];
        gv_gl_geometry_fetch(g, GV_GL_POSITION, number, v);
        int32_t at = place_of(r, v, lines);
        for (uint32_t k = 0; k < NEAR_VERTICES && at != NOWHERE; k++)
            if (last[k] == at)
                return true;
        last[i % NEAR_VERTICES] = at;
    }
    return false;
}

struct gv_gl_edge_shift gv_gl_edge_shift(const struct gv_gl_context *c,
                                         const struct gv_gl_drawing *drawing,
                                         const struct gv_gl_draw *d)
{
    bool lines = d->part.drawn == GV_GL_CLASS_LINES;
    struct gv_gl_edge_shift shift = { 0 };
    struct rows r;
    if (d->targets.flipped == c->state.transform.clip_upper_left ||
        d->part.drawn == GV_GL_CLASS_POINTS || c == drawing->window)
        return shift;
    if (gv_gl_is_placed(c)) { // nobody knows where; lines seldom have texels
        shift.y = lines ? SHIFT : 0;
        shift.coarse_y = COARSER * shift.y;
        return shift;
    }
    find_rows(c, &r);
    // In perspective attributes move by more than edges gain.
    bool flat = r.w[0] == 0 && r.w[1] == 0 && r.w[2] == 0;
    if (flat && has_such_edge(&r, d->geometry, lines))
        shift.y = SHIFT;
    if (!lines)
        shift.x = -shift.y;
    shift.coarse_x = COARSER * shift.x;
    shift.coarse_y = COARSER * shift.y;
    return shift;
}
