// What batches paint for sure, against a map of cells, and which textures are known to
// have no transparent texel. That what dispatches say of it is so, test_psx_ranges
// shows.
#include "compiler/psx/known.h"
#include "compiler/psx/painted.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static uint32_t roll(uint64_t *random, uint32_t below)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33) % below;
}

static uint8_t map[512][1024];

static void map_rect(const struct gv_psx_rect *r, int skip)
{
    for (int32_t y = r->y0; y <= r->y1; y++)
        for (int32_t x = r->x0; x <= r->x1; x++)
            map[y][x] |= (y & 1) != skip;
}

static void check_bands(const char *name, const struct gv_psx_painted *p,
                        uint32_t wanted)
{
    struct gv_psx_band bands[GV_PSX_BANDS];
    uint32_t count = gv_psx_painted_bands(p, bands);
    size_t unpainted = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int32_t y = bands[i].rect.y0; y <= bands[i].rect.y1;
             y += (int32_t)bands[i].step)
            for (int32_t x = bands[i].rect.x0; x <= bands[i].rect.x1; x++)
                unpainted += !map[y][x];
    CHECK_ROW(name, unpainted == 0);
    CHECK_ROW(name, wanted == UINT32_MAX || count == wanted);
}

static void scattered(struct gv_psx_painted *p, uint64_t seed)
{
    char name[32];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    gv_psx_painted_clear(p);
    memset(map, 0, sizeof map);
    for (int i = 0; i < 60; i++) {
        int32_t x = (int32_t)roll(&seed, 900), y = (int32_t)roll(&seed, 440);
        const struct gv_psx_rect r = { x, y, x + (int32_t)roll(&seed, 120),
                                       y + (int32_t)roll(&seed, 70) };
        const struct gv_psx_paint paint = { .sure = roll(&seed, 4) > 0,
                                            .skip_parity =
                                                (int8_t)((int)roll(&seed, 3) - 1) };
        gv_psx_painted_add(p, &r, &paint);
        if (paint.sure)
            map_rect(&r, paint.skip_parity);
    }
    check_bands(name, p, UINT32_MAX);
}

// Tiles beside and below each other, of which the last ones are cut.
static void tiled(struct gv_psx_painted *p, const char *name, int8_t skip,
                  uint32_t wanted)
{
    const struct gv_psx_paint paint = { .sure = true, .skip_parity = skip };
    gv_psx_painted_clear(p);
    memset(map, 0, sizeof map);
    for (int32_t y = 0; y < 240; y += 16)
        for (int32_t x = 0; x < 320; x += 16) {
            const struct gv_psx_rect r = { x, y, x + 15, y + 15 };
            gv_psx_painted_add(p, &r, &paint);
            map_rect(&r, skip);
        }
    check_bands(name, p, wanted);
}

// A quad as the console draws it: two triangles, whose edge between them leaves
// nothing.
static void quad(struct gv_psx_painted *p)
{
    const struct gv_psx_vertex v[4] = { { .x = 10, .y = 20 },
                                        { .x = 131, .y = 20 },
                                        { .x = 10, .y = 99 },
                                        { .x = 131, .y = 99 } };
    struct gv_psx_band bands[GV_PSX_BANDS];
    gv_psx_painted_clear(p);
    for (int i = 0; i < 2; i++) {
        struct gv_psx_setup s;
        const struct gv_psx_rect writes = { 10, 20, 130, 98 };
        CHECK(gv_psx_triangle_setup(v + i, 0, 511, &s));
        gv_psx_painted_add(
            p, &writes,
            &(struct gv_psx_paint){ .sure = true, .rows = &s, .skip_parity = -1 });
    }
    CHECK(gv_psx_painted_bands(p, bands) == 1);
    const struct gv_psx_rect *r = &bands[0].rect;
    CHECK(r->x0 == 10 && r->x1 == 130 && r->y0 == 20 && r->y1 == 98);
}

// ---- textures ----

static struct gv_psx_known *known;

