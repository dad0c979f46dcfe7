// What calls may do with the texels of images: rules that the runtime keeps before the
// device is asked, and the compiler when it emits a call. Messages begin with the name
// of the argument at fault.
#ifndef GV_IMAGE_RULES_H
#define GV_IMAGE_RULES_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>

// An image as image_create describes it.
struct gv_image_shape {
    uint32_t type, format; // GV_IMAGE_TYPE_*, GV_FORMAT_*
    uint32_t width, height, depth, mips, layers, samples, usage, flags;
};

// A box of texels of one mip.
struct gv_texel_place {
    uint32_t aspect; // GV_ASPECT_* bits
    uint32_t mip, layer, layers, x, y, z, width, height, depth;
};

// The arguments of the call that a place comes from; of the image where there is none.
struct gv_place_names {
    const char *image, *aspect, *mip, *layer, *x, *y, *z;
};
extern const struct gv_place_names gv_names_of_one;     // "image", "aspect", "mip", ...
extern const struct gv_place_names gv_names_of_copy[2]; // dst, src; likewise below
extern const struct gv_place_names gv_names_of_blit[2];
extern const struct gv_place_names gv_names_of_resolve[2];

// Aspect bits: at least one, all of them the image's. Mips and layers: they exist.
// `aspects`: those of the image's format.
bool gv_rule_aspect(uint32_t aspects, uint32_t aspect, const char *argument,
                    struct gv_error *err);
struct gv_mip_range {
    uint32_t mip, mips, layer, layers;
};
bool gv_rule_range(const struct gv_image_shape *image, const struct gv_mip_range *range,
                   const char *mip_name, const char *layer_name, struct gv_error *err);

// A place is inside its mip, not empty, and on borders of compressed blocks.
bool gv_rule_place(const struct gv_image_shape *image,
                   const struct gv_texel_place *place,
                   const struct gv_place_names *names, struct gv_error *err);

// One side of a copy. `id` tells images apart.
struct gv_texel_side {
    const struct gv_image_shape *image;
    struct gv_texel_place place;
    uint64_t id;
};
// Layers of an array and slices of a 3D image stand for each other.
bool gv_rule_slices(uint32_t depth, uint32_t layers, struct gv_error *err);
void gv_set_slices(struct gv_texel_side *side, uint32_t slices);
// What two places must have in common, each of which keeps gv_rule_place.
bool gv_rule_copy(const struct gv_texel_side *dst, const struct gv_texel_side *src,
                  struct gv_error *err);
// Of filters a blit has two; mips, which keep gv_rule_blit too, have BOX.
bool gv_rule_blit_filter(uint32_t filter, struct gv_error *err);
bool gv_rule_blit(const struct gv_texel_side *dst, const struct gv_texel_side *src,
                  uint32_t filter, struct gv_error *err);
bool gv_rule_resolve(const struct gv_image_shape *dst, const struct gv_image_shape *src,
                     struct gv_error *err);

// Corners of a blit, as given; false: one is negative. Sides that the image does not
// have are made as Vulkan wants them. The place's box is what they span.
bool gv_set_corners(struct gv_texel_side *side, int32_t at[2][3], struct gv_error *err);

// One aspect of an image of one sample, for bytes in and out.
bool gv_rule_bytes(const struct gv_image_shape *image, uint32_t aspect,
                   struct gv_error *err);
// Bytes from the first to the last texel of a place, in rows so far apart.
bool gv_rule_rows(const struct gv_image_shape *image,
                  const struct gv_texel_place *place, uint32_t row_bytes, uint32_t rows,
                  uint64_t *bytes, struct gv_error *err);
// So many bytes of data are enough.
bool gv_rule_given(uint64_t size, uint64_t needed, struct gv_error *err);

#endif
