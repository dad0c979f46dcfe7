#include "compiler/psx/group.h"

#include <string.h>

void gv_psx_group_init(struct gv_psx_group *g, struct gv_psx_device *device,
                       uint32_t batch_limit)
{
    *g = (struct gv_psx_group){ .device = device, .batch_limit = batch_limit };
}

void gv_psx_group_finish(struct gv_psx_group *g)
{
    gv_bytes_finish(&g->states);
    gv_bytes_finish(&g->records);
    gv_bytes_finish(&g->spans);
    gv_bytes_finish(&g->cluts);
    gv_bytes_finish(&g->lists);
    gv_bytes_finish(&g->data);
}

static void put_words(struct gv_bytes *b, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(b, words[i]);
}

static bool same_words(const uint8_t *bytes, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (gv_load_u32(bytes + 4 * i) != words[i])
            return false;
    return true;
}

// States repeat soon or not at all, so only the last few are compared.
#define RECENT_STATES 8

uint32_t gv_psx_group_state(struct gv_psx_group *g,
                            const uint32_t state[PSX_STATE_WORDS])
{
    const size_t size = (size_t)PSX_STATE_WORDS * 4;
    for (uint32_t back = 1; back <= RECENT_STATES && back <= g->state_count; back++) {
        uint32_t number = g->state_count - back;
        if (same_words(g->states.data + number * size, state, PSX_STATE_WORDS))
            return number;
    }
    put_words(&g->states, state, PSX_STATE_WORDS);
    return g->state_count++;
}

uint32_t gv_psx_group_span(struct gv_psx_group *g,
                           const uint32_t planes[PSX_SPAN_WORDS])
{
    put_words(&g->spans, planes, PSX_SPAN_WORDS);
    return g->span_count++;
}

static void add_op(struct gv_psx_group *g, const struct gv_psx_op *op)
{
    g->ops[g->op_count++] = *op;
}

// Whether blocks are made of whole workgroups of tiles.
static bool blocks_fit(const struct gv_psx_device_params *p)
{
    return PSX_BLOCK % (p->tile_w * PSX_GROUP_TILES_W) == 0 &&
           PSX_BLOCK % (p->tile_h * (PSX_GROUP_TILES / PSX_GROUP_TILES_W)) == 0;
}

// A tile that nothing touches costs what one record does where invocations are masked
// rather than skipped, so a batch lists its blocks if that leaves out enough.
static void list_blocks(struct gv_psx_group *g)
{
    const struct gv_psx_rect *r = &g->batch.rect;
    uint32_t count = gv_psx_blocks_count(&g->written),
             listed = (uint32_t)(g->lists.size / 4);
    uint32_t all = (uint32_t)((r->x1 / GV_PSX_BLOCK - r->x0 / GV_PSX_BLOCK + 1) *
                              (r->y1 / GV_PSX_BLOCK - r->y0 / GV_PSX_BLOCK + 1));
    if (count * 4 >= all * 3 || listed + count > GV_PSX_GROUP_LIST ||
        !blocks_fit(&g->device->params))
        return;
    g->batch.list = listed;
    g->batch.list_count = count;
    gv_psx_blocks_list(&g->written, &g->lists);
}

// The slot of the group's load `number`.
static uint32_t slot_of_load(const struct gv_psx_group *g, uint32_t number)
{
    return (g->clut_slot + PSX_CLUT_SLOTS - (g->clut_count - 1 - number)) %
           PSX_CLUT_SLOTS;
}

// Ends the open batch: its palette loads, then its records.
static void close_batch(struct gv_psx_group *g)
{
    if (g->clut_count > g->batch_cluts)
        add_op(g, &(struct gv_psx_op){ .type = GV_PSX_OP_CLUT,
                                       .first = g->batch_cluts,
                                       .last = g->clut_count - 1,
                                       .sampled = g->palettes,
                                       .slot = slot_of_load(g, g->batch_cluts),
                                       .slots = g->clut_count - g->batch_cluts });
    g->batch_cluts = g->clut_count;
    g->palettes.count = 0;
    if (g->batch_open) {
        list_blocks(g);
        g->batch.band_count = gv_psx_painted_bands(&g->painted, g->batch.bands);
        add_op(g, &g->batch);
        g->batches++;
    }
    g->batch_open = false;
    gv_psx_painted_clear(&g->painted);
    gv_psx_blocks_clear(&g->written);
    gv_psx_blocks_clear(&g->sampled);
}

// Ends it for a hazard.
static void split(struct gv_psx_group *g)
{
    g->splits += g->batch_open;
    close_batch(g);
}

