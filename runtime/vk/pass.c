#include "runtime/vk/pass.h"

#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

struct gv_vk_pass *gv_vk_pass_create(struct gv_runtime *rt, struct gv_error *err)
{
    (void)rt;
    struct gv_vk_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "out of memory");
    return pass;
}

void gv_vk_pass_destroy(struct gv_runtime *rt, struct gv_vk_pass *pass)
{
    if (!pass)
        return;
    gv_vk_feedback_finish(rt, &pass->feedback);
    free(pass->written);
    free(pass);
}

uint64_t gv_vk_pass_target(const struct gv_runtime *rt, uint32_t *mip, uint32_t *layer)
{
    const struct gv_vk_target *t = &rt->pass->color[0].target;
    if (!t->handle || !gv_handles_get(&rt->handles, GV_KIND_IMAGE, t->handle))
        return 0;
    *mip = t->mip;
    *layer = t->layer;
    return t->handle;
}

// ---- naming attachments ----

// Which layers a target has: of a 3D image, the slices of the mip.
static uint32_t target_layers(const struct gv_vk_target *t)
{
    return t->image->type == GV_IMAGE_TYPE_3D ? gv_vk_image_mip_depth(t->image, t->mip)
                                              : t->image->layers;
}

static bool name_target(struct gv_runtime *rt, struct gv_vk_target *t, uint64_t image,
                        uint32_t usage, const char *argument, struct gv_error *err)
{
    t->handle = 0;
    t->image = gv_vk_image_find(rt, image, argument, err);
    if (!t->image)
        return false;
    if (!(t->image->usage & usage))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%s: made without attachment usage", argument);
    if (t->mip >= t->image->mips)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: mip %u of %u", argument,
                       t->mip, t->image->mips);
    uint32_t layers = target_layers(t);
    if (t->layer >= layers || t->layers == 0 || t->layers > layers - t->layer)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: layers %u+%u of %u",
                       argument, t->layer, t->layers, layers);
    t->handle = image;
    return true;
}

bool gv_do_pass_color(struct gv_runtime *rt, const struct gv_args_pass_color *a,
                      uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (a->index.u >= GV_MAX_COLOR_ATTACHMENTS)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "index %llu",
                       (unsigned long long)a->index.u);
    struct gv_vk_color_target *c = &rt->pass->next_color[a->index.u];
    c->target = (struct gv_vk_target){ .format = (uint32_t)a->format.u,
                                       .mip = (uint32_t)a->mip.u,
                                       .layer = (uint32_t)a->layer.u,
                                       .layers = (uint32_t)a->layers.u };
    c->load = (VkAttachmentLoadOp)a->load.u;
    const union gv_arg values[4] = { a->c0, a->c1, a->c2, a->c3 };
    for (int i = 0; i < 4; i++)
        c->clear.uint32[i] = (uint32_t)values[i].u;
    return name_target(rt, &c->target, a->image.u, GV_IMAGE_USAGE_COLOR_ATTACHMENT,
                       "image", err);
}

bool gv_do_pass_resolve(struct gv_runtime *rt, const struct gv_args_pass_resolve *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (a->index.u >= GV_MAX_COLOR_ATTACHMENTS)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "index %llu",
                       (unsigned long long)a->index.u);
    struct gv_vk_target *t = &rt->pass->next_color[a->index.u].resolve;
    *t = (struct gv_vk_target){ .format = (uint32_t)a->format.u,
                                .mip = (uint32_t)a->mip.u,
                                .layer = (uint32_t)a->layer.u,
                                .layers = 1 };
    if (!name_target(rt, t, a->image.u, GV_IMAGE_USAGE_COLOR_ATTACHMENT, "image", err))
        return false;
    if (t->image->samples == 1)
        return true;
    t->handle = 0;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "image: resolves need a single-sampled image");
}

bool gv_do_pass_depth_stencil(struct gv_runtime *rt,
                              const struct gv_args_pass_depth_stencil *a,
                              uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    struct gv_vk_depth_target *d = &rt->pass->next_depth;
    float depth = gv_arg_f32(a->depth);
    d->target = (struct gv_vk_target){ .mip = (uint32_t)a->mip.u,
                                       .layer = (uint32_t)a->layer.u,
                                       .layers = (uint32_t)a->layers.u };
    d->depth_load = (VkAttachmentLoadOp)a->depth_load.u;
    d->stencil_load = (VkAttachmentLoadOp)a->stencil_load.u;
    d->clear = (VkClearDepthStencilValue){ depth, (uint32_t)a->stencil.u };
    if (d->depth_load == VK_ATTACHMENT_LOAD_OP_CLEAR && !(depth >= 0 && depth <= 1))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "depth %g", (double)depth);
    return name_target(rt, &d->target, a->image.u,
                       GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT, "image", err);
}

