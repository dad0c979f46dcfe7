// A plain C rasteriser of the PlayStation GPU over a VRAM array: what every other
// implementation here is compared with. It shares the parser and the integer set-up
// with the compiler and nothing else.
#ifndef GV_PSX_ORACLE_H
#define GV_PSX_ORACLE_H

#include "compiler/psx/gpu.h"

struct gv_psx_oracle {
    uint16_t vram[1024 * 1024]; // [rows][1024]; rows beyond the machine's stay zero
    uint32_t y_mask;
    uint16_t clut[256];
    struct gv_bytes readback; // owned: kept words, little-endian
    uint32_t last_read;       // word
    uint64_t pixels;          // written
    const struct gv_psx_gpu *gpu;
};

// A sink that draws into `oracle`. `oracle->gpu` must be set before the first word.
struct gv_psx_sink gv_psx_oracle_sink(struct gv_psx_oracle *oracle);

// The display area as packed RGB8, row 0 at the top; appends width * height * 3 bytes.
void gv_psx_oracle_display(const struct gv_psx_oracle *oracle,
                           const struct gv_psx_display *display, struct gv_bytes *rgb);

#endif
