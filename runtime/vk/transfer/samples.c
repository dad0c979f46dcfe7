#include "runtime/vk/transfer/samples.h"

#include "runtime/shaders/sample_depth_in.spv.h"
#include "runtime/shaders/sample_depth_out.spv.h"
#include "runtime/shaders/sample_in.spv.h"
#include "runtime/shaders/sample_out.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/format_features.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/image_create.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/pipelines/own_draw.h"
#include "runtime/vk/transfer/readback.h"
#include "vm/formats.h"

#include <inttypes.h>
#include <stdlib.h>

// So many are recorded in one submission, which keeps their images and pipelines.
#define MOST_PENDING 16

// One side: an image of the payload or of `gv_vk_sample_read`'s, and the one of ours
// that stands for it.
struct side {
    struct gv_vk_image *image;
    uint32_t layer;
    uint64_t handle; // of ours
    struct gv_vk_image *own;
};

// What lives as long as the submission.
struct drawing {
    struct gv_vk_own_layout layouts;
    VkDescriptorPool pool;
    VkPipeline pipeline;
};

struct passage {
    struct side from, to; // one of them has samples
    uint32_t aspect, number;
    struct drawing *drawing;
    VkDescriptorSet set;
};

static bool is_depth(const struct passage *p)
{
    return p->aspect == GV_ASPECT_DEPTH;
}

// ---- images of ours ----

// Colours travel as bits, so that none is converted.
static uint64_t own_format(const struct passage *p, const struct side *side)
{
    static const struct {
        uint8_t bytes, format;
    } rows[] = {
        { 1, VK_FORMAT_R8_UINT },
        { 2, VK_FORMAT_R16_UINT },
        { 4, VK_FORMAT_R32_UINT },
        { 8, VK_FORMAT_R32G32_UINT },
        { 16, VK_FORMAT_R32G32B32A32_UINT },
    };
    const struct gv_format_info *info = gv_format_info((uint64_t)side->image->format);
    if (is_depth(p))
        return (uint64_t)side->image->format;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].bytes == info->block_bytes)
            return rows[i].format;
    return 0; // not drawn to
}

static bool make_image(struct gv_runtime *rt, const struct gv_vk_image *like,
                       uint64_t format, uint32_t samples, uint64_t usage,
                       struct side *side, struct gv_error *err)
{
    const struct gv_args_image_create args = {
        .type.u = GV_IMAGE_TYPE_2D,
        .format.u = format,
        .width.u = like->width,
        .height.u = like->height,
        .depth.u = 1,
        .mips.u = 1,
        .layers.u = 1,
        .samples.u = samples,
        .usage.u = usage,
    };
    if (!gv_vk_image_create_own(rt, &args, &side->handle, err))
        return false;
    side->own = gv_vk_image_find(&rt->handles, side->handle, "image", err);
    return side->own != NULL;
}

static bool make_twin(struct gv_runtime *rt, const struct passage *p, bool target,
                      struct side *side, struct gv_error *err)
{
    const uint64_t drawn = is_depth(p) ? GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT
                                       : GV_IMAGE_USAGE_COLOR_ATTACHMENT;
    return make_image(rt, side->image, own_format(p, side), side->image->samples,
                      target ? drawn : GV_IMAGE_USAGE_SAMPLED, side, err);
}

static bool drop_image(struct gv_runtime *rt, struct side *side, struct gv_error *err)
{
    const struct gv_args_image_destroy args = { .image.u = side->handle };
    return !side->handle || gv_do_image_destroy(rt, &args, NULL, err);
}

// ---- what is drawn with ----

static void free_drawing(struct gv_runtime *rt, void *object)
{
    struct drawing *d = object;
    VkDevice device = rt->device->handle;
    vkDestroyPipeline(device, d->pipeline, NULL);
    vkDestroyDescriptorPool(device, d->pool, NULL);
    gv_vk_own_layout_finish(rt->device, &d->layouts);
    free(d);
}

static bool make_set(const struct gv_vk_device *device, struct passage *p,
                     struct gv_error *err)
{
    struct drawing *d = p->drawing;
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1 };
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    if (!gv_vk_ok(vkCreateDescriptorPool(device->handle, &pool, NULL, &d->pool),
                  "vkCreateDescriptorPool", err))
        return false;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = d->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &d->layouts.set_layout,
    };
    return gv_vk_ok(vkAllocateDescriptorSets(device->handle, &info, &p->set),
                    "vkAllocateDescriptorSets", err);
}

