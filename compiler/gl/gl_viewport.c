// Viewports, depth ranges and scissors. Viewports tell how large windows are.
#include "compiler/gl/gl_window.h"

#define MAX_VIEWPORT 16384.0f // llvmpipe's

static float clamped(float v, float low, float high)
{
    return v > low ? (v < high ? v : high) : low; // NaN: low
}

static struct gv_gl_viewport *viewport_at(struct gv_gl_context *c, uint32_t index)
{
    struct gv_gl_state *s = &c->state;
    return index ? &s->viewports[index - 1] : &s->viewport;
}

// A viewport: x, y, width, height.
static bool set_viewport(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         uint32_t index, const float v[4])
{
    if (!(v[2] >= 0) || !(v[3] >= 0))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    const float bound = 2 * MAX_VIEWPORT;
    struct gv_gl_viewport *to = viewport_at(c, index);
    to->x = clamped(v[0], -bound, bound - 1);
    to->y = clamped(v[1], -bound, bound - 1);
    to->width = clamped(v[2], 0, MAX_VIEWPORT);
    to->height = clamped(v[3], 0, MAX_VIEWPORT);
    if (!index && to->width > 0 && to->height > 0)
        gv_gl_surface_reach(c, (int64_t)(to->x + to->width),
                            (int64_t)(to->y + to->height));
    return true;
}

static bool set_Viewport(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    float v[4];
    for (uint32_t i = 0; i < 4; i++)
        v[i] = (float)gv_gl_int(call, i);
    for (uint32_t i = 1; i < GV_GL_VIEWPORTS && v[2] >= 0 && v[3] >= 0; i++)
        set_viewport(c, sink, i, v);
    return set_viewport(c, sink, 0, v);
}
GV_GL_SETTER(Viewport)

// Whether `count` elements from `first` on are of the viewports there are.
static bool in_range(int32_t first, int32_t count)
{
    return first >= 0 && count >= 0 && (int64_t)first + count <= GV_GL_VIEWPORTS;
}

static bool set_ViewportArrayv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call)
{
    const int32_t first = gv_gl_int(call, 0), count = gv_gl_int(call, 1);
    float v[4 * GV_GL_VIEWPORTS];
    if (!in_range(first, count) ||
        gv_gl_floats(call, 2, v, 4 * (uint32_t)count) < 4 * (uint32_t)count)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (int32_t i = 0; i < count; i++)
        if (!(v[4 * i + 2] >= 0) || !(v[4 * i + 3] >= 0))
            return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (int32_t i = 0; i < count; i++)
        set_viewport(c, sink, (uint32_t)(first + i), v + (size_t)4 * (uint32_t)i);
    return true;
}
GV_GL_SETTER(ViewportArrayv)

static bool set_ViewportIndexedf(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                 const struct gv_trace_call *call)
{
    float v[4];
    for (uint32_t i = 0; i < 4; i++)
        v[i] = gv_gl_float(call, 1 + i);
    if (gv_gl_uint(call, 0) >= GV_GL_VIEWPORTS)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return set_viewport(c, sink, gv_gl_uint(call, 0), v);
}
GV_GL_SETTER(ViewportIndexedf)

static bool set_ViewportIndexedfv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call)
{
    float v[4];
    if (gv_gl_uint(call, 0) >= GV_GL_VIEWPORTS || gv_gl_floats(call, 1, v, 4) < 4)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return set_viewport(c, sink, gv_gl_uint(call, 0), v);
}
GV_GL_SETTER(ViewportIndexedfv)

// ---- depth range ----

static double unit(double v)
{
    return v > 0 ? (v < 1 ? v : 1) : 0;
}

static bool set_depth_range(struct gv_gl_context *c, uint32_t index, double near,
                            double far)
{
    viewport_at(c, index)->near = unit(near);
    viewport_at(c, index)->far = unit(far);
    return true;
}

static bool set_depth_ranges(struct gv_gl_context *c, double near, double far)
{
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS; i++)
        set_depth_range(c, i, near, far);
    return true;
}

static bool set_DepthRange(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct gv_trace_call *call)
{
    (void)sink;
    return set_depth_ranges(c, gv_trace_real(gv_trace_argument(call, 0)),
                            gv_trace_real(gv_trace_argument(call, 1)));
}
GV_GL_SETTER(DepthRange)

static bool set_DepthRangex(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    (void)sink;
    return set_depth_ranges(c, gv_gl_int(call, 0) / 65536.0,
                            gv_gl_int(call, 1) / 65536.0);
}
GV_GL_SETTER(DepthRangex)

static bool set_DepthRangeArrayv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                 const struct gv_trace_call *call)
{
    const int32_t first = gv_gl_int(call, 0), count = gv_gl_int(call, 1);
    const struct gv_trace_value *v = gv_trace_argument(call, 2);
    if (!in_range(first, count))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; v->kind == GV_TRACE_ARRAY && i < (uint32_t)count &&
                         2 * (uint64_t)i + 1 < v->count;
         i++)
        set_depth_range(c, (uint32_t)first + i, gv_trace_real(&v->items[(size_t)2 * i]),
                        gv_trace_real(&v->items[(size_t)2 * i + 1]));
    return true;
}
GV_GL_SETTER(DepthRangeArrayv)

static bool set_DepthRangeIndexed(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call)
{
    if (gv_gl_uint(call, 0) >= GV_GL_VIEWPORTS)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return set_depth_range(c, gv_gl_uint(call, 0),
                           gv_trace_real(gv_trace_argument(call, 1)),
                           gv_trace_real(gv_trace_argument(call, 2)));
}
GV_GL_SETTER(DepthRangeIndexed)

