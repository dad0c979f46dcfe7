#include "tests/gfxrfile/gfxr_long.h"

#include "compiler/vulkan/api/vk_table.h"
#include "tests/gfxrfile/gfxr_calls.h"

#include <stdlib.h>

enum { QUEUE = 1, MEMORY, BUFFER, SWAPCHAIN, IMAGE };
#define ID(type, number) ((type)(uintptr_t)(number))
#define FIRST_ID 0x11000u
#define FILL_MEMORY 0x10002u
#define WIDTH 16u
#define CHANGED 4096u // bytes between two that change

static void put(struct gfxr_writer *w, enum gv_vk_function function, const void *args)
{
    uint32_t id = FIRST_ID;
    while (!gv_vk_find_id(id) || gv_vk_find_id(id)->function != (uint32_t)function)
        id++;
    struct gv_bytes parameters = { 0 };
    const struct gv_vk_call call = { .function = function, .args = args };
    gfxr_encode_call(&parameters, &call);
    gfxr_put_call(w, id, &parameters);
    gv_bytes_finish(&parameters);
}

#define CALL(w, name, ...) \
    put((w), GV_VK_##name, &(const struct gv_vk_args_##name){ __VA_ARGS__ })

static void put_swapchain(struct gfxr_writer *w)
{
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .minImageCount = 1,
        .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
        .imageExtent = { WIDTH, WIDTH },
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
    };
    VkSwapchainKHR swapchain = ID(VkSwapchainKHR, SWAPCHAIN);
    VkImage image = ID(VkImage, IMAGE);
    uint32_t one = 1;
    CALL(w, vkCreateSwapchainKHR, .pCreateInfo = &info, .pSwapchain = &swapchain);
    CALL(w, vkGetSwapchainImagesKHR, .swapchain = swapchain,
         .pSwapchainImageCount = &one, .pSwapchainImages = &image);
}

static void put_memory(struct gfxr_writer *w)
{
    const VkMemoryAllocateInfo allocate = { .sType =
                                                VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                            .allocationSize = GFXR_LONG_BUFFER };
    const VkBufferCreateInfo create = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                        .size = GFXR_LONG_BUFFER,
                                        .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT };
    VkDeviceMemory memory = ID(VkDeviceMemory, MEMORY);
    VkBuffer buffer = ID(VkBuffer, BUFFER);
    void *mapped = NULL;
    CALL(w, vkAllocateMemory, .pAllocateInfo = &allocate, .pMemory = &memory);
    CALL(w, vkCreateBuffer, .pCreateInfo = &create, .pBuffer = &buffer);
    CALL(w, vkBindBufferMemory, .buffer = buffer, .memory = memory);
    CALL(w, vkMapMemory, .memory = memory, .size = VK_WHOLE_SIZE, .ppData = &mapped);
}

static void put_frame(struct gfxr_writer *w, const uint8_t *bytes)
{
    struct gv_bytes head = { 0 };
    VkSwapchainKHR swapchain = ID(VkSwapchainKHR, SWAPCHAIN);
    const uint32_t image = 0;
    const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .swapchainCount = 1,
                                    .pSwapchains = &swapchain,
                                    .pImageIndices = &image };
    gv_bytes_u64(&head, MEMORY);
    gv_bytes_u64(&head, 0);
    gv_bytes_u64(&head, GFXR_LONG_BUFFER);
    gfxr_put_meta(w, FILL_MEMORY, &head, bytes, GFXR_LONG_BUFFER);
    gv_bytes_finish(&head);
    CALL(w, vkQueueSubmit, .submitCount = 0);
    CALL(w, vkQueuePresentKHR, .pPresentInfo = &info);
}

static bool flush(struct gfxr_writer *w, FILE *file)
{
    const size_t size = w->out.size;
    w->out.size = 0;
    return fwrite(w->out.data, 1, size, file) == size;
}

bool gfxr_write_long(FILE *file, enum gfxr_codec codec, unsigned frames)
{
    struct gfxr_writer w;
    uint8_t *bytes = calloc(1, GFXR_LONG_BUFFER);
    gfxr_begin(&w, codec, 0);
    put_swapchain(&w);
    put_memory(&w);
    bool ok = bytes && flush(&w, file);
    for (unsigned frame = 0; ok && frame < frames; frame++) {
        bytes[frame * CHANGED % GFXR_LONG_BUFFER] = (uint8_t)(frame + 1);
        put_frame(&w, bytes);
        ok = flush(&w, file);
    }
    free(bytes);
    gfxr_finish(&w);
    return ok;
}
