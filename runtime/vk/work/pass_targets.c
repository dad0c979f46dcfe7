// Targets of a pass: named, checked against each other, forgotten when they die.
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/work/pass.h"

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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: made without attachment usage", argument);
    if (t->mip >= t->image->mips)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: mip %u of %u", argument,
                       t->mip, t->image->mips);
    uint32_t layers = target_layers(t);
    if (t->layer >= layers || t->layers == 0 || t->layers > layers - t->layer)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: layers %u+%u of %u",
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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "index %llu",
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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "index %llu",
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
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "depth %g", (double)depth);
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
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%ux%u is larger than an attachment of %ux%u", pass->width,
                       pass->height, width, height);
    if (pass->layers > t->layers)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%u layers, an attachment has %u", pass->layers, t->layers);
    return true;
}

static bool check_samples(struct gv_vk_pass *pass, const struct gv_vk_target *t,
                          struct gv_error *err)
{
    if (pass->samples && pass->samples != t->image->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
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
                return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                               "one subresource is attached twice");
    return true;
}

uint32_t gv_vk_target_format(const struct gv_vk_target *t)
{
    return t->format ? t->format : (uint32_t)t->image->format;
}

static bool check_resolve(const struct gv_vk_color_target *c, struct gv_error *err)
{
    if (!c->target.handle || c->target.image->samples == 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a resolve without a multisampled attachment");
    if (gv_vk_target_format(&c->target) != gv_vk_target_format(&c->resolve))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
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

bool gv_vk_pass_check(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_pass *pass = rt->pass;
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(rt->device);
    struct gv_vk_target *targets[GV_VK_MAX_TARGETS];
    size_t count = gv_vk_pass_targets(pass, targets);
    if (pass->width == 0 || pass->height == 0 || pass->layers == 0)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "a pass of %ux%ux%u",
                       pass->width, pass->height, pass->layers);
    for (size_t i = 0; i < count; i++)
        if (!check_size(pass, targets[i], err))
            return false;
    if (pass->width > limits->maxFramebufferWidth ||
        pass->height > limits->maxFramebufferHeight ||
        pass->layers > limits->maxFramebufferLayers)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "a pass of %ux%ux%u, the device allows %ux%ux%u", pass->width,
                       pass->height, pass->layers, limits->maxFramebufferWidth,
                       limits->maxFramebufferHeight, limits->maxFramebufferLayers);
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
