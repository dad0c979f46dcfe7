#include "vm/slice/slice.h"

#include <stdlib.h>

#include "vm/slice/slice_back.h"

void gv_slice_finish(struct gv_slice *slice)
{
    gv_kept_finish(&slice->kept);
    *slice = (struct gv_slice){ 0 };
}

// The chunks up to the end of what is wanted.
static size_t chunk_end_of(const struct gv_payload *p,
                           const struct gv_slice_params *params)
{
    return params->tail ? p->chunk_count : p->frames[params->last_frame].chunk_end;
}

static void count(struct gv_slice *slice, const struct gv_slice_back *b)
{
    const struct gv_track *t = b->track;
    for (size_t i = 0; i < b->unit_end; i++) {
        bool calls = t->units[i].flags & GV_TRACK_CALLS;
        bool works = t->units[i].flags & GV_TRACK_WORKS;
        slice->calls.total += calls;
        slice->work.total += works;
        slice->calls.kept += calls && b->keep[i];
        slice->work.kept += works && b->keep[i];
    }
}

// ---- what to run ----

static bool make_runs(struct gv_slice *slice, const struct gv_slice_back *b,
                      struct gv_error *err)
{
    const struct gv_kept *kept = &slice->kept;
    if (!gv_slice_back_runs(b, &slice->kept, err))
        return false;
    for (size_t i = 0; i < kept->chunk_count; i++)
        slice->bytes.total += b->track->payload->chunks[i].size;
    for (uint32_t i = 0; i < kept->chunk_runs[kept->chunk_count]; i++)
        slice->bytes.kept += kept->runs[i].end - kept->runs[i].begin;
    return true;
}

// Nothing can be left out.
static bool keep_all(struct gv_slice *slice, const struct gv_payload *p, size_t chunks,
                     struct gv_error *err)
{
    struct gv_kept *kept = &slice->kept;
    kept->runs = calloc(chunks + 1, sizeof *kept->runs);
    kept->chunk_runs = calloc(chunks + 1, sizeof *kept->chunk_runs);
    if (!kept->runs || !kept->chunk_runs)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < chunks; i++) {
        const struct gv_chunk *c = &p->chunks[i];
        kept->runs[i] = (struct gv_kept_run){ .end = c->size - 1,
                                              .next_resource = c->first_resource,
                                              .command = c->first_command };
        kept->chunk_runs[i + 1] = (uint32_t)i + 1;
        slice->bytes.total += c->size;
    }
    slice->bytes.kept = slice->bytes.total;
    kept->chunk_count = chunks;
    return true;
}

// ---- why ----

static size_t chunk_of(const struct gv_track *t, uint32_t unit)
{
    size_t low = 0, high = t->chunk_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->chunk_units[middle] <= unit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const char *name_of(const struct gv_unit *unit)
{
    const struct gv_unit_op *op = gv_track_work(unit);
    if (!op)
        return "unit";
    switch ((enum gv_unit_op_kind)op->kind) {
    case GV_UNIT_CALL:
        return gv_call_infos[op->call].name;
    case GV_UNIT_FETCH:
        return "fetch";
    case GV_UNIT_COPY:
        return "copy";
    case GV_UNIT_PRODUCT:
        return "product";
    case GV_UNIT_INVERSE:
        return "inverse";
    case GV_UNIT_STORE:
    case GV_UNIT_STORE_SLOT:
    case GV_UNIT_LOAD:
        break;
    }
    return "store";
}

// From the first work that is kept on: each unit serves a later one.
static bool explain(struct gv_slice *slice, const struct gv_slice_back *b,
                    struct gv_error *err)
{
    struct gv_track *t = b->track;
    uint32_t unit = 0;
    while (unit < b->unit_end &&
           !(b->keep[unit] && t->units[unit].flags & GV_TRACK_WORKS))
        unit++;
    while (unit < b->unit_end && slice->chain_count < GV_SLICE_CHAIN) {
        size_t chunk = chunk_of(t, unit);
        const struct gv_track_unit *u = &t->units[unit];
        if (!gv_track_enter(t, chunk, err))
            return false;
        t->walk.pc = u->begin;
        gv_unit_next(&t->walk, &t->unit);
        slice->chain[slice->chain_count++] = (struct gv_slice_link){
            .command = u->command,
            .code_offset = t->payload->chunks[chunk].code_offset + u->begin,
            .what = name_of(&t->unit),
        };
        if (b->reason[unit] <= unit)
            break;
        unit = b->reason[unit];
    }
    return true;
}

// ---- all of it ----

static bool go_back(struct gv_slice *slice, struct gv_track *t,
                    const struct gv_slice_params *params, struct gv_error *err)
{
    struct gv_slice_back back;
    struct gv_error inner = GV_ERROR_INIT;
    if (!gv_slice_back_init(&back, t, params, &inner)) {
        gv_slice_back_finish(&back);
        if (inner.status == GV_ERR_USAGE)
            return gv_fail(err, inner.status, inner.offset, "%s", inner.message);
        slice->whole = "no memory for the way back";
        return true;
    }
    bool ok = gv_slice_back_run(&back);
    if (ok) {
        count(slice, &back);
        ok = make_runs(slice, &back, err) && explain(slice, &back, err);
    } else {
        gv_fail(err, inner.status, inner.offset, "%s", inner.message);
    }
    gv_slice_back_finish(&back);
    return ok;
}

// False: the code cannot be read. No memory to follow it is a reason to keep it all.
static bool look(struct gv_slice *slice, struct gv_payload *payload, size_t chunks,
                 const struct gv_slice_params *params, struct gv_error *err)
{
    struct gv_track *t = gv_track_create(payload, params->memory_limit, NULL);
    if (!t) {
        slice->whole = "no memory for the tracker";
        return true;
    }
    bool ok = gv_track_follow(t, chunks, err);
    slice->whole = t->opaque;
    if (ok && !t->opaque)
        ok = go_back(slice, t, params, err);
    slice->memory = t->memory;
    gv_track_destroy(t);
    return ok;
}

bool gv_slice_make(struct gv_slice *slice, struct gv_payload *payload,
                   const struct gv_slice_params *params, struct gv_error *err)
{
    const size_t chunks = chunk_end_of(payload, params);
    *slice = (struct gv_slice){ 0 };
    bool ok = look(slice, payload, chunks, params, err) &&
              (!slice->whole || keep_all(slice, payload, chunks, err));
    if (!ok)
        gv_slice_finish(slice);
    return ok;
}
