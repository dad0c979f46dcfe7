#include "vm/track/tracker.h"

#include <stdlib.h>
#include <string.h>

#include "vm/track/track_state.h"

void *gv_track_grow(struct gv_track *t, void *array, size_t count, size_t *capacity,
                    size_t element)
{
    if (count < *capacity)
        return array;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    uint64_t more = (uint64_t)(wanted - *capacity) * element;
    void *grown = NULL;
    if (more <= t->private->memory_limit - t->memory)
        grown = realloc(array, wanted * element);
    if (!grown) {
        t->opaque = "the log passes the memory limit";
        return NULL;
    }
    t->memory += more;
    *capacity = wanted;
    return grown;
}

struct gv_track *gv_track_create(struct gv_payload *payload, uint64_t memory_limit,
                                 struct gv_error *err)
{
    struct gv_track *t = calloc(1, sizeof *t);
    if (!t) {
        gv_out_of_memory(err);
        return NULL;
    }
    t->payload = t->walk.payload = payload;
    t->slots = calloc(payload->slot_count + 1, sizeof *t->slots);
    t->private = calloc(1, sizeof *t->private);
    if (t->private)
        t->private->memory_limit = memory_limit ? memory_limit : UINT64_MAX;
    if (t->slots && t->private && gv_state_init(t))
        return t;
    gv_track_destroy(t);
    gv_out_of_memory(err);
    return NULL;
}

void gv_track_destroy(struct gv_track *t)
{
    if (!t)
        return;
    free(t->units);
    free(t->chunk_units);
    free(t->objects);
    free(t->records);
    free(t->passes);
    free(t->spans);
    free(t->ends);
    free(t->accesses);
    free(t->pipelines);
    free(t->bindings);
    free(t->slots);
    free(t->current);
    if (t->private)
        free(t->private->keys);
    free(t->private);
    free(t);
}

// ---- what a unit says ----

uint32_t gv_track_memory(const struct gv_track *t, const struct gv_unit_cell *cell)
{
    if (cell->type == GV_UNIT_VOLATILE)
        return GV_TRACK_VOLATILE;
    return cell->type == GV_UNIT_MAPPED ? t->slots[cell->index] : 0;
}

const struct gv_unit_op *gv_track_work(const struct gv_unit *unit)
{
    for (size_t i = 0; i < unit->op_count; i++)
        if (unit->ops[i].kind != GV_UNIT_LOAD)
            return &unit->ops[i];
    return NULL;
}

bool gv_track_resolves(const struct gv_track *t, uint32_t object)
{
    const struct gv_track_pass *pass = t->pass ? &t->passes[t->pass - 1] : NULL;
    bool found = false;
    for (size_t i = 0; pass && i < GV_MAX_COLOR_ATTACHMENTS; i++)
        found = found ||
                (pass->resolve[i] && t->records[pass->resolve[i]].object == object);
    return found;
}

void gv_track_resolve(const struct gv_track *t, const struct gv_unit_op *op,
                      struct gv_track_call *out)
{
    const struct gv_call_info *info = &gv_call_infos[op->call];
    out->call = op->call;
    out->unknown = 0;
    out->bytes = NULL;
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_unit_cell *cell = &op->args[i];
        out->args[i].u = cell->value;
        if (info->args[i].kind == GV_ARG_BYTES)
            out->bytes = cell;
        else if (cell->type == GV_UNIT_HANDLE || cell->type == GV_UNIT_MAPPED)
            out->args[i].u = t->slots[cell->index];
        else if (cell->type == GV_UNIT_RESULT)
            out->args[i].u = t->private->results[cell->index];
        else if (cell->type == GV_UNIT_UNKNOWN)
            out->unknown |= UINT32_C(1) << i;
    }
}

const struct gv_track_ranges *gv_track_ranges_of(const struct gv_track *t,
                                                 const struct gv_track_call *c)
{
    struct gv_track_ranges *r = &t->private->ranges;
    uint64_t size = c->bytes ? (c->bytes + 1)->value : 0;
    if (!size || c->bytes->type != GV_UNIT_CONST)
        return NULL;
    if (r->size == size && r->at == c->bytes->value)
        return r;
    struct gv_cursor in =
        gv_cursor_make(t->payload->constants + c->bytes->value, (size_t)size);
    r->at = c->bytes->value;
    r->size = size;
    r->count = 0;
    while (r->count < GV_MAX_DISPATCH_RANGES &&
           gv_dispatch_range_next(&in, &r->items[r->count]))
        r->count++;
    return r;
}

// ---- units that are more than one thing ----

// Of the set_* calls.
#define DYNAMIC_STATE ((GV_STATE_TARGETS - 1u) & ~(GV_STATE_VIEWPORT - 1u))

