// What the window systems' calls have in common: contexts, surfaces, and which of them
// are current on which thread. Window systems are imitated: a name that nobody made
// stands for a new object where it is first used.
#ifndef GV_GL_WINDOW_H
#define GV_GL_WINDOW_H

#include "compiler/gl/draw/gl_framebuffer.h"

bool gv_gl_windows_create(struct gv_gl *gl, struct gv_error *err);
void gv_gl_windows_destroy(struct gv_gl *gl);

// Makes the context that is current on a thread the machine's, or NULL if none is.
bool gv_gl_enter_thread(struct gv_gl *gl, uint32_t thread, struct gv_error *err);

// ---- contexts ----

struct gv_gl_context_kind {
    enum gv_gl_family family;
    uint32_t version; // 10 * major + minor
    bool core;
    struct gv_gl_visual visual;
    uint64_t share; // handle of the context to share objects with; 0: none
};

// A context that a call returned as `handle`; 0 made none.
bool gv_gl_context_create(struct gv_gl *gl, uint64_t handle,
                          struct gv_gl_context_kind kind, struct gv_error *err);

// The context `handle` has the objects of the context `with` from now on
// (wglShareLists). Nothing happens where one of them does not exist.
bool gv_gl_context_share(struct gv_gl *gl, uint64_t handle, uint64_t with,
                         struct gv_error *err);

// The share group of a context. False: nobody made one of that handle.
bool gv_gl_context_group(const struct gv_gl_windows *windows, uint64_t handle,
                         uint32_t *group);

// One that is current somewhere lives on until it is released.
void gv_gl_context_destroy(struct gv_gl *gl, uint64_t handle);

struct gv_gl_context *gv_gl_context_find(const struct gv_gl *gl, uint64_t handle);

// The API that eglBindAPI chose on the call's thread, initially GV_GL_ES.
enum gv_gl_family gv_gl_thread_family(const struct gv_gl_windows *windows);
void gv_gl_set_thread_family(struct gv_gl_windows *windows, enum gv_gl_family family);

// ---- surfaces ----

// Of a handle, or NULL. 0 is none.
struct gv_gl_surface *gv_gl_surface_find(const struct gv_gl *gl, uint64_t handle);

// That of a handle, made if there is none: a window.
struct gv_gl_surface *gv_gl_surface_obtain(struct gv_gl *gl, uint64_t handle,
                                           struct gv_error *err);

// A pbuffer under a handle, in place of what that was; its sides are at least 1.
bool gv_gl_pbuffer_create(struct gv_gl *gl, uint64_t handle, int64_t width,
                          int64_t height, struct gv_error *err);

// Takes the handle away. What is current stays so.
void gv_gl_surface_forget(struct gv_gl *gl, uint64_t handle);

// ---- current ----

// Handles as recorded; a `context` of 0 releases what is current on the call's thread.
// The first time a context is current its viewport and scissor become the surface's.
struct gv_gl_current_names {
    uint64_t draw, read, context;
};
bool gv_gl_make_current(struct gv_gl *gl, struct gv_gl_current_names names,
                        struct gv_error *err);

extern const struct gv_gl_row gv_gl_glx_rows[], gv_gl_egl_rows[], gv_gl_wgl_rows[],
    gv_gl_frame_rows[], gv_gl_viewport_rows[];

#endif
