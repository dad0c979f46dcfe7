// Images that outlive a pass over the payload (--loop), with what uploads put into
// them: the next pass makes the same ones and uploads the same texels, which then stand
// there.
#ifndef GV_VK_KEPT_IMAGES_H
#define GV_VK_KEPT_IMAGES_H

#include "runtime/vk/memory/image.h"

struct gv_vk_kept_images {
    struct gv_vk_image *first; // owned list
    // Passes that have ended: texels are hashed from the second pass on, so that runs
    // of a single one pay nothing.
    uint64_t passes;
};

// A pass has ended, if it has `begun` at all: frees those of the pass before that
// nothing has taken.
void gv_vk_kept_images_pass(struct gv_runtime *rt, bool begun);

// An image whose handle is gone with its pass: it is kept, or freed. The device is done
// with it.
void gv_vk_image_keep(struct gv_runtime *rt, struct gv_vk_image *image);

// An image of the same description becomes the new one's: its handle and its memory.
// `image` has its `subs`. False: there is none.
bool gv_vk_image_take(struct gv_runtime *rt, struct gv_vk_image *image);

void gv_vk_images_free_kept(struct gv_runtime *rt);

// What comes of texels is told by their hash: two that differ and have the same one
// would show in later passes alone, and only to who has made them so.
//
// Tight texels are about to be uploaded to all of one mip and layer. True: they stand
// there already, and nothing need be done. Otherwise the upload is followed by _put.
struct gv_vk_texels {
    struct gv_vk_image *image;
    uint32_t mip, layer;
    const uint8_t *data;
    uint64_t bytes;
    struct gv_hash hash; // _has to _put
};
bool gv_vk_image_has(const struct gv_vk_kept_images *kept_images,
                     struct gv_vk_texels *texels);
void gv_vk_image_put(const struct gv_vk_kept_images *kept_images,
                     const struct gv_vk_texels *texels);

#endif
