// Pixels of the client: what glTexImage, glDrawPixels and the like are handed, by
// format, type and the unpack state; rows of them as colours, depth or indices, with
// pixel transfer applied.
#ifndef GV_GL_PIXELS_H
#define GV_GL_PIXELS_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/texels/client_texels.h"

// Of OES_texture_half_float; desktop GL has another number for it.
#define GV_GL_HALF_FLOAT_OES 0x8D61u

struct gv_gl_packed; // gl_packed.h

enum gv_gl_pixel_kind {
    GV_GL_PIXELS_COLOR,
    GV_GL_PIXELS_INTEGER, // colours of integers
    GV_GL_PIXELS_INDEX,
    GV_GL_PIXELS_STENCIL,
    GV_GL_PIXELS_DEPTH,
    GV_GL_PIXELS_DEPTH_STENCIL,
};

struct gv_gl_pixels {
    enum gv_gl_pixel_kind kind;
    struct gv_client_texel texel;
    uint32_t format, type;
    uint32_t width, height, depth;

    const uint8_t *bytes;                              // NULL: none
    uint64_t size;                                     // bytes there are
    uint64_t row_bytes, row_pitch, image_pitch, start; // bytes
    uint32_t first; // texels skipped in each row of bits
    // In a buffer that the device has written, instead of bytes: which of its images
    // has them, and where.
    const struct gv_gl_packed *packed;
    uint32_t packed_x, packed_y;
};

// What a format and type mean: GL_NO_ERROR and `out->kind`, `texel`; else GL's error.
uint32_t gv_gl_pixel_format(uint32_t format, uint32_t type, struct gv_gl_pixels *out);

// Strides, the first byte, and how many from there to the last (0: no pixels), of
// pixels whose layout and sizes are set. False: more than can be counted.
bool gv_gl_pixels_measure(const struct gv_gl_pixel_store *s, uint32_t dimensions,
                          struct gv_gl_pixels *p, uint64_t *bytes);

// Where argument `index` of the call has its pixels (format, type and sizes of `p` are
// set, `dimensions` are 1 to 3): recorded bytes or the bound unpack buffer.
// GL_NO_ERROR, or GL's error. p->bytes is NULL where nothing is to be read.
uint32_t gv_gl_pixels_locate(struct gv_gl *gl, uint32_t index, uint32_t dimensions,
                             struct gv_gl_pixels *p);

// Row `y` of image `z`, or NULL where it was not recorded whole.
const uint8_t *gv_gl_pixels_row(const struct gv_gl_pixels *p, uint32_t y, uint32_t z);

// Whether pixel transfer changes pixels of that kind.
bool gv_gl_pixels_transferred(const struct gv_gl_pixel *t, enum gv_gl_pixel_kind kind);

// A row (gv_gl_pixels_row) of `width` pixels after pixel transfer; colours and indices
// as RGBA. Not clamped.
bool gv_gl_pixels_rgba(const struct gv_gl_pixel *t, const struct gv_gl_pixels *p,
                       const uint8_t *row, float *rgba);

// A row of depth or stencil values after pixel transfer; either may be NULL.
void gv_gl_pixels_depth_stencil(const struct gv_gl_pixel *t,
                                const struct gv_gl_pixels *p, const uint8_t *row,
                                double *depth, uint8_t *stencil);

#endif
