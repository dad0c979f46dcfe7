#include "tools/run/run_walk.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/now.h"
#include "tools/program.h"
#include "tools/run/run_bench.h"
#include "vm/machine/vm.h"

static bool copy(struct gv_picture *to, const struct gv_picture *from,
                 struct gv_error *err)
{
    const size_t size = (size_t)from->width * from->height * 4;
    *to = (struct gv_picture){ from->width, from->height, NULL };
    if (size == 0)
        return true;
    to->rgba = malloc(size);
    if (!to->rgba)
        return gv_out_of_memory(err);
    memcpy(to->rgba, from->rgba, size);
    return true;
}

// `asked`: the outputs of the frame are to be made. They may take the picture over.
static bool at_frame(struct gv_run_walk *w, uint32_t frame, bool asked,
                     struct gv_picture *picture, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    struct gv_picture own = { 0 };
    if (!asked && !picture)
        return true;
    s->output->position = frame;
    bool ok = gv_replay_picture(&s->replay, GV_REPLAY_AT_FRAME, &own, err);
    if (ok && picture && asked)
        ok = copy(picture, &own, err);
    if (ok && asked)
        ok = gv_run_output_frame(s->output, frame, &own, err);
    if (ok && picture && !asked) {
        *picture = own;
        own = (struct gv_picture){ 0 };
    }
    gv_picture_finish(&own);
    return ok;
}

static bool at_command(struct gv_run_walk *w, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    struct gv_picture picture = { 0 };
    const size_t call = w->call++;
    if (call < w->calls_made)
        return true;
    w->calls_made++;
    s->output->position =
        gv_payload_frame_of(s->payload, s->plan->calls.commands[call]);
    bool ok = gv_replay_picture(&s->replay, GV_REPLAY_AT_COMMAND, &picture, err) &&
              gv_run_output_call(s->output, call, &picture, err);
    w->at_picture = !ok;
    gv_picture_finish(&picture);
    return ok;
}

// Commands of the last frame that runs have no successor there to stop at.
static bool at_last_frame(struct gv_run_walk *w, struct gv_error *err)
{
    while (w->call < w->session->plan->calls.own.count)
        if (!at_command(w, err))
            return false;
    return true;
}

// The picture after the tail: presented there, or else what the last pass drew into.
static bool at_end(struct gv_run_walk *w, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    if (w->all_made || (!s->plan->shots.end && !s->plan->hashes.end))
        return true;
    struct gv_picture picture = { 0 };
    s->output->position = gv_vm_frame(s->replay.vm);
    bool ok = gv_replay_picture(&s->replay, GV_REPLAY_AT_END, &picture, err) &&
              gv_run_output_frame(s->output, GV_RUN_END, &picture, err);
    gv_picture_finish(&picture);
    return ok;
}

// Whether outputs are made of what runs next: once, and if any are asked for.
static bool is_asked(const struct gv_run_walk *w)
{
    const struct gv_run_plan *plan = w->session->plan;
    const uint64_t next = w->session->replay.next;
    // Of a stream nobody knows whether a frame is next or the end.
    if (plan->streamed)
        return gv_run_plan_wants(plan, next) || plan->shots.end || plan->hashes.end;
    if (next >= plan->frame_count)
        return !w->all_made && (plan->shots.end || plan->hashes.end);
    return next >= w->made && gv_run_plan_wants(plan, next);
}

