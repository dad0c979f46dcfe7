#include "runtime/vk/memory/view.h"

#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/object_costs.h"
#include "vm/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COST 512 // object_costs.h

struct gv_vk_image_view {
    struct gv_table_entry entry; // first; in the runtime's image_views
    uint64_t image;              // id
    struct gv_view_shape key;
    VkImageView handle;
    struct gv_vk_image_view *next;
};

struct gv_vk_buffer_view {
    struct gv_table_entry entry; // first; in the runtime's buffer_views
    uint64_t buffer;             // id
    VkFormat format;
    uint64_t offset, size;
    bool storage;
    VkBufferView handle;
    struct gv_vk_buffer_view *next;
};

// ---- images ----

static const VkFormatFeatureFlags features[] = {
    [GV_VIEW_USE_SAMPLED] = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
    [GV_VIEW_USE_STORAGE] = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT,
    [GV_VIEW_USE_COLOR] = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
    [GV_VIEW_USE_DEPTH_STENCIL] = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT,
};

static bool check_format(const struct gv_vk_device *device,
                         const struct gv_vk_image *image,
                         const struct gv_view_shape *key, struct gv_error *err)
{
    const VkFormat own = image->format, format = (VkFormat)key->format;
    if (format != own && (gv_vk_device_format(device, own) != own ||
                          gv_vk_device_format(device, format) != format))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "format: the device keeps %s or %s in another format",
                       gv_format_info((uint64_t)own)->name,
                       gv_format_info(key->format)->name);
    return (gv_vk_format_features(device, format) & features[key->use]) ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "format: the device misses %s of format %s",
                   gv_view_use_name(key->use), gv_format_info(key->format)->name);
}

// Views that a portable device need not have.
static bool check_portable(const struct gv_vk_device *device,
                           const struct gv_vk_image *image,
                           const struct gv_view_shape *key, struct gv_error *err)
{
    const struct gv_format_info *own = gv_format_info((uint64_t)image->format);
    if (!gv_swizzle_is_straight(key->swizzle) &&
        !gv_vk_require(device, "imageViewFormatSwizzle", err))
        return false;
    return gv_format_same_components(own, gv_format_info(key->format)) ||
           gv_vk_require(device, "imageViewFormatReinterpretation", err);
}

static bool settle(const struct gv_vk_device *device, const struct gv_vk_image *image,
                   struct gv_view_shape *key, struct gv_error *err)
{
    const struct gv_image_shape shape = gv_vk_image_shape(image);
    if (!gv_rule_view(&shape, key, err))
        return false;
    if (key->type == GV_VIEW_TYPE_CUBE_ARRAY &&
        !device->features.core.features.imageCubeArray)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "type: the device misses feature imageCubeArray");
    return check_format(device, image, key, err) &&
           check_portable(device, image, key, err);
}

// A swizzle of a view of a format that is kept in another: components that only the
// other has read as if there were none.
static VkComponentSwizzle swizzle_of(const struct gv_view_shape *key, bool kept,
                                     uint32_t i)
{
    static const char order[] = "RGBA";
    const uint32_t one =
        key->use == GV_VIEW_USE_SAMPLED ? key->swizzle >> 4 * i & 15 : 0;
    const uint32_t from = one == GV_SWIZZLE_IDENTITY ? i : one - GV_SWIZZLE_R;
    const struct gv_format_info *info = gv_format_info(key->format);
    const bool color = key->aspect == GV_ASPECT_COLOR;
    if (!kept || key->use != GV_VIEW_USE_SAMPLED || !color || from > 3 ||
        strchr(info->components, order[from]))
        return (VkComponentSwizzle)one;
    return from == 3 ? VK_COMPONENT_SWIZZLE_ONE : VK_COMPONENT_SWIZZLE_ZERO;
}

static bool create_image_view(const struct gv_vk_device *device,
                              const struct gv_vk_image *image,
                              const struct gv_view_shape *key, VkImageView *view,
                              struct gv_error *err)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = gv_view_use_usage(key->use),
    };
    const VkFormat format = gv_vk_device_format(device, (VkFormat)key->format);
    const bool kept = format != (VkFormat)key->format;
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image->handle,
        .viewType = (VkImageViewType)key->type,
        .format = format,
        .components = { swizzle_of(key, kept, 0), swizzle_of(key, kept, 1),
                        swizzle_of(key, kept, 2), swizzle_of(key, kept, 3) },
        .subresourceRange = { key->aspect, key->mip, key->mips, key->layer,
                              key->layers },
    };
    return gv_vk_ok(vkCreateImageView(device->handle, &info, NULL, view),
                    "vkCreateImageView", err);
}

