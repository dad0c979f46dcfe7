// Buffers and images that share memory. Each is an object of its own in the payload.
// What the device wrote through one comes to the other by a copy, when that is first
// read: of the bytes that two buffers share, or of all texels where two images are
// alike. What else shares memory is unsupported then.
#include "compiler/vulkan/walk.h"

#include "vm/formats.h"

static bool alike(const struct gv_cap_image *a, const struct gv_cap_image *b)
{
    const VkImageCreateInfo *x = &a->info, *y = &b->info;
    return a->base.offset == b->base.offset && x->flags == y->flags &&
           x->imageType == y->imageType && x->format == y->format &&
           x->extent.width == y->extent.width && x->extent.height == y->extent.height &&
           x->extent.depth == y->extent.depth && x->mipLevels == y->mipLevels &&
           x->arrayLayers == y->arrayLayers && x->samples == y->samples &&
           x->tiling == y->tiling && gv_format_info((uint64_t)x->format);
}

// What was written in the pass that is open cannot be copied ahead of it.
static bool can_copy(const struct gv_walk *w, const struct gv_cap_resource *r)
{
    const struct gv_cap_resource *from = r->foreign;
    return from && from->lowered && r->lowered && from->image == r->image &&
           (!w->pass.open || r->foreign_pass != w->cap->pass) &&
           !gv_cap_is_foreign(from, 0, UINT64_MAX) &&
           (!r->image ||
            alike((const struct gv_cap_image *)r, (const struct gv_cap_image *)from));
}

static void copy_bytes(struct gv_walk *w, struct gv_cap_resource *r)
{
    const struct gv_cap_resource *from = r->foreign;
    gv_emit(w->b, buffer_copy, .dst = (struct gv_buffer){ r->lowered },
            .dst_offset = r->foreign_begin, .src = (struct gv_buffer){ from->lowered },
            .src_offset = r->offset + r->foreign_begin - from->offset,
            .size = r->foreign_end - r->foreign_begin);
}

void gv_walk_copy_texels(struct gv_walk *w, const VkImageCreateInfo *info, uint32_t to,
                         uint32_t from)
{
    const uint32_t aspects = gv_format_info((uint64_t)info->format)->aspects;
    for (uint32_t mip = 0; mip < info->mipLevels; mip++)
        gv_emit(w->b, image_copy, .dst = (struct gv_image){ to }, .dst_aspect = aspects,
                .dst_mip = mip, .dst_layer = 0, .dst_x = 0, .dst_y = 0, .dst_z = 0,
                .src = (struct gv_image){ from }, .src_aspect = aspects, .src_mip = mip,
                .src_layer = 0, .src_x = 0, .src_y = 0, .src_z = 0,
                .width = gv_mip_size(info->extent.width, mip),
                .height = gv_mip_size(info->extent.height, mip),
                .depth = gv_mip_size(info->extent.depth, mip),
                .layers = info->arrayLayers);
}

void gv_walk_reads(struct gv_walk *w, struct gv_cap_resource *r, uint64_t offset,
                   uint64_t size)
{
    if (!gv_cap_is_foreign(r, offset, size))
        return;
    if (!can_copy(w, r)) {
        gv_walk_unsupported(w, "aliased memory");
    } else {
        gv_walk_begin_making(w);
        if (r->image)
            gv_walk_copy_texels(w, &((struct gv_cap_image *)r)->info, r->lowered,
                                r->foreign->lowered);
        else
            copy_bytes(w, r);
        gv_walk_end_making(w);
    }
    gv_cap_received(r);
}

void gv_walk_writes(struct gv_walk *w, struct gv_cap_resource *r, uint64_t offset,
                    uint64_t size)
{
    const uint64_t end = size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
    if (offset > r->foreign_begin || end < r->foreign_end)
        gv_walk_reads(w, r, 0, UINT64_MAX);
    gv_cap_device_wrote(r, offset, size);
}

// ---- what is gone ----

static void hand_over(void *walk, struct gv_cap_resource *other,
                      struct gv_cap_resource *going)
{
    if (other->foreign == going)
        gv_walk_reads(walk, other, 0, UINT64_MAX);
}

void gv_walk_leaves(struct gv_walk *w, struct gv_cap_resource *r)
{
    gv_cap_each_sharing(r, 0, UINT64_MAX, hand_over, w);
}

// ---- barriers ----

// What an image held is nothing to its program any more.
static void discard(struct gv_walk *w, VkImage image, VkImageLayout from,
                    const VkImageSubresourceRange *range)
{
    struct gv_cap_image *i = gv_cap_find(w->cap, GV_VK_ID(image), GV_CAP_IMAGE);
    if (i && from == VK_IMAGE_LAYOUT_UNDEFINED && !range->baseMipLevel &&
        !range->baseArrayLayer && range->levelCount >= i->info.mipLevels &&
        range->layerCount >= i->info.arrayLayers)
        gv_cap_received(&i->base);
}

static bool pass_barriers(struct gv_walk *w, const VkImageMemoryBarrier *b,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        discard(w, b[i].image, b[i].oldLayout, &b[i].subresourceRange);
    return true;
}

static bool pass_dependency(struct gv_walk *w, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        discard(w, b->image, b->oldLayout, &b->subresourceRange);
    }
    return true;
}

GV_WALK_COMMAND(vkCmdPipelineBarrier)
{
    (void)err;
    return pass_barriers(w, a->pImageMemoryBarriers, a->imageMemoryBarrierCount);
}

GV_WALK_COMMAND(vkCmdPipelineBarrier2)
{
    (void)err;
    return pass_dependency(w, a->pDependencyInfo);
}

GV_WALK_COMMAND(vkCmdWaitEvents)
{
    (void)err;
    return pass_barriers(w, a->pImageMemoryBarriers, a->imageMemoryBarrierCount);
}

GV_WALK_COMMAND(vkCmdWaitEvents2)
{
    (void)err;
    for (uint32_t i = 0; i < a->eventCount; i++)
        pass_dependency(w, &a->pDependencyInfos[i]);
    return true;
}
