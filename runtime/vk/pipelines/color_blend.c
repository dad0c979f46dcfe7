#include "runtime/vk/pipelines/color_blend.h"

#include <string.h>

static VkPipelineColorBlendAttachmentState state_of(const struct gv_blend_desc *b,
                                                    bool written)
{
    VkPipelineColorBlendAttachmentState state = {
        .colorWriteMask = written ? (VkColorComponentFlags)b->write_mask : 0,
    };
    if (!b->enable)
        return state;
    state.blendEnable = VK_TRUE;
    state.srcColorBlendFactor = (VkBlendFactor)b->src_color;
    state.dstColorBlendFactor = (VkBlendFactor)b->dst_color;
    state.colorBlendOp = (VkBlendOp)b->color_op;
    state.srcAlphaBlendFactor = (VkBlendFactor)b->src_alpha;
    state.dstAlphaBlendFactor = (VkBlendFactor)b->dst_alpha;
    state.alphaBlendOp = (VkBlendOp)b->alpha_op;
    return state;
}

static uint32_t first_target(const struct gv_graphics_desc *d)
{
    for (uint32_t i = 0; i < d->color_count; i++)
        if (d->color_formats[i])
            return i;
    return 0; // all are gaps
}

void gv_vk_color_blend(VkPipelineColorBlendAttachmentState *states,
                       const struct gv_graphics_desc *desc,
                       const struct gv_spirv_module *fragment, bool independent)
{
    uint32_t first = first_target(desc);
    for (uint32_t i = 0; i < desc->color_count; i++) {
        uint32_t target = desc->color_formats[i] || independent ? i : first;
        bool written = fragment && fragment->outputs.slots[target].mask;
        states[i] = state_of(&desc->blend[target], written);
    }
}

bool gv_vk_color_blend_differs(const struct gv_graphics_desc *desc,
                               const struct gv_spirv_module *fragment)
{
    VkPipelineColorBlendAttachmentState states[GV_MAX_COLOR_ATTACHMENTS];
    gv_vk_color_blend(states, desc, fragment, false);
    for (uint32_t i = 1; i < desc->color_count; i++)
        if (memcmp(&states[i], &states[0], sizeof states[0]) != 0) // words, no padding
            return true;
    return false;
}
