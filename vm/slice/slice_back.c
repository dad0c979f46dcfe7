#include "vm/slice/slice_back.h"

#include <stdlib.h>

// Pieces looked at per unit on average, and at least in all; more: what is left is
// kept.
#define WORK_PER_UNIT 4096
#define WORK_FLOOR (UINT64_C(1) << 28)

bool gv_slice_back_init(struct gv_slice_back *b, struct gv_track *t,
                        const struct gv_slice_params *params, struct gv_error *err)
{
    uint64_t limit = params->memory_limit;
    *b = (struct gv_slice_back){ .track = t, .params = params, .err = err };
    b->unit_end = (uint32_t)t->unit_count;
    b->calls_left = params->call_count;
    b->object_count = t->object_count;
    b->work_limit = WORK_FLOOR + t->unit_count * (uint64_t)WORK_PER_UNIT;
    uint64_t tables = t->unit_count * 5 + t->entry_count * 4 + t->object_count * 4 +
                      t->pass_count + t->span_count * 2;
    if (limit && (tables > limit || t->memory > limit - tables))
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for the slicer");
    b->live = gv_live_create(t, limit ? limit - tables - t->memory : 0, err);
    b->keep = calloc(t->unit_count + 1, sizeof *b->keep);
    b->reason = malloc((t->unit_count + 1) * sizeof *b->reason);
    b->entry_reader = malloc((t->entry_count + 1) * sizeof *b->entry_reader);
    b->object_reader = malloc((t->object_count + 1) * sizeof *b->object_reader);
    b->pass_kept = calloc(t->pass_count + 1, sizeof *b->pass_kept);
    b->span_kept = calloc(t->span_count + 1, sizeof *b->span_kept);
    b->span_forced = calloc(t->span_count + 1, sizeof *b->span_forced);
    b->posted = calloc(t->payload->export_count + 1, sizeof *b->posted);
    if (!b->live)
        return false;
    if (!b->keep || !b->reason || !b->entry_reader || !b->object_reader ||
        !b->pass_kept || !b->span_kept || !b->span_forced || !b->posted)
        return gv_out_of_memory(err);
    if (params->roots && !params->roots->begin(params->roots, b, err))
        return false;
    for (size_t i = 0; i < t->entry_count; i++)
        b->entry_reader[i] = GV_TRACK_NONE;
    for (size_t i = 0; i < t->object_count; i++)
        b->object_reader[i] = GV_TRACK_NONE;
    return true;
}

void gv_slice_back_finish(struct gv_slice_back *b)
{
    gv_live_destroy(b->live);
    gv_effects_finish(&b->writes);
    gv_effects_finish(&b->reads);
    free(b->keep);
    free(b->reason);
    free(b->entry_reader);
    free(b->object_reader);
    free(b->pass_kept);
    free(b->span_kept);
    free(b->span_forced);
    free(b->posted);
}

// ---- keeping ----

static void need_object(struct gv_slice_back *b, uint32_t object, uint32_t reader)
{
    while (object && b->object_reader[object] == GV_TRACK_NONE) {
        b->object_reader[object] = reader;
        object = b->track->objects[object].either;
    }
}

static void keep_unit(struct gv_slice_back *b, uint32_t unit, uint32_t reason)
{
    if (unit >= b->unit_end || b->keep[unit])
        return;
    b->keep[unit] = true;
    b->reason[unit] = reason;
}

static void want_memory(struct gv_slice_back *b, const struct gv_unit_cell *cell,
                        uint64_t size)
{
    uint32_t object = gv_track_memory(b->track, cell);
    need_object(b, object, b->unit);
    const struct gv_effect e = { .object = object,
                                 .kind = GV_EFFECT_READ,
                                 .offset = cell->value,
                                 .row_bytes = size,
                                 .rows = 1 };
    gv_live_add(b->live, &e, b->unit);
}

