// Pixels that the device has written into buffers (glReadPixels, glGetTexImage): their
// bytes are in no recording. The device keeps them as images, and what takes them out
// of the buffer again as they were put there takes the image.
#ifndef GV_GL_PACKED_H
#define GV_GL_PACKED_H

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/texture/gl_pixels.h"

#define GV_GL_PACKED 16u // kept at once; older ones are unknown bytes

struct gv_gl_packed {
    uint64_t buffer, version;      // serial and content of the buffer
    uint32_t pixels, type;         // GL's format and type
    uint64_t start, row_pitch;     // bytes
    uint32_t texel, width, height; // bytes of one
    bool opaque;                   // alpha is 1, whatever the image has
    struct gv_image image;         // GL's rows: the lowest is row 0
    uint32_t format;               // of the image, GV_FORMAT_*
};

// Pixels of `p` (a format and type, and where they are: gv_gl_pixels_measure) are
// written into a buffer, from colours of a format. What the buffer holds is unknown
// from here on, but for what such images have. Returns one to fill; NULL: nobody will
// know these pixels.
struct gv_gl_packed *gv_gl_packed_make(struct gv_gl *gl, struct gv_gl_buffer *b,
                                       const struct gv_gl_pixels *p, uint32_t format);

// Where pixels of `p` are, in the image that has them; NULL: in none.
const struct gv_gl_packed *gv_gl_packed_find(const struct gv_gl *gl,
                                             const struct gv_gl_buffer *b,
                                             const struct gv_gl_pixels *p, uint32_t *x,
                                             uint32_t *y);

#endif
