// What kind of command a call of Vulkan is: what SETs select by and dumps hide.
#ifndef GV_VULKAN_KINDS_H
#define GV_VULKAN_KINDS_H

#include "compiler/vulkan/api/vk_call.h"

// GV_COMMAND_* and GV_CAPTURE_*. Draws are those that record one.
uint8_t gv_vulkan_kinds(enum gv_vk_function function);
// Whether it only asks: it gives no object and changes nothing.
bool gv_vulkan_only_asks(enum gv_vk_function function);

#endif
