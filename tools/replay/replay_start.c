#include "tools/replay/replay_start.h"

void gv_replay_start_init(struct gv_replay_start *start, struct gv_payload *payload)
{
    *start = (struct gv_replay_start){ .running = payload };
}

void gv_replay_start_finish(struct gv_replay_start *start)
{
    gv_payload_view_finish(&start->view);
}

uint64_t gv_replay_start_nearest(const struct gv_payload *p, uint64_t frame)
{
    const size_t k = gv_payload_keyframe(p, frame);
    return k < p->keyframe_count ? p->keyframes[k].frame : 0;
}

bool gv_replay_start_choose(struct gv_replay_start *start, struct gv_payload *p,
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

void gv_replay_start_replace(struct gv_replay_start *start,
                             struct gv_replay_start *other)
{
    const bool viewed = other->running == &other->view;
    other->foreign = other->foreign || start->foreign;
    gv_replay_start_finish(start);
    *start = *other;
    if (viewed)
        start->running = &start->view;
    other->view = (struct gv_payload){ 0 };
}
