// What calls of GLX, EGL, WGL and CGL have in common but for where their arguments
// stand.
#ifndef GV_GL_WINDOW_CALLS_H
#define GV_GL_WINDOW_CALLS_H

#include "compiler/gl/gl_window.h"

// How an attribute list tells which context is wanted.
struct gv_gl_context_keys {
    uint32_t list;   // the argument
    uint32_t config; // the argument of the configuration; 0: there is none
    uint32_t share;  // the argument of the context to share objects with
    uint32_t major, minor, profile; // keys in it
    uint32_t core, es;              // bits of the profile; 0: there is none
};

// The context that a call returned: of an attribute list, of `family` unless a bit says
// GLES; of a visual, for calls without such a list; and of none.
bool gv_gl_create_listed_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 const struct gv_gl_context_keys *keys,
                                 enum gv_gl_family family, struct gv_error *err);
struct gv_gl_context_source {
    struct gv_gl_visual visual;
    uint64_t share; // handle of the context to share objects with; 0: none
};
bool gv_gl_create_visual_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 const struct gv_gl_context_source *source,
                                 struct gv_error *err);
bool gv_gl_create_legacy_context(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err);

// Makes current what a call names from argument `first` on, unless it failed: one
// surface and a context; a surface to draw to, one to read from and a context.
bool gv_gl_make_current_one(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t first, struct gv_error *err);
bool gv_gl_make_current_two(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t first, struct gv_error *err);

// Whether the recorded result says that the call failed (null, False).
bool gv_gl_failed(const struct gv_trace_call *call);

// An argument that is a handle.
uint64_t gv_gl_handle(const struct gv_trace_call *call, uint32_t argument);

// The value of `key` in an attribute list of pairs; `otherwise` where it is not there.
int64_t gv_gl_pair_value(const struct gv_trace_value *list, int64_t key,
                         int64_t otherwise);

#endif
