#include "tools/inspect/vram_picture.h"

#include <stdlib.h>
#include <string.h>

#define ROW_BYTES ((size_t)GV_VRAM_CELLS * 2)

bool gv_vram_pick(const struct gv_pick *pick, struct gv_bytes *vram,
                  struct gv_error *err)
{
    const uint64_t rows = vram->size / ROW_BYTES;
    const size_t size = (size_t)pick->width * 2;
    if (!pick->has_box)
        return true;
    if (pick->x >= GV_VRAM_CELLS || pick->y >= rows ||
        pick->width > GV_VRAM_CELLS - pick->x || pick->height > rows - pick->y)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "VRAM has 1024x%u cells",
                       (unsigned)rows);
    for (size_t y = 0; y < pick->height; y++)
        memmove(vram->data + y * size,
                vram->data + (pick->y + y) * ROW_BYTES + pick->x * 2, size);
    vram->size = size * (size_t)pick->height;
    return true;
}

static void grey(uint8_t rgba[4], uint32_t value)
{
    rgba[0] = rgba[1] = rgba[2] = (uint8_t)value;
    rgba[3] = 255;
}

static void five(uint8_t rgba[4], uint32_t cell)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t bits = cell >> (5 * i) & 31;
        rgba[i] = (uint8_t)(bits << 3 | bits >> 2);
    }
    rgba[3] = 255;
}

// Pixel `x` of a row that begins at `from`.
static void show(uint8_t rgba[4], uint32_t bits, const uint8_t *from, uint32_t x)
{
    switch (bits) {
    case 4:
        grey(rgba, 17u * (from[x / 2] >> (4 * (x % 2)) & 15));
        break;
    case 8:
        grey(rgba, from[x]);
        break;
    case 24:
        memcpy(rgba, from + (size_t)3 * x, 3);
        rgba[3] = 255;
        break;
    default:
        five(rgba, (uint32_t)(from[(size_t)2 * x] | from[(size_t)2 * x + 1] << 8));
        break;
    }
}

bool gv_vram_show(const struct gv_pick *pick, const struct gv_bytes *cells,
                  struct gv_picture *picture, struct gv_error *err)
{
    const uint32_t bits =
        pick->type[0] == 'b' ? (uint32_t)strtoul(pick->type + 1, NULL, 10) : 15;
    const uint32_t across = pick->has_box ? (uint32_t)pick->width : GV_VRAM_CELLS;
    const uint32_t rows = across ? (uint32_t)(cells->size / 2 / across) : 0;
    const uint32_t width = across * 16 / (bits == 15 ? 16 : bits);
    if (!width || !rows)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "a pixel of %u bits needs more cells of VRAM than %ux%u", bits,
                       across, rows);
    *picture = (struct gv_picture){ width, rows, malloc((size_t)width * rows * 4) };
    if (!picture->rgba)
        return gv_out_of_memory(err);
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < width; x++)
            show(picture->rgba + ((size_t)y * width + x) * 4, bits,
                 cells->data + (size_t)y * across * 2, x);
    return true;
}