// The shader of a colour's or a depth's way out or in.
static VkShaderModuleCreateInfo texels_shader(const struct passage *p)
{
    const bool out = p->from.image->samples > 1;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof sample_in,
        .pCode = sample_in,
    };
    if (is_depth(p) && out)
        info.codeSize = sizeof sample_depth_out, info.pCode = sample_depth_out;
    else if (is_depth(p))
        info.codeSize = sizeof sample_depth_in, info.pCode = sample_depth_in;
    else if (out)
        info.codeSize = sizeof sample_out, info.pCode = sample_out;
    return info;
}

static bool make_pipeline(const struct gv_vk_device *device, const struct passage *p,
                          struct gv_error *err)
{
    const bool in = p->to.own->samples > 1;
    const struct gv_vk_own_pipeline params = {
        .layout = p->drawing->layouts.layout,
        .fragment = texels_shader(p),
        .format = gv_vk_device_format(device, p->to.own->format),
        .depth = is_depth(p),
        .samples = p->to.own->samples,
        .masks = { !in              ? UINT32_MAX
                   : p->number < 32 ? UINT32_C(1) << p->number
                                    : 0,
                   in && p->number >= 32 ? UINT32_C(1) << (p->number - 32) : 0 },
    };
    return gv_vk_own_pipeline_create(device, &params, &p->drawing->pipeline, err);
}

static bool make_drawing(const struct gv_vk_device *device, struct passage *p,
                         struct gv_error *err)
{
    p->drawing = calloc(1, sizeof *p->drawing);
    return (p->drawing || gv_out_of_memory(err)) &&
           gv_vk_own_layout_init(device, &p->drawing->layouts,
                                 VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, NULL, err) &&
           make_set(device, p, err) && make_pipeline(device, p, err);
}

// ---- recording ----

static void change(const struct gv_vk_commands *commands, const struct side *side,
                   const struct gv_vk_own_state *from, const struct gv_vk_own_state *to)
{
    const VkImageMemoryBarrier2 barrier = gv_vk_own_change(side->own, 0, 1, from, to);
    gv_vk_own_order(commands->buffer, &barrier, 1);
}

static VkImageSubresourceRange range_of(const struct side *side)
{
    return gv_vk_image_range(side->image, 0, 1, side->layer, 1);
}

// All of one layer.
static VkImageCopy whole_of(const struct side *side, bool in)
{
    const VkImageSubresourceLayers theirs = { side->image->aspects, 0, side->layer, 1 };
    const VkImageSubresourceLayers ours = { side->own->aspects, 0, 0, 1 };
    return (VkImageCopy){
        .srcSubresource = in ? theirs : ours,
        .dstSubresource = in ? ours : theirs,
        .extent = { side->image->width, side->image->height, 1 },
    };
}

static void copy_in(const struct gv_vk_commands *commands, const struct side *side)
{
    const VkImageCopy region = whole_of(side, true);
    change(commands, side, &gv_vk_own_new, &gv_vk_own_filled);
    vkCmdCopyImage(commands->buffer, side->image->handle,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, side->own->handle,
                   gv_vk_own_filled.layout, 1, &region);
}

static void copy_out(const struct gv_vk_commands *commands, const struct side *side)
{
    const VkImageCopy region = whole_of(side, false);
    vkCmdCopyImage(commands->buffer, side->own->handle, gv_vk_own_copied.layout,
                   side->image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                   &region);
}

static VkImageView view_of(struct gv_vk_views *views, const struct passage *p,
                           const struct side *side, enum gv_view_use use,
                           struct gv_error *err)
{
    const struct gv_view_shape key = {
        .use = use,
        .type = GV_VIEW_TYPE_2D,
        .aspect = use == GV_VIEW_USE_DEPTH_STENCIL ? side->own->aspects : p->aspect,
        .mips = 1,
        .layers = 1,
    };
    return gv_vk_image_view(views, side->own, &key, err);
}

static bool fill_set(struct gv_vk_views *views, const struct passage *p,
                     struct gv_error *err)
{
    const VkDescriptorImageInfo texels = {
        .imageView = view_of(views, p, &p->from, GV_VIEW_USE_SAMPLED, err),
        .imageLayout = gv_vk_own_sampled.layout,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = p->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .pImageInfo = &texels,
    };
    if (!texels.imageView)
        return false;
    vkUpdateDescriptorSets(views->heaps->device->handle, 1, &write, 0, NULL);
    return true;
}

