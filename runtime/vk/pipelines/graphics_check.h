// What of a graphics description the device allows.
#ifndef GV_VK_GRAPHICS_CHECK_H
#define GV_VK_GRAPHICS_CHECK_H

#include "runtime/vk/pipelines/pipeline.h"

struct gv_vk_device;

// Checks features, limits and formats. That topology and stages go together has been
// checked (vm/spirv/spirv_match.h).
// `modules` by stage: vertex, tessellation control, evaluation, geometry, fragment.
bool gv_vk_graphics_check(const struct gv_vk_device *device,
                          const struct gv_graphics_desc *desc,
                          const struct gv_spirv_module *const modules[5],
                          struct gv_error *err);

#endif
