#include "tests/gfxrfile/gfxr_small.h"

#include "tests/gfxrfile/gfxr_calls.h"

#include <string.h>

#define CREATE_INSTANCE 0x11000u
#define QUEUE_PRESENT 0x110aeu
#define FILL_MEMORY 0x10002u
#define ANNOTATION 5u
#define FRAME_MARKER 1u

static void put(struct gfxr_writer *w, uint32_t id, enum gv_vk_function function,
                const void *args)
{
    struct gv_bytes parameters = { 0 };
    const struct gv_vk_call call = { .function = function, .args = args };
    gfxr_encode_call(&parameters, &call);
    gfxr_put_call(w, id, &parameters);
    gv_bytes_finish(&parameters);
}

static void put_instance(struct gfxr_writer *w)
{
    const VkApplicationInfo application = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .pApplicationName = "small",
                                            .apiVersion = VK_API_VERSION_1_1 };
    const char *const extensions[] = { "VK_KHR_surface", "VK_KHR_xcb_surface" };
    const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                        .pApplicationInfo = &application,
                                        .enabledExtensionCount = 2,
                                        .ppEnabledExtensionNames = extensions };
    VkInstance made = (VkInstance)(uintptr_t)1;
    const struct gv_vk_args_vkCreateInstance args = { .pCreateInfo = &info,
                                                      .pInstance = &made };
    put(w, CREATE_INSTANCE, GV_VK_vkCreateInstance, &args);
}

static void put_present(struct gfxr_writer *w)
{
    const uint32_t image = 2;
    VkSwapchainKHR swapchain = (VkSwapchainKHR)(uintptr_t)8;
    const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                    .swapchainCount = 1,
                                    .pSwapchains = &swapchain,
                                    .pImageIndices = &image };
    const struct gv_vk_args_vkQueuePresentKHR args = { .queue = (VkQueue)(uintptr_t)4,
                                                       .pPresentInfo = &info };
    put(w, QUEUE_PRESENT, GV_VK_vkQueuePresentKHR, &args);
}

static void put_fill(struct gfxr_writer *w)
{
    static const uint8_t bytes[GFXR_SMALL_FILL] = { 1, 2, 3 };
    struct gv_bytes head = { 0 };
    gv_bytes_u64(&head, 13);
    gv_bytes_u64(&head, 256);
    gv_bytes_u64(&head, sizeof bytes);
    gfxr_put_meta(w, FILL_MEMORY, &head, bytes, sizeof bytes);
    gv_bytes_finish(&head);
}

void gfxr_write_small(struct gfxr_writer *w, enum gfxr_codec codec, uint32_t minor)
{
    static const char annotation[] = "\2\0\0\0\4\0\0\0\2\0\0\0\0\0\0\0tool{}";
    gfxr_begin(w, codec, minor);
    gfxr_put_block(w, ANNOTATION, annotation, sizeof annotation - 1);
    put_instance(w);
    put_fill(w);
    gfxr_put_block(w, 77, "of a newer recorder", 19);
    put_present(w);
    if (minor)
        gfxr_put_marker(w, FRAME_MARKER, 2, 1);
}
