// Where vertices and current values go: to what is drawn now, into the list being made,
// or both.
#ifndef GV_GL_FEED_H
#define GV_GL_FEED_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/geometry/gl_run.h"

// What takes vertices. `set`: a value of a slot, all 4 words in `value`; `vertex`: the
// position, of which `size` components were given.
struct gv_gl_vertex_sink {
    bool (*begin)(struct gv_gl *gl, uint32_t mode, struct gv_error *err);
    bool (*set)(struct gv_gl *gl, uint32_t slot, struct gv_gl_shape shape,
                const float value[4], struct gv_error *err);
    bool (*vertex)(struct gv_gl *gl, uint32_t size, const float position[4],
                   struct gv_error *err);
    bool (*end)(struct gv_gl *gl, struct gv_error *err);
};

extern const struct gv_gl_vertex_sink gv_gl_drawn;  // gl_immediate.c
extern const struct gv_gl_vertex_sink gv_gl_listed; // gl_list_build.c
extern const struct gv_gl_vertex_sink gv_gl_feed;   // what the context is at

// Whether there are primitives of a mode: with adjacency, and patches, under programs.
bool gv_gl_has_mode(const struct gv_gl_context *c, uint32_t mode);

// Whether programs replace the fixed function: they need no positions.
bool gv_gl_is_programmed(const struct gv_gl_context *c);

// Whether the context makes a list, and whether calls take effect now: both, of
// GL_COMPILE_AND_EXECUTE.
bool gv_gl_is_listing(const struct gv_gl_context *c);
bool gv_gl_is_drawing(const struct gv_gl_context *c);

// Whether vertices that come belong to a primitive.
bool gv_gl_feed_inside(const struct gv_gl_context *c);

#endif
