// Copies between images: plain, scaled, resolved; mip generation.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/transfer/texel_converter.h"
#include "runtime/vk/transfer/transfer.h"

#include <stdlib.h>

// ---- names ----

static const struct gv_vk_box_names copy_dst = {
    "dst", "dst_aspect", "dst_mip", "dst_layer", "dst_x", "dst_y", "dst_z",
};
static const struct gv_vk_box_names copy_src = {
    "src", "src_aspect", "src_mip", "src_layer", "src_x", "src_y", "src_z",
};
static const struct gv_vk_box_names blit_dst = {
    "dst", "aspect", "dst_mip", "dst_layer", "dst_x0", "dst_y0", "dst_z0",
};
static const struct gv_vk_box_names blit_src = {
    "src", "aspect", "src_mip", "src_layer", "src_x0", "src_y0", "src_z0",
};
static const struct gv_vk_box_names resolve_dst = {
    "dst", "dst", "dst_mip", "dst_layer", "dst_x", "dst_y", "dst",
};
static const struct gv_vk_box_names resolve_src = {
    "src", "src", "src", "src_layer", "src_x", "src_y", "src",
};
static const struct gv_vk_box_names mipmaps = {
    "image", "image", "base", "layer", "image", "image", "image",
};

// ---- copies ----

static bool boxes_overlap(const struct gv_vk_box *a, const struct gv_vk_box *b)
{
    return a->image == b->image && a->mip == b->mip &&
           a->layer < b->layer + b->layers && b->layer < a->layer + a->layers &&
           a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height &&
           a->z < b->z + b->depth && b->z < a->z + a->depth;
}

// Layers of an array and slices of a 3D image stand for each other.
static void set_slices(struct gv_vk_box *box, uint32_t slices)
{
    bool d3 = box->image->type == GV_IMAGE_TYPE_3D;
    box->depth = d3 ? slices : 1;
    box->layers = d3 ? 1 : slices;
}

// Bits of two formats are only the same where both are kept as they are.
static bool kept_apart(const struct gv_runtime *rt, const struct gv_vk_box *dst,
                       const struct gv_vk_box *src)
{
    return dst->image->format != src->image->format &&
           (gv_vk_texels_convert(rt->device, dst->image, dst->aspect) ||
            gv_vk_texels_convert(rt->device, src->image, src->aspect));
}

static bool check_copy(const struct gv_runtime *rt, const struct gv_vk_box *dst,
                       const struct gv_vk_box *src, struct gv_error *err)
{
    const struct gv_format_info *to = gv_format_info((uint64_t)dst->image->format);
    const struct gv_format_info *from = gv_format_info((uint64_t)src->image->format);
    if (to->format_class != from->format_class || dst->aspect != src->aspect)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: %s cannot be copied to %s as bits", from->name, to->name);
    if (kept_apart(rt, dst, src))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "src: the device keeps %s or %s in another format", from->name,
                       to->name);
    if (dst->image->samples != src->image->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: %u samples cannot be copied to %u", src->image->samples,
                       dst->image->samples);
    if (boxes_overlap(dst, src))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "dst: source and destination overlap");
    return true;
}

