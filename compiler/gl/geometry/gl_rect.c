// glRect: a quadrilateral of two corners.
#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_list.h"

// (x1, y1, x2, y2), or two arrays (x, y).
static void corners(const struct gv_trace_call *call, float out[4])
{
    if (gv_trace_argument(call, 0)->kind == GV_TRACE_ARRAY) {
        gv_gl_floats(call, 0, out, 2);
        gv_gl_floats(call, 1, out + 2, 2);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        out[i] = gv_gl_float(call, i);
}

static bool gl_Rect(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    static const uint8_t order[4][2] = { { 0, 1 }, { 2, 1 }, { 2, 3 }, { 0, 3 } };
    float c[4];
    if (gv_gl_feed_inside(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    corners(call, c);
    if (!gv_gl_feed.begin(gl, GL_QUADS, err))
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        const float v[4] = { c[order[i][0]], c[order[i][1]], 0, 1 };
        if (!gv_gl_feed.vertex(gl, 2, v, err))
            return false;
    }
    return gv_gl_feed.end(gl, err);
}

// Inside of glBegin it is refused here, so that what waits need not be drawn before.
const struct gv_gl_row gv_gl_rect_rows[] = {
    { "glRects", gl_Rect, GV_GL_INSIDE },
    { "glRecti", gl_Rect, GV_GL_INSIDE },
    { "glRectf", gl_Rect, GV_GL_INSIDE },
    { "glRectd", gl_Rect, GV_GL_INSIDE },
    { "glRectsv", gl_Rect, GV_GL_INSIDE },
    { "glRectiv", gl_Rect, GV_GL_INSIDE },
    { "glRectfv", gl_Rect, GV_GL_INSIDE },
    { "glRectdv", gl_Rect, GV_GL_INSIDE },
    { NULL, NULL, 0 },
};
