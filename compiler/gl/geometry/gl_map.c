// Control points of evaluators.
#include <stdlib.h>

#include "compiler/gl/geometry/gl_bezier.h"
#include "compiler/gl/geometry/gl_evaluator.h"

uint32_t gv_gl_map_size(uint32_t i)
{
    // Colour, index, normal, texture coordinates 1 to 4, vertices of 3 and 4.
    static const uint8_t sizes[GV_GL_MAPS] = { 4, 1, 3, 1, 2, 3, 4, 3, 4 };
    return sizes[i];
}

void gv_gl_evaluator_finish(struct gv_gl_evaluator *e)
{
    for (uint32_t d = 0; d < 2; d++)
        for (uint32_t i = 0; i < GV_GL_MAPS; i++)
            free(e->maps[d][i].points);
    *e = (struct gv_gl_evaluator){ 0 };
}

// What a call says of one direction: (from, to, stride, order) from argument `i` on.
struct direction {
    float domain[2];
    int32_t stride, order;
};

static struct direction direction(const struct gv_trace_call *call, uint32_t i)
{
    return (struct direction){
        .domain = { gv_gl_float(call, i), gv_gl_float(call, i + 1) },
        .stride = gv_gl_int(call, i + 2),
        .order = gv_gl_int(call, i + 3),
    };
}

static bool is_valid(const struct direction *d, uint32_t size)
{
    return d->domain[0] != d->domain[1] && d->order >= 1 &&
           d->order <= (int32_t)GV_GL_MAX_ORDER && d->stride >= (int32_t)size;
}

static bool set_map(struct gv_gl_map *m, const struct gv_trace_value *points,
                    const struct direction directions[2], uint32_t size,
                    struct gv_error *err)
{
    const struct direction *u = &directions[0], *v = &directions[1];
    float *copy = malloc((size_t)u->order * (size_t)v->order * size * sizeof *copy);
    if (!copy)
        return gv_out_of_memory(err);
    float *at = copy;
    for (uint64_t i = 0; i < (uint64_t)u->order; i++)
        for (uint64_t j = 0; j < (uint64_t)v->order; j++)
            for (uint32_t k = 0; k < size; k++) {
                const uint64_t place =
                    i * (uint64_t)u->stride + j * (uint64_t)v->stride + k;
                *at++ = (float)gv_trace_real(gv_trace_item(points, place));
            }
    free(m->points);
    m->points = copy;
    for (uint32_t d = 0; d < 2; d++) {
        m->order[d] = (uint32_t)directions[d].order;
        m->domain[d][0] = directions[d].domain[0];
        m->domain[d][1] = directions[d].domain[1];
    }
    return true;
}

// The map of a target, in `dimensions`; points that were recorded as no array are none.
static bool map(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t dimensions,
                struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    const uint32_t first = dimensions == 1 ? GL_MAP1_COLOR_4 : GL_MAP2_COLOR_4;
    const uint32_t i = gv_gl_uint(call, 0) - first;
    struct direction d[2] = { direction(call, 1), { { 0, 1 }, 4, 1 } };
    if (!f)
        return false;
    if (i >= GV_GL_MAPS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (dimensions == 2)
        d[1] = direction(call, 5);
    if (!is_valid(&d[0], gv_gl_map_size(i)) || !is_valid(&d[1], gv_gl_map_size(i)))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return set_map(&f->evaluator.maps[dimensions - 1][i],
                   gv_trace_argument(call, dimensions == 1 ? 5 : 9), d,
                   gv_gl_map_size(i), err);
}

static bool gl_Map1(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    return map(gl, call, 1, err);
}

static bool gl_Map2(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    return map(gl, call, 2, err);
}

static bool set_MapGrid1(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    struct gv_gl_evaluation *e = &c->state.evaluation;
    if (gv_gl_int(call, 0) < 1)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    e->segments1 = gv_gl_int(call, 0);
    e->domain1[0] = gv_gl_float(call, 1);
    e->domain1[1] = gv_gl_float(call, 2);
    return true;
}
GV_GL_SETTER(MapGrid1)

static bool set_MapGrid2(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    struct gv_gl_evaluation *e = &c->state.evaluation;
    if (gv_gl_int(call, 0) < 1 || gv_gl_int(call, 3) < 1)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t d = 0; d < 2; d++) {
        e->segments2[d] = gv_gl_int(call, 3 * d);
        e->domain2[d][0] = gv_gl_float(call, 3 * d + 1);
        e->domain2[d][1] = gv_gl_float(call, 3 * d + 2);
    }
    return true;
}
GV_GL_SETTER(MapGrid2)

const struct gv_gl_row gv_gl_map_rows[] = {
    { "glMap1f", gl_Map1, GV_GL_LISTED },
    { "glMap1d", gl_Map1, GV_GL_LISTED },
    { "glMap2f", gl_Map2, GV_GL_LISTED },
    { "glMap2d", gl_Map2, GV_GL_LISTED },
    { "glMapGrid1f", gl_MapGrid1, GV_GL_LISTED },
    { "glMapGrid1d", gl_MapGrid1, GV_GL_LISTED },
    { "glMapGrid2f", gl_MapGrid2, GV_GL_LISTED },
    { "glMapGrid2d", gl_MapGrid2, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
