#include "tools/replay/replay_core.h"

#include "resources/base/now.h"
#include "vm/machine/vm.h"

// ---- life ----

void gv_replay_open_without_device(struct gv_replay *r, struct gv_payload *payload,
                                   uint64_t memory_limit)
{
    r->payload = payload;
    r->common.memory_limit = memory_limit;
    gv_replay_start_init(&r->start, payload);
}

bool gv_replay_open_device(struct gv_replay *r, struct gv_payload *payload,
                           const struct gv_runtime_params *params, const bool *exports,
                           struct gv_error *err)
{
    struct gv_runtime_params own = *params;
    own.payload = payload;
    gv_replay_open_without_device(r, payload, own.memory_limit);
    r->common.log = own.log;
    r->common.progress = own.progress;
    r->common.cancel = own.cancel;
    r->runtime = gv_runtime_create(&own, err);
    if (!r->runtime)
        return false;
    gv_runtime_device(r->runtime, &r->device);
    gv_runtime_want_exports(r->runtime, exports, payload->export_count);
    return true;
}

bool gv_replay_begin_at(struct gv_replay *r, uint64_t frame, struct gv_error *err)
{
    return gv_replay_start_choose(&r->start, r->payload, frame, &r->device, err);
}

bool gv_replay_begin_slice(struct gv_replay *r, const struct gv_slice_params *outputs,
                           struct gv_error *err)
{
    const uint64_t began_ns = gv_now_ns();
    const bool ok = gv_slice_make(&r->slice, r->start.running, outputs, err);
    r->slice_ns += gv_now_ns() - began_ns;
    return ok;
}

static bool charge(struct gv_replay *r, struct gv_error *err)
{
    const uint64_t before = r->charged;
    r->charged = gv_vm_memory(r->vm);
    return !r->runtime || gv_runtime_charge(r->runtime, r->charged - before, err);
}

bool gv_replay_open_machine(struct gv_replay *r, const struct gv_vm_params *machine,
                            struct gv_error *err)
{
    struct gv_vm_params params = *machine;
    params.payload = r->start.running;
    if (!params.host)
        params.host = gv_runtime_host(r->runtime);
    params.memory_limit = r->common.memory_limit;
    params.log = r->common.log;
    params.progress = r->common.progress;
    params.cancel = r->common.cancel;
    params.kept = r->slice.kept.chunk_count ? &r->slice.kept : NULL;
    r->vm = gv_vm_create(&params, err);
    r->next = r->start.running->first_frame;
    return r->vm && charge(r, err);
}

void gv_replay_close(struct gv_replay *r)
{
    if (!r->lost) {
        gv_vm_destroy(r->vm);
        gv_runtime_destroy(r->runtime);
    }
    gv_kept_finish(&r->slice.kept);
    gv_replay_start_finish(&r->start);
}

// ---- running ----

void gv_replay_failed(struct gv_replay *r, const struct gv_error *err)
{
    r->broken = true;
    r->lost = r->lost || err->status == GV_ERR_LOST;
}

static bool note(struct gv_replay *r, bool ok, const struct gv_error *err)
{
    if (!ok)
        gv_replay_failed(r, err);
    return ok;
}

bool gv_replay_run(struct gv_replay *r, enum gv_stop *stop, struct gv_error *err)
{
    if (!note(r, gv_vm_run(r->vm, stop, err), err))
        return false;
    if (*stop == GV_STOP_FRAME)
        r->next = (uint64_t)gv_vm_frame(r->vm) + 1;
    r->ended = *stop == GV_STOP_END;
    r->within = *stop == GV_STOP_COMMAND;
    return true;
}

bool gv_replay_go_on(struct gv_replay *r, struct gv_error *err)
{
    r->ended = false;
    return gv_runtime_go_on(r->runtime, r->payload, err) && gv_vm_go_on(r->vm, err) &&
           charge(r, err);
}

// ---- results ----

bool gv_replay_picture(struct gv_replay *r, enum gv_replay_place place,
                       struct gv_picture *picture, struct gv_error *err)
{
    bool ok = true;
    if (place != GV_REPLAY_AT_COMMAND)
        ok = gv_runtime_frame_picture(r->runtime, picture, err);
    if (ok && (place == GV_REPLAY_AT_COMMAND ||
               (place == GV_REPLAY_AT_END && picture->width == 0)))
        ok = gv_runtime_target_picture(r->runtime, picture, err);
    return note(r, ok, err);
}

bool gv_replay_is_whole(const struct gv_replay *r)
{
    return !r->broken && !r->partial && r->start.running == r->payload;
}

bool gv_replay_is_exact(const struct gv_replay *r)
{
    return gv_runtime_exact(r->runtime) && !r->start.foreign;
}
