// Vertices from evaluators: single ones, meshes.
#include "compiler/gl/geometry/gl_evaluator.h"

#include <math.h>
#include <string.h>

#include "compiler/gl/geometry/gl_bezier.h"
#include "compiler/gl/geometry/gl_feed.h"

#define MAX_MESH_VERTICES (1u << 20)
#define EVALUATION_WORK 16u // units: values are set, and set back

// Maps in the order of their targets.
enum {
    MAP_COLOR,
    MAP_INDEX,
    MAP_NORMAL,
    MAP_TEXTURE_1,
    MAP_VERTEX_3 = 7,
    MAP_VERTEX_4
};

static const uint8_t slots[GV_GL_MAPS] = {
    GV_GL_COLOR,    GV_GL_INDEX,    GV_GL_NORMAL,   GV_GL_TEXCOORD, GV_GL_TEXCOORD,
    GV_GL_TEXCOORD, GV_GL_TEXCOORD, GV_GL_POSITION, GV_GL_POSITION,
};

// Where an evaluation stands.
struct point {
    uint32_t dimensions;
    uint32_t enabled; // bit per map
    float at[2];
};

static struct point point(const struct gv_gl_context *c, uint32_t dimensions, float u,
                          float v)
{
    const struct gv_gl_evaluation *e = &c->state.evaluation;
    return (struct point){ dimensions, dimensions == 1 ? e->map1 : e->map2, { u, v } };
}

static bool has_vertices(const struct point *p)
{
    return p->enabled >> MAP_VERTEX_3 & 3;
}

// Of several maps of the same kind the one with most components counts.
static bool is_used(const struct point *p, uint32_t i)
{
    if (!(p->enabled >> i & 1))
        return false;
    for (uint32_t k = i + 1; k < GV_GL_MAPS && slots[k] == slots[i]; k++)
        if (p->enabled >> k & 1)
            return false;
    return true;
}

// A place in the map's domain.
static float within(const struct gv_gl_map *m, const struct point *p, uint32_t d)
{
    const float scale = 1.0F / (m->domain[d][1] - m->domain[d][0]);
    return (p->at[d] - m->domain[d][0]) * scale;
}

// The map's value; one that was never given is its initial point.
static void evaluate(const struct gv_gl_map *m, uint32_t i, const struct point *p,
                     float out[4])
{
    static const float initial[GV_GL_MAPS][4] = {
        { 1, 1, 1, 1 }, { 1, 0, 0, 1 }, { 0, 0, 1, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 },
        { 0, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 },
    };
    const uint32_t size = gv_gl_map_size(i);
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (!m->points)
        memcpy(out, initial[i], sizeof initial[i]);
    else if (p->dimensions == 1)
        gv_gl_bezier_curve(m->points, size, m->order[0], within(m, p, 0), out);
    else
        gv_gl_bezier_surface(&(const struct gv_gl_surface_map){ m->points, size,
                                                                m->order[0],
                                                                m->order[1] },
                             within(m, p, 0), within(m, p, 1), out);
}

// GL_AUTO_NORMAL: the surface's normal, and its position.
static void automatic(const struct gv_gl_map *m, uint32_t size, const struct point *p,
                      float position[4], float normal[4])
{
    const struct gv_gl_surface_map map = { m->points, size, m->order[0], m->order[1] };
    float du[4], dv[4];
    gv_gl_bezier_tangents(&map, within(m, p, 0), within(m, p, 1), position, du, dv);
    if (size == 4)
        for (uint32_t k = 0; k < 3; k++) {
            du[k] = du[k] * position[3] - du[3] * position[k];
            dv[k] = dv[k] * position[3] - dv[3] * position[k];
        }
    for (uint32_t k = 0; k < 3; k++)
        normal[k] =
            du[(k + 1) % 3] * dv[(k + 2) % 3] - du[(k + 2) % 3] * dv[(k + 1) % 3];
    const float length =
        sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (uint32_t k = 0; k < 3 && length > 0; k++)
        normal[k] *= 1.0F / length;
    normal[3] = 1;
}

