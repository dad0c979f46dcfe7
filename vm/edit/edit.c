#include "vm/edit/edit.h"

#include <stdlib.h>
#include <string.h>

#include "vm/desc_fields.h"
#include "vm/edit/edit_place.h"

// ---- calls that change ----

static struct gv_edit_call *find_change(const struct gv_editor *e, uint32_t unit)
{
    struct gv_edit_change *changes = (void *)e->changes.data;
    return e->change_of[unit] ? &changes[e->change_of[unit] - 1].call : NULL;
}

bool gv_edit_call_now(struct gv_editor *e, uint32_t unit, struct gv_edit_call *call,
                      struct gv_error *err)
{
    const struct gv_edit_call *known = find_change(e, unit);
    if (known)
        *call = *known;
    return known || (gv_edit_enter(e->track, unit, err) &&
                     gv_edit_call_of(&e->track->unit, call, err));
}

struct gv_edit_call *gv_edit_change(struct gv_editor *e, uint32_t unit,
                                    struct gv_error *err)
{
    struct gv_edit_change change = { .unit = unit };
    if (!find_change(e, unit)) {
        if (!gv_edit_call_now(e, unit, &change.call, err))
            return NULL;
        gv_bytes_put(&e->changes, &change, sizeof change);
        if (e->changes.failed) {
            gv_out_of_memory(err);
            return NULL;
        }
        e->change_of[unit] = (uint32_t)(e->changes.size / sizeof change);
    }
    return find_change(e, unit);
}

bool gv_edit_maker(const struct gv_editor *e, uint32_t object, uint32_t *unit,
                   struct gv_error *err)
{
    *unit = object ? e->track->objects[object].create_unit : GV_TRACK_NONE;
    return *unit != GV_TRACK_NONE ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: edit of an object that nothing is seen to make");
}

// ---- descriptions ----

static bool bytes_of(const struct gv_editor *e, const struct gv_edit_call *call,
                     struct gv_span *bytes, struct gv_error *err)
{
    const struct gv_unit_cell *cell = &call->args[0];
    if (cell->type == GV_EDIT_DATA)
        *bytes = e->code.data[cell->index];
    else if (cell->type == GV_UNIT_CONST)
        *bytes = (struct gv_span){ e->params->payload->constants + cell->value,
                                   (size_t)call->args[1].value };
    else
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: edit of a description that is computed");
    return true;
}

static bool set_bytes(struct gv_editor *e, struct gv_edit_call *call,
                      struct gv_span bytes, struct gv_error *err)
{
    uint32_t number;
    if (!gv_edit_data(&e->code, bytes, &number, err))
        return false;
    call->args[0] = (struct gv_unit_cell){ 0, number, GV_EDIT_DATA };
    call->args[1] = (struct gv_unit_cell){ bytes.size, 0, GV_UNIT_KNOWN };
    return true;
}

// What is encoded must decode: a value that contradicts others is refused by name.
static bool encode(struct gv_editor *e, struct gv_edit_call *call, struct gv_desc *desc,
                   const char *field, struct gv_error *err)
{
    struct gv_bytes out = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    gv_desc_encode(desc, &out);
    bool ok = !out.failed || gv_out_of_memory(err);
    const struct gv_span bytes = { out.data, out.size };
    if (ok && !gv_desc_decode(desc, desc->kind, bytes, &why))
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.48s: %s", field, why.message);
    ok = ok && set_bytes(e, call, bytes, err);
    gv_bytes_finish(&out);
    return ok;
}

bool gv_edit_desc(struct gv_editor *e, struct gv_edit_call *call, const char *field,
                  const char *value, struct gv_error *err)
{
    const struct gv_arg_info *arg = gv_call_infos[call->call].args;
    struct gv_desc_place place;
    struct gv_desc *desc;
    struct gv_span bytes;
    uint64_t cell;
    if (!bytes_of(e, call, &bytes, err))
        return false;
    if (!gv_desc_find((enum gv_enum_id)arg->of, field, &place))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s has no field '%.48s'",
                       gv_call_infos[call->call].name, field);
    if (!gv_edit_value_parse(&place.field->info, value, &cell, err))
        return false;
    desc = malloc(sizeof *desc);
    if (!desc)
        return gv_out_of_memory(err);
    bool ok = gv_desc_decode(desc, (enum gv_enum_id)arg->of, bytes, err);
    if (ok) {
        gv_desc_set(desc, &place, cell);
        ok = encode(e, call, desc, field, err);
    }
    free(desc);
    return ok;
}

