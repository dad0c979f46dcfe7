#include "runtime/vk/transfer/transfer.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/kept_images.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/memory/zero.h"
#include "runtime/vk/transfer/texel_converter.h"

#include <inttypes.h>
#include <string.h>

// ---- boxes ----

static const struct gv_format_info *format_of(const struct gv_vk_image *image)
{
    return gv_format_info((uint64_t)image->format);
}

struct gv_texel_side gv_vk_box_side(const struct gv_vk_box *box,
                                    struct gv_image_shape *shape)
{
    *shape = gv_vk_image_shape(box->image);
    return (struct gv_texel_side){
        .image = shape,
        .place = { box->aspect, box->mip, box->layer, box->layers, box->x, box->y,
                   box->z, box->width, box->height, box->depth },
        .id = box->image->id,
    };
}

bool gv_vk_box_check(const struct gv_vk_box *box, VkFormatFeatureFlags needed,
                     const struct gv_place_names *names, struct gv_error *err)
{
    const struct gv_vk_image *image = box->image;
    struct gv_image_shape shape;
    const struct gv_texel_side side = gv_vk_box_side(box, &shape);
    if (!gv_rule_place(&shape, &side.place, names, err))
        return false;
    return (image->features & needed) == needed ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "%s: the device misses transfers (0x%x) of format %s", names->image,
                   needed & ~image->features, format_of(image)->name);
}

bool gv_vk_box_whole(const struct gv_vk_box *box)
{
    const struct gv_vk_image *image = box->image;
    return box->aspect == image->aspects &&
           box->width == gv_vk_image_mip_width(image, box->mip) &&
           box->height == gv_vk_image_mip_height(image, box->mip) &&
           box->depth == gv_vk_image_mip_depth(image, box->mip);
}

VkImageSubresourceRange gv_vk_box_range(const struct gv_vk_box *box)
{
    return gv_vk_image_range(box->image, box->mip, 1, box->layer, box->layers);
}

VkImageSubresourceLayers gv_vk_box_layers(const struct gv_vk_box *box)
{
    return (VkImageSubresourceLayers){ box->aspect, box->mip, box->layer, box->layers };
}

VkBufferImageCopy gv_vk_box_copy(const struct gv_vk_box *box, uint64_t offset)
{
    return (VkBufferImageCopy){
        .bufferOffset = offset,
        .imageSubresource = gv_vk_box_layers(box),
        .imageOffset = { (int32_t)box->x, (int32_t)box->y, (int32_t)box->z },
        .imageExtent = { box->width, box->height, box->depth },
    };
}

static bool same_subresource(const struct gv_vk_box *a, const struct gv_vk_box *b)
{
    return a->image == b->image && a->mip == b->mip &&
           a->layer < b->layer + b->layers && b->layer < a->layer + a->layers;
}

bool gv_vk_box_pair(struct gv_runtime *rt, const struct gv_vk_box *dst,
                    const struct gv_vk_box *src, bool whole, VkImageLayout *dst_layout,
                    VkImageLayout *src_layout, struct gv_error *err)
{
    const VkImageSubresourceRange to = gv_vk_box_range(dst);
    const VkImageSubresourceRange from = gv_vk_box_range(src);
    bool shared = same_subresource(dst, src);
    *dst_layout =
        shared ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    *src_layout =
        shared ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    // Two barriers of one subresource cannot share a command: the second waits for the
    // first to be emitted.
    return gv_vk_barriers_read_image(rt, src->image, &from, *src_layout, err) &&
           (!shared || gv_vk_barriers_emit(rt->commands, rt->barriers, err)) &&
           gv_vk_barriers_write_image(rt, dst->image, &to, *dst_layout, whole, err) &&
           gv_vk_barriers_emit(rt->commands, rt->barriers, err) &&
           gv_vk_commands_begin_work(rt->commands, err);
}

// ---- data in and out ----

static bool check_bytes(const struct gv_vk_box *box, struct gv_error *err)
{
    const struct gv_image_shape shape = gv_vk_image_shape(box->image);
    return gv_rule_bytes(&shape, box->aspect, err);
}

static bool data_bytes(const struct gv_vk_box *box, uint32_t row_bytes, uint32_t rows,
                       uint64_t *bytes, struct gv_error *err)
{
    struct gv_image_shape shape;
    const struct gv_texel_side side = gv_vk_box_side(box, &shape);
    return gv_rule_rows(&shape, &side.place, row_bytes, rows, bytes, err);
}

// Copies rows with any spacing to tight ones.
static void tighten(uint8_t *to, const uint8_t *from, const struct gv_vk_box *box,
                    uint64_t row_bytes, uint64_t rows)
{
    const struct gv_format_info *info = format_of(box->image);
    uint64_t tight = gv_format_row_bytes(info, box->aspect, box->width);
    uint32_t used = (box->height + info->block_height - 1) / info->block_height;
    row_bytes = row_bytes ? row_bytes : tight;
    rows = rows ? rows : used;
    if (row_bytes == tight && rows == used) {
        memcpy(to, from, tight * used * box->depth * box->layers);
        return;
    }
    for (uint32_t slice = 0; slice < box->depth * box->layers; slice++)
        for (uint32_t row = 0; row < used; row++) {
            memcpy(to, from + (slice * rows + row) * row_bytes, tight);
            to += tight;
        }
}

