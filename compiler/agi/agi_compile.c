// A capture to a payload: its commands, one by one, to the machine of Vulkan.
#include "compiler/agi/agi.h"
#include "compiler/agi/agi_capture.h"
#include "compiler/agi/agi_extras.h"
#include "compiler/agi/agi_mapped.h"
#include "compiler/agi/agi_state.h"
#include "compiler/frames_wanted.h"

struct compile {
    const struct gv_compile_params *params;
    struct gv_agi_capture *capture;
    struct gv_vulkan *vulkan;
    struct gv_agi_mapped mapped;
    uint64_t size; // of the capture
    uint64_t frames;
};

static void end_frame(struct compile *c, const struct gv_vk_place *place)
{
    c->frames++;
    if (c->params->progress)
        c->params->progress(c->params->progress_context, place->offset, c->size);
}

static bool compile_call(struct compile *c, const struct gv_agi_event *event,
                         struct gv_error *err)
{
    if (!gv_agi_mapped_fill(&c->mapped, c->vulkan, event, err))
        return false;
    if (event->aborted)
        return true;
    if (!gv_vulkan_call(c->vulkan, &event->call, err) ||
        !gv_agi_extras_of_image(c->vulkan, event, err) ||
        !gv_agi_mapped_call(&c->mapped, c->vulkan, &event->call, err))
        return false;
    gv_agi_forget(gv_agi_world_of(c->capture), &event->command, &event->call);
    if (gv_vulkan_ends_frame(&event->call))
        end_frame(c, &event->place);
    return true;
}

static bool compile_events(struct compile *c, struct gv_error *err)
{
    struct gv_agi_event event;
    bool ended = false;
    while (gv_frames_wanted(c->params, c->frames)) {
        if (!gv_agi_next(c->capture, &event, &ended, err))
            return false;
        if (ended)
            return true;
        const bool ok =
            event.kind == GV_AGI_STATE
                ? gv_agi_restore(c->capture, c->vulkan, &c->mapped, &event, err)
                : compile_call(c, &event, err);
        if (!ok)
            return gv_error_at_command(err, event.place.block);
    }
    return true;
}

bool gv_agi_compile(struct gv_cursor input, const struct gv_compile_params *params,
                    struct gv_arena *arena, struct gv_builder *out,
                    struct gv_error *err)
{
    struct compile c = { .params = params, .size = input.size };
    const struct gv_vulkan_params machine = { .compile = params,
                                              .arena = arena,
                                              .builder = out };
    c.capture = gv_agi_open(input, params, err);
    c.vulkan = c.capture ? gv_vulkan_create(&machine, err) : NULL;
    const bool ok =
        c.vulkan && compile_events(&c, err) && gv_vulkan_finish(c.vulkan, err);
    if (ok && gv_agi_pack_of(c.capture)->was_cut)
        gv_builder_diagnose(out, GV_WARNING, "truncated",
                            "the capture ends early, within a chunk or a group");
    gv_agi_mapped_finish(&c.mapped);
    gv_vulkan_destroy(c.vulkan);
    gv_agi_close(c.capture);
    return ok;
}
