#include "compiler/psx/psx_device.h"

#include "compiler/psx/group.h"
#include "compiler/psx/psx_ranges.h"
#include "vm/formats.h"

#include <string.h>

#define RECORDS_BYTES                                                                 \
    ((uint64_t)4 *                                                                    \
     (GV_PSX_GROUP_STATES * PSX_STATE_WORDS +                                         \
      GV_PSX_GROUP_RECORDS * PSX_RECORD_WORDS + GV_PSX_GROUP_SPANS * PSX_SPAN_WORDS + \
      GV_PSX_GROUP_LIST + GV_PSX_GROUP_CLUTS * 2))
#define STAGING_BYTES ((uint64_t)1024 * 512 * 2)
#define READBACK_BYTES (4 + (uint64_t)1024 * 512 * 2)
#define SETUP_BYTES ((uint64_t)PSX_SETUP_TEXELS * 16) // of a record
#define CLUT_BYTES ((uint64_t)PSX_CLUT_SLOTS * PSX_CLUT_SLOT_WORDS * 4)
#define VRAM_BYTES(d) ((uint64_t)(d)->params.rows * 2048)

void gv_psx_device_tell_position(struct gv_psx_device *d)
{
    if (gv_builder_current_command(d->builder) != d->command)
        gv_builder_command(d->builder, d->command, d->command_offset, d->command_name);
}

static struct gv_buffer storage_buffer(struct gv_psx_device *d, uint64_t size)
{
    return gv_emit(d->builder, buffer_create, .size = size,
                   .usage = GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_UNIFORM_TEXEL);
}

static void bind_storage(struct gv_psx_device *d, uint32_t binding,
                         struct gv_buffer buffer)
{
    gv_emit(d->builder, bind_buffer, .set = PSX_SET_STORAGE, .binding = binding,
            .element = 0, .buffer = buffer, .offset = 0, .size = 0);
}

static void bind_texels(struct gv_psx_device *d, uint32_t binding,
                        struct gv_buffer buffer, uint32_t format)
{
    gv_emit(d->builder, bind_texel_buffer, .set = PSX_SET_TEXTURE, .binding = binding,
            .element = 0, .buffer = buffer, .offset = 0, .size = 0, .format = format);
}

// VRAM, palettes and bins as texels, where texel buffers can be so large.
static void bind_large_texels(struct gv_psx_device *d)
{
    const struct gv_requirement row = gv_psx_texels_requirement(&d->pipelines);
    if (d->params.limits == GV_PSX_LIMITS_MINIMAL)
        return;
    gv_builder_either_begin(d->builder, &row, 1);
    bind_texels(d, PSX_BIND_VRAM_TEXELS, d->vram, GV_FORMAT_R16_UINT);
    bind_texels(d, PSX_BIND_VRAM_WORDS, d->vram, GV_FORMAT_R32_UINT);
    bind_texels(d, PSX_BIND_CLUT_TEXELS, d->cluts, GV_FORMAT_R16_UINT);
    bind_texels(d, PSX_BIND_BIN_TEXELS, d->bins, GV_FORMAT_R32_UINT);
    gv_builder_either_else(d->builder);
    gv_builder_either_end(d->builder);
}

