// What dispatches say they touch, against what it stands for byte by byte: covers leave
// out no cell, slots are those of the loads, rows of a fill are those that it draws.
#include "compiler/psx/psx_ranges.h"
#include "tests/test.h"

#include <string.h>

#define CLUT_BYTES (PSX_CLUT_SLOTS * PSX_CLUT_SLOT_WORDS * 4u)

static uint32_t roll(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % below;
}

static bool covered(const struct gv_psx_cover *c, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (x >= c->rects[i].x0 && x <= c->rects[i].x1 && y >= c->rects[i].y0 &&
            y <= c->rects[i].y1)
            return true;
    return false;
}

static void covers(uint64_t seed)
{
    struct gv_psx_cover c = { .count = 0 };
    struct gv_psx_rect rects[40];
    uint64_t random = seed;
    for (int i = 0; i < 40; i++) {
        int32_t x = (int32_t)roll(&random, 1000), y = (int32_t)roll(&random, 500);
        rects[i] = (struct gv_psx_rect){ x, y, x + (int32_t)roll(&random, 24),
                                         y + (int32_t)roll(&random, 12) };
        gv_psx_cover_add(&c, &rects[i]);
        CHECK(c.count <= GV_PSX_COVER);
    }
    for (int i = 0; i < 40; i++)
        CHECK(covered(&c, rects[i].x0, rects[i].y0) &&
              covered(&c, rects[i].x1, rects[i].y1));
}

// What is simple stays exact.
static void exact_covers(void)
{
    static const struct {
        const char *name;
        struct gv_psx_rect rects[4], wanted[2]; // x1 0: no more
    } rows[] = {
        { "beside", { { 0, 0, 9, 9 }, { 10, 0, 19, 9 } }, { { 0, 0, 19, 9 } } },
        { "below", { { 0, 8, 15, 8 }, { 0, 9, 15, 9 } }, { { 0, 8, 15, 9 } } },
        { "inside", { { 0, 0, 99, 99 }, { 5, 5, 6, 6 } }, { { 0, 0, 99, 99 } } },
        { "apart",
          { { 0, 0, 9, 9 }, { 90, 90, 99, 99 } },
          { { 0, 0, 9, 9 }, { 90, 90, 99, 99 } } },
        { "bridged",
          { { 0, 0, 9, 9 }, { 20, 0, 29, 9 }, { 10, 0, 19, 9 } },
          { { 0, 0, 29, 9 } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_psx_cover c = { .count = 0 };
        uint32_t wanted = 0;
        for (int k = 0; k < 4 && rows[i].rects[k].x1; k++)
            gv_psx_cover_add(&c, &rows[i].rects[k]);
        while (wanted < 2 && rows[i].wanted[wanted].x1)
            wanted++;
        CHECK_ROW(rows[i].name, c.count == wanted);
        CHECK_ROW(rows[i].name,
                  !memcmp(c.rects, rows[i].wanted, wanted * sizeof c.rects[0]));
    }
}

// Paints what ranges of one access name.
static void paint(const struct gv_psx_ranges *r, uint32_t access, uint8_t *bytes)
{
    for (size_t i = 0; i < r->count; i++)
        for (uint32_t row = 0; r->items[i].access == access && row < r->items[i].rows;
             row++)
            memset(bytes + r->items[i].offset + row * r->items[i].stride, 1,
                   r->items[i].row_bytes);
}

// `exact`: nothing is left over, either way.
static void check_slots(const struct gv_psx_slots *s, bool exact)
{
    static uint8_t loads[CLUT_BYTES], over[CLUT_BYTES], read[CLUT_BYTES],
        some[CLUT_BYTES];
    struct gv_psx_ranges reads = { .count = 0 }, writes = { .count = 0 };
    memset(loads, 0, sizeof loads);
    memset(over, 0, sizeof over);
    memset(read, 0, sizeof read);
    memset(some, 0, sizeof some);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t slot = (s->first + i) % PSX_CLUT_SLOTS;
        memset(loads + (size_t)slot * 512, 1,
               s->wide[slot / 32] >> slot % 32 & 1 ? 512 : 32);
    }
    gv_psx_ranges_slots(&reads, s, GV_RANGE_READ);
    gv_psx_ranges_slots(&writes, s, GV_RANGE_OVERWRITE);
    paint(&reads, GV_RANGE_READ, read);
    paint(&writes, GV_RANGE_OVERWRITE, over);
    paint(&writes, GV_RANGE_WRITE, some);
    size_t unread = 0, untold = 0, unwritten = 0;
    for (size_t i = 0; i < CLUT_BYTES; i++) {
        unread += loads[i] && !read[i];
        untold += loads[i] && !over[i] && !some[i];
        unwritten += over[i] && !loads[i];
    }
    CHECK(unread == 0 && untold == 0 && unwritten == 0);
    CHECK(!exact ||
          (!memcmp(loads, read, sizeof loads) && !memcmp(loads, over, sizeof loads)));
}

static void slots(uint64_t seed)
{
    uint32_t wide[PSX_CLUT_SLOTS / 32];
    uint64_t random = seed;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        wide[i] = roll(&random, 3) ? 0 : (uint32_t)random;
    const struct gv_psx_slots some = { roll(&random, PSX_CLUT_SLOTS),
                                       1 + roll(&random, 1000), wide };
    check_slots(&some, false);
    // Of one size, by turns, and every fourth: exact, also where they go round.
    static const uint32_t patterns[] = { 0, UINT32_MAX, 0x55555555, 0x88888888 };
    memset(wide, 0, sizeof wide);
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        wide[i] = patterns[seed % 4];
    check_slots(&some, true);
}

static void fills(void)
{
    static uint8_t over[2048 * 16], wanted[2048 * 16];
    const struct gv_psx_rect r = { 16, 3, 47, 9 };
    for (uint32_t skip = 0; skip < 3; skip++) {
        struct gv_psx_ranges ranges = { .count = 0 };
        memset(over, 0, sizeof over);
        memset(wanted, 0, sizeof wanted);
        for (uint32_t y = 3; y <= 9; y++)
            memset(wanted + (size_t)y * 2048 + 32, skip != 1 + (y & 1), 64);
        gv_psx_ranges_rows(&ranges, &r, skip);
        paint(&ranges, GV_RANGE_OVERWRITE, over);
        CHECK(!memcmp(over, wanted, sizeof over));
    }
    // A rectangle of one row that is left out.
    struct gv_psx_ranges none = { .count = 0 };
    gv_psx_ranges_rows(&none, &(struct gv_psx_rect){ 0, 2, 15, 2 }, 1);
    CHECK(none.count == 0);
}

// Cells overwritten are those of the rectangle; the words around them are written.
static void odd_cells(void)
{
    struct gv_psx_ranges r = { .count = 0 };
    gv_psx_ranges_cells(&r, &(struct gv_psx_rect){ 3, 0, 5, 1 }, GV_RANGE_OVERWRITE);
    CHECK(r.count == 2 && r.items[0].access == GV_RANGE_OVERWRITE &&
          r.items[0].offset == 6 && r.items[0].row_bytes == 6);
    CHECK(r.items[1].access == GV_RANGE_WRITE && r.items[1].offset == 4 &&
          r.items[1].row_bytes == 8 && r.items[1].rows == 2);
}

int main(void)
{
    exact_covers();
    for (uint64_t seed = 1; seed <= 50; seed++) {
        covers(seed);
        slots(seed);
    }
    fills();
    odd_cells();
    return TEST_RESULT();
}
