// Calls that draw from vertex arrays.
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_array_draw.h"

// A negative count or number of instances is GL_INVALID_VALUE.
static bool draw(struct gv_gl *gl, struct gv_gl_array_draw d, int64_t count,
                 int64_t instances, struct gv_error *err)
{
    if (count < 0 || instances < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    d.count = (uint64_t)count;
    d.instances = instances > UINT32_MAX ? UINT32_MAX : (uint32_t)instances;
    return gv_gl_array_draw(gl, &d, err);
}

static int64_t number(const struct gv_trace_call *call, uint32_t i)
{
    return gv_trace_sint(gv_trace_argument(call, i));
}

// ---- without indices: (mode, first, count, ...) ----

static bool arrays(struct gv_gl *gl, const struct gv_trace_call *call,
                   int64_t instances, uint32_t base_instance, struct gv_error *err)
{
    const int64_t first = number(call, 1);
    if (first < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const struct gv_gl_array_draw d = {
        .mode = gv_gl_uint(call, 0),
        .first = (uint64_t)first,
        .base_instance = base_instance,
    };
    return draw(gl, d, number(call, 2), instances, err);
}

static bool gl_DrawArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return arrays(gl, call, 1, 0, err);
}

static bool gl_DrawArraysInstanced(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    return arrays(gl, call, number(call, 3), 0, err);
}

static bool gl_DrawArraysInstancedBaseInstance(struct gv_gl *gl,
                                               const struct gv_trace_call *call,
                                               struct gv_error *err)
{
    return arrays(gl, call, number(call, 3), gv_gl_uint(call, 4), err);
}

// ---- with indices: (mode, count, type, indices, ...) ----

struct indexed {
    uint32_t mode, type, base_instance;
    int64_t count, base, instances;
    const struct gv_trace_value *indices;
    uint32_t draw;
};

static bool elements(struct gv_gl *gl, const struct indexed *in, struct gv_error *err)
{
    const struct gv_gl_array_draw d = {
        .mode = in->mode,
        .indices = in->indices,
        .type = in->type,
        .base = in->base,
        .base_instance = in->base_instance,
        .draw = in->draw,
    };
    return draw(gl, d, in->count, in->instances, err);
}

// What starts at argument `i` (count, type, indices).
static struct indexed indexed(const struct gv_trace_call *call, uint32_t i)
{
    return (struct indexed){
        .mode = gv_gl_uint(call, 0),
        .count = number(call, i),
        .type = gv_gl_uint(call, i + 1),
        .indices = gv_trace_argument(call, i + 2),
        .instances = 1,
    };
}

// (mode, [start, end,] count, type, indices, [instances,] [base,] [base instance])
// with `i` where count is; 0 for what a function lacks.
struct columns {
    uint32_t count, instances, base, base_instance;
};

static bool elements_by(struct gv_gl *gl, const struct gv_trace_call *call,
                        const struct columns *at, struct gv_error *err)
{
    struct indexed in = indexed(call, at->count);
    if (at->instances)
        in.instances = number(call, at->instances);
    if (at->base)
        in.base = gv_gl_int(call, at->base);
    if (at->base_instance)
        in.base_instance = gv_gl_uint(call, at->base_instance);
    return elements(gl, &in, err);
}

#define ELEMENTS(name, ...)                                                   \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        static const struct columns at = { __VA_ARGS__ };                     \
        return elements_by(gl, call, &at, err);                               \
    }
ELEMENTS(DrawElements, .count = 1)
ELEMENTS(DrawElementsBaseVertex, .count = 1, .base = 4)
ELEMENTS(DrawElementsInstanced, .count = 1, .instances = 4)
ELEMENTS(DrawElementsInstancedBaseVertex, .count = 1, .instances = 4, .base = 5)
ELEMENTS(DrawElementsInstancedBaseInstance, .count = 1, .instances = 4,
         .base_instance = 5)
ELEMENTS(DrawElementsInstancedBaseVertexBaseInstance, .count = 1, .instances = 4,
         .base = 5, .base_instance = 6)

