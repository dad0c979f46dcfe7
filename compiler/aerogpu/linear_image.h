// Texels as sources keep them in memory: one linear image of layers, each of mips, rows
// of texels or blocks behind each other. Pure arithmetic over sizes.
#ifndef GV_LINEAR_IMAGE_H
#define GV_LINEAR_IMAGE_H

#include <stdint.h>

#define GV_LINEAR_MAX_LINEAR (1ull << 30) // bytes of one linear image
#define GV_LINEAR_MAX_SIDE 16384u         // texels

enum {
    GV_LINEAR_OPAQUE = 1, // what is stored as alpha means nothing: it is 1
    GV_LINEAR_SRGB = 2,
    GV_LINEAR_DEPTH = 4,
    // Bits 0 to 23 of a texel are depth, 24 to 31 stencil; `format` has floats.
    GV_LINEAR_STENCIL = 8,
};

// A texel format of a source.
struct gv_linear_format {
    const char *name;
    uint32_t bytes;   // of a texel or block
    uint32_t block;   // texels of a block's side: 1 or 4
    uint32_t format;  // GV_FORMAT_* of images of it
    uint32_t sibling; // the sRGB form of a UNORM format and the reverse; 0 = none
    uint32_t flags;   // GV_LOWER_*
};

struct gv_linear_extent {
    uint32_t width, height, mips, layers;
    uint32_t row_pitch; // bytes, of mip 0; 0 = tight
};

// One (layer, mip) in the linear image.
struct gv_linear_subresource {
    uint32_t mip, layer;
    uint32_t width, height; // texels
    uint32_t pitch, tight;  // bytes from row to row, bytes of texels in a row
    uint32_t rows;          // rows of texels or blocks
    uint64_t offset, size;  // bytes
};

// Total bytes of the linear image; 0 if the pitch is under a tight row or the image is
// over GV_LINEAR_MAX_LINEAR. Sides are at most GV_LINEAR_MAX_SIDE.
uint64_t gv_linear_size(const struct gv_linear_format *f,
                        const struct gv_linear_extent *e);

// Where (layer, mip) stands. The extent must have a gv_linear_size.
struct gv_linear_subresource gv_linear_subresource(const struct gv_linear_format *f,
                                                   const struct gv_linear_extent *e,
                                                   uint32_t layer, uint32_t mip);

// The subresource that holds byte `offset` of a linear image of `size` bytes.
struct gv_linear_subresource gv_linear_locate(const struct gv_linear_format *f,
                                              const struct gv_linear_extent *e,
                                              uint64_t size, uint64_t offset);

#endif