static bool draw(const struct gv_vk_commands *c, struct gv_vk_views *views,
                 const struct passage *p, struct gv_error *err)
{
    VkCommandBuffer commands = c->buffer;
    const VkRect2D all = { .extent = { p->to.own->width, p->to.own->height } };
    const VkViewport viewport = {
        0, 0, (float)p->to.own->width, (float)p->to.own->height, 0, 1
    };
    const VkRenderingAttachmentInfo target = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView =
            view_of(views, p, &p->to,
                    is_depth(p) ? GV_VIEW_USE_DEPTH_STENCIL : GV_VIEW_USE_COLOR, err),
        .imageLayout = is_depth(p) ? gv_vk_own_depth.layout : gv_vk_own_color.layout,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = all,
        .layerCount = 1,
        .colorAttachmentCount = is_depth(p) ? 0 : 1,
        .pColorAttachments = &target,
        .pDepthAttachment = is_depth(p) ? &target : NULL,
    };
    if (!target.imageView)
        return false;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->drawing->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            p->drawing->layouts.layout, 0, 1, &p->set, 0, NULL);
    vkCmdPushConstants(commands, p->drawing->layouts.layout,
                       VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof p->number, &p->number);
    vkCmdSetViewportWithCount(commands, 1, &viewport);
    vkCmdSetScissorWithCount(commands, 1, &all);
    vkCmdBeginRendering(commands, &info);
    vkCmdDraw(commands, 4, 1, 0, 0);
    vkCmdEndRendering(commands);
    return true;
}

