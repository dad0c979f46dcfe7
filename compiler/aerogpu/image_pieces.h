// Images that are written as ranges of linear memory: pieces of rows, whole
// subresources, parts of texels; decoded ahead where the target lacks the format.
#ifndef GV_IMAGE_PIECES_H
#define GV_IMAGE_PIECES_H

#include "compiler/aerogpu/linear_image.h"
#include "compiler/lower/lower_pass.h"
#include "compiler/lower/lower_source.h"
#include "resources/base/arena.h"
#include "resources/base/bytes.h"

// Fill the first four; gv_aero_image_init does the rest.
struct gv_aero_image {
    const struct gv_linear_format *format;
    struct gv_linear_extent extent;
    uint64_t linear_size; // gv_linear_size
    bool cube;            // may be viewed as one

    struct gv_image gpu;
    uint8_t *uploaded; // [layers * mips] whether it was completely uploaded
};

// Set the first three; zero the rest. gv_bytes_finish(&scratch) when done.
struct gv_aero_images {
    struct gv_lower_pass *pass;
    struct gv_arena *arena;
    const char *upload; // what the source calls an upload, for errors

    struct gv_bytes scratch; // converted texels of one upload
};

// The format that images of `format` get: itself, or the plain one that its blocks are
// decoded to because the target lacks them.
uint32_t gv_aero_device_format(const struct gv_builder *b, uint32_t format);

// Makes the image. False: out of memory. Destroying it is one image_destroy.
bool gv_aero_image_init(struct gv_aero_images *is, struct gv_aero_image *t,
                        struct gv_error *err);

// Writes [offset, offset + size) of the linear image, which must be inside. Parts of
// subresources that were never written whole are GV_ERR_FORMAT, parts of texels that
// are decoded GV_ERR_UNSUPPORTED; without a place.
bool gv_aero_image_write(struct gv_aero_images *is, const struct gv_aero_image *t,
                         uint64_t offset, uint64_t size,
                         const struct gv_lower_source *source, struct gv_error *err);

// Whether texels stand in memory as the device has them.
bool gv_aero_image_is_plain(const struct gv_aero_images *is,
                            const struct gv_aero_image *t);

// Writes whole subresources, [begin, begin + size) of the linear image, from byte 0 of
// a buffer on. The image must be plain.
void gv_aero_image_from_buffer(struct gv_aero_images *is, const struct gv_aero_image *t,
                               uint64_t begin, uint64_t size, struct gv_buffer from);

// One corner of a copy.
struct gv_lower_corner {
    const struct gv_aero_image *image;
    uint32_t mip, layer, x, y;
};

// Copies a rectangle between images of one format, or within one, where the two may
// overlap.
void gv_aero_image_copy(struct gv_aero_images *is, const struct gv_lower_corner *to,
                        const struct gv_lower_corner *from, uint32_t width,
                        uint32_t height);

#endif
