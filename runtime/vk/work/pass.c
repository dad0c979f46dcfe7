#include "runtime/vk/work/pass.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/zero.h"
#include "runtime/vk/transfer/texel_converter.h"
#include "runtime/vk/work/feedback.h"
#include "runtime/vk/work/query.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

void gv_vk_pass_finish(struct gv_vk_pass *pass)
{
    free(pass->written);
    *pass = (struct gv_vk_pass){ 0 };
}

void gv_vk_pass_reset(struct gv_vk_pass *pass)
{
    const uint64_t passes = pass->passes;
    gv_vk_pass_finish(pass);
    pass->passes = passes;
}

uint64_t gv_vk_pass_target(const struct gv_handles *handles,
                           const struct gv_vk_pass *pass, uint32_t *mip,
                           uint32_t *layer)
{
    const struct gv_vk_target *t = &pass->color[0].target;
    if (!t->handle || !gv_handles_get(handles, GV_KIND_IMAGE, t->handle))
        return 0;
    *mip = t->mip;
    *layer = t->layer;
    return t->handle;
}

// ---- rendering ----

static bool is_integer(uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    return info &&
           (info->kind == GV_FORMAT_KIND_UINT || info->kind == GV_FORMAT_KIND_SINT);
}

// Stores are unconditional: whether the pass will be suspended is not known yet, and
// what is resumed is loaded.
static VkRenderingAttachmentInfo color_info(const struct gv_vk_color_target *c,
                                            bool resume)
{
    const VkClearColorValue zero = { .uint32 = { 0 } };
    bool resolve = c->resolve.handle != 0;
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = c->target.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = !resolve ? VK_RESOLVE_MODE_NONE
                       : is_integer(gv_vk_target_format(&c->target))
                           ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                           : VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = resolve ? c->resolve.view : VK_NULL_HANDLE,
        .resolveImageLayout = resolve ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                      : VK_IMAGE_LAYOUT_UNDEFINED,
        .loadOp = resume           ? VK_ATTACHMENT_LOAD_OP_LOAD
                  : c->target.zero ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                   : c->load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.color = c->target.zero ? zero : c->clear,
    };
}

static VkRenderingAttachmentInfo depth_info(const struct gv_vk_depth_target *d,
                                            VkAttachmentLoadOp load, bool resume)
{
    // One aspect may be cleared while the other begins with zeros.
    bool zero = d->target.zero && load != VK_ATTACHMENT_LOAD_OP_CLEAR;
    const VkClearDepthStencilValue zeros = { 0 };
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = d->target.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        .loadOp = resume ? VK_ATTACHMENT_LOAD_OP_LOAD
                  : zero ? VK_ATTACHMENT_LOAD_OP_CLEAR
                         : load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.depthStencil = zero ? zeros : d->clear,
    };
}

static void record_begin(const struct gv_vk_commands *commands,
                         const struct gv_vk_pass *pass, bool resume)
{
    VkRenderingAttachmentInfo colors[GV_MAX_COLOR_ATTACHMENTS];
    for (uint32_t i = 0; i < pass->color_count; i++) {
        if (pass->color[i].target.handle)
            colors[i] = color_info(&pass->color[i], resume);
        else
            colors[i] = (VkRenderingAttachmentInfo){
                .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            };
    }
    const struct gv_vk_target *t = &pass->depth.target;
    VkImageAspectFlags aspects = t->handle ? t->image->aspects : 0;
    VkRenderingAttachmentInfo depth =
        depth_info(&pass->depth, pass->depth.depth_load, resume);
    VkRenderingAttachmentInfo stencil =
        depth_info(&pass->depth, pass->depth.stencil_load, resume);
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea.extent = { pass->width, pass->height },
        .layerCount = pass->layers,
        .colorAttachmentCount = pass->color_count,
        .pColorAttachments = colors,
        .pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : NULL,
        .pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &stencil : NULL,
    };
    vkCmdBeginRendering(commands->buffer, &info);
}

// Whether the pass covers all texels of the range that it attaches.
static bool covers(const struct gv_vk_pass *pass, const struct gv_vk_target *t)
{
    return pass->width == gv_vk_image_mip_width(t->image, t->mip) &&
           pass->height == gv_vk_image_mip_height(t->image, t->mip) &&
           (t->image->type != GV_IMAGE_TYPE_3D ||
            pass->layers == gv_vk_image_mip_depth(t->image, t->mip));
}

