#include "compiler/psx/known.h"

#include <string.h>

// Cells of textures that are looked at: so many for each cell drawn, and so many more.
#define LOOKED_PER_CELL 4
#define LOOKED_ANYWAY (INT64_C(1) << 18)

static bool knows(const struct gv_psx_known *k, uint32_t x, uint32_t y)
{
    return k->is_known[y][x / 64] >> x % 64 & 1;
}

// The bits of cells [x0, x1] that lie in a word of a row.
static uint64_t bits_of(int32_t word, int32_t x0, int32_t x1)
{
    uint64_t bits = UINT64_MAX;
    if (word == x0 / 64)
        bits &= UINT64_MAX << x0 % 64;
    if (word == x1 / 64)
        bits &= UINT64_MAX >> (63 - x1 % 64);
    return bits;
}

void gv_psx_known_forget(struct gv_psx_known *k, const struct gv_psx_rect *rect)
{
    const struct gv_psx_area area = { .rects = { *rect }, .count = 1 };
    if (!gv_psx_blocks_meet(&k->blocks, &area))
        return;
    gv_psx_stamp(&k->stamps, &area);
    for (int32_t y = rect->y0; y <= rect->y1; y++)
        for (int32_t word = rect->x0 / 64; word <= rect->x1 / 64; word++)
            k->is_known[y][word] &= ~bits_of(word, rect->x0, rect->x1);
}

void gv_psx_known_upload(struct gv_psx_known *k, const struct gv_psx_rect *rect,
                         const uint8_t *data)
{
    const struct gv_psx_area area = { .rects = { *rect }, .count = 1 };
    gv_psx_blocks_add(&k->blocks, &area);
    gv_psx_stamp(&k->stamps, &area);
    for (int32_t y = rect->y0; y <= rect->y1; y++) {
        for (int32_t x = rect->x0; x <= rect->x1; x++, data += 2)
            k->cells[y][x] = (uint16_t)(data[0] | data[1] << 8);
        for (int32_t word = rect->x0 / 64; word <= rect->x1 / 64; word++)
            k->is_known[y][word] |= bits_of(word, rect->x0, rect->x1);
    }
}

void gv_psx_known_palette(struct gv_psx_known *k, uint32_t x, uint32_t y,
                          uint32_t entries)
{
    memset(k->visible, 0, sizeof k->visible);
    for (uint32_t i = 0; i < entries; i++) {
        const uint32_t column = (x + i) & 1023;
        if (knows(k, column, y) && k->cells[y][column])
            k->visible[i / 64] |= UINT64_C(1) << i % 64;
    }
}

// ---- textures ----

// Whether every entry is: then it does not matter which ones texels name.
static bool all_visible(const struct gv_psx_known *k, uint32_t depth)
{
    if (depth == 0)
        return (k->visible[0] & 0xffff) == 0xffff;
    for (int i = 0; i < 256 / 64; i++)
        if (k->visible[i] != UINT64_MAX)
            return false;
    return true;
}

static bool row_known(const struct gv_psx_known *k, const struct gv_psx_rect *r,
                      int32_t y)
{
    for (int32_t word = r->x0 / 64; word <= r->x1 / 64; word++)
        if (bits_of(word, r->x0, r->x1) & ~k->is_known[y][word])
            return false;
    return true;
}

static bool nibbles_visible(const struct gv_psx_known *k, uint32_t cell)
{
    const uint64_t v = k->visible[0];
    return v >> (cell & 15) & v >> (cell >> 4 & 15) & v >> (cell >> 8 & 15) &
           v >> (cell >> 12) & 1;
}

static bool bytes_visible(const struct gv_psx_known *k, uint32_t cell)
{
    const uint32_t low = cell & 255, high = cell >> 8;
    return k->visible[low / 64] >> low % 64 & k->visible[high / 64] >> high % 64 & 1;
}

static bool row_opaque(const struct gv_psx_known *k, const struct gv_psx_rect *r,
                       int32_t y, uint32_t depth)
{
    bool opaque = row_known(k, r, y);
    for (int32_t x = r->x0; x <= r->x1 && opaque; x++) {
        const uint32_t cell = k->cells[y][x];
        opaque = depth == 2   ? cell != 0
                 : depth == 1 ? bytes_visible(k, cell)
                              : nibbles_visible(k, cell);
    }
    return opaque;
}

static bool rect_opaque(const struct gv_psx_known *k, const struct gv_psx_rect *r,
                        uint32_t depth)
{
    for (int32_t y = r->y0; y <= r->y1; y++)
        if (!row_opaque(k, r, y, depth))
            return false;
    return true;
}

// ---- answers ----

static struct gv_psx_known_answer *place_of(struct gv_psx_known *k,
                                            const struct gv_psx_rect *r, uint32_t depth)
{
    const uint32_t a = (uint32_t)(r->x0 | r->y0 << 10) * 4u + depth;
    const uint32_t b = (uint32_t)(r->x1 | r->y1 << 10);
    return &k->answers[(a * 2654435761u ^ b * 2246822519u) >> 24];
}

static bool still_holds(const struct gv_psx_known *k,
                        const struct gv_psx_known_answer *a,
                        const struct gv_psx_rect *r, uint32_t depth)
{
    const struct gv_psx_area area = { .rects = { *r }, .count = 1 };
    return a->when && a->depth == depth && !memcmp(&a->rect, r, sizeof *r) &&
           (depth == 2 || !memcmp(a->visible, k->visible, sizeof a->visible)) &&
           !gv_psx_stamped_since(&k->stamps, &area, a->when);
}

static int64_t cells_of(const struct gv_psx_rect *r)
{
    return (int64_t)(r->x1 - r->x0 + 1) * (r->y1 - r->y0 + 1);
}

static bool answer(struct gv_psx_known *k, const struct gv_psx_rect *r, uint32_t depth)
{
    struct gv_psx_known_answer *a = place_of(k, r, depth);
    if (still_holds(k, a, r, depth))
        return a->opaque;
    if (k->looked > LOOKED_ANYWAY + LOOKED_PER_CELL * k->drawn)
        return false;
    k->looked += cells_of(r);
    *a = (struct gv_psx_known_answer){ .rect = *r,
                                       .when = k->stamps.last,
                                       .depth = depth,
                                       .opaque = rect_opaque(k, r, depth) };
    memcpy(a->visible, k->visible, sizeof a->visible);
    return a->opaque;
}

bool gv_psx_known_opaque(struct gv_psx_known *k, const struct gv_psx_area *area,
                         uint32_t depth, const struct gv_psx_rect *drawn)
{
    k->drawn += cells_of(drawn);
    if (depth < 2 && all_visible(k, depth))
        return true;
    for (uint32_t i = 0; i < area->count; i++)
        if (!answer(k, &area->rects[i], depth))
            return false;
    return area->count > 0;
}
