// Copies, blits, resolves, clears and updates of whole objects.
#include "compiler/vulkan/walk.h"

#include "vm/formats.h"

// ---- what a transfer is between ----

struct side {
    struct gv_cap_buffer *buffer; // one of both
    struct gv_cap_image *image;
    struct gv_buffer lowered_buffer;
    struct gv_image lowered_image;
};

// False: an error. A side that the payload lacks has no `lowered_` object, and the work
// is left out.
static bool find_buffer(struct gv_walk *w, VkBuffer buffer, struct side *out,
                        struct gv_error *err)
{
    *out = (struct side){ 0 };
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    out->buffer = gv_cap_need(w->cap, GV_VK_ID(buffer), GV_CAP_BUFFER, err);
    if (out->buffer)
        out->lowered_buffer = gv_walk_buffer(w, out->buffer);
    return out->buffer;
}

static bool find_image(struct gv_walk *w, VkImage image, struct side *out,
                       struct gv_error *err)
{
    *out = (struct side){ 0 };
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    out->image = gv_cap_need(w->cap, GV_VK_ID(image), GV_CAP_IMAGE, err);
    if (out->image) {
        out->lowered_image = gv_walk_image(w, out->image);
        gv_walk_reads(w, &out->image->base, 0, UINT64_MAX);
    }
    return out->image;
}

static bool both(const struct side *a, const struct side *b)
{
    return (a->lowered_buffer.id || a->lowered_image.id) &&
           (b->lowered_buffer.id || b->lowered_image.id);
}

static void note_image(const struct side *s)
{
    gv_cap_device_wrote(&s->image->base, 0, UINT64_MAX);
}

static uint32_t layers_of(const struct side *s, const VkImageSubresourceLayers *r)
{
    return r->layerCount != VK_REMAINING_ARRAY_LAYERS ? r->layerCount
           : s->image->info.arrayLayers > r->baseArrayLayer
               ? s->image->info.arrayLayers - r->baseArrayLayer
               : 0;
}

// ---- buffers ----

static void copy_buffer(struct gv_walk *w, const struct side *from,
                        const struct side *to, const VkBufferCopy *r)
{
    gv_walk_reads(w, &from->buffer->base, r->srcOffset, r->size);
    gv_walk_writes(w, &to->buffer->base, r->dstOffset, r->size);
    gv_emit(w->b, buffer_copy, .dst = to->lowered_buffer, .dst_offset = r->dstOffset,
            .src = from->lowered_buffer, .src_offset = r->srcOffset, .size = r->size);
}