// ---- objects, wherever they are used ----

static bool edit_object(struct gv_editor *e, const struct gv_edit_target *target,
                        const struct gv_edit_item *item, struct gv_error *err)
{
    const struct gv_track *t = e->track;
    const uint64_t made = t->object_count - GV_TRACK_VOLATILE - 1;
    uint32_t unit;
    if (target->object >= made)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s': there are %llu objects", item->target,
                       (unsigned long long)made);
    const uint32_t object = (uint32_t)target->object + GV_TRACK_VOLATILE + 1;
    const uint8_t kind = t->objects[object].kind;
    const bool described = kind == GV_KIND_PIPELINE || kind == GV_KIND_SAMPLER;
    if (item->kind == GV_EDIT_PICTURE && kind == GV_KIND_IMAGE && !*target->field)
        return gv_edit_picture(e, object, item, err);
    const bool fits =
        item->kind == GV_EDIT_SET
            ? described && *target->field
            : item->kind == GV_EDIT_SHADER && kind == GV_KIND_SHADER && !*target->field;
    if (!fits)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s': pipelines and samplers have fields, shaders take "
                       "SPIR-V, images take pictures",
                       item->target);
    if (!gv_edit_maker(e, object, &unit, err))
        return false;
    struct gv_edit_call *call = gv_edit_change(e, unit, err);
    return call && (item->kind == GV_EDIT_SHADER
                        ? set_bytes(e, call, item->bytes, err)
                        : gv_edit_desc(e, call, target->field, item->value, err));
}

// ---- undefined contents ----

static void set_cell(struct gv_edit_call *call, size_t arg, uint64_t value)
{
    call->args[arg] = (struct gv_unit_cell){ value, 0, GV_UNIT_KNOWN };
}

// Places of arguments of pass_color and pass_depth_stencil: the rows of calls.def.
enum { COLOR_LOAD = 6, COLORS = 8 };
enum { DEPTH_LOAD = 4, DEPTH = 6, STENCIL_LOAD = 7, STENCIL = 9 };

static bool loads_nothing(const struct gv_unit_cell *args, size_t arg)
{
    return args[arg].type == GV_UNIT_KNOWN && args[arg].value == GV_LOAD_OP_DONT_CARE;
}

static bool may_load_nothing(const struct gv_unit_cell *args, size_t arg)
{
    return args[arg].type != GV_UNIT_KNOWN || loads_nothing(args, arg);
}

// Most passes load or clear: those stay as they are, in loops too.
static bool may_be_undefined(uint8_t call, const struct gv_unit_cell *args)
{
    if (call == GV_CALL_pass_color)
        return may_load_nothing(args, COLOR_LOAD);
    return may_load_nothing(args, DEPTH_LOAD) || may_load_nothing(args, STENCIL_LOAD);
}

// Magenta, and three quarters of the depth: nothing that work leaves by chance.
static void define_color(struct gv_edit_call *call, bool pattern)
{
    static const uint32_t magenta[4] = { 0x3f800000, 0, 0x3f800000, 0x3f800000 };
    if (!loads_nothing(call->args, COLOR_LOAD))
        return;
    set_cell(call, COLOR_LOAD, GV_LOAD_OP_CLEAR);
    for (size_t i = 0; i < 4; i++)
        set_cell(call, COLORS + i, pattern ? magenta[i] : 0);
}

static void define_depth(struct gv_edit_call *call, bool pattern)
{
    if (loads_nothing(call->args, DEPTH_LOAD)) {
        set_cell(call, DEPTH_LOAD, GV_LOAD_OP_CLEAR);
        set_cell(call, DEPTH, pattern ? 0x3f400000 : 0);
    }
    if (loads_nothing(call->args, STENCIL_LOAD)) {
        set_cell(call, STENCIL_LOAD, GV_LOAD_OP_CLEAR);
        set_cell(call, STENCIL, pattern ? 0xa5 : 0);
    }
}

