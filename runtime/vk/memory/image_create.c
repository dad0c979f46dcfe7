#include "runtime/vk/memory/image_create.h"

#include "resources/base/checked.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/format_features.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/memory/kept_images.h"
#include "runtime/vk/memory/object_costs.h"
#include "runtime/vk/memory/view.h"
#include "runtime/vk/memory/zero.h"
#include "vm/formats.h"

#include <stdlib.h>

#define COST 4096 // and what is kept of subresources (object_costs.h)

static uint32_t most_mips(const struct gv_vk_image *image)
{
    uint32_t side = image->width | image->height | image->depth, mips = 0;
    for (; side; side >>= 1)
        mips++;
    return mips;
}

// What Vulkan demands of every image, whatever the device can do.
static bool check_shape(const struct gv_vk_image *image, struct gv_error *err)
{
    const char *wrong = NULL;
    bool d1 = image->type == GV_IMAGE_TYPE_1D, d3 = image->type == GV_IMAGE_TYPE_3D;
    if (!image->width || !image->height || !image->depth)
        wrong = "width, height, depth: none may be 0";
    else if (d1 && image->height != 1)
        wrong = "height: a 1D image has height 1";
    else if (!d3 && image->depth != 1)
        wrong = "depth: only 3D images have depth";
    else if (!image->mips || image->mips > most_mips(image))
        wrong = "mips: 0, or more than the size allows";
    else if (!image->layers || (d3 && image->layers != 1))
        wrong = "layers: 0, or several of a 3D image";
    else if (!image->samples || (image->samples & (image->samples - 1)) ||
             image->samples > 64)
        wrong = "samples: not a power of two up to 64";
    else if (image->samples > 1 &&
             (image->mips > 1 || image->type != GV_IMAGE_TYPE_2D ||
              (image->flags & GV_IMAGE_FLAG_CUBE_COMPATIBLE)))
        wrong = "samples: multisampled images are 2D, without mips or cubes";
    else if ((image->flags & GV_IMAGE_FLAG_CUBE_COMPATIBLE) &&
             (image->type != GV_IMAGE_TYPE_2D || image->width != image->height ||
              image->layers < 6))
        wrong = "flags: a cube is 2D, square, with 6 layers or more";
    else if ((image->flags & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE) && !d3)
        wrong = "flags: 2D_ARRAY_COMPATIBLE is for 3D images";
    else if ((uint64_t)image->mips * image->layers > GV_VK_MAX_SUBRESOURCES)
        wrong = "layers: too many mips and layers";
    return !wrong || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s", wrong);
}

static bool check_usage(const struct gv_vk_image *image, const char *format,
                        struct gv_error *err)
{
    static const struct {
        uint32_t usage;
        VkFormatFeatureFlags feature;
        const char *name;
    } rows[] = {
        { GV_IMAGE_USAGE_SAMPLED, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, "SAMPLED" },
        { GV_IMAGE_USAGE_STORAGE, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT, "STORAGE" },
        { GV_IMAGE_USAGE_COLOR_ATTACHMENT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT,
          "COLOR_ATTACHMENT" },
        { GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT,
          VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, "DEPTH_STENCIL_ATTACHMENT" },
    };
    bool depth = image->aspects != VK_IMAGE_ASPECT_COLOR_BIT;
    bool blocks = gv_format_info((uint64_t)image->format)->compressed;
    const uint32_t drawn = GV_IMAGE_USAGE_COLOR_ATTACHMENT | GV_IMAGE_USAGE_STORAGE;
    if (!image->features)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "format: the device misses format %s", format);
    if ((image->usage & GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT && !depth) ||
        (image->usage & drawn && (depth || blocks)))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "usage: 0x%x is not for images of format %s", image->usage,
                       format);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool mutable = image->flags & GV_IMAGE_FLAG_MUTABLE_FORMAT;
        if ((image->usage & rows[i].usage) && !(image->features & rows[i].feature) &&
            !mutable)
            return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                           "usage: the device misses %s of format %s", rows[i].name,
                           format);
    }
    return true;
}

static VkImageUsageFlags native_usage(const struct gv_vk_image *image)
{
    VkImageUsageFlags usage = image->usage;
    if (image->features & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT)
        usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (image->features & VK_FORMAT_FEATURE_TRANSFER_DST_BIT)
        usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return usage;
}

// The formats that views of a mutable image may have (view.c): those of its class that
// the device knows. Drivers keep images of a known list compressed. Returns how many;
// one, its own, if it is not mutable or there is no other.
static uint32_t list_formats(const struct gv_vk_device *device,
                             const struct gv_vk_image *image,
                             VkFormat formats[GV_VK_FORMAT_ROWS])
{
    const struct gv_format_info *own = gv_format_info((uint64_t)image->format);
    formats[0] = gv_vk_device_format(device, image->format);
    bool mutable = (image->flags & GV_IMAGE_FLAG_MUTABLE_FORMAT) &&
                   image->aspects == VK_IMAGE_ASPECT_COLOR_BIT &&
                   formats[0] == image->format;
    uint32_t count = 1;
    for (size_t i = 0; mutable && i < gv_format_count; i++)
        if (&gv_formats[i] != own && gv_formats[i].format_class == own->format_class &&
            gv_vk_format_features(device, (VkFormat)gv_formats[i].value))
            formats[count++] = (VkFormat)gv_formats[i].value;
    return count;
}

