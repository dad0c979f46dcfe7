// The pictures that were shown or made last: stepping back a few frames is at once.
#ifndef GV_WINDOW_RECENT_H
#define GV_WINDOW_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/window/window_layout.h"

struct gv_window_picture {
    uint64_t frame, command;
    uint64_t stalls;        // of all fetches up to it
    uint32_t width, height; // 0: the frame has no picture
    uint32_t millihz;       // of its source; 0: not known
    struct gv_aspect aspect;
    uint8_t *rgba; // owned by the list
};

#define GV_RECENT_MOST 128          // pictures
#define GV_RECENT_BYTES (256 << 20) // of all together, but for GV_RECENT_LEAST
#define GV_RECENT_LEAST 8           // pictures are kept, however large

struct gv_recent {
    struct gv_window_picture items[GV_RECENT_MOST]; // from the oldest on
    size_t count, bytes;
};

// Copies the rows of `picture`; the same frame's picture of before is replaced, and the
// oldest ones make room. False: no memory.
bool gv_recent_add(struct gv_recent *r, const struct gv_window_picture *picture);
// NULL: it is not there. Valid until the next gv_recent_add.
const struct gv_window_picture *gv_recent_find(const struct gv_recent *r,
                                               uint64_t frame);
void gv_recent_clear(struct gv_recent *r);

#endif
