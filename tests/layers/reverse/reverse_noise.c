// Noise in images whose contents are given up.
#include "tests/layers/reverse/reverse.h"

#include <stdlib.h>

struct gv_reverse_image {
    VkImage handle;
    struct gv_reverse_image *later;
};

// Depth and colour formats of Vulkan 1.0; the compressed ones come behind.
static bool can_clear(const VkImageCreateInfo *info)
{
    return info->format <= VK_FORMAT_D32_SFLOAT_S8_UINT &&
           info->usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT;
}

VkResult gv_reverse_create_image(VkDevice device, const VkImageCreateInfo *info,
                                 const VkAllocationCallbacks *a, VkImage *image)
{
    struct gv_reverse_device *d = gv_reverse_device_of(device);
    VkResult result = d->next.CreateImage(device, info, a, image);
    struct gv_reverse_image *noted = calloc(1, sizeof *noted);
    if (!noted)
        gv_reverse_give_up("out of memory");
    if (result != VK_SUCCESS || !can_clear(info)) {
        free(noted);
        return result;
    }
    noted->handle = *image;
    noted->later = d->images;
    d->images = noted;
    return result;
}

void gv_reverse_destroy_image(VkDevice device, VkImage image,
                              const VkAllocationCallbacks *a)
{
    struct gv_reverse_device *d = gv_reverse_device_of(device);
    struct gv_reverse_image **at = &d->images;
    while (*at && (*at)->handle != image)
        at = &(*at)->later;
    if (*at) {
        struct gv_reverse_image *noted = *at;
        *at = noted->later;
        free(noted);
    }
    d->next.DestroyImage(device, image, a);
}

void gv_reverse_forget_images(struct gv_reverse_device *device)
{
    while (device->images) {
        struct gv_reverse_image *image = device->images;
        device->images = image->later;
        free(image);
    }
}

bool gv_reverse_can_noise(const struct gv_reverse_device *device,
                          const VkImageMemoryBarrier2 *barrier)
{
    const struct gv_reverse_image *image = device->images;
    while (image && image->handle != barrier->image)
        image = image->later;
    return image &&
           (device->noise_all || barrier->oldLayout == VK_IMAGE_LAYOUT_UNDEFINED) &&
           barrier->newLayout != VK_IMAGE_LAYOUT_UNDEFINED;
}

void gv_reverse_noise(struct gv_reverse_buffer *buffer,
                      const VkImageMemoryBarrier2 *barrier)
{
    const struct gv_reverse_next *next = &buffer->device->next;
    const VkImageSubresourceRange *range = &barrier->subresourceRange;
    const VkClearColorValue color = { .float32 = { 0.7f, 0.2f, 0.9f, 0.4f } };
    const VkClearDepthStencilValue depth = { 0.6f, 0x5a };
    buffer->device->noised++;
    if (range->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT)
        next->CmdClearColorImage(buffer->handle, barrier->image,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                                 range);
    else
        next->CmdClearDepthStencilImage(buffer->handle, barrier->image,
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &depth, 1,
                                        range);
}
