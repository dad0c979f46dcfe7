// Which Vulkan device a payload gets, and opening it.
#ifndef GV_VK_DEVICE_OPEN_H
#define GV_VK_DEVICE_OPEN_H

#include "resources/base/error.h"
#include "runtime/vk/device/device.h"
#include "vm/payload.h"

struct gv_vk_device_params {
    const char *device; // index or part of a name; NULL = the best
    bool validate;
    const struct gv_log *log;
    const struct gv_payload *payload; // NULL: enable everything useful
};

// Fills `device`. On failure it is as after finish.
bool gv_vk_device_init(struct gv_vk_device *device,
                       const struct gv_vk_device_params *params, struct gv_error *err);
void gv_vk_device_finish(struct gv_vk_device *device);

#endif
