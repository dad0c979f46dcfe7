#include "tools/run/run_walk.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/now.h"
#include "tools/program.h"
#include "tools/run/run_bench.h"
#include "tools/run/run_slice.h"
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
    bool ok = gv_runtime_frame_picture(w->runtime, &own, err);
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
    bool ok = gv_runtime_target_picture(w->runtime, &picture, err) &&
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
    s->output->position = gv_vm_frame(w->vm);
    bool ok = gv_runtime_frame_picture(w->runtime, &picture, err);
    if (ok && picture.width == 0)
        ok = gv_runtime_target_picture(w->runtime, &picture, err);
    ok = ok && gv_run_output_frame(s->output, GV_RUN_END, &picture, err);
    gv_picture_finish(&picture);
    return ok;
}

// Whether outputs are made of what runs next: once, and if any are asked for.
static bool is_asked(const struct gv_run_walk *w)
{
    const struct gv_run_plan *plan = w->session->plan;
    // Of a stream nobody knows whether a frame is next or the end.
    if (plan->streamed)
        return gv_run_plan_wants(plan, w->next) || plan->shots.end || plan->hashes.end;
    if (w->next >= plan->frame_count)
        return !w->all_made && (plan->shots.end || plan->hashes.end);
    return w->next >= w->made && gv_run_plan_wants(plan, w->next);
}

