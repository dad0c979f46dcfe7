// What a draw's stages read of vertices and instances, put together for the device.
#ifndef GV_GL_DRAW_VERTICES_H
#define GV_GL_DRAW_VERTICES_H

#include "compiler/gl/draw/gl_pipeline.h"

// Instances in front of the first that are left free where programs see
// gl_BaseInstance.
#define GV_GL_MAX_STEPS_SKIPPED 65536u

// The vertices that indices name: `numbers` count from the first of them then.
void gv_gl_narrow_vertices(const struct gv_gl_numbers *n, uint32_t *numbers,
                           uint32_t *first, uint32_t *count);

// The vertices from `first` on, what the stages read of them one behind the other.
// False: memory.
bool gv_gl_interleave_vertices(const struct gv_gl *gl, const struct gv_gl_draw *d,
                               uint32_t first, uint32_t count, struct gv_bytes *out);

// Names what the two above make of a draw: equal names, equal vertices and numbers.
// False: it may differ from draw to draw.
bool gv_gl_vertices_key(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                        const struct gv_gl_numbers *n, struct gv_hash *out);

// Room for what gv_gl_interleave_vertices makes is the caller's.
void gv_gl_interleave_into(const struct gv_gl *gl, const struct gv_gl_draw *d,
                           uint32_t first, uint32_t count, uint8_t *out);

// The same of what steps by instance, into `bytes`; `out` says where it is bound.
bool gv_gl_interleave_steps(const struct gv_gl *gl, const struct gv_gl_draw *d,
                            struct gv_bytes *bytes, struct gv_gl_batch_steps *out);

#endif
