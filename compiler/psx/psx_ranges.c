#include "compiler/psx/psx_ranges.h"

#include <assert.h>

#define VRAM_STRIDE 2048u // bytes of a row
#define SLOT_BYTES (PSX_CLUT_SLOT_WORDS * UINT64_C(4))
#define NARROW_BYTES 32u // of a palette of 16 entries
#define MOST_RUNS 6      // of palettes of one size; the others are taken together

static void add(struct gv_psx_ranges *r, const struct gv_dispatch_range *range)
{
    assert(r->count < GV_PSX_MOST_RANGES);
    r->items[r->count++] = *range;
}

void gv_psx_ranges_bytes(struct gv_psx_ranges *r, uint32_t binding, uint32_t access,
                         uint64_t offset, uint64_t bytes)
{
    if (bytes)
        add(r, &(struct gv_dispatch_range){ .set = PSX_SET_STORAGE,
                                            .binding = binding,
                                            .access = access,
                                            .offset = offset,
                                            .row_bytes = bytes,
                                            .rows = 1 });
}

void gv_psx_ranges_unused(struct gv_psx_ranges *r, uint32_t binding)
{
    add(r, &(struct gv_dispatch_range){ .set = PSX_SET_STORAGE,
                                        .binding = binding,
                                        .access = GV_RANGE_UNUSED,
                                        .rows = 1 });
}

// Each `step`-th row of a rectangle.
static void add_cells(struct gv_psx_ranges *r, const struct gv_psx_rect *rect,
                      uint32_t step, uint32_t access)
{
    uint32_t rows = (uint32_t)(rect->y1 - rect->y0) / step + 1;
    add(r, &(struct gv_dispatch_range){
               .set = PSX_SET_STORAGE,
               .binding = PSX_BIND_VRAM,
               .access = access,
               .offset = (uint64_t)(uint32_t)rect->y0 * VRAM_STRIDE +
                         (uint64_t)(uint32_t)rect->x0 * 2,
               .row_bytes = (uint64_t)(uint32_t)(rect->x1 - rect->x0 + 1) * 2,
               .stride = (uint64_t)VRAM_STRIDE * step,
               .rows = rows });
}

void gv_psx_ranges_cells(struct gv_psx_ranges *r, const struct gv_psx_rect *rect,
                         uint32_t access)
{
    const struct gv_psx_rect words = { rect->x0 & ~1, rect->y0, rect->x1 | 1,
                                       rect->y1 };
    bool exact = words.x0 == rect->x0 && words.x1 == rect->x1;
    if (access == GV_RANGE_OVERWRITE)
        add_cells(r, rect, 1, access);
    if (access != GV_RANGE_OVERWRITE || !exact)
        add_cells(r, &words, 1,
                  access == GV_RANGE_READ ? GV_RANGE_READ : GV_RANGE_WRITE);
}

void gv_psx_ranges_area(struct gv_psx_ranges *r, const struct gv_psx_area *area,
                        uint32_t access)
{
    for (uint32_t i = 0; i < area->count; i++)
        gv_psx_ranges_cells(r, &area->rects[i], access);
}

void gv_psx_ranges_cover(struct gv_psx_ranges *r, const struct gv_psx_cover *cover,
                         uint32_t access)
{
    for (uint32_t i = 0; i < cover->count; i++)
        gv_psx_ranges_cells(r, &cover->rects[i], access);
}

void gv_psx_ranges_rows(struct gv_psx_ranges *r, const struct gv_psx_rect *rect,
                        uint32_t skip)
{
    struct gv_psx_rect rows = *rect;
    if (skip && ((uint32_t)rows.y0 & 1) == skip - 1)
        rows.y0++;
    if (rows.y0 <= rows.y1)
        add_cells(r, &rows, skip ? 2 : 1, GV_RANGE_OVERWRITE);
}

// ---- palettes ----

static bool is_wide(const struct gv_psx_slots *s, uint32_t slot)
{
    return s->wide[slot / 32] >> slot % 32 & 1;
}

static void add_slots(struct gv_psx_ranges *r, const struct gv_psx_slots *run,
                      uint64_t bytes, uint32_t access)
{
    add(r, &(struct gv_dispatch_range){ .set = PSX_SET_STORAGE,
                                        .binding = PSX_BIND_CLUT,
                                        .access = access,
                                        .offset = (uint64_t)run->first * SLOT_BYTES,
                                        .row_bytes = bytes,
                                        .stride = SLOT_BYTES,
                                        .rows = run->count });
}

// The first slots that are of one size, or of any; they do not go round.
static struct gv_psx_slots run_of(const struct gv_psx_slots *s, bool any)
{
    struct gv_psx_slots run = { s->first, 1, s->wide };
    while (run.count < s->count && run.first + run.count < PSX_CLUT_SLOTS &&
           (any || is_wide(s, run.first + run.count) == is_wide(s, run.first)))
        run.count++;
    return run;
}

void gv_psx_ranges_slots(struct gv_psx_ranges *r, const struct gv_psx_slots *slots,
                         uint32_t access)
{
    struct gv_psx_slots left = *slots;
    for (int runs = 0; left.count; runs++) {
        bool mixed = runs >= MOST_RUNS;
        const struct gv_psx_slots run = run_of(&left, mixed);
        if (mixed && access == GV_RANGE_OVERWRITE) { // at least so much of each
            add_slots(r, &run, NARROW_BYTES, access);
            add_slots(r, &run, SLOT_BYTES, GV_RANGE_WRITE);
        } else {
            bool wide = mixed || is_wide(&run, run.first);
            add_slots(r, &run, wide ? SLOT_BYTES : NARROW_BYTES, access);
        }
        left.first = (left.first + run.count) % PSX_CLUT_SLOTS;
        left.count -= run.count;
    }
}
