// The rules over calls: each argument against its row.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/formats.h"
#include "vm/verify/verify_internal.h"

#define REFUSE(rule, ...) gv_verify_refuse_at(v, GV_RULE_##rule, __VA_ARGS__)

// One argument under judgement, for messages.
struct argument {
    const struct import_row *import;
    const struct arg_row *row;
    uint8_t index;
};

#define CALL_ARG "%s.%s: "
#define NAMES(a) (a)->import->info->name, (a)->import->info->args[(a)->index].name

static bool is_handle(const struct cell *c, uint8_t kind)
{
    if (kind == GV_KIND_MAP) // the base address out of a slot stands for the map
        return c->type == CELL_MAPPED && c->value == 0;
    return (c->type == CELL_HANDLE || c->type == CELL_RESULT) && c->kind == kind;
}

static bool check_object(struct verifier *v, const struct argument *a,
                         const struct cell *c)
{
    bool none = a->row->check == CHECK_OBJECT_OPT && c->type == CELL_KNOWN && !c->value;
    if (none || is_handle(c, a->row->object))
        return true;
    return REFUSE(ARGUMENT_KIND, CALL_ARG "not a handle of its kind", NAMES(a));
}

static bool known(struct verifier *v, const struct argument *a, const struct cell *c)
{
    if (c->type == CELL_KNOWN)
        return true;
    if (c->type == CELL_UNKNOWN)
        return REFUSE(ARGUMENT_UNKNOWN, CALL_ARG "depends on memory", NAMES(a));
    return REFUSE(ARGUMENT_KIND, CALL_ARG "not a number", NAMES(a));
}

static bool check_number(struct verifier *v, const struct argument *a,
                         const struct cell *c)
{
    if (c->type == CELL_UNKNOWN) // checked when it runs
        return true;
    if (c->type != CELL_KNOWN)
        return REFUSE(ARGUMENT_KIND, CALL_ARG "not a number", NAMES(a));
    bool fits = a->row->check == CHECK_SIGNED
                    ? c->value + UINT64_C(0x80000000) <= UINT32_MAX
                    : c->value <= a->row->max;
    return fits || REFUSE(ARGUMENT_RANGE, CALL_ARG "%" PRIi64 " does not fit", NAMES(a),
                          (int64_t)c->value);
}

static bool check_enum(struct verifier *v, const struct argument *a,
                       const struct cell *c)
{
    if (!known(v, a, c))
        return false;
    bool valid;
    if (a->row->check == CHECK_BITS)
        valid = (c->value & ~a->row->max) == 0;
    else if (c->value < 64)
        valid = a->row->max >> c->value & 1;
    else
        valid = gv_enum_valid(a->row->of, c->value);
    return valid || REFUSE(ARGUMENT_ENUM, CALL_ARG "%" PRIu64 " is no value of it",
                           NAMES(a), c->value);
}

static bool check_format(struct verifier *v, const struct argument *a,
                         const struct cell *c)
{
    if (!known(v, a, c))
        return false;
    if ((a->row->check == CHECK_FORMAT_OPT && !c->value) || gv_format_info(c->value))
        return true;
    return REFUSE(ARGUMENT_FORMAT, CALL_ARG "%" PRIu64 " is no format", NAMES(a),
                  c->value);
}

static bool check_export(struct verifier *v, const struct argument *a,
                         const struct cell *c)
{
    if (!known(v, a, c))
        return false;
    const struct gv_payload *p = v->payload;
    if (c->value < p->export_count && p->exports[c->value].kind == a->row->object)
        return true;
    return REFUSE(ARGUMENT_EXPORT, CALL_ARG "%" PRIu64 " is no such export", NAMES(a),
                  c->value);
}

// ---- descriptions ----

static bool decode_ranges(struct gv_cursor *c, struct gv_error *err)
{
    struct gv_dispatch_range range;
    size_t count = 0;
    while (gv_dispatch_range_next(c, &range))
        if (++count > GV_MAX_DISPATCH_RANGES)
            return gv_fail(err, GV_ERR_FORMAT, c->pos, "too many dispatch ranges");
    return !c->bad || gv_fail(err, GV_ERR_FORMAT, c->pos, "malformed dispatch range");
}

static bool decode(struct verifier *v, uint32_t of, struct gv_cursor c,
                   struct gv_error *err)
{
    struct gv_sampler_desc sampler;
    switch (of) {
    case GV_ENUM_ID_GRAPHICS_DESC:
        return gv_graphics_desc_decode(&c, v->graphics, err);
    case GV_ENUM_ID_COMPUTE_DESC:
        return gv_compute_desc_decode(&c, v->compute, err);
    case GV_ENUM_ID_SAMPLER_DESC:
        return gv_sampler_desc_decode(&c, &sampler, err);
    default:
        return decode_ranges(&c, err);
    }
}

