// What kind of command a call of Vulkan is: what SETs select by and dumps hide.
#ifndef GV_GFXR_KINDS_H
#define GV_GFXR_KINDS_H

#include "compiler/vulkan/api/vk_call.h"

// GV_COMMAND_* and GV_CAPTURE_*. Draws are those that record one.
uint8_t gv_gfxr_kinds(enum gv_vk_function function);
// Whether it only asks: it gives no object and changes nothing.
bool gv_gfxr_only_asks(enum gv_vk_function function);

#endif