bool gv_do_image_copy(struct gv_runtime *rt, const struct gv_args_image_copy *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_box dst = {
        .image = gv_vk_image_find(rt, a->dst.u, "dst", err),
        .aspect = (uint32_t)a->dst_aspect.u,
        .mip = (uint32_t)a->dst_mip.u,
        .layer = (uint32_t)a->dst_layer.u,
        .x = (uint32_t)a->dst_x.u,
        .y = (uint32_t)a->dst_y.u,
        .z = (uint32_t)a->dst_z.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
    };
    struct gv_vk_box src = {
        .image = gv_vk_image_find(rt, a->src.u, "src", err),
        .aspect = (uint32_t)a->src_aspect.u,
        .mip = (uint32_t)a->src_mip.u,
        .layer = (uint32_t)a->src_layer.u,
        .x = (uint32_t)a->src_x.u,
        .y = (uint32_t)a->src_y.u,
        .z = (uint32_t)a->src_z.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
    };
    uint32_t depth = (uint32_t)a->depth.u, layers = (uint32_t)a->layers.u;
    if (!dst.image || !src.image || !gv_runtime_outside_pass(rt, err))
        return false;
    if (!depth || !layers || (depth > 1 && layers > 1))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "layers: %u of depth %u; one of both must be 1", layers, depth);
    set_slices(&dst, depth * layers);
    set_slices(&src, depth * layers);
    VkImageLayout dst_layout, src_layout;
    if (!gv_vk_box_check(&dst, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, &copy_dst, err) ||
        !gv_vk_box_check(&src, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &copy_src, err) ||
        !check_copy(rt, &dst, &src, err) ||
        !gv_vk_box_pair(rt, &dst, &src, gv_vk_box_whole(&dst), &dst_layout, &src_layout,
                        err))
        return false;
    const VkImageCopy region = {
        .srcSubresource = gv_vk_box_layers(&src),
        .srcOffset = { (int32_t)src.x, (int32_t)src.y, (int32_t)src.z },
        .dstSubresource = gv_vk_box_layers(&dst),
        .dstOffset = { (int32_t)dst.x, (int32_t)dst.y, (int32_t)dst.z },
        .extent = { src.width, src.height,
                    src.depth > dst.depth ? src.depth : dst.depth },
    };
    vkCmdCopyImage(rt->commands->buffer, src.image->handle, src_layout,
                   dst.image->handle, dst_layout, 1, &region);
    return true;
}

// ---- blits ----

// One side of a blit: corners as given, and the box they span.
struct corners {
    struct gv_vk_box box;
    VkOffset3D at[2];
};

static void span_side(int64_t a, int64_t b, uint32_t *at, uint32_t *size)
{
    *at = (uint32_t)(a < b ? a : b); // checked not to be negative
    *size = (uint32_t)llabs(b - a);
}

// False if a corner is negative. Sides that the image does not have are fixed as Vulkan
// wants them.
static bool set_corners(struct corners *c)
{
    VkOffset3D *at = c->at;
    if (at[0].x < 0 || at[0].y < 0 || at[0].z < 0 || at[1].x < 0 || at[1].y < 0 ||
        at[1].z < 0)
        return false;
    if (c->box.image->type == GV_IMAGE_TYPE_1D && at[0].y > at[1].y)
        at[0].y = 0, at[1].y = 1;
    if (c->box.image->type != GV_IMAGE_TYPE_3D && at[0].z > at[1].z)
        at[0].z = 0, at[1].z = 1;
    span_side(at[0].x, at[1].x, &c->box.x, &c->box.width);
    span_side(at[0].y, at[1].y, &c->box.y, &c->box.height);
    span_side(at[0].z, at[1].z, &c->box.z, &c->box.depth);
    return true;
}

// Numeric kinds that a blit converts between.
enum number_class { NUMBER_UINT, NUMBER_SINT, NUMBER_REAL };

static enum number_class number_class(const struct gv_format_info *info)
{
    if (info->kind == GV_FORMAT_KIND_UINT)
        return NUMBER_UINT;
    return info->kind == GV_FORMAT_KIND_SINT ? NUMBER_SINT : NUMBER_REAL;
}

static bool check_blit(const struct gv_vk_box *dst, const struct gv_vk_box *src,
                       uint32_t filter, struct gv_error *err)
{
    const struct gv_format_info *to = gv_format_info((uint64_t)dst->image->format);
    const struct gv_format_info *from = gv_format_info((uint64_t)src->image->format);
    bool color = src->aspect == GV_ASPECT_COLOR;
    if (dst->image->samples > 1 || src->image->samples > 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: multisampled images are resolved, not blitted");
    if (color ? number_class(to) != number_class(from) : to != from)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: a blit cannot turn %s into %s", from->name, to->name);
    if (filter == GV_FILTER_LINEAR && (!color || number_class(from) != NUMBER_REAL))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "filter: %s has no linear filter", from->name);
    if (boxes_overlap(dst, src))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "dst: source and destination overlap");
    return true;
}