static uint64_t view_hash(const struct gv_vk_image *image,
                          const struct gv_view_shape *key)
{
    const uint64_t words[] = { key->use,    key->type,   key->format,
                               key->aspect, key->mip,    key->mips,
                               key->layer,  key->layers, key->swizzle };
    return gv_table_hash(image->id, words, sizeof words / sizeof words[0]);
}

static VkImageView find_view(const struct gv_vk_views *views, uint64_t hash,
                             const struct gv_vk_image *image,
                             const struct gv_view_shape *key)
{
    const struct gv_table_entry *e = gv_table_find(&views->images, hash);
    for (; e; e = gv_table_next(e)) {
        const struct gv_vk_image_view *v = (const struct gv_vk_image_view *)e;
        if (v->image == image->id && memcmp(&v->key, key, sizeof(*key)) == 0)
            return v->handle;
    }
    return VK_NULL_HANDLE;
}

// Views are made in the middle of a draw: nothing can be waited for.
static void *make_view(struct gv_vk_heaps *heaps, size_t size, struct gv_error *err)
{
    if (!gv_vk_heaps_charge(heaps, COST, err))
        return NULL;
    void *view = calloc(1, size);
    if (!view) {
        gv_vk_heaps_discharge(heaps, COST);
        gv_out_of_memory(err);
    }
    return view;
}

static VkImageView get_view(struct gv_vk_views *views, struct gv_vk_image *image,
                            const struct gv_view_shape *key, struct gv_error *err)
{
    struct gv_view_shape settled = *key;
    if (!settle(views->heaps->device, image, &settled, err))
        return VK_NULL_HANDLE;
    uint64_t hash = view_hash(image, &settled);
    VkImageView handle = find_view(views, hash, image, &settled);
    if (handle)
        return handle;
    struct gv_vk_image_view *view = make_view(views->heaps, sizeof(*view), err);
    if (!view)
        return VK_NULL_HANDLE;
    if (!gv_table_add(&views->images, &view->entry, hash)) {
        gv_vk_object_free(views->heaps, view, COST);
        gv_out_of_memory(err);
        return VK_NULL_HANDLE;
    }
    view->image = image->id;
    view->key = settled;
    if (!create_image_view(views->heaps->device, image, &settled, &view->handle, err)) {
        gv_table_remove(&views->images, &view->entry);
        gv_vk_object_free(views->heaps, view, COST);
        return VK_NULL_HANDLE;
    }
    view->next = image->views;
    image->views = view;
    return view->handle;
}

static struct gv_vk_view_memo *memo_of(struct gv_vk_views *views,
                                       const struct gv_vk_image *image,
                                       const struct gv_view_shape *key)
{
    return &views->memos[(view_hash(image, key) >> 32) % GV_VK_VIEW_MEMOS];
}

VkImageView gv_vk_image_view(struct gv_vk_views *views, struct gv_vk_image *image,
                             const struct gv_view_shape *key, struct gv_error *err)
{
    struct gv_vk_view_memo *memo = memo_of(views, image, key);
    if (memo->handle && memo->image == image->id &&
        memcmp(&memo->key, key, sizeof *key) == 0)
        return memo->handle;
    VkImageView handle = get_view(views, image, key, err);
    if (handle)
        *memo = (struct gv_vk_view_memo){ image->id, *key, handle };
    return handle;
}

void gv_vk_image_views_free(struct gv_vk_views *views, struct gv_vk_image *image)
{
    while (image->views) {
        struct gv_vk_image_view *view = image->views;
        image->views = view->next;
        gv_table_remove(&views->images, &view->entry);
        vkDestroyImageView(views->heaps->device->handle, view->handle, NULL);
        gv_vk_object_free(views->heaps, view, COST);
    }
}

// ---- buffers ----

