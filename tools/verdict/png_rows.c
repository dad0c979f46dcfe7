#include "tools/verdict/png_rows.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Every `step_x`th pixel of every `step_y`th row, from (x, y) on.
struct pass {
    uint32_t x, y, step_x, step_y;
};

static const struct pass whole = { 0, 0, 1, 1 };
static const struct pass interlaced[7] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 },
                                           { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
                                           { 0, 2, 2, 4 }, { 1, 0, 2, 2 },
                                           { 0, 1, 1, 2 } };

static uint32_t channels(const struct gv_png_form *form)
{
    static const uint8_t of[7] = { 1, 0, 3, 1, 2, 0, 4 };
    return of[form->color];
}

bool gv_png_form_known(const struct gv_png_form *form)
{
    const uint32_t bits = form->bits;
    switch (form->color) {
    case GV_PNG_GREY:
        return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
    case GV_PNG_PALETTE:
        return bits == 1 || bits == 2 || bits == 4 || bits == 8;
    case GV_PNG_RGB:
    case GV_PNG_GREY_ALPHA:
    case GV_PNG_RGBA:
        return bits == 8 || bits == 16;
    default:
        return false;
    }
}

static const struct pass *pass_at(const struct gv_png_form *form, int i)
{
    if (form->interlaced)
        return i < 7 ? &interlaced[i] : NULL;
    return i < 1 ? &whole : NULL;
}

static uint32_t part(uint32_t size, uint32_t from, uint32_t step)
{
    return size > from ? (size - from - 1) / step + 1 : 0;
}

static uint64_t row_bytes(const struct gv_png_form *form, uint32_t width)
{
    return ((uint64_t)width * channels(form) * form->bits + 7) / 8;
}

uint64_t gv_png_rows_bytes(const struct gv_png_form *form)
{
    const struct pass *p;
    uint64_t bytes = 0;
    for (int i = 0; (p = pass_at(form, i)); i++) {
        const uint64_t width = part(form->width, p->x, p->step_x);
        const uint64_t height = part(form->height, p->y, p->step_y);
        if (width && height > (UINT64_MAX / 8) / (row_bytes(form, (uint32_t)width) + 1))
            return UINT64_MAX / 8;
        bytes += width ? height * (row_bytes(form, (uint32_t)width) + 1) : 0;
    }
    return bytes;
}

static uint8_t paeth(int left, int up, int corner)
{
    const int to_left = abs(up - corner), to_up = abs(left - corner);
    const int to_corner = abs(left + up - 2 * corner);
    return (uint8_t)(to_left <= to_up && to_left <= to_corner ? left
                     : to_up <= to_corner                     ? up
                                                              : corner);
}

// `step` bytes to the left is the same sample of the pixel before.
static bool undo_filter(uint8_t filter, uint8_t *row, const uint8_t *above, size_t size,
                        size_t step)
{
    if (filter > 4)
        return false;
    for (size_t i = 0; filter && i < size; i++) {
        const uint8_t left = i >= step ? row[i - step] : 0;
        const uint8_t up = above ? above[i] : 0;
        const uint8_t corner = above && i >= step ? above[i - step] : 0;
        row[i] = (uint8_t)(row[i] + (filter == 1   ? left
                                     : filter == 2 ? up
                                     : filter == 3 ? (left + up) / 2
                                                   : paeth(left, up, corner)));
    }
    return true;
}

// Sample `i` of a row, as its bits are.
static uint8_t sample(const struct gv_png_form *form, const uint8_t *row, size_t i)
{
    if (form->bits == 8)
        return row[i];
    const size_t bit = i * form->bits;
    return row[bit / 8] >> (8 - form->bits - bit % 8) & ((1 << form->bits) - 1);
}

static bool is_key(const struct gv_png_form *form, const uint8_t *s)
{
    const bool grey = form->color == GV_PNG_GREY;
    return form->keyed && s[0] == form->key[0] &&
           (grey || (s[1] == form->key[1] && s[2] == form->key[2]));
}

static bool put_pixel(const struct gv_png_form *form, const uint8_t s[4],
                      uint8_t rgba[4])
{
    if (form->color == GV_PNG_PALETTE) {
        if (s[0] >= form->palette_count)
            return false;
        memcpy(rgba, form->palette[s[0]], 4);
        return true;
    }
    const bool grey = form->color == GV_PNG_GREY || form->color == GV_PNG_GREY_ALPHA;
    const unsigned scale = 255u / ((1u << form->bits) - 1);
    for (int i = 0; i < 3; i++)
        rgba[i] = (uint8_t)(s[grey ? 0 : i] * scale);
    rgba[3] = form->color == GV_PNG_RGBA         ? s[3]
              : form->color == GV_PNG_GREY_ALPHA ? s[1]
              : is_key(form, s)                  ? 0
                                                 : 255;
    return true;
}

// Row `y` of a pass, whose samples are `row`.
static bool put_row(const struct gv_png_form *form, const struct pass *p, uint32_t y,
                    const uint8_t *row, uint8_t *rgba)
{
    const uint32_t count = channels(form);
    const uint32_t width = part(form->width, p->x, p->step_x);
    uint8_t *line = rgba + (size_t)(p->y + y * p->step_y) * form->width * 4;
    for (uint32_t x = 0; x < width; x++) {
        uint8_t s[4] = { 0 };
        for (uint32_t i = 0; i < count; i++)
            s[i] = sample(form, row, (size_t)x * count + i);
        if (!put_pixel(form, s, line + (size_t)4 * (p->x + x * p->step_x)))
            return false;
    }
    return true;
}

bool gv_png_rows_read(const struct gv_png_form *form, uint8_t *rows, uint8_t *rgba)
{
    const struct pass *p;
    const uint32_t pixel_bits = channels(form) * form->bits;
    const size_t step = pixel_bits < 8 ? 1 : pixel_bits / 8;
    for (int i = 0; (p = pass_at(form, i)); i++) {
        const uint32_t width = part(form->width, p->x, p->step_x);
        const uint32_t height = width ? part(form->height, p->y, p->step_y) : 0;
        const size_t size = (size_t)row_bytes(form, width);
        const uint8_t *above = NULL;
        for (uint32_t y = 0; y < height; y++, rows += size + 1) {
            if (!undo_filter(rows[0], rows + 1, above, size, step) ||
                !put_row(form, p, y, rows + 1, rgba))
                return false;
            above = rows + 1;
        }
    }
    return true;
}