void gv_psx_device_init(struct gv_psx_device *d, struct gv_builder *builder,
                        const struct gv_psx_device_params *params)
{
    *d = (struct gv_psx_device){ .builder = builder,
                                 .params = *params,
                                 .command_name = "start" };
    gv_psx_device_tell_position(d);
    uint64_t tiles =
        (uint64_t)(1024 / params->tile_w) * (params->rows / params->tile_h);
    uint64_t bins = tiles * PSX_BIN_STRIDE(GV_PSX_GROUP_RECORDS / 32);
    uint64_t cells = VRAM_BYTES(d) / 2;
    d->pipelines = (struct gv_psx_pipelines){ .builder = builder,
                                              .limits = params->limits,
                                              .tile_w = params->tile_w,
                                              .tile_h = params->tile_h,
                                              .texels = bins > cells ? bins : cells };
    d->vram = storage_buffer(d, VRAM_BYTES(d));
    d->records = storage_buffer(d, RECORDS_BYTES);
    d->setup = storage_buffer(d, GV_PSX_GROUP_RECORDS * SETUP_BYTES);
    d->bins = storage_buffer(d, bins * 4);
    d->cluts = storage_buffer(d, CLUT_BYTES);
    bind_storage(d, PSX_BIND_VRAM, d->vram);
    bind_storage(d, PSX_BIND_RECORDS, d->records);
    bind_storage(d, PSX_BIND_SETUP, d->setup);
    bind_storage(d, PSX_BIND_BINS, d->bins);
    bind_storage(d, PSX_BIND_CLUT, d->cluts);
    bind_texels(d, PSX_BIND_SETUP_TEXELS, d->setup, GV_FORMAT_R32G32B32A32_UINT);
    bind_large_texels(d);
    d->vram_export =
        gv_builder_export(builder, &(struct gv_export){ "vram", GV_KIND_BUFFER,
                                                        GV_FORMAT_X1B5G5R5_UNORM_PACK16,
                                                        1024, params->rows });
    d->readback_export = gv_builder_export(
        builder, &(struct gv_export){ "readback", GV_KIND_BUFFER, 0, 0, 0 });
    // A dump that reads nothing has an empty export rather than none.
    gv_emit(builder, post_buffer, .export = d->readback_export, .buffer = d->vram,
            .offset = 0, .size = 0, .append = false);
}

// ---- dispatches ----

static void dispatch(struct gv_psx_device *d, struct gv_pipeline pipeline,
                     const uint32_t params[PSX_PARAM_WORDS], uint32_t x, uint32_t y,
                     const struct gv_psx_ranges *ranges)
{
    struct gv_bytes bytes = { 0 };
    for (int i = 0; i < PSX_PARAM_WORDS; i++)
        gv_bytes_u32(&bytes, params[i]);
    size_t params_size = bytes.size;
    gv_dispatch_ranges_encode(ranges->items, ranges->count, &bytes);
    if (!bytes.failed) {
        gv_emit(d->builder, bind_pipeline, .pipeline = pipeline);
        gv_emit(d->builder, bind_uniform_bytes, .set = PSX_SET_UNIFORM,
                .binding = PSX_BIND_PARAMS, .data = gv_data(bytes.data),
                .size = params_size);
        gv_emit(d->builder, dispatch, .x = x, .y = y, .z = 1,
                .ranges = gv_data(bytes.data + params_size),
                .size = bytes.size - params_size);
    }
    gv_bytes_finish(&bytes);
}

// ---- a group ----

struct layout { // of the records buffer, in words
    uint32_t states, quads, records, spans, lists, cluts;
};

// The records, all first words first.
static void put_by_word(struct gv_bytes *out, const struct gv_psx_group *g)
{
    for (uint32_t word = 0; word < PSX_RECORD_WORDS; word++)
        for (uint32_t i = 0; i < g->record_count; i++)
            gv_bytes_put(
                out, g->records.data + 4 * (size_t)(i * PSX_RECORD_WORDS + word), 4);
}

static struct layout upload_records(struct gv_psx_device *d,
                                    const struct gv_psx_group *g)
{
    struct gv_bytes all = { 0 };
    struct layout at = { 0 };
    gv_bytes_put(&all, g->states.data, g->states.size);
    at.quads = (uint32_t)(all.size / 4);
    for (uint32_t i = 0; i < (g->record_count + 31) / 32; i++)
        gv_bytes_u32(&all, g->quads[i]);
    at.records = (uint32_t)(all.size / 4);
    put_by_word(&all, g);
    at.spans = (uint32_t)(all.size / 4);
    gv_bytes_put(&all, g->spans.data, g->spans.size);
    at.lists = (uint32_t)(all.size / 4);
    gv_bytes_put(&all, g->lists.data, g->lists.size);
    at.cluts = (uint32_t)(all.size / 4);
    gv_bytes_put(&all, g->cluts.data, g->cluts.size);
    if (all.size && !all.failed)
        gv_emit(d->builder, buffer_upload, .buffer = d->records, .offset = 0,
                .data = gv_data(all.data), .size = all.size);
    gv_bytes_finish(&all);
    return at;
}

