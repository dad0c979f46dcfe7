// Copies between images: plain, scaled, resolved; mip generation.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/transfer/texel_converter.h"
#include "runtime/vk/transfer/transfer.h"

// ---- names ----

static const struct gv_place_names mipmaps = {
    "image", "image", "base", "layer", "image", "image", "image",
};

// ---- copies ----

// Layers of an array and slices of a 3D image stand for each other.
static void set_slices(struct gv_vk_box *box, uint32_t slices)
{
    bool d3 = box->image->type == GV_IMAGE_TYPE_3D;
    box->depth = d3 ? slices : 1;
    box->layers = d3 ? 1 : slices;
}

// Bits of two formats are only the same where both are kept as they are.
static bool kept_apart(const struct gv_vk_device *device, const struct gv_vk_box *dst,
                       const struct gv_vk_box *src)
{
    return dst->image->format != src->image->format &&
           (gv_vk_texels_convert(device, dst->image, dst->aspect) ||
            gv_vk_texels_convert(device, src->image, src->aspect));
}

static bool check_copy(const struct gv_vk_device *device, const struct gv_vk_box *dst,
                       const struct gv_vk_box *src, struct gv_error *err)
{
    struct gv_image_shape to, from;
    const struct gv_texel_side dst_side = gv_vk_box_side(dst, &to);
    const struct gv_texel_side src_side = gv_vk_box_side(src, &from);
    if (!gv_rule_copy(&dst_side, &src_side, err))
        return false;
    return !kept_apart(device, dst, src) ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "src: the device keeps %s or %s in another format",
                   gv_format_info(from.format)->name, gv_format_info(to.format)->name);
}

