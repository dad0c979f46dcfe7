// Random programs with dependencies of every kind, for the slicer: text of a payload.
#ifndef GV_SLICE_PROGRAM_H
#define GV_SLICE_PROGRAM_H

#include "resources/base/bytes.h"

#define SLICE_PROGRAM_FRAMES 6

// Set `state`, and `bytes` if these are to decide first.
struct slice_program {
    uint64_t state;
    const uint8_t *bytes; // borrowed
    size_t left;          // of them
    struct gv_bytes text; // owned
    bool mapped;
    uint32_t labels, ranges;
};

// What decides: a number below `below`.
uint32_t slice_program_roll(struct slice_program *program, uint32_t below);

void slice_program_write(struct slice_program *program);
void slice_program_finish(struct slice_program *program);

#endif