static bool check_texels(const struct gv_vk_device *device, struct gv_vk_bytes *bytes,
                         VkFormat format, bool storage, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(device);
    VkFormatFeatureFlags needed = storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                          : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    uint32_t usage =
        storage ? GV_BUFFER_USAGE_STORAGE_TEXEL : GV_BUFFER_USAGE_UNIFORM_TEXEL;
    if (!info)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "format: no such format");
    if (!(gv_vk_buffer_features(device, format) & needed))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "format: the device misses texel buffers of %s", info->name);
    if (!gv_vk_buffer_check_usage(bytes->buffer, usage, "buffer", err) ||
        !gv_vk_buffer_check_range(bytes->buffer, bytes->offset, bytes->size, "offset",
                                  err))
        return false;
    if (bytes->offset % limits->minTexelBufferOffsetAlignment)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "offset: no multiple of minTexelBufferOffsetAlignment %" PRIu64,
                       (uint64_t)limits->minTexelBufferOffsetAlignment);
    bytes->size -= bytes->size % info->block_bytes;
    if (bytes->size / info->block_bytes > limits->maxTexelBufferElements)
        bytes->size = (uint64_t)limits->maxTexelBufferElements * info->block_bytes;
    return bytes->size || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                  "size: less than a texel of %s", info->name);
}

static VkBufferView find_texels(const struct gv_vk_views *views, uint64_t hash,
                                const struct gv_vk_buffer_view *wanted)
{
    const struct gv_table_entry *e = gv_table_find(&views->buffers, hash);
    for (; e; e = gv_table_next(e)) {
        const struct gv_vk_buffer_view *v = (const struct gv_vk_buffer_view *)e;
        if (v->buffer == wanted->buffer && v->format == wanted->format &&
            v->offset == wanted->offset && v->size == wanted->size &&
            v->storage == wanted->storage)
            return v->handle;
    }
    return VK_NULL_HANDLE;
}

VkBufferView gv_vk_buffer_view(struct gv_vk_views *views, struct gv_vk_bytes bytes,
                               VkFormat format, bool storage, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = bytes.buffer;
    if (!check_texels(views->heaps->device, &bytes, format, storage, err))
        return VK_NULL_HANDLE;
    const struct gv_vk_buffer_view wanted = { .buffer = buffer->id,
                                              .format = format,
                                              .offset = bytes.offset,
                                              .size = bytes.size,
                                              .storage = storage };
    const uint64_t words[] = { (uint64_t)format, bytes.offset, bytes.size, storage };
    uint64_t hash = gv_table_hash(buffer->id, words, sizeof words / sizeof words[0]);
    VkBufferView handle = find_texels(views, hash, &wanted);
    if (handle)
        return handle;
    struct gv_vk_buffer_view *view = make_view(views->heaps, sizeof(*view), err);
    if (!view)
        return VK_NULL_HANDLE;
    *view = wanted;
    if (!gv_table_add(&views->buffers, &view->entry, hash)) {
        gv_vk_object_free(views->heaps, view, COST);
        gv_out_of_memory(err);
        return VK_NULL_HANDLE;
    }
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer->handle,
        .format = format,
        .offset = bytes.offset,
        .range = bytes.size,
    };
    if (!gv_vk_ok(vkCreateBufferView(views->heaps->device->handle, &info, NULL,
                                     &view->handle),
                  "vkCreateBufferView", err)) {
        gv_table_remove(&views->buffers, &view->entry);
        gv_vk_object_free(views->heaps, view, COST);
        return VK_NULL_HANDLE;
    }
    view->next = buffer->views;
    buffer->views = view;
    return view->handle;
}

void gv_vk_buffer_views_free(struct gv_vk_views *views, struct gv_vk_buffer *buffer)
{
    while (buffer->views) {
        struct gv_vk_buffer_view *view = buffer->views;
        buffer->views = view->next;
        gv_table_remove(&views->buffers, &view->entry);
        vkDestroyBufferView(views->heaps->device->handle, view->handle, NULL);
        gv_vk_object_free(views->heaps, view, COST);
    }
}

void gv_vk_views_finish(struct gv_vk_views *views)
{
    gv_table_finish(&views->images);
    gv_table_finish(&views->buffers);
}