struct tiles { // first tile and how many
    uint32_t x, y, w, h;
};

// Those that a rectangle touches, widened to whole workgroups.
static struct tiles tiles_of(const struct gv_psx_device *d, const struct gv_psx_rect *r)
{
    uint32_t w = d->params.tile_w * PSX_GROUP_TILES_W,
             h = d->params.tile_h * (PSX_GROUP_TILES / PSX_GROUP_TILES_W);
    uint32_t x0 = (uint32_t)r->x0 / w, y0 = (uint32_t)r->y0 / h;
    uint32_t x1 = (uint32_t)r->x1 / w, y1 = (uint32_t)r->y1 / h;
    return (struct tiles){ x0 * PSX_GROUP_TILES_W,
                           y0 * (PSX_GROUP_TILES / PSX_GROUP_TILES_W),
                           (x1 - x0 + 1) * PSX_GROUP_TILES_W,
                           (y1 - y0 + 1) * (PSX_GROUP_TILES / PSX_GROUP_TILES_W) };
}

static uint32_t words_per_bin(const struct gv_psx_group *g)
{
    return (g->prepared_count + 31) / 32;
}

// The tiles that have bins: all that the group's batches draw on.
static struct tiles binned_tiles(const struct gv_psx_device *d,
                                 const struct gv_psx_group *g)
{
    struct gv_psx_rect all = { 0, 0, -1, -1 };
    for (uint32_t i = 0; i < g->op_count; i++)
        if (g->ops[i].type == GV_PSX_OP_RASTER)
            all = gv_psx_rect_join(&all, &g->ops[i].rect);
    if (!gv_psx_rect_empty(&all) && g->lists.size) // whole blocks
        all = (struct gv_psx_rect){ all.x0 & -GV_PSX_BLOCK, all.y0 & -GV_PSX_BLOCK,
                                    all.x1 | (GV_PSX_BLOCK - 1),
                                    all.y1 | (GV_PSX_BLOCK - 1) };
    if (gv_psx_rect_empty(&all))
        return (struct tiles){ 0, 0, 1, 1 };
    return tiles_of(d, &all);
}

static uint64_t bin_bytes(const struct gv_psx_group *g, const struct tiles *bins)
{
    return (uint64_t)bins->w * bins->h * PSX_BIN_STRIDE(words_per_bin(g)) * 4;
}

static void prepare_records(struct gv_psx_device *d, const struct gv_psx_group *g,
                            const struct layout *at, const struct tiles *bins)
{
    const uint32_t params[PSX_PARAM_WORDS] = {
        g->record_count,  at->states,       at->records,
        at->spans,        at->quads,        words_per_bin(g),
        d->params.tile_w, d->params.tile_h, bins->x | bins->y << 16,
        bins->w,
    };
    struct gv_psx_ranges ranges = { .count = 0 };
    gv_psx_ranges_bytes(&ranges, PSX_BIND_RECORDS, GV_RANGE_READ, 0,
                        (uint64_t)at->lists * 4);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_SETUP, GV_RANGE_OVERWRITE, 0,
                        g->prepared_count * SETUP_BYTES);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_BINS, GV_RANGE_WRITE, 0, bin_bytes(g, bins));
    gv_emit(d->builder, buffer_fill, .buffer = d->bins, .offset = 0,
            .size = bin_bytes(g, bins), .value = 0);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_SETUP);
    dispatch(d, p, params, (g->record_count + 31) / 32, 1, &ranges);
}

// What an operation that draws reads besides what it draws on.
static void drawing_reads(const struct gv_psx_group *g, const struct gv_psx_op *op,
                          struct gv_psx_ranges *ranges)
{
    const struct gv_psx_slots palettes = { op->slot, op->slots, g->wide_slots };
    gv_psx_ranges_cover(ranges, &op->sampled, GV_RANGE_READ);
    gv_psx_ranges_bytes(ranges, PSX_BIND_SETUP, GV_RANGE_READ, op->first * SETUP_BYTES,
                        (op->last - op->first + 1) * SETUP_BYTES);
    if (op->slots)
        gv_psx_ranges_slots(ranges, &palettes, GV_RANGE_READ);
    else
        gv_psx_ranges_unused(ranges, PSX_BIND_CLUT);
}

