#include "runtime/vk/pipelines/mip_draw.h"

#include "runtime/shaders/mip_texel.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/image_create.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/memory/view.h"

#include <stdlib.h>

#define MOST_MIPS 32

bool gv_vk_mips_drawn(const struct gv_vk_device *device, const struct gv_vk_mips *mips,
                      uint32_t layers)
{
    const struct gv_vk_image *image = mips->image;
    const VkFormatFeatureFlags needed =
        VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT |
        VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    return device->properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE &&
           image->type == GV_IMAGE_TYPE_2D && image->layers == 1 && layers == 1 &&
           image->aspects == VK_IMAGE_ASPECT_COLOR_BIT &&
           gv_vk_device_format(device, image->format) == image->format &&
           (image->features & needed) == needed &&
           gv_vk_has(device, "provokingVertexLast") && mips->count > 1 &&
           mips->count <= MOST_MIPS;
}

// ---- what all draws share ----

static bool make_sampler(const struct gv_vk_device *device,
                         struct gv_vk_mip_draws *draws, struct gv_error *err)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
    return gv_vk_ok(vkCreateSampler(device->handle, &info, NULL, &draws->sampler),
                    "vkCreateSampler", err);
}

static bool make_layouts(const struct gv_vk_device *device,
                         struct gv_vk_mip_draws *draws, struct gv_error *err)
{
    return gv_vk_own_layout_init(device, &draws->layouts,
                                 VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                 &draws->sampler, err);
}

// Mesa's blits count triangles from their last vertex.
static bool make_pipeline(const struct gv_vk_device *device,
                          const struct gv_vk_mip_draws *draws, VkFormat format,
                          VkPipeline *pipeline, struct gv_error *err)
{
    const struct gv_vk_own_pipeline params = {
        .layout = draws->layouts.layout,
        .fragment = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                      .codeSize = sizeof mip_texel,
                      .pCode = mip_texel },
        .format = format,
        .samples = 1,
        .masks = { UINT32_MAX },
        .from_last = true,
    };
    return gv_vk_own_pipeline_create(device, &params, pipeline, err);
}

void gv_vk_mip_draws_finish(const struct gv_vk_device *device,
                            struct gv_vk_mip_draws *draws)
{
    for (uint32_t i = 0; i < draws->count; i++)
        vkDestroyPipeline(device->handle, draws->pipelines[i], NULL);
    gv_vk_own_layout_finish(device, &draws->layouts);
    vkDestroySampler(device->handle, draws->sampler, NULL);
    *draws = (struct gv_vk_mip_draws){ 0 };
}

// The pipeline of a format. NULL without an error: there is none, nor room for it.
static bool find_pipeline(const struct gv_vk_device *device,
                          struct gv_vk_mip_draws *draws, VkFormat format,
                          VkPipeline *pipeline, struct gv_error *err)
{
    *pipeline = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < draws->count; i++)
        if (draws->formats[i] == format)
            *pipeline = draws->pipelines[i];
    if (*pipeline || draws->count == GV_VK_MIP_FORMATS)
        return true;
    if ((!draws->sampler && !make_sampler(device, draws, err)) ||
        (!draws->layouts.layout && !make_layouts(device, draws, err)) ||
        !make_pipeline(device, draws, format, pipeline, err))
        return false;
    draws->formats[draws->count] = format;
    draws->pipelines[draws->count++] = *pipeline;
    return true;
}

// ---- one image's ----

// The levels are made in an image of ours: the payload's need not be one that is drawn
// to, and to those who track its uses all of it is a transfer.
struct making {
    const struct gv_vk_mip_draws *draws;
    const struct gv_vk_mips *mips;
    VkPipeline pipeline;
    uint64_t handle; // of our image
    struct gv_vk_image *image;
    struct sets *sets;
};

