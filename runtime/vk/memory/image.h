// Images of the payload.
#ifndef GV_VK_IMAGE_H
#define GV_VK_IMAGE_H

#include "resources/base/error.h"
#include "runtime/vk/link.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/track.h"
#include "vm/rules/image_rules.h"

struct gv_runtime;
struct gv_handles;
struct gv_vk_image_view;

#define GV_VK_MAX_SUBRESOURCES (1u << 16) // mips * layers of one image

struct gv_vk_image {
    VkImage handle;
    uint32_t type;   // GV_IMAGE_TYPE_*
    VkFormat format; // equals GV_FORMAT_*; see gv_vk_device_format
    uint32_t width, height, depth, mips, layers, samples;
    uint32_t usage, flags;      // GV_IMAGE_USAGE_*, GV_IMAGE_FLAG_*
    VkImageAspectFlags aspects; // all of the format
    VkImageLayout rest_layout;  // between operations; what descriptors name
    VkFormatFeatureFlags features;
    uint64_t id; // never reused: a cache key that outlives the image
    struct gv_vk_memory memory;
    struct gv_vk_sub *subs;   // owned; [layer * mips + mip]
    uint32_t undefined_count; // subresources whose zero clear is still to be recorded
    struct gv_link undefined; // listed while there are such
    struct gv_link away;      // listed while it may have to go to rest
    bool parked;              // some were left in their attachment layout
    bool wanted;              // work has used it other than as attachment: never park
    bool writable;            // work has written it through shaders
    size_t written;           // by the pass, as of buffers
    uint64_t used;            // work_count of the last work that used it in its rest
    bool own;                 // none of the payload's
    struct gv_vk_image *next_kept; // kept_images.c
    bool attached; // set by passes: it is an attachment of the current one
    struct gv_vk_image_view *views; // owned list (view.c)
    struct gv_link *bound;          // where (bound.c)
};

// image_create.c: frees image, views and memory now; the device must be done with them.
void gv_vk_image_free(struct gv_runtime *rt, void *image);

struct gv_vk_image *gv_vk_image_find(const struct gv_handles *handles, uint64_t handle,
                                     const char *argument, struct gv_error *err);

uint32_t gv_vk_image_mip_width(const struct gv_vk_image *image, uint32_t mip);
uint32_t gv_vk_image_mip_height(const struct gv_vk_image *image, uint32_t mip);
uint32_t gv_vk_image_mip_depth(const struct gv_vk_image *image, uint32_t mip);

// As the payload made it.
struct gv_image_shape gv_vk_image_shape(const struct gv_vk_image *image);

// Checks aspect bits (at least one, all present) and that mips and layers exist. The
// names are those of the call's arguments.
bool gv_vk_image_check_aspect(const struct gv_vk_image *image, uint32_t aspect,
                              const char *argument, struct gv_error *err);
bool gv_vk_image_check_range(const struct gv_vk_image *image, uint32_t mip,
                             uint32_t mips, uint32_t layer, uint32_t layers,
                             const char *mip_name, const char *layer_name,
                             struct gv_error *err);

// All aspects of mips and layers, as a barrier wants them.
VkImageSubresourceRange gv_vk_image_range(const struct gv_vk_image *image, uint32_t mip,
                                          uint32_t mips, uint32_t layer,
                                          uint32_t layers);

#endif