static void raster(struct gv_psx_device *d, const struct gv_psx_group *g,
                   const struct gv_psx_op *op, const struct layout *at,
                   const struct tiles *bins)
{
    const uint32_t group_w = PSX_GROUP_TILES_W, group_h = PSX_GROUP_TILES / group_w;
    struct tiles t = tiles_of(d, &op->rect);
    const uint32_t params[PSX_PARAM_WORDS] = { op->first,
                                               op->last,
                                               words_per_bin(g),
                                               t.x | t.y << 16,
                                               bins->x | bins->y << 16,
                                               bins->w,
                                               op->list_count ? at->lists + op->list
                                                              : 0 };
    struct gv_psx_ranges ranges = { .count = 0 };
    uint32_t x = t.w / group_w, y = t.h / group_h;
    gv_psx_ranges_cover(&ranges, &op->drawn, GV_RANGE_WRITE);
    gv_psx_ranges_bands(&ranges, op->bands, op->band_count);
    drawing_reads(g, op, &ranges);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_BINS, GV_RANGE_READ, 0, bin_bytes(g, bins));
    if (!op->list_count) {
        gv_psx_ranges_unused(&ranges, PSX_BIND_RECORDS);
    } else {
        gv_psx_ranges_bytes(&ranges, PSX_BIND_RECORDS, GV_RANGE_READ,
                            (uint64_t)4 * (at->lists + op->list),
                            (uint64_t)4 * op->list_count);
        x = PSX_BLOCK / (d->params.tile_w * group_w) *
            (PSX_BLOCK / (d->params.tile_h * group_h));
        y = op->list_count;
    }
    dispatch(d, gv_psx_raster_pipeline(&d->pipelines, op->state), params, x, y,
             &ranges);
}

// lavapipe ends an invocation's loops after 65535 turns in all.
#define ORDERED_CELLS 40000

static void ordered_rows(struct gv_psx_device *d, const struct gv_psx_group *g,
                         const struct gv_psx_op *op, const struct gv_psx_walk *rows)
{
    const uint32_t params[PSX_PARAM_WORDS] = { op->first, rows->first, rows->count,
                                               rows->up };
    struct gv_psx_rect drawn = op->rect;
    struct gv_psx_ranges ranges = { .count = 0 };
    drawn.y0 = (int32_t)(rows->up ? rows->first - rows->count + 1 : rows->first);
    drawn.y1 = drawn.y0 + (int32_t)rows->count - 1;
    gv_psx_ranges_cells(&ranges, &drawn, GV_RANGE_WRITE);
    drawing_reads(g, op, &ranges);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_ORDERED);
    dispatch(d, p, params, 1, 1, &ranges);
}

static void ordered(struct gv_psx_device *d, const struct gv_psx_group *g,
                    const struct gv_psx_op *op)
{
    uint32_t width = (uint32_t)(op->rect.x1 - op->rect.x0 + 1);
    uint32_t most = ORDERED_CELLS / (width + 1);
    for (int part = 0; part < 2; part++) {
        struct gv_psx_walk left = op->walks[part], rows;
        for (; left.count; left.count -= rows.count) {
            rows = left;
            rows.count = left.count < most ? left.count : most;
            ordered_rows(d, g, op, &rows);
            left.first = left.up ? left.first - rows.count : left.first + rows.count;
        }
    }
}

static void fill(struct gv_psx_device *d, const struct gv_psx_op *op)
{
    const struct gv_psx_place *to = &op->to;
    struct gv_psx_area area = gv_psx_area_wrapped(to, op->y_mask + 1);
    const uint32_t params[PSX_PARAM_WORDS] = {
        to->x / 8,  to->y,   to->w / 8, to->h, op->word | op->word << 16,
        op->y_mask, op->skip
    };
    struct gv_psx_ranges ranges = { .count = 0 };
    for (uint32_t i = 0; i < area.count; i++)
        gv_psx_ranges_rows(&ranges, &area.rects[i], op->skip);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_FILL);
    dispatch(d, p, params, (to->w / 8 * to->h + 63) / 64, 1, &ranges);
}

