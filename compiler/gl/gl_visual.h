// Visuals and configurations of frame buffers as programs ask for them. glretrace makes
// its own, but for samples; `gl.visual=recorded` follows what was asked for.
#ifndef GV_GL_VISUAL_H
#define GV_GL_VISUAL_H

#include "compiler/gl/gl_window.h"

struct gv_gl_visuals; // of a machine

struct gv_gl_visuals *gv_gl_visuals_create(struct gv_gl_sink *sink,
                                           struct gv_error *err);

// Of a context that is made for the visual in argument `i` (a structure XVisualInfo).
struct gv_gl_visual gv_gl_visual_of_info(const struct gv_gl *gl,
                                         const struct gv_trace_call *call, uint32_t i);
// Likewise for a configuration, of GLX or EGL.
struct gv_gl_visual gv_gl_visual_of_config(const struct gv_gl *gl,
                                           const struct gv_trace_call *call,
                                           uint32_t i);

extern const struct gv_gl_row gv_gl_visual_rows[];

#endif
