// Messages of the validation layer: counted and logged.
#ifndef GV_VK_VALIDATION_H
#define GV_VK_VALIDATION_H

#include "resources/base/error.h"
#include "runtime/vk/device/device.h"

#define GV_VK_VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

// Warnings and errors, to `device`; it must not move afterwards.
VkDebugUtilsMessengerCreateInfoEXT gv_vk_messenger_info(struct gv_vk_device *device);
bool gv_vk_messenger_create(struct gv_vk_device *device, struct gv_error *err);
void gv_vk_messenger_destroy(struct gv_vk_device *device);

#endif