// Of what touches memory: what it reads, and that there is something to write to.
static void want_addressed(struct gv_slice_back *b, const struct gv_unit_op *op)
{
    if (op->kind == GV_UNIT_STORE_SLOT)
        return;
    const size_t reads = op->kind == GV_UNIT_LOAD ? 0 : 1; // from this one on
    for (size_t i = reads; i < gv_unit_addresses(op); i++)
        want_memory(b, &op->args[i], gv_unit_touched(op, i));
    if (reads)
        need_object(b, gv_track_memory(b->track, &op->args[0]), b->unit);
}

// What any kept unit needs: the objects that it names, the memory that it looks at.
static void want_operands(struct gv_slice_back *b)
{
    const struct gv_unit *u = &b->track->unit;
    bool optional;
    for (size_t i = 0; i < u->op_count; i++) {
        const struct gv_unit_op *op = &u->ops[i];
        if (op->kind != GV_UNIT_CALL) {
            want_addressed(b, op);
            continue;
        }
        const struct gv_call_info *info = &gv_call_infos[op->call];
        for (size_t k = 0; k < info->arg_count; k++)
            if (gv_arg_object_kind(info->args[k].kind, &optional))
                need_object(b, (uint32_t)b->call.args[k].u, b->unit);
        if (b->call.bytes)
            want_memory(b, b->call.bytes, (b->call.bytes + 1)->value);
    }
}

// Keeps the unit at hand for `reason`.
static void keep(struct gv_slice_back *b, uint32_t reason)
{
    if (b->keep[b->unit])
        return;
    keep_unit(b, b->unit, reason);
    want_operands(b);
}

// ---- effects ----

static bool any_hit(struct gv_slice_back *b, const struct gv_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++)
        if (gv_live_hits(b->live, &effects->items[i]))
            return true;
    return effects->failed;
}

static void want_reads(struct gv_slice_back *b, enum gv_effect_kind kind)
{
    for (size_t i = 0; i < b->reads.count; i++) {
        if (b->reads.items[i].kind != kind)
            continue;
        need_object(b, b->reads.items[i].object, b->unit);
        gv_live_add(b->live, &b->reads.items[i], b->unit);
    }
}

// Going back over what is kept: what it overwrites was not wanted before, what it reads
// was. Where ranges meet, what may only be read because it may be written counts least.
static void pass_over(struct gv_slice_back *b)
{
    want_reads(b, GV_EFFECT_WRITE);
    for (size_t i = 0; i < b->writes.count; i++)
        if (b->writes.items[i].kind == GV_EFFECT_OVERWRITE)
            gv_live_remove(b->live, &b->writes.items[i]);
    want_reads(b, GV_EFFECT_READ);
}

static void want_entry(struct gv_slice_back *b, uint32_t entry)
{
    if (entry < b->track->entry_count && b->entry_reader[entry] == GV_TRACK_NONE)
        b->entry_reader[entry] = b->unit;
}

static void want_interface(struct gv_slice_back *b, uint32_t entry)
{
    const struct gv_track *t = b->track;
    const struct gv_track_pipeline *p;
    uint32_t object = 0;
    want_entry(b, entry);
    while ((p = gv_track_pipeline(t, entry, &object)) != NULL) {
        for (uint32_t i = 0; i < p->binding_count; i++) {
            const struct gv_binding_desc *d = &t->bindings[p->binding_begin + i];
            for (uint32_t e = 0; e < d->count; e++)
                want_entry(b, gv_track_entry(t, d->set, d->binding, e));
        }
        for (uint32_t i = 0; i < GV_MAX_VERTEX_BINDINGS; i++)
            if (p->vertex_slots >> i & 1)
                want_entry(b, GV_TRACK_VERTEX + i);
    }
}

