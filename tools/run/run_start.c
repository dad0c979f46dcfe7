#include "tools/run/run_start.h"

#include <string.h>

void gv_run_start_init(struct gv_run_start *start, struct gv_payload *payload)
{
    *start = (struct gv_run_start){ .running = payload };
}

void gv_run_start_finish(struct gv_run_start *start)
{
    gv_payload_view_finish(&start->view);
}

// Exports and pictures between commands may be of what ran long before.
uint64_t gv_run_start_first(const struct gv_run_plan *plan)
{
    uint64_t first = UINT64_MAX;
    if (plan->streamed || plan->tail || plan->calls.own.count || plan->export_count)
        return 0;
    if (plan->hashes.count)
        first = plan->hashes.numbers[0];
    if (plan->shots.count && plan->shots.numbers[0] < first)
        first = plan->shots.numbers[0];
    return first == UINT64_MAX ? 0 : first;
}

uint64_t gv_run_start_nearest(const struct gv_payload *p, uint64_t frame)
{
    const size_t k = gv_payload_keyframe(p, frame);
    return k < p->keyframe_count ? p->keyframes[k].frame : 0;
}

// What was read from another device is not what this one would have made.
static bool is_foreign(const struct gv_keyframe *k, const struct gv_device_info *device)
{
    return !k->exact && (strcmp(k->device, device->name) != 0 ||
                         strcmp(k->driver, device->driver) != 0);
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
    start->foreign = start->foreign || is_foreign(&p->keyframes[k], device);
    return true;
}
