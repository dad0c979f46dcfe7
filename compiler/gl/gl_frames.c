// Where frames end: swaps of any window system, whatever their result, and the marker
// of programs that have no window.
#include "compiler/gl/gl.h"
#include "compiler/gl/gl_window.h"

static bool show(struct gv_gl *gl, const struct gv_trace_value *surface,
                 struct gv_error *err)
{
    return gv_gl_show(gl, gv_gl_surface_find(gl, gv_trace_uint(surface)), err);
}

// glXSwapBuffers(display, surface), eglSwapBuffers(display, surface) and their like.
static bool swap_of_display(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return show(gl, gv_trace_argument(call, 1), err);
}

static bool swap_of_device(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    return show(gl, gv_trace_argument(call, 0), err);
}

// wglSwapMultipleBuffers(count, structures that begin with the device): one frame.
static bool swap_of_several(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    const struct gv_trace_value *first = gv_trace_item(gv_trace_argument(call, 1), 0);
    return show(gl, gv_trace_item(first, 0), err);
}

static bool flush_of_context(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    const struct gv_gl_context *c =
        gv_gl_context_find(gl, gv_trace_uint(gv_trace_argument(call, 0)));
    return gv_gl_show(gl, c ? c->draw_surface : NULL, err);
}

static bool terminator(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)call;
    return gv_gl_show(gl, NULL, err);
}

const struct gv_gl_row gv_gl_frame_rows[] = {
    { "glXSwapBuffers", swap_of_display, GV_GL_ANYWHERE },
    { "glXSwapBuffersMscOML", swap_of_display, GV_GL_ANYWHERE },
    { "eglSwapBuffers", swap_of_display, GV_GL_ANYWHERE },
    { "eglSwapBuffersWithDamageEXT", swap_of_display, GV_GL_ANYWHERE },
    { "eglSwapBuffersWithDamageKHR", swap_of_display, GV_GL_ANYWHERE },
    { "wglSwapBuffers", swap_of_device, GV_GL_ANYWHERE },
    { "wglSwapLayerBuffers", swap_of_device, GV_GL_ANYWHERE },
    { "wglSwapMultipleBuffers", swap_of_several, GV_GL_ANYWHERE },
    { "CGLFlushDrawable", flush_of_context, GV_GL_ANYWHERE },
    { "glFrameTerminatorGREMEDY", terminator, GV_GL_ANYWHERE },
    { 0 },
};

bool gv_gl_ends_frame(const struct gv_trace_call *call)
{
    for (const struct gv_gl_row *row = gv_gl_frame_rows; row->name; row++)
        if (row == call->function->handler)
            return true;
    return false;
}
