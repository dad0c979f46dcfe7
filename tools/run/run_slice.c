#include "tools/run/run_slice.h"

#include <stdlib.h>

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

bool gv_run_outputs_init(struct gv_run_outputs *outputs, const struct gv_run_plan *plan,
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

void gv_run_outputs_finish(struct gv_run_outputs *outputs)
{
    free(outputs->frames);
}

bool gv_run_slice(struct gv_slice *slice, struct gv_payload *payload,
                  const struct gv_run_plan *plan, const struct gv_run_options *o,
                  uint64_t memory_limit, struct gv_error *err)
{
    struct gv_run_outputs outputs;
    *slice = (struct gv_slice){ 0 };
    if (plan->streamed || plan->tail || o->loop > 1 || o->check_effects)
        return true;
    if (!gv_run_outputs_init(&outputs, plan, memory_limit, err))
        return false;
    bool ok = gv_slice_make(slice, payload, &outputs.params, err);
    gv_run_outputs_finish(&outputs);
    return ok;
}

bool gv_run_slice_frame(struct gv_slice *slice, struct gv_payload *payload,
                        uint64_t frame, uint64_t memory_limit, struct gv_error *err)
{
    const struct gv_slice_params params = { .frames = &frame,
                                            .frame_count = 1,
                                            .last_frame = frame,
                                            .memory_limit = memory_limit };
    return gv_slice_make(slice, payload, &params, err);
}
