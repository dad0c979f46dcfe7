// What stages read and write: constants as bytes or in buffers, textures with stand-ins
// for what is not bound, parts of buffers at offsets that not every device takes.
#ifndef GV_LOWER_BINDINGS_H
#define GV_LOWER_BINDINGS_H

#include "compiler/lower/lower_buffer.h"

struct gv_lower_place {
    uint32_t set, binding;
    uint32_t element; // of an array of textures
};

// A part of a buffer that is bound.
struct gv_lower_bound {
    struct gv_lower_buffer *buffer; // NULL: none
    uint64_t offset, size;          // bytes; inside the buffer
};

// ---- constants ----

// The first `size` (up to GV_LOWER_KNOWN_BYTES) bytes of a part whose content is known,
// zeros behind its end; in `scratch`, of that size, where they stand nowhere else.
const uint8_t *gv_lower_known_bytes(const struct gv_lower_bound *r, uint32_t size,
                                    uint8_t *scratch);

// Binds `size` bytes that travel with the draw. `id`: of what they are a version of
// (gv_builder_block).
void gv_lower_bind_bytes(struct gv_builder *b, const struct gv_lower_place *at,
                         uint64_t id, const uint8_t *bytes, uint32_t size);

// Binds `size` bytes of a buffer: zeros where nothing is bound and behind its end.
// `copy` is this place's own. May close the pass.
void gv_lower_bind_uniform(struct gv_lower_buffers *bs, const struct gv_lower_place *at,
                           const struct gv_lower_bound *r, uint32_t size,
                           struct gv_lower_copy *copy);

// ---- buffers ----

// Whether a part must go through a copy.
static inline bool gv_lower_is_unaligned(const struct gv_lower_bound *r)
{
    return r->buffer && r->size && r->offset % GV_LOWER_BUFFER_ALIGN != 0;
}

// Binds a part of a buffer that is read, or also written: then its content is no longer
// known. Through `copy` if it is unaligned (may be NULL if not); what was written there
// gv_lower_copy_back brings home. May close the pass.
void gv_lower_bind_storage(struct gv_lower_buffers *bs, const struct gv_lower_place *at,
                           const struct gv_lower_bound *r, bool written,
                           struct gv_lower_copy *copy);

// ---- textures ----

#define GV_LOWER_SWIZZLE_OPAQUE (GV_SWIZZLE_ONE << 12) // r, g, b as they are, alpha 1

// Shapes of images that stand in for what is not bound.
enum gv_lower_shape {
    GV_LOWER_SHAPE_2D,
    GV_LOWER_SHAPE_CUBE,
    GV_LOWER_SHAPE_1D,
    GV_LOWER_SHAPE_3D,
    GV_LOWER_SHAPE_SAMPLES,
    GV_LOWER_SHAPE_COUNT,
};

// Classes of texels.
enum {
    GV_LOWER_TEXELS_FLOAT,
    GV_LOWER_TEXELS_UINT,
    GV_LOWER_TEXELS_SINT,
    GV_LOWER_TEXELS_DEPTH,
    GV_LOWER_TEXELS_COUNT,
};

// Set the pass; zero the rest.
struct gv_lower_stand_ins {
    struct gv_lower_pass *pass;
    struct gv_image images[GV_LOWER_SHAPE_COUNT][GV_LOWER_TEXELS_COUNT];
};

// An image of zeros, one texel large (a cube: six). May close the pass.
struct gv_image gv_lower_stand_in(struct gv_lower_stand_ins *s,
                                  enum gv_lower_shape shape, uint32_t texels);

// What a texture binding reads.
struct gv_lower_texture {
    struct gv_image image; // none: zeros, of whatever shape
    uint32_t type;         // GV_VIEW_TYPE_*
    uint32_t format;       // GV_FORMAT_*; 0 = the image's
    uint32_t aspect, swizzle;
    uint32_t mip, mips, layer, layers;
    struct gv_sampler sampler; // of combined ones
};
void gv_lower_bind_texture(struct gv_builder *b, const struct gv_lower_place *at,
                           const struct gv_lower_texture *t);

#endif