static bool record(struct gv_runtime *rt, const struct passage *p, struct gv_error *err)
{
    const struct gv_vk_own_state *drawn =
        is_depth(p) ? &gv_vk_own_depth : &gv_vk_own_color;
    const VkImageSubresourceRange from = range_of(&p->from), to = range_of(&p->to);
    const VkImageLayout source = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    if (!gv_vk_barriers_read_image(rt, p->from.image, &from, source, err) ||
        !gv_vk_barriers_read_image(rt, p->to.image, &to, source, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    copy_in(rt->commands, &p->from);
    copy_in(rt->commands, &p->to);
    change(rt->commands, &p->from, &gv_vk_own_filled, &gv_vk_own_sampled);
    change(rt->commands, &p->to, &gv_vk_own_filled, drawn);
    if (!draw(rt->commands, rt->views, p, err))
        return false;
    rt->above.graphics_lost(rt);
    change(rt->commands, &p->to, drawn, &gv_vk_own_copied);
    if (!gv_vk_barriers_write_image(rt, p->to.image, &to,
                                    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    copy_out(rt->commands, &p->to);
    return true;
}

// One sample of the side that has several, to or from the other.
static bool pass_over(struct gv_runtime *rt, struct passage *p, struct gv_error *err)
{
    bool ok = make_twin(rt, p, false, &p->from, err) &&
              make_twin(rt, p, true, &p->to, err) && make_drawing(rt->device, p, err) &&
              fill_set(rt->views, p, err) && record(rt, p, err);
    if (p->drawing)
        gv_vk_commands_defer(rt, free_drawing, p->drawing);
    gv_vk_commands_count(rt->commands, GV_VK_MAX_RECORDED / MOST_PENDING);
    struct gv_error *why = ok ? err : NULL;
    ok = drop_image(rt, &p->from, why) && ok;
    return drop_image(rt, &p->to, why) && ok;
}

// ---- one sample ----

// Depths of 24 bits do not come back the same from the floats that shaders see.
static bool is_exact(const struct gv_vk_device *device,
                     const struct gv_vk_sample *sample)
{
    const VkFormat format = gv_vk_device_format(device, sample->image->format);
    return sample->aspect == GV_ASPECT_COLOR ||
           (format != VK_FORMAT_D24_UNORM_S8_UINT &&
            format != VK_FORMAT_X8_D24_UNORM_PACK32);
}

bool gv_vk_sample_check(const struct gv_vk_device *device,
                        const struct gv_vk_sample *sample, struct gv_error *err)
{
    const struct gv_vk_image *image = sample->image;
    if (image->samples < 2)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "image: it has one sample");
    if (sample->number >= image->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "sample: %" PRIu32 " of %u",
                       sample->number, (unsigned)image->samples);
    if (!gv_vk_image_check_aspect(image, sample->aspect, "aspect", err) ||
        !gv_vk_image_check_range(image, 0, 1, sample->layer, 1, "mip", "layer", err))
        return false;
    if (sample->aspect != GV_ASPECT_COLOR && sample->aspect != GV_ASPECT_DEPTH)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: the stencil of single samples");
    return is_exact(device, sample) ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: the depth of single samples in 24 bits");
}

// An image with one sample, of the same size and format.
static bool make_single(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                        struct side *single, struct gv_error *err)
{
    const struct gv_vk_image *image = sample->image;
    const bool colored = sample->aspect == GV_ASPECT_COLOR;
    if (!make_image(rt, image, (uint64_t)image->format, 1,
                    colored ? GV_IMAGE_USAGE_COLOR_ATTACHMENT
                            : GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT,
                    single, err))
        return false;
    single->image = single->own;
    return true;
}

static bool between(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                    const struct side *single, bool in, struct gv_error *err)
{
    const struct side many = { .image = sample->image, .layer = sample->layer };
    const struct side one = { .image = single->image };
    struct passage p = { .from = in ? one : many,
                         .to = in ? many : one,
                         .aspect = sample->aspect,
                         .number = sample->number };
    return pass_over(rt, &p, err);
}

static bool read_single(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                        struct gv_vk_image *single, struct gv_bytes *out,
                        struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    const struct gv_vk_box box = { .image = single,
                                   .aspect = sample->aspect,
                                   .layers = 1,
                                   .width = single->width,
                                   .height = single->height,
                                   .depth = 1 };
    const uint8_t *bytes = gv_vk_readback_image(rt, &readback, &box, err)
                               ? gv_vk_readback_wait(rt, &readback, err)
                               : NULL;
    if (bytes)
        gv_bytes_put(out, bytes, (size_t)readback.size);
    gv_vk_readback_drop(rt, &readback);
    return bytes && (!out->failed || gv_out_of_memory(err));
}

bool gv_vk_sample_read(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                       struct gv_bytes *out, struct gv_error *err)
{
    struct side single = { 0 };
    bool ok = make_single(rt, sample, &single, err) &&
              between(rt, sample, &single, false, err) &&
              read_single(rt, sample, single.image, out, err);
    return drop_image(rt, &single, ok ? err : NULL) && ok;
}

static bool upload_single(struct gv_runtime *rt, const struct side *single,
                          const struct gv_args_image_upload_sample *a,
                          struct gv_error *err)
{
    const struct gv_args_image_upload args = {
        .image.u = single->handle,
        .aspect = a->aspect,
        .layers.u = 1,
        .x = a->x,
        .y = a->y,
        .width = a->width,
        .height = a->height,
        .depth.u = 1,
        .data = a->data,
        .size = a->size,
    };
    return gv_do_image_upload(rt, &args, NULL, err);
}

// All of it is drawn: with scissors lavapipe draws beside them.
static bool write_sample(struct gv_runtime *rt, const struct gv_vk_sample *sample,
                         const struct gv_args_image_upload_sample *a,
                         struct gv_error *err)
{
    struct side single = { 0 };
    const bool whole =
        a->width.u == sample->image->width && a->height.u == sample->image->height;
    bool ok = make_single(rt, sample, &single, err) &&
              (whole || between(rt, sample, &single, false, err)) &&
              upload_single(rt, &single, a, err) &&
              between(rt, sample, &single, true, err);
    return drop_image(rt, &single, ok ? err : NULL) && ok;
}

bool gv_do_image_upload_sample(struct gv_runtime *rt,
                               const struct gv_args_image_upload_sample *a,
                               uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const struct gv_vk_sample sample = {
        .image = gv_vk_image_find(&rt->handles, a->image.u, "image", err),
        .aspect = (uint32_t)a->aspect.u,
        .layer = (uint32_t)a->layer.u,
        .number = (uint32_t)a->sample.u,
    };
    // Draws of ours count in no query.
    return sample.image && gv_runtime_outside_pass(rt, err) &&
           gv_vk_sample_check(rt->device, &sample, err) &&
           gv_runtime_suspend(rt, err) && write_sample(rt, &sample, a, err) &&
           gv_runtime_resume(rt, err);
}
