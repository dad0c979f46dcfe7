#include "vm/inspect/dead_work.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "vm/slice/slice.h"

struct dead {
    uint64_t frame, number; // at hand, and of its next work
    struct gv_slice slice;
    struct gv_inspect in; // at the end
    gv_inspect_row *visit;
    void *context;
};

static bool slice_all(struct dead *d, struct gv_payload *payload, uint64_t limit,
                      struct gv_error *err)
{
    uint64_t *frames = malloc((payload->frame_count + 1) * sizeof *frames);
    if (!frames)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < payload->frame_count; i++)
        frames[i] = i;
    const struct gv_slice_params params = { .frames = frames,
                                            .frame_count = payload->frame_count,
                                            .tail = true,
                                            .all_posts = true,
                                            .memory_limit = limit };
    bool ok = gv_slice_make(&d->slice, payload, &params, err);
    free(frames);
    return ok && (!d->slice.whole ||
                  gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                          "unsupported: dead work behind %s", d->slice.whole));
}

// Runs and units both ascend: `*run` is the first that does not end in front of the
// unit, and moves on with the questions of a chunk.
static bool is_kept(const struct gv_kept *kept, uint32_t end, uint32_t begin,
                    uint32_t *run)
{
    while (*run < end && kept->runs[*run].end <= begin)
        ++*run;
    return *run < end && kept->runs[*run].begin <= begin;
}

// The work of one unit.
static bool visit_unit(struct dead *d, bool kept, uint32_t unit, struct gv_error *err)
{
    struct gv_track *t = d->in.track;
    gv_track_decode(t, unit);
    for (size_t i = 0; i < t->unit.op_count; i++) {
        const struct gv_unit_op *op = &t->unit.ops[i];
        struct gv_state_row row = { .call = &gv_call_infos[op->call],
                                    .command = t->units[unit].command };
        if (op->kind != GV_UNIT_CALL || !(row.call->sets & GV_STATE_WORK))
            continue;
        snprintf(row.name, sizeof row.name, "f%" PRIu64 ".d%" PRIu64, d->frame,
                 d->number++);
        if (!kept && !d->visit(d->context, &row, err))
            return false;
    }
    return true;
}

static bool visit_frame(struct dead *d, struct gv_error *err)
{
    struct gv_track *t = d->in.track;
    const struct gv_frame *f = &d->in.payload->frames[d->frame];
    d->number = 0;
    for (size_t chunk = f->chunk_begin; chunk < f->chunk_end; chunk++) {
        if (!gv_track_enter(t, chunk, err))
            return false;
        const struct gv_kept *kept = &d->slice.kept;
        const bool runs = chunk < kept->chunk_count;
        uint32_t run = runs ? kept->chunk_runs[chunk] : 0;
        const uint32_t end = runs ? kept->chunk_runs[chunk + 1] : 0;
        for (uint32_t u = t->chunk_units[chunk]; u < t->chunk_units[chunk + 1]; u++) {
            const bool lives = is_kept(kept, end, t->units[u].begin, &run);
            if (t->units[u].flags & GV_TRACK_WORKS && !visit_unit(d, lives, u, err))
                return false;
        }
    }
    return true;
}

bool gv_inspect_each_dead(struct gv_payload *payload, uint64_t memory_limit,
                          gv_inspect_row *visit, void *context, struct gv_error *err)
{
    struct dead d = { .visit = visit, .context = context };
    const struct gv_place end = { .kind = GV_PLACE_END };
    bool ok = slice_all(&d, payload, memory_limit, err) &&
              gv_inspect_go(&d.in, payload, &end, memory_limit, err);
    for (; ok && d.frame < payload->frame_count; d.frame++)
        ok = visit_frame(&d, err);
    gv_inspect_finish(&d.in);
    gv_slice_finish(&d.slice);
    return ok;
}
