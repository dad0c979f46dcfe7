// Colour blending as Vulkan takes it: nothing in it differs that does not matter.
#ifndef GV_VK_COLOR_BLEND_H
#define GV_VK_COLOR_BLEND_H

#include "runtime/vk/pipelines/pipeline.h"

// Fills one state per colour target of the description. What a target that does not
// blend has for factors is zero, a gap repeats the first target, and nothing is written
// where the fragment shader (NULL: none) writes no output, whose value would be
// undefined.
void gv_vk_color_blend(VkPipelineColorBlendAttachmentState *states,
                       const struct gv_graphics_desc *desc,
                       const struct gv_spirv_module *fragment, bool independent);

// Whether some target's state is not that of another: independentBlend.
bool gv_vk_color_blend_differs(const struct gv_graphics_desc *desc,
                               const struct gv_spirv_module *fragment);

#endif
