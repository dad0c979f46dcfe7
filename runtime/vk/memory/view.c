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
    struct gv_vk_view_key key;
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

static const struct {
    uint32_t usage; // GV_IMAGE_USAGE_*, as VkImageUsageFlags
    VkFormatFeatureFlags feature;
    const char *name;
} uses[] = {
    [GV_VK_VIEW_SAMPLED] = { GV_IMAGE_USAGE_SAMPLED,
                             VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, "SAMPLED" },
    [GV_VK_VIEW_STORAGE] = { GV_IMAGE_USAGE_STORAGE,
                             VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT, "STORAGE" },
    [GV_VK_VIEW_COLOR] = { GV_IMAGE_USAGE_COLOR_ATTACHMENT,
                           VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, "COLOR_ATTACHMENT" },
    [GV_VK_VIEW_DEPTH_STENCIL] = { GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT,
                                   VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                   "DEPTH_STENCIL_ATTACHMENT" },
};

static bool is_attachment(const struct gv_vk_view_key *key)
{
    return key->use == GV_VK_VIEW_COLOR || key->use == GV_VK_VIEW_DEPTH_STENCIL;
}

static bool is_array(uint32_t type)
{
    return type == GV_VIEW_TYPE_1D_ARRAY || type == GV_VIEW_TYPE_2D_ARRAY ||
           type == GV_VIEW_TYPE_CUBE_ARRAY;
}

static bool is_cube(uint32_t type)
{
    return type == GV_VIEW_TYPE_CUBE || type == GV_VIEW_TYPE_CUBE_ARRAY;
}

// A 2D view of a 3D image counts slices as layers.
static bool takes_slices(const struct gv_vk_image *image,
                         const struct gv_vk_view_key *key)
{
    return image->type == GV_IMAGE_TYPE_3D && key->type != GV_VIEW_TYPE_3D;
}

static bool check_type(const struct gv_vk_image *image,
                       const struct gv_vk_view_key *key, struct gv_error *err)
{
    bool d1 = key->type == GV_VIEW_TYPE_1D || key->type == GV_VIEW_TYPE_1D_ARRAY;
    bool d3 = key->type == GV_VIEW_TYPE_3D;
    bool fits = image->type == (d1   ? GV_IMAGE_TYPE_1D
                                : d3 ? GV_IMAGE_TYPE_3D
                                     : GV_IMAGE_TYPE_2D);
    if (takes_slices(image, key))
        fits = is_attachment(key) && !d1 && !is_cube(key->type) &&
               (image->flags & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE);
    if (is_cube(key->type) && !(image->flags & GV_IMAGE_FLAG_CUBE_COMPATIBLE))
        fits = false;
    const char *name = gv_enum_value_name(GV_ENUM_ID_VIEW_TYPE, key->type);
    if (!fits)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "type: the image allows no view of type %s", name ? name : "?");
    if (image->samples > 1 && key->type != GV_VIEW_TYPE_2D &&
        key->type != GV_VIEW_TYPE_2D_ARRAY)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "type: views of multisampled images are 2D");
    return true;
}

// Fills in what 0 stands for, and checks the range.
static bool settle_range(const struct gv_vk_image *image, struct gv_vk_view_key *key,
                         struct gv_error *err)
{
    uint32_t all_layers = image->layers;
    if (takes_slices(image, key) && key->mip < image->mips)
        all_layers = gv_vk_image_mip_depth(image, key->mip);
    uint32_t one = key->type == GV_VIEW_TYPE_CUBE ? 6 : 1;
    if (!key->mips && key->mip < image->mips)
        key->mips = key->use == GV_VK_VIEW_SAMPLED ? image->mips - key->mip : 1;
    if (!key->layers && key->layer < all_layers)
        key->layers = is_array(key->type) ? all_layers - key->layer : one;
    if (key->type == GV_VIEW_TYPE_CUBE_ARRAY)
        key->layers -= key->layers % 6;
    if (!key->mips || !gv_range_inside(key->mip, key->mips, image->mips))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "mip: %u mips from %u of an image of %u", key->mips, key->mip,
                       image->mips);
    if (!key->layers || !gv_range_inside(key->layer, key->layers, all_layers))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "layer: %u layers from %u of an image of %u", key->layers,
                       key->layer, all_layers);
    if (key->use != GV_VK_VIEW_SAMPLED && key->mips != 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "mips: only one can be written");
    if (!is_array(key->type) && key->layers != one)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "layers: %u in a view that is no array", key->layers);
    return true;
}

