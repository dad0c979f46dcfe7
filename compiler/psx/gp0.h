// GP0 command words to sink calls: one entry for each class of command.
#ifndef GV_PSX_GP0_H
#define GV_PSX_GP0_H

#include "compiler/psx/gpu.h"

// How many words a command has before it acts for the first time.
uint32_t gv_psx_command_words(uint32_t command);

// The name of a command ("gouraud textured triangle"), for dumps; static.
const char *gv_psx_command_name(uint32_t command);

// The draw state of a primitive whose command word is `command`.
struct gv_psx_draw gv_psx_draw_state(const struct gv_psx_gpu *gpu, uint32_t command);

#endif
