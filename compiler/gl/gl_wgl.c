// WGL and CGL: contexts, pbuffers, what is current.
#include "compiler/gl/gl_window_calls.h"

// wglext.h is not among Debian's headers.
#define WGL_CONTEXT_MAJOR_VERSION 0x2091
#define WGL_CONTEXT_MINOR_VERSION 0x2092
#define WGL_CONTEXT_PROFILE_MASK 0x9126
#define WGL_CONTEXT_CORE_PROFILE_BIT 1
#define WGL_CONTEXT_ES_PROFILE_BIT 4

static bool wgl_CreateContextAttribsARB(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    static const struct gv_gl_context_keys keys = {
        .list = 2,
        .share = 1,
        .major = WGL_CONTEXT_MAJOR_VERSION,
        .minor = WGL_CONTEXT_MINOR_VERSION,
        .profile = WGL_CONTEXT_PROFILE_MASK,
        .core = WGL_CONTEXT_CORE_PROFILE_BIT,
        .es = WGL_CONTEXT_ES_PROFILE_BIT,
    };
    return gv_gl_create_listed_context(gl, call, &keys, GV_GL_DESKTOP, err);
}

static bool destroy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    gv_gl_context_destroy(gl, gv_gl_handle(call, 0));
    return true;
}

// (with, context)
static bool wgl_ShareLists(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    return gv_gl_failed(call) ||
           gv_gl_context_share(gl, gv_gl_handle(call, 1), gv_gl_handle(call, 0), err);
}

static bool wgl_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return gv_gl_make_current_one(gl, call, 0, err);
}

static bool wgl_MakeContextCurrentARB(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    return gv_gl_make_current_two(gl, call, 0, err);
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
    const struct gv_gl_surface *pbuffer = gv_gl_surface_find(gl, gv_gl_handle(call, 0)),
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
    gv_gl_surface_forget(gl, gv_gl_handle(call, 0));
    return true;
}

static bool wgl_BindTexImageARB(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    (void)call;
    (void)err;
    return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
}

// CGLCreateContext(pixel format, share, &context): the context is an output.
static bool CGL_CreateContext(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_gl_context_kind kind = {
        .family = GV_GL_DESKTOP,
        .version = 10,
        .share = gv_gl_handle(call, 1),
    };
    const struct gv_trace_value *out = gv_trace_item(gv_trace_argument(call, 2), 0);
    return gv_gl_context_create(gl, gv_trace_uint(out), kind, err);
}

static bool CGL_SetCurrentContext(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    const struct gv_gl_current_names names = {
        .context = gv_gl_handle(call, 0),
    };
    return gv_gl_make_current(gl, names, err);
}

const struct gv_gl_row gv_gl_wgl_rows[] = {
    { "wglCreateContext", gv_gl_create_legacy_context, GV_GL_ANYWHERE },
    { "wglCreateLayerContext", gv_gl_create_legacy_context, GV_GL_ANYWHERE },
    { "wglCreateContextAttribsARB", wgl_CreateContextAttribsARB, GV_GL_ANYWHERE },
    { "wglDeleteContext", destroy_context, GV_GL_ANYWHERE },
    { "wglShareLists", wgl_ShareLists, GV_GL_ANYWHERE },
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
