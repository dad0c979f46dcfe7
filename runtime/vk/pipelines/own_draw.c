#include "runtime/vk/pipelines/own_draw.h"

#include "runtime/shaders/mip_corners.spv.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/image.h"

// ---- layouts ----

bool gv_vk_own_layout_init(const struct gv_vk_device *device,
                           struct gv_vk_own_layout *layout, VkDescriptorType type,
                           const VkSampler *sampler, struct gv_error *err)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
        .pImmutableSamplers = sampler,
    };
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    const VkPushConstantRange number = { .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
                                         .size = sizeof(uint32_t) };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &layout->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &number,
    };
    return gv_vk_ok(vkCreateDescriptorSetLayout(device->handle, &set, NULL,
                                                &layout->set_layout),
                    "vkCreateDescriptorSetLayout", err) &&
           gv_vk_ok(
               vkCreatePipelineLayout(device->handle, &info, NULL, &layout->layout),
               "vkCreatePipelineLayout", err);
}

void gv_vk_own_layout_finish(const struct gv_vk_device *device,
                             struct gv_vk_own_layout *layout)
{
    vkDestroyPipelineLayout(device->handle, layout->layout, NULL);
    vkDestroyDescriptorSetLayout(device->handle, layout->set_layout, NULL);
    *layout = (struct gv_vk_own_layout){ 0 };
}

// ---- pipelines ----

static bool make_modules(const struct gv_vk_device *device,
                         const struct gv_vk_own_pipeline *params,
                         VkPipelineShaderStageCreateInfo stages[2],
                         struct gv_error *err)
{
    const VkShaderModuleCreateInfo infos[2] = {
        { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
          .codeSize = sizeof mip_corners,
          .pCode = mip_corners },
        params->fragment,
    };
    for (int i = 0; i < 2; i++) {
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
            .pName = "main",
        };
        if (!gv_vk_ok(vkCreateShaderModule(device->handle, &infos[i], NULL,
                                           &stages[i].module),
                      "vkCreateShaderModule", err))
            return false;
    }
    return true;
}

static const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT from_last = {
    .sType =
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
    .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
};
static const VkPipelineVertexInputStateCreateInfo no_input = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
};
static const VkPipelineInputAssemblyStateCreateInfo fan = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
};
static const VkPipelineViewportStateCreateInfo viewport_when_drawn = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
};
static const VkPipelineDepthStencilStateCreateInfo depth_written = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
    .depthTestEnable = VK_TRUE,
    .depthWriteEnable = VK_TRUE,
    .depthCompareOp = VK_COMPARE_OP_ALWAYS,
};
static const VkPipelineColorBlendAttachmentState all_channels = { .colorWriteMask =
                                                                      0xf };
static const VkDynamicState dynamic_states[] = { VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                                 VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT };
static const VkPipelineDynamicStateCreateInfo dynamic = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
    .dynamicStateCount = 2,
    .pDynamicStates = dynamic_states,
};

static bool create_pipeline(const struct gv_vk_device *device,
                            const struct gv_vk_own_pipeline *params,
                            const VkPipelineShaderStageCreateInfo stages[2],
                            VkPipeline *pipeline, struct gv_error *err)
{
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = params->from_last ? &from_last : NULL,
        .lineWidth = 1,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)params->samples,
        .pSampleMask = params->masks,
    };
    const VkPipelineColorBlendStateCreateInfo colors = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = params->depth ? 0 : 1,
        .pAttachments = &all_channels,
    };
    const VkPipelineRenderingCreateInfo target = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = colors.attachmentCount,
        .pColorAttachmentFormats = &params->format,
        .depthAttachmentFormat = params->depth ? params->format : VK_FORMAT_UNDEFINED,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &target,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &no_input,
        .pInputAssemblyState = &fan,
        .pViewportState = &viewport_when_drawn,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth_written,
        .pColorBlendState = &colors,
        .pDynamicState = &dynamic,
        .layout = params->layout,
    };
    return gv_vk_ok(vkCreateGraphicsPipelines(device->handle, device->pipeline_cache, 1,
                                              &info, NULL, pipeline),
                    "vkCreateGraphicsPipelines", err);
}

bool gv_vk_own_pipeline_create(const struct gv_vk_device *device,
                               const struct gv_vk_own_pipeline *params,
                               VkPipeline *pipeline, struct gv_error *err)
{
    VkPipelineShaderStageCreateInfo stages[2] = { { 0 } };
    bool ok = make_modules(device, params, stages, err) &&
              create_pipeline(device, params, stages, pipeline, err);
    for (int i = 0; i < 2; i++)
        vkDestroyShaderModule(device->handle, stages[i].module, NULL);
    return ok;
}

// ---- what images go through ----

const struct gv_vk_own_state gv_vk_own_new = { 0 }; // its layout is UNDEFINED
const struct gv_vk_own_state gv_vk_own_filled = {
    VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
};
const struct gv_vk_own_state gv_vk_own_sampled = {
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
};
const struct gv_vk_own_state gv_vk_own_color = {
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
};
const struct gv_vk_own_state gv_vk_own_depth = {
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
        VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
        VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
};
const struct gv_vk_own_state gv_vk_own_copied = {
    VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
    VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
};

VkImageMemoryBarrier2 gv_vk_own_change(const struct gv_vk_image *image, uint32_t mip,
                                       uint32_t count,
                                       const struct gv_vk_own_state *from,
                                       const struct gv_vk_own_state *to)
{
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = from->stages,
        .srcAccessMask =
            from->access & VK_ACCESS_2_SHADER_SAMPLED_READ_BIT ? 0 : from->access,
        .dstStageMask = to->stages,
        .dstAccessMask = to->access,
        .oldLayout = from->layout,
        .newLayout = to->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = gv_vk_image_range(image, mip, count, 0, 1),
    };
}

void gv_vk_own_order(VkCommandBuffer commands, const VkImageMemoryBarrier2 *barriers,
                     uint32_t count)
{
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = count,
        .pImageMemoryBarriers = barriers,
    };
    vkCmdPipelineBarrier2(commands, &info);
}