// ---- checks of a whole pass ----

static bool check_size(const struct gv_vk_pass *pass, const struct gv_vk_target *t,
                       struct gv_error *err)
{
    uint32_t width = gv_vk_image_mip_width(t->image, t->mip);
    uint32_t height = gv_vk_image_mip_height(t->image, t->mip);
    if (pass->width > width || pass->height > height)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%ux%u is larger than an attachment of %ux%u", pass->width,
                       pass->height, width, height);
    if (pass->layers > t->layers)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%u layers, an attachment has %u", pass->layers, t->layers);
    return true;
}

static bool check_samples(struct gv_vk_pass *pass, const struct gv_vk_target *t,
                          struct gv_error *err)
{
    if (pass->samples && pass->samples != t->image->samples)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "attachments of %u and %u samples", pass->samples,
                       t->image->samples);
    pass->samples = t->image->samples;
    return true;
}

static bool overlap(const struct gv_vk_target *a, const struct gv_vk_target *b)
{
    return a->image == b->image && a->mip == b->mip &&
           a->layer < b->layer + b->layers && b->layer < a->layer + a->layers;
}

static bool check_distinct(const struct gv_vk_target *const *targets, size_t count,
                           struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (overlap(targets[i], targets[j]))
                return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                               "one subresource is attached twice");
    return true;
}

static uint32_t format_of(const struct gv_vk_target *t)
{
    return t->format ? t->format : (uint32_t)t->image->format;
}

static bool check_resolve(const struct gv_vk_color_target *c, struct gv_error *err)
{
    if (!c->target.handle || c->target.image->samples == 1)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "a resolve without a multisampled attachment");
    if (format_of(&c->target) != format_of(&c->resolve))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "a resolve between different formats");
    return true;
}

static bool make_view(struct gv_runtime *rt, struct gv_vk_target *t,
                      enum gv_vk_view_use use, struct gv_error *err)
{
    bool one = rt->pass->layers == 1;
    bool line = t->image->type == GV_IMAGE_TYPE_1D;
    const struct gv_vk_view_key key = {
        .use = use,
        .type = line ? (one ? GV_VIEW_TYPE_1D : GV_VIEW_TYPE_1D_ARRAY)
                     : (one ? GV_VIEW_TYPE_2D : GV_VIEW_TYPE_2D_ARRAY),
        .format = t->format,
        .aspect = t->image->aspects,
        .mip = t->mip,
        .mips = 1,
        .layer = t->layer,
        .layers = rt->pass->layers,
    };
    t->view = gv_vk_image_view(rt, t->image, &key, err);
    return t->view != VK_NULL_HANDLE;
}

// Every target of the pass in turn, resolves included.
static size_t list_targets(struct gv_vk_pass *pass, struct gv_vk_target *out[17])
{
    size_t n = 0;
    for (uint32_t i = 0; i < pass->color_count; i++) {
        if (pass->color[i].target.handle)
            out[n++] = &pass->color[i].target;
        if (pass->color[i].resolve.handle)
            out[n++] = &pass->color[i].resolve;
    }
    if (pass->depth.target.handle)
        out[n++] = &pass->depth.target;
    return n;
}

static bool check_pass(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_pass *pass = rt->pass;
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(&rt->device);
    struct gv_vk_target *targets[17];
    size_t count = list_targets(pass, targets);
    if (pass->width == 0 || pass->height == 0 || pass->layers == 0 ||
        pass->width > limits->maxFramebufferWidth ||
        pass->height > limits->maxFramebufferHeight ||
        pass->layers > limits->maxFramebufferLayers)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a pass of %ux%ux%u",
                       pass->width, pass->height, pass->layers);
    for (size_t i = 0; i < count; i++)
        if (!check_size(pass, targets[i], err))
            return false;
    for (uint32_t i = 0; i < pass->color_count; i++) {
        struct gv_vk_color_target *c = &pass->color[i];
        if (c->target.handle && (!check_samples(pass, &c->target, err) ||
                                 !make_view(rt, &c->target, GV_VK_VIEW_COLOR, err)))
            return false;
        if (c->resolve.handle && (!check_resolve(c, err) ||
                                  !make_view(rt, &c->resolve, GV_VK_VIEW_COLOR, err)))
            return false;
    }
    struct gv_vk_target *depth = &pass->depth.target;
    if (depth->handle && (!check_samples(pass, depth, err) ||
                          !make_view(rt, depth, GV_VK_VIEW_DEPTH_STENCIL, err)))
        return false;
    return check_distinct((const struct gv_vk_target *const *)targets, count, err);
}

