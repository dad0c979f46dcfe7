// Which Vulkan device a payload gets, and opening it.
#ifndef GV_VK_DEVICE_OPEN_H
#define GV_VK_DEVICE_OPEN_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "runtime/vk/device/device.h"
#include "vm/payload/payload.h"

struct gv_runtime_vulkan;
struct gv_vk_offer;

struct gv_vk_device_params {
    const char *device; // index or part of a name; NULL = the best
    bool validate;
    const struct gv_log *log;
    const struct gv_payload *payload;       // NULL: enable everything useful
    const struct gv_runtime_vulkan *vulkan; // a host's device; NULL = one of our own
};

// Fills `device`. On failure it is as after finish.
bool gv_vk_device_init(struct gv_vk_device *device,
                       const struct gv_vk_device_params *params, struct gv_error *err);
void gv_vk_device_finish(struct gv_vk_device *device);

// A streamed payload has more requirements. GV_ERR_DEVICE: the device misses some.
bool gv_vk_device_require(struct gv_vk_device *device, const struct gv_payload *payload,
                          struct gv_error *err);

#define GV_VK_EXTENSIONS (sizeof(struct gv_vk_extensions) / sizeof(bool))

// What of an offer is to be enabled for a payload: `features` (chained; `device` must
// not move), `extensions`. And what follows from the features that are not.
void gv_vk_pick_features(struct gv_vk_device *device, const struct gv_vk_offer *offer,
                         const struct gv_payload *payload);
// Fails (GV_ERR_DEVICE) with misses, a line each. Returns false.
bool gv_vk_refuse_missing(const struct gv_bytes *missing, struct gv_error *err);

// The names of extensions, and how many.
uint32_t gv_vk_list_extensions(const struct gv_vk_extensions *extensions,
                               const char *names[GV_VK_EXTENSIONS]);

#endif
