// Transform feedback of a context: its objects, and what the bound one is about. Calls
// are in draw/gl_transform_feedback.c.
#ifndef GV_GL_CAPTURING_H
#define GV_GL_CAPTURING_H

#include "compiler/builder/builder.h"
#include "compiler/gl/base/gl_context.h"
#include "compiler/lower/id_map.h"

#define GV_GL_CAPTURE_BUFFERS 4u

// One transform feedback object.
struct gv_gl_capture {
    struct gv_named named;
    bool active, paused;
    bool ended;    // once: what it has can be drawn
    bool began;    // something was captured since the last begin: counters count
    uint32_t mode; // GL_POINTS, GL_LINES, GL_TRIANGLES
    struct gv_gl_program *program; // of its begin; compared, nothing else
    // While another object is bound; else the context's.
    struct gv_gl_buffer_point points[GV_GL_CAPTURE_BUFFERS];
    // Bytes that were captured, a word for each buffer, on the device.
    struct gv_buffer counters;
    // Of the last program that was captured from: 0: not written.
    uint32_t strides[GV_GL_CAPTURE_BUFFERS], streams[GV_GL_CAPTURE_BUFFERS];
};

struct gv_gl_capturing {
    struct gv_id_map names;
    struct gv_gl_capture unnamed; // object 0
    struct gv_gl_capture *bound;
};

// What draws of the context are captured by; NULL: none.
static inline struct gv_gl_capture *gv_gl_captures(const struct gv_gl_context *c)
{
    struct gv_gl_capture *t = c->capturing ? c->capturing->bound : NULL;
    return t && t->active && !t->paused ? t : NULL;
}

#endif