void gv_psx_group_flush(struct gv_psx_group *g)
{
    close_batch(g);
    if (g->op_count == 0)
        return;
    gv_psx_device_emit(g->device, g);
    g->groups++;
    g->states.size = g->records.size = g->spans.size = g->cluts.size = g->data.size = 0;
    g->lists.size = 0;
    g->record_count = g->prepared_count = 0;
    g->state_count = g->span_count = g->clut_count = 0;
    memset(g->quads, 0, sizeof g->quads);
    g->batch_cluts = 0;
    g->op_count = 0;
}

void gv_psx_group_reserve(struct gv_psx_group *g, uint32_t records)
{
    // Each record may bring a state and a span, and close a batch (two operations).
    if (g->prepared_count + records > GV_PSX_GROUP_RECORDS ||
        g->state_count + records > GV_PSX_GROUP_STATES ||
        g->span_count + records > GV_PSX_GROUP_SPANS ||
        g->op_count + 3 * records + 8 > GV_PSX_GROUP_OPS)
        gv_psx_group_flush(g);
}

static struct gv_psx_area area_of(const struct gv_psx_rect *rect)
{
    return (struct gv_psx_area){ .rects = { *rect }, .count = 1 };
}

static void open_batch(struct gv_psx_group *g)
{
    g->batch = (struct gv_psx_op){ .type = GV_PSX_OP_RASTER,
                                   .first = g->prepared_count,
                                   .rect = { 0, 0, -1, -1 } };
    g->batch_open = true;
}

// What a record touches, added to what its operation does. Slots come one after
// another.
static void add_use(const struct gv_psx_group *g, struct gv_psx_op *op,
                    const struct gv_psx_use *use)
{
    gv_psx_cover_add(&op->drawn, &use->writes);
    gv_psx_cover_add_area(&op->sampled, &use->samples);
    if (!(use->state & PSX_STATE_TEXTURED) || PSX_STATE_DEPTH(use->state) >= 2)
        return;
    op->slot = op->slots ? op->slot : g->clut_slot;
    op->slots = (g->clut_slot - op->slot) % PSX_CLUT_SLOTS + 1;
}

static void add_to_batch(struct gv_psx_group *g, const struct gv_psx_use *use,
                         const struct gv_psx_area *writes)
{
    if (g->batch_open && g->prepared_count - g->batch.first >= g->batch_limit)
        close_batch(g);
    if (!g->batch_open)
        open_batch(g);
    g->batch.last = g->prepared_count;
    g->batch.rect = gv_psx_rect_join(&g->batch.rect, &use->writes);
    add_use(g, &g->batch, use);
    g->batch.state |= use->state;
    gv_psx_painted_add(&g->painted, &use->writes, &use->paint);
    gv_psx_blocks_add(&g->written, writes);
    gv_psx_blocks_add(&g->sampled, &use->samples);
}

// Whether `words` continues the last record, a triangle of the open batch, to a quad:
// its vertices 0 and 1 are that one's vertices 1 and 2.
static bool continues_quad(const struct gv_psx_group *g,
                           const uint32_t words[PSX_RECORD_WORDS])
{
    if (!g->batch_open || g->record_count == 0 || (words[0] & 7) != PSX_KIND_TRIANGLE ||
        g->batch.first >= g->prepared_count)
        return false;
    uint32_t last[PSX_RECORD_WORDS];
    const uint8_t *at =
        g->records.data + (size_t)(g->record_count - 1) * PSX_RECORD_WORDS * 4;
    for (int i = 0; i < PSX_RECORD_WORDS; i++)
        last[i] = gv_load_u32(at + (size_t)4 * (size_t)i);
    bool gouraud = words[0] >> 3 & 1;
    bool colors =
        gouraud ? words[1] == last[5] && words[5] == last[6] : words[1] == last[1];
    uint32_t uv0 = words[7] & 0xffff, uv1 = words[7] >> 16;
    return words[0] == last[0] && colors && words[2] == last[3] &&
           words[3] == last[4] && uv0 == last[7] >> 16 && uv1 == (last[8] & 0xffff) &&
           words[8] >> 16 == last[8] >> 16;
}