static bool make_image(struct gv_runtime *rt, struct making *m, struct gv_error *err)
{
    const struct gv_vk_image *like = m->mips->image;
    const struct gv_args_image_create args = {
        .type.u = GV_IMAGE_TYPE_2D,
        .format.u = (uint64_t)like->format,
        .width.u = like->width,
        .height.u = like->height,
        .depth.u = 1,
        .mips.u = m->mips->base + m->mips->count,
        .layers.u = 1,
        .samples.u = 1,
        .usage.u = GV_IMAGE_USAGE_SAMPLED | GV_IMAGE_USAGE_COLOR_ATTACHMENT,
    };
    if (!gv_vk_image_create_own(rt, &args, &m->handle, err))
        return false;
    m->image = gv_vk_image_find(&rt->handles, m->handle, "image", err);
    return m->image;
}

struct sets {
    VkDescriptorPool pool;
};

static void free_sets(struct gv_runtime *rt, void *object)
{
    struct sets *sets = object;
    vkDestroyDescriptorPool(rt->device->handle, sets->pool, NULL);
    free(sets);
}

static bool make_sets(const struct gv_vk_device *device, struct making *m,
                      struct gv_error *err)
{
    m->sets = calloc(1, sizeof *m->sets);
    if (!m->sets)
        return gv_out_of_memory(err);
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                        m->mips->count };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = m->mips->count,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    return gv_vk_ok(vkCreateDescriptorPool(device->handle, &info, NULL, &m->sets->pool),
                    "vkCreateDescriptorPool", err);
}

static VkImageView view_of(struct gv_vk_views *views, const struct making *m,
                           uint32_t mip, enum gv_view_use use, struct gv_error *err)
{
    const struct gv_view_shape key = {
        .use = use,
        .type = GV_VIEW_TYPE_2D,
        .aspect = GV_ASPECT_COLOR,
        .mip = mip,
        .mips = 1,
        .layers = 1,
    };
    return gv_vk_image_view(views, m->image, &key, err);
}

static bool bind_level(struct gv_vk_commands *commands, struct gv_vk_views *views,
                       const struct making *m, uint32_t mip, struct gv_error *err)
{
    VkDescriptorSet set;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = m->sets->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &m->draws->layouts.set_layout,
    };
    const VkDescriptorImageInfo level = {
        .imageView = view_of(views, m, mip, GV_VIEW_USE_SAMPLED, err),
        .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    if (!level.imageView ||
        !gv_vk_ok(vkAllocateDescriptorSets(commands->staging->heaps->device->handle,
                                           &info, &set),
                  "vkAllocateDescriptorSets", err))
        return false;
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        .pImageInfo = &level,
    };
    vkUpdateDescriptorSets(commands->staging->heaps->device->handle, 1, &write, 0,
                           NULL);
    vkCmdBindDescriptorSets(commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            m->draws->layouts.layout, 0, 1, &set, 0, NULL);
    return true;
}

static VkImageCopy whole_level(const struct gv_vk_image *image, uint32_t mip)
{
    const VkImageSubresourceLayers level = { VK_IMAGE_ASPECT_COLOR_BIT, mip, 0, 1 };
    return (VkImageCopy){
        .srcSubresource = level,
        .dstSubresource = level,
        .extent = { gv_vk_image_mip_width(image, mip),
                    gv_vk_image_mip_height(image, mip), 1 },
    };
}

static void copy_in(const struct gv_vk_commands *commands, const struct making *m)
{
    const uint32_t base = m->mips->base;
    const VkImageCopy region = whole_level(m->image, base);
    const VkImageMemoryBarrier2 before =
        gv_vk_own_change(m->image, base, 1, &gv_vk_own_new, &gv_vk_own_filled);
    gv_vk_own_order(commands->buffer, &before, 1);
    vkCmdCopyImage(commands->buffer, m->mips->image->handle,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, m->image->handle,
                   gv_vk_own_filled.layout, 1, &region);
}