// EXTENDED_USAGE lets a mutable image have usages that only its views' formats support.
static VkImageCreateFlags native_flags(const struct gv_vk_image *image,
                                       uint32_t format_count)
{
    VkImageCreateFlags flags = image->flags;
    if (format_count == 1)
        return flags & ~(VkImageCreateFlags)VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    return flags | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
}

// Bytes of all texels, padding aside; UINT64_MAX where they pass that.
static uint64_t texel_bytes(const struct gv_vk_image *image)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)image->format);
    uint64_t total = 0;
    for (uint32_t mip = 0; mip < image->mips; mip++) {
        uint64_t width = gv_vk_image_mip_width(image, mip) / info->block_width + 1;
        uint64_t height = gv_vk_image_mip_height(image, mip) / info->block_height + 1;
        uint64_t count = (uint64_t)gv_vk_image_mip_depth(image, mip) * image->layers;
        uint64_t bytes;
        if (!gv_mul_u64(width * height, count, &bytes) ||
            !gv_mul_u64(bytes, (uint64_t)info->block_bytes * image->samples, &bytes) ||
            !gv_add_u64(total, bytes, &total))
            return UINT64_MAX;
    }
    return total;
}

// The same without rounding up: what a payload counts.
static uint64_t counted_bytes(const struct gv_vk_image *image)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)image->format);
    uint64_t blocks = 0;
    for (uint32_t mip = 0; mip < image->mips; mip++) {
        uint64_t width = gv_vk_image_mip_width(image, mip) + info->block_width - 1u;
        uint64_t height = gv_vk_image_mip_height(image, mip) + info->block_height - 1u;
        blocks += width / info->block_width * (height / info->block_height) *
                  gv_vk_image_mip_depth(image, mip);
    }
    return blocks * info->block_bytes * image->samples * image->layers;
}

// Shapes that a portable device need not have.
static bool check_portable(const struct gv_vk_device *device,
                           const struct gv_vk_image *image, struct gv_error *err)
{
    if ((image->flags & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE) &&
        !gv_vk_require(device, "imageView2DOn3DImage", err))
        return false;
    return image->samples == 1 || image->layers == 1 ||
           gv_vk_require(device, "multisampleArrayImage", err);
}

// Whether the device makes images of this shape.
static bool check_device(const struct gv_vk_device *device,
                         const struct gv_vk_image *image, const char *format,
                         struct gv_error *err)
{
    VkFormat formats[GV_VK_FORMAT_ROWS];
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = list_formats(device, image, formats),
        .pViewFormats = formats,
    };
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = list.viewFormatCount > 1 ? &list : NULL,
        .format = gv_vk_device_format(device, image->format),
        .type = (VkImageType)image->type,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = native_usage(image),
        .flags = native_flags(image, list.viewFormatCount),
    };
    if (!info.usage)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "usage: an image of no use");
    VkImageFormatProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    };
    VkResult result =
        vkGetPhysicalDeviceImageFormatProperties2(device->physical, &info, &properties);
    const VkImageFormatProperties *p = &properties.imageFormatProperties;
    const char *wrong = NULL;
    if (result == VK_ERROR_FORMAT_NOT_SUPPORTED)
        wrong = "this combination of type, usage and flags";
    else if (!gv_vk_ok(result, "vkGetPhysicalDeviceImageFormatProperties2", err))
        return false;
    else if (image->width > p->maxExtent.width || image->height > p->maxExtent.height ||
             image->depth > p->maxExtent.depth)
        wrong = "images of this size";
    else if (image->layers > p->maxArrayLayers || image->mips > p->maxMipLevels)
        wrong = "so many layers or mips";
    else if (!(image->samples & p->sampleCounts))
        wrong = "so many samples";
    else if (texel_bytes(image) > p->maxResourceSize)
        wrong = "so many bytes";
    return !wrong ||
           gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                   "the device misses %s, of format %s (%ux%ux%u, %u samples)", wrong,
                   format, image->width, image->height, image->depth, image->samples);
}

static VkImageLayout rest_layout(uint32_t usage)
{
    if (usage & GV_IMAGE_USAGE_STORAGE)
        return VK_IMAGE_LAYOUT_GENERAL;
    if (usage & GV_IMAGE_USAGE_SAMPLED)
        return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    if (usage & GV_IMAGE_USAGE_COLOR_ATTACHMENT)
        return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    if (usage & GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT)
        return VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    return VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
}

