#include "runtime/vk/device/validation.h"

#include "runtime/vk/device/result.h"

static VKAPI_ATTR VkBool32 VKAPI_CALL
on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
           VkDebugUtilsMessageTypeFlagsEXT types,
           const VkDebugUtilsMessengerCallbackDataEXT *data, void *context)
{
    (void)severity;
    // Loader chatter about other drivers is of type GENERAL alone.
    if (!(types & (VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                   VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)))
        return VK_FALSE;
    struct gv_vk_device *device = context;
    device->validation_messages++;
    gv_log(device->log, GV_LOG_WARNING, "validation: %s",
           data->pMessage ? data->pMessage : "(no text)");
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT gv_vk_messenger_info(struct gv_vk_device *device)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = device,
    };
}

bool gv_vk_messenger_create(struct gv_vk_device *device, struct gv_error *err)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = gv_vk_messenger_info(device);
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
            device->instance, "vkCreateDebugUtilsMessengerEXT");
    VkResult result = create ? create(device->instance, &info, NULL, &device->messenger)
                             : VK_ERROR_EXTENSION_NOT_PRESENT;
    return gv_vk_ok(result, "vkCreateDebugUtilsMessengerEXT", err);
}

void gv_vk_messenger_destroy(struct gv_vk_device *device)
{
    // volk's own pointer is another instance's, which may lack the extension.
    PFN_vkDestroyDebugUtilsMessengerEXT destroy = NULL;
    if (device->messenger)
        destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
            device->instance, "vkDestroyDebugUtilsMessengerEXT");
    if (destroy)
        destroy(device->instance, device->messenger, NULL);
    device->messenger = VK_NULL_HANDLE;
}
