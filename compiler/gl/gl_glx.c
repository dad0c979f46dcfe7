// GLX: contexts, pbuffers, what is current. Windows and pixmaps are made where they are
// first current; those that were destroyed keep their size, as their names do.
#include <GL/glx.h>
#include <GL/glxext.h>

#include "compiler/gl/gl_visual.h"
#include "compiler/gl/gl_window_calls.h"

static bool glX_CreateContext(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    const struct gv_gl_context_source source = {
        .visual = gv_gl_visual_of_info(gl, call, 1),
        .share = gv_gl_handle(call, 2),
    };
    return gv_gl_create_visual_context(gl, call, &source, err);
}

static bool glX_CreateNewContext(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    const struct gv_gl_context_source source = {
        .visual = gv_gl_visual_of_config(gl, call, 1),
        .share = gv_gl_handle(call, 3),
    };
    return gv_gl_create_visual_context(gl, call, &source, err);
}

static bool glX_CreateContextAttribsARB(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    static const struct gv_gl_context_keys keys = {
        .list = 4,
        .config = 1,
        .share = 2,
        .major = GLX_CONTEXT_MAJOR_VERSION_ARB,
        .minor = GLX_CONTEXT_MINOR_VERSION_ARB,
        .profile = GLX_CONTEXT_PROFILE_MASK_ARB,
        .core = GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
        .es = GLX_CONTEXT_ES_PROFILE_BIT_EXT,
    };
    return gv_gl_create_listed_context(gl, call, &keys, GV_GL_DESKTOP, err);
}

static bool glX_DestroyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    gv_gl_context_destroy(gl, gv_gl_handle(call, 1));
    return true;
}

static bool glX_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return gv_gl_make_current_one(gl, call, 1, err);
}

static bool glX_MakeContextCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    return gv_gl_make_current_two(gl, call, 1, err);
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
    gv_gl_surface_forget(gl, gv_gl_handle(call, 1));
    return true;
}

static bool glX_CopyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)call;
    (void)err;
    return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
}

const struct gv_gl_row gv_gl_glx_rows[] = {
    { "glXCreateContext", glX_CreateContext, GV_GL_ANYWHERE },
    { "glXCreateNewContext", glX_CreateNewContext, GV_GL_ANYWHERE },
    { "glXCreateContextWithConfigSGIX", glX_CreateNewContext, GV_GL_ANYWHERE },
    { "glXImportContextEXT", gv_gl_create_legacy_context, GV_GL_ANYWHERE },
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