// ---- rendering ----

static bool is_integer(uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    return info &&
           (info->kind == GV_FORMAT_KIND_UINT || info->kind == GV_FORMAT_KIND_SINT);
}

// Stores are unconditional: whether the pass will be suspended is not known yet.
static VkRenderingAttachmentInfo color_info(const struct gv_vk_color_target *c,
                                            bool resume)
{
    bool resolve = c->resolve.handle != 0;
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = c->target.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = !resolve ? VK_RESOLVE_MODE_NONE
                       : is_integer(format_of(&c->target))
                           ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                           : VK_RESOLVE_MODE_AVERAGE_BIT,
        .resolveImageView = resolve ? c->resolve.view : VK_NULL_HANDLE,
        .resolveImageLayout = resolve ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                      : VK_IMAGE_LAYOUT_UNDEFINED,
        .loadOp = resume ? VK_ATTACHMENT_LOAD_OP_LOAD : c->load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.color = c->clear,
    };
}

static VkRenderingAttachmentInfo depth_info(const struct gv_vk_depth_target *d,
                                            VkAttachmentLoadOp load, bool resume)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = d->target.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        .loadOp = resume ? VK_ATTACHMENT_LOAD_OP_LOAD : load,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.depthStencil = d->clear,
    };
}

static void record_begin(struct gv_runtime *rt, bool resume)
{
    struct gv_vk_pass *pass = rt->pass;
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
    vkCmdBeginRendering(rt->commands.buffer, &info);
}

static bool queue_target(struct gv_runtime *rt, struct gv_vk_target *t,
                         VkImageLayout layout, struct gv_error *err)
{
    if (!t->handle)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "an attachment was destroyed during its pass");
    bool volume = t->image->type == GV_IMAGE_TYPE_3D;
    VkImageSubresourceRange range = gv_vk_image_range(
        t->image, t->mip, 1, volume ? 0 : t->layer, volume ? 1 : rt->pass->layers);
    return gv_vk_barriers_attachment(rt, t->image, &range, layout, err);
}

static bool begin_rendering(struct gv_runtime *rt, bool resume, struct gv_error *err)
{
    struct gv_vk_pass *pass = rt->pass;
    if (!gv_vk_commands_begin_work(rt, err))
        return false;
    for (uint32_t i = 0; i < pass->color_count; i++) {
        struct gv_vk_color_target *c = &pass->color[i];
        if (c->target.image &&
            !queue_target(rt, &c->target, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          err))
            return false;
        if (c->resolve.image &&
            !queue_target(rt, &c->resolve, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                          err))
            return false;
    }
    if (pass->depth.target.image &&
        !queue_target(rt, &pass->depth.target,
                      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, err))
        return false;
    if (!gv_vk_barriers_work(rt, err))
        return false;
    if (!gv_vk_queries_before_rendering(rt, err))
        return false;
    record_begin(rt, resume);
    pass->rendering = true;
    pass->instance++;
    pass->instance_draws = 0;
    gv_vk_queries_in_rendering(rt);
    return true;
}

static void flush_written(struct gv_runtime *rt)
{
    struct gv_vk_pass *pass = rt->pass;
    for (size_t i = 0; i < pass->written_count; i++) {
        const struct gv_vk_written *w = &pass->written[i];
        if (w->buffer)
            gv_vk_barriers_wrote_buffer(rt, w->buffer, w->stages, w->access);
        else
            gv_vk_barriers_wrote_image(rt, w->image, w->stages, w->access);
    }
    pass->written_count = 0;
}

static void end_rendering(struct gv_runtime *rt)
{
    gv_vk_feedback_pause(rt);
    gv_vk_queries_leave_rendering(rt);
    vkCmdEndRendering(rt->commands.buffer);
    gv_vk_feedback_order(rt);
    rt->pass->rendering = false;
    flush_written(rt);
}