static void load_cluts(struct gv_psx_device *d, const struct gv_psx_group *g,
                       const struct gv_psx_op *op, const struct layout *at)
{
    const uint32_t params[PSX_PARAM_WORDS] = { at->cluts, op->first };
    const uint32_t loads = op->last - op->first + 1;
    const struct gv_psx_slots slots = { op->slot, op->slots, g->wide_slots };
    struct gv_psx_ranges ranges = { .count = 0 };
    gv_psx_ranges_cover(&ranges, &op->sampled, GV_RANGE_READ);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_RECORDS, GV_RANGE_READ,
                        (uint64_t)4 * (at->cluts + op->first * 2), (uint64_t)8 * loads);
    gv_psx_ranges_slots(&ranges, &slots, GV_RANGE_OVERWRITE);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_CLUT);
    dispatch(d, p, params, loads, 1, &ranges);
}

// ---- transfers ----

static uint64_t cell_offset(uint32_t x, uint32_t y)
{
    return (uint64_t)y * 2048 + (uint64_t)x * 2;
}

static void upload(struct gv_psx_device *d, const struct gv_psx_group *g,
                   const struct gv_psx_op *op)
{
    const struct gv_psx_rect *r = &op->rect;
    uint32_t row_bytes = (uint32_t)(r->x1 - r->x0 + 1) * 2;
    gv_emit(d->builder, buffer_upload_rows, .buffer = d->vram,
            .offset = cell_offset((uint32_t)r->x0, (uint32_t)r->y0),
            .row_bytes = row_bytes, .stride = 2048,
            .rows = (uint32_t)(r->y1 - r->y0 + 1),
            .data = gv_data(g->data.data + op->data), .size = op->data_size);
}

static void use_staging(struct gv_psx_device *d, struct gv_buffer *buffer,
                        uint64_t size)
{
    if (!buffer->id)
        *buffer = storage_buffer(d, size);
    bind_storage(d, PSX_BIND_STAGING, *buffer);
}

#define MOVE_SET 1u
#define MOVE_CHECK 2u
#define MOVE_STAGED 4u

// Whether [a, a + n) and [b, b + n) share nothing on a circle of `size`.
static bool apart_on_circle(uint32_t a, uint32_t b, uint32_t n, uint32_t size)
{
    return ((b - a) & (size - 1)) >= n && ((a - b) & (size - 1)) >= n;
}

// Whether no row of a move reads what another one writes.
static bool rows_independent(const struct gv_psx_op *op)
{
    const struct gv_psx_place *from = &op->from, *to = &op->to;
    return op->type == GV_PSX_OP_STORE || from->y == to->y ||
           apart_on_circle(from->y, to->y, to->h, op->y_mask + 1) ||
           apart_on_circle(from->x, to->x, to->w, 1024);
}

static void move_ranges(const struct gv_psx_op *op, struct gv_psx_ranges *ranges)
{
    const struct gv_psx_area to = gv_psx_area_wrapped(&op->to, op->y_mask + 1);
    if (op->type == GV_PSX_OP_STORE) {
        gv_psx_ranges_bytes(ranges, PSX_BIND_STAGING, GV_RANGE_READ, 0, op->data_size);
    } else {
        const struct gv_psx_place place = { op->from.x, op->from.y, op->to.w,
                                            op->to.h };
        const struct gv_psx_area from = gv_psx_area_wrapped(&place, op->y_mask + 1);
        gv_psx_ranges_area(ranges, &from, GV_RANGE_READ);
    }
    // A STORE is masked, or it were an UPLOAD.
    gv_psx_ranges_area(ranges, &to,
                       op->mask.check || op->type == GV_PSX_OP_STORE
                           ? GV_RANGE_WRITE
                           : GV_RANGE_OVERWRITE);
}

