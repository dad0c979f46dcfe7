// `gpuvm dump` of a capture: a line for each command; of its memory too where that is
// asked for.
#include "compiler/agi/agi.h"
#include "compiler/agi/agi_capture.h"
#include "compiler/vulkan/api/vk_text.h"
#include "compiler/vulkan/vulkan_kinds.h"

#include <inttypes.h>
#include <string.h>

struct dump {
    const struct gv_compile_params *params;
    struct gv_bytes *text;
};

static void put_place(struct dump *d, const struct gv_vk_place *place)
{
    gv_bytes_printf(d->text, "%" PRIu64 " ", place->block);
    if (place->thread > 1)
        gv_bytes_printf(d->text, "@%" PRIu64 " ", place->thread);
}

static void put_observations(struct dump *d, const struct gv_agi_event *event)
{
    for (const struct gv_agi_observation *o = event->observations; o; o = o->next) {
        put_place(d, &event->place);
        gv_bytes_printf(d->text, "// %s: ", o->written ? "write" : "read");
        if (o->pool)
            gv_bytes_printf(d->text, "pool %" PRIu32 " ", o->pool);
        gv_bytes_printf(d->text, "0x%" PRIx64 ", size = %" PRIu64 "\n", o->address,
                        o->size);
    }
}

// A picture of the recording device is told wherever it stands, other extras on demand.
static void put_extras(struct dump *d, const struct gv_agi_event *event)
{
    for (const struct gv_agi_extra *e = event->extras; e; e = e->next) {
        const bool picture =
            !strcmp(e->message.type->name, "capture.FramebufferObservation");
        if (!picture && !d->params->verbose)
            continue;
        put_place(d, &event->place);
        gv_bytes_printf(d->text, "// %s", e->message.type->name);
        if (picture)
            gv_bytes_printf(d->text,
                            ": width = %" PRIu64 ", height = %" PRIu64
                            ", data = %" PRIu64 " x %" PRIu64 ", size = %zu",
                            gv_agi_number(&e->message, "original_width"),
                            gv_agi_number(&e->message, "original_height"),
                            gv_agi_number(&e->message, "data_width"),
                            gv_agi_number(&e->message, "data_height"),
                            gv_agi_bytes(&e->message, "data").size);
        gv_bytes_printf(d->text, "\n");
    }
}

// The maps of the state, by how many objects each has.
static void put_state(struct dump *d, const struct gv_agi_event *event)
{
    const struct gv_agi_type *type = event->state.type;
    put_place(d, &event->place);
    gv_bytes_printf(d->text, "// snapshot:");
    bool first = true;
    for (uint32_t i = 0; type && i < type->count; i++) {
        const struct gv_agi_message map =
            gv_agi_inner(&event->state, type->fields[i].name);
        const uint64_t count = gv_agi_count(&map, "Keys");
        if (!count)
            continue;
        gv_bytes_printf(d->text, "%s %s = %" PRIu64, first ? "" : ",",
                        type->fields[i].name, count);
        first = false;
    }
    gv_bytes_printf(d->text, "\n");
}

static void put_call(struct dump *d, const struct gv_agi_event *event)
{
    put_place(d, &event->place);
    const char *name = event->command.message.type->name + strlen("vulkan.");
    if (event->aborted)
        gv_bytes_printf(d->text, "// aborted: %s", name);
    else
        gv_vk_put_call(d->text, name, &event->call);
    gv_bytes_printf(d->text, "\n");
}

static void put_event(struct dump *d, const struct gv_agi_event *event)
{
    const struct gv_call_filter *calls = d->params->calls;
    const bool call = event->kind == GV_AGI_CALL;
    const bool known = call && !event->aborted;
    if (known && !d->params->verbose && gv_vulkan_only_asks(event->call.function))
        return;
    if (calls && !calls->wants(calls->context, event->place.block,
                               known ? gv_vulkan_kinds(event->call.function) : 0))
        return;
    if (d->params->verbose)
        put_observations(d, event);
    if (call)
        put_call(d, event);
    else
        put_state(d, event);
    put_extras(d, event);
}

bool gv_agi_dump(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_text_sink *out, struct gv_error *err)
{
    struct gv_agi_capture *capture = gv_agi_open(input, params, err);
    struct dump d = { params, &out->text };
    const uint64_t last = params->calls ? params->calls->last : UINT64_MAX;
    struct gv_agi_event event;
    bool ended = false, ok = capture != NULL;
    while (ok && (ok = gv_agi_next(capture, &event, &ended, err)) && !ended &&
           event.place.block <= last) {
        put_event(&d, &event);
        if (event.kind == GV_AGI_CALL && !event.aborted)
            gv_agi_forget(gv_agi_world_of(capture), &event.command, &event.call);
        ok = gv_text_sink_line(out, err);
    }
    if (!ok)
        gv_text_sink_flush(out, NULL); // what came before the error
    gv_agi_close(capture);
    return ok;
}