// Bindings that the ranges of a dispatch name although its pipeline does not.
static void want_ranges(struct gv_slice_back *b)
{
    const struct gv_track_ranges *ranges = gv_track_ranges_of(b->track, &b->call);
    for (size_t i = 0; ranges && i < ranges->count; i++) {
        const struct gv_dispatch_range *r = &ranges->items[i];
        if (r->set < GV_MAX_SETS && r->binding < GV_MAX_BINDING_NUMBER &&
            r->element < GV_MAX_BINDING_ELEMENTS)
            want_entry(b, gv_track_entry(b->track, r->set, r->binding, r->element));
    }
}

static void want_state(struct gv_slice_back *b)
{
    bool compute =
        b->call.call == GV_CALL_dispatch || b->call.call == GV_CALL_dispatch_indirect;
    want_interface(b, compute ? GV_TRACK_COMPUTE : GV_TRACK_GRAPHICS);
    if (compute) {
        want_ranges(b);
        return;
    }
    for (uint32_t i = GV_TRACK_INDEX; i < GV_TRACK_DYNAMIC_END; i++)
        want_entry(b, i);
}

// The pass, condition and transform feedback around work that is kept.
static void want_around(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    if (t->pass)
        b->pass_kept[t->pass - 1] = true;
    if (t->condition)
        b->span_kept[t->condition - 1] = true;
    if (t->feedback)
        b->span_kept[t->feedback - 1] = true;
}

static bool is_work(const struct gv_track_call *c)
{
    return gv_call_infos[c->call].sets & GV_STATE_WORK;
}

// Whether work counts for itself, wherever it writes.
static bool is_forced(const struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    return is_work(&b->call) &&
           (b->forced_queries || (t->feedback && b->span_forced[t->feedback - 1]));
}

// A call that changes contents.
static void on_contents(struct gv_slice_back *b)
{
    b->writes.count = b->reads.count = 0;
    gv_effects_writes(b->track, &b->call, &b->writes);
    bool hit = any_hit(b, &b->writes);
    if (!hit && !is_forced(b))
        return;
    keep(b, hit ? gv_live_reader(b->live) : b->unit);
    gv_effects_reads(b->track, &b->call, &b->reads);
    pass_over(b);
    bool inside = is_work(&b->call) || b->call.call == GV_CALL_clear_color ||
                  b->call.call == GV_CALL_clear_depth_stencil;
    if (inside)
        want_around(b);
    if (is_work(&b->call))
        want_state(b);
}

// What is kept for itself.
static void on_root(struct gv_slice_back *b)
{
    b->writes.count = b->reads.count = 0;
    keep(b, b->unit);
    gv_effects_reads(b->track, &b->call, &b->reads);
    pass_over(b);
}

// ---- passes ----

static void on_pass_end(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    if (!t->pass_ended)
        return;
    struct gv_track_pass *pass = &t->passes[t->pass_ended - 1];
    b->writes.count = b->reads.count = 0;
    gv_effects_resolves(t, pass, GV_EFFECT_OVERWRITE, &b->writes);
    if (!any_hit(b, &b->writes))
        return;
    b->pass_kept[t->pass_ended - 1] = true;
    keep(b, gv_live_reader(b->live));
    gv_effects_resolves(t, pass, GV_EFFECT_READ, &b->reads);
    pass_over(b);
}

static void on_pass_begin(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    const struct gv_track_pass *pass = &t->passes[t->pass_begun - 1];
    b->writes.count = b->reads.count = 0;
    gv_effects_clears(t, pass, &b->writes);
    bool hit = any_hit(b, &b->writes);
    if (!hit && !b->pass_kept[t->pass_begun - 1])
        return;
    keep(b, hit ? gv_live_reader(b->live) : b->unit);
    keep_unit(b, pass->end, b->unit);
    pass_over(b);
    for (uint32_t i = GV_TRACK_COLOR; i <= GV_TRACK_DEPTH; i++)
        if (t->current[i])
            want_entry(b, i);
}

// ---- spans ----

