// Texel formats of the AeroGPU ABI, and where the texels of a texture stand in its
// linear image (uploads, dirty ranges, guest memory).
#ifndef GV_AERO_FORMAT_H
#define GV_AERO_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_AERO_MAX_DIMENSION 16384u
#define GV_AERO_MAX_MIPS 15u // of a 16384-texel side
#define GV_AERO_MAX_LAYERS 2048u
#define GV_AERO_MAX_RESOURCE_BYTES (1ull << 30) // linear size of one resource

enum {
    GV_AERO_FORMAT_X8 = 1,
    GV_AERO_FORMAT_SRGB = 2,
    GV_AERO_FORMAT_DEPTH = 4,
    GV_AERO_FORMAT_STENCIL = 8,
};

struct gv_aero_format {
    const char *name;
    uint32_t number;  // in the ABI
    uint32_t bytes;   // of a texel or block
    uint32_t block;   // texels of a block's side: 1 or 4
    uint32_t vk;      // GV_FORMAT_*
    uint32_t sibling; // the sRGB form of a UNORM format and the reverse; 0 = none
    uint32_t flags;   // GV_AERO_FORMAT_*
};

// The row of a format number, or NULL.
const struct gv_aero_format *gv_aero_format_find(uint32_t number);

struct gv_aero_extent {
    uint32_t width, height, mips, layers;
    uint32_t row_pitch; // of mip 0; 0 = tight
};

// One (layer, mip) in the linear image: layers outermost, then mips.
struct gv_aero_subresource {
    uint32_t mip, layer;
    uint32_t width, height; // texels
    uint32_t pitch, tight;  // bytes from row to row, bytes of texels in a row
    uint32_t rows;          // rows of texels or blocks
    uint64_t offset, size;  // bytes
};

// Where (layer, mip) stands. The extent must have passed gv_aero_layout_size.
struct gv_aero_subresource gv_aero_subresource_at(const struct gv_aero_format *format,
                                                  const struct gv_aero_extent *extent,
                                                  uint32_t layer, uint32_t mip);

// Total bytes of the linear image; 0 if the pitch is under a tight row or the image
// is over GV_AERO_MAX_RESOURCE_BYTES.
uint64_t gv_aero_layout_size(const struct gv_aero_format *format,
                             const struct gv_aero_extent *extent);

// The most mips a texture of that size can have.
uint32_t gv_aero_max_mips(uint32_t width, uint32_t height);

#endif
