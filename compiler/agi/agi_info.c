// `gpuvm info` of a capture.
#include "compiler/agi/agi.h"
#include "compiler/agi/agi_capture.h"
#include "compiler/vulkan/vulkan_kinds.h"
#include "vm/command_kinds.h"

#include <stdio.h>

struct counts {
    uint64_t calls, draws, submits, presents, threads, pictures, aborted;
    bool snapshot;
    uint32_t api;
    uint64_t by_function[GV_VK_FUNCTION_COUNT];
};

static void count_instance(struct counts *c, const struct gv_vk_call *call)
{
    const VkInstanceCreateInfo *info = GV_VK_ARGS(vkCreateInstance, call)->pCreateInfo;
    if (info && info->pApplicationInfo && info->pApplicationInfo->apiVersion > c->api)
        c->api = info->pApplicationInfo->apiVersion;
}

static void count_call(struct counts *c, const struct gv_agi_event *event)
{
    const struct gv_vk_call *call = &event->call;
    c->threads = event->place.thread > c->threads ? event->place.thread : c->threads;
    c->aborted += event->aborted;
    if (event->aborted)
        return;
    const uint8_t kinds = gv_vulkan_kinds(call->function);
    c->calls++;
    c->by_function[call->function]++;
    c->draws += (kinds & GV_COMMAND_DRAW) != 0;
    c->submits +=
        call->function == GV_VK_vkQueueSubmit || call->function == GV_VK_vkQueueSubmit2;
    c->presents += (kinds & GV_COMMAND_FRAME) != 0;
    if (call->function == GV_VK_vkCreateInstance)
        count_instance(c, call);
}

static void describe_version(struct gv_describe *out, const char *key, uint32_t version)
{
    char text[32];
    snprintf(text, sizeof text, "%u.%u.%u", VK_API_VERSION_MAJOR(version),
             VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    gv_describe_text(out, key, text);
}

static void describe_functions(const struct counts *c, struct gv_describe *out)
{
    struct gv_bytes text = { 0 };
    uint64_t functions = 0;
    for (uint32_t i = 0; i < GV_VK_FUNCTION_COUNT; i++)
        if (c->by_function[i])
            gv_bytes_printf(&text, "%s%s %llu", functions++ ? ", " : "",
                            gv_vk_function_name((enum gv_vk_function)i),
                            (unsigned long long)c->by_function[i]);
    gv_bytes_u8(&text, 0);
    gv_describe_number(out, "functions", functions);
    gv_describe_text(out, "function_calls", text.failed ? "" : (const char *)text.data);
    gv_bytes_finish(&text);
}

static void describe(const struct counts *c, const struct gv_agi_capture *capture,
                     struct gv_describe *out)
{
    const struct gv_agi_header *header = gv_agi_header(capture);
    const struct gv_agi_counts *counts = gv_agi_counts(capture);
    const struct gv_agi_pack *pack = gv_agi_pack_of(capture);
    char version[32];
    snprintf(version, sizeof version, "%u.%u", pack->major, pack->minor);
    gv_describe_text(out, "file_version", version);
    gv_describe_number(out, "header_version", header->version);
    gv_describe_text(out, "api", "Vulkan");
    if (c->api)
        describe_version(out, "api_version", c->api);
    if (header->device[0]) {
        gv_describe_text(out, "recording_device", header->device);
        describe_version(out, "device_api_version", header->device_api);
    }
    gv_describe_text(out, "abi", header->abi_name);
    gv_describe_number(out, "pointer_bytes", header->abi.pointer);
    gv_describe_number(out, "frames", c->presents);
    gv_describe_number(out, "chunks", pack->chunks);
    gv_describe_number(out, "types", pack->types.count);
    gv_describe_number(out, "calls", c->calls);
    gv_describe_number(out, "aborted_calls", c->aborted);
    gv_describe_number(out, "draws", c->draws);
    gv_describe_number(out, "submissions", c->submits);
    describe_functions(c, out);
    gv_describe_number(out, "threads", c->threads);
    gv_describe_number(out, "observations", counts->observations);
    gv_describe_number(out, "observed_bytes", counts->observed_bytes);
    gv_describe_number(out, "memory_resources", counts->resources);
    gv_describe_bool(out, "snapshot", c->snapshot);
    gv_describe_bool(out, "cut", pack->was_cut);
}

bool gv_agi_info(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_describe *out, struct gv_error *err)
{
    struct gv_agi_capture *capture = gv_agi_open(input, params, err);
    struct gv_agi_event event;
    struct counts c = { 0 };
    bool ended = false, ok = capture != NULL;
    while (ok && (ok = gv_agi_next(capture, &event, &ended, err)) && !ended) {
        c.snapshot = c.snapshot || event.kind == GV_AGI_STATE;
        if (event.kind == GV_AGI_CALL)
            count_call(&c, &event);
        if (!event.aborted && event.kind == GV_AGI_CALL)
            gv_agi_forget(gv_agi_world_of(capture), &event.command, &event.call);
    }
    if (ok)
        describe(&c, capture, out);
    gv_agi_close(capture);
    return ok;
}
