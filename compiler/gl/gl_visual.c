#include "compiler/gl/gl_visual.h"

#include <EGL/egl.h>
#include <GL/glx.h>
#include <GL/glxext.h>

#include "compiler/gl/gl_window_calls.h"
#include "compiler/lower/id_map.h"

#define MAX_VISUALS 65536u // later ones are as if nobody had asked for them
#define MAX_SAMPLES 16

// What is known of a visual or configuration.
struct known {
    struct gv_named named;
    uint32_t samples, accumulation, alpha; // at least; 0: not asked for
    uint32_t buffers;                      // of samples: 0: not asked for
    uint32_t told;                         // samples that glretrace hears of
    uint32_t light;                        // sRGB: enum gv_gl_color_space
};

struct gv_gl_visuals {
    struct gv_id_map visuals, configs; // by X's number, by handle
};

struct gv_gl_visuals *gv_gl_visuals_create(struct gv_gl_sink *sink,
                                           struct gv_error *err)
{
    struct gv_gl_visuals *v = gv_arena_alloc(sink->arena, sizeof *v);
    const struct gv_id_map map = { .arena = sink->arena,
                                   .object_bytes = sizeof(struct known),
                                   .serials = &sink->serials,
                                   .limit = MAX_VISUALS };
    if (v)
        v->visuals = v->configs = map;
    else
        gv_out_of_memory(err);
    return v;
}

// ---- what was asked for ----

// False: nothing that counts.
static bool note(struct known *k, int64_t key, int64_t value)
{
    uint32_t most = value > 0 ? value < MAX_SAMPLES ? (uint32_t)value : MAX_SAMPLES : 0;
    uint32_t *to = NULL;
    switch (key) {
    case GLX_SAMPLES:
    case EGL_SAMPLES:
        to = &k->samples;
        break;
    case GLX_SAMPLE_BUFFERS:
    case EGL_SAMPLE_BUFFERS:
        to = &k->buffers;
        break;
    case GLX_ACCUM_RED_SIZE:
    case GLX_ACCUM_GREEN_SIZE:
    case GLX_ACCUM_BLUE_SIZE:
    case GLX_ACCUM_ALPHA_SIZE:
        to = &k->accumulation;
        break;
    case GLX_ALPHA_SIZE:
    case EGL_ALPHA_SIZE:
        to = &k->alpha;
        break;
    case GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB:
        to = &k->light;
        most = value == 0   ? GV_GL_SPACE_LINEAR
               : value == 1 ? GV_GL_SPACE_SRGB
                            : GV_GL_SPACE_ANY; // GLX_DONT_CARE
        break;
    default:
        return false;
    }
    *to = *to > most ? *to : most;
    return true;
}

// Pairs of attributes; `lone`: but for GLX's first ones, which stand without a value.
static struct known read_list(const struct gv_trace_value *list, bool lone)
{
    struct known k = { 0 };
    for (uint64_t i = 0; list->kind == GV_TRACE_ARRAY && i < list->count; i++) {
        int64_t key = gv_trace_sint(&list->items[i]);
        if (lone && (key == GLX_USE_GL || key == GLX_RGBA || key == GLX_DOUBLEBUFFER ||
                     key == GLX_STEREO))
            continue;
        if (++i < list->count)
            note(&k, key, gv_trace_sint(&list->items[i]));
    }
    return k;
}

static struct known *obtain(struct gv_id_map *map, uint64_t name)
{
    struct gv_named *o = gv_id_find(map, name);
    if (!o && gv_id_create(map, name, &o) != GV_ID_OK)
        return NULL;
    return (struct known *)o;
}

static void keep(struct gv_id_map *map, uint64_t name, const struct known *k)
{
    struct known *to = obtain(map, name);
    if (!to)
        return;
    to->samples = k->samples;
    to->accumulation = k->accumulation;
    to->buffers = k->buffers;
    to->alpha = k->alpha;
    to->light = k->light ? k->light : to->light;
    to->told = to->told ? to->told : k->told;
}

static uint64_t visual_id(const struct gv_trace_value *info)
{
    const struct gv_trace_value *one =
        info->kind == GV_TRACE_ARRAY ? gv_trace_item(info, 0) : info;
    return one->kind == GV_TRACE_STRUCT ? gv_trace_uint(gv_trace_item(one, 1)) : 0;
}

// ---- calls ----

static bool choose_visual(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    (void)err;
    const struct known k = read_list(gv_trace_argument(call, 2), true);
    keep(&gl->visuals->visuals, visual_id(&call->result), &k);
    return true;
}

static void keep_all(struct gv_gl_visuals *visuals,
                     const struct gv_trace_value *configs, const struct known *k)
{
    for (uint64_t i = 0; configs->kind == GV_TRACE_ARRAY && i < configs->count; i++)
        keep(&visuals->configs, gv_trace_uint(&configs->items[i]), k);
}

static bool choose_configs(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    (void)err;
    struct known k = read_list(gv_trace_argument(call, 2), false);
    k.told = k.buffers ? k.samples : 0;
    keep_all(gl->visuals, &call->result, &k);
    return true;
}

static bool egl_choose_config(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    (void)err;
    struct known k = read_list(gv_trace_argument(call, 1), false);
    keep_all(gl->visuals, gv_trace_argument(call, 2), &k);
    return true;
}