static bool settle_format(const struct gv_vk_device *device,
                          const struct gv_vk_image *image, struct gv_vk_view_key *key,
                          struct gv_error *err)
{
    const struct gv_format_info *own = gv_format_info((uint64_t)image->format);
    if (!key->format)
        key->format = (uint32_t)image->format;
    const struct gv_format_info *info = gv_format_info(key->format);
    if (!info)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "format: no such format");
    if (info != own && (!(image->flags & GV_IMAGE_FLAG_MUTABLE_FORMAT) ||
                        info->format_class != own->format_class ||
                        image->aspects != VK_IMAGE_ASPECT_COLOR_BIT))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "format: an image of %s allows no view of %s", own->name,
                       info->name);
    if (info != own &&
        (gv_vk_device_format(device, image->format) != image->format ||
         gv_vk_device_format(device, (VkFormat)key->format) != (VkFormat)key->format))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "format: the device keeps %s or %s in another format", own->name,
                       info->name);
    if (!(gv_vk_format_features(device, (VkFormat)key->format) &
          uses[key->use].feature))
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "format: the device misses %s of format %s", uses[key->use].name,
                       info->name);
    return true;
}

static bool settle_aspect(const struct gv_vk_image *image, struct gv_vk_view_key *key,
                          struct gv_error *err)
{
    if (is_attachment(key) || !key->aspect)
        key->aspect = image->aspects;
    if (!is_attachment(key) && key->aspect == (GV_ASPECT_DEPTH | GV_ASPECT_STENCIL))
        key->aspect = GV_ASPECT_DEPTH; // a shader sees one of both
    return gv_vk_image_check_aspect(image, key->aspect, "aspect", err);
}

static bool check_swizzle(const struct gv_vk_view_key *key, struct gv_error *err)
{
    bool ok = key->swizzle < 0x10000;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t one = key->swizzle >> (4 * i) & 15;
        ok = ok && one <= GV_SWIZZLE_A;
        // Only sampled views may select components.
        if (key->use != GV_VK_VIEW_SAMPLED && one != GV_SWIZZLE_IDENTITY &&
            one != GV_SWIZZLE_R + i)
            ok = false;
    }
    return ok || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "swizzle: 0x%x is none here",
                         key->swizzle);
}

// Views that a portable device need not have.
static bool check_portable(const struct gv_vk_device *device,
                           const struct gv_vk_image *image,
                           const struct gv_vk_view_key *key, struct gv_error *err)
{
    const struct gv_format_info *own = gv_format_info((uint64_t)image->format);
    if (!gv_swizzle_is_straight(key->swizzle) &&
        !gv_vk_require(device, "imageViewFormatSwizzle", err))
        return false;
    return gv_format_same_components(own, gv_format_info(key->format)) ||
           gv_vk_require(device, "imageViewFormatReinterpretation", err);
}

static bool settle(const struct gv_vk_device *device, const struct gv_vk_image *image,
                   struct gv_vk_view_key *key, struct gv_error *err)
{
    if (!(image->usage & uses[key->use].usage))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "image: it was created without usage %s", uses[key->use].name);
    if (key->type == GV_VIEW_TYPE_CUBE_ARRAY &&
        !device->features.core.features.imageCubeArray)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "type: the device misses feature imageCubeArray");
    return check_type(image, key, err) && settle_range(image, key, err) &&
           settle_format(device, image, key, err) && settle_aspect(image, key, err) &&
           check_swizzle(key, err) && check_portable(device, image, key, err);
}

// A swizzle of a view of a format that is kept in another: components that only the
// other has read as if there were none.
static VkComponentSwizzle swizzle_of(const struct gv_vk_view_key *key, bool kept,
                                     uint32_t i)
{
    static const char order[] = "RGBA";
    const uint32_t one =
        key->use == GV_VK_VIEW_SAMPLED ? key->swizzle >> 4 * i & 15 : 0;
    const uint32_t from = one == GV_SWIZZLE_IDENTITY ? i : one - GV_SWIZZLE_R;
    const struct gv_format_info *info = gv_format_info(key->format);
    const bool color = key->aspect == GV_ASPECT_COLOR;
    if (!kept || key->use != GV_VK_VIEW_SAMPLED || !color || from > 3 ||
        strchr(info->components, order[from]))
        return (VkComponentSwizzle)one;
    return from == 3 ? VK_COMPONENT_SWIZZLE_ONE : VK_COMPONENT_SWIZZLE_ZERO;
}

static bool create_image_view(const struct gv_vk_device *device,
                              const struct gv_vk_image *image,
                              const struct gv_vk_view_key *key, VkImageView *view,
                              struct gv_error *err)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = uses[key->use].usage,
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
                          const struct gv_vk_view_key *key)
{
    const uint64_t words[] = { key->use,    key->type,   key->format,
                               key->aspect, key->mip,    key->mips,
                               key->layer,  key->layers, key->swizzle };
    return gv_table_hash(image->id, words, sizeof words / sizeof words[0]);
}

static VkImageView find_view(const struct gv_vk_views *views, uint64_t hash,
                             const struct gv_vk_image *image,
                             const struct gv_vk_view_key *key)
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

