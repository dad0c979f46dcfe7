// Vulkan objects that cross the border to who embeds the runtime, without Vulkan's
// headers.
#ifndef GV_HOST_VULKAN_H
#define GV_HOST_VULKAN_H

#include <stdbool.h>
#include <stdint.h>

// A device that somebody else has made; nothing of it is destroyed here. Everything
// that a runtime does with the queue it does in the thread that calls it.
struct gv_runtime_vulkan {
    void *instance, *physical, *device, *queue; // as Vulkan's handles of these names
    uint32_t queue_family;                      // of `queue`: graphics and compute
    const void *device_info; // the VkDeviceCreateInfo: what is enabled; read at once
    // PFN_vkGetInstanceProcAddr; NULL: libvulkan's. A process has one loader.
    void (*(*entry)(void *instance, const char *name))(void);
};

// The frame's picture on the device, for who shares it (`vulkan`).
struct gv_runtime_image {
    uint64_t image;  // VkImage, 2D, one mip and layer, in SHADER_READ_ONLY_OPTIMAL
    uint32_t format; // VkFormat
    uint32_t width, height; // 0: the frame has none
    bool flipped;           // its rows are bottom to top
    bool opaque;            // its alpha is to be taken for 1
    uint64_t semaphore;     // a timeline VkSemaphore, which has ...
    uint64_t value;         // ... this value once the image is complete
};

#endif