static bool set_ClipControl(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    const uint32_t origin = gv_gl_uint(call, 0), depth = gv_gl_uint(call, 1);
    if ((origin != GL_LOWER_LEFT && origin != GL_UPPER_LEFT) ||
        (depth != GL_NEGATIVE_ONE_TO_ONE && depth != GL_ZERO_TO_ONE))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.transform.clip_upper_left = origin == GL_UPPER_LEFT;
    c->state.transform.clip_zero_to_one = depth == GL_ZERO_TO_ONE;
    return true;
}
GV_GL_SETTER(ClipControl)

// ---- scissor ----

static bool set_scissor(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        uint32_t index, const int32_t v[4])
{
    if (index >= GV_GL_VIEWPORTS || v[2] < 0 || v[3] < 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    struct gv_gl_state *state = &c->state;
    struct gv_gl_scissor *s = index ? &state->scissors[index - 1] : &state->scissor;
    s->x = v[0];
    s->y = v[1];
    s->width = v[2];
    s->height = v[3];
    return true;
}

static bool set_Scissor(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        const struct gv_trace_call *call)
{
    const int32_t v[4] = { gv_gl_int(call, 0), gv_gl_int(call, 1), gv_gl_int(call, 2),
                           gv_gl_int(call, 3) };
    for (uint32_t i = 1; i < GV_GL_VIEWPORTS && v[2] >= 0 && v[3] >= 0; i++)
        set_scissor(c, sink, i, v);
    return set_scissor(c, sink, 0, v);
}
GV_GL_SETTER(Scissor)

static bool set_ScissorIndexed(struct gv_gl_context *c, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call)
{
    const int32_t v[4] = { gv_gl_int(call, 1), gv_gl_int(call, 2), gv_gl_int(call, 3),
                           gv_gl_int(call, 4) };
    return set_scissor(c, sink, gv_gl_uint(call, 0), v);
}
GV_GL_SETTER(ScissorIndexed)

// Four integers of an array from element `first` on.
static bool four(const struct gv_trace_value *from, uint64_t first, int32_t v[4])
{
    for (uint64_t i = 0; i < 4; i++)
        v[i] = (int32_t)gv_trace_sint(gv_trace_item(from, first + i));
    return from->kind == GV_TRACE_ARRAY && from->count >= first + 4;
}

static bool set_ScissorIndexedv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                const struct gv_trace_call *call)
{
    int32_t v[4];
    if (!four(gv_trace_argument(call, 1), 0, v))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return set_scissor(c, sink, gv_gl_uint(call, 0), v);
}
GV_GL_SETTER(ScissorIndexedv)

static bool set_ScissorArrayv(struct gv_gl_context *c, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call)
{
    const int32_t first = gv_gl_int(call, 0), count = gv_gl_int(call, 1);
    if (!in_range(first, count))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    int32_t v[4];
    for (int32_t i = 0; i < count; i++)
        if (!four(gv_trace_argument(call, 2), 4 * (uint64_t)i, v) || v[2] < 0 ||
            v[3] < 0)
            return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (int32_t i = 0; i < count; i++) {
        four(gv_trace_argument(call, 2), 4 * (uint64_t)i, v);
        set_scissor(c, sink, (uint32_t)(first + i), v);
    }
    return true;
}
GV_GL_SETTER(ScissorArrayv)

const struct gv_gl_row gv_gl_viewport_rows[] = {
    { "glViewport", gl_Viewport, GV_GL_LISTED },
    { "glViewportArrayv", gl_ViewportArrayv, GV_GL_LISTED },
    { "glViewportIndexedf", gl_ViewportIndexedf, GV_GL_LISTED },
    { "glViewportIndexedfv", gl_ViewportIndexedfv, GV_GL_LISTED },
    { "glDepthRange", gl_DepthRange, GV_GL_LISTED },
    { "glDepthRangef", gl_DepthRange, GV_GL_LISTED },
    { "glDepthRangedNV", gl_DepthRange, GV_GL_LISTED },
    { "glDepthRangex", gl_DepthRangex, GV_GL_LISTED },
    { "glDepthRangeArrayv", gl_DepthRangeArrayv, GV_GL_LISTED },
    { "glDepthRangeArrayfvOES", gl_DepthRangeArrayv, GV_GL_LISTED },
    { "glDepthRangeArraydvNV", gl_DepthRangeArrayv, GV_GL_LISTED },
    { "glDepthRangeArrayfvNV", gl_DepthRangeArrayv, GV_GL_LISTED },
    { "glDepthRangeIndexed", gl_DepthRangeIndexed, GV_GL_LISTED },
    { "glDepthRangeIndexedfOES", gl_DepthRangeIndexed, GV_GL_LISTED },
    { "glDepthRangeIndexeddNV", gl_DepthRangeIndexed, GV_GL_LISTED },
    { "glDepthRangeIndexedfNV", gl_DepthRangeIndexed, GV_GL_LISTED },
    { "glClipControl", gl_ClipControl, GV_GL_LISTED },
    { "glScissor", gl_Scissor, GV_GL_LISTED },
    { "glScissorArrayv", gl_ScissorArrayv, GV_GL_LISTED },
    { "glScissorIndexed", gl_ScissorIndexed, GV_GL_LISTED },
    { "glScissorIndexedv", gl_ScissorIndexedv, GV_GL_LISTED },
    { 0 },
};
