#include "vm/effects/effects_declare.h"

#include <stdlib.h>

static struct gv_declared_call *add(struct gv_declared *d)
{
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 256;
        struct gv_declared_call *grown = realloc(d->calls, capacity * sizeof *grown);
        if (!grown) {
            d->effects.failed = true;
            return NULL;
        }
        d->calls = grown;
        d->capacity = capacity;
    }
    return &d->calls[d->count++];
}

// The pass that is about to begin.
static struct gv_track_pass next_pass(const struct gv_track *t,
                                      const struct gv_track_call *c)
{
    const struct gv_args_pass_begin *a = GV_TRACK_ARGS(c, pass_begin);
    struct gv_track_pass pass = { .width = (uint32_t)a->width.u,
                                  .height = (uint32_t)a->height.u,
                                  .layers = (uint32_t)a->layers.u,
                                  .depth = t->current[GV_TRACK_DEPTH] };
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        pass.color[i] = t->current[GV_TRACK_COLOR + i];
    return pass;
}

// What begins and ends passes and transform feedback has its effects apart.
static void put_writes(struct gv_declared *d, const struct gv_track_call *c)
{
    const struct gv_track *t = d->track;
    struct gv_effects *out = &d->effects;
    if (c->call == GV_CALL_pass_begin) {
        const struct gv_track_pass pass = next_pass(t, c);
        gv_effects_clears(t, &pass, out);
    } else if (c->call == GV_CALL_pass_end && t->pass) {
        gv_effects_resolves(t, &t->passes[t->pass - 1], GV_EFFECT_OVERWRITE, out);
    } else if (c->call == GV_CALL_feedback_end) {
        const struct gv_args_feedback_end *a = GV_TRACK_ARGS(c, feedback_end);
        gv_effects_counter(out, a->counter.u, a->counter_offset.u);
        gv_effects_feedback(t, out);
    } else {
        gv_effects_writes(t, c, out);
    }
}

static void see_call(struct gv_declared *d, const struct gv_unit_op *op)
{
    struct gv_track *t = d->track;
    struct gv_track_call c;
    struct gv_declared_call *call = add(d);
    if (!call)
        return;
    gv_track_resolve(t, op, &c);
    *call = (struct gv_declared_call){ .call = op->call,
                                       .first = (uint32_t)d->effects.count };
    if (gv_call_infos[op->call].result)
        call->made = (uint32_t)t->object_count;
    else
        put_writes(d, &c);
    call->count = (uint32_t)(d->effects.count - call->first);
}

static void see(void *context, const struct gv_unit *unit, bool simple)
{
    struct gv_declared *d = context;
    for (size_t i = 0; i < unit->op_count && !d->opaque; i++) {
        const struct gv_unit_op *op = &unit->ops[i];
        if (op->kind != GV_UNIT_CALL || gv_track_is_soft(op->call))
            continue;
        if (simple)
            see_call(d, op);
        else
            d->opaque = "a loop or skip around work";
    }
}

bool gv_declared_make(struct gv_declared *d, struct gv_payload *payload,
                      struct gv_error *err)
{
    *d = (struct gv_declared){ .track = gv_track_create(payload, 0, err) };
    if (!d->track)
        return false;
    d->track->seen = see;
    d->track->context = d;
    if (!gv_track_follow(d->track, payload->chunk_count, err))
        return false;
    if (d->track->opaque && !d->opaque)
        d->opaque = d->track->opaque;
    return !d->effects.failed || gv_out_of_memory(err);
}

void gv_declared_finish(struct gv_declared *d)
{
    gv_track_destroy(d->track);
    free(d->calls);
    gv_effects_finish(&d->effects);
    *d = (struct gv_declared){ 0 };
}