bool gv_do_image_copy(struct gv_runtime *rt, const struct gv_args_image_copy *a,
                      uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_box dst = {
        .image = gv_vk_image_find(&rt->handles, a->dst.u, "dst", err),
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
        .image = gv_vk_image_find(&rt->handles, a->src.u, "src", err),
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
    if (!gv_rule_slices(depth, layers, err))
        return false;
    set_slices(&dst, depth * layers);
    set_slices(&src, depth * layers);
    VkImageLayout dst_layout, src_layout;
    if (!gv_vk_box_check(&dst, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, &gv_names_of_copy[0],
                         err) ||
        !gv_vk_box_check(&src, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &gv_names_of_copy[1],
                         err) ||
        !check_copy(rt->device, &dst, &src, err) ||
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

static bool set_corners(struct corners *c, struct gv_error *err)
{
    struct gv_image_shape shape;
    struct gv_texel_side side = gv_vk_box_side(&c->box, &shape);
    int32_t at[2][3] = { { c->at[0].x, c->at[0].y, c->at[0].z },
                         { c->at[1].x, c->at[1].y, c->at[1].z } };
    if (!gv_set_corners(&side, at, err))
        return false;
    const struct gv_texel_place *p = &side.place;
    c->box.x = p->x, c->box.y = p->y, c->box.z = p->z;
    c->box.width = p->width, c->box.height = p->height, c->box.depth = p->depth;
    for (int i = 0; i < 2; i++)
        c->at[i] = (VkOffset3D){ at[i][0], at[i][1], at[i][2] };
    return true;
}

static bool check_blit(const struct gv_vk_box *dst, const struct gv_vk_box *src,
                       uint32_t filter, struct gv_error *err)
{
    struct gv_image_shape to, from;
    const struct gv_texel_side dst_side = gv_vk_box_side(dst, &to);
    const struct gv_texel_side src_side = gv_vk_box_side(src, &from);
    return gv_rule_blit(&dst_side, &src_side, filter, err);
}

// Whether the device makes the blit, rather than a kernel of ours.
static bool device_blits(const struct gv_vk_device *device, const struct gv_vk_box *dst,
                         const struct gv_vk_box *src, uint32_t filter)
{
    const VkFormatFeatureFlags from =
        VK_FORMAT_FEATURE_BLIT_SRC_BIT |
        (filter == GV_FILTER_LINEAR ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
                                    : 0);
    const bool color = src->aspect == GV_ASPECT_COLOR;
    return filter != GV_FILTER_BOX && (color || filter == GV_FILTER_NEAREST) &&
           (dst->image->features & VK_FORMAT_FEATURE_BLIT_DST_BIT) &&
           (src->image->features & from) == from &&
           !gv_vk_texels_convert(device, dst->image, dst->aspect) &&
           !gv_vk_texels_convert(device, src->image, src->aspect);
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

// Of a side that is halved each texel is the mean of two, an odd last one left out.
static void pair_texels(struct gv_vk_texel_blit *blit)
{
    const struct gv_vk_box *to = blit->dst, *from = blit->src;
    const bool halved[3] = { to->width < from->width, to->height < from->height,
                             to->depth < from->depth };
    for (int i = 0; i < 3; i++)
        if (halved[i]) {
            blit->start[i] = 0;
            blit->scale[i] = 2;
        }
}

static bool own_blit(struct gv_runtime *rt, const struct corners *dst,
                     const struct corners *src, uint32_t filter,
                     const VkImageLayout layouts[2], struct gv_error *err)
{
    const struct gv_vk_image *image = src->box.image;
    const bool linear = filter != GV_FILTER_NEAREST;
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
    struct gv_vk_texel_blit blit = {
        .dst = &dst_box,
        .src = &src_box,
        .dst_layout = layouts[0],
        .src_layout = layouts[1],
        .start = { x.start, y.start, layers ? 0 : z.start },
        .scale = { x.scale, y.scale, layers ? 1 : z.scale },
        .linear = linear,
        .encoded = filter == GV_FILTER_BOX,
        .bits = !linear && image->format == dst->box.image->format,
    };
    if (filter == GV_FILTER_BOX) // which only mips have got here
        pair_texels(&blit);
    for (uint32_t aspect = GV_ASPECT_COLOR; aspect <= GV_ASPECT_STENCIL; aspect <<= 1) {
        dst_box.aspect = src_box.aspect = aspect;
        blit.bits = blit.bits || aspect == GV_ASPECT_STENCIL; // is never filtered
        blit.linear = blit.linear && !blit.bits;
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
    if (!device_blits(rt->device, &dst->box, &src->box, filter))
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
        .box = { .image = gv_vk_image_find(&rt->handles, a->dst.u, "dst", err),
                 .aspect = (uint32_t)a->aspect.u,
                 .mip = (uint32_t)a->dst_mip.u,
                 .layer = (uint32_t)a->dst_layer.u,
                 .layers = (uint32_t)a->layers.u },
        .at = { { (int32_t)a->dst_x0.i, (int32_t)a->dst_y0.i, (int32_t)a->dst_z0.i },
                { (int32_t)a->dst_x1.i, (int32_t)a->dst_y1.i, (int32_t)a->dst_z1.i } },
    };
    struct corners src = {
        .box = { .image = gv_vk_image_find(&rt->handles, a->src.u, "src", err),
                 .aspect = (uint32_t)a->aspect.u,
                 .mip = (uint32_t)a->src_mip.u,
                 .layer = (uint32_t)a->src_layer.u,
                 .layers = (uint32_t)a->layers.u },
        .at = { { (int32_t)a->src_x0.i, (int32_t)a->src_y0.i, (int32_t)a->src_z0.i },
                { (int32_t)a->src_x1.i, (int32_t)a->src_y1.i, (int32_t)a->src_z1.i } },
    };
    const uint32_t filter = (uint32_t)a->filter.u;
    if (!dst.box.image || !src.box.image || !gv_runtime_outside_pass(rt, err))
        return false;
    if (!set_corners(&dst, err) || !set_corners(&src, err) ||
        !gv_vk_box_check(&dst.box, VK_FORMAT_FEATURE_TRANSFER_DST_BIT,
                         &gv_names_of_blit[0], err) ||
        !gv_vk_box_check(&src.box, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT,
                         &gv_names_of_blit[1], err) ||
        !gv_rule_blit_filter(filter, err) ||
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
    struct gv_vk_image *image =
        gv_vk_image_find(&rt->handles, a->image.u, "image", err);
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
        .image = gv_vk_image_find(&rt->handles, a->dst.u, "dst", err),
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
    src.image = gv_vk_image_find(&rt->handles, a->src.u, "src", err);
    src.mip = 0;
    src.layer = (uint32_t)a->src_layer.u;
    src.x = (uint32_t)a->src_x.u;
    src.y = (uint32_t)a->src_y.u;
    if (!dst.image || !src.image || !gv_runtime_outside_pass(rt, err) ||
        !gv_vk_box_check(&dst, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
                         &gv_names_of_resolve[0], err) ||
        !gv_vk_box_check(&src, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
                         &gv_names_of_resolve[1], err))
        return false;
    const struct gv_image_shape to = gv_vk_image_shape(dst.image);
    const struct gv_image_shape from = gv_vk_image_shape(src.image);
    if (!gv_rule_resolve(&to, &from, err))
        return false;
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
