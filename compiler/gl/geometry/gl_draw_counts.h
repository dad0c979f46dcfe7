// How many of several indirect draws there are, where the device alone knows it.
#ifndef GV_GL_DRAW_COUNTS_H
#define GV_GL_DRAW_COUNTS_H

#include "compiler/gl/base/gl_buffer.h"

// Commands as a call names them: `bytes`, or of the device's `buffer` from `offset` on.
struct gv_gl_indirect {
    const uint8_t *bytes; // NULL: the buffer's
    struct gv_gl_buffer *buffer;
    uint64_t offset, count, stride;
    uint32_t size; // bytes of each: 16, or 20 with indices
};

// Fills `out` with copies, one behind the other, of which those from the number that
// `limit` holds on draw no instance: the caller ends it with gv_gl_buffer_leave.
bool gv_gl_limit_draws(struct gv_gl *gl, const struct gv_gl_indirect *c,
                       const struct gv_gl_buffer_part *limit, struct gv_gl_buffer *out,
                       struct gv_error *err);

#endif
