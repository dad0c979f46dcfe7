// A Vulkan device that does nothing: it has every feature and format, no bounds that a
// real one passes, and no contents. What the runtime refuses on it no device is to
// blame for.
#ifndef GV_NULL_DEVICE_H
#define GV_NULL_DEVICE_H

#include <volk.h>

// Its functions, for gv_vk_loader_open. Handles are made by one thread at a time.
PFN_vkVoidFunction VKAPI_CALL gv_null_entry(VkInstance instance, const char *name);

#endif
