// The rows of a state: entries of the tracker by name, and the calls that set them,
// decoded again.
#include "vm/inspect/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/decimal.h"
#include "vm/formats.h"

// ---- names ----

// Entries that are numbered, and the words for them.
static const struct named {
    uint32_t first, count;
    const char *word;
    bool faces;
} named[] = {
    { GV_TRACK_GRAPHICS, 1, "pipeline", false },
    { GV_TRACK_COMPUTE, 1, "compute_pipeline", false },
    { GV_TRACK_INDEX, 1, "ib", false },
    { GV_TRACK_BLEND, 1, "blend_constants", false },
    { GV_TRACK_STENCIL_REFERENCE, 2, "stencil_reference", true },
    { GV_TRACK_STENCIL_MASKS, 2, "stencil_masks", true },
    { GV_TRACK_DEPTH_BIAS, 1, "depth_bias", false },
    { GV_TRACK_LINE_WIDTH, 1, "line_width", false },
    { GV_TRACK_LINE_STIPPLE, 1, "line_stipple", false },
    { GV_TRACK_DEPTH_BOUNDS, 1, "depth_bounds", false },
    { GV_TRACK_VIEWPORT, GV_MAX_VIEWPORTS, "viewport", false },
    { GV_TRACK_SCISSOR, GV_MAX_VIEWPORTS, "scissor", false },
    { GV_TRACK_VERTEX, GV_MAX_VERTEX_BINDINGS, "vb", false },
    { GV_TRACK_FEEDBACK, GV_MAX_FEEDBACK_BUFFERS, "xfb", false },
    { GV_TRACK_COLOR, GV_MAX_COLOR_ATTACHMENTS, "color", false },
    { GV_TRACK_RESOLVE, GV_MAX_COLOR_ATTACHMENTS, "resolve", false },
    { GV_TRACK_DEPTH, 1, "depth", false },
    { GV_TRACK_SHOW, 1, "show", false },
};

static const struct named *find_named(uint32_t entry)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (entry >= named[i].first && entry - named[i].first < named[i].count)
            return &named[i];
    return NULL;
}

// "STEM", or that and what numbers stand behind it.
static bool is_numbered(const char *name, const char *word, size_t numbers,
                        const char *mark)
{
    const size_t length = strlen(word);
    const char *at = name + length;
    uint64_t number;
    if (strncmp(name, word, length) != 0)
        return false;
    for (size_t i = 0; i < numbers; i++) {
        if (strncmp(at, mark, strlen(mark)) != 0)
            return false;
        at += strlen(mark);
        if (!(*at >= '0' && *at <= '9') || !gv_take_decimal(&at, &number))
            return false;
    }
    return !*at;
}

bool gv_state_is_known(const char *name)
{
    static const char *const bindings[] = { "buffer", "texels", "tex", "sampler",
                                            "image" };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const struct named *n = &named[i];
        const size_t length = strlen(n->word);
        if (n->faces ? strncmp(name, n->word, length) == 0 &&
                           (strcmp(name + length, ".front") == 0 ||
                            strcmp(name + length, ".back") == 0)
                     : is_numbered(name, n->word, n->count > 1, ""))
            return true;
    }
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++)
        if (is_numbered(name, bindings[i], 3, "."))
            return true;
    return is_numbered(name, "uniform", 2, ".") || strcmp(name, "pass") == 0;
}

// Bindings, by the call that set them.
static const char *word_of_binding(uint8_t call)
{
    switch (call) {
    case GV_CALL_bind_uniform_bytes:
        return "uniform";
    case GV_CALL_bind_buffer:
        return "buffer";
    case GV_CALL_bind_texel_buffer:
        return "texels";
    case GV_CALL_bind_texture:
        return "tex";
    case GV_CALL_bind_sampler:
        return "sampler";
    default:
        return "image";
    }
}

static void put_name(struct gv_state_row *row, const struct gv_track_record *r)
{
    const struct named *n = find_named(r->entry);
    const uint32_t number = n ? r->entry - n->first : 0;
    if (n && n->count == 1)
        snprintf(row->name, sizeof row->name, "%s", n->word);
    else if (n && n->faces)
        snprintf(row->name, sizeof row->name, "%s.%s", n->word,
                 number ? "back" : "front");
    else if (n)
        snprintf(row->name, sizeof row->name, "%s%" PRIu32, n->word, number);
    else if (r->call == GV_CALL_bind_uniform_bytes)
        snprintf(row->name, sizeof row->name, "uniform.%" PRIu64 ".%" PRIu64,
                 row->args[0].u, row->args[1].u);
    else
        snprintf(row->name, sizeof row->name, "%s.%" PRIu64 ".%" PRIu64 ".%" PRIu64,
                 word_of_binding(r->call), row->args[0].u, row->args[1].u,
                 row->args[2].u);
}

// ---- the call again ----

