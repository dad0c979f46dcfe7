// Where vertices and current values go: to what is drawn now, into the list being made,
// or both.
#ifndef GV_GL_FEED_H
#define GV_GL_FEED_H

#include "compiler/gl/base/gl_machine.h"

// As gv_gl_now_* (gl_immediate.h).
bool gv_gl_feed_begin(struct gv_gl *gl, uint32_t mode, struct gv_error *err);
bool gv_gl_feed_set(struct gv_gl *gl, uint32_t slot, uint32_t size,
                    const float value[4], struct gv_error *err);
bool gv_gl_feed_vertex(struct gv_gl *gl, uint32_t size, const float position[4],
                       struct gv_error *err);
bool gv_gl_feed_end(struct gv_gl *gl, struct gv_error *err);

// Whether vertices that come belong to a primitive.
bool gv_gl_feed_inside(const struct gv_gl *gl);

#endif
