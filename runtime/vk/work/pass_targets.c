// Targets of a pass: named, checked against each other, forgotten when they die.
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/work/pass.h"
#include "vm/rules/pass_rules.h"

// ---- naming attachments ----

static struct gv_target_shape shape_of(const struct gv_vk_target *t,
                                       struct gv_image_shape *image)
{
    *image = gv_vk_image_shape(t->image);
    return (struct gv_target_shape){ image,  t->image->id, t->format,
                                     t->mip, t->layer,     t->layers };
}

static bool name_target(const struct gv_handles *handles, struct gv_vk_target *t,
                        uint64_t image, uint32_t usage, struct gv_error *err)
{
    struct gv_image_shape shape;
    t->handle = 0;
    t->image = gv_vk_image_find(handles, image, "image", err);
    if (!t->image)
        return false;
    const struct gv_target_shape target = shape_of(t, &shape);
    if (!gv_rule_target(&target, usage, err))
        return false;
    t->handle = image;
    return true;
}

bool gv_do_pass_color(struct gv_runtime *rt, const struct gv_args_pass_color *a,
                      uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (!gv_rule_color_index(a->index.u, err))
        return false;
    struct gv_vk_color_target *c = &rt->pass->next_color[a->index.u];
    c->target = (struct gv_vk_target){ .format = (uint32_t)a->format.u,
                                       .mip = (uint32_t)a->mip.u,
                                       .layer = (uint32_t)a->layer.u,
                                       .layers = (uint32_t)a->layers.u };
    c->load = (VkAttachmentLoadOp)a->load.u;
    const union gv_arg values[4] = { a->c0, a->c1, a->c2, a->c3 };
    for (int i = 0; i < 4; i++)
        c->clear.uint32[i] = (uint32_t)values[i].u;
    return name_target(&rt->handles, &c->target, a->image.u,
                       GV_IMAGE_USAGE_COLOR_ATTACHMENT, err);
}

bool gv_do_pass_resolve(struct gv_runtime *rt, const struct gv_args_pass_resolve *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!gv_runtime_outside_pass(rt, err))
        return false;
    if (!gv_rule_color_index(a->index.u, err))
        return false;
    struct gv_vk_target *t = &rt->pass->next_color[a->index.u].resolve;
    *t = (struct gv_vk_target){ .format = (uint32_t)a->format.u,
                                .mip = (uint32_t)a->mip.u,
                                .layer = (uint32_t)a->layer.u,
                                .layers = 1 };
    if (!name_target(&rt->handles, t, a->image.u, GV_IMAGE_USAGE_COLOR_ATTACHMENT, err))
        return false;
    const struct gv_image_shape shape = gv_vk_image_shape(t->image);
    if (gv_rule_resolve_target(&shape, err))
        return true;
    t->handle = 0;
    return false;
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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "depth %g", (double)depth);
    return name_target(&rt->handles, &d->target, a->image.u,
                       GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT, err);
}

// ---- checks of a whole pass ----

uint32_t gv_vk_target_format(const struct gv_vk_target *t)
{
    return t->format ? t->format : (uint32_t)t->image->format;
}

// What is named for the pass, as the rules want it.
struct pass_images {
    struct gv_image_shape color[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_image_shape resolve[GV_MAX_COLOR_ATTACHMENTS];
    struct gv_image_shape depth;
};

static bool check_rules(const struct gv_vk_pass *pass, struct gv_error *err)
{
    struct pass_images images;
    struct gv_pass_shape shape = { .width = pass->width,
                                   .height = pass->height,
                                   .layers = pass->layers };
    for (uint32_t i = 0; i < pass->color_count; i++) {
        const struct gv_vk_color_target *c = &pass->color[i];
        if (c->target.handle)
            shape.color[i] = shape_of(&c->target, &images.color[i]);
        if (c->resolve.handle)
            shape.resolve[i] = shape_of(&c->resolve, &images.resolve[i]);
    }
    if (pass->depth.target.handle)
        shape.depth = shape_of(&pass->depth.target, &images.depth);
    return gv_rule_pass(&shape, err);
}

static bool make_view(struct gv_vk_views *views, const struct gv_vk_pass *pass,
                      struct gv_vk_target *t, enum gv_view_use use,
                      struct gv_error *err)
{
    bool one = pass->layers == 1;
    bool line = t->image->type == GV_IMAGE_TYPE_1D;
    const struct gv_view_shape key = {
        .use = use,
        .type = line ? (one ? GV_VIEW_TYPE_1D : GV_VIEW_TYPE_1D_ARRAY)
                     : (one ? GV_VIEW_TYPE_2D : GV_VIEW_TYPE_2D_ARRAY),
        .format = t->format,
        .aspect = t->image->aspects,
        .mip = t->mip,
        .mips = 1,
        .layer = t->layer,
        .layers = pass->layers,
    };
    t->view = gv_vk_image_view(views, t->image, &key, err);
    return t->view != VK_NULL_HANDLE;
}

size_t gv_vk_pass_targets(struct gv_vk_pass *pass,
                          struct gv_vk_target *out[GV_VK_MAX_TARGETS])
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

bool gv_vk_pass_check(struct gv_vk_views *views, struct gv_vk_pass *pass,
                      struct gv_error *err)
{
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(views->heaps->device);
    struct gv_vk_target *targets[GV_VK_MAX_TARGETS];
    if (!check_rules(pass, err))
        return false;
    if (pass->width > limits->maxFramebufferWidth ||
        pass->height > limits->maxFramebufferHeight ||
        pass->layers > limits->maxFramebufferLayers)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "a pass of %ux%ux%u, the device allows %ux%ux%u", pass->width,
                       pass->height, pass->layers, limits->maxFramebufferWidth,
                       limits->maxFramebufferHeight, limits->maxFramebufferLayers);
    const size_t count = gv_vk_pass_targets(pass, targets);
    for (size_t i = 0; i < count; i++) {
        const bool depth = targets[i] == &pass->depth.target;
        if (!make_view(views, pass, targets[i],
                       depth ? GV_VIEW_USE_DEPTH_STENCIL : GV_VIEW_USE_COLOR, err))
            return false;
        if (targets[i]->image->samples > pass->samples)
            pass->samples = targets[i]->image->samples;
    }
    return true;
}

// ---- asking and forgetting ----

bool gv_vk_pass_attached(const struct gv_vk_pass *pass, const struct gv_vk_image *image,
                         uint32_t mip, uint32_t mips, uint32_t layer, uint32_t layers)
{
    struct gv_vk_target *targets[GV_VK_MAX_TARGETS];
    // The list only borrows pointers; the pass itself is not changed.
    size_t count = gv_vk_pass_targets((struct gv_vk_pass *)(uintptr_t)pass, targets);
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