// What the maps give, as long as the vertex that they make; then what was current is
// so again.
static bool evaluate_vertex(struct gv_gl *gl, const struct point *p,
                            struct gv_error *err)
{
    const struct gv_gl_feeding *f = gl->context->feeding;
    const struct gv_gl_map *maps = f->evaluator.maps[p->dimensions - 1];
    const struct gv_gl_current before = gl->context->state.current;
    const uint32_t vertex =
        p->enabled >> MAP_VERTEX_4 & 1 ? MAP_VERTEX_4 : MAP_VERTEX_3;
    const bool makes_normal = p->dimensions == 2 && maps[vertex].points &&
                              gl->context->state.evaluation.auto_normal;
    float value[4], position[4] = { 0, 0, 0, 1 };
    if (!has_vertices(p))
        return true;
    for (uint32_t i = 0; i < MAP_VERTEX_3; i++) {
        if (!is_used(p, i) || (i == MAP_NORMAL && makes_normal))
            continue;
        evaluate(&maps[i], i, p, value);
        if (!gv_gl_drawn.set(gl, slots[i], gv_gl_real(gv_gl_map_size(i)), value, err))
            return false;
    }
    if (makes_normal) {
        automatic(&maps[vertex], gv_gl_map_size(vertex), p, position, value);
        if (!gv_gl_drawn.set(gl, GV_GL_NORMAL, gv_gl_real(3), value, err))
            return false;
    } else {
        evaluate(&maps[vertex], vertex, p, position);
    }
    bool ok = gv_gl_drawn.vertex(gl, gv_gl_map_size(vertex), position, err);
    for (uint32_t i = 0; i < MAP_VERTEX_3; i++)
        if (ok && (is_used(p, i) || (i == MAP_NORMAL && makes_normal)))
            ok = gv_gl_drawn.set(gl, slots[i], gv_gl_real(i == MAP_NORMAL ? 3 : 4),
                                 before.slots[slots[i]], err);
    return ok;
}

// Units of one evaluation: about the points that it mixes; tangents mix rows anew.
static uint64_t work_of(const struct gv_gl_context *c, const struct point *p)
{
    const struct gv_gl_map *maps = c->feeding->evaluator.maps[p->dimensions - 1];
    const bool tangents = p->dimensions == 2 && c->state.evaluation.auto_normal;
    uint64_t units = EVALUATION_WORK;
    for (uint32_t i = 0; i < GV_GL_MAPS; i++) {
        const uint64_t rows = p->dimensions == 2 ? maps[i].order[1] : 1;
        if (is_used(p, i))
            units += maps[i].order[0] * rows * (tangents ? rows : 1) / 4;
    }
    return units;
}

static bool coordinates(struct gv_gl *gl, uint32_t dimensions, float u, float v,
                        struct gv_error *err)
{
    const struct point p = point(gl->context, dimensions, u, v);
    return gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err) &&
           gv_gl_work(&gl->sink.work, work_of(gl->context, &p), err) &&
           evaluate_vertex(gl, &p, err);
}

// ---- the grid ----

// From, and one step.
struct grid {
    float from, step;
};

static struct grid grid_of(const float domain[2], int32_t segments)
{
    if (segments < 1)
        segments = 1;
    return (struct grid){ domain[0], (domain[1] - domain[0]) / (float)segments };
}

static struct grid grid1(const struct gv_gl_context *c)
{
    const struct gv_gl_evaluation *e = &c->state.evaluation;
    return grid_of(e->domain1, e->segments1);
}

static struct grid grid2(const struct gv_gl_context *c, uint32_t d)
{
    const struct gv_gl_evaluation *e = &c->state.evaluation;
    return grid_of(e->domain2[d], e->segments2[d]);
}

static float on(const struct grid *g, int32_t i)
{
    return (float)i * g->step + g->from;
}

// ---- meshes ----

struct mesh {
    uint32_t dimensions;
    struct grid grid[2];
    int32_t first[2], last[2];
};

// Whether the mesh has vertices, and not too many.
static bool is_drawable(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        const struct mesh *m)
{
    uint64_t vertices = 1;
    for (uint32_t d = 0; d < m->dimensions; d++) {
        if (m->last[d] < m->first[d])
            return false;
        const uint64_t count = (uint64_t)((int64_t)m->last[d] - m->first[d]) + 1;
        if (count > MAX_MESH_VERTICES || vertices * count > MAX_MESH_VERTICES)
            return !gv_gl_unsupported(sink, GV_GL_LACK(MESH));
        vertices *= count;
    }
    const struct point p = point(c, m->dimensions, 0, 0);
    return has_vertices(&p);
}

static bool mesh1(struct gv_gl *gl, const struct mesh *m, uint32_t mode,
                  struct gv_error *err)
{
    float u = on(&m->grid[0], m->first[0]);
    if (!gv_gl_drawn.begin(gl, mode, err))
        return false;
    for (int64_t i = m->first[0]; i <= m->last[0]; i++, u += m->grid[0].step)
        if (!coordinates(gl, 1, u, 0, err))
            return false;
    return gv_gl_drawn.end(gl, err);
}

// A row of a surface: along `d` at `across` of the other direction; `width` steps
// further on a second vertex for each (a strip of triangles).
static bool mesh_row(struct gv_gl *gl, const struct mesh *m, uint32_t d, float across,
                     float width, struct gv_error *err)
{
    float at = on(&m->grid[d], m->first[d]);
    for (int64_t i = m->first[d]; i <= m->last[d]; i++, at += m->grid[d].step) {
        if (!coordinates(gl, 2, d == 0 ? at : across, d == 0 ? across : at, err))
            return false;
        if (width != 0 && !coordinates(gl, 2, at, across + width, err))
            return false;
    }
    return true;
}