// `overwritten`: the pass begins (or ends) by overwriting whatever it covers.
static bool queue_target(struct gv_runtime *rt, struct gv_vk_target *t,
                         VkImageLayout layout, bool resume, bool overwritten,
                         struct gv_error *err)
{
    if (!t->handle)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "an attachment was destroyed during its pass");
    bool volume = t->image->type == GV_IMAGE_TYPE_3D;
    VkImageSubresourceRange range = gv_vk_image_range(
        t->image, t->mip, 1, volume ? 0 : t->layer, volume ? 1 : rt->pass->layers);
    bool whole = !resume && covers(rt->pass, t);
    t->zero = whole && !overwritten && gv_vk_image_undefined(t->image, &range);
    return gv_vk_barriers_attachment(rt, t->image, &range, layout,
                                     whole && (overwritten || t->zero), err);
}

static bool queue_color(struct gv_runtime *rt, struct gv_vk_color_target *c,
                        bool resume, struct gv_error *err)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    bool clears = c->load == VK_ATTACHMENT_LOAD_OP_CLEAR;
    if (c->target.image && !queue_target(rt, &c->target, layout, resume, clears, err))
        return false;
    return !c->resolve.image ||
           queue_target(rt, &c->resolve, layout, resume, true, err);
}

static bool queue_depth(struct gv_runtime *rt, struct gv_vk_depth_target *d,
                        bool resume, struct gv_error *err)
{
    const VkAttachmentLoadOp clear = VK_ATTACHMENT_LOAD_OP_CLEAR;
    if (!d->target.image)
        return true;
    VkImageAspectFlags aspects = d->target.image->aspects;
    bool clears =
        (!(aspects & VK_IMAGE_ASPECT_DEPTH_BIT) || d->depth_load == clear) &&
        (!(aspects & VK_IMAGE_ASPECT_STENCIL_BIT) || d->stencil_load == clear);
    return queue_target(rt, &d->target,
                        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, resume,
                        clears, err);
}

static bool begin_rendering(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_pass *pass = rt->pass;
    const bool resume = !pass->fresh;
    pass->fresh = false;
    if (!gv_vk_commands_begin_work(rt->commands, err))
        return false;
    for (uint32_t i = 0; i < pass->color_count; i++)
        if (!queue_color(rt, &pass->color[i], resume, err))
            return false;
    if (!queue_depth(rt, &pass->depth, resume, err))
        return false;
    if (!gv_vk_barriers_work(rt, err))
        return false;
    if (!gv_vk_queries_before_rendering(rt->commands, rt->queries, err))
        return false;
    record_begin(rt->commands, rt->pass, resume);
    rt->rendering = true;
    pass->instance++;
    pass->instance_draws = 0;
    gv_vk_queries_in_rendering(rt->commands, rt->queries);
    return true;
}

// What the object of an entry knows of its place.
static size_t *index_of(const struct gv_vk_written *w)
{
    return w->buffer ? &w->buffer->written : &w->image->written;
}

static void flush_written(struct gv_vk_barriers *barriers, struct gv_vk_pass *pass)
{
    for (size_t i = 0; i < pass->written_count; i++) {
        const struct gv_vk_written *w = &pass->written[i];
        *index_of(w) = 0;
        if (w->buffer)
            gv_vk_barriers_wrote_buffer(barriers, w->buffer, w->stages, w->access);
        else
            gv_vk_barriers_wrote_image(barriers, w->image, w->stages, w->access);
    }
    pass->written_count = 0;
}

static void end_rendering(struct gv_runtime *rt)
{
    gv_vk_feedback_pause(rt->commands, rt->feedback);
    gv_vk_queries_leave_rendering(rt->commands, rt->queries);
    vkCmdEndRendering(rt->commands->buffer);
    gv_vk_feedback_order(rt->commands, rt->feedback);
    rt->rendering = false;
    flush_written(rt->barriers, rt->pass);
}

static void mark_attached(struct gv_vk_pass *pass, bool attached)
{
    struct gv_vk_target *targets[GV_VK_MAX_TARGETS];
    size_t count = gv_vk_pass_targets(pass, targets);
    for (size_t i = 0; i < count; i++)
        targets[i]->image->attached = attached;
}