// Texels for a call's box, as they lie there.
struct given {
    const uint8_t *data;
    uint32_t row_bytes, rows;
    uint64_t bytes; // from the first to the last
};

static bool copy_up(struct gv_runtime *rt, const struct gv_vk_box *box,
                    const struct given *given, uint64_t bytes, struct gv_error *err)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkImageSubresourceRange range = gv_vk_box_range(box);
    const struct gv_format_info *info = format_of(box->image);
    struct gv_vk_slice slice;
    if (!gv_vk_barriers_write_image(rt, box->image, &range, layout,
                                    gv_vk_box_whole(box), err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err) ||
        // Offsets must be multiples of the texel and of 4.
        !gv_vk_staging_upload(rt, bytes, 4 * (uint64_t)info->block_bytes, &slice, err))
        return false;
    tighten(slice.data, given->data, box, given->row_bytes, given->rows);
    const struct gv_vk_texel_copy converted = {
        .box = box, .layout = layout, .buffer = slice.buffer, .offset = slice.offset
    };
    const VkBufferImageCopy region = gv_vk_box_copy(box, slice.offset);
    if (!gv_vk_texels_convert(rt->device, box->image, box->aspect))
        vkCmdCopyBufferToImage(rt->commands->buffer, slice.buffer, box->image->handle,
                               layout, 1, &region);
    else if (!gv_vk_texels_write(rt, &converted, err))
        return false;
    gv_vk_staging_uploaded(rt->staging, bytes);
    return true;
}

static bool upload(struct gv_runtime *rt, const struct gv_vk_box *box,
                   const struct given *given, struct gv_error *err)
{
    uint64_t bytes;
    if (!data_bytes(box, 0, 0, &bytes, err))
        return false;
    struct gv_vk_texels texels = { box->image,  box->mip,     box->layer,
                                   given->data, given->bytes, { { 0 } } };
    const bool all = given->bytes == bytes && box->layers == 1 && gv_vk_box_whole(box);
    if (all && gv_vk_image_has(rt->kept_images, &texels)) {
        const VkImageSubresourceRange range = gv_vk_box_range(box);
        gv_vk_mark_image_defined(box->image, &range);
        return true;
    }
    if (!copy_up(rt, box, given, bytes, err))
        return false;
    if (all)
        gv_vk_image_put(rt->kept_images, &texels);
    return true;
}

// The box that a call names, from its arguments.
#define BOX_OF(a)                                                                  \
    {                                                                              \
        .image = gv_vk_image_find(&rt->handles, (a)->image.u, "image", err),       \
        .aspect = (uint32_t)(a)->aspect.u, .mip = (uint32_t)(a)->mip.u,            \
        .layer = (uint32_t)(a)->layer.u, .layers = (uint32_t)(a)->layers.u,        \
        .x = (uint32_t)(a)->x.u, .y = (uint32_t)(a)->y.u, .z = (uint32_t)(a)->z.u, \
        .width = (uint32_t)(a)->width.u, .height = (uint32_t)(a)->height.u,        \
        .depth = (uint32_t)(a)->depth.u,                                           \
    }

bool gv_do_image_upload(struct gv_runtime *rt, const struct gv_args_image_upload *a,
                        uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    uint64_t bytes;
    const struct gv_vk_box box = BOX_OF(a);
    uint32_t row_bytes = (uint32_t)a->row_bytes.u, rows = (uint32_t)a->rows.u;
    if (!box.image || !gv_runtime_outside_pass(rt, err) || !check_bytes(&box, err) ||
        !gv_vk_box_check(&box, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, &gv_names_of_one,
                         err) ||
        !data_bytes(&box, row_bytes, rows, &bytes, err))
        return false;
    if (!gv_rule_given(a->size.u, bytes, err))
        return false;
    const struct given given = { a->data.data, row_bytes, rows, bytes };
    return upload(rt, &box, &given, err);
}

// The buffer side of a copy: a place Vulkan can address.
static bool buffer_region(const struct gv_vk_box *box,
                          const struct gv_vk_buffer *buffer, uint64_t offset,
                          uint32_t row_bytes, uint32_t rows, VkBufferImageCopy *region,
                          uint64_t *bytes, struct gv_error *err)
{
    const struct gv_format_info *info = format_of(box->image);
    uint32_t texel = gv_format_aspect_bytes(info, box->aspect);
    if (!data_bytes(box, row_bytes, rows, bytes, err) ||
        !gv_vk_buffer_check_range(buffer, offset, *bytes, "offset", err))
        return false;
    bool color = box->aspect == GV_ASPECT_COLOR;
    if (offset % (color ? texel : 4) || row_bytes % texel || row_bytes > INT32_MAX)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: texels of %s at offset %" PRIu64
                       " in rows of %u bytes",
                       info->name, offset, row_bytes);
    if ((uint64_t)rows * info->block_height > INT32_MAX)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "rows: %u is too many", rows);
    *region = gv_vk_box_copy(box, offset);
    region->bufferRowLength = row_bytes / texel * info->block_width;
    region->bufferImageHeight = rows * info->block_height;
    return true;
}

