// EGL: contexts of the API that eglBindAPI chose, what is current. Surfaces, pbuffers
// too, are made where they are first current.
#include <EGL/egl.h>

#include "compiler/gl/draw/gl_egl_image.h"
#include "compiler/gl/gl_window_calls.h"

static bool egl_BindAPI(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    if (gv_gl_failed(call))
        return true;
    const uint32_t api = gv_gl_uint(call, 0);
    if (api == EGL_OPENGL_API)
        gv_gl_set_thread_family(gl->windows, GV_GL_DESKTOP);
    else if (api == EGL_OPENGL_ES_API)
        gv_gl_set_thread_family(gl->windows, GV_GL_ES);
    return true;
}

static bool egl_CreateContext(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    static const struct gv_gl_context_keys keys = {
        .list = 3,
        .config = 1,
        .share = 2,
        .major = EGL_CONTEXT_MAJOR_VERSION,
        .minor = EGL_CONTEXT_MINOR_VERSION,
        .profile = EGL_CONTEXT_OPENGL_PROFILE_MASK,
        .core = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    };
    return gv_gl_create_listed_context(gl, call, &keys,
                                       gv_gl_thread_family(gl->windows), err);
}

static bool egl_DestroyContext(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    if (!gv_gl_failed(call))
        gv_gl_context_destroy(gl, gv_gl_handle(call, 1));
    return true;
}

static bool egl_DestroySurface(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    if (!gv_gl_failed(call))
        gv_gl_surface_forget(gl, gv_gl_handle(call, 1));
    return true;
}

static bool egl_MakeCurrent(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    return gv_gl_make_current_two(gl, call, 1, err);
}

static bool egl_ReleaseThread(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    if (gv_gl_failed(call))
        return true;
    gv_gl_set_thread_family(gl->windows, GV_GL_ES);
    const struct gv_gl_current_names none = { 0 };
    return gv_gl_make_current(gl, none, err);
}

// What an image is made of: a level of a texture, a renderbuffer; of others nothing.
static struct gv_gl_attachment source_of(uint32_t target, uint32_t name,
                                         const struct gv_trace_value *list)
{
    const struct gv_gl_attachment level = {
        .kind = GV_GL_ATTACHED_TEXTURE,
        .name = name,
        .level = (uint32_t)gv_gl_pair_value(list, EGL_GL_TEXTURE_LEVEL, 0),
    };
    struct gv_gl_attachment a = level;
    switch (target) {
    case EGL_GL_TEXTURE_2D:
        return level;
    case EGL_GL_TEXTURE_3D:
        a.layer = (uint32_t)gv_gl_pair_value(list, EGL_GL_TEXTURE_ZOFFSET, 0);
        return a;
    case EGL_GL_RENDERBUFFER:
        return (struct gv_gl_attachment){ .kind = GV_GL_ATTACHED_RENDERBUFFER,
                                          .name = name };
    default:
        a.layer = target - EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X;
        return a.layer < 6 ? a : (struct gv_gl_attachment){ 0 };
    }
}

// (display, context, target, buffer, attributes)
static bool egl_CreateImage(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    const struct gv_gl_attachment of =
        source_of(gv_gl_uint(call, 2), (uint32_t)gv_gl_handle(call, 3),
                  gv_trace_argument(call, 4));
    uint32_t group = 0;
    if (!gv_trace_uint(&call->result) ||
        !gv_gl_context_group(gl->windows, gv_gl_handle(call, 1), &group))
        return true;
    return gv_gl_egl_image_make(gl, gv_trace_uint(&call->result), group, &of, err);
}

static bool egl_DestroyImage(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    (void)err;
    if (!gv_gl_failed(call))
        gv_gl_egl_image_destroy(gl->drawing, &gl->sink, gv_gl_handle(call, 1));
    return true;
}

const struct gv_gl_row gv_gl_egl_rows[] = {
    { "eglBindAPI", egl_BindAPI, GV_GL_ANYWHERE },
    { "eglCreateContext", egl_CreateContext, GV_GL_ANYWHERE },
    { "eglDestroyContext", egl_DestroyContext, GV_GL_ANYWHERE },
    { "eglDestroySurface", egl_DestroySurface, GV_GL_ANYWHERE },
    { "eglMakeCurrent", egl_MakeCurrent, GV_GL_ANYWHERE },
    { "eglCreateImage", egl_CreateImage, GV_GL_ANYWHERE },
    { "eglCreateImageKHR", egl_CreateImage, GV_GL_ANYWHERE },
    { "eglDestroyImage", egl_DestroyImage, GV_GL_ANYWHERE },
    { "eglDestroyImageKHR", egl_DestroyImage, GV_GL_ANYWHERE },
    { "eglReleaseThread", egl_ReleaseThread, GV_GL_ANYWHERE },
    { 0 },
};