static void mark_attached(struct gv_vk_pass *pass, bool attached)
{
    struct gv_vk_target *targets[17];
    size_t count = list_targets(pass, targets);
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
    if (!check_pass(rt, err) || !begin_rendering(rt, false, err))
        return false;
    mark_attached(pass, true);
    rt->in_pass = true;
    rt->stats.passes++;
    return true;
}

bool gv_do_pass_end(struct gv_runtime *rt, const struct gv_args_pass_end *a,
                    uint64_t *result, struct gv_error *err)
{
    (void)a;
    (void)result;
    if (!gv_runtime_inside_pass(rt, err))
        return false;
    if (rt->pass->rendering)
        end_rendering(rt);
    gv_vk_feedback_abandon(rt);
    mark_attached(rt->pass, false);
    rt->in_pass = false;
    return gv_vk_queries_after_pass(rt, err);
}

bool gv_vk_pass_suspend(struct gv_runtime *rt, struct gv_error *err)
{
    (void)err;
    if (rt->in_pass && rt->pass->rendering)
        end_rendering(rt);
    gv_vk_queries_interrupt(rt);
    return true;
}

bool gv_vk_pass_resume(struct gv_runtime *rt, struct gv_error *err)
{
    if (rt->in_pass && rt->pass->rendering)
        return true;
    return gv_vk_queries_continue(rt, err) &&
           (!rt->in_pass || begin_rendering(rt, true, err));
}

// ---- what else wants to know ----

bool gv_vk_pass_has_written(const struct gv_vk_pass *pass, const void *object)
{
    for (size_t i = 0; i < pass->written_count; i++)
        if ((const void *)pass->written[i].buffer == object ||
            (const void *)pass->written[i].image == object)
            return true;
    return false;
}

void gv_vk_pass_forget_written(struct gv_vk_pass *pass, const void *object)
{
    for (size_t i = 0; i < pass->written_count;) {
        const struct gv_vk_written *w = &pass->written[i];
        if ((const void *)w->buffer == object || (const void *)w->image == object)
            pass->written[i] = pass->written[--pass->written_count];
        else
            i++;
    }
}

bool gv_vk_pass_wrote(struct gv_runtime *rt, const struct gv_vk_written *written,
                      struct gv_error *err)
{
    struct gv_vk_pass *pass = rt->pass;
    if (pass->written_count == pass->written_capacity) {
        size_t capacity = pass->written_capacity ? pass->written_capacity * 2 : 16;
        void *grown = realloc(pass->written, capacity * sizeof *pass->written);
        if (!grown)
            return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "out of memory");
        pass->written = grown;
        pass->written_capacity = capacity;
    }
    pass->written[pass->written_count++] = *written;
    return true;
}

bool gv_vk_pass_attached(const struct gv_vk_pass *pass, const struct gv_vk_image *image,
                         uint32_t mip, uint32_t mips, uint32_t layer, uint32_t layers)
{
    struct gv_vk_target *targets[17];
    // The list only borrows pointers; the pass itself is not changed.
    size_t count = list_targets((struct gv_vk_pass *)(uintptr_t)pass, targets);
    for (size_t i = 0; i < count; i++) {
        const struct gv_vk_target *t = targets[i];
        bool volume = image->type == GV_IMAGE_TYPE_3D;
        if (t->image == image && t->mip >= mip && t->mip - mip < mips &&
            (volume || (t->layer < layer + layers && layer < t->layer + t->layers)))
            return true;
    }
    return false;
}

static void forget_target(struct gv_vk_target *t, uint64_t image, bool open)
{
    if (t->handle != image)
        return;
    // An open pass keeps the pointer: it says that something is missing.
    t->handle = 0;
    if (!open)
        t->image = NULL;
}

void gv_vk_pass_forget(struct gv_runtime *rt, uint64_t image)
{
    struct gv_vk_pass *pass = rt->pass;
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        forget_target(&pass->next_color[i].target, image, false);
        forget_target(&pass->next_color[i].resolve, image, false);
        forget_target(&pass->color[i].target, image, rt->in_pass);
        forget_target(&pass->color[i].resolve, image, rt->in_pass);
    }
    forget_target(&pass->next_depth.target, image, false);
    forget_target(&pass->depth.target, image, rt->in_pass);
}
