// VkResult as an error.
#ifndef GV_VK_RESULT_H
#define GV_VK_RESULT_H

#include "resources/base/error.h"

#include <volk.h>

// The result in Vulkan's spelling.
const char *gv_vk_result_name(VkResult result);

// True for VK_SUCCESS; else fails naming the native call: GV_ERR_LOST for a lost
// device, GV_ERR_LIMIT for lack of memory, GV_ERR_DEVICE for all else.
bool gv_vk_ok(VkResult result, const char *call, struct gv_error *err);

#endif
