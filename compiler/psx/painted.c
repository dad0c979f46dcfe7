#include "compiler/psx/painted.h"

#include <string.h>

#define LEAST_CELLS 512 // of a band: fewer are not worth their bytes

// ---- cells ----

static void paint_row(struct gv_psx_painted *p, int32_t y, int32_t x0, int32_t x1)
{
    for (int32_t word = x0 / 64; word <= x1 / 64 && x0 <= x1; word++) {
        uint64_t bits = UINT64_MAX;
        if (word == x0 / 64)
            bits &= UINT64_MAX << x0 % 64;
        if (word == x1 / 64)
            bits &= UINT64_MAX >> (63 - x1 % 64);
        p->rows[y][word] |= bits;
    }
}

static bool is_walked(const struct gv_psx_setup *s, int32_t row)
{
    return (row >= s->top_begin && row < s->top_end) ||
           (row >= s->bottom_begin && row < s->bottom_end);
}

static void paint_triangle_row(struct gv_psx_painted *p,
                               const struct gv_psx_rect *writes,
                               const struct gv_psx_paint *paint, int32_t y)
{
    int32_t left, right, row = y - paint->shift;
    if (!is_walked(paint->rows, row))
        return;
    gv_psx_triangle_row(paint->rows, row, &left, &right);
    left = gv_psx_most(left, writes->x0);
    right = gv_psx_least(right - 1, writes->x1);
    if (left <= right)
        paint_row(p, y, left, right);
}

void gv_psx_painted_add(struct gv_psx_painted *p, const struct gv_psx_rect *writes,
                        const struct gv_psx_paint *paint)
{
    if (!paint->sure)
        return;
    p->bounds = p->some ? gv_psx_rect_join(&p->bounds, writes) : *writes;
    p->some = true;
    for (int32_t y = writes->y0; y <= writes->y1; y++) {
        if ((y & 1) == paint->skip_parity)
            continue;
        if (paint->rows)
            paint_triangle_row(p, writes, paint, y);
        else
            paint_row(p, y, writes->x0, writes->x1);
    }
}

void gv_psx_painted_clear(struct gv_psx_painted *p)
{
    if (p->some)
        memset(p->rows[p->bounds.y0], 0,
               (size_t)(p->bounds.y1 - p->bounds.y0 + 1) * sizeof p->rows[0]);
    p->some = false;
}

// ---- bands ----

// Cells [begin, end) of a row.
struct run {
    int32_t begin, end;
};

// From column `x` on the first one below `end` whose bit is `bit`; else `end`.
static int32_t next_column(const uint64_t *row, int32_t x, int32_t end, bool bit)
{
    while (x < end) {
        const uint64_t word = (bit ? row[x / 64] : ~row[x / 64]) >> x % 64;
        if (word)
            return gv_psx_least(x + __builtin_ctzll(word), end);
        x = (x / 64 + 1) * 64;
    }
    return end;
}

static struct run longest_run(const uint64_t *row, int32_t begin, int32_t end)
{
    struct run best = { 0, 0 };
    for (int32_t x = next_column(row, begin, end, true); x < end;) {
        const struct run r = { x, next_column(row, x, end, false) };
        if (r.end - r.begin > best.end - best.begin)
            best = r;
        x = next_column(row, r.end, end, true);
    }
    return best;
}

// What both have, if they are so alike that a row more makes a larger band.
static bool narrow(struct run *band, const struct run *row, int32_t rows)
{
    const struct run both = { gv_psx_most(band->begin, row->begin),
                              gv_psx_least(band->end, row->end) };
    if ((both.end - both.begin) * (rows + 1) <= (band->end - band->begin) * rows)
        return false;
    *band = both;
    return true;
}

static int32_t cells_of(const struct gv_psx_band *b)
{
    return (b->rect.x1 - b->rect.x0 + 1) *
           ((b->rect.y1 - b->rect.y0) / (int32_t)b->step + 1);
}

// The band that begins with row `y`, of each row or of every other; `runs` are those of
// the rows up to `end`.
static struct gv_psx_band band_at(const struct run *runs, int32_t y, int32_t end,
                                  int32_t step)
{
    struct run band = runs[y];
    int32_t rows = 1, last = y;
    for (; last + step < end; last += step, rows++)
        if (!narrow(&band, &runs[last + step], rows))
            break;
    return (struct gv_psx_band){ { band.begin, y, band.end - 1, last },
                                 (uint32_t)step };
}

// Adds it, in place of the smallest where there is no room.
static uint32_t add_band(struct gv_psx_band *bands, uint32_t count,
                         const struct gv_psx_band *band)
{
    uint32_t least = 0;
    if (cells_of(band) < LEAST_CELLS)
        return count;
    if (count < GV_PSX_BANDS) {
        bands[count] = *band;
        return count + 1;
    }
    for (uint32_t i = 1; i < count; i++)
        least = cells_of(&bands[i]) < cells_of(&bands[least]) ? i : least;
    if (cells_of(&bands[least]) < cells_of(band))
        bands[least] = *band;
    return count;
}

uint32_t gv_psx_painted_bands(const struct gv_psx_painted *p,
                              struct gv_psx_band bands[GV_PSX_BANDS])
{
    struct run runs[1024];
    uint32_t count = 0;
    if (!p->some)
        return 0;
    const int32_t end = p->bounds.y1 + 1;
    for (int32_t y = p->bounds.y0; y < end; y++)
        runs[y] = longest_run(p->rows[y], p->bounds.x0, p->bounds.x1 + 1);
    for (int32_t y = p->bounds.y0; y < end;) {
        struct gv_psx_band band = band_at(runs, y, end, 1);
        const struct gv_psx_band other = band_at(runs, y, end, 2);
        if (cells_of(&other) > cells_of(&band))
            band = other;
        count = add_band(bands, count, &band);
        y = band.rect.y1 + 1;
    }
    return count;
}