// Whether the device makes the blit, rather than a kernel of ours.
static bool device_blits(const struct gv_runtime *rt, const struct gv_vk_box *dst,
                         const struct gv_vk_box *src, uint32_t filter)
{
    const VkFormatFeatureFlags from =
        VK_FORMAT_FEATURE_BLIT_SRC_BIT |
        (filter == GV_FILTER_LINEAR ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
                                    : 0);
    return (dst->image->features & VK_FORMAT_FEATURE_BLIT_DST_BIT) &&
           (src->image->features & from) == from &&
           !gv_vk_texels_convert(rt->device, dst->image, dst->aspect) &&
           !gv_vk_texels_convert(rt->device, src->image, src->aspect);
}

// One side of a blit: the part of the source that is read, and where the target's
// texels lie in it.
struct side {
    uint32_t at, size;
    float start, scale;
};

static struct side map_side(int32_t to0, int32_t to1, int32_t from0, int32_t from1,
                            uint32_t whole, bool linear)
{
    const int32_t border = linear ? 1 : 0, end = (int32_t)whole;
    int32_t low = (from0 < from1 ? from0 : from1) - border;
    int32_t high = (from0 < from1 ? from1 : from0) + border;
    low = low < 0 ? 0 : low;
    high = high > end ? end : high;
    const double scale = (double)(from1 - from0) / (to1 - to0);
    const int32_t first = to0 < to1 ? to0 : to1;
    return (struct side){ .at = (uint32_t)low,
                          .size = (uint32_t)(high - low),
                          .start = (float)(from0 + (first - to0) * scale - low),
                          .scale = (float)scale };
}

static bool own_blit(struct gv_runtime *rt, const struct corners *dst,
                     const struct corners *src, uint32_t filter,
                     const VkImageLayout layouts[2], struct gv_error *err)
{
    const struct gv_vk_image *image = src->box.image;
    const bool linear = filter == GV_FILTER_LINEAR;
    const VkOffset3D *to = dst->at, *from = src->at;
    const struct side x = map_side(to[0].x, to[1].x, from[0].x, from[1].x,
                                   gv_vk_image_mip_width(image, src->box.mip), linear);
    const struct side y = map_side(to[0].y, to[1].y, from[0].y, from[1].y,
                                   gv_vk_image_mip_height(image, src->box.mip), linear);
    const struct side z = map_side(to[0].z, to[1].z, from[0].z, from[1].z,
                                   gv_vk_image_mip_depth(image, src->box.mip), linear);
    const bool layers = src->box.layers > 1; // stand for themselves
    struct gv_vk_box dst_box = dst->box, src_box = src->box;
    src_box.x = x.at, src_box.width = x.size;
    src_box.y = y.at, src_box.height = y.size;
    src_box.z = z.at, src_box.depth = z.size;
    const struct gv_vk_texel_blit blit = {
        .dst = &dst_box,
        .src = &src_box,
        .dst_layout = layouts[0],
        .src_layout = layouts[1],
        .start = { x.start, y.start, layers ? 0 : z.start },
        .scale = { x.scale, y.scale, layers ? 1 : z.scale },
        .linear = linear,
        .bits = !linear && image->format == dst->box.image->format,
    };
    for (uint32_t aspect = GV_ASPECT_COLOR; aspect <= GV_ASPECT_STENCIL; aspect <<= 1) {
        dst_box.aspect = src_box.aspect = aspect;
        if (src->box.aspect & aspect && !gv_vk_texels_blit(rt, &blit, err))
            return false;
    }
    return true;
}

