// WGL and CGL: contexts, pbuffers, what is current.
#include "compiler/gl/gl_window.h"

// wglext.h is not among Debian's headers.
#define WGL_CONTEXT_MAJOR_VERSION 0x2091
#define WGL_CONTEXT_MINOR_VERSION 0x2092
#define WGL_CONTEXT_PROFILE_MASK 0x9126
#define WGL_CONTEXT_CORE_PROFILE_BIT 1
#define WGL_CONTEXT_ES_PROFILE_BIT 4

static bool legacy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    const struct gv_gl_context_kind kind = { GV_GL_DESKTOP, 10, false };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

static bool wgl_CreateContextAttribsARB(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, 2);
    const int64_t major = gv_gl_pair_value(list, WGL_CONTEXT_MAJOR_VERSION, 1),
                  minor = gv_gl_pair_value(list, WGL_CONTEXT_MINOR_VERSION, 0),
                  profile = gv_gl_pair_value(list, WGL_CONTEXT_PROFILE_MASK,
                                             WGL_CONTEXT_CORE_PROFILE_BIT);
    const struct gv_gl_context_kind kind = {
        .family = profile & WGL_CONTEXT_ES_PROFILE_BIT ? GV_GL_ES : GV_GL_DESKTOP,
        .version = gv_gl_version(major, minor),
        .core = profile & WGL_CONTEXT_CORE_PROFILE_BIT,
    };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

static bool destroy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    gv_gl_context_destroy(gl, gv_trace_uint(gv_trace_argument(call, 0)));
    return true;
}

static bool wgl_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    const uint64_t surface = gv_trace_uint(gv_trace_argument(call, 0));
    const struct gv_gl_current_names names = {
        .draw = surface,
        .read = surface,
        .context = gv_trace_uint(gv_trace_argument(call, 1)),
    };
    return gv_gl_make_current(gl, names, err);
}

static bool wgl_MakeContextCurrentARB(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    const struct gv_gl_current_names names = {
        .draw = gv_trace_uint(gv_trace_argument(call, 0)),
        .read = gv_trace_uint(gv_trace_argument(call, 1)),
        .context = gv_trace_uint(gv_trace_argument(call, 2)),
    };
    return gv_gl_make_current(gl, names, err);
}

static bool wgl_CreatePbufferARB(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    return gv_gl_pbuffer_create(gl, gv_trace_uint(&call->result), gv_gl_int(call, 2),
                                gv_gl_int(call, 3), err);
}

// The device context is what is made current: a surface of the pbuffer's size, kept
// when it is asked for again.
static bool wgl_GetPbufferDCARB(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    const uint64_t handle = gv_trace_uint(&call->result);
    const struct gv_gl_surface *pbuffer = gv_gl_surface_find(
                                   gl, gv_trace_uint(gv_trace_argument(call, 0))),
                               *known = gv_gl_surface_find(gl, handle);
    if (!pbuffer)
        return true;
    if (known && known->pbuffer && known->width == pbuffer->width &&
        known->height == pbuffer->height)
        return true;
    return gv_gl_pbuffer_create(gl, handle, pbuffer->width, pbuffer->height, err);
}

static bool wgl_DestroyPbufferARB(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    (void)err;
    gv_gl_surface_forget(gl, gv_trace_uint(gv_trace_argument(call, 0)));
    return true;
}

static bool wgl_BindTexImageARB(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    (void)call;
    (void)err;
    return gv_gl_unsupported(gl, "wglBindTexImageARB");
}

// CGLCreateContext(pixel format, share, &context): the context is an output.
static bool CGL_CreateContext(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_gl_context_kind kind = { GV_GL_DESKTOP, 10, false };
    const struct gv_trace_value *out = gv_trace_item(gv_trace_argument(call, 2), 0);
    return gv_gl_context_create(gl, gv_trace_uint(out), kind, err);
}

static bool CGL_SetCurrentContext(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    const struct gv_gl_current_names names = {
        .context = gv_trace_uint(gv_trace_argument(call, 0)),
    };
    return gv_gl_make_current(gl, names, err);
}

const struct gv_gl_row gv_gl_wgl_rows[] = {
    { "wglCreateContext", legacy_context, GV_GL_ANYWHERE },
    { "wglCreateLayerContext", legacy_context, GV_GL_ANYWHERE },
    { "wglCreateContextAttribsARB", wgl_CreateContextAttribsARB, GV_GL_ANYWHERE },
    { "wglDeleteContext", destroy_context, GV_GL_ANYWHERE },
    { "wglMakeCurrent", wgl_MakeCurrent, GV_GL_ANYWHERE },
    { "wglMakeContextCurrentARB", wgl_MakeContextCurrentARB, GV_GL_ANYWHERE },
    { "wglMakeContextCurrentEXT", wgl_MakeContextCurrentARB, GV_GL_ANYWHERE },
    { "wglCreatePbufferARB", wgl_CreatePbufferARB, GV_GL_ANYWHERE },
    { "wglCreatePbufferEXT", wgl_CreatePbufferARB, GV_GL_ANYWHERE },
    { "wglGetPbufferDCARB", wgl_GetPbufferDCARB, GV_GL_ANYWHERE },
    { "wglGetPbufferDCEXT", wgl_GetPbufferDCARB, GV_GL_ANYWHERE },
    { "wglDestroyPbufferARB", wgl_DestroyPbufferARB, GV_GL_ANYWHERE },
    { "wglDestroyPbufferEXT", wgl_DestroyPbufferARB, GV_GL_ANYWHERE },
    { "wglBindTexImageARB", wgl_BindTexImageARB, GV_GL_ANYWHERE },
    { "CGLCreateContext", CGL_CreateContext, GV_GL_ANYWHERE },
    { "CGLDestroyContext", destroy_context, GV_GL_ANYWHERE },
    { "CGLSetCurrentContext", CGL_SetCurrentContext, GV_GL_ANYWHERE },
    { 0 },
};
