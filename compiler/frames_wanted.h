// How much of a capture a compile of some frames reads.
#ifndef GV_FRAMES_WANTED_H
#define GV_FRAMES_WANTED_H

#include "compiler/compiler.h"

// Whether what follows the first `frames` frames is read: nothing behind the last frame
// that is wanted is.
bool gv_frames_wanted(const struct gv_compile_params *params, uint64_t frames);

#endif