static void set_word(struct gv_psx_group *g, uint32_t word, uint32_t value)
{
    uint8_t *at =
        g->records.data + ((size_t)(g->record_count - 1) * PSX_RECORD_WORDS + word) * 4;
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void make_quad(struct gv_psx_group *g, const uint32_t words[PSX_RECORD_WORDS])
{
    uint32_t number = g->record_count - 1;
    set_word(g, 0, (words[0] & ~7u) | PSX_KIND_QUAD);
    set_word(g, 9, words[4]);
    set_word(g, 10, words[6]);
    set_word(g, 11, words[8] & 0xffff);
    g->quads[number / 32] |= 1u << number % 32;
}

void gv_psx_group_record(struct gv_psx_group *g, const uint32_t words[PSX_RECORD_WORDS],
                         const struct gv_psx_use *use)
{
    struct gv_psx_area writes = area_of(&use->writes);
    bool ordered = use->ordered || gv_psx_areas_meet(&use->samples, &writes);
    if (ordered || gv_psx_blocks_meet(&g->written, &use->samples) ||
        gv_psx_blocks_meet(&g->sampled, &writes))
        split(g);
    bool quad = !ordered && !g->records.failed && continues_quad(g, words);
    if (ordered) {
        struct gv_psx_op op = { .type = GV_PSX_OP_ORDERED,
                                .first = g->prepared_count,
                                .last = g->prepared_count,
                                .rect = use->writes };
        add_use(g, &op, use);
        memcpy(op.walks, use->walks, sizeof op.walks);
        add_op(g, &op);
        g->ordered++;
    } else {
        add_to_batch(g, use, &writes);
    }
    g->prepared_count++;
    if (quad) {
        make_quad(g, words);
        return;
    }
    gv_bytes_u32(&g->records, words[0] | (ordered ? PSX_UNBINNED : 0));
    put_words(&g->records, words + 1, PSX_RECORD_WORDS - 1);
    g->record_count++;
}

void gv_psx_group_clut(struct gv_psx_group *g, uint32_t x, uint32_t y, uint32_t entries,
                       uint32_t rows)
{
    if (g->clut_count == GV_PSX_GROUP_CLUTS || g->op_count + 8 > GV_PSX_GROUP_OPS)
        gv_psx_group_flush(g);
    const struct gv_psx_place palette = { x, y, entries, 1 };
    struct gv_psx_area source = gv_psx_area_wrapped(&palette, rows);
    if (gv_psx_blocks_meet(&g->written, &source))
        split(g);
    gv_psx_blocks_add(&g->sampled, &source);
    gv_psx_cover_add_area(&g->palettes, &source);
    g->clut_slot = (g->clut_slot + 1) % PSX_CLUT_SLOTS;
    const uint32_t slot_bit = 1u << g->clut_slot % 32;
    g->wide_slots[g->clut_slot / 32] &= ~slot_bit;
    g->wide_slots[g->clut_slot / 32] |= entries == 256 ? slot_bit : 0;
    gv_bytes_u32(&g->cluts, x | y << 10 | (entries == 256 ? 1u << 31 : 0));
    gv_bytes_u32(&g->cluts, g->clut_slot);
    g->clut_count++;
}

static bool both_uploads(const struct gv_psx_op *a, const struct gv_psx_op *b)
{
    return a->type == GV_PSX_OP_UPLOAD && b->type == GV_PSX_OP_UPLOAD &&
           a->data + a->data_size == b->data;
}

// Joins upload `b` to `a`, which comes before it, if it continues `a`'s only row or has
// the row below. Programs write pictures cell by cell.
static bool join_uploads(struct gv_psx_op *a, const struct gv_psx_op *b)
{
    const struct gv_psx_rect *r = &b->rect;
    bool beside = a->rect.y0 == a->rect.y1 && r->y0 == a->rect.y0 && r->y1 == r->y0 &&
                  r->x0 == a->rect.x1 + 1;
    bool below = r->x0 == a->rect.x0 && r->x1 == a->rect.x1 && r->y0 == a->rect.y1 + 1;
    if (!both_uploads(a, b) || (!beside && !below))
        return false;
    a->rect.x1 = r->x1;
    a->rect.y1 = r->y1;
    a->data_size += b->data_size;
    return true;
}

static void add_transfer(struct gv_psx_group *g, const struct gv_psx_op *op)
{
    if (g->op_count == 0 || !join_uploads(&g->ops[g->op_count - 1], op)) {
        add_op(g, op);
        return;
    }
    // What has grown may now be a whole row below the one before.
    if (g->op_count > 1 &&
        join_uploads(&g->ops[g->op_count - 2], &g->ops[g->op_count - 1]))
        g->op_count--;
}

void gv_psx_group_transfer(struct gv_psx_group *g, const struct gv_psx_transfer *t)
{
    struct gv_psx_op op = t->op;
    if (g->op_count + 8 > GV_PSX_GROUP_OPS ||
        g->data.size + t->size > GV_PSX_GROUP_DATA)
        gv_psx_group_flush(g);
    if (gv_psx_blocks_meet(&g->written, &t->reads) ||
        gv_psx_blocks_meet(&g->written, &t->writes) ||
        gv_psx_blocks_meet(&g->sampled, &t->writes))
        split(g);
    if (op.type != GV_PSX_OP_UPLOAD)
        gv_bytes_zero_to(&g->data, 4);
    op.data = g->data.size;
    op.data_size = t->size;
    gv_bytes_put(&g->data, t->data, t->size);
    add_transfer(g, &op);
}
