#include "tools/run/run_slice.h"

#include <stdlib.h>

#include "vm/slice/slice_start.h"

// What a plan makes, as the slicer is asked for it; borrows the plan.
struct outputs {
    struct gv_slice_params params;
    uint64_t *frames; // owned
};

// Both ascending: those that are in either, once.
static size_t merge(const struct gv_selection *a, const struct gv_selection *b,
                    uint64_t *out)
{
    size_t i = 0, k = 0, n = 0;
    while (i < a->count || k < b->count) {
        uint64_t x = i < a->count ? a->numbers[i] : UINT64_MAX;
        uint64_t y = k < b->count ? b->numbers[k] : UINT64_MAX;
        out[n++] = x < y ? x : y;
        i += x <= y;
        k += y <= x;
    }
    return n;
}

static bool outputs_init(struct outputs *outputs, const struct gv_run_plan *plan,
                         uint64_t memory_limit, struct gv_error *err)
{
    outputs->frames =
        malloc((plan->hashes.count + plan->shots.count + 1) * sizeof *outputs->frames);
    if (!outputs->frames)
        return gv_out_of_memory(err);
    outputs->params = (struct gv_slice_params){
        .frames = outputs->frames,
        .frame_count = merge(&plan->hashes, &plan->shots, outputs->frames),
        .last_frame = plan->last_frame,
        .exports = plan->wanted_exports,
        .calls = plan->calls.commands,
        .call_count = plan->calls.own.count,
        .memory_limit = memory_limit,
    };
    return true;
}

static void outputs_finish(struct outputs *outputs)
{
    free(outputs->frames);
}

// The first frame that outputs are made of.
static uint64_t first_output(const struct gv_payload *p, const struct gv_run_plan *plan)
{
    uint64_t first = plan->last_frame; // whose end exports are of
    if (plan->hashes.count && plan->hashes.numbers[0] < first)
        first = plan->hashes.numbers[0];
    if (plan->shots.count && plan->shots.numbers[0] < first)
        first = plan->shots.numbers[0];
    if (plan->calls.own.count) {
        const uint64_t frame = gv_payload_frame_of(p, plan->calls.commands[0]);
        first = frame < first ? frame : first;
    }
    return first;
}

bool gv_run_slice_start(struct gv_payload *p, const struct gv_run_plan *plan,
                        uint64_t memory_limit, uint64_t *frame, struct gv_error *err)
{
    struct outputs outputs;
    size_t k;
    *frame = 0;
    if (plan->streamed || plan->tail || plan->exports_each || !p->frame_count)
        return true;
    const uint64_t first = first_output(p, plan);
    *frame = gv_replay_start_nearest(p, first);
    if (*frame == 0 || (!plan->calls.own.count && !plan->export_count))
        return true;
    if (!outputs_init(&outputs, plan, memory_limit, err))
        return false;
    bool ok = gv_slice_start(p, &outputs.params, first, &k, err);
    outputs_finish(&outputs);
    *frame = ok && k < p->keyframe_count ? p->keyframes[k].frame : 0;
    return ok;
}

bool gv_run_slice(struct gv_replay *replay, const struct gv_run_plan *plan,
                  const struct gv_run_options *o, struct gv_error *err)
{
    struct outputs outputs;
    if (plan->streamed || plan->tail || plan->exports_each || o->loop > 1 ||
        o->check_effects)
        return true;
    if (!outputs_init(&outputs, plan, replay->common.memory_limit, err))
        return false;
    bool ok = gv_replay_begin_slice(replay, &outputs.params, err);
    outputs_finish(&outputs);
    return ok;
}
