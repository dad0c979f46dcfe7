#include "runtime/rehearsal.h"

#include "runtime/null/null_device.h"
#include "runtime/runtime.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/loader.h"

#include <stdlib.h>

// Of which requirements a device is thought to meet.
enum meeting { MEETS_ALL, MEETS_NEEDED };

struct rehearsal {
    const struct gv_payload *payload;
    struct gv_source *const *sources;
    size_t source_count;
    struct gv_runtime *runtime;
};

static bool suppose(struct gv_vk_device *device, const struct gv_payload *payload,
                    enum meeting meeting, struct gv_error *err)
{
    const size_t count = payload->requirement_count;
    bool *met = realloc(device->met, (count + 1) * sizeof *met);
    if (!met)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        met[i] = meeting == MEETS_ALL || payload->requirements[i].strength == GV_NEEDED;
    device->met = met;
    device->met_count = count;
    return true;
}

static bool has_choices(const struct gv_payload *payload)
{
    for (size_t i = 0; i < payload->requirement_count; i++)
        if (payload->requirements[i].strength != GV_NEEDED)
            return true;
    return false;
}

// All of `code`, or up to the end of a frame (UINT64_MAX: none is the last).
static bool play(const struct rehearsal *r, struct gv_payload *code,
                 uint64_t last_frame, struct gv_error *err)
{
    const struct gv_vm_params params = {
        .payload = code,
        .host = gv_runtime_host(r->runtime),
        .sources = r->sources,
        .source_count = r->source_count,
    };
    struct gv_vm *vm = gv_vm_create(&params, err);
    enum gv_stop stop = GV_STOP_FRAME;
    bool ok = vm != NULL;
    while (ok && stop != GV_STOP_END) {
        ok = gv_vm_run(vm, &stop, err);
        if (ok && stop == GV_STOP_FRAME && gv_vm_frame(vm) >= last_frame)
            break;
    }
    gv_vm_destroy(vm);
    return ok && gv_runtime_finish(r->runtime, err);
}

static bool play_keyframes(const struct rehearsal *r, struct gv_error *err)
{
    const struct gv_payload *p = r->payload;
    for (size_t i = 0; i < p->keyframe_count; i++) {
        struct gv_payload view = { 0 };
        // The frame before the next keyframe.
        const uint64_t last =
            i + 1 < p->keyframe_count ? p->keyframes[i + 1].frame - 1 : UINT64_MAX;
        bool ok = gv_runtime_reset(r->runtime, err) &&
                  gv_payload_view(&view, p, i, err) && play(r, &view, last, err);
        gv_payload_view_finish(&view);
        if (!ok)
            return false;
    }
    return true;
}

static bool rehearse(struct rehearsal *r, struct gv_payload *payload,
                     enum meeting meeting, struct gv_error *err)
{
    return suppose(r->runtime->device, payload, meeting, err) &&
           play(r, payload, UINT64_MAX, err) && play_keyframes(r, err);
}

bool gv_rehearse(struct gv_payload *payload, struct gv_source *const *sources,
                 size_t source_count, struct gv_error *err)
{
    // What it asks of a device is the device's matter.
    struct gv_payload undemanding = *payload;
    undemanding.requirement_count = 0;
    const struct gv_runtime_params params = { .payload = &undemanding };
    struct rehearsal r = { payload, sources, source_count, NULL };
    if (!gv_vk_loader_open(gv_null_entry, err))
        return false;
    r.runtime = gv_runtime_create(&params, err);
    bool ok = r.runtime && rehearse(&r, payload, MEETS_ALL, err);
    if (ok && has_choices(payload))
        ok = gv_runtime_reset(r.runtime, err) &&
             rehearse(&r, payload, MEETS_NEEDED, err);
    gv_runtime_destroy(r.runtime);
    return ok;
}
