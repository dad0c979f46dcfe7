// What internal formats of textures are stored as.
#ifndef GV_GL_TEXTURE_FORMAT_H
#define GV_GL_TEXTURE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/builder/builder.h"

// Which components are stored in red, green, blue and alpha of an image (0 to 3, or
// GV_STORED_ZERO, GV_STORED_ONE), and the swizzle that views bring them back by.
struct gv_gl_texture_layout {
    uint8_t stored[4];
    uint8_t view[4]; // GV_SWIZZLE_*
};

struct gv_gl_texture_format {
    uint32_t internal; // as given to glTexImage
    uint32_t base;     // GL_RGB ...
    uint32_t format;   // GV_FORMAT_*
    struct gv_gl_texture_layout layout;
    uint8_t kept[4]; // see the .def
};

// The format of an internal format, or NULL: none that is known.
const struct gv_gl_texture_format *gv_gl_texture_format(uint32_t internal);

// The same for pixels, whose type decides how much is kept where the internal format
// does not say. `blocks`: the target can have blocks, which Mesa chooses for most
// generic compressed formats; for others such a format is a plain one.
struct gv_gl_pixels;
const struct gv_gl_texture_format *
gv_gl_texture_format_for(uint32_t internal, const struct gv_gl_pixels *p, bool es,
                         bool blocks);

// Whether Mesa keeps texels of this internal format in blocks.
bool gv_gl_texture_format_has_blocks(uint32_t internal);

// A format of the same components that holds all four, so that images can be copied to
// it as they are; itself where that is so already.
const struct gv_gl_texture_format *
gv_gl_texture_format_wide(const struct gv_gl_texture_format *f);

// The plain format that stands in for a compressed one. Others as they are; NULL for
// NULL.
const struct gv_gl_texture_format *
gv_gl_texture_format_unpacked(const struct gv_gl_texture_format *f);

// Whether a GV_FORMAT_* is of colours of integers.
bool gv_gl_is_integer(uint32_t format);

// The format in which texels of a GV_FORMAT_* are seen as their bits: sRGB is light
// elsewhere.
uint32_t gv_gl_plain_format(uint32_t format);

// The GV_FORMAT_* of images: that of the row, or what stands in for it on this target.
uint32_t gv_gl_texture_device_format(const struct gv_builder *b,
                                     const struct gv_gl_texture_format *f);

// Whether the target has that format or one that stands in for it: of blocks that are
// not decoded (BPTC's floats) it may have neither.
bool gv_gl_texture_is_known(const struct gv_builder *b,
                            const struct gv_gl_texture_format *f);

#endif