static VkImageView get_view(struct gv_runtime *rt, struct gv_vk_image *image,
                            const struct gv_vk_view_key *key, struct gv_error *err)
{
    struct gv_vk_view_key settled = *key;
    if (!settle(rt->device, image, &settled, err))
        return VK_NULL_HANDLE;
    uint64_t hash = view_hash(image, &settled);
    VkImageView handle = find_view(rt->views, hash, image, &settled);
    if (handle)
        return handle;
    struct gv_vk_image_view *view = make_view(rt->heaps, sizeof(*view), err);
    if (!view)
        return VK_NULL_HANDLE;
    if (!gv_table_add(&rt->views->images, &view->entry, hash)) {
        gv_vk_object_free(rt->heaps, view, COST);
        gv_out_of_memory(err);
        return VK_NULL_HANDLE;
    }
    view->image = image->id;
    view->key = settled;
    if (!create_image_view(rt->device, image, &settled, &view->handle, err)) {
        gv_table_remove(&rt->views->images, &view->entry);
        gv_vk_object_free(rt->heaps, view, COST);
        return VK_NULL_HANDLE;
    }
    view->next = image->views;
    image->views = view;
    return view->handle;
}

static struct gv_vk_view_memo *memo_of(struct gv_vk_views *views,
                                       const struct gv_vk_image *image,
                                       const struct gv_vk_view_key *key)
{
    return &views->memos[(view_hash(image, key) >> 32) % GV_VK_VIEW_MEMOS];
}

VkImageView gv_vk_image_view(struct gv_runtime *rt, struct gv_vk_image *image,
                             const struct gv_vk_view_key *key, struct gv_error *err)
{
    struct gv_vk_view_memo *memo = memo_of(rt->views, image, key);
    if (memo->handle && memo->image == image->id &&
        memcmp(&memo->key, key, sizeof *key) == 0)
        return memo->handle;
    VkImageView handle = get_view(rt, image, key, err);
    if (handle)
        *memo = (struct gv_vk_view_memo){ image->id, *key, handle };
    return handle;
}

void gv_vk_image_views_free(struct gv_runtime *rt, struct gv_vk_image *image)
{
    while (image->views) {
        struct gv_vk_image_view *view = image->views;
        image->views = view->next;
        gv_table_remove(&rt->views->images, &view->entry);
        vkDestroyImageView(rt->device->handle, view->handle, NULL);
        gv_vk_object_free(rt->heaps, view, COST);
    }
}

// ---- buffers ----

static bool check_texels(struct gv_runtime *rt, struct gv_vk_bytes *bytes,
                         VkFormat format, bool storage, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)format);
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(rt->device);
    VkFormatFeatureFlags needed = storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                          : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    uint32_t usage =
        storage ? GV_BUFFER_USAGE_STORAGE_TEXEL : GV_BUFFER_USAGE_UNIFORM_TEXEL;
    if (!info)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "format: no such format");
    if (!(gv_vk_buffer_features(rt->device, format) & needed))
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

VkBufferView gv_vk_buffer_view(struct gv_runtime *rt, struct gv_vk_bytes bytes,
                               VkFormat format, bool storage, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = bytes.buffer;
    if (!check_texels(rt, &bytes, format, storage, err))
        return VK_NULL_HANDLE;
    const struct gv_vk_buffer_view wanted = { .buffer = buffer->id,
                                              .format = format,
                                              .offset = bytes.offset,
                                              .size = bytes.size,
                                              .storage = storage };
    const uint64_t words[] = { (uint64_t)format, bytes.offset, bytes.size, storage };
    uint64_t hash = gv_table_hash(buffer->id, words, sizeof words / sizeof words[0]);
    VkBufferView handle = find_texels(rt->views, hash, &wanted);
    if (handle)
        return handle;
    struct gv_vk_buffer_view *view = make_view(rt->heaps, sizeof(*view), err);
    if (!view)
        return VK_NULL_HANDLE;
    *view = wanted;
    if (!gv_table_add(&rt->views->buffers, &view->entry, hash)) {
        gv_vk_object_free(rt->heaps, view, COST);
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
    if (!gv_vk_ok(vkCreateBufferView(rt->device->handle, &info, NULL, &view->handle),
                  "vkCreateBufferView", err)) {
        gv_table_remove(&rt->views->buffers, &view->entry);
        gv_vk_object_free(rt->heaps, view, COST);
        return VK_NULL_HANDLE;
    }
    view->next = buffer->views;
    buffer->views = view;
    return view->handle;
}

void gv_vk_buffer_views_free(struct gv_runtime *rt, struct gv_vk_buffer *buffer)
{
    while (buffer->views) {
        struct gv_vk_buffer_view *view = buffer->views;
        buffer->views = view->next;
        gv_table_remove(&rt->views->buffers, &view->entry);
        vkDestroyBufferView(rt->device->handle, view->handle, NULL);
        gv_vk_object_free(rt->heaps, view, COST);
    }
}

void gv_vk_views_finish(struct gv_vk_views *views)
{
    gv_table_finish(&views->images);
    gv_table_finish(&views->buffers);
}
