#include "tools/inspect/uniform_bytes.h"

#include <stdlib.h>

#include "resources/base/cancel.h"
#include "tools/replay/null_host.h"
#include "tools/replay/replay_core.h"

// More than this many in all would be waited for: some ten seconds.
#define MOST_INSTRUCTIONS (UINT64_C(1) << 32)

// Where the run is, and what is bound there.
struct seeker {
    struct gv_null_host null; // first: the context of its calls
    const struct gv_place *place;
    struct gv_uniforms *found;
    uint64_t command;
    uint64_t frame, works, passes; // that ended; of this frame
    bool there;                    // at the place: nothing more counts
};

// ---- what is bound ----

const struct gv_uniform *gv_uniforms_at(const struct gv_uniforms *u, uint64_t set,
                                        uint64_t binding)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->items[i].set == set && u->items[i].binding == binding)
            return &u->items[i];
    return NULL;
}

static struct gv_uniform *make_room(struct gv_uniforms *u, uint64_t set,
                                    uint64_t binding)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->items[i].set == set && u->items[i].binding == binding)
            return &u->items[i];
    if (u->count == u->capacity) {
        const size_t capacity = u->capacity ? 2 * u->capacity : 16;
        struct gv_uniform *grown = realloc(u->items, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        u->items = grown;
        u->capacity = capacity;
    }
    u->items[u->count] = (struct gv_uniform){ .set = set, .binding = binding };
    return &u->items[u->count++];
}

void gv_uniforms_finish(struct gv_uniforms *u)
{
    for (size_t i = 0; i < u->count; i++)
        gv_bytes_finish(&u->items[i].bytes);
    free(u->items);
    *u = (struct gv_uniforms){ 0 };
}

// ---- on the way ----

// Ends the run once it is there.
static bool go_on(const struct seeker *s, struct gv_error *err)
{
    return !s->there || gv_fail_cancelled(err);
}

static bool is_of_frame(const struct seeker *s, enum gv_place_kind kind)
{
    return s->place->kind == kind && s->place->frame == s->frame;
}

static bool at_uniform(void *context, const union gv_arg *args, uint64_t *result,
                       struct gv_error *err)
{
    struct seeker *s = context;
    const struct gv_args_bind_uniform_bytes *a =
        (const struct gv_args_bind_uniform_bytes *)args;
    (void)result;
    if (!go_on(s, err))
        return false;
    struct gv_uniform *u = make_room(s->found, a->set.u, a->binding.u);
    if (!u)
        return gv_out_of_memory(err);
    u->command = s->command;
    u->bytes.size = 0;
    gv_bytes_put(&u->bytes, a->data.data, (size_t)a->size.u);
    return !u->bytes.failed || gv_out_of_memory(err);
}

// Draws and dispatches change nothing of what is bound: in front or behind is one.
static bool at_work(void *context, const union gv_arg *args, uint64_t *result,
                    struct gv_error *err)
{
    struct seeker *s = context;
    (void)args;
    (void)result;
    s->there =
        s->there || (is_of_frame(s, GV_PLACE_WORK) && s->works == s->place->number);
    s->works++;
    return go_on(s, err);
}

static bool at_pass_begin(void *context, const union gv_arg *args, uint64_t *result,
                          struct gv_error *err)
{
    struct seeker *s = context;
    (void)args;
    (void)result;
    s->there = s->there || (is_of_frame(s, GV_PLACE_PASS) && s->place->before &&
                            s->passes == s->place->number);
    return go_on(s, err);
}

static bool at_pass_end(void *context, const union gv_arg *args, uint64_t *result,
                        struct gv_error *err)
{
    struct seeker *s = context;
    (void)args;
    (void)result;
    s->there =
        s->there || (is_of_frame(s, GV_PLACE_PASS) && s->passes == s->place->number);
    s->passes++;
    return go_on(s, err);
}

static bool at_frame_end(void *context, const union gv_arg *args, uint64_t *result,
                         struct gv_error *err)
{
    struct seeker *s = context;
    (void)args;
    (void)result;
    s->there = s->there || (is_of_frame(s, GV_PLACE_FRAME) && !s->place->before);
    s->frame++;
    s->works = s->passes = 0;
    s->there = s->there || (is_of_frame(s, GV_PLACE_FRAME) && s->place->before);
    return go_on(s, err);
}

static void at_command(void *context, uint64_t command)
{
    struct seeker *s = context;
    const struct gv_place *p = s->place;
    s->command = command;
    s->there = s->there || (p->kind == GV_PLACE_COMMAND &&
                            (p->before ? command >= p->number : command > p->number));
}

static void seeker_init(struct seeker *s, const struct gv_place *place,
                        struct gv_uniforms *found, uint64_t memory_limit)
{
    *s = (struct seeker){ .place = place, .found = found };
    gv_null_host_init(&s->null, memory_limit ? memory_limit : UINT64_MAX);
    s->there = place->kind == GV_PLACE_FRAME && place->before && place->frame == 0;
    gv_host_call_fn *calls = s->null.host.calls;
    for (size_t i = 0; i < GV_CALL_LIMIT; i++)
        if (gv_call_infos[i].sets & GV_STATE_WORK)
            calls[i] = at_work;
    calls[GV_CALL_bind_uniform_bytes] = at_uniform;
    calls[GV_CALL_pass_begin] = at_pass_begin;
    calls[GV_CALL_pass_end] = at_pass_end;
    calls[GV_CALL_frame_end] = at_frame_end;
    s->null.host.command = at_command;
}

bool gv_uniforms_find(struct gv_uniforms *uniforms, struct gv_payload *payload,
                      const struct gv_place *place, uint64_t memory_limit,
                      struct gv_error *err)
{
    if (payload->limits.instructions > MOST_INSTRUCTIONS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the code runs over 2^32 instructions");
    struct seeker seeker;
    struct gv_replay replay = { 0 };
    struct gv_error mine = GV_ERROR_INIT;
    enum gv_stop stop = GV_STOP_FRAME;
    seeker_init(&seeker, place, uniforms, memory_limit);
    const struct gv_vm_params machine = { .host = &seeker.null.host, .once = true };
    gv_replay_open_without_device(&replay, payload, memory_limit);
    bool ok = gv_replay_open_machine(&replay, &machine, &mine);
    while (ok && stop != GV_STOP_END)
        ok = gv_replay_run(&replay, &stop, &mine);
    gv_replay_close(&replay);
    gv_null_host_finish(&seeker.null);
    return ok || seeker.there ||
           gv_fail(err, mine.status, mine.offset, "%s", mine.message);
}
