#include "runtime/vk/device/result.h"

const char *gv_vk_result_name(VkResult result)
{
#define GV_NAME(name) \
    case name:        \
        return #name;
    switch ((int)result) {
        GV_NAME(VK_SUCCESS)
        GV_NAME(VK_NOT_READY)
        GV_NAME(VK_TIMEOUT)
        GV_NAME(VK_INCOMPLETE)
        GV_NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
        GV_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY)
        GV_NAME(VK_ERROR_INITIALIZATION_FAILED)
        GV_NAME(VK_ERROR_DEVICE_LOST)
        GV_NAME(VK_ERROR_MEMORY_MAP_FAILED)
        GV_NAME(VK_ERROR_LAYER_NOT_PRESENT)
        GV_NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
        GV_NAME(VK_ERROR_FEATURE_NOT_PRESENT)
        GV_NAME(VK_ERROR_INCOMPATIBLE_DRIVER)
        GV_NAME(VK_ERROR_TOO_MANY_OBJECTS)
        GV_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED)
        GV_NAME(VK_ERROR_FRAGMENTED_POOL)
        GV_NAME(VK_ERROR_UNKNOWN)
        GV_NAME(VK_ERROR_OUT_OF_POOL_MEMORY)
        GV_NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE)
        GV_NAME(VK_ERROR_FRAGMENTATION)
    }
#undef GV_NAME
    return "unknown VkResult";
}

static enum gv_status status_of(VkResult result)
{
    switch ((int)result) {
    case VK_ERROR_DEVICE_LOST:
    case VK_TIMEOUT:
        return GV_ERR_LOST;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        return GV_ERR_LIMIT;
    }
    return GV_ERR_DEVICE;
}

bool gv_vk_ok(VkResult result, const char *call, struct gv_error *err)
{
    if (result == VK_SUCCESS)
        return true;
    return gv_fail(err, status_of(result), GV_NO_OFFSET, "%s: %s (%d)", call,
                   gv_vk_result_name(result), (int)result);
}