static bool ended_frame(struct gv_run_walk *w, uint32_t frame, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    const uint64_t total =
        s->plan->tail ? s->plan->frame_count : s->plan->last_frame + 1;
    // Someone who times the first frame waits for it.
    if (s->frames == 0 && s->options->stats &&
        !gv_runtime_finish(s->replay.runtime, err))
        return false;
    if (s->times.first_frame_ns == 0)
        s->times.first_frame_ns = gv_now_ns() - s->program->start_ns;
    const uint64_t next = s->replay.next;
    if (next > w->made && s->plan->exports_each &&
        !gv_run_output_exports_at(s->output, next - 1, s->replay.runtime, err))
        return false;
    s->frames += next > w->made;
    w->made = next > w->made ? next : w->made;
    if (s->bench)
        s->options->bench->frame(s->bench, s->replay.runtime, s->times.passes, frame);
    if (w->bar)
        gv_progress_bar_update(w->bar, s->times.passes * total + next,
                               s->options->loop * total);
    if (s->plan->tail || frame < s->plan->last_frame)
        return true;
    w->ended = true;
    return at_last_frame(w, err);
}

// To a stop; of a stream, code that comes meanwhile included.
static bool run_code(struct gv_run_walk *w, enum gv_stop *stop, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    for (bool more = true; more;) {
        more = false;
        if (!gv_replay_run(&s->replay, stop, err))
            return false;
        if (*stop == GV_STOP_END && s->stream &&
            !gv_run_stream_more(s->stream, s->plan, &s->replay, &more, err)) {
            s->phase = s->stream->phase;
            return false;
        }
    }
    return true;
}

static bool step(struct gv_run_walk *w, struct gv_picture *picture, enum gv_stop *stop,
                 struct gv_error *err)
{
    const bool asked = is_asked(w);
    struct gv_run_session *s = w->session;
    if (!run_code(w, stop, err))
        return false;
    switch (*stop) {
    case GV_STOP_COMMAND:
        return at_command(w, err);
    case GV_STOP_END:
        w->ended = true;
        return at_end(w, err);
    case GV_STOP_FRAME:
        break;
    }
    const uint32_t frame = gv_vm_frame(s->replay.vm);
    return gv_run_output_ok(s->output, err) && // or there is no use in going on
           at_frame(w, frame, asked, picture, err) && ended_frame(w, frame, err);
}

bool gv_run_walk_on(struct gv_run_walk *w, struct gv_picture *picture,
                    struct gv_error *err)
{
    enum gv_stop stop;
    struct gv_run_session *s = w->session;
    if (s->stream && !gv_run_stream_frame(s->stream, s->plan, s->replay.next, err))
        return false;
    gv_runtime_want_pictures(s->replay.runtime, picture || is_asked(w));
    do {
        if (!step(w, picture, &stop, err))
            return false;
    } while (stop == GV_STOP_COMMAND);
    w->all_made = w->all_made || w->ended;
    return true;
}

bool gv_run_walk_to_end(struct gv_run_walk *w, struct gv_error *err)
{
    while (!w->ended)
        if (!gv_run_walk_on(w, NULL, err))
            return false;
    return true;
}

// A pass begins: the replay stands where it does.
static void begun(struct gv_run_walk *w)
{
    w->call = 0;
    w->ended = false;
}

bool gv_run_walk_restart(struct gv_run_walk *w, struct gv_error *err)
{
    if (!gv_replay_restart(&w->session->replay, err))
        return false;
    begun(w);
    return true;
}

// How far on a pass may begin: not behind outputs that nobody has made.
static uint64_t furthest(const struct gv_run_walk *w)
{
    const struct gv_run_plan *plan = w->session->plan;
    if (plan->calls.own.count || plan->export_count)
        return 0;
    bool makes =
        plan->hashes.count || plan->shots.count || plan->hashes.end || plan->shots.end;
    return makes && !w->all_made ? w->made : UINT64_MAX;
}

bool gv_run_walk_near(struct gv_run_walk *w, uint64_t frame, struct gv_error *err)
{
    bool anew;
    if (!gv_replay_near(&w->session->replay, frame, furthest(w), &anew, err))
        return false;
    if (anew)
        begun(w);
    return true;
}

bool gv_run_walk_jump(struct gv_run_walk *w, uint64_t frame, struct gv_error *err)
{
    bool anew;
    if (!gv_replay_jump(&w->session->replay, frame, &anew, err))
        return false;
    if (anew)
        begun(w);
    return true;
}