static void move(struct gv_psx_device *d, const struct gv_psx_group *g,
                 const struct gv_psx_op *op)
{
    bool staged = op->type == GV_PSX_OP_STORE;
    const struct gv_psx_place *from = &op->from, *to = &op->to;
    uint32_t flags = (op->mask.set ? MOVE_SET : 0) | (op->mask.check ? MOVE_CHECK : 0) |
                     (staged ? MOVE_STAGED : 0);
    uint32_t rows = rows_independent(op) ? 1 : to->h; // of a workgroup
    const uint32_t params[PSX_PARAM_WORDS] = { from->x,         from->y,         to->x,
                                               to->y,           to->w,           to->h,
                                               flags,           op->y_mask,      0,
                                               op->cells.first, op->cells.count, rows };
    struct gv_psx_ranges ranges = { .count = 0 };
    move_ranges(op, &ranges);
    if (staged) {
        use_staging(d, &d->staging, STAGING_BYTES);
        gv_emit(d->builder, buffer_upload, .buffer = d->staging, .offset = 0,
                .data = gv_data(g->data.data + op->data), .size = op->data_size);
    } else { // something has to be bound
        bind_storage(d, PSX_BIND_STAGING, d->vram);
    }
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_MOVE);
    dispatch(d, p, params, to->h / rows, 1, &ranges);
}

static bool plain_copy(const struct gv_psx_op *op)
{
    uint32_t rows = op->y_mask + 1;
    const struct gv_psx_place *from = &op->from, *to = &op->to;
    bool wraps = from->x + to->w > 1024 || to->x + to->w > 1024 ||
                 from->y + to->h > rows || to->y + to->h > rows;
    bool apart = from->x + to->w <= to->x || to->x + to->w <= from->x ||
                 from->y + to->h <= to->y || to->y + to->h <= from->y;
    return !op->mask.set && !op->mask.check && !wraps && apart;
}

static void copy(struct gv_psx_device *d, const struct gv_psx_group *g,
                 const struct gv_psx_op *op)
{
    if (!plain_copy(op)) {
        move(d, g, op);
        return;
    }
    gv_emit(d->builder, buffer_copy_rows, .dst = d->vram,
            .dst_offset = cell_offset(op->to.x, op->to.y), .dst_stride = 2048,
            .src = d->vram, .src_offset = cell_offset(op->from.x, op->from.y),
            .src_stride = 2048, .row_bytes = op->to.w * 2, .rows = op->to.h);
}

static void post_words(struct gv_psx_device *d, uint32_t words)
{
    gv_emit(d->builder, post_buffer, .export = d->readback_export,
            .buffer = d->readback, .offset = 4, .size = (uint64_t)words * 4,
            .append = true);
}

// The rows of a place that hold some of its cells.
static struct gv_psx_area area_of_cells(const struct gv_psx_place *place,
                                        const struct gv_psx_cells *cells, uint32_t rows)
{
    uint32_t first = cells->first / place->w,
             last = (cells->first + cells->count - 1) / place->w;
    struct gv_psx_place part = { place->x, (place->y + first) & (rows - 1), place->w,
                                 last - first + 1 };
    if (first == last) {
        part.x = (place->x + cells->first % place->w) & 1023;
        part.w = cells->count;
    }
    return gv_psx_area_wrapped(&part, rows);
}

static void read_vram(struct gv_psx_device *d, const struct gv_psx_op *op)
{
    uint32_t words = (op->cells.count + 1) / 2;
    const uint32_t params[PSX_PARAM_WORDS] = { op->from.x,      op->from.y,
                                               op->from.w,      op->cells.first,
                                               op->cells.count, op->y_mask };
    use_staging(d, &d->readback, READBACK_BYTES);
    struct gv_psx_ranges ranges = { .count = 0 };
    const struct gv_psx_area from =
        area_of_cells(&op->from, &op->cells, op->y_mask + 1);
    gv_psx_ranges_area(&ranges, &from, GV_RANGE_READ);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_STAGING, GV_RANGE_OVERWRITE, 0,
                        4 + (uint64_t)words * 4);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_READ);
    dispatch(d, p, params, (words + 63) / 64, 1, &ranges);
    if (op->keep)
        post_words(d, words);
}