static bool gl_DrawRangeElements(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    static const struct columns at = { .count = 3 };
    if (gv_gl_uint(call, 2) < gv_gl_uint(call, 1))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return elements_by(gl, call, &at, err);
}

static bool gl_DrawRangeElementsBaseVertex(struct gv_gl *gl,
                                           const struct gv_trace_call *call,
                                           struct gv_error *err)
{
    static const struct columns at = { .count = 3, .base = 6 };
    if (gv_gl_uint(call, 2) < gv_gl_uint(call, 1))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return elements_by(gl, call, &at, err);
}

// ---- several at once ----

// As many draws as a call names and all its arrays have.
static uint64_t draws(const struct gv_trace_call *call, uint32_t count,
                      const uint32_t *arrays_at, uint32_t arrays_count)
{
    const int64_t said = number(call, count);
    uint64_t n = said < 0 ? 0 : (uint64_t)said;
    for (uint32_t i = 0; i < arrays_count; i++) {
        const struct gv_trace_value *v = gv_trace_argument(call, arrays_at[i]);
        const uint64_t there = v->kind == GV_TRACE_ARRAY ? v->count : 0;
        if (there < n)
            n = there;
    }
    return n;
}

static bool gl_MultiDrawArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    static const uint32_t at[] = { 1, 2 };
    const uint64_t n = draws(call, 3, at, 2);
    for (uint64_t i = 0; i < n; i++) {
        const int64_t first = gv_trace_sint(&gv_trace_argument(call, 1)->items[i]);
        const struct gv_gl_array_draw d = {
            .mode = gv_gl_uint(call, 0),
            .first = (uint64_t)first,
            .draw = (uint32_t)i,
        };
        const int64_t count = gv_trace_sint(&gv_trace_argument(call, 2)->items[i]);
        if (!draw(gl, d, first < 0 ? -1 : count, 1, err))
            return false;
    }
    return true;
}

static bool multi_elements(struct gv_gl *gl, const struct gv_trace_call *call,
                           bool based, struct gv_error *err)
{
    static const uint32_t at[] = { 1, 3, 5 };
    const uint64_t n = draws(call, 4, at, based ? 3 : 2);
    for (uint64_t i = 0; i < n; i++) {
        const struct indexed in = {
            .mode = gv_gl_uint(call, 0),
            .count = gv_trace_sint(&gv_trace_argument(call, 1)->items[i]),
            .type = gv_gl_uint(call, 2),
            .indices = &gv_trace_argument(call, 3)->items[i],
            .base = based ? gv_trace_sint(&gv_trace_argument(call, 5)->items[i]) : 0,
            .instances = 1,
            .draw = (uint32_t)i,
        };
        if (!elements(gl, &in, err))
            return false;
    }
    return true;
}

static bool gl_MultiDrawElements(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    return multi_elements(gl, call, false, err);
}

static bool gl_MultiDrawElementsBaseVertex(struct gv_gl *gl,
                                           const struct gv_trace_call *call,
                                           struct gv_error *err)
{
    return multi_elements(gl, call, true, err);
}

static bool gl_ArrayElement(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    const int64_t index = number(call, 0);
    if (index < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return gv_gl_array_element(gl, &gv_gl_feed, (uint64_t)index, err);
}

#define ROW(name)                \
    {                            \
        "gl" #name, gl_##name, 0 \
    }
const struct gv_gl_row gv_gl_array_draw_rows[] = {
    ROW(DrawArrays),
    ROW(DrawArraysInstanced),
    ROW(DrawArraysInstancedBaseInstance),
    ROW(DrawElements),
    ROW(DrawElementsBaseVertex),
    ROW(DrawElementsInstanced),
    ROW(DrawElementsInstancedBaseVertex),
    ROW(DrawElementsInstancedBaseInstance),
    ROW(DrawElementsInstancedBaseVertexBaseInstance),
    ROW(DrawRangeElements),
    ROW(DrawRangeElementsBaseVertex),
    ROW(MultiDrawArrays),
    ROW(MultiDrawElements),
    ROW(MultiDrawElementsBaseVertex),
    { "glArrayElement", gl_ArrayElement, GV_GL_INSIDE },
    { NULL, NULL, 0 },
};
