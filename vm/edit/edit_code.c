#include "vm/edit/edit_code.h"

#include <stdlib.h>
#include <string.h>

// Operations [first, first + count) in front of a unit, in its place or behind it.
struct insert {
    uint32_t unit;
    uint32_t where; // enum gv_edit_where
    size_t first, count;
};

static void put_op(struct gv_edit_code *code, uint8_t kind, uint64_t value,
                   uint64_t size)
{
    const struct gv_patch_op op = { kind, value, size };
    gv_bytes_put(&code->ops, &op, sizeof op);
}

static void put_address(struct gv_edit_code *code, uint8_t kind, uint32_t index,
                        uint64_t offset)
{
    put_op(code, kind, index, 0);
    if (offset)
        put_op(code, GV_PATCH_ADD, offset, 0);
}

// `size`: bytes of it that are used, where it is an address.
static bool put_cell(struct gv_edit_code *code, const struct gv_unit_cell *cell,
                     uint64_t size, struct gv_error *err)
{
    switch (cell->type) {
    case GV_UNIT_KNOWN:
        put_op(code, GV_PATCH_PUSH, cell->value, 0);
        return true;
    case GV_UNIT_HANDLE:
        put_op(code, GV_PATCH_LOAD_SLOT, cell->index, 0);
        return true;
    case GV_UNIT_CONST:
        put_op(code, GV_PATCH_CONST, cell->value, size);
        return true;
    case GV_UNIT_VOLATILE:
        put_op(code, GV_PATCH_VOLATILE, cell->value, 0);
        return true;
    case GV_UNIT_MAPPED:
        put_address(code, GV_PATCH_LOAD_SLOT, cell->index, cell->value);
        return true;
    case GV_UNIT_RESOURCE:
        put_address(code, GV_PATCH_RESOURCE, cell->index, cell->value);
        return true;
    case GV_EDIT_DATA:
        put_op(code, GV_PATCH_DATA, cell->index, 0);
        return true;
    default:
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: edit of a call whose arguments are computed");
    }
}

bool gv_edit_put(struct gv_edit_code *code, uint32_t unit, enum gv_edit_where where,
                 const struct gv_edit_call *call, struct gv_error *err)
{
    const struct gv_call_info *info = &gv_call_infos[call->call];
    struct insert in = { unit, where, code->ops.size / sizeof(struct gv_patch_op), 0 };
    for (size_t i = 0; i < info->arg_count; i++) {
        const uint64_t size =
            info->args[i].kind == GV_ARG_BYTES ? call->args[i + 1].value : 0;
        if (!put_cell(code, &call->args[i], size, err))
            return false;
    }
    put_op(code, GV_PATCH_CALL, call->call, 0);
    if (call->store)
        put_op(code, GV_PATCH_STORE_SLOT, call->store - 1, 0);
    in.count = code->ops.size / sizeof(struct gv_patch_op) - in.first;
    gv_bytes_put(&code->inserts, &in, sizeof in);
    return !(code->ops.failed || code->inserts.failed) || gv_out_of_memory(err);
}