static bool draw_level(struct gv_vk_commands *c, struct gv_vk_views *views,
                       const struct making *m, uint32_t mip, struct gv_error *err)
{
    VkCommandBuffer commands = c->buffer;
    const uint32_t width = gv_vk_image_mip_width(m->image, mip);
    const uint32_t height = gv_vk_image_mip_height(m->image, mip);
    const struct gv_vk_own_state *source =
        mip == m->mips->base + 1 ? &gv_vk_own_filled : &gv_vk_own_color;
    const VkImageMemoryBarrier2 before[2] = {
        gv_vk_own_change(m->image, mip - 1, 1, source, &gv_vk_own_sampled),
        gv_vk_own_change(m->image, mip, 1, &gv_vk_own_new, &gv_vk_own_color),
    };
    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view_of(views, m, mip, GV_VIEW_USE_COLOR, err),
        .imageLayout = gv_vk_own_color.layout,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRect2D area = { .extent = { width, height } };
    const VkViewport viewport = { 0, 0, (float)width, (float)height, 0, 1 };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = area,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &target,
    };
    if (!target.imageView || !bind_level(c, views, m, mip - 1, err))
        return false;
    gv_vk_own_order(c->buffer, before, 2);
    vkCmdSetViewportWithCount(commands, 1, &viewport);
    vkCmdSetScissorWithCount(commands, 1, &area);
    vkCmdBeginRendering(commands, &info);
    vkCmdDraw(commands, 4, 1, 0, 0);
    vkCmdEndRendering(commands);
    return true;
}

static void copy_out(const struct gv_vk_commands *commands, const struct making *m)
{
    const uint32_t last = m->mips->base + m->mips->count - 1;
    VkImageCopy regions[MOST_MIPS];
    VkImageMemoryBarrier2 before[2] = {
        gv_vk_own_change(m->image, last, 1, &gv_vk_own_color, &gv_vk_own_copied),
    };
    uint32_t count = 0;
    for (uint32_t mip = m->mips->base + 1; mip <= last; mip++)
        regions[count++] = whole_level(m->image, mip);
    if (count > 1)
        before[1] = gv_vk_own_change(m->image, m->mips->base + 1, count - 1,
                                     &gv_vk_own_sampled, &gv_vk_own_copied);
    gv_vk_own_order(commands->buffer, before, count > 1 ? 2 : 1);
    vkCmdCopyImage(commands->buffer, m->image->handle, gv_vk_own_copied.layout,
                   m->mips->image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count,
                   regions);
}

// The payload's image, as far as it is read and written.
static bool queue_transfer(struct gv_runtime *rt, const struct gv_vk_mips *mips,
                           struct gv_error *err)
{
    const VkImageSubresourceRange from =
        gv_vk_image_range(mips->image, mips->base, 1, 0, 1);
    const VkImageSubresourceRange to =
        gv_vk_image_range(mips->image, mips->base + 1, mips->count - 1, 0, 1);
    return gv_vk_barriers_read_image(rt, mips->image, &from,
                                     VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, err) &&
           gv_vk_barriers_write_image(
               rt, mips->image, &to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true, err) &&
           gv_vk_barriers_emit(rt->commands, rt->barriers, err) &&
           gv_vk_commands_begin_work(rt->commands, err);
}

static bool record(struct gv_runtime *rt, struct making *m, struct gv_error *err)
{
    if (!make_sets(rt->device, m, err) || !queue_transfer(rt, m->mips, err))
        return false;
    copy_in(rt->commands, m);
    vkCmdBindPipeline(rt->commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      m->pipeline);
    for (uint32_t i = 1; i < m->mips->count; i++)
        if (!draw_level(rt->commands, rt->views, m, m->mips->base + i, err))
            return false;
    copy_out(rt->commands, m);
    rt->above.graphics_lost(rt);
    return true;
}

bool gv_vk_mips_draw(struct gv_runtime *rt, struct gv_vk_mip_draws *draws,
                     const struct gv_vk_mips *mips, bool *drawn, struct gv_error *err)
{
    struct making m = { .draws = draws, .mips = mips };
    *drawn = false;
    if (!find_pipeline(rt->device, draws, mips->image->format, &m.pipeline, err))
        return false;
    if (!m.pipeline)
        return true;
    if (!make_image(rt, &m, err)) {
        if (err->status != GV_ERR_LIMIT)
            return false;
        gv_error_clear(err);
        return true;
    }
    *drawn = record(rt, &m, err);
    if (m.sets)
        gv_vk_commands_defer(rt, free_sets, m.sets);
    const struct gv_args_image_destroy args = { .image.u = m.handle };
    return gv_do_image_destroy(rt, &args, NULL, *drawn ? err : NULL) && *drawn;
}