static bool fill_image(struct gv_runtime *rt, struct gv_vk_image *image,
                       struct gv_error *err)
{
    VkDevice device = rt->device->handle;
    VkFormat formats[GV_VK_FORMAT_ROWS];
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = list_formats(rt->device, image, formats),
        .pViewFormats = formats,
    };
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = list.viewFormatCount > 1 ? &list : NULL,
        .flags = native_flags(image, list.viewFormatCount),
        .imageType = (VkImageType)image->type,
        .format = gv_vk_device_format(rt->device, image->format),
        .extent = { image->width, image->height, image->depth },
        .mipLevels = image->mips,
        .arrayLayers = image->layers,
        .samples = (VkSampleCountFlagBits)image->samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = native_usage(image),
    };
    if (!gv_vk_ok(vkCreateImage(device, &info, NULL, &image->handle), "vkCreateImage",
                  err))
        return false;
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, image->handle, &needs);
    return gv_vk_make_room(rt, needs.size, err) &&
           gv_vk_memory_alloc(rt->heaps, &needs, GV_VK_MEMORY_DEVICE, false,
                              &image->memory, err) &&
           gv_vk_ok(vkBindImageMemory(device, image->handle, image->memory.handle,
                                      image->memory.offset),
                    "vkBindImageMemory", err);
}

static uint64_t image_cost(const struct gv_vk_image *image)
{
    return COST + (uint64_t)image->mips * image->layers * sizeof(*image->subs);
}

void gv_vk_image_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_image *image = object;
    if (!image)
        return;
    gv_vk_image_views_free(rt->views, image);
    vkDestroyImage(rt->device->handle, image->handle, NULL);
    gv_vk_memory_free(rt->heaps, &image->memory);
    free(image->subs);
    gv_vk_object_free(rt->heaps, image, image_cost(image));
}

static bool set_up(struct gv_runtime *rt, struct gv_vk_image *image,
                   struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info((uint64_t)image->format);
    if (!info)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "format: no such format");
    image->aspects = info->aspects;
    image->features = gv_vk_format_features(rt->device, image->format);
    image->rest_layout = rest_layout(image->usage);
    image->id = ++rt->heaps->next_id;
    if (!check_usage(image, info->name, err) ||
        !check_portable(rt->device, image, err) ||
        !check_device(rt->device, image, info->name, err) ||
        !gv_vk_count_bytes(rt->objects, counted_bytes(image), err))
        return false;
    image->subs = calloc((size_t)image->mips * image->layers, sizeof(*image->subs));
    if (!image->subs)
        return gv_out_of_memory(err);
    if (!gv_vk_image_take(rt, image) && !fill_image(rt, image, err))
        return false;
    for (size_t i = 0; i < (size_t)image->mips * image->layers; i++)
        image->subs[i].track.work_seen = rt->barriers->work_count;
    return true;
}

bool gv_do_image_create(struct gv_runtime *rt, const struct gv_args_image_create *a,
                        uint64_t *result_handle, struct gv_error *err)
{
    const struct gv_vk_image wanted = {
        .type = (uint32_t)a->type.u,
        .format = (VkFormat)a->format.u,
        .width = (uint32_t)a->width.u,
        .height = (uint32_t)a->height.u,
        .depth = (uint32_t)a->depth.u,
        .mips = (uint32_t)a->mips.u,
        .layers = (uint32_t)a->layers.u,
        .samples = (uint32_t)a->samples.u,
        .usage = (uint32_t)a->usage.u,
        .flags = (uint32_t)a->flags.u,
    };
    if (!check_shape(&wanted, err))
        return false;
    struct gv_vk_image *image =
        gv_vk_object_create(rt, sizeof(*image), image_cost(&wanted), 0, err);
    if (!image)
        return false;
    *image = wanted;
    image->own = rt->objects->own;
    if (!set_up(rt, image, err) ||
        !(*result_handle = gv_handles_add(&rt->handles, GV_KIND_IMAGE, image, err))) {
        gv_vk_image_free(rt, image);
        return false;
    }
    gv_vk_list_image(rt->barriers, image);
    return gv_vk_settle(rt, err);
}

bool gv_vk_image_create_own(struct gv_runtime *rt,
                            const struct gv_args_image_create *create, uint64_t *handle,
                            struct gv_error *err)
{
    const uint32_t most = rt->handles.most;
    rt->handles.most = 0;
    rt->objects->own = true;
    bool ok = gv_do_image_create(rt, create, handle, err);
    rt->objects->own = false;
    rt->handles.most = most ? most + ok : 0;
    return ok;
}

bool gv_do_image_destroy(struct gv_runtime *rt, const struct gv_args_image_destroy *a,
                         uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    const struct gv_vk_image *named =
        gv_vk_image_find(&rt->handles, a->image.u, "image", err);
    if (!named)
        return false;
    if (named->attached)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "image: it is an attachment of the current pass");
    rt->above.forget(rt, GV_KIND_IMAGE, a->image.u);
    struct gv_vk_image *image =
        gv_handles_remove(&rt->handles, GV_KIND_IMAGE, a->image.u);
    if (!image->own)
        rt->objects->bytes -= counted_bytes(image);
    else if (rt->handles.most)
        rt->handles.most--;
    gv_vk_barriers_forget_image(rt->barriers, image);
    gv_vk_commands_defer(rt, gv_vk_image_free, image);
    return true;
}
