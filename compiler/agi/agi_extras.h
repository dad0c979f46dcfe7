// What the recorder asked the driver of its own accord, as the calls that ask it.
#ifndef GV_AGI_EXTRAS_H
#define GV_AGI_EXTRAS_H

#include "compiler/agi/agi_capture.h"
#include "compiler/vulkan/vulkan.h"

// The call made an image, perhaps: what memory it takes, and how a linear one lies in
// it.
bool gv_agi_extras_of_image(struct gv_vulkan *vulkan, const struct gv_agi_event *event,
                            struct gv_error *err);

// The same of an image of a snapshot.
struct gv_agi_image_facts {
    uint64_t device, image; // ids
    struct gv_vk_place place;
};
// `requirements` is a vulkan.VkMemoryRequirements, `layouts` a map of layers by aspect
// (AspectLayouts). Either may be empty.
bool gv_agi_tell_image(struct gv_vulkan *vulkan, const struct gv_agi_image_facts *image,
                       const struct gv_agi_message *requirements,
                       const struct gv_agi_message *layouts, struct gv_error *err);

#endif
