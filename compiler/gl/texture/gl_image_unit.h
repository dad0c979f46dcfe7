// Image units: levels of textures that programs load from and store to.
#ifndef GV_GL_IMAGE_UNIT_H
#define GV_GL_IMAGE_UNIT_H

#include "compiler/gl/texture/gl_texture.h"

// An image of a program, as it declares it.
struct gv_gl_image_use {
    uint8_t target;  // enum gv_gl_target of its type
    uint32_t texels; // GV_LOWER_TEXELS_FLOAT, _UINT or _SINT
    uint32_t format; // SpvImageFormat; 0: it does not say
    bool written;
};

// What a unit gives: a level of an image, or a buffer as texels; neither: nothing, all
// that is read is 0.
struct gv_gl_unit_storage {
    struct gv_image image;
    uint32_t format; // GV_FORMAT_*
    uint32_t type;   // GV_VIEW_TYPE_*
    uint32_t mip, layer, layers;
    struct gv_gl_buffer *texels; // NULL: it is an image
    uint64_t offset, size;       // bytes of it, whole texels
};

// What unit `unit` (any number) gives a program's image. May close the pass. False:
// `err`.
bool gv_gl_image_of_unit(struct gv_gl *gl, uint32_t unit,
                         const struct gv_gl_image_use *use,
                         struct gv_gl_unit_storage *out, struct gv_error *err);

extern const struct gv_gl_row gv_gl_image_unit_rows[];

#endif
