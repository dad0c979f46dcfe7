// A device that the host has made: taking it, and what of it is enabled.
#ifndef GV_VK_HOST_DEVICE_H
#define GV_VK_HOST_DEVICE_H

#include "resources/base/error.h"
#include "runtime/vk/device/requirements.h"
#include "runtime/vk/host_vulkan.h"

// Loads Vulkan's functions and fills the handles in. GV_ERR_DEVICE where the host's
// instance or queue will not do.
bool gv_vk_host_device_take(struct gv_vk_device *device,
                            const struct gv_runtime_vulkan *host, struct gv_error *err);

// Leaves of an offer what the host's device was made with: features of the structs that
// features.def knows, of VkPhysicalDeviceFeatures and of the single structs for what
// the runtime cannot do without.
void gv_vk_host_device_restrict(struct gv_vk_offer *offer,
                                const struct gv_runtime_vulkan *host);

#endif