static void on_query_end(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    if (!t->span_ended)
        return;
    struct gv_track_span *s = &t->spans[t->span_ended - 1];
    const struct gv_effect slot = {
        .object = s->object, .offset = s->slot, .row_bytes = 1, .rows = 1
    };
    if (!gv_live_hits(b->live, &slot))
        return;
    b->span_forced[t->span_ended - 1] = true;
    b->forced_queries++;
    keep(b, gv_live_reader(b->live));
}

static void on_feedback_end(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    if (!t->span_ended)
        return;
    struct gv_track_span *s = &t->spans[t->span_ended - 1];
    const struct gv_args_feedback_end *a = GV_TRACK_ARGS(&b->call, feedback_end);
    const struct gv_effect counter = {
        .object = s->object, .offset = a->counter_offset.u, .row_bytes = 4, .rows = 1
    };
    b->writes.count = 0;
    gv_effects_feedback(t, &b->writes);
    if (!any_hit(b, &b->writes) && !gv_live_hits(b->live, &counter))
        return;
    b->span_forced[t->span_ended - 1] = true;
    keep(b, gv_live_reader(b->live));
}

static void on_span_begin(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    if (!t->span_begun)
        return;
    const struct gv_track_span *s = &t->spans[t->span_begun - 1];
    bool query = s->begin_call == GV_CALL_query_begin;
    bool forced = b->span_forced[t->span_begun - 1];
    if (query && forced)
        b->forced_queries--;
    if (!forced && !b->span_kept[t->span_begun - 1])
        return;
    on_root(b);
    if (!query) {
        keep_unit(b, s->end, b->unit);
        need_object(b, s->object, b->unit);
    }
    if (s->begin_call == GV_CALL_feedback_begin)
        for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++)
            want_entry(b, GV_TRACK_FEEDBACK + i);
}

// ---- output ----

static bool is_wanted_frame(const struct gv_slice_back *b)
{
    const struct gv_slice_params *p = b->params;
    size_t low = 0, high = p->frame_count;
    if (b->frame >= b->track->payload->frame_count)
        return p->tail;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->frames[middle] < b->frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->frame_count && p->frames[low] == b->frame;
}

static void on_post(struct gv_slice_back *b)
{
    uint64_t export = b->call.args[0].u; // known and there: the verifier
    bool append = b->call.call == GV_CALL_post_buffer &&
                  GV_TRACK_ARGS(&b->call, post_buffer)->append.u;
    const bool *wanted = b->params->exports;
    if (!b->params->all_posts && (!wanted || !wanted[export] || b->posted[export]))
        return;
    on_root(b);
    b->posted[export] = !append && !b->call.unknown;
}

// What show() has named, or attachment 0.
static void want_view(struct gv_slice_back *b, const struct gv_track_record *r)
{
    const struct gv_effect e = { .object = r->object,
                                 .kind = GV_EFFECT_READ,
                                 .mip = r->view.mip,
                                 .mips = 1,
                                 .slice = r->view.layer,
                                 .slices = 1,
                                 .width = GV_EFFECT_REST,
                                 .height = GV_EFFECT_REST };
    need_object(b, r->object, b->unit);
    gv_live_add(b->live, &e, b->unit);
}

static void want_target(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    const struct gv_track_record *shown = gv_track_at(t, GV_TRACK_SHOW);
    size_t last = t->pass ? t->pass : t->pass_count; // the number + 1
    if (!b->keep[b->unit])
        b->reason[b->unit] = b->unit;
    want_entry(b, GV_TRACK_SHOW);
    if (shown && shown->object) {
        want_view(b, shown);
    } else if (last) {
        struct gv_track_pass *pass = &t->passes[last - 1];
        b->target_pass = last; // going backward they descend
        b->pass_kept[last - 1] = true;
        keep_unit(b, pass->end, b->unit);
        if (pass->color[0])
            want_view(b, &t->records[pass->color[0]]);
    }
}