static size_t desc_place(const struct desc_key *keys, size_t capacity,
                         const struct desc_key *key)
{
    uint64_t hash = (key->offset * UINT64_C(0x9e3779b97f4a7c15) + key->size) *
                    UINT64_C(0xbf58476d1ce4e5b9);
    size_t i = (size_t)(hash >> 32) & (capacity - 1);
    while (keys[i].size && (keys[i].offset != key->offset ||
                            keys[i].size != key->size || keys[i].of != key->of))
        i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow_descs(struct verifier *v)
{
    if (v->desc_count * 2 < v->desc_capacity)
        return true;
    size_t capacity = v->desc_capacity ? v->desc_capacity * 2 : 64;
    struct desc_key *keys = calloc(capacity, sizeof *keys);
    if (!keys)
        return gv_fail(v->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "no memory for the verifier");
    for (size_t i = 0; i < v->desc_capacity; i++)
        if (v->descs[i].size)
            keys[desc_place(keys, capacity, &v->descs[i])] = v->descs[i];
    free(v->descs);
    v->descs = keys;
    v->desc_capacity = capacity;
    return true;
}

// Each description is decoded once however often it is used; the sum over distinct ones
// (which may overlap) is bounded so that the pass stays linear.
#define DESC_WORK_FLOOR (UINT64_C(16) << 20)
#define DESC_WORK_FACTOR 8

static bool check_desc(struct verifier *v, const struct argument *a,
                       const struct desc_key *key)
{
    if (!grow_descs(v))
        return false;
    struct desc_key *place = &v->descs[desc_place(v->descs, v->desc_capacity, key)];
    if (place->size)
        return true;
    v->desc_work += key->size; // sizes are below 2^36
    if (v->desc_work >
        DESC_WORK_FLOOR + DESC_WORK_FACTOR * (uint64_t)v->payload->constant_size)
        return REFUSE(DESCRIPTION_WORK, CALL_ARG "too much to decode", NAMES(a));
    struct gv_error inner = GV_ERROR_INIT;
    struct gv_cursor c =
        gv_cursor_make(v->payload->constants + key->offset, (size_t)key->size);
    if (!decode(v, key->of, c, &inner))
        return REFUSE(DESCRIPTION, CALL_ARG "%s", NAMES(a), inner.message);
    *place = *key;
    v->desc_count++;
    return true;
}

static bool check_bytes(struct verifier *v, const struct argument *a,
                        const struct cell *c)
{
    const struct cell *size = c + 1; // calls.def: the next argument, of kind SIZE
    if (c->type < CELL_CONST)
        return REFUSE(ARGUMENT_KIND, CALL_ARG "not an address", NAMES(a));
    if (size->type != CELL_KNOWN)
        return REFUSE(ARGUMENT_UNKNOWN, CALL_ARG "of unknown size", NAMES(a));
    if (!gv_verify_access(v, c, size->value))
        return REFUSE(ARGUMENT_BYTES,
                      CALL_ARG "%" PRIu64 " bytes at %" PRIu64 " leave their space",
                      NAMES(a), size->value, c->value);
    // Bytes outside the constants are not known yet: the host decodes them anyway.
    if (a->row->check != CHECK_DESC || c->type != CELL_CONST)
        return true;
    // A dispatch without ranges touches all that is bound.
    if (!size->value)
        return a->row->of == GV_ENUM_ID_DISPATCH_RANGES ||
               REFUSE(DESCRIPTION, CALL_ARG "empty", NAMES(a));
    return check_desc(v, a, &(struct desc_key){ c->value, size->value, a->row->of });
}

// ---- calls ----

static bool check_argument(struct verifier *v, const struct argument *a,
                           const struct cell *c)
{
    switch ((enum check)a->row->check) {
    case CHECK_NUMBER:
    case CHECK_SIGNED:
        return check_number(v, a, c);
    case CHECK_BITS:
    case CHECK_ENUM:
        return check_enum(v, a, c);
    case CHECK_FORMAT:
    case CHECK_FORMAT_OPT:
        return check_format(v, a, c);
    case CHECK_SIZE:
        return known(v, a, c);
    case CHECK_EXPORT:
        return check_export(v, a, c);
    case CHECK_BYTES:
    case CHECK_DESC:
        return check_bytes(v, a, c);
    case CHECK_OBJECT:
    case CHECK_OBJECT_OPT:
        return check_object(v, a, c);
    }
    return false;
}

static bool pop_arguments(struct verifier *v, const struct import_row *import)
{
    size_t count = import->arg_count;
    if (v->depth < count)
        return REFUSE(STACK_UNDERFLOW, "%s wants %zu cells of %zu", import->info->name,
                      count, v->depth);
    if (v->depth - v->floor < count)
        return REFUSE(STACK_FLOOR, "%s wants %zu cells", import->info->name, count);
    v->depth -= count;
    return true;
}

static bool push_result(struct verifier *v, const struct import_row *import,
                        const struct cell *args)
{
    struct cell result = { .type = CELL_RESULT, .kind = import->result };
    if (!gv_verify_note_call(v, import->call, args, &result.index))
        return false;
    if (import->call == GV_CALL_buffer_map) {
        if (args[import->size_arg].type != CELL_KNOWN)
            return REFUSE(MAP_SIZE, "the size of a map depends on memory");
        result.value = args[import->size_arg].value;
    }
    if (v->depth >= v->payload->limits.stack_cells)
        return REFUSE(STACK_OVERFLOW, "more than %" PRIu32 " cells",
                      v->payload->limits.stack_cells);
    v->stack[v->depth++] = result;
    if (v->depth > v->max_depth)
        v->max_depth = v->depth;
    return true;
}

static bool note_frame_end(struct verifier *v)
{
    v->frame_ends++;
    if (v->control_depth || v->frame_ends > 1)
        return REFUSE(FRAME_END, "called again or in a loop or skip");
    return true;
}

bool gv_verify_call(struct verifier *v, uint64_t index)
{
    if (index >= v->payload->import_count)
        return REFUSE(CALL_INDEX, "import %" PRIu64 " of %zu", index,
                      v->payload->import_count);
    const struct import_row *import = &v->imports[index];
    if (!pop_arguments(v, import))
        return false;
    const struct cell *args = &v->stack[v->depth];
    struct argument a = { import, import->args, 0 };
    for (; a.index < import->arg_count; a.index++, a.row++)
        if (!check_argument(v, &a, &args[a.index]))
            return false;
    if (import->call == GV_CALL_frame_end && !note_frame_end(v))
        return false;
    return !import->result || push_result(v, import, args);
}