static bool blit(struct gv_runtime *rt, const struct corners *dst,
                 const struct corners *src, uint32_t filter, bool whole,
                 struct gv_error *err)
{
    VkImageLayout dst_layout, src_layout;
    if (!gv_vk_box_pair(rt, &dst->box, &src->box, whole, &dst_layout, &src_layout, err))
        return false;
    if (!device_blits(rt, &dst->box, &src->box, filter))
        return own_blit(rt, dst, src, filter,
                        (const VkImageLayout[]){ dst_layout, src_layout }, err);
    const VkImageBlit region = {
        .srcSubresource = gv_vk_box_layers(&src->box),
        .srcOffsets = { src->at[0], src->at[1] },
        .dstSubresource = gv_vk_box_layers(&dst->box),
        .dstOffsets = { dst->at[0], dst->at[1] },
    };
    vkCmdBlitImage(rt->commands->buffer, src->box.image->handle, src_layout,
                   dst->box.image->handle, dst_layout, 1, &region, (VkFilter)filter);
    return true;
}

bool gv_do_image_blit(struct gv_runtime *rt, const struct gv_args_image_blit *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct corners dst = {
        .box = { .image = gv_vk_image_find(rt, a->dst.u, "dst", err),
                 .aspect = (uint32_t)a->aspect.u,
                 .mip = (uint32_t)a->dst_mip.u,
                 .layer = (uint32_t)a->dst_layer.u,
                 .layers = (uint32_t)a->layers.u },
        .at = { { (int32_t)a->dst_x0.i, (int32_t)a->dst_y0.i, (int32_t)a->dst_z0.i },
                { (int32_t)a->dst_x1.i, (int32_t)a->dst_y1.i, (int32_t)a->dst_z1.i } },
    };
    struct corners src = {
        .box = { .image = gv_vk_image_find(rt, a->src.u, "src", err),
                 .aspect = (uint32_t)a->aspect.u,
                 .mip = (uint32_t)a->src_mip.u,
                 .layer = (uint32_t)a->src_layer.u,
                 .layers = (uint32_t)a->layers.u },
        .at = { { (int32_t)a->src_x0.i, (int32_t)a->src_y0.i, (int32_t)a->src_z0.i },
                { (int32_t)a->src_x1.i, (int32_t)a->src_y1.i, (int32_t)a->src_z1.i } },
    };
    uint32_t filter = (uint32_t)a->filter.u;
    if (!dst.box.image || !src.box.image || !gv_runtime_outside_pass(rt, err))
        return false;
    if (!set_corners(&dst) || !set_corners(&src))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "a corner is negative");
    if (!gv_vk_box_check(&dst.box, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, &blit_dst,
                         err) ||
        !gv_vk_box_check(&src.box, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &blit_src,
                         err) ||
        !check_blit(&dst.box, &src.box, filter, err))
        return false;
    return blit(rt, &dst, &src, filter, gv_vk_box_whole(&dst.box), err);
}

// ---- mips ----

static struct corners whole_mip(struct gv_vk_image *image, uint32_t mip, uint32_t layer,
                                uint32_t layers)
{
    uint32_t width = gv_vk_image_mip_width(image, mip);
    uint32_t height = gv_vk_image_mip_height(image, mip);
    uint32_t depth = gv_vk_image_mip_depth(image, mip);
    return (struct corners){
        .box = { image, image->aspects, mip, layer, layers, 0, 0, 0, width, height,
                 depth },
        .at = { { 0, 0, 0 }, { (int32_t)width, (int32_t)height, (int32_t)depth } },
    };
}

static bool blit_mips(struct gv_runtime *rt, const struct gv_vk_mips *mips,
                      uint32_t layer, uint32_t layers, uint32_t filter,
                      struct gv_error *err)
{
    const VkFormatFeatureFlags needed =
        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    for (uint32_t mip = mips->base + 1; mip < mips->base + mips->count; mip++) {
        const struct corners src = whole_mip(mips->image, mip - 1, layer, layers);
        const struct corners dst = whole_mip(mips->image, mip, layer, layers);
        if (!gv_vk_box_check(&dst.box, needed, &mipmaps, err) ||
            !check_blit(&dst.box, &src.box, filter, err) ||
            !blit(rt, &dst, &src, filter, true, err))
            return false;
    }
    return true;
}

