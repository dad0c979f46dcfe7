// Rows of a PNG once they are unpacked: filters, interlacing, colour types, to pixels.
#ifndef GV_PNG_ROWS_H
#define GV_PNG_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GV_PNG_GREY = 0,
    GV_PNG_RGB = 2,
    GV_PNG_PALETTE = 3,
    GV_PNG_GREY_ALPHA = 4,
    GV_PNG_RGBA = 6
};

struct gv_png_form {
    uint32_t width, height;
    uint8_t bits, color; // of a sample; GV_PNG_*
    bool interlaced;
    bool keyed;      // one colour is transparent:
    uint16_t key[3]; // this one
    uint32_t palette_count;
    uint8_t palette[256][4]; // RGBA
};

// Whether PNG has this colour type with this many bits.
bool gv_png_form_known(const struct gv_png_form *form);

// Bytes of all rows with their filters. Sizes of 32 bits cannot make it wrap.
uint64_t gv_png_rows_bytes(const struct gv_png_form *form);

// Undoes the filters in `rows`, and fills `rgba[height][width][4]`. At most 8 bits.
// False: a filter that PNG does not know, a colour that the palette lacks.
bool gv_png_rows_read(const struct gv_png_form *form, uint8_t *rows, uint8_t *rgba);

#endif
