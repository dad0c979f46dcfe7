// What of a graphics description the device, and the shaders, allow.
#ifndef GV_VK_GRAPHICS_CHECK_H
#define GV_VK_GRAPHICS_CHECK_H

#include "runtime/vk/pipelines/pipeline.h"

// Checks features, limits and formats, and that topology and stages go together.
// `modules` by stage: vertex, tessellation control, evaluation, geometry, fragment.
bool gv_vk_graphics_check(struct gv_runtime *rt, const struct gv_graphics_desc *desc,
                          const struct gv_spirv_module *const modules[5],
                          struct gv_error *err);

#endif
