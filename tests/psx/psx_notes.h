// A sink that writes down what the PlayStation GPU does, one word for each event: for
// tests and fuzz targets that compare what two streams of words make it do.
#ifndef GV_PSX_NOTES_H
#define GV_PSX_NOTES_H

#include "compiler/psx/gpu.h"

struct gv_psx_notes {
    struct gv_bytes text; // owned; words separated by spaces, no NUL
    bool full;            // all draw state, colours and uploaded cells
};

// T triangle, L line, R rectangle, K palette, F fill, C copy, U upload, READ, DROP,
// =WORD/BITS latch; the forms are in the functions.
struct gv_psx_sink gv_psx_notes_sink(struct gv_psx_notes *notes);

// What GPUSTAT reads: nothing that is drawn depends on it, but it shows registers.
uint32_t gv_psx_gpustat(const struct gv_psx_gpu *gpu);

#endif
