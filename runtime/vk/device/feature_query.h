// What the device has enabled, by the names that Vulkan and payloads give it.
#ifndef GV_VK_FEATURE_QUERY_H
#define GV_VK_FEATURE_QUERY_H

#include "resources/base/error.h"
#include "runtime/vk/device/device.h"

// Whether the device has a feature or extension (VK_...) enabled, by Vulkan's name.
bool gv_vk_has(const struct gv_vk_device *device, const char *feature);
// Whether it is one we know of and the device has not.
bool gv_vk_lacks(const struct gv_vk_device *device, const char *feature);

// Fails with GV_ERR_DEVICE naming the feature unless it is enabled.
bool gv_vk_require(const struct gv_vk_device *device, const char *feature,
                   struct gv_error *err);

#endif
