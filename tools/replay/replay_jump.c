// Ways of a replay from where it is to a frame: on, anew from a keyframe, or through a
// slice of what comes before.
#include "resources/base/now.h"
#include "tools/replay/replay_core.h"
#include "vm/machine/vm.h"

// Calls; a draw or a dispatch counts as so many more.
#define WORK_CALLS 16
// Going on is not weighed against a slice where it is so small a part of what a slice
// has to look at.
#define SMALL_PART 16

static bool begun(struct gv_replay *r)
{
    r->next = r->start.running->first_frame;
    r->ended = r->within = r->broken = false;
    return true;
}

// Begins anew, with what is kept of it if `slice` is not NULL; takes both over.
static bool enter(struct gv_replay *r, struct gv_replay_start *start,
                  struct gv_slice *slice, struct gv_error *err)
{
    r->broken = true; // unless it gets to the end of this
    if (!gv_runtime_reset(r->runtime, err))
        return false;
    gv_replay_start_replace(&r->start, start);
    gv_slice_finish(&r->slice);
    if (slice)
        r->slice = *slice;
    r->partial = slice != NULL;
    return gv_vm_enter(r->vm, r->start.running, slice ? &r->slice.kept : NULL, err) &&
           begun(r);
}

bool gv_replay_restart(struct gv_replay *r, struct gv_error *err)
{
    if (!gv_runtime_reset(r->runtime, err))
        return false;
    gv_vm_restart(r->vm);
    return begun(r);
}

bool gv_replay_begin_anew(struct gv_replay *r, uint64_t frame, struct gv_error *err)
{
    struct gv_replay_start other;
    gv_replay_start_init(&other, r->payload);
    const bool ok =
        gv_replay_start_choose(&other, r->payload, frame, &r->device, err) &&
        enter(r, &other, NULL, err);
    gv_replay_start_finish(&other);
    return ok;
}

// A frame in whose middle it stands may have been presented, unseen.
static bool can_go_on(const struct gv_replay *r, uint64_t start, uint64_t frame)
{
    return !r->broken && !r->ended && !r->partial && r->next <= frame &&
           r->next >= start && !(r->within && r->next == frame);
}

bool gv_replay_near(struct gv_replay *r, uint64_t frame, uint64_t furthest, bool *anew,
                    struct gv_error *err)
{
    const uint64_t start =
        gv_replay_start_nearest(r->payload, frame < furthest ? frame : furthest);
    *anew = !can_go_on(r, start, frame);
    return !*anew || gv_replay_begin_anew(r, start, err);
}

// ---- slices ----

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
static bool is_less(struct gv_replay *r, const struct gv_slice *slice, uint64_t start,
                    uint64_t frame, bool on)
{
    const struct gv_payload *p = r->payload;
    const double all = (double)(slice->calls.total + slice->work.total * WORK_CALLS);
    const uint64_t kept = slice->calls.kept + slice->work.kept * WORK_CALLS;
    const double share =
        on ? (double)code_of(p, r->next, frame) / (double)code_of(p, start, frame) : 1;
    const uint64_t before = r->partial && r->next == frame ? r->spent : 0;
    const bool less = !slice->whole && (double)(before + kept) < all * share;
    r->spent = less ? before + kept : 0;
    return less;
}

static bool slice_frame(struct gv_replay *r, struct gv_slice *slice,
                        struct gv_payload *running, uint64_t frame,
                        struct gv_error *err)
{
    const struct gv_slice_params params = { .frames = &frame,
                                            .frame_count = 1,
                                            .last_frame = frame,
                                            .memory_limit = r->common.memory_limit };
    return gv_slice_make(slice, running, &params, err);
}

bool gv_replay_jump(struct gv_replay *r, uint64_t frame, bool *anew,
                    struct gv_error *err)
{
    struct gv_payload *p = r->payload;
    const uint64_t start = gv_replay_start_nearest(p, frame);
    const bool on = can_go_on(r, start, frame);
    struct gv_replay_start other;
    struct gv_slice slice = { 0 };
    *anew = false;
    if (on && (r->next == frame ||
               code_of(p, r->next, frame) <= code_of(p, start, frame) / SMALL_PART))
        return true;
    const uint64_t began_ns = gv_now_ns();
    gv_replay_start_init(&other, p);
    bool ok = gv_replay_start_choose(&other, p, start, &r->device, err) &&
              slice_frame(r, &slice, other.running, frame, err);
    r->slice_ns += gv_now_ns() - began_ns;
    if (ok && is_less(r, &slice, start, frame, on)) {
        *anew = true;
        ok = enter(r, &other, &slice, err);
        slice = (struct gv_slice){ 0 };
    } else if (ok && !on) {
        *anew = true;
        ok = enter(r, &other, NULL, err);
    }
    gv_slice_finish(&slice);
    gv_replay_start_finish(&other);
    return ok;
}