// Both ends of a copy between an image and a buffer.
struct buffer_copy {
    struct gv_vk_box box;
    struct gv_vk_buffer *buffer;
    uint64_t offset;
    uint32_t row_bytes, rows;
    VkBufferImageCopy region;
    uint64_t bytes; // of the buffer, from the offset on
};

// From the arguments of either call, which name both ends alike.
#define COPY_OF(a)                                                               \
    {                                                                            \
        .box = BOX_OF(a),                                                        \
        .buffer = gv_vk_buffer_find(&rt->handles, (a)->buffer.u, "buffer", err), \
        .offset = (a)->offset.u, .row_bytes = (uint32_t)(a)->row_bytes.u,        \
        .rows = (uint32_t)(a)->rows.u,                                           \
    }

// The same for texels that are converted on the way.
#define CONVERTED_OF(c, in)                                                 \
    {                                                                       \
        .box = &(c).box, .layout = (in), .buffer = (c).buffer->handle,      \
        .offset = (c).offset, .row_bytes = (c).row_bytes, .rows = (c).rows, \
    }

static bool check_copy(struct gv_runtime *rt, struct buffer_copy *c,
                       VkFormatFeatureFlags feature, struct gv_error *err)
{
    return c->box.image && c->buffer && gv_runtime_outside_pass(rt, err) &&
           check_bytes(&c->box, err) &&
           gv_vk_box_check(&c->box, feature, &gv_names_of_one, err) &&
           buffer_region(&c->box, c->buffer, c->offset, c->row_bytes, c->rows,
                         &c->region, &c->bytes, err);
}

bool gv_do_image_to_buffer(struct gv_runtime *rt,
                           const struct gv_args_image_to_buffer *a,
                           uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    struct buffer_copy c = COPY_OF(a);
    if (!check_copy(rt, &c, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, err))
        return false;
    const VkImageSubresourceRange range = gv_vk_box_range(&c.box);
    // Gaps between rows keep what they held.
    if (!gv_vk_barriers_read_image(rt, c.box.image, &range, layout, err) ||
        !gv_vk_barriers_write_buffer(
            rt->commands, rt->barriers,
            (struct gv_vk_bytes){ c.buffer, c.offset, c.bytes }, false, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const struct gv_vk_texel_copy converted = CONVERTED_OF(c, layout);
    if (gv_vk_texels_convert(rt->device, c.box.image, c.box.aspect))
        return gv_vk_texels_read(rt, &converted, err);
    vkCmdCopyImageToBuffer(rt->commands->buffer, c.box.image->handle, layout,
                           c.buffer->handle, 1, &c.region);
    return true;
}

bool gv_do_buffer_to_image(struct gv_runtime *rt,
                           const struct gv_args_buffer_to_image *a,
                           uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    struct buffer_copy c = COPY_OF(a);
    if (!check_copy(rt, &c, VK_FORMAT_FEATURE_TRANSFER_DST_BIT, err))
        return false;
    const VkImageSubresourceRange range = gv_vk_box_range(&c.box);
    if (!gv_vk_barriers_read_buffer(rt->commands, rt->barriers,
                                    (struct gv_vk_bytes){ c.buffer, c.offset, c.bytes },
                                    err) ||
        !gv_vk_barriers_write_image(rt, c.box.image, &range, layout,
                                    gv_vk_box_whole(&c.box), err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const struct gv_vk_texel_copy converted = CONVERTED_OF(c, layout);
    if (gv_vk_texels_convert(rt->device, c.box.image, c.box.aspect))
        return gv_vk_texels_write(rt, &converted, err);
    vkCmdCopyBufferToImage(rt->commands->buffer, c.buffer->handle, c.box.image->handle,
                           layout, 1, &c.region);
    return true;
}

bool gv_vk_box_read(struct gv_runtime *rt, const struct gv_vk_box *box, VkBuffer buffer,
                    struct gv_error *err)
{
    const VkImageLayout layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkImageSubresourceRange range = gv_vk_box_range(box);
    if (!check_bytes(box, err) ||
        !gv_vk_box_check(box, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT, &gv_names_of_one,
                         err) ||
        !gv_vk_barriers_read_image(rt, box->image, &range, layout, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    const VkBufferImageCopy region = gv_vk_box_copy(box, 0);
    const struct gv_vk_texel_copy converted = { .box = box,
                                                .layout = layout,
                                                .buffer = buffer };
    if (gv_vk_texels_convert(rt->device, box->image, box->aspect))
        return gv_vk_texels_read(rt, &converted, err);
    vkCmdCopyImageToBuffer(rt->commands->buffer, box->image->handle, layout, buffer, 1,
                           &region);
    return true;
}
