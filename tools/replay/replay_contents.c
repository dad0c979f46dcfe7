#include "tools/replay/replay_contents.h"

#include "vm/machine/vm.h"
#include "vm/slice/slice_start.h"

// The frame that a place lies in; the count of frames: the tail.
static uint64_t frame_of(const struct gv_payload *p, const struct gv_slice_place *place)
{
    const size_t chunk = p->chunk_count - place->chunks_left;
    uint64_t low = 0, high = p->frame_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (p->frames[middle].chunk_end <= chunk)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool gv_replay_begin_contents(struct gv_replay *r, struct gv_slice_contents *wanted,
                              struct gv_error *err)
{
    const struct gv_payload *p = r->payload;
    const uint64_t first = frame_of(p, &wanted->items[0].place);
    const uint64_t last = frame_of(p, &wanted->items[wanted->count - 1].place);
    const struct gv_slice_params params = { .tail = last >= p->frame_count,
                                            .last_frame = last,
                                            .roots = &wanted->roots,
                                            .memory_limit = r->common.memory_limit };
    size_t k = p->keyframe_count;
    if (!wanted->roots.unsliced && !gv_slice_start(r->payload, &params, first, &k, err))
        return false;
    if (!gv_replay_begin_at(r, k < p->keyframe_count ? p->keyframes[k].frame : 0,
                            err) ||
        !gv_replay_begin_slice(r, &params, err))
        return false;
    r->partial = true;
    return !r->slice.whole ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: contents behind %s", r->slice.whole);
}

// On to the stop of that number.
static bool go_to(struct gv_replay *r, uint32_t stop, uint32_t *passed,
                  struct gv_error *err)
{
    enum gv_stop met = GV_STOP_FRAME;
    while (*passed <= stop) {
        if (!gv_replay_run(r, &met, err))
            return false;
        if (met == GV_STOP_END)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "the code ends in front of the place");
        *passed += met == GV_STOP_COMMAND;
    }
    return true;
}

bool gv_replay_each_contents(struct gv_replay *r,
                             const struct gv_slice_contents *wanted,
                             gv_replay_contents_fn *visit, void *context,
                             struct gv_error *err)
{
    uint32_t passed = 0;
    for (size_t i = 0; i < wanted->count; i++) {
        if (!go_to(r, wanted->found[i].stop, &passed, err))
            return false;
        const uint64_t handle = gv_vm_slot(r->vm, wanted->items[i].slot);
        if (!handle)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "contents of a slot that is empty there");
        if (!visit(context, i, handle, err)) {
            gv_replay_failed(r, err);
            return false;
        }
    }
    return true;
}
