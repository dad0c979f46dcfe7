#include "tools/run/run_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/nameless.h"
#include "tools/set_file.h"
#include "vm/machine/progress.h"

// Of --mem-mb, what tables and constants of a stream may take; the rest is the run's.
#define TABLES_PART 4

// ---- opening ----

bool gv_run_stream_can(const struct gv_run_options *o)
{
    return !o->calls.count && !o->exports.count && !o->hash_exports.count &&
           !o->output && !o->bench && o->loop == 1 &&
           !(o->frames && gv_set_needs_all(o->frames)) &&
           !(o->screenshots && gv_set_needs_all(o->screenshots));
}

static bool on_waiting(void *context)
{
    const struct gv_run_stream *s = context;
    gv_progress_alive(s->progress);
    return !s->window || gv_run_window_stirred(s->window);
}

static int watch(void *context)
{
    const struct gv_run_stream *s = context;
    return s->window ? gv_run_window_watch(s->window) : -1;
}

static bool next(struct gv_run_stream *s, bool *more, struct gv_error *err)
{
    s->phase = GV_PHASE_LOAD;
    if (gv_stream_next(s->stream, more, err))
        return true;
    if (gv_stream_in_code(s->stream))
        s->phase = GV_PHASE_CODE;
    return false;
}

bool gv_run_stream_open(struct gv_run_stream *s, struct gv_input *input,
                        const struct gv_run_options *options,
                        struct gv_run_window *window, struct gv_error *err)
{
    uint64_t limit = options->mem_mb << 20;
    *s = (struct gv_run_stream){
        .options = options,
        .guard = &input->guard,
        .spill = -1,
        .memory_limit = limit - limit / TABLES_PART,
        .phase = GV_PHASE_LOAD,
        .window = window,
    };
    s->spill = gv_nameless_open(err);
    if (s->spill < 0)
        return false;
    s->stream = gv_stream_open(
        &(struct gv_stream_params){ .fd = input->pipe,
                                    .head = input->head,
                                    .head_size = input->head_size,
                                    .spill = s->spill,
                                    .spill_limit = options->spill_mb << 20,
                                    .spill_option = "--spill-mb",
                                    .memory_limit = limit / TABLES_PART,
                                    .declared_limit = limit,
                                    .waiting = on_waiting,
                                    .watch = watch,
                                    .context = s },
        err);
    if (!s->stream)
        return false;
    s->payload = gv_stream_payload(s->stream);
    return next(s, &s->begun, err);
}

void gv_run_stream_close(struct gv_run_stream *s)
{
    gv_stream_close(s->stream);
    gv_set_finish(&s->frames);
    gv_set_finish(&s->shots);
    if (s->spill >= 0)
        close(s->spill);
}

// ---- frames ----

// Room for the one frame that a selection is ever about.
static bool make_room(struct gv_selection *s, struct gv_error *err)
{
    s->numbers = malloc(sizeof *s->numbers);
    s->named = malloc(sizeof *s->named);
    return (s->numbers && s->named) || gv_out_of_memory(err);
}

bool gv_run_stream_plan(struct gv_run_stream *s, struct gv_run_plan *plan,
                        struct gv_error *err)
{
    const struct gv_run_options *o = s->options;
    uint64_t total;
    const char *frames = o->frames ? o->frames : "all";
    if (!gv_set_read(&s->frames, frames, err) ||
        !gv_set_read(&s->shots, o->screenshots ? o->screenshots : frames, err))
        return false;
    if (!plan->tail && gv_set_bound(&s->shots, &total) && total > plan->last_frame + 1)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--screenshots: frame %" PRIu64 " is after the last of --frames",
                       total - 1);
    s->to_files = (o->screenshots || o->differing) && plan->folder;
    return make_room(&plan->hashes, err) && make_room(&plan->shots, err) &&
           gv_run_stream_frame(s, plan, 0, err);
}

static void select_frame(struct gv_selection *selection, bool selected, uint64_t frame,
                         bool named)
{
    selection->count = selected;
    selection->numbers[0] = frame;
    selection->named[0] = named;
}

bool gv_run_stream_frame(struct gv_run_stream *s, struct gv_run_plan *plan,
                         uint64_t frame, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    bool named = false, selected = gv_set_has(&s->shots, frame, 0, &named);
    select_frame(&plan->hashes, selected, frame, named);
    select_frame(&plan->shots, selected && s->to_files, frame, named);
    return !plan->shots.count ||
           (gv_run_plan_frame_path(plan, s->options, frame, path, err) &&
            gv_guard_check(s->guard, path, err));
}

// Numbers that there are not.
static bool check_set(const struct gv_set *set, uint64_t total, struct gv_error *err)
{
    struct gv_selection selection = { 0 };
    bool ok = gv_set_resolve(set, total, "frame", &selection, err);
    gv_selection_finish(&selection);
    return ok;
}

// ---- going on ----

bool gv_run_stream_more(struct gv_run_stream *s, struct gv_run_plan *plan,
                        struct gv_replay *replay, bool *more, struct gv_error *err)
{
    if (!next(s, more, err))
        return false;
    if (*more)
        return gv_replay_go_on(replay, err);
    s->phase = GV_PHASE_OPEN;
    s->ended = true;
    plan->frame_count = gv_vm_frame(replay->vm);
    return check_set(&s->frames, plan->frame_count, err) &&
           check_set(&s->shots, plan->frame_count, err);
}