GV_WALK_COMMAND(vkCmdCopyBuffer)
{
    struct side from, to;
    if (!find_buffer(w, a->srcBuffer, &from, err) ||
        !find_buffer(w, a->dstBuffer, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        copy_buffer(w, &from, &to, &a->pRegions[i]);
    return true;
}

GV_WALK_COMMAND(vkCmdCopyBuffer2)
{
    const VkCopyBufferInfo2 *info = a->pCopyBufferInfo;
    struct side from, to;
    if (!find_buffer(w, info->srcBuffer, &from, err) ||
        !find_buffer(w, info->dstBuffer, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkBufferCopy2 *r = &info->pRegions[i];
        const VkBufferCopy one = { r->srcOffset, r->dstOffset, r->size };
        copy_buffer(w, &from, &to, &one);
    }
    return true;
}

GV_WALK_COMMAND(vkCmdUpdateBuffer)
{
    struct side to;
    if (!find_buffer(w, a->dstBuffer, &to, err))
        return false;
    gv_walk_writes(w, &to.buffer->base, a->dstOffset, a->dataSize);
    if (to.lowered_buffer.id)
        gv_emit(w->b, buffer_upload, .buffer = to.lowered_buffer,
                .offset = a->dstOffset, .data = gv_data(a->pData), .size = a->dataSize);
    return true;
}

GV_WALK_COMMAND(vkCmdFillBuffer)
{
    struct side to;
    if (!find_buffer(w, a->dstBuffer, &to, err))
        return false;
    if (a->dstOffset >= to.buffer->size)
        return gv_cap_fail(w->cap, err, "offset %llu of %llu bytes",
                           (unsigned long long)a->dstOffset,
                           (unsigned long long)to.buffer->size);
    const uint64_t size =
        a->size == VK_WHOLE_SIZE ? (to.buffer->size - a->dstOffset) / 4 * 4 : a->size;
    gv_walk_writes(w, &to.buffer->base, a->dstOffset, size);
    if (to.lowered_buffer.id && size)
        gv_emit(w->b, buffer_fill, .buffer = to.lowered_buffer, .offset = a->dstOffset,
                .size = size, .value = a->data);
    return true;
}

// ---- buffers and images ----

// How rows lie in the buffer, as payloads say it: in bytes and rows of blocks.
static bool rows_of(struct gv_walk *w, const struct side *image,
                    const VkBufferImageCopy *r, uint32_t *row_bytes, uint32_t *rows)
{
    const struct gv_format_info *f =
        gv_format_info((uint64_t)image->image->info.format);
    const uint32_t aspect = r->imageSubresource.aspectMask;
    const uint32_t bytes = f && !(aspect & ~7u) ? gv_format_aspect_bytes(f, aspect) : 0;
    if (!bytes) {
        gv_walk_unsupported(w, "%s of aspects 0x%x", w->cap->name, aspect);
        return false;
    }
    const uint64_t row =
        (uint64_t)(r->bufferRowLength + f->block_width - 1) / f->block_width * bytes;
    *row_bytes = row <= UINT32_MAX ? (uint32_t)row : UINT32_MAX;
    *rows = (r->bufferImageHeight + f->block_height - 1) / f->block_height;
    return true;
}

static void copy_to_image(struct gv_walk *w, const struct side *from,
                          const struct side *to, const VkBufferImageCopy *r)
{
    uint32_t row_bytes, rows;
    if (!rows_of(w, to, r, &row_bytes, &rows))
        return;
    gv_walk_reads(w, &from->buffer->base, r->bufferOffset, UINT64_MAX);
    gv_emit(
        w->b, buffer_to_image, .image = to->lowered_image,
        .aspect = r->imageSubresource.aspectMask, .mip = r->imageSubresource.mipLevel,
        .layer = r->imageSubresource.baseArrayLayer,
        .layers = layers_of(to, &r->imageSubresource), .x = (uint32_t)r->imageOffset.x,
        .y = (uint32_t)r->imageOffset.y, .z = (uint32_t)r->imageOffset.z,
        .width = r->imageExtent.width, .height = r->imageExtent.height,
        .depth = r->imageExtent.depth, .buffer = from->lowered_buffer,
        .offset = r->bufferOffset, .row_bytes = row_bytes, .rows = rows);
    note_image(to);
}

static void copy_from_image(struct gv_walk *w, const struct side *from,
                            const struct side *to, const VkBufferImageCopy *r)
{
    uint32_t row_bytes, rows;
    if (!rows_of(w, from, r, &row_bytes, &rows))
        return;
    gv_walk_reads(w, &to->buffer->base, r->bufferOffset, UINT64_MAX);
    gv_emit(w->b, image_to_buffer, .buffer = to->lowered_buffer,
            .offset = r->bufferOffset, .row_bytes = row_bytes, .rows = rows,
            .image = from->lowered_image, .aspect = r->imageSubresource.aspectMask,
            .mip = r->imageSubresource.mipLevel,
            .layer = r->imageSubresource.baseArrayLayer,
            .layers = layers_of(from, &r->imageSubresource),
            .x = (uint32_t)r->imageOffset.x, .y = (uint32_t)r->imageOffset.y,
            .z = (uint32_t)r->imageOffset.z, .width = r->imageExtent.width,
            .height = r->imageExtent.height, .depth = r->imageExtent.depth);
    gv_cap_device_wrote(&to->buffer->base, r->bufferOffset,
                        UINT64_MAX - r->bufferOffset);
}

static VkBufferImageCopy plain(const VkBufferImageCopy2 *r)
{
    return (VkBufferImageCopy){ r->bufferOffset,      r->bufferRowLength,
                                r->bufferImageHeight, r->imageSubresource,
                                r->imageOffset,       r->imageExtent };
}

GV_WALK_COMMAND(vkCmdCopyBufferToImage)
{
    struct side from, to;
    if (!find_buffer(w, a->srcBuffer, &from, err) ||
        !find_image(w, a->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        copy_to_image(w, &from, &to, &a->pRegions[i]);
    return true;
}

GV_WALK_COMMAND(vkCmdCopyBufferToImage2)
{
    const VkCopyBufferToImageInfo2 *info = a->pCopyBufferToImageInfo;
    struct side from, to;
    if (!find_buffer(w, info->srcBuffer, &from, err) ||
        !find_image(w, info->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkBufferImageCopy r = plain(&info->pRegions[i]);
        copy_to_image(w, &from, &to, &r);
    }
    return true;
}

GV_WALK_COMMAND(vkCmdCopyImageToBuffer)
{
    struct side from, to;
    if (!find_image(w, a->srcImage, &from, err) ||
        !find_buffer(w, a->dstBuffer, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        copy_from_image(w, &from, &to, &a->pRegions[i]);
    return true;
}

GV_WALK_COMMAND(vkCmdCopyImageToBuffer2)
{
    const VkCopyImageToBufferInfo2 *info = a->pCopyImageToBufferInfo;
    struct side from, to;
    if (!find_image(w, info->srcImage, &from, err) ||
        !find_buffer(w, info->dstBuffer, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkBufferImageCopy r = plain(&info->pRegions[i]);
        copy_from_image(w, &from, &to, &r);
    }
    return true;
}

// ---- images ----

static void copy_image(struct gv_walk *w, const struct side *from,
                       const struct side *to, const VkImageCopy *r)
{
    const VkImageSubresourceLayers *s = &r->srcSubresource, *d = &r->dstSubresource;
    // Layers of an array may stand for slices; a 3D image has one layer.
    const uint32_t from_layers = layers_of(from, s), to_layers = layers_of(to, d);
    const bool slices = r->extent.depth > 1;
    gv_emit(w->b, image_copy, .dst = to->lowered_image, .dst_aspect = d->aspectMask & 7,
            .dst_mip = d->mipLevel, .dst_layer = d->baseArrayLayer,
            .dst_x = (uint32_t)r->dstOffset.x, .dst_y = (uint32_t)r->dstOffset.y,
            .dst_z = (uint32_t)r->dstOffset.z, .src = from->lowered_image,
            .src_aspect = s->aspectMask & 7, .src_mip = s->mipLevel,
            .src_layer = s->baseArrayLayer, .src_x = (uint32_t)r->srcOffset.x,
            .src_y = (uint32_t)r->srcOffset.y, .src_z = (uint32_t)r->srcOffset.z,
            .width = r->extent.width, .height = r->extent.height,
            .depth = r->extent.depth,
            .layers = slices                    ? 1
                      : from_layers > to_layers ? from_layers
                                                : to_layers);
    note_image(to);
}

GV_WALK_COMMAND(vkCmdCopyImage)
{
    struct side from, to;
    if (!find_image(w, a->srcImage, &from, err) ||
        !find_image(w, a->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        copy_image(w, &from, &to, &a->pRegions[i]);
    return true;
}

GV_WALK_COMMAND(vkCmdCopyImage2)
{
    const VkCopyImageInfo2 *info = a->pCopyImageInfo;
    struct side from, to;
    if (!find_image(w, info->srcImage, &from, err) ||
        !find_image(w, info->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkImageCopy2 *r = &info->pRegions[i];
        const VkImageCopy one = { r->srcSubresource, r->srcOffset, r->dstSubresource,
                                  r->dstOffset, r->extent };
        copy_image(w, &from, &to, &one);
    }
    return true;
}

static void blit(struct gv_walk *w, const struct side *from, const struct side *to,
                 const VkImageBlit *r, VkFilter filter)
{
    const VkOffset3D *s = r->srcOffsets, *d = r->dstOffsets;
    if (filter > VK_FILTER_LINEAR) {
        gv_walk_unsupported(w, "cubic filters");
        return;
    }
    gv_emit(w->b, image_blit, .dst = to->lowered_image,
            .dst_mip = r->dstSubresource.mipLevel,
            .dst_layer = r->dstSubresource.baseArrayLayer, .dst_x0 = d[0].x,
            .dst_y0 = d[0].y, .dst_z0 = d[0].z, .dst_x1 = d[1].x, .dst_y1 = d[1].y,
            .dst_z1 = d[1].z, .src = from->lowered_image,
            .src_mip = r->srcSubresource.mipLevel,
            .src_layer = r->srcSubresource.baseArrayLayer, .src_x0 = s[0].x,
            .src_y0 = s[0].y, .src_z0 = s[0].z, .src_x1 = s[1].x, .src_y1 = s[1].y,
            .src_z1 = s[1].z, .layers = layers_of(from, &r->srcSubresource),
            .aspect = r->srcSubresource.aspectMask & 7, .filter = (uint32_t)filter);
    note_image(to);
}

GV_WALK_COMMAND(vkCmdBlitImage)
{
    struct side from, to;
    if (!find_image(w, a->srcImage, &from, err) ||
        !find_image(w, a->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        blit(w, &from, &to, &a->pRegions[i], a->filter);
    return true;
}

GV_WALK_COMMAND(vkCmdBlitImage2)
{
    const VkBlitImageInfo2 *info = a->pBlitImageInfo;
    struct side from, to;
    if (!find_image(w, info->srcImage, &from, err) ||
        !find_image(w, info->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkImageBlit2 *r = &info->pRegions[i];
        const VkImageBlit one = { r->srcSubresource,
                                  { r->srcOffsets[0], r->srcOffsets[1] },
                                  r->dstSubresource,
                                  { r->dstOffsets[0], r->dstOffsets[1] } };
        blit(w, &from, &to, &one, info->filter);
    }
    return true;
}

static void resolve(struct gv_walk *w, const struct side *from, const struct side *to,
                    const VkImageResolve *r)
{
    gv_emit(w->b, image_resolve, .dst = to->lowered_image,
            .dst_mip = r->dstSubresource.mipLevel,
            .dst_layer = r->dstSubresource.baseArrayLayer,
            .dst_x = (uint32_t)r->dstOffset.x, .dst_y = (uint32_t)r->dstOffset.y,
            .src = from->lowered_image, .src_layer = r->srcSubresource.baseArrayLayer,
            .src_x = (uint32_t)r->srcOffset.x, .src_y = (uint32_t)r->srcOffset.y,
            .width = r->extent.width, .height = r->extent.height,
            .layers = layers_of(from, &r->srcSubresource));
    note_image(to);
}

GV_WALK_COMMAND(vkCmdResolveImage)
{
    struct side from, to;
    if (!find_image(w, a->srcImage, &from, err) ||
        !find_image(w, a->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < a->regionCount && both(&from, &to); i++)
        resolve(w, &from, &to, &a->pRegions[i]);
    return true;
}

GV_WALK_COMMAND(vkCmdResolveImage2)
{
    const VkResolveImageInfo2 *info = a->pResolveImageInfo;
    struct side from, to;
    if (!find_image(w, info->srcImage, &from, err) ||
        !find_image(w, info->dstImage, &to, err))
        return false;
    for (uint32_t i = 0; i < info->regionCount && both(&from, &to); i++) {
        const VkImageResolve2 *r = &info->pRegions[i];
        const VkImageResolve one = { r->srcSubresource, r->srcOffset, r->dstSubresource,
                                     r->dstOffset, r->extent };
        resolve(w, &from, &to, &one);
    }
    return true;
}

// ---- clears ----

// Mips and layers with the counts that stand for all others resolved.
static VkImageSubresourceRange whole(const struct side *s,
                                     const VkImageSubresourceRange *r)
{
    const VkImageCreateInfo *info = &s->image->info;
    VkImageSubresourceRange out = *r;
    if (out.levelCount == VK_REMAINING_MIP_LEVELS)
        out.levelCount =
            info->mipLevels > r->baseMipLevel ? info->mipLevels - r->baseMipLevel : 0;
    if (out.layerCount == VK_REMAINING_ARRAY_LAYERS)
        out.layerCount = info->arrayLayers > r->baseArrayLayer
                             ? info->arrayLayers - r->baseArrayLayer
                             : 0;
    return out;
}

GV_WALK_COMMAND(vkCmdClearColorImage)
{
    struct side to;
    if (!find_image(w, a->image, &to, err))
        return false;
    for (uint32_t i = 0; i < a->rangeCount && to.lowered_image.id; i++) {
        const VkImageSubresourceRange r = whole(&to, &a->pRanges[i]);
        const uint32_t *c = a->pColor->uint32;
        gv_emit(w->b, image_clear_color, .image = to.lowered_image,
                .mip = r.baseMipLevel, .mips = r.levelCount, .layer = r.baseArrayLayer,
                .layers = r.layerCount, .c0 = c[0], .c1 = c[1], .c2 = c[2], .c3 = c[3]);
        note_image(&to);
    }
    return true;
}

GV_WALK_COMMAND(vkCmdClearDepthStencilImage)
{
    struct side to;
    if (!find_image(w, a->image, &to, err))
        return false;
    for (uint32_t i = 0; i < a->rangeCount && to.lowered_image.id; i++) {
        const VkImageSubresourceRange r = whole(&to, &a->pRanges[i]);
        gv_emit(w->b, image_clear_depth_stencil, .image = to.lowered_image,
                .aspect = r.aspectMask & 7, .mip = r.baseMipLevel, .mips = r.levelCount,
                .layer = r.baseArrayLayer, .layers = r.layerCount,
                .depth = a->pDepthStencil->depth,
                .stencil = a->pDepthStencil->stencil & 0xff);
        note_image(&to);
    }
    return true;
}