// The surface that a call returned has the colours that its attributes ask for.
static bool take_space(struct gv_gl *gl, const struct gv_trace_call *call,
                       uint32_t list, struct gv_error *err)
{
    if (!gl->recorded_visual || !gv_trace_uint(&call->result))
        return true;
    struct gv_gl_surface *s =
        gv_gl_surface_obtain(gl, gv_trace_uint(&call->result), err);
    if (!s)
        return false;
    const int64_t asked = gv_gl_pair_value(gv_trace_argument(call, list),
                                           EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_LINEAR);
    s->space = asked == EGL_GL_COLORSPACE_SRGB ? GV_GL_SPACE_SRGB : GV_GL_SPACE_LINEAR;
    return true;
}

static bool egl_create_platform_window(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return take_space(gl, call, 3, err);
}

// glretrace hears of samples where a surface is made of what was chosen before a
// context is.
static void tell_samples(struct gv_gl_visuals *visuals,
                         const struct gv_trace_call *call)
{
    struct known *k = (struct known *)gv_id_find(
        &visuals->configs, gv_trace_uint(gv_trace_argument(call, 1)));
    if (k && k->buffers)
        k->told = k->samples;
}

static bool egl_create_window(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    tell_samples(gl->visuals, call);
    return take_space(gl, call, 3, err);
}

static bool egl_create_pbuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    tell_samples(gl->visuals, call);
    return take_space(gl, call, 2, err);
}

// A query tells what there is. glretrace takes samples from those of configurations.
static bool tell(struct gv_id_map *map, uint64_t name, const struct gv_trace_call *call)
{
    const int64_t key = gv_trace_sint(gv_trace_argument(call, 2));
    struct known *k = obtain(map, name);
    if (k &&
        note(k, key, gv_trace_sint(gv_trace_item(gv_trace_argument(call, 3), 0))) &&
        key == GLX_SAMPLES)
        k->told = k->samples;
    return true;
}

static bool get_config(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)err;
    return tell(&gl->visuals->visuals, visual_id(gv_trace_argument(call, 1)), call);
}

static bool get_config_attribute(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    (void)err;
    return tell(&gl->visuals->configs, gv_trace_uint(gv_trace_argument(call, 1)), call);
}

// The visual of a configuration has what that has.
static bool get_visual(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    (void)err;
    const struct known *k = (const struct known *)gv_id_find(
        &gl->visuals->configs, gv_trace_uint(gv_trace_argument(call, 1)));
    if (k)
        keep(&gl->visuals->visuals, visual_id(&call->result), k);
    return true;
}

// ---- contexts ----

static struct gv_gl_visual visual(const struct gv_gl *gl, const struct gv_named *found)
{
    const struct known *k = (const struct known *)found;
    if (!k)
        return (struct gv_gl_visual){ 0 };
    if (!gl->recorded_visual)
        return (struct gv_gl_visual){ .samples = k->told };
    return (struct gv_gl_visual){ .samples = k->samples,
                                  .accumulates = k->accumulation,
                                  .opaque = !k->alpha,
                                  .plain = k->light == GV_GL_SPACE_LINEAR };
}

struct gv_gl_visual gv_gl_visual_of_info(const struct gv_gl *gl,
                                         const struct gv_trace_call *call, uint32_t i)
{
    const uint64_t id = visual_id(gv_trace_argument(call, i));
    const struct gv_named *found = gv_id_find(&gl->visuals->visuals, id);
    return gl->recorded_visual ? visual(gl, found) : (struct gv_gl_visual){ 0 };
}

struct gv_gl_visual gv_gl_visual_of_config(const struct gv_gl *gl,
                                           const struct gv_trace_call *call, uint32_t i)
{
    const uint64_t handle = gv_trace_uint(gv_trace_argument(call, i));
    return visual(gl, gv_id_find(&gl->visuals->configs, handle));
}

const struct gv_gl_row gv_gl_visual_rows[] = {
    { "glXChooseVisual", choose_visual, GV_GL_ANYWHERE },
    { "glXGetConfig", get_config, GV_GL_ANYWHERE },
    { "glXChooseFBConfig", choose_configs, GV_GL_ANYWHERE },
    { "glXChooseFBConfigSGIX", choose_configs, GV_GL_ANYWHERE },
    { "glXGetFBConfigAttrib", get_config_attribute, GV_GL_ANYWHERE },
    { "glXGetFBConfigAttribSGIX", get_config_attribute, GV_GL_ANYWHERE },
    { "glXGetVisualFromFBConfig", get_visual, GV_GL_ANYWHERE },
    { "glXGetVisualFromFBConfigSGIX", get_visual, GV_GL_ANYWHERE },
    { "eglChooseConfig", egl_choose_config, GV_GL_ANYWHERE },
    { "eglCreateWindowSurface", egl_create_window, GV_GL_ANYWHERE },
    { "eglCreatePlatformWindowSurface", egl_create_platform_window, GV_GL_ANYWHERE },
    { "eglCreatePlatformWindowSurfaceEXT", egl_create_platform_window, GV_GL_ANYWHERE },
    { "eglCreatePbufferSurface", egl_create_pbuffer, GV_GL_ANYWHERE },
    { 0 },
};