static bool define_unit(struct gv_editor *e, uint32_t unit, bool pattern,
                        struct gv_error *err)
{
    const struct gv_unit_op *op = gv_track_work(&e->track->unit);
    if (!op || op->kind != GV_UNIT_CALL ||
        (op->call != GV_CALL_pass_color && op->call != GV_CALL_pass_depth_stencil))
        return true;
    const struct gv_edit_call *known = find_change(e, unit);
    if (!may_be_undefined(op->call, known ? known->args : op->args))
        return true;
    struct gv_edit_call *call = gv_edit_change(e, unit, err);
    if (!call)
        return false;
    if (call->call == GV_CALL_pass_color)
        define_color(call, pattern);
    else
        define_depth(call, pattern);
    return true;
}

static bool edit_undefined(struct gv_editor *e, const struct gv_edit_item *item,
                           struct gv_error *err)
{
    const bool pattern = strcmp(item->value, "pattern") == 0;
    if (!pattern && strcmp(item->value, "zero") != 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "undefined '%.32s': expected zero or pattern", item->value);
    for (uint32_t u = 0; u < e->track->unit_count; u++)
        if (!gv_edit_enter(e->track, u, err) || !define_unit(e, u, pattern, err))
            return false;
    return true;
}

// ---- commands that did not happen ----

// What makes and gives up objects stays, and what opens and ends passes and outputs.
static bool may_go(const struct gv_unit *unit)
{
    const uint32_t stays = GV_STATE_TARGETS | GV_STATE_PASS | GV_STATE_FEEDBACK |
                           GV_STATE_QUERY | GV_STATE_CONDITION | GV_STATE_OUTPUT;
    bool any = false;
    for (size_t i = 0; i < unit->op_count; i++) {
        if (unit->ops[i].kind != GV_UNIT_CALL)
            return false;
        const struct gv_call_info *info = &gv_call_infos[unit->ops[i].call];
        if (info->result || info->sets & stays)
            return false;
        for (size_t k = 0; k < info->arg_count; k++)
            if (info->args[k].role == GV_ROLE_DESTROY ||
                info->args[k].kind == GV_ARG_MAP || info->args[k].kind == GV_ARG_QUERY)
                return false;
        any = true;
    }
    return any && !unit->overflow;
}

static bool skip_commands(struct gv_editor *e, struct gv_error *err)
{
    const struct gv_edit_params *p = e->params;
    uint32_t u = 0;
    for (size_t i = 0; i < p->skipped_count; i++) {
        size_t gone = 0;
        while (u < e->track->unit_count && e->track->units[u].command < p->skipped[i])
            u++;
        for (; u < e->track->unit_count && e->track->units[u].command == p->skipped[i];
             u++) {
            if (!gv_edit_enter(e->track, u, err))
                return false;
            e->skipped[u] |= may_go(&e->track->unit);
            gone += e->skipped[u];
        }
        if (!gone)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "nothing of command %llu can be left out",
                           (unsigned long long)p->skipped[i]);
    }
    return true;
}

// ---- all of it ----

static bool apply(struct gv_editor *e, const struct gv_edit_item *item, bool objects,
                  struct gv_error *err)
{
    struct gv_edit_target target;
    if (item->kind == GV_EDIT_UNDEFINED)
        return !objects || edit_undefined(e, item, err);
    if (!gv_edit_target_parse(&target, item->target, err))
        return false;
    if (target.is_object != objects)
        return true;
    return objects ? edit_object(e, &target, item, err)
                   : gv_edit_work(e, &target, item, err);
}

// Objects first: twins are of what those have become.
static bool apply_all(struct gv_editor *e, struct gv_error *err)
{
    for (int objects = 1; objects >= 0; objects--)
        for (size_t i = 0; i < e->params->item_count; i++)
            if (!apply(e, &e->params->items[i], objects, err))
                return false;
    return skip_commands(e, err);
}