// 4 x 4 cells at (64, 0), a palette of 16 entries at (0, 100), then what is asked.
static bool opaque(uint16_t cell, uint16_t entry_0, uint32_t depth, bool drawn_over)
{
    uint8_t cells[32], palette[512];
    const struct gv_psx_rect at = { 64, 0, 67, 3 }, row = { 0, 100, 255, 100 };
    const struct gv_psx_area area = { .rects = { at }, .count = 1 };
    memset(known, 0, sizeof *known);
    for (int i = 0; i < 32; i += 2) {
        cells[i] = (uint8_t)cell;
        cells[i + 1] = (uint8_t)(cell >> 8);
    }
    memset(palette, 0x11, sizeof palette);
    palette[0] = (uint8_t)entry_0;
    palette[1] = (uint8_t)(entry_0 >> 8);
    gv_psx_known_upload(known, &at, cells);
    gv_psx_known_upload(known, &row, palette);
    gv_psx_known_palette(known, 0, 100, depth ? 256 : 16);
    bool before = gv_psx_known_opaque(known, &area, depth, &at);
    if (!drawn_over)
        return before;
    gv_psx_known_forget(known, &(struct gv_psx_rect){ 66, 3, 90, 7 });
    return gv_psx_known_opaque(known, &area, depth, &at);
}

static void textures(void)
{
    static const struct {
        const char *name;
        uint16_t cell, entry_0;
        uint32_t depth;
        bool drawn_over, opaque;
    } rows[] = {
        { "15 bit", 0x8000, 0, 2, false, true },
        { "15 bit, transparent", 0, 0, 2, false, false },
        { "15 bit, drawn over", 0x8000, 0, 2, true, false },
        { "8 bit", 0x0102, 0, 1, false, true },
        { "8 bit, transparent", 0x0200, 0, 1, false, false },
        { "8 bit, no entry is", 0x0200, 1, 1, true, true },
        { "4 bit", 0x1234, 0, 0, false, true },
        { "4 bit, transparent", 0x1034, 0, 0, false, false },
        { "4 bit, drawn over", 0x1234, 0, 0, true, false },
        { "4 bit, no entry is", 0x1034, 1, 0, true, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_ROW(rows[i].name, opaque(rows[i].cell, rows[i].entry_0, rows[i].depth,
                                       rows[i].drawn_over) == rows[i].opaque);
}

// What was never uploaded, and a palette of which a part was not.
static void unknown(void)
{
    const struct gv_psx_rect at = { 64, 0, 67, 3 };
    const struct gv_psx_area area = { .rects = { at }, .count = 1 };
    const uint8_t palette[30] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    memset(known, 0, sizeof *known);
    CHECK(!gv_psx_known_opaque(known, &area, 2, &at));
    gv_psx_known_upload(known, &(struct gv_psx_rect){ 0, 100, 14, 100 }, palette);
    gv_psx_known_palette(known, 0, 100, 16);
    CHECK(!gv_psx_known_opaque(known, &area, 0, &at));
}

// Who draws one cell with a whole page again and again is not answered for long.
static void patience(void)
{
    const struct gv_psx_rect page = { 0, 0, 255, 255 }, cell = { 600, 0, 600, 0 };
    const struct gv_psx_area area = { .rects = { page }, .count = 1 };
    uint8_t *cells = malloc((size_t)256 * 256 * 2);
    int answers = 0;
    CHECK(cells);
    if (!cells)
        return;
    memset(cells, 1, (size_t)256 * 256 * 2);
    memset(known, 0, sizeof *known);
    for (int i = 0; i < 100; i++) {
        gv_psx_known_upload(known, &page, cells);
        answers += gv_psx_known_opaque(known, &area, 2, &cell);
    }
    CHECK(answers > 0 && answers < 10);
    free(cells);
}

int main(void)
{
    struct gv_psx_painted *p = calloc(1, sizeof *p);
    known = calloc(1, sizeof *known);
    CHECK(p && known);
    if (p && known) {
        for (uint64_t seed = 1; seed <= 50; seed++)
            scattered(p, seed);
        tiled(p, "tiles", -1, 1);
        tiled(p, "even rows left out", 0, 1);
        tiled(p, "odd rows left out", 1, 1);
        quad(p);
        textures();
        unknown();
        patience();
    }
    free(p);
    free(known);
    return TEST_RESULT();
}
