// Images of textures as calls define them and write parts of them; for the files of
// this folder and for copies from framebuffers (draw/).
#ifndef GV_TEXTURE_IMAGE_H
#define GV_TEXTURE_IMAGE_H

#include "compiler/gl/texture/texture_object.h"

// Levels that textures of a target can have.
uint32_t gv_gl_texture_levels(uint32_t target);

// Whether an image of that level, size (as given; without borders) and format may be
// defined: GL_NO_ERROR, or GL's error. `f` may be NULL: no such format.
uint32_t gv_gl_texture_legal(const struct gv_gl_image_target *at, int32_t level,
                             const int32_t size[3],
                             const struct gv_gl_texture_format *f);

// The bound texture that may be defined; NULL: immutable.
struct gv_gl_texture *gv_gl_texture_to_define(const struct gv_gl_context *c,
                                              const struct gv_gl_objects *objects,
                                              const struct gv_gl_image_target *at);

// What gv_gl_texture_define takes, from sizes as they are given.
struct gv_gl_texture_image gv_gl_texture_shape(struct gv_builder *b,
                                               const struct gv_gl_image_target *at,
                                               const struct gv_gl_texture_format *f,
                                               const int32_t size[3]);

// Defines a level and takes its pixels (NULL: none).
bool gv_gl_texture_replace(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                           uint32_t level, const struct gv_gl_texture_image *as,
                           const struct gv_gl_pixels *pixels, struct gv_error *err);

// A box of a level of the bound texture. False: rejected.
struct gv_gl_texture_part {
    struct gv_gl_texture *texture;
    struct gv_gl_texture_image *image;
    uint32_t face, level;
    uint32_t more; // faces behind this one
    struct gv_gl_box box;
};
bool gv_gl_texture_part(struct gv_gl *gl, const struct gv_gl_image_target *at,
                        int32_t level, const int32_t offset[3], const int32_t size[3],
                        struct gv_gl_texture_part *out);

// Whether a part begins and ends where blocks of its image do, or the image ends; of
// plain images always.
bool gv_gl_texture_part_has_blocks(const struct gv_gl_texture_part *part);

// The next face of a part of several; false: there is none.
bool gv_gl_texture_next_face(struct gv_gl_texture_part *part);

// The image target of a call that writes a part.
bool gv_gl_part_target(const struct gv_gl_textures *textures, uint32_t name,
                       uint32_t dimensions, struct gv_gl_image_target *out);

// Whether an image is of alpha, or of luminance and alpha, and has no components of its
// own for a colour's red, green and blue.
bool gv_gl_texture_is_narrow(const struct gv_gl_texture_image *i);

// Gives such images of a texture four components, so that colours can be drawn and
// copied to them; `lack` is told, and they stay, where the device has texels of
// one or its storage is immutable. False: `err`.
bool gv_gl_texture_widen(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                         struct gv_gl_texture *t, const struct gv_gl_lack *lack,
                         struct gv_error *err);

// Whether images have one size and one format of the device.
bool gv_gl_same_shape(const struct gv_gl_texture_image *a,
                      const struct gv_gl_texture_image *b);

// Whether pixels of that kind can become texels of a format.
bool gv_gl_pixels_suit(enum gv_gl_pixel_kind kind,
                       const struct gv_gl_texture_format *f);

#endif
