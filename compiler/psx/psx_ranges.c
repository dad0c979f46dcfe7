#include "compiler/psx/psx_ranges.h"

#include <assert.h>

#define VRAM_STRIDE 2048u // bytes of a row
#define SLOT_BYTES (PSX_CLUT_SLOT_WORDS * UINT64_C(4))
#define NARROW_BYTES 32u // of a palette of 16 entries
#define MOST_RUNS 4      // of palettes of 256 entries; the others are taken together

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

void gv_psx_ranges_bands(struct gv_psx_ranges *r, const struct gv_psx_band *bands,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_cells(r, &bands[i].rect, bands[i].step, GV_RANGE_OVERWRITE);
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

// Bytes [from, to) of each `step`-th of some slots, which do not go round.
struct slot_bytes {
    uint64_t from, to;
    uint32_t first, step, count;
};

static void add_slots(struct gv_psx_ranges *r, const struct slot_bytes *b,
                      uint32_t access)
{
    add(r, &(struct gv_dispatch_range){ .set = PSX_SET_STORAGE,
                                        .binding = PSX_BIND_CLUT,
                                        .access = access,
                                        .offset = b->first * SLOT_BYTES + b->from,
                                        .row_bytes = b->to - b->from,
                                        .stride = b->step * SLOT_BYTES,
                                        .rows = b->count });
}

// The next wide slot from `slot` on, `end` if there is none.
static uint32_t next_wide(const struct gv_psx_slots *s, uint32_t slot, uint32_t end)
{
    while (slot < end && !is_wide(s, slot))
        slot++;
    return slot;
}

// What wide slots have beyond narrow ones, as progressions: programs alternate.
static void add_wide(struct gv_psx_ranges *r, const struct gv_psx_slots *s,
                     uint32_t access)
{
    const uint32_t end = s->first + s->count;
    uint32_t slot = next_wide(s, s->first, end), next;
    for (int runs = 0; slot < end && runs < MOST_RUNS; runs++) {
        next = next_wide(s, slot + 1, end);
        struct slot_bytes b = { NARROW_BYTES, SLOT_BYTES, slot, 1, 1 };
        b.step = next < end ? next - slot : 1;
        for (; next < end && next - slot == b.step; b.count++) {
            slot = next;
            next = next_wide(s, slot + 1, end);
        }
        add_slots(r, &b, access);
        slot = next;
    }
    if (slot < end) // too many: some of these
        add_slots(r,
                  &(struct slot_bytes){ NARROW_BYTES, SLOT_BYTES, slot, 1, end - slot },
                  access == GV_RANGE_READ ? GV_RANGE_READ : GV_RANGE_WRITE);
}

static void add_in_line(struct gv_psx_ranges *r, const struct gv_psx_slots *s,
                        uint32_t access)
{
    uint32_t wide = 0;
    for (uint32_t i = 0; i < s->count; i++)
        wide += is_wide(s, s->first + i);
    const struct slot_bytes b = { 0, wide == s->count ? SLOT_BYTES : NARROW_BYTES,
                                  s->first, 1, s->count };
    add_slots(r, &b, access);
    if (wide && wide < s->count)
        add_wide(r, s, access);
}

void gv_psx_ranges_slots(struct gv_psx_ranges *r, const struct gv_psx_slots *slots,
                         uint32_t access)
{
    struct gv_psx_slots part = *slots;
    const uint32_t to_end = PSX_CLUT_SLOTS - slots->first;
    if (part.count > to_end) { // those that begin anew
        const struct gv_psx_slots rest = { 0, part.count - to_end, slots->wide };
        add_in_line(r, &rest, access);
        part.count = to_end;
    }
    add_in_line(r, &part, access);
}
