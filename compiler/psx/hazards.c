#include "compiler/psx/hazards.h"

#include <string.h>

bool gv_psx_rect_empty(const struct gv_psx_rect *r)
{
    return r->x1 < r->x0 || r->y1 < r->y0;
}

bool gv_psx_rects_meet(const struct gv_psx_rect *a, const struct gv_psx_rect *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

struct gv_psx_rect gv_psx_rect_join(const struct gv_psx_rect *a,
                                    const struct gv_psx_rect *b)
{
    if (gv_psx_rect_empty(a))
        return *b;
    if (gv_psx_rect_empty(b))
        return *a;
    return (struct gv_psx_rect){ gv_psx_least(a->x0, b->x0), gv_psx_least(a->y0, b->y0),
                                 gv_psx_most(a->x1, b->x1), gv_psx_most(a->y1, b->y1) };
}

struct gv_psx_area gv_psx_area_wrapped(const struct gv_psx_place *place, uint32_t rows)
{
    uint32_t x = place->x, y = place->y, w = place->w, h = place->h;
    struct gv_psx_area area = { .count = 0 };
    uint32_t first_w = w < 1024 - x ? w : 1024 - x;
    uint32_t first_h = h < rows - y ? h : rows - y;
    const uint32_t columns[2][2] = { { x, first_w }, { 0, w - first_w } };
    const uint32_t lines[2][2] = { { y, first_h }, { 0, h - first_h } };
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            if (columns[i][1] && lines[j][1])
                area.rects[area.count++] = (struct gv_psx_rect){
                    (int32_t)columns[i][0],
                    (int32_t)lines[j][0],
                    (int32_t)(columns[i][0] + columns[i][1]) - 1,
                    (int32_t)(lines[j][0] + lines[j][1]) - 1,
                };
    return area;
}

// Texels [*low, *high] of one axis as the window leaves them. A range that leaves
// 0..255 wraps, so it is taken whole.
static void window_range(int32_t *low, int32_t *high, uint8_t and_mask, uint8_t or_bits)
{
    if (*low < 0 || *high > 255) {
        *low = 0;
        *high = 255;
    }
    if (and_mask != 255) {
        *low = or_bits;
        *high = and_mask | or_bits;
    }
}

struct gv_psx_area gv_psx_sampled_area(const struct gv_psx_draw *d, uint32_t rows,
                                       struct gv_psx_rect uv)
{
    window_range(&uv.x0, &uv.x1, d->window_and_u, d->window_or_u);
    window_range(&uv.y0, &uv.y1, d->window_and_v, d->window_or_v);
    uint32_t shift = 2u - d->depth; // texels of a cell, as a power of two
    uint32_t x0 = d->page_x + ((uint32_t)uv.x0 >> shift);
    uint32_t x1 = d->page_x + ((uint32_t)uv.x1 >> shift);
    uint32_t y0 = d->page_y + (uint32_t)uv.y0;
    const struct gv_psx_place place = { x0 & 1023, y0 & (rows - 1), x1 - x0 + 1,
                                        (uint32_t)(uv.y1 - uv.y0) + 1 };
    return gv_psx_area_wrapped(&place, rows);
}

bool gv_psx_areas_meet(const struct gv_psx_area *a, const struct gv_psx_area *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            if (gv_psx_rects_meet(&a->rects[i], &b->rects[j]))
                return true;
    return false;
}

void gv_psx_blocks_clear(struct gv_psx_blocks *b)
{
    memset(b, 0, sizeof *b);
}

// The column bits of a rectangle.
static uint32_t columns_of(const struct gv_psx_rect *r)
{
    uint32_t first = (uint32_t)r->x0 / PSX_BLOCK, last = (uint32_t)r->x1 / PSX_BLOCK;
    return UINT32_MAX << first & UINT32_MAX >> (31 - last);
}

void gv_psx_blocks_add(struct gv_psx_blocks *b, const struct gv_psx_area *area)
{
    for (uint32_t i = 0; i < area->count; i++) {
        const struct gv_psx_rect *r = &area->rects[i];
        uint32_t columns = columns_of(r);
        for (int32_t y = r->y0 / GV_PSX_BLOCK; y <= r->y1 / GV_PSX_BLOCK; y++)
            b->rows[y] |= columns;
    }
}

bool gv_psx_blocks_meet(const struct gv_psx_blocks *b, const struct gv_psx_area *area)
{
    for (uint32_t i = 0; i < area->count; i++) {
        const struct gv_psx_rect *r = &area->rects[i];
        uint32_t columns = columns_of(r);
        for (int32_t y = r->y0 / GV_PSX_BLOCK; y <= r->y1 / GV_PSX_BLOCK; y++)
            if (b->rows[y] & columns)
                return true;
    }
    return false;
}

void gv_psx_blocks_list(const struct gv_psx_blocks *b, struct gv_bytes *out)
{
    for (uint32_t y = 0; y < 1024 / PSX_BLOCK; y++)
        for (uint32_t x = 0; x < 32; x++)
            if (b->rows[y] >> x & 1)
                gv_bytes_u32(out, x | y << 16);
}

uint32_t gv_psx_blocks_count(const struct gv_psx_blocks *b)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < 1024 / PSX_BLOCK; y++)
        for (uint32_t bits = b->rows[y]; bits; bits &= bits - 1)
            count++;
    return count;
}