static bool ended_frame(struct gv_run_walk *w, uint32_t frame, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    const uint64_t total =
        s->plan->tail ? s->plan->frame_count : s->plan->last_frame + 1;
    // Someone who times the first frame waits for it.
    if (s->frames == 0 && s->options->stats && !gv_runtime_finish(w->runtime, err))
        return false;
    if (s->times.first_frame_ns == 0)
        s->times.first_frame_ns = gv_now_ns() - s->program->start_ns;
    w->next = (uint64_t)frame + 1;
    s->frames += w->next > w->made;
    w->made = w->next > w->made ? w->next : w->made;
    if (s->bench)
        s->options->bench->frame(s->bench, w->runtime, s->times.passes, frame);
    if (w->bar)
        gv_progress_bar_update(w->bar, w->next, total);
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
        if (!gv_vm_run(w->vm, stop, err))
            return false;
        if (*stop == GV_STOP_END && s->stream &&
            !gv_run_stream_more(s->stream, s->plan, w->runtime, w->vm, &more, err)) {
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
    const uint32_t frame = gv_vm_frame(w->vm);
    return gv_run_output_ok(w->session->output,
                            err) && // or there is no use in going on
           at_frame(w, frame, asked, picture, err) &&
           ended_frame(w, frame, err);
}

bool gv_run_walk_on(struct gv_run_walk *w, struct gv_picture *picture,
                    struct gv_error *err)
{
    enum gv_stop stop;
    struct gv_run_session *s = w->session;
    if (s->stream && !gv_run_stream_frame(s->stream, s->plan, w->next, err))
        return false;
    gv_runtime_want_pictures(w->runtime, picture || is_asked(w));
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

bool gv_run_walk_restart(struct gv_run_walk *w, struct gv_error *err)
{
    if (!gv_runtime_reset(w->runtime, err))
        return false;
    gv_vm_restart(w->vm);
    gv_run_walk_begun(w);
    return true;
}

void gv_run_walk_begun(struct gv_run_walk *w)
{
    w->next = w->session->start.running->first_frame;
    w->call = 0;
    w->ended = false;
}

// How far on a pass may begin: not behind outputs that nobody has made.
static uint64_t furthest(const struct gv_run_walk *w, uint64_t frame)
{
    const struct gv_run_plan *plan = w->session->plan;
    if (plan->calls.own.count || plan->export_count)
        return 0;
    bool makes =
        plan->hashes.count || plan->shots.count || plan->hashes.end || plan->shots.end;
    return makes && !w->all_made && frame > w->made ? w->made : frame;
}

// Begins anew, with what is kept of it if `slice` is not NULL; takes both over.
static bool enter(struct gv_run_walk *w, struct gv_run_start *start,
                  struct gv_slice *slice, struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    if (!gv_runtime_reset(w->runtime, err))
        return false;
    gv_run_start_replace(&s->start, start);
    gv_slice_finish(&s->slice);
    if (slice)
        s->slice = *slice;
    if (!gv_vm_enter(w->vm, s->start.running, slice ? &s->slice.kept : NULL, err))
        return false;
    w->partial = slice != NULL;
    gv_run_walk_begun(w);
    return true;
}

static bool can_go_on(const struct gv_run_walk *w, uint64_t start, uint64_t frame,
                      bool broken)
{
    return !broken && !w->ended && !w->partial && w->next <= frame && w->next >= start;
}

bool gv_run_walk_near(struct gv_run_walk *w, uint64_t frame, bool broken,
                      struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    const uint64_t start = gv_run_start_nearest(s->payload, furthest(w, frame));
    struct gv_run_start other;
    if (can_go_on(w, start, frame, broken))
        return true;
    gv_run_start_init(&other, s->payload);
    bool ok = gv_run_start_choose(&other, s->payload, start, &s->device, err) &&
              enter(w, &other, NULL, err);
    gv_run_start_finish(&other);
    return ok;
}

// ---- jumps ----

// Calls; a draw or a dispatch counts as so many more.
#define WORK_CALLS 16
// Going on is not weighed against a slice where it is so small a part of what a slice
// has to look at.
#define SMALL_PART 16

// Bytes of the code of frames.
static uint64_t code_of(const struct gv_payload *p, uint64_t first, uint64_t last)
{
    uint64_t bytes = 1;
    for (size_t i = p->frames[first].chunk_begin; i < p->frames[last].chunk_end; i++)
        bytes += p->chunks[i].size;
    return bytes;
}

// Whether a slice that begins with `start` is less work than all of the code from there
// on or, if the pass can go on, from where it is. One frame behind the other would cost
// a slice each: they end when together they cost what all of the code does.
static bool is_less(struct gv_run_walk *w, const struct gv_slice *slice, uint64_t start,
                    uint64_t frame, bool on)
{
    const struct gv_payload *p = w->session->payload;
    const double all = (double)(slice->calls.total + slice->work.total * WORK_CALLS);
    const uint64_t kept = slice->calls.kept + slice->work.kept * WORK_CALLS;
    const double share =
        on ? (double)code_of(p, w->next, frame) / (double)code_of(p, start, frame) : 1;
    const uint64_t before = w->partial && w->next == frame ? w->spent : 0;
    const bool less = !slice->whole && (double)(before + kept) < all * share;
    w->spent = less ? before + kept : 0;
    return less;
}

bool gv_run_walk_jump(struct gv_run_walk *w, uint64_t frame, bool broken,
                      struct gv_error *err)
{
    struct gv_run_session *s = w->session;
    const uint64_t start = gv_run_start_nearest(s->payload, frame);
    const bool on = can_go_on(w, start, frame, broken);
    struct gv_run_start other;
    struct gv_slice slice = { 0 };
    if (on && (w->next == frame || code_of(s->payload, w->next, frame) <=
                                       code_of(s->payload, start, frame) / SMALL_PART))
        return true;
    const uint64_t began_ns = gv_now_ns();
    gv_run_start_init(&other, s->payload);
    bool ok = gv_run_start_choose(&other, s->payload, start, &s->device, err) &&
              gv_run_slice_frame(&slice, other.running, frame, s->memory_limit, err);
    s->times.slice_ns += gv_now_ns() - began_ns;
    if (ok && is_less(w, &slice, start, frame, on)) {
        ok = enter(w, &other, &slice, err);
        slice = (struct gv_slice){ 0 };
    } else if (ok && !on) {
        ok = enter(w, &other, NULL, err);
    }
    gv_slice_finish(&slice);
    gv_run_start_finish(&other);
    return ok;
}
