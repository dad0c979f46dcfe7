// One step of a streaming decompressor: what goes in, what comes out, how it ended.
#ifndef GV_STEP_H
#define GV_STEP_H

#include <stddef.h>
#include <stdint.h>

enum gv_step {
    GV_STEP_MORE,    // goes on; nothing taken and nothing made: the input ended early
    GV_STEP_ENDED,   // the stream, frame or member is complete
    GV_STEP_DAMAGED, // the bytes break their format
    GV_STEP_MEMORY,  // memory ran out
};

// Both sides are advanced by what was taken and made.
struct gv_step_io {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
};

#endif