static void note_access(struct gv_track *t, const struct gv_track_access *access)
{
    struct gv_track_access *grown = gv_track_grow(
        t, t->accesses, t->access_count, &t->private->access_capacity, sizeof *grown);
    if (!grown)
        return;
    t->accesses = grown;
    grown[t->access_count++] = *access;
}

static void note_memory(struct gv_track *t, const struct gv_unit_cell *cell,
                        uint64_t size, bool write)
{
    uint32_t object = gv_track_memory(t, cell);
    if (object)
        note_access(t, &(struct gv_track_access){ (uint32_t)t->unit_count, object,
                                                  write, false, cell->value, size });
}

// Calls of a skip that can be followed: what they set is then one thing or the other.
bool gv_track_is_soft(uint8_t call)
{
    switch (call) {
    case GV_CALL_shader_create:
    case GV_CALL_shader_destroy:
    case GV_CALL_sampler_create:
    case GV_CALL_sampler_destroy:
    case GV_CALL_pipeline_create_graphics:
    case GV_CALL_pipeline_create_compute:
    case GV_CALL_pipeline_destroy:
    case GV_CALL_bind_vertex_buffer:
    case GV_CALL_bind_index_buffer:
    case GV_CALL_bind_uniform_bytes:
    case GV_CALL_bind_buffer:
    case GV_CALL_bind_texel_buffer:
    case GV_CALL_bind_texture:
    case GV_CALL_bind_sampler:
    case GV_CALL_bind_storage_image:
        return true;
    default:
        return (gv_call_infos[call].sets & DYNAMIC_STATE) != 0;
    }
}

static bool all_soft(const struct gv_unit *u)
{
    for (size_t i = 0; i < u->op_count; i++)
        if (u->ops[i].kind == GV_UNIT_CALL && !gv_track_is_soft(u->ops[i].call))
            return false;
    return true;
}

static void note_call(struct gv_track *t, const struct gv_track_call *call)
{
    const struct gv_call_info *info = &gv_call_infos[call->call];
    bool optional;
    for (size_t i = 0; i < info->arg_count; i++)
        if (gv_arg_object_kind(info->args[i].kind, &optional) && call->args[i].u)
            note_access(t, &(struct gv_track_access){
                               .unit = (uint32_t)t->unit_count,
                               .object = (uint32_t)call->args[i].u,
                               .destroys = info->args[i].role == GV_ROLE_DESTROY });
    if (call->bytes)
        note_memory(t, call->bytes, (call->bytes + 1)->value, false);
}

static void note_op(struct gv_track *t, const struct gv_unit_op *op)
{
    for (size_t i = 0; i < gv_unit_addresses(op); i++)
        note_memory(t, &op->args[i], gv_unit_touched(op, i),
                    i == 0 && op->kind != GV_UNIT_LOAD);
}

// Performs the operations one after another; `noted`: with what they touch.
static void follow_ops(struct gv_track *t, const struct gv_unit *u, bool noted)
{
    struct gv_track_call call;
    for (size_t i = 0; i < u->op_count && !t->opaque; i++) {
        const struct gv_unit_op *op = &u->ops[i];
        if (op->kind == GV_UNIT_CALL) {
            gv_track_resolve(t, op, &call);
            if (noted)
                note_call(t, &call);
            gv_state_call(t, &call, (uint32_t)i);
        } else if (op->kind == GV_UNIT_STORE_SLOT) {
            gv_state_store(t, op->number, t->private->results[op->args[0].index]);
        } else if (noted) {
            note_op(t, op);
        }
    }
}

// ---- one unit ----

static bool is_simple(const struct gv_unit *u)
{
    size_t work = 0;
    for (size_t i = 0; i < u->op_count; i++)
        work += u->ops[i].kind != GV_UNIT_LOAD && u->ops[i].kind != GV_UNIT_STORE_SLOT;
    return !u->control && !u->overflow && work <= 1;
}

// What may or may not have happened is not followed further, but for objects without
// contents.
static bool is_uncertain(const struct gv_unit *u)
{
    return u->overflow || (u->skips && !all_soft(u));
}

static bool is_draw(const struct gv_unit *u)
{
    const struct gv_unit_op *op = gv_track_work(u);
    return op && op->kind == GV_UNIT_CALL &&
           gv_call_infos[op->call].reads == GV_STATE_ALL_DRAW;
}