static bool put_all(struct gv_editor *e, struct gv_error *err)
{
    const struct gv_edit_change *changes = (const void *)e->changes.data;
    const struct gv_edit_state *states = (const void *)e->states.data;
    const struct gv_edit_twin *twins = (const void *)e->twins.data;
    bool ok = true;
    for (size_t i = 0; ok && i < e->changes.size / sizeof *changes; i++) {
        if (e->skipped[changes[i].unit])
            continue;
        ok = gv_edit_put(&e->code, changes[i].unit, GV_EDIT_INSTEAD, &changes[i].call,
                         err);
        e->skipped[changes[i].unit] = true;
    }
    for (size_t i = 0; ok && i < e->twins.size / sizeof *twins; i++)
        ok = gv_edit_put(&e->code, twins[i].maker, GV_EDIT_BEHIND, &twins[i].create,
                         err);
    for (size_t i = 0; ok && i < e->states.size / sizeof *states; i++)
        ok =
            gv_edit_put(&e->code, states[i].unit, GV_EDIT_BEFORE, &states[i].set,
                        err) &&
            gv_edit_put(&e->code, states[i].unit, GV_EDIT_BEHIND, &states[i].back, err);
    return ok;
}

static bool write_all(struct gv_editor *e, struct gv_error *err)
{
    const struct gv_edit_params *p = e->params;
    const size_t frames = p->payload->frame_count;
    struct gv_slice slice = { 0 };
    struct gv_slice_patches patches;
    struct gv_patch *items = NULL;
    uint64_t *numbers = malloc((frames + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < frames; i++)
        numbers[i] = i;
    const struct gv_slice_params wanted = { .frames = numbers,
                                            .frame_count = frames,
                                            .last_frame = frames ? frames - 1 : 0,
                                            .tail = true };
    const struct gv_slice_write_params write = { .payload = p->payload,
                                                 .slice = &slice,
                                                 .wanted = &wanted,
                                                 .sources = p->sources,
                                                 .source_count = p->source_count,
                                                 .writer = p->writer,
                                                 .provenance = p->provenance,
                                                 .patches = &patches,
                                                 .whole_groups = true };
    const bool ok = (numbers || gv_out_of_memory(err)) &&
                    gv_edit_runs(&e->code, e->track, e->skipped, &slice.kept, err) &&
                    gv_edit_patches(&e->code, e->track, &patches, &items, err) &&
                    gv_slice_write(&write, err);
    gv_slice_finish(&slice);
    free(items);
    free(numbers);
    return ok;
}

static void see(void *context, const struct gv_unit *unit, bool simple)
{
    struct gv_editor *e = context;
    struct gv_track_call call;
    const struct gv_unit_op *op = gv_track_work(unit);
    if (!simple || !op || op->kind != GV_UNIT_CALL || op->call != GV_CALL_image_upload)
        return;
    gv_track_resolve(e->track, op, &call);
    const struct gv_edit_upload upload = {
        (uint32_t)e->track->unit_count,
        (uint32_t)GV_TRACK_ARGS(&call, image_upload)->image.u
    };
    gv_bytes_put(&e->uploads, &upload, sizeof upload);
}

static bool follow(struct gv_editor *e, struct gv_error *err)
{
    struct gv_payload *payload = e->params->payload;
    e->track = gv_track_create(payload, e->params->memory_limit, err);
    if (!e->track)
        return false;
    e->track->seen = see;
    e->track->context = e;
    if (!gv_track_follow(e->track, payload->chunk_count, err))
        return false;
    if (e->track->opaque)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: edit: %s",
                       e->track->opaque);
    e->track->seen = NULL;
    e->code.slot_base = (uint32_t)payload->slot_count;
    e->skipped = calloc(e->track->unit_count + 1, sizeof *e->skipped);
    e->change_of = calloc(e->track->unit_count + 1, sizeof *e->change_of);
    return (e->skipped && e->change_of && !e->uploads.failed) || gv_out_of_memory(err);
}

bool gv_edit_write(const struct gv_edit_params *params, struct gv_error *err)
{
    struct gv_editor e = { .params = params };
    const bool ok =
        follow(&e, err) && apply_all(&e, err) && put_all(&e, err) && write_all(&e, err);
    if (e.track)
        gv_track_destroy(e.track);
    gv_edit_code_finish(&e.code);
    gv_bytes_finish(&e.changes);
    gv_bytes_finish(&e.states);
    gv_bytes_finish(&e.twins);
    gv_bytes_finish(&e.uploads);
    free(e.skipped);
    free(e.change_of);
    return ok;
}