// Blits count in no query, so draws must not.
static bool draw_mips(struct gv_runtime *rt, const struct gv_vk_mips *mips, bool *drawn,
                      struct gv_error *err)
{
    return gv_runtime_suspend(rt, err) &&
           gv_vk_mips_draw(rt, &rt->pipelines->mip_draws, mips, drawn, err) &&
           gv_runtime_resume(rt, err);
}

bool gv_do_image_mipmaps(struct gv_runtime *rt, const struct gv_args_image_mipmaps *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_image *image = gv_vk_image_find(rt, a->image.u, "image", err);
    uint32_t base = (uint32_t)a->base.u, mips = (uint32_t)a->mips.u;
    uint32_t layer = (uint32_t)a->layer.u, layers = (uint32_t)a->layers.u;
    uint32_t filter = (uint32_t)a->filter.u;
    const struct gv_vk_mips all = { image, base, mips };
    bool drawn = false;
    if (!image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_image_check_range(image, base, mips, layer, layers, mipmaps.mip,
                                 mipmaps.layer, err))
        return false;
    if (filter == GV_FILTER_LINEAR && gv_vk_mips_drawn(rt->device, &all, layers) &&
        !draw_mips(rt, &all, &drawn, err))
        return false;
    return drawn || blit_mips(rt, &all, layer, layers, filter, err);
}

// ---- resolves ----

bool gv_do_image_resolve(struct gv_runtime *rt, const struct gv_args_image_resolve *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_box dst = {
        .image = gv_vk_image_find(rt, a->dst.u, "dst", err),
        .aspect = GV_ASPECT_COLOR,
        .mip = (uint32_t)a->dst_mip.u,
        .layer = (uint32_t)a->dst_layer.u,
        .layers = (uint32_t)a->layers.u,
        .x = (uint32_t)a->dst_x.u,
        .y = (uint32_t)a->dst_y.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
        .depth = 1,
    };
    struct gv_vk_box src = dst;
    src.image = gv_vk_image_find(rt, a->src.u, "src", err);
    src.mip = 0;
    src.layer = (uint32_t)a->src_layer.u;
    src.x = (uint32_t)a->src_x.u;
    src.y = (uint32_t)a->src_y.u;
    if (!dst.image || !src.image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_box_check(&dst, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, &resolve_dst,
                         err) ||
        !gv_vk_box_check(&src, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, &resolve_src,
                         err))
        return false;
    if (src.image->samples == 1 || dst.image->samples != 1 ||
        src.image->format != dst.image->format || dst.image->type != GV_IMAGE_TYPE_2D)
        return gv_fail(
            err, GV_ERR_FORMAT, GV_NO_OFFSET,
            "src: a resolve goes from several samples to one, in one format");
    VkImageLayout dst_layout, src_layout;
    if (!gv_vk_box_pair(rt, &dst, &src, gv_vk_box_whole(&dst), &dst_layout, &src_layout,
                        err))
        return false;
    const VkImageResolve region = {
        .srcSubresource = gv_vk_box_layers(&src),
        .srcOffset = { (int32_t)src.x, (int32_t)src.y, 0 },
        .dstSubresource = gv_vk_box_layers(&dst),
        .dstOffset = { (int32_t)dst.x, (int32_t)dst.y, 0 },
        .extent = { dst.width, dst.height, 1 },
    };
    vkCmdResolveImage(rt->commands->buffer, src.image->handle, src_layout,
                      dst.image->handle, dst_layout, 1, &region);
    return gv_vk_texels_round(rt, &dst, err);
}
