// What the recorder asked the driver of its own accord, as the calls that ask it.
#ifndef GV_AGI_EXTRAS_H
#define GV_AGI_EXTRAS_H

#include "compiler/agi/agi_capture.h"
#include "compiler/vulkan/vulkan.h"

// The call made an image, perhaps: what memory it takes, and how a linear one lies in
// it.
bool gv_agi_extras_of_image(struct gv_vulkan *vulkan, const struct gv_agi_event *event,
                            struct gv_error *err);

// The same of an image of a snapshot: a vulkan.VkMemoryRequirements, and for an aspect
// the vulkan.VkSubresourceLayout of its first level and layer.
struct gv_agi_image_facts {
    uint64_t device, image; // ids
    struct gv_vk_place place;
};
bool gv_agi_tell_size(struct gv_vulkan *vulkan, const struct gv_agi_image_facts *image,
                      const struct gv_agi_message *requirements, struct gv_error *err);
bool gv_agi_tell_layout(struct gv_vulkan *vulkan,
                        const struct gv_agi_image_facts *image, uint64_t aspect,
                        const struct gv_agi_message *layout, struct gv_error *err);

#endif