static void latch(struct gv_psx_device *d, const struct gv_psx_op *op)
{
    const uint32_t params[PSX_PARAM_WORDS] = { op->word, op->from_vram };
    use_staging(d, &d->readback, READBACK_BYTES);
    struct gv_psx_ranges ranges = { .count = 0 };
    gv_psx_ranges_bytes(&ranges, PSX_BIND_STAGING, GV_RANGE_READ, 0, 4);
    gv_psx_ranges_bytes(&ranges, PSX_BIND_STAGING, GV_RANGE_OVERWRITE, 4, 4);
    struct gv_pipeline p = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_LATCH);
    dispatch(d, p, params, 1, 1, &ranges);
    post_words(d, 1);
}

// What an operation writes of VRAM; count 0: nothing.
static struct gv_psx_area written_by(const struct gv_psx_op *op)
{
    switch (op->type) {
    case GV_PSX_OP_RASTER:
    case GV_PSX_OP_ORDERED:
    case GV_PSX_OP_UPLOAD:
        return (struct gv_psx_area){ .rects = { op->rect }, .count = 1 };
    case GV_PSX_OP_FILL:
    case GV_PSX_OP_STORE:
    case GV_PSX_OP_COPY:
        return gv_psx_area_wrapped(&op->to, op->y_mask + 1);
    case GV_PSX_OP_CLUT:
    case GV_PSX_OP_READ:
    case GV_PSX_OP_LATCH:
        break;
    }
    return (struct gv_psx_area){ .count = 0 };
}

void gv_psx_device_emit(struct gv_psx_device *d, const struct gv_psx_group *g)
{
    gv_psx_device_tell_position(d);
    struct layout at = upload_records(d, g);
    struct tiles bins = binned_tiles(d, g);
    if (g->record_count)
        prepare_records(d, g, &at, &bins);
    for (uint32_t i = 0; i < g->op_count; i++) {
        const struct gv_psx_op *op = &g->ops[i];
        const struct gv_psx_area written = written_by(op);
        if (written.count)
            gv_psx_stamp(&d->stamps, &written);
        switch (op->type) {
        case GV_PSX_OP_RASTER:
            raster(d, g, op, &at, &bins);
            break;
        case GV_PSX_OP_ORDERED:
            ordered(d, g, op);
            break;
        case GV_PSX_OP_FILL:
            fill(d, op);
            break;
        case GV_PSX_OP_CLUT:
            load_cluts(d, g, op, &at);
            break;
        case GV_PSX_OP_UPLOAD:
            upload(d, g, op);
            break;
        case GV_PSX_OP_STORE:
            move(d, g, op);
            break;
        case GV_PSX_OP_COPY:
            copy(d, g, op);
            break;
        case GV_PSX_OP_READ:
            read_vram(d, op);
            break;
        case GV_PSX_OP_LATCH:
            latch(d, op);
            break;
        }
    }
}

// ---- pictures ----