// Rows along `d`, one primitive each.
static bool mesh_rows(struct gv_gl *gl, const struct mesh *m, uint32_t d, uint32_t mode,
                      struct gv_error *err)
{
    const uint32_t other = 1 - d;
    const bool strips = mode == GL_TRIANGLE_STRIP;
    const float step = m->grid[other].step;
    float across = on(&m->grid[other], m->first[other]);
    for (int64_t j = m->first[other]; j <= (int64_t)m->last[other] - strips; j++) {
        if (!gv_gl_drawn.begin(gl, mode, err) ||
            !mesh_row(gl, m, d, across, strips ? step : 0, err) ||
            !gv_gl_drawn.end(gl, err))
            return false;
        across += step;
    }
    return true;
}

// ---- calls ----

static bool gl_EvalMesh1(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    const uint32_t mode = gv_gl_uint(call, 0);
    const struct mesh m = {
        .dimensions = 1,
        .grid = { grid1(gl->context) },
        .first = { gv_gl_int(call, 1) },
        .last = { gv_gl_int(call, 2) },
    };
    if (mode != GL_POINT && mode != GL_LINE)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return !is_drawable(gl->context, &gl->sink, &m) ||
           mesh1(gl, &m, mode == GL_POINT ? GL_POINTS : GL_LINE_STRIP, err);
}

static bool gl_EvalMesh2(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    const uint32_t mode = gv_gl_uint(call, 0);
    const struct mesh m = {
        .dimensions = 2,
        .grid = { grid2(gl->context, 0), grid2(gl->context, 1) },
        .first = { gv_gl_int(call, 1), gv_gl_int(call, 3) },
        .last = { gv_gl_int(call, 2), gv_gl_int(call, 4) },
    };
    if (mode != GL_POINT && mode != GL_LINE && mode != GL_FILL)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!is_drawable(gl->context, &gl->sink, &m))
        return true;
    if (mode == GL_FILL)
        return mesh_rows(gl, &m, 0, GL_TRIANGLE_STRIP, err);
    if (mode == GL_POINT)
        return mesh_rows(gl, &m, 0, GL_POINTS, err);
    return mesh_rows(gl, &m, 0, GL_LINE_STRIP, err) &&
           mesh_rows(gl, &m, 1, GL_LINE_STRIP, err);
}

// (u) or an array of it.
static float coordinate(const struct gv_trace_call *call, uint32_t i)
{
    const struct gv_trace_value *v = gv_trace_argument(call, 0);
    if (v->kind == GV_TRACE_ARRAY)
        return (float)gv_trace_real(gv_trace_item(v, i));
    return gv_gl_float(call, i);
}

static bool gl_EvalCoord1(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return coordinates(gl, 1, coordinate(call, 0), 0, err);
}

static bool gl_EvalCoord2(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return coordinates(gl, 2, coordinate(call, 0), coordinate(call, 1), err);
}

static bool gl_EvalPoint1(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    const struct grid g = grid1(gl->context);
    return coordinates(gl, 1, on(&g, gv_gl_int(call, 0)), 0, err);
}

static bool gl_EvalPoint2(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    const struct grid u = grid2(gl->context, 0), v = grid2(gl->context, 1);
    return coordinates(gl, 2, on(&u, gv_gl_int(call, 0)), on(&v, gv_gl_int(call, 1)),
                       err);
}

#define INSIDE (GV_GL_LISTED | GV_GL_INSIDE)
const struct gv_gl_row gv_gl_evaluator_rows[] = {
    { "glEvalCoord1f", gl_EvalCoord1, INSIDE },
    { "glEvalCoord1d", gl_EvalCoord1, INSIDE },
    { "glEvalCoord1fv", gl_EvalCoord1, INSIDE },
    { "glEvalCoord1dv", gl_EvalCoord1, INSIDE },
    { "glEvalCoord2f", gl_EvalCoord2, INSIDE },
    { "glEvalCoord2d", gl_EvalCoord2, INSIDE },
    { "glEvalCoord2fv", gl_EvalCoord2, INSIDE },
    { "glEvalCoord2dv", gl_EvalCoord2, INSIDE },
    { "glEvalPoint1", gl_EvalPoint1, INSIDE },
    { "glEvalPoint2", gl_EvalPoint2, INSIDE },
    { "glEvalMesh1", gl_EvalMesh1, GV_GL_LISTED },
    { "glEvalMesh2", gl_EvalMesh2, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
