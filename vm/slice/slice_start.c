#include "vm/slice/slice_start.h"

#include <stdlib.h>

#include "vm/slice/slice_cut.h"

// The cuts at all keyframes up to `count`.
static struct gv_cut *cut_all(struct gv_payload *p, size_t count,
                              const struct gv_cut_params *params, struct gv_error *err)
{
    struct gv_cut *cuts = calloc(count, sizeof *cuts);
    if (!cuts)
        gv_out_of_memory(err);
    if (cuts && !gv_cuts_make(cuts, p, params, err)) {
        gv_cuts_finish(cuts, count);
        return NULL;
    }
    return cuts;
}

static bool serves(const struct gv_cut *have, const struct gv_cut *want)
{
    return !have->refused && !have->coarse && !want->refused &&
           gv_cut_covers(have, want);
}

// The last one that serves of those that were made with or without exports: its number
// and one more; 0: none.
static bool find_made(struct gv_payload *p, const struct gv_cut *want,
                      const struct gv_cut_params *params, size_t *found,
                      struct gv_error *err)
{
    size_t n = params->frame_count;
    while (n && p->keyframes[n - 1].exports != params->exports)
        n--;
    if (n <= *found)
        return true;
    struct gv_cut *have = cut_all(p, params->frame_count, params, err);
    while (have && n &&
           (p->keyframes[n - 1].exports != params->exports ||
            !serves(&have[n - 1], &want[n - 1])))
        n--;
    *found = n > *found ? n : *found;
    gv_cuts_finish(have, params->frame_count);
    return have != NULL;
}

static bool find(struct gv_payload *p, const struct gv_slice_params *outputs,
                 const uint64_t *frames, size_t *count, struct gv_error *err)
{
    struct gv_cut_params params = { .frames = frames,
                                    .frame_count = *count,
                                    .memory_limit = outputs->memory_limit,
                                    .wanted = outputs };
    const size_t all = *count;
    struct gv_cut *want = cut_all(p, all, &params, err);
    *count = 0;
    params.wanted = NULL;
    bool ok = want && find_made(p, want, &params, count, err);
    params.exports = true;
    ok = ok && find_made(p, want, &params, count, err);
    gv_cuts_finish(want, all);
    return ok;
}

bool gv_slice_start(struct gv_payload *p, const struct gv_slice_params *outputs,
                    uint64_t frame, size_t *keyframe, struct gv_error *err)
{
    const size_t last = gv_payload_keyframe(p, frame);
    *keyframe = p->keyframe_count;
    if (last == p->keyframe_count)
        return true;
    size_t count = last + 1;
    uint64_t *frames = malloc(count * sizeof *frames);
    if (!frames)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        frames[i] = p->keyframes[i].frame;
    bool ok = find(p, outputs, frames, &count, err);
    if (ok && count)
        *keyframe = count - 1;
    free(frames);
    return ok;
}
