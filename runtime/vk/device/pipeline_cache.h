// Compiled pipelines kept between runs, one file per device.
#ifndef GV_VK_PIPELINE_CACHE_H
#define GV_VK_PIPELINE_CACHE_H

#include "runtime/vk/device/device.h"

// Fills `device->pipeline_cache`: that of `folder` (NULL = none kept), or an empty one
// where there is no file or the file is damaged. VK_NULL_HANDLE only if the device
// makes none; freed with the device.
void gv_vk_pipeline_cache_load(struct gv_vk_device *device, const char *folder);

// Replaces the file. A failure is only logged.
void gv_vk_pipeline_cache_save(const struct gv_vk_device *device, const char *folder);

#endif
