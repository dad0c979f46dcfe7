// glBegin and glEnd as they run, and what else feeds vertices one by one.
#ifndef GV_GL_IMMEDIATE_H
#define GV_GL_IMMEDIATE_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_run.h"

// A material that changes between the vertices of a primitive: one of its properties,
// per vertex, drawn as the colour that the material follows.
struct gv_gl_tint {
    uint32_t face, mode; // GL_FRONT ...; GL_DIFFUSE ...; 0: it does not change
    float *colors;       // owned; 4 floats a vertex
    uint32_t capacity;   // vertices
};

struct gv_gl_immediate {
    struct gv_gl_run run;
    bool pending; // whole primitives of `run` wait for others of their kind
    struct gv_gl_material material[2]; // of the first vertex
    struct gv_gl_tint tint;
};

void gv_gl_immediate_finish(struct gv_gl_immediate *m);

// Draws what waits. Before every call that is not GV_GL_INSIDE and before the context
// changes.
bool gv_gl_flush(struct gv_gl *gl, struct gv_error *err);

#endif