static uint8_t flags_of(const struct gv_unit *u, bool simple, bool sets)
{
    uint8_t flags = !simple      ? GV_TRACK_COMPLEX
                    : sets       ? GV_TRACK_SETS
                    : is_draw(u) ? GV_TRACK_DRAWS
                                 : 0;
    if (!simple && !all_soft(u))
        flags |= GV_TRACK_BARRIER;
    for (size_t i = 0; i < u->op_count; i++) {
        if (u->ops[i].kind != GV_UNIT_CALL)
            continue;
        flags |= GV_TRACK_CALLS;
        if (gv_call_infos[u->ops[i].call].sets & GV_STATE_WORK)
            flags |= GV_TRACK_WORKS;
    }
    return flags;
}

static void follow_unit(struct gv_track *t, const struct gv_unit *u)
{
    bool simple = is_simple(u);
    size_t before = t->record_count + t->object_count;
    if (is_uncertain(u)) {
        t->opaque = "a skip around work";
        return;
    }
    t->private->uncertain = u->skips;
    if (t->seen)
        t->seen(t->context, u, simple);
    follow_ops(t, u, !simple);
    struct gv_track_unit *grown = gv_track_grow(
        t, t->units, t->unit_count, &t->private->unit_capacity, sizeof *grown);
    if (!grown)
        return;
    t->units = grown;
    bool sets = t->record_count + t->object_count > before;
    grown[t->unit_count++] = (struct gv_track_unit){
        .begin = u->begin & 0xffffffu,
        .flags = flags_of(u, simple, sets),
        .next_resource = u->next_resource,
        .command = u->command,
    };
}

bool gv_track_follow(struct gv_track *t, size_t chunk_end, struct gv_error *err)
{
    for (size_t chunk = t->chunk_count; chunk <= chunk_end && !t->opaque; chunk++) {
        uint32_t *grown = gv_track_grow(t, t->chunk_units, chunk,
                                        &t->private->chunk_capacity, sizeof *grown);
        if (!grown)
            return true;
        t->chunk_units = grown;
        grown[chunk] = (uint32_t)t->unit_count;
        t->chunk_count = chunk;
        if (chunk == chunk_end)
            break;
        if (!gv_unit_walk_chunk(&t->walk, chunk, err))
            return false;
        while (!t->opaque && gv_unit_next(&t->walk, &t->unit)) {
            follow_unit(t, &t->unit);
            if (t->unit_count >= GV_TRACK_NONE - 1)
                t->opaque = "too many units";
        }
    }
    return true;
}

// ---- backward ----

bool gv_track_enter(struct gv_track *t, size_t chunk, struct gv_error *err)
{
    return gv_unit_walk_chunk(&t->walk, chunk, err);
}

void gv_track_undo(struct gv_track *t, uint32_t unit)
{
    gv_state_undo(t, unit);
}

void gv_track_decode(struct gv_track *t, uint32_t unit)
{
    const struct gv_track_unit *u = &t->units[unit];
    t->walk.pc = u->begin;
    t->walk.command = u->command;
    t->walk.next_resource = u->next_resource;
    t->walk.depth = 0;
    gv_unit_next(&t->walk, &t->unit);
}

void gv_track_back(struct gv_track *t, uint32_t unit)
{
    gv_track_undo(t, unit);
    gv_track_decode(t, unit);
}

bool gv_track_mark(const struct gv_track *t, struct gv_track_mark *mark,
                   struct gv_error *err)
{
    const size_t slots = t->payload->slot_count;
    *mark = (struct gv_track_mark){ .log = *t };
    mark->slots = malloc((slots + 1) * sizeof *mark->slots);
    mark->current = malloc((t->entry_count + 1) * sizeof *mark->current);
    if (!mark->slots || !mark->current) {
        gv_track_mark_finish(mark);
        return gv_out_of_memory(err);
    }
    memcpy(mark->slots, t->slots, slots * sizeof *mark->slots);
    memcpy(mark->current, t->current, t->entry_count * sizeof *mark->current);
    return true;
}

void gv_track_return(struct gv_track *t, const struct gv_track_mark *mark)
{
    const struct gv_track *log = &mark->log;
    memcpy(t->slots, mark->slots, t->payload->slot_count * sizeof *t->slots);
    memcpy(t->current, mark->current, log->entry_count * sizeof *t->current);
    t->object_count = log->object_count;
    t->record_count = log->record_count;
    t->pass_count = log->pass_count;
    t->span_count = log->span_count;
    t->end_count = log->end_count;
    t->access_count = log->access_count;
    t->pass = log->pass;
    t->condition = log->condition;
    t->feedback = log->feedback;
    t->query_count = log->query_count;
    memcpy(t->queries, log->queries, sizeof t->queries);
}

void gv_track_mark_finish(struct gv_track_mark *mark)
{
    free(mark->slots);
    free(mark->current);
    *mark = (struct gv_track_mark){ 0 };
}
