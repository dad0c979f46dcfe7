// What a device has, and what a payload misses on it.
#ifndef GV_VK_REQUIREMENTS_H
#define GV_VK_REQUIREMENTS_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "runtime/vk/device/device.h"
#include "vm/payload/payload.h"

// Everything a physical device offers.
struct gv_vk_offer {
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceVulkan11Properties properties11;
    VkPhysicalDeviceVulkan12Properties properties12;
    VkPhysicalDeviceVulkan13Properties properties13;
    VkPhysicalDeviceMemoryProperties memory;
    struct gv_vk_features features; // supported; chained
    struct gv_vk_extensions extensions;
    char (*extension_names)[VK_MAX_EXTENSION_NAME_SIZE]; // owned; all of them
    uint32_t extension_count;
};

bool gv_vk_offer_init(struct gv_vk_offer *offer, VkPhysicalDevice physical,
                      struct gv_error *err);
void gv_vk_offer_finish(struct gv_vk_offer *offer);

// Chains the feature structs whose extension is in `extensions`, core ones always.
// `features.core` is the head. `features` must not move afterwards.
void gv_vk_features_chain(struct gv_vk_features *features,
                          const struct gv_vk_extensions *extensions);

// Appends to `text` what the device misses of a requirement; nothing if it meets it.
void gv_vk_requirement_check(const struct gv_vk_offer *offer,
                             const struct gv_requirement *requirement,
                             struct gv_bytes *text);

// Appends one line per needed requirement that the device misses. Also misses of the
// runtime itself.
void gv_vk_requirements_missing(const struct gv_vk_offer *offer,
                                const struct gv_payload *payload,
                                struct gv_bytes *missing);

#endif
