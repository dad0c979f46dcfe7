// Finding Vulkan: the loader library, an instance, the physical devices.
#ifndef GV_VK_LOADER_H
#define GV_VK_LOADER_H

#include "resources/base/error.h"
#include "runtime/vk/device/device.h"

#define GV_VK_MAX_DEVICES 16

// Finds Vulkan's functions: by `wanted` (a host's; a process has one such) or, where
// that is NULL, in libvulkan. Any thread. GV_ERR_DEVICE with the package to install.
bool gv_vk_loader_open(PFN_vkGetInstanceProcAddr wanted, struct gv_error *err);
// Functions of an instance, after gv_vk_loader_open. GV_ERR_DEVICE.
bool gv_vk_loader_use(VkInstance instance, struct gv_error *err);

// Both, and makes an instance. `validate` adds the Khronos layer with synchronisation
// checks, whose messages go to `device`.
bool gv_vk_instance_create(struct gv_vk_device *device, bool validate,
                           struct gv_error *err);

// The process's first one without the layer is kept instead: with it the drivers stay
// loaded: a process did not find NVIDIA's any more after some thirty instances. Any
// thread.
void gv_vk_instance_destroy(VkInstance instance, bool validate);

// Physical devices, best first: discrete, integrated, virtual, other, CPU; those of
// Vulkan 1.3 only. None is GV_ERR_DEVICE.
bool gv_vk_physical_devices(VkInstance instance,
                            VkPhysicalDevice devices[GV_VK_MAX_DEVICES],
                            uint32_t *count, struct gv_error *err);

// A queue family for graphics, compute and transfers, or UINT32_MAX.
uint32_t gv_vk_queue_family(VkPhysicalDevice physical);

#endif