// The state is that behind the unit at hand: of the calls that are behind it, too.
static void on_calls(struct gv_slice_back *b)
{
    const struct gv_slice_params *p = b->params;
    const uint64_t command = b->track->units[b->unit].command;
    bool any = false;
    for (; b->calls_left && p->calls[b->calls_left - 1] >= command; b->calls_left--)
        any = true;
    if (any)
        want_target(b);
}

bool gv_slice_back_want(struct gv_slice_back *b, uint32_t object,
                        const struct gv_effect *range)
{
    struct gv_effect e = *range;
    bool any = false;
    if (!b->keep[b->unit])
        b->reason[b->unit] = b->unit;
    need_object(b, object, b->unit);
    e.kind = GV_EFFECT_READ;
    for (; object; object = b->track->objects[object].either) {
        e.object = object;
        any = gv_live_hits(b->live, &e) || any;
        gv_live_add(b->live, &e, b->unit);
    }
    return any;
}

// ---- units ----

static void on_state(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    for (size_t i = t->record_count; i < t->record_end; i++) {
        uint32_t *reader = &b->entry_reader[t->records[i].entry];
        if (*reader == GV_TRACK_NONE)
            continue;
        keep(b, *reader);
        *reader = GV_TRACK_NONE;
    }
}

static void on_created(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    for (size_t i = t->object_count; i < t->object_end; i++) {
        if (b->object_reader[i] != GV_TRACK_NONE)
            keep(b, b->object_reader[i]);
        gv_live_forget(b->live, (uint32_t)i);
    }
}

static void on_call(struct gv_slice_back *b)
{
    switch (b->call.call) {
    case GV_CALL_frame_end:
        if (!b->state_only)
            on_root(b);
        break;
    case GV_CALL_present:
        if (is_wanted_frame(b))
            on_root(b);
        break;
    case GV_CALL_post_buffer:
    case GV_CALL_post_image:
        on_post(b);
        break;
    case GV_CALL_pass_begin:
        if (b->track->pass_begun)
            on_pass_begin(b);
        break;
    case GV_CALL_pass_end:
        on_pass_end(b);
        break;
    case GV_CALL_condition_begin:
    case GV_CALL_feedback_begin:
    case GV_CALL_query_begin:
        on_span_begin(b);
        break;
    case GV_CALL_feedback_end:
        on_feedback_end(b);
        break;
    case GV_CALL_query_end:
        on_query_end(b);
        break;
    default:
        if (b->track->record_end > b->track->record_count)
            on_state(b);
        else if (b->track->object_end > b->track->object_count)
            on_created(b);
        else
            on_contents(b);
        break;
    }
}

// What writes to memory.
static void on_memory(struct gv_slice_back *b, const struct gv_unit_op *op)
{
    const struct gv_effect e = { .object = gv_track_memory(b->track, &op->args[0]),
                                 .kind = GV_EFFECT_OVERWRITE,
                                 .offset = op->args[0].value,
                                 .row_bytes = gv_unit_touched(op, 0),
                                 .rows = 1 };
    if (!gv_live_hits(b->live, &e))
        return;
    uint32_t reader = gv_live_reader(b->live);
    gv_live_remove(b->live, &e);
    keep(b, reader);
}

