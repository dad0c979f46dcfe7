// Vertex input of a graphics pipeline: what buffers give, and zeros for what they do
// not.
#ifndef GV_VK_VERTEX_INPUT_H
#define GV_VK_VERTEX_INPUT_H

#include "runtime/vk/pipelines/pipeline.h"

// Of quads (quads.h) there may be twice as many, and what a draw tells them.
struct gv_vk_vertex_input {
    VkVertexInputBindingDescription bindings[GV_MAX_QUAD_BINDINGS];
    VkVertexInputBindingDivisorDescriptionEXT divisors[GV_MAX_VERTEX_BINDINGS];
    VkVertexInputAttributeDescription
        attributes[2 * GV_MAX_VERTEX_ATTRIBUTES + GV_QUAD_INPUTS];
    uint32_t binding_count, divisor_count, attribute_count;
    VkPipelineVertexInputDivisorStateCreateInfoEXT divisor_state;
    VkPipelineVertexInputStateCreateInfo state;
};

// Fills `out` (which must not move afterwards) and the vertex slots of `p`. Attributes
// the shader does not read are left out; inputs without an attribute read zeros.
bool gv_vk_vertex_input(struct gv_runtime *rt, struct gv_vk_pipeline *p,
                        const struct gv_graphics_desc *desc,
                        const struct gv_spirv_module *vertex,
                        struct gv_vk_vertex_input *out, struct gv_error *err);

#endif