bool gv_edit_data(struct gv_edit_code *code, struct gv_span bytes, uint32_t *number,
                  struct gv_error *err)
{
    if (code->data_count == code->data_capacity) {
        const size_t capacity = code->data_capacity ? code->data_capacity * 2 : 16;
        struct gv_span *grown = realloc(code->data, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(err);
        code->data = grown;
        code->data_capacity = capacity;
    }
    const void *copy = gv_arena_copy(&code->arena, bytes.data, bytes.size);
    if (!copy)
        return gv_out_of_memory(err);
    *number = (uint32_t)code->data_count;
    code->data[code->data_count++] = (struct gv_span){ copy, bytes.size };
    return true;
}

uint32_t gv_edit_slot(struct gv_edit_code *code, enum gv_kind kind)
{
    const struct gv_slot_info slot = { .kind = (uint8_t)kind };
    const size_t number = code->slots.size / sizeof slot;
    gv_bytes_put(&code->slots, &slot, sizeof slot);
    code->objects++;
    return code->slot_base + (uint32_t)number;
}

bool gv_edit_call_of(const struct gv_unit *unit, struct gv_edit_call *call,
                     struct gv_error *err)
{
    const struct gv_unit_op *op = unit->ops;
    const bool stores = unit->op_count == 2 && op[1].kind == GV_UNIT_STORE_SLOT;
    if (unit->control || unit->overflow || !unit->op_count ||
        op[0].kind != GV_UNIT_CALL || !(unit->op_count == 1 || stores))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: edit of a call in a loop or beside others");
    call->call = op[0].call;
    memcpy(call->args, op[0].args, sizeof call->args);
    call->store = stores ? op[1].number + 1 : 0;
    return true;
}

// ---- units ----

static size_t chunk_of(const struct gv_track *t, uint32_t unit)
{
    size_t low = 0, high = t->chunk_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (t->chunk_units[middle] <= unit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool gv_edit_enter(struct gv_track *t, uint32_t unit, struct gv_error *err)
{
    if (!gv_track_enter(t, chunk_of(t, unit), err))
        return false;
    gv_track_decode(t, unit);
    return true;
}

// ---- what is written ----

// The units that something stands in front of: those behind whose unit too.
static bool *find_cuts(const struct gv_edit_code *code, const struct gv_track *t)
{
    bool *cut = calloc(t->unit_count + 2, sizeof *cut);
    struct insert in;
    for (size_t i = 0; cut && i < code->inserts.size; i += sizeof in) {
        memcpy(&in, code->inserts.data + i, sizeof in);
        cut[in.unit] |= in.where != GV_EDIT_BEHIND;
        cut[in.unit + 1] |= in.where != GV_EDIT_BEFORE;
    }
    return cut;
}

static uint32_t end_of(const struct gv_track *t, size_t chunk, uint32_t unit)
{
    return unit < t->chunk_units[chunk + 1] ? t->units[unit].begin
                                            : t->payload->chunks[chunk].size - 1;
}

static uint32_t runs_of(const struct gv_track *t, size_t chunk, const bool *left_out,
                        const bool *cut, struct gv_kept_run *out)
{
    uint32_t unit = t->chunk_units[chunk], n = 0;
    const uint32_t end = t->chunk_units[chunk + 1];
    while (unit < end) {
        const struct gv_track_unit *first = &t->units[unit];
        if (left_out[unit++])
            continue;
        while (unit < end && !left_out[unit] && !cut[unit])
            unit++;
        out[n++] = (struct gv_kept_run){ .begin = first->begin,
                                         .end = end_of(t, chunk, unit),
                                         .next_resource = first->next_resource,
                                         .command = first->command };
    }
    return n;
}

bool gv_edit_runs(const struct gv_edit_code *code, const struct gv_track *t,
                  const bool *left_out, struct gv_kept *kept, struct gv_error *err)
{
    bool *cut = find_cuts(code, t);
    *kept = (struct gv_kept){ .chunk_count = t->chunk_count };
    // At most as many runs as units; what is not used of it costs nothing.
    kept->runs = malloc((t->unit_count + 1) * sizeof *kept->runs);
    kept->chunk_runs = calloc(t->chunk_count + 1, sizeof *kept->chunk_runs);
    const bool ok = cut && kept->runs && kept->chunk_runs;
    for (size_t i = 0; ok && i < t->chunk_count; i++)
        kept->chunk_runs[i + 1] =
            kept->chunk_runs[i] +
            runs_of(t, i, left_out, cut, &kept->runs[kept->chunk_runs[i]]);
    free(cut);
    return ok || gv_out_of_memory(err);
}

struct placed {
    struct gv_patch patch;
    uint32_t unit, order; // what stands behind a unit goes with the next one
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

// In one place: first what is behind the unit before it, then what is in front of or in
// place of this one, each in the order in which they came.
static struct placed place(const struct gv_edit_code *code, const struct gv_track *t,
                           const struct insert *in, uint32_t number)
{
    const size_t chunk = chunk_of(t, in->unit);
    const bool behind = in->where == GV_EDIT_BEHIND;
    const struct gv_patch_op *ops = (const void *)code->ops.data;
    return (struct placed){
        .patch = { .chunk = chunk,
                   .at = behind ? end_of(t, chunk, in->unit + 1)
                                : t->units[in->unit].begin,
                   .command = t->units[in->unit].command,
                   .ops = ops + in->first,
                   .count = in->count },
        .unit = in->unit,
        .order = number | (uint32_t)in->where << 30,
    };
}

bool gv_edit_patches(const struct gv_edit_code *code, const struct gv_track *t,
                     struct gv_slice_patches *out, struct gv_patch **items,
                     struct gv_error *err)
{
    struct insert in;
    const size_t count = code->inserts.size / sizeof in;
    struct placed *placed = malloc((count + 1) * sizeof *placed);
    *items = malloc((count + 1) * sizeof **items);
    if (!placed || !*items) {
        free(placed);
        return gv_out_of_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(&in, code->inserts.data + i * sizeof in, sizeof in);
        placed[i] = place(code, t, &in, (uint32_t)i);
    }
    qsort(placed, count, sizeof *placed, compare_placed);
    for (size_t i = 0; i < count; i++)
        (*items)[i] = placed[i].patch;
    free(placed);
    *out = (struct gv_slice_patches){
        .items = *items,
        .count = count,
        .data = code->data,
        .data_count = code->data_count,
        .slots = (const void *)code->slots.data,
        .slot_count = code->slots.size / sizeof(struct gv_slot_info),
        .objects = code->objects,
    };
    return true;
}

void gv_edit_code_finish(struct gv_edit_code *code)
{
    gv_arena_finish(&code->arena);
    free(code->data);
    gv_bytes_finish(&code->ops);
    gv_bytes_finish(&code->inserts);
    gv_bytes_finish(&code->slots);
}
