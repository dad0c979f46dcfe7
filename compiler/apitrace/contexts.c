#include "compiler/apitrace/contexts.h"

#include <string.h>

// GLX_ARB_create_context, WGL_ARB_create_context and EGL 1.5 have the same numbers
// where they have the same names, but for these.
enum {
    ARB_MAJOR_VERSION = 0x2091,
    ARB_MINOR_VERSION = 0x2092,
    ARB_PROFILE_MASK = 0x9126,
    EGL_MAJOR_VERSION = 0x3098, // EGL_CONTEXT_CLIENT_VERSION too
    EGL_MINOR_VERSION = 0x30FB,
    EGL_PROFILE_MASK = 0x30FD,
    EGL_NONE = 0x3038,
    EGL_OPENVG_API = 0x30A1,
    EGL_OPENGL_API = 0x30A2,
};

enum { CORE = 1, ES2 = 4 };

static void read_attributes(const struct gv_trace_value *list, bool egl,
                            struct gv_context_ask *ask)
{
    for (uint64_t i = 0; list->kind == GV_TRACE_ARRAY && i + 1 < list->count; i += 2) {
        uint64_t key = gv_trace_uint(&list->items[i]);
        uint32_t value = (uint32_t)gv_trace_uint(&list->items[i + 1]);
        if (key == (egl ? EGL_NONE : 0))
            return;
        if (key == (egl ? EGL_MAJOR_VERSION : ARB_MAJOR_VERSION))
            ask->major = value;
        else if (key == (egl ? EGL_MINOR_VERSION : ARB_MINOR_VERSION))
            ask->minor = value;
        else if (key == (egl ? EGL_PROFILE_MASK : ARB_PROFILE_MASK))
            ask->profile = value;
    }
}

static void add(struct gv_contexts *c, const struct gv_context_ask *ask)
{
    for (size_t i = 0; i < c->count; i++) {
        struct gv_context_ask *a = &c->asks[i];
        if (a->family == ask->family && a->major == ask->major &&
            a->minor == ask->minor && a->profile == ask->profile) {
            a->count++;
            return;
        }
    }
    if (c->count < GV_CONTEXTS_MAX)
        c->asks[c->count++] = *ask;
}

static void note_created(struct gv_contexts *c, const struct gv_trace_call *call)
{
    const char *name = call->function->name;
    struct gv_context_ask ask = { .major = 1, .count = 1 };
    if (gv_trace_uint(&call->result) == 0)
        return;
    if (strcmp(name, "eglCreateContext") == 0) {
        ask.family = c->egl_gl   ? GV_CONTEXT_GL
                     : c->egl_vg ? GV_CONTEXT_VG
                                 : GV_CONTEXT_ES;
        read_attributes(gv_trace_argument(call, 3), true, &ask);
    } else if (strcmp(name, "glXCreateContextAttribsARB") == 0) {
        read_attributes(gv_trace_argument(call, 4), false, &ask);
    } else if (strcmp(name, "wglCreateContextAttribsARB") == 0) {
        read_attributes(gv_trace_argument(call, 2), false, &ask);
    }
    if (ask.family == GV_CONTEXT_GL && (ask.profile & ES2))
        ask.family = GV_CONTEXT_ES;
    // A profile is no matter below OpenGL 3.2.
    if (ask.family != GV_CONTEXT_GL || ask.major < 3 ||
        (ask.major == 3 && ask.minor < 2))
        ask.profile = 0;
    add(c, &ask);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

void gv_contexts_note_function(struct gv_contexts *c, const char *name)
{
    bool *const of = begins(name, "glX")   ? &c->glx
                     : begins(name, "egl") ? &c->egl
                     : begins(name, "wgl") ? &c->wgl
                     : begins(name, "CGL") ? &c->cgl
                     : begins(name, "gl")  ? &c->gl
                                           : &c->foreign;
    *of = true;
}

bool gv_contexts_lack_system(const struct gv_contexts *c)
{
    return !c->glx && !c->egl && !c->wgl && !c->cgl && (c->gl || !c->foreign);
}

void gv_contexts_note(struct gv_contexts *c, const struct gv_trace_call *call)
{
    const char *name = call->function->name;
    gv_contexts_note_function(c, name);
    if (strcmp(name, "eglBindAPI") == 0 && gv_trace_uint(&call->result)) {
        uint64_t api = gv_trace_uint(gv_trace_argument(call, 0));
        c->egl_gl = api == EGL_OPENGL_API;
        c->egl_vg = api == EGL_OPENVG_API;
    }
    if (begins(name, "glXCreateContext") || strcmp(name, "glXCreateNewContext") == 0 ||
        strcmp(name, "eglCreateContext") == 0 || begins(name, "wglCreateContext") ||
        strcmp(name, "CGLCreateContext") == 0)
        note_created(c, call);
}

void gv_contexts_put(const struct gv_contexts *c, struct gv_bytes *out)
{
    static const char *const families[] = { "OpenGL", "OpenGL ES", "OpenVG" };
    for (size_t i = 0; i < c->count; i++) {
        const struct gv_context_ask *a = &c->asks[i];
        gv_bytes_printf(out, "%s%s %u.%u", i ? ", " : "", families[a->family], a->major,
                        a->minor);
        if (a->profile)
            gv_bytes_printf(out, a->profile & CORE ? " core" : " compatibility");
        if (a->count > 1)
            gv_bytes_printf(out, " (%llu)", (unsigned long long)a->count);
    }
    gv_bytes_put(out, c->count ? "" : "none", c->count ? 1 : 5);
}

void gv_contexts_put_systems(const struct gv_contexts *c, struct gv_bytes *out)
{
    const struct {
        bool seen;
        const char *name;
    } systems[] = {
        { c->glx, "GLX" }, { c->egl, "EGL" }, { c->wgl, "WGL" }, { c->cgl, "CGL" }
    };
    size_t start = out->size;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (systems[i].seen)
            gv_bytes_printf(out, "%s%s", out->size > start ? ", " : "",
                            systems[i].name);
    gv_bytes_put(out, out->size > start ? "" : "none", out->size > start ? 1 : 5);
}
