#include "compiler/vulkan/vulkan_kinds.h"

#include "vm/capture_kinds.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

uint8_t gv_vulkan_kinds(enum gv_vk_function function)
{
    const char *name = gv_vk_function_name(function);
    if (function == GV_VK_vkQueuePresentKHR)
        return GV_COMMAND_FRAME | GV_COMMAND_TARGET;
    if (begins(name, "vkQueueSubmit"))
        return GV_CAPTURE_SUBMIT;
    if (begins(name, "vkCmdDraw"))
        return GV_COMMAND_DRAW;
    return begins(name, "vkCmdBeginRender") || begins(name, "vkCmdNextSubpass")
               ? GV_COMMAND_TARGET
               : 0;
}

bool gv_vulkan_only_asks(enum gv_vk_function function)
{
    const char *name = gv_vk_function_name(function);
    switch ((int)function) {
    case GV_VK_vkEnumeratePhysicalDevices: // these give objects
    case GV_VK_vkEnumeratePhysicalDeviceGroups:
    case GV_VK_vkGetDeviceQueue:
    case GV_VK_vkGetDeviceQueue2:
    case GV_VK_vkGetSwapchainImagesKHR:
        return false;
    default:
        return begins(name, "vkGet") || begins(name, "vkEnumerate");
    }
}
