// A small capture: an instance, a fill of memory, a present.
#ifndef GFXR_SMALL_H
#define GFXR_SMALL_H

#include "tests/gfxrfile/gfxr_writer.h"

#define GFXR_SMALL_FILL 4096u // bytes

// `minor` 1: with a mark of the frame's end. The fill is block 3.
void gfxr_write_small(struct gfxr_writer *w, enum gfxr_codec codec, uint32_t minor);

#endif
