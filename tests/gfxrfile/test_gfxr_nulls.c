// Null pointers where Vulkan wants elements are refused with the byte; where it does
// not, they are taken.
#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/vulkan/api/vk_table.h"
#include "tests/gfxrfile/gfxr_calls.h"
#include "tests/test.h"

#define DEVICE ((VkDevice)(uintptr_t)3)

static VkPipeline pipeline = (VkPipeline)(uintptr_t)9;
static VkFramebuffer framebuffer = (VkFramebuffer)(uintptr_t)9;

#define STAGES(count)                                                     \
    &(const struct gv_vk_args_vkCreateGraphicsPipelines)                  \
    {                                                                     \
        .device = DEVICE, .createInfoCount = 1,                           \
        .pCreateInfos =                                                   \
            &(const VkGraphicsPipelineCreateInfo){                        \
                .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, \
                .stageCount = (count)                                     \
            },                                                            \
        .pPipelines = &pipeline                                           \
    }
#define FRAMEBUFFER(flag, count)                                    \
    &(const struct gv_vk_args_vkCreateFramebuffer)                  \
    {                                                               \
        .device = DEVICE,                                           \
        .pCreateInfo =                                              \
            &(const VkFramebufferCreateInfo){                       \
                .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, \
                .flags = (flag),                                    \
                .attachmentCount = (count)                          \
            },                                                      \
        .pFramebuffer = &framebuffer                                \
    }
#define PASS(count)                                            \
    &(const struct gv_vk_args_vkCmdBeginRenderPass)            \
    {                                                          \
        .pRenderPassBegin = &(const VkRenderPassBeginInfo)     \
        {                                                      \
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, \
            .clearValueCount = (count)                         \
        }                                                      \
    }

static const struct {
    const char *label;
    enum gv_vk_function function;
    const void *args;
    const char *message; // NULL: it is taken
} rows[] = {
    { "stages", GV_VK_vkCreateGraphicsPipelines, STAGES(2), "pStages: is null" },
    { "no_stages", GV_VK_vkCreateGraphicsPipelines, STAGES(0), NULL },
    { "attachments", GV_VK_vkCreateFramebuffer, FRAMEBUFFER(0, 1),
      "without its attachments" },
    { "no_attachments", GV_VK_vkCreateFramebuffer, FRAMEBUFFER(0, 0), NULL },
    { "imageless", GV_VK_vkCreateFramebuffer,
      FRAMEBUFFER(VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT, 1), NULL },
    { "clears", GV_VK_vkCmdBeginRenderPass, PASS(1), "pClearValues: is null" },
    { "no_clears", GV_VK_vkCmdBeginRenderPass, PASS(0), NULL },
    { "color", GV_VK_vkCmdClearColorImage,
      &(const struct gv_vk_args_vkCmdClearColorImage){ 0 }, "pColor: is null" },
    { "multi", GV_VK_vkCmdDrawMultiEXT,
      &(const struct gv_vk_args_vkCmdDrawMultiEXT){ .drawCount = 1 },
      "pVertexInfo: is null" },
    { "multi_indexed", GV_VK_vkCmdDrawMultiIndexedEXT,
      &(const struct gv_vk_args_vkCmdDrawMultiIndexedEXT){ .drawCount = 1 },
      "pIndexInfo: is null" },
    { "free_sets", GV_VK_vkFreeDescriptorSets,
      &(const struct gv_vk_args_vkFreeDescriptorSets){ .device = DEVICE,
                                                       .descriptorSetCount = 1 },
      "pDescriptorSets: is null" },
    { "free_commands", GV_VK_vkFreeCommandBuffers,
      &(const struct gv_vk_args_vkFreeCommandBuffers){ .device = DEVICE,
                                                       .commandBufferCount = 1 },
      "pCommandBuffers: is null" },
};

static uint32_t id_of(enum gv_vk_function function)
{
    uint32_t id = 0;
    while (!gv_vk_find_id(id) || gv_vk_find_id(id)->function != function)
        id++;
    return id;
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_bytes wire = { 0 };
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_vk_call call = { .function = rows[i].function,
                                   .args = rows[i].args,
                                   .place = { 5, 7, 1 } };
        gfxr_encode_call(&wire, &call);
        const bool ok = gv_gfxr_decode(
            id_of(rows[i].function), gv_cursor_make(wire.data, wire.size),
            &(struct gv_gfxr_room){ &arena, 0 }, &call, &err);
        CHECK_ROW(rows[i].label, ok == !rows[i].message);
        CHECK_ROW(rows[i].label,
                  ok || (err.status == GV_ERR_FORMAT && err.offset == 5 &&
                         err.command == 7 && strstr(err.message, rows[i].message)));
        gv_arena_finish(&arena);
        gv_bytes_finish(&wire);
    }
    return TEST_RESULT();
}
