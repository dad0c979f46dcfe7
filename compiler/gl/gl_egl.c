// EGL: contexts of the API that eglBindAPI chose, what is current. Surfaces, pbuffers
// too, are made where they are first current.
#include <EGL/egl.h>

#include "compiler/gl/gl_window.h"

static bool egl_BindAPI(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    if (gv_gl_failed(call))
        return true;
    const uint32_t api = gv_gl_uint(call, 0);
    if (api == EGL_OPENGL_API)
        gv_gl_set_thread_family(gl, GV_GL_DESKTOP);
    else if (api == EGL_OPENGL_ES_API)
        gv_gl_set_thread_family(gl, GV_GL_ES);
    return true;
}

static bool egl_CreateContext(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, 3);
    const int64_t major = gv_gl_pair_value(list, EGL_CONTEXT_MAJOR_VERSION, 1),
                  minor = gv_gl_pair_value(list, EGL_CONTEXT_MINOR_VERSION, 0),
                  profile = gv_gl_pair_value(list, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT);
    const struct gv_gl_context_kind kind = {
        .family = gv_gl_thread_family(gl),
        .version = gv_gl_version(major, minor),
        .core = profile & EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

static bool egl_DestroyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    if (!gv_gl_failed(call))
        gv_gl_context_destroy(gl, gv_trace_uint(gv_trace_argument(call, 1)));
    return true;
}

static bool egl_DestroySurface(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    if (!gv_gl_failed(call))
        gv_gl_surface_forget(gl, gv_trace_uint(gv_trace_argument(call, 1)));
    return true;
}

static bool egl_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    const struct gv_gl_current_names names = {
        .draw = gv_trace_uint(gv_trace_argument(call, 1)),
        .read = gv_trace_uint(gv_trace_argument(call, 2)),
        .context = gv_trace_uint(gv_trace_argument(call, 3)),
    };
    return gv_gl_make_current(gl, names, err);
}

static bool egl_ReleaseThread(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    gv_gl_set_thread_family(gl, GV_GL_ES);
    const struct gv_gl_current_names none = { 0 };
    return gv_gl_make_current(gl, none, err);
}

const struct gv_gl_row gv_gl_egl_rows[] = {
    { "eglBindAPI", egl_BindAPI, GV_GL_ANYWHERE },
    { "eglCreateContext", egl_CreateContext, GV_GL_ANYWHERE },
    { "eglDestroyContext", egl_DestroyContext, GV_GL_ANYWHERE },
    { "eglDestroySurface", egl_DestroySurface, GV_GL_ANYWHERE },
    { "eglMakeCurrent", egl_MakeCurrent, GV_GL_ANYWHERE },
    { "eglReleaseThread", egl_ReleaseThread, GV_GL_ANYWHERE },
    { 0 },
};