// A unit of several things, kept if any of them is wanted.
static void on_complex(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    size_t end = t->access_count;
    bool hit = false;
    while (t->access_count && t->accesses[t->access_count - 1].unit == b->unit)
        t->access_count--;
    for (size_t i = t->access_count; i < end && !hit; i++) {
        const struct gv_track_access *a = &t->accesses[i];
        const struct gv_effect e = {
            .object = a->object, .offset = a->offset, .row_bytes = a->size, .rows = 1
        };
        hit = a->destroys || (a->write && gv_live_hits(b->live, &e));
    }
    for (size_t i = t->object_count; i < t->object_end; i++)
        hit = hit || b->object_reader[i] != GV_TRACK_NONE;
    for (size_t i = t->record_count; i < t->record_end; i++) {
        uint32_t *reader = &b->entry_reader[t->records[i].entry];
        hit = hit || *reader != GV_TRACK_NONE;
        if (!t->records[i].uncertain)
            *reader = GV_TRACK_NONE;
    }
    if (!hit)
        return;
    keep_unit(b, b->unit, b->unit);
    for (size_t i = t->access_count; i < end; i++) {
        const struct gv_track_access *a = &t->accesses[i];
        const struct gv_effect e = {
            .object = a->object, .offset = a->offset, .row_bytes = a->size, .rows = 1
        };
        need_object(b, a->object, b->unit);
        if (!a->write && a->size)
            gv_live_add(b->live, &e, b->unit);
    }
}

// Whether nobody wants what a unit sets or makes.
static bool sets_nothing(const struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    for (size_t i = t->record_count; i < t->record_end; i++)
        if (b->entry_reader[t->records[i].entry] != GV_TRACK_NONE)
            return false;
    for (size_t i = t->object_count; i < t->object_end; i++)
        if (b->object_reader[i] != GV_TRACK_NONE)
            return false;
    return true;
}

// Whether nobody wants what a unit that draws may write.
static bool draws_nothing(struct gv_slice_back *b)
{
    b->call.call = GV_CALL_draw; // whichever it is
    b->writes.count = 0;
    gv_effects_writes(b->track, &b->call, &b->writes);
    return !is_forced(b) && !any_hit(b, &b->writes);
}

// Most units need not be looked at.
static bool is_idle(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    const uint8_t flags = t->units[b->unit].flags;
    if (flags & GV_TRACK_DRAWS)
        return draws_nothing(b);
    if (!(flags & GV_TRACK_SETS) || !sets_nothing(b))
        return false;
    for (size_t i = t->object_count; i < t->object_end; i++)
        gv_live_forget(b->live, (uint32_t)i);
    return true;
}

static void step(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    gv_track_undo(t, b->unit);
    if (is_idle(b))
        return;
    gv_track_decode(t, b->unit);
    if (t->units[b->unit].flags & GV_TRACK_COMPLEX) {
        on_complex(b);
        return;
    }
    const struct gv_unit_op *op = gv_track_work(&t->unit);
    b->call.bytes = NULL;
    if (!op)
        return;
    if (op->kind != GV_UNIT_CALL) {
        on_memory(b, op);
        return;
    }
    gv_track_resolve(t, op, &b->call);
    on_call(b);
}

// What is given up late goes with what is made. Its own unit needs nothing else.
static void keep_destroyers(struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    for (size_t i = 1; i < b->object_count; i++) {
        const struct gv_track_object *o = &t->objects[i];
        if (b->object_reader[i] != GV_TRACK_NONE && o->destroy_unit != GV_TRACK_NONE)
            keep_unit(b, o->destroy_unit, o->destroy_unit);
    }
}

// All up to the unit at hand, and the ends of what has begun there.
static void keep_rest(struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    for (size_t i = 0; i < t->pass_count; i++)
        if (t->passes[i].end > b->unit)
            keep_unit(b, t->passes[i].end, b->unit);
    for (size_t i = 0; i < t->span_count; i++)
        if (t->spans[i].end > b->unit)
            keep_unit(b, t->spans[i].end, b->unit);
    for (uint32_t i = 0; i <= b->unit; i++)
        keep_unit(b, i, i);
    for (size_t i = 1; i < b->object_count; i++)
        if (t->objects[i].create_unit <= b->unit)
            need_object(b, (uint32_t)i, t->objects[i].create_unit);
}

// Nothing more can be told apart.
static bool gives_up(const struct gv_slice_back *b)
{
    bool barrier = b->track->units[b->unit].flags & GV_TRACK_BARRIER;
    return (b->params->roots && b->params->roots->unsliced) ||
           (barrier && !b->state_only) || gv_live_failed(b->live) || b->writes.failed ||
           b->reads.failed || gv_live_work(b->live) > b->work_limit;
}