// The buffer and image of a size, made again when too many sizes were seen.
static struct gv_psx_picture *picture_of(struct gv_psx_device *d, uint32_t width,
                                         uint32_t height)
{
    for (uint32_t i = 0; i < d->picture_count; i++)
        if (d->pictures[i].shown.width == width &&
            d->pictures[i].shown.height == height)
            return &d->pictures[i];
    struct gv_psx_picture *p = &d->pictures[d->next_picture];
    d->next_picture = (d->next_picture + 1) % GV_PSX_PICTURES;
    if (p->image.id) {
        gv_emit(d->builder, image_destroy, .image = p->image);
        gv_emit(d->builder, buffer_destroy, .buffer = p->buffer);
    }
    if (d->picture_count < GV_PSX_PICTURES)
        d->picture_count++;
    *p = (struct gv_psx_picture){ .shown = { .width = width, .height = height } };
    p->buffer = storage_buffer(d, (uint64_t)width * height * 4);
    p->image = gv_emit(d->builder, image_create, .type = GV_IMAGE_TYPE_2D,
                       .format = GV_FORMAT_R8G8B8A8_UNORM, .width = width,
                       .height = height, .depth = 1, .mips = 1, .layers = 1,
                       .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    return p;
}

void gv_psx_device_post(struct gv_psx_device *d)
{
    if (d->posted && d->posted_when == d->stamps.last)
        return; // what was posted last is what would be posted now
    d->posted = true;
    d->posted_when = d->stamps.last;
    gv_psx_device_tell_position(d);
    gv_emit(d->builder, post_buffer, .export = d->vram_export, .buffer = d->vram,
            .offset = 0, .size = VRAM_BYTES(d), .append = false);
}

// The cells that a display area shows.
static struct gv_psx_area shown_area(const struct gv_psx_display_params *p)
{
    uint32_t w = p->rgb24 ? p->width / 2 * 3 : p->width, h = p->height;
    bool all_columns = w >= 1024, all_rows = h > p->row_mask;
    const struct gv_psx_place place = { all_columns ? 0 : p->x & 1023,
                                        all_rows ? 0 : p->y & p->row_mask,
                                        all_columns ? 1024 : w,
                                        all_rows ? p->row_mask + 1 : h };
    return gv_psx_area_wrapped(&place, p->row_mask + 1);
}

// Whether a picture made before is that of `p`, to the bit.
static bool still_shows(const struct gv_psx_device *d,
                        const struct gv_psx_picture *picture,
                        const struct gv_psx_display_params *p)
{
    const struct gv_psx_display_params *was = &picture->shown;
    if (!picture->made || was->off != p->off)
        return false;
    if (p->off)
        return true;
    if (was->x != p->x || was->y != p->y || was->row_mask != p->row_mask ||
        was->rgb24 != p->rgb24)
        return false;
    const struct gv_psx_area shown = shown_area(p);
    return !gv_psx_stamped_since(&d->stamps, &shown, picture->when);
}

static void make_picture(struct gv_psx_device *d, struct gv_psx_picture *picture,
                         const struct gv_psx_display_params *p)
{
    uint64_t size = (uint64_t)p->width * p->height * 4;
    uint32_t flags = p->off ? 1 : p->rgb24 ? 2 : 0;
    const uint32_t params[PSX_PARAM_WORDS] = { p->x,      p->y,        p->width / 4,
                                               p->height, p->row_mask, flags };
    struct gv_psx_ranges ranges = { .count = 0 };
    if (p->off) {
        gv_psx_ranges_unused(&ranges, PSX_BIND_VRAM);
    } else {
        const struct gv_psx_area shown = shown_area(p);
        gv_psx_ranges_area(&ranges, &shown, GV_RANGE_READ);
    }
    gv_psx_ranges_bytes(&ranges, PSX_BIND_PICTURE, GV_RANGE_OVERWRITE, 0, size);
    bind_storage(d, PSX_BIND_PICTURE, picture->buffer);
    struct gv_pipeline pipe = gv_psx_pipeline(&d->pipelines, GV_PSX_KERNEL_DISPLAY);
    dispatch(d, pipe, params, (p->width / 4 * p->height + 31) / 32, 1, &ranges);
    gv_emit(d->builder, buffer_to_image, .image = picture->image,
            .aspect = GV_ASPECT_COLOR, .mip = 0, .layer = 0, .layers = 1, .x = 0,
            .y = 0, .z = 0, .width = p->width, .height = p->height, .depth = 1,
            .buffer = picture->buffer, .offset = 0, .row_bytes = 0, .rows = 0);
    picture->shown = *p;
    picture->made = true;
    picture->when = d->stamps.last;
}

void gv_psx_device_present(struct gv_psx_device *d,
                           const struct gv_psx_display_params *p)
{
    gv_psx_device_tell_position(d);
    gv_psx_device_post(d);
    if (p->width == 0 || p->height == 0)
        return;
    struct gv_psx_picture *picture = picture_of(d, p->width, p->height);
    if (!still_shows(d, picture, p))
        make_picture(d, picture, p);
    gv_emit(d->builder, present, .image = picture->image, .mip = 0, .layer = 0, .x = 0,
            .y = 0, .width = p->width, .height = p->height, .flags = GV_PRESENT_OPAQUE);
}
