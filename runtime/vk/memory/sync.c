#include "runtime/vk/memory/sync.h"

#include "vm/calls.h"

struct gv_vk_scope gv_vk_scope_of_buffer(const struct gv_vk_buffer *buffer)
{
    static const struct {
        uint32_t usage;
        struct gv_vk_scope scope;
    } rows[] = {
        { GV_BUFFER_USAGE_VERTEX,
          { VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
            VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT } },
        { GV_BUFFER_USAGE_INDEX,
          { VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT } },
        { GV_BUFFER_USAGE_UNIFORM, { GV_VK_SHADERS, VK_ACCESS_2_UNIFORM_READ_BIT } },
        { GV_BUFFER_USAGE_UNIFORM_TEXEL,
          { GV_VK_SHADERS, VK_ACCESS_2_SHADER_READ_BIT } },
        { GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL,
          { GV_VK_SHADERS,
            VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT } },
        { GV_BUFFER_USAGE_INDIRECT,
          { VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
            VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT } },
        { GV_BUFFER_USAGE_CONDITIONAL,
          { VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
            VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT } },
        { GV_BUFFER_USAGE_TRANSFORM_FEEDBACK,
          { VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
            VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT } },
    };
    struct gv_vk_scope all = { GV_VK_TRANSFER, VK_ACCESS_2_TRANSFER_READ_BIT |
                                                   VK_ACCESS_2_TRANSFER_WRITE_BIT };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (buffer->usage & rows[i].usage) {
            all.stages |= rows[i].scope.stages;
            all.access |= rows[i].scope.access;
        }
    }
    return all;
}

struct gv_vk_scope gv_vk_scope_of_attachment(const struct gv_vk_image *image)
{
    if (image->aspects & VK_IMAGE_ASPECT_COLOR_BIT)
        return (struct gv_vk_scope){ VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                         VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT };
    return (struct gv_vk_scope){ GV_VK_DEPTH_TESTS,
                                 VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                     VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT };
}

struct gv_vk_scope gv_vk_scope_at_rest(const struct gv_vk_image *image)
{
    if (image->usage & GV_IMAGE_USAGE_STORAGE)
        return (struct gv_vk_scope){ GV_VK_SHADERS, VK_ACCESS_2_SHADER_READ_BIT |
                                                        VK_ACCESS_2_SHADER_WRITE_BIT };
    if (image->usage & GV_IMAGE_USAGE_SAMPLED)
        return (struct gv_vk_scope){ GV_VK_SHADERS, VK_ACCESS_2_SHADER_READ_BIT };
    return gv_vk_scope_of_attachment(image);
}
