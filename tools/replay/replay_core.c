#include "tools/replay/replay_core.h"

#include "resources/base/now.h"
#include "vm/machine/vm.h"

// ---- life ----

bool gv_replay_open_device(struct gv_replay *r, const struct gv_replay_params *params,
                           struct gv_error *err)
{
    r->params = *params;
    gv_replay_start_init(&r->start, params->payload);
    r->runtime = gv_runtime_create(
        &(struct gv_runtime_params){
            .device = params->device,
            .validate = params->validate,
            .check_effects = params->check_effects,
            .memory_limit = params->memory_limit,
            .timeout_ns = params->timeout_ns,
            .cache_folder = params->cache_folder,
            .log = params->log,
            .progress = params->progress,
            .payload = params->payload,
            .vulkan = params->vulkan,
            .cancel = params->cancel,
        },
        err);
    if (!r->runtime)
        return false;
    r->params.vulkan = NULL;
    r->params.exports = NULL;
    gv_runtime_device(r->runtime, &r->device);
    gv_runtime_want_exports(r->runtime, params->exports, params->payload->export_count);
    return true;
}

void gv_replay_open_without_device(struct gv_replay *r,
                                   const struct gv_replay_params *params)
{
    r->params = *params;
    gv_replay_start_init(&r->start, params->payload);
}

bool gv_replay_begin_at(struct gv_replay *r, uint64_t frame, struct gv_error *err)
{
    return gv_replay_start_choose(&r->start, r->params.payload, frame, &r->device, err);
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

bool gv_replay_open_machine(struct gv_replay *r,
                            const struct gv_replay_machine *machine,
                            struct gv_error *err)
{
    const struct gv_replay_params *p = &r->params;
    const struct gv_vm_params params = {
        .payload = r->start.running,
        .host = machine->host ? machine->host : gv_runtime_host(r->runtime),
        .sources = machine->sources,
        .source_count = machine->source_count,
        .memory_limit = p->memory_limit,
        .cache_limit = machine->cache_limit,
        .frames_ahead = machine->frames_ahead,
        .once = machine->once,
        .log = p->log,
        .progress = p->progress,
        .stop_commands = machine->stop_commands,
        .stop_command_count = machine->stop_command_count,
        .kept = r->slice.kept.chunk_count ? &r->slice.kept : NULL,
        .cancel = p->cancel,
    };
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
    return gv_runtime_go_on(r->runtime, r->params.payload, err) &&
           gv_vm_go_on(r->vm, err) && charge(r, err);
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
    return !r->broken && !r->partial && r->start.running == r->params.payload;
}

bool gv_replay_is_exact(const struct gv_replay *r)
{
    return gv_runtime_exact(r->runtime) && !r->start.foreign;
}
