// GP0 and GP1 words as text a person can read.
#ifndef GV_PSX_COMMAND_TEXT_H
#define GV_PSX_COMMAND_TEXT_H

#include "compiler/psx/gpu.h"

// Appends what the command does: `words` are those of its that have arrived, the
// command word first. Positions are as written, without the drawing offset.
void gv_psx_command_text(const uint32_t words[GV_PSX_COMMAND_WORDS], uint32_t count,
                         struct gv_bytes *out);

// Appends what a GP1 word does.
void gv_psx_control_text(uint32_t word, struct gv_bytes *out);

#endif
