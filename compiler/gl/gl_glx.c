// GLX: contexts, pbuffers, what is current. Windows and pixmaps are made where they are
// first current; those that were destroyed keep their size, as their names do.
#include <GL/glx.h>
#include <GL/glxext.h>

#include "compiler/gl/gl_window.h"

static bool legacy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    const struct gv_gl_context_kind kind = { GV_GL_DESKTOP, 10, false };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

static bool glX_CreateContextAttribsARB(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, 4);
    const int64_t major = gv_gl_pair_value(list, GLX_CONTEXT_MAJOR_VERSION_ARB, 1),
                  minor = gv_gl_pair_value(list, GLX_CONTEXT_MINOR_VERSION_ARB, 0),
                  profile = gv_gl_pair_value(list, GLX_CONTEXT_PROFILE_MASK_ARB,
                                             GLX_CONTEXT_CORE_PROFILE_BIT_ARB);
    const struct gv_gl_context_kind kind = {
        .family = profile & GLX_CONTEXT_ES_PROFILE_BIT_EXT ? GV_GL_ES : GV_GL_DESKTOP,
        .version = gv_gl_version(major, minor),
        .core = profile & GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
    };
    return gv_gl_context_create(gl, gv_trace_uint(&call->result), kind, err);
}

static bool glX_DestroyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    gv_gl_context_destroy(gl, gv_trace_uint(gv_trace_argument(call, 1)));
    return true;
}

static bool glX_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    const uint64_t surface = gv_trace_uint(gv_trace_argument(call, 1));
    const struct gv_gl_current_names names = {
        .draw = surface,
        .read = surface,
        .context = gv_trace_uint(gv_trace_argument(call, 2)),
    };
    return gv_gl_make_current(gl, names, err);
}

static bool glX_MakeContextCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
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

static bool glX_CreatePbuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_trace_value *list = gv_trace_argument(call, 2);
    return gv_gl_pbuffer_create(gl, gv_trace_uint(&call->result),
                                gv_gl_pair_value(list, GLX_PBUFFER_WIDTH, 0),
                                gv_gl_pair_value(list, GLX_PBUFFER_HEIGHT, 0), err);
}

static bool glX_CreateGLXPbufferSGIX(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    return gv_gl_pbuffer_create(gl, gv_trace_uint(&call->result), gv_gl_int(call, 2),
                                gv_gl_int(call, 3), err);
}

static bool glX_DestroyPbuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    gv_gl_surface_forget(gl, gv_trace_uint(gv_trace_argument(call, 1)));
    return true;
}

static bool glX_CopyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)call;
    (void)err;
    return gv_gl_unsupported(gl, "glXCopyContext");
}

const struct gv_gl_row gv_gl_glx_rows[] = {
    { "glXCreateContext", legacy_context, GV_GL_ANYWHERE },
    { "glXCreateNewContext", legacy_context, GV_GL_ANYWHERE },
    { "glXCreateContextWithConfigSGIX", legacy_context, GV_GL_ANYWHERE },
    { "glXImportContextEXT", legacy_context, GV_GL_ANYWHERE },
    { "glXCreateContextAttribsARB", glX_CreateContextAttribsARB, GV_GL_ANYWHERE },
    { "glXCopyContext", glX_CopyContext, GV_GL_ANYWHERE },
    { "glXDestroyContext", glX_DestroyContext, GV_GL_ANYWHERE },
    { "glXFreeContextEXT", glX_DestroyContext, GV_GL_ANYWHERE },
    { "glXMakeCurrent", glX_MakeCurrent, GV_GL_ANYWHERE },
    { "glXMakeContextCurrent", glX_MakeContextCurrent, GV_GL_ANYWHERE },
    { "glXMakeCurrentReadSGI", glX_MakeContextCurrent, GV_GL_ANYWHERE },
    { "glXCreatePbuffer", glX_CreatePbuffer, GV_GL_ANYWHERE },
    { "glXCreateGLXPbufferSGIX", glX_CreateGLXPbufferSGIX, GV_GL_ANYWHERE },
    { "glXDestroyPbuffer", glX_DestroyPbuffer, GV_GL_ANYWHERE },
    { "glXDestroyGLXPbufferSGIX", glX_DestroyPbuffer, GV_GL_ANYWHERE },
    { 0 },
};