static bool enter_unit(struct gv_track *t, uint32_t unit, struct gv_error *err)
{
    size_t low = 0, high = t->chunk_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (t->chunk_units[middle] <= unit)
            low = middle;
        else
            high = middle;
    }
    if (!gv_track_enter(t, low, err))
        return false;
    gv_track_decode(t, unit);
    return true;
}

// Whether a call of the record's kind sets its entry, by the numbers it has.
static bool sets_entry(const struct gv_track *t, const struct gv_unit_op *op,
                       uint32_t entry)
{
    const struct named *n = find_named(entry);
    const uint64_t first = op->args[0].value;
    if (!n)
        return gv_track_entry(t, (uint32_t)first, (uint32_t)op->args[1].value,
                              op->call == GV_CALL_bind_uniform_bytes
                                  ? 0
                                  : (uint32_t)op->args[2].value) == entry;
    if (n->faces)
        return first >> (entry - n->first) & 1;
    return n->count == 1 || first == entry - n->first;
}

// The last operation of the unit that did it.
static const struct gv_unit_op *find_op(const struct gv_track *t, uint8_t call,
                                        uint32_t entry)
{
    for (size_t i = t->unit.op_count; i-- > 0;) {
        const struct gv_unit_op *op = &t->unit.ops[i];
        if (op->kind == GV_UNIT_CALL && op->call == call && sets_entry(t, op, entry))
            return op;
    }
    return NULL;
}

// The object that a slot held when a unit ran: those of later units are over it.
static uint32_t object_at(const struct gv_track *t, uint32_t slot, uint32_t unit)
{
    uint32_t object = t->slots[slot];
    while (object && t->objects[object].create_unit > unit)
        object = t->objects[object].slot_before;
    return object;
}

// As gv_state_row has it.
static uint64_t handle_of(const struct gv_track *t, const struct gv_unit_cell *cell,
                          uint32_t unit)
{
    const uint32_t object =
        cell->type == GV_UNIT_HANDLE ? object_at(t, cell->index, unit) : 0;
    return object > GV_TRACK_VOLATILE ? object - GV_TRACK_VOLATILE : 0;
}

static void fill(struct gv_state_row *row, const struct gv_track *t,
                 const struct gv_unit_op *op, uint32_t unit)
{
    bool optional;
    row->call = &gv_call_infos[op->call];
    row->command = t->units[unit].command;
    row->bytes = NULL;
    row->resource = GV_TRACK_NONE;
    row->unit = unit;
    row->op = (uint32_t)(op - t->unit.ops);
    for (size_t i = 0; i < row->call->arg_count; i++) {
        const struct gv_unit_cell *cell = &op->args[i];
        row->args[i].u = cell->value;
        if (gv_arg_object_kind(row->call->args[i].kind, &optional))
            row->args[i].u = handle_of(t, cell, unit);
        else if (row->call->args[i].kind == GV_ARG_BYTES && cell->type == GV_UNIT_CONST)
            row->bytes = t->payload->constants + cell->value;
        else if (row->call->args[i].kind == GV_ARG_BYTES &&
                 cell->type == GV_UNIT_RESOURCE && !cell->value)
            row->resource = cell->index;
    }
}

bool gv_inspect_maker(struct gv_inspect *in, uint32_t object, struct gv_state_row *row,
                      struct gv_error *err)
{
    struct gv_track *t = in->track;
    const struct gv_track_object *o = &t->objects[object];
    *row = (struct gv_state_row){ .maybe = false };
    if (!enter_unit(t, o->create_unit, err))
        return false;
    for (size_t i = 0; i + 1 < t->unit.op_count; i++) {
        const struct gv_unit_op *op = &t->unit.ops[i];
        if (op->kind == GV_UNIT_CALL && op[1].kind == GV_UNIT_STORE_SLOT &&
            op[1].number == o->slot && gv_call_infos[op->call].result == o->kind)
            fill(row, t, op, o->create_unit);
    }
    return row->call || gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                                "unsupported: an object that a loop makes");
}

static bool visit_record(struct gv_inspect *in, uint32_t record, gv_inspect_row *visit,
                         void *context, struct gv_error *err)
{
    struct gv_track *t = in->track;
    bool maybe = false; // what a skip may have set is followed by what was there before
    while (record) {
        const struct gv_track_record *r = &t->records[record];
        maybe = maybe || r->uncertain;
        struct gv_state_row row = { .maybe = maybe };
        if (!enter_unit(t, r->unit, err))
            return false;
        const struct gv_unit_op *op = find_op(t, r->call, r->entry);
        if (!op)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: state that a loop sets");
        fill(&row, t, op, r->unit);
        put_name(&row, r);
        if (!visit(context, &row, err))
            return false;
        record = r->uncertain ? r->before : 0;
    }
    return true;
}

// ---- all of it ----