bool gv_do_pass_begin(struct gv_runtime *rt, const struct gv_args_pass_begin *a,
                      uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_pass *pass = rt->pass;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    memcpy(pass->color, pass->next_color, sizeof pass->color);
    pass->depth = pass->next_depth;
    memset(pass->next_color, 0, sizeof pass->next_color);
    pass->next_depth = (struct gv_vk_depth_target){ 0 };
    pass->color_count = 0;
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        if (pass->color[i].target.handle || pass->color[i].resolve.handle)
            pass->color_count = i + 1;
    pass->width = (uint32_t)a->width.u;
    pass->height = (uint32_t)a->height.u;
    pass->layers = (uint32_t)a->layers.u;
    pass->samples = 0;
    if (!gv_vk_pass_check(rt->views, rt->pass, err))
        return false;
    mark_attached(pass, true);
    rt->in_pass = true;
    pass->fresh = true; // what comes first in it resumes it
    pass->passes++;
    return true;
}

static bool round_target(struct gv_runtime *rt, const struct gv_vk_target *t,
                         struct gv_error *err)
{
    struct gv_vk_image *image = t->image;
    if (!t->handle || image->samples > 1 || image->aspects != VK_IMAGE_ASPECT_COLOR_BIT)
        return true;
    const bool volume = image->type == GV_IMAGE_TYPE_3D;
    const struct gv_vk_box box = { .image = image,
                                   .aspect = GV_ASPECT_COLOR,
                                   .mip = t->mip,
                                   .layer = volume ? 0 : t->layer,
                                   .layers = volume ? 1 : rt->pass->layers,
                                   .z = volume ? t->layer : 0,
                                   .width = rt->pass->width,
                                   .height = rt->pass->height,
                                   .depth = volume ? rt->pass->layers : 1 };
    return gv_vk_texels_round(rt, &box, err);
}

// Targets that are kept in wider formats hold afterwards what their own do.
static bool round_targets(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_target *targets[GV_VK_MAX_TARGETS];
    const size_t count = gv_vk_pass_targets(rt->pass, targets);
    for (size_t i = 0; i < count; i++)
        if (!round_target(rt, targets[i], err))
            return false;
    return true;
}

// Ends rendering. A pass that nothing was recorded in has its beginning yet to come.
static bool leave(struct gv_runtime *rt, struct gv_error *err)
{
    if (rt->in_pass && rt->pass->fresh && !begin_rendering(rt, err))
        return false;
    if (!rt->in_pass || !rt->rendering)
        return true;
    end_rendering(rt);
    return round_targets(rt, err);
}

bool gv_do_pass_end(struct gv_runtime *rt, const struct gv_args_pass_end *a,
                    uint64_t *result, struct gv_error *err)
{
    (void)a;
    (void)result;
    if (!gv_runtime_inside_pass(rt, err) || !leave(rt, err))
        return false;
    gv_vk_feedback_abandon(rt->feedback);
    mark_attached(rt->pass, false);
    rt->in_pass = false;
    return gv_vk_queries_after_pass(rt->commands, rt->queries, err);
}

bool gv_vk_pass_suspend(struct gv_runtime *rt, struct gv_error *err)
{
    if (!leave(rt, err))
        return false;
    gv_vk_queries_interrupt(rt->commands, rt->queries);
    return true;
}

void gv_vk_pass_abandon(struct gv_runtime *rt)
{
    rt->pass->fresh = false;
    gv_vk_pass_suspend(rt, NULL);
    rt->in_pass = false;
    gv_vk_feedback_abandon(rt->feedback);
    gv_vk_queries_reset(rt->queries);
}

bool gv_vk_pass_resume(struct gv_runtime *rt, struct gv_error *err)
{
    if (rt->in_pass && rt->rendering)
        return true;
    return gv_vk_queries_continue(rt->commands, rt->queries, err) &&
           (!rt->in_pass || begin_rendering(rt, err));
}

// ---- what else wants to know ----

void gv_vk_pass_forget_written(struct gv_vk_pass *pass, size_t *written)
{
    if (!*written)
        return;
    struct gv_vk_written *place = &pass->written[*written - 1];
    *place = pass->written[--pass->written_count];
    *index_of(place) = *written; // itself, if it was the last
    *written = 0;
}

bool gv_vk_pass_wrote(struct gv_vk_pass *pass, const struct gv_vk_written *written,
                      struct gv_error *err)
{
    size_t *index = index_of(written);
    if (*index) {
        pass->written[*index - 1].stages |= written->stages;
        pass->written[*index - 1].access |= written->access;
        return true;
    }
    if (pass->written_count == pass->written_capacity) {
        size_t capacity = pass->written_capacity ? pass->written_capacity * 2 : 16;
        void *grown = realloc(pass->written, capacity * sizeof *pass->written);
        if (!grown)
            return gv_out_of_memory(err);
        pass->written = grown;
        pass->written_capacity = capacity;
    }
    pass->written[pass->written_count++] = *written;
    *index = pass->written_count;
    return true;
}
