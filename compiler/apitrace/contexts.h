// What OpenGL contexts a trace asks for, in words: "OpenGL 3.3 core", "OpenGL ES 2.0".
#ifndef GV_CONTEXTS_H
#define GV_CONTEXTS_H

#include "compiler/apitrace/trace/trace_call.h"
#include "resources/base/bytes.h"

#define GV_CONTEXTS_MAX 16u // different ones that are told apart

struct gv_context_ask {
    enum gv_context_family { GV_CONTEXT_GL, GV_CONTEXT_ES, GV_CONTEXT_VG } family;
    uint32_t major, minor;
    uint32_t profile; // bits of GLX_CONTEXT_PROFILE_MASK_ARB
    uint64_t count;   // contexts made so
};

// Zero-initialise.
struct gv_contexts {
    struct gv_context_ask asks[GV_CONTEXTS_MAX];
    size_t count;
    bool egl_gl, egl_vg; // what eglBindAPI chose last; else OpenGL ES
    bool glx, egl, wgl, cgl;
    bool gl, foreign; // calls of OpenGL, and of no such thing
};

// For who has a trace of OpenGL in which nothing makes a context.
#define GV_CONTEXTS_ADVICE                                                          \
    "no call of a window system is in the trace, so no frame ends: a program that " \
    "uses EGL is recorded by apitrace trace --api egl"

// Takes note of a function, by its name: of which window system it is.
void gv_contexts_note_function(struct gv_contexts *c, const char *name);
// Whether no window system has been noted where OpenGL would need one.
bool gv_contexts_lack_system(const struct gv_contexts *c);

// Takes note of a call, its function included: of those that make contexts, and of
// whose they are.
void gv_contexts_note(struct gv_contexts *c, const struct gv_trace_call *call);

// "OpenGL 1.0 (2), OpenGL 3.3 core", terminated; "none".
void gv_contexts_put(const struct gv_contexts *c, struct gv_bytes *out);
// "GLX", "EGL, GLX"; terminated; "none".
void gv_contexts_put_systems(const struct gv_contexts *c, struct gv_bytes *out);

#endif
