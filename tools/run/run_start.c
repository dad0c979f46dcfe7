#include "tools/run/run_start.h"

#include <string.h>

#include "tools/run/run_slice.h"
#include "vm/slice/slice_start.h"

void gv_run_start_init(struct gv_run_start *start, struct gv_payload *payload)
{
    *start = (struct gv_run_start){ .running = payload };
}

void gv_run_start_finish(struct gv_run_start *start)
{
    gv_payload_view_finish(&start->view);
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

bool gv_run_start_first(struct gv_payload *p, const struct gv_run_plan *plan,
                        uint64_t memory_limit, uint64_t *frame, struct gv_error *err)
{
    struct gv_run_outputs outputs;
    size_t k;
    *frame = 0;
    if (plan->streamed || plan->tail || !p->frame_count)
        return true;
    const uint64_t first = first_output(p, plan);
    *frame = gv_run_start_nearest(p, first);
    if (*frame == 0 || (!plan->calls.own.count && !plan->export_count))
        return true;
    if (!gv_run_outputs_init(&outputs, plan, memory_limit, err))
        return false;
    bool ok = gv_slice_start(p, &outputs.params, first, &k, err);
    gv_run_outputs_finish(&outputs);
    *frame = ok && k < p->keyframe_count ? p->keyframes[k].frame : 0;
    return ok;
}

uint64_t gv_run_start_nearest(const struct gv_payload *p, uint64_t frame)
{
    const size_t k = gv_payload_keyframe(p, frame);
    return k < p->keyframe_count ? p->keyframes[k].frame : 0;
}

bool gv_run_start_choose(struct gv_run_start *start, struct gv_payload *p,
                         uint64_t frame, const struct gv_device_info *device,
                         struct gv_error *err)
{
    const size_t k = gv_payload_keyframe(p, frame);
    gv_payload_view_finish(&start->view);
    start->running = p;
    if (k == p->keyframe_count)
        return true;
    if (!gv_payload_view(&start->view, p, k, err))
        return false;
    start->running = &start->view;
    start->foreign =
        start->foreign ||
        gv_keyframe_is_foreign(&p->keyframes[k], device->name, device->driver);
    return true;
}

void gv_run_start_replace(struct gv_run_start *start, struct gv_run_start *other)
{
    const bool viewed = other->running == &other->view;
    other->foreign = other->foreign || start->foreign;
    gv_run_start_finish(start);
    *start = *other;
    if (viewed)
        start->running = &start->view;
    other->view = (struct gv_payload){ 0 };
}