// The pass that is open: its size, then its attachments.
static bool visit_pass(struct gv_inspect *in, gv_inspect_row *visit, void *context,
                       struct gv_error *err)
{
    struct gv_track *t = in->track;
    const struct gv_track_pass pass = t->passes[t->pass - 1];
    struct gv_state_row row = { .name = "pass" };
    if (!enter_unit(t, pass.begin, err))
        return false;
    for (size_t i = 0; i < t->unit.op_count; i++)
        if (t->unit.ops[i].kind == GV_UNIT_CALL &&
            t->unit.ops[i].call == GV_CALL_pass_begin)
            fill(&row, t, &t->unit.ops[i], pass.begin);
    if (!row.call || !visit(context, &row, err))
        return false;
    for (size_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        if (!visit_record(in, pass.color[i], visit, context, err) ||
            !visit_record(in, pass.resolve[i], visit, context, err))
            return false;
    return visit_record(in, pass.depth, visit, context, err);
}

bool gv_inspect_each_row(struct gv_inspect *in, gv_inspect_row *visit, void *context,
                         struct gv_error *err)
{
    for (uint32_t i = 0; i < in->track->entry_count; i++)
        if (!visit_record(in, in->track->current[i], visit, context, err))
            return false;
    return !in->track->pass || visit_pass(in, visit, context, err);
}

// ---- work ----

static bool is_work(const struct gv_unit_op *op)
{
    return op->kind == GV_UNIT_CALL && (gv_call_infos[op->call].sets & GV_STATE_WORK);
}

bool gv_inspect_each_work(struct gv_inspect *in, uint64_t frame, gv_inspect_row *visit,
                          void *context, struct gv_error *err)
{
    const struct gv_frame *f = &in->payload->frames[frame];
    struct gv_track *t = in->track;
    struct gv_state_row row = { 0 };
    uint64_t number = 0;
    for (size_t chunk = f->chunk_begin; chunk < f->chunk_end; chunk++) {
        if (!gv_track_enter(t, chunk, err))
            return false;
        for (uint32_t u = t->chunk_units[chunk]; u < t->chunk_units[chunk + 1]; u++) {
            if (!(t->units[u].flags & GV_TRACK_WORKS))
                continue;
            gv_track_decode(t, u);
            for (size_t i = 0; i < t->unit.op_count; i++) {
                if (!is_work(&t->unit.ops[i]))
                    continue;
                fill(&row, t, &t->unit.ops[i], u);
                snprintf(row.name, sizeof row.name, "d%" PRIu64, number++);
                if (!visit(context, &row, err))
                    return false;
            }
        }
    }
    return true;
}

// ---- values ----

static void put_flags(struct gv_bytes *out, enum gv_enum_id id, uint64_t value)
{
    bool any = false;
    for (uint64_t bit = 1; bit && bit <= value; bit <<= 1) {
        const char *word = value & bit ? gv_enum_value_name(id, bit) : NULL;
        if (word)
            gv_bytes_printf(out, "%s%s", any ? "|" : "", word);
        any = any || word;
    }
    if (!any)
        gv_bytes_printf(out, "%" PRIu64, value);
}

static void put_bytes(struct gv_bytes *out, const uint8_t *bytes, uint64_t size,
                      uint64_t most)
{
    gv_bytes_printf(out, "[%" PRIu64 "]", size);
    for (uint64_t i = 0; bytes && i < size && i < most; i++)
        gv_bytes_printf(out, "%s%02x", i ? "" : ":", bytes[i]);
}

void gv_inspect_value(const struct gv_arg_info *info, const union gv_arg *arg,
                      struct gv_bytes *out)
{
    const struct gv_format_info *format;
    const char *word = NULL;
    bool optional;
    if (info->kind == GV_ARG_ENUM)
        word = gv_enum_value_name(info->of, arg->u);
    else if (info->kind == GV_ARG_FORMAT || info->kind == GV_ARG_FORMAT_OPT)
        word = (format = gv_format_info(arg->u)) ? format->name : NULL;
    else if (gv_arg_object_kind(info->kind, &optional) && !arg->u)
        word = "none";
    if (word)
        gv_bytes_printf(out, "%s", word);
    else if (info->kind == GV_ARG_FLAGS)
        put_flags(out, info->of, arg->u);
    else if (info->kind == GV_ARG_F32)
        gv_bytes_printf(out, "%.9g", (double)gv_arg_f32(*arg));
    else if (info->kind == GV_ARG_I32)
        gv_bytes_printf(out, "%" PRIi64, arg->i);
    else if (gv_arg_object_kind(info->kind, &optional))
        gv_bytes_printf(out, "o%" PRIu64, arg->u - 1);
    else
        gv_bytes_printf(out, "%" PRIu64, arg->u);
}

void gv_state_value(const struct gv_state_row *row, size_t i, uint64_t most,
                    struct gv_bytes *out)
{
    const struct gv_arg_info *info = &row->call->args[i];
    if (info->kind == GV_ARG_BYTES)
        put_bytes(out, row->bytes, row->args[i + 1].u, most);
    else
        gv_inspect_value(info, &row->args[i], out);
}