static uint64_t frame_at(const struct gv_payload *p, size_t chunk)
{
    uint64_t low = 0, high = p->frame_count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (p->frames[middle].chunk_end <= chunk)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gv_slice_back_run(struct gv_slice_back *b)
{
    struct gv_track *t = b->track;
    struct gv_slice_roots *roots = b->params->roots;
    for (size_t chunk = t->chunk_count; chunk-- > 0;) {
        uint32_t begin = t->chunk_units[chunk];
        if (!gv_track_enter(t, chunk, b->err))
            return false;
        b->frame = frame_at(t->payload, chunk);
        for (b->unit = t->chunk_units[chunk + 1]; b->unit-- > begin;) {
            if (!b->gave_up && gives_up(b)) {
                b->gave_up = true;
                keep_rest(b);
            }
            if (!b->gave_up) {
                on_calls(b);
                if (roots && !roots->behind(roots, b))
                    return false;
                step(b);
            } else if (b->at_chunk) {
                gv_track_back(t, b->unit);
            } else {
                break;
            }
        }
        if (b->at_chunk && !b->at_chunk(b->context, b, chunk))
            return false;
        if (b->gave_up && !b->at_chunk)
            break;
    }
    keep_destroyers(b);
    if (roots)
        roots->settle(roots, b);
    return true;
}

void gv_slice_back_want_state(struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    const uint32_t last = b->unit_end ? b->unit_end - 1 : 0;
    for (size_t i = 1; i < b->object_count; i++)
        if (t->objects[i].destroy_unit == GV_TRACK_NONE)
            need_object(b, (uint32_t)i, last);
    for (size_t i = 0; i < t->entry_count; i++)
        if (t->current[i])
            b->entry_reader[i] = last;
}

// ---- what to run ----

// Runs of kept units of a chunk, whose units are [begin, end).
static size_t runs_of(const struct gv_slice_back *b, size_t chunk,
                      struct gv_kept_run *out)
{
    const struct gv_track *t = b->track;
    const struct gv_slice_roots *roots = b->params->roots;
    uint32_t unit = t->chunk_units[chunk], end = t->chunk_units[chunk + 1];
    size_t n = 0;
    while (unit < end) {
        if (!b->keep[unit]) {
            unit++;
            continue;
        }
        const struct gv_track_unit *first = &t->units[unit];
        while (unit < end && b->keep[unit] && !(roots && roots->stops(roots, unit)))
            unit++;
        const bool stop = unit < end && b->keep[unit];
        unit += stop;
        if (out)
            out[n] = (struct gv_kept_run){
                .begin = first->begin,
                .stop = stop,
                .end = unit < end ? t->units[unit].begin
                                  : t->payload->chunks[chunk].size - 1, // END
                .next_resource = first->next_resource,
                .command = first->command,
            };
        n++;
    }
    return n;
}

bool gv_slice_back_runs(const struct gv_slice_back *b, struct gv_kept *kept,
                        struct gv_error *err)
{
    const struct gv_track *t = b->track;
    size_t total = 0;
    for (size_t i = 0; i < t->chunk_count; i++)
        total += runs_of(b, i, NULL);
    kept->runs = calloc(total + 1, sizeof *kept->runs);
    kept->chunk_runs = calloc(t->chunk_count + 1, sizeof *kept->chunk_runs);
    if (!kept->runs || !kept->chunk_runs)
        return gv_out_of_memory(err);
    for (size_t i = 0, n = 0; i < t->chunk_count; i++) {
        n += runs_of(b, i, kept->runs + n);
        kept->chunk_runs[i + 1] = (uint32_t)n;
    }
    kept->chunk_count = t->chunk_count;
    return true;
}
