// `gpuvm info` of a capture.
#include "compiler/gfxr/gfxr.h"
#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/gfxr/gfxr_meta.h"
#include "compiler/vulkan/api/vk_table.h"
#include "compiler/vulkan/vulkan_kinds.h"
#include "vm/capture_kinds.h"

#include <stdio.h>

#define COUNTED_THREADS 4096u
#define FIRST_ID 0x11000u // of functions of Vulkan
#define COUNTED_IDS 4096u

struct counts {
    struct gv_arena arena; // of the block that is read
    uint64_t blocks, calls, draws, submits, presents, marks, threads;
    uint64_t fills, fill_bytes, frame_bytes, most_frame_bytes;
    bool snapshot, device_known;
    uint32_t api;
    struct gv_gfxr_device device;
    uint64_t by_id[COUNTED_IDS]; // aliases apart
    uint8_t seen[COUNTED_THREADS / 8];
};

// Threads from COUNTED_THREADS on are one.
static void count_thread(struct counts *c, uint64_t thread)
{
    const uint32_t n =
        thread < COUNTED_THREADS ? (uint32_t)thread : COUNTED_THREADS - 1;
    const uint8_t bit = (uint8_t)(1u << (n % 8));
    c->threads += !(c->seen[n / 8] & bit);
    c->seen[n / 8] |= bit;
}

static void end_frame(struct counts *c)
{
    if (c->frame_bytes > c->most_frame_bytes)
        c->most_frame_bytes = c->frame_bytes;
    c->frame_bytes = 0;
}

static void count_instance(struct counts *c, const struct gv_vk_call *call)
{
    const VkInstanceCreateInfo *info = GV_VK_ARGS(vkCreateInstance, call)->pCreateInfo;
    if (info->pApplicationInfo && info->pApplicationInfo->apiVersion > c->api)
        c->api = info->pApplicationInfo->apiVersion;
}

static bool count_call(struct counts *c, const struct gv_gfxr_block *block,
                       struct gv_error *err)
{
    struct gv_vk_call call = { .place = block->place };
    if (!gv_gfxr_decode(block->id, block->body,
                        &(struct gv_gfxr_room){ &c->arena, block->memory_limit }, &call,
                        err))
        return false;
    const uint8_t kinds = gv_vulkan_kinds(call.function);
    c->calls++;
    c->by_id[(block->id - FIRST_ID) % COUNTED_IDS]++; // it has been found
    c->draws += (kinds & GV_COMMAND_DRAW) != 0;
    c->submits += (kinds & GV_CAPTURE_SUBMIT) != 0;
    count_thread(c, block->place.thread);
    if (call.function == GV_VK_vkCreateInstance)
        count_instance(c, &call);
    if (kinds & GV_COMMAND_FRAME) {
        c->presents++;
        end_frame(c);
    }
    return true;
}

static bool count_meta(struct counts *c, struct gv_gfxr_reader *reader,
                       struct gv_gfxr_block *block, struct gv_error *err)
{
    struct gv_gfxr_meta meta;
    if (!gv_gfxr_meta(reader, block, &c->arena, &meta, err))
        return false;
    if (meta.kind == GV_GFXR_FILL) {
        c->fills++;
        c->fill_bytes += meta.fill.bytes.size;
        c->frame_bytes += meta.fill.bytes.size;
    } else if (meta.kind == GV_GFXR_DEVICE && !c->device_known) {
        c->device = meta.device;
        c->device_known = true;
    }
    return true;
}

static bool count_block(struct counts *c, struct gv_gfxr_reader *reader,
                        struct gv_gfxr_block *block, struct gv_error *err)
{
    bool ok = true;
    gv_gfxr_forget(&c->arena);
    c->blocks++;
    if (block->kind == GV_GFXR_CALL)
        ok = count_call(c, block, err);
    else if (block->kind == GV_GFXR_META)
        ok = count_meta(c, reader, block, err);
    else if (block->kind == GV_GFXR_STATE_MARKER)
        c->snapshot = true;
    else if (block->kind == GV_GFXR_FRAME_MARKER)
        c->marks += block->id == 2; // the end of one
    return ok;
}

static void describe_version(struct gv_describe *out, const char *key, uint32_t version)
{
    char text[32];
    snprintf(text, sizeof text, "%u.%u.%u", VK_API_VERSION_MAJOR(version),
             VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
    gv_describe_text(out, key, text);
}

// "vkCmdDraw 12, ...": all functions that are called, or those that compile leaves out.
static uint64_t put_functions(const struct counts *c, bool unlowered,
                              struct gv_bytes *text)
{
    uint64_t functions = 0;
    for (uint32_t i = 0; i < COUNTED_IDS; i++) {
        const struct gv_vk_id_info *id =
            c->by_id[i] ? gv_vk_find_id(FIRST_ID + i) : NULL;
        if (id && !(unlowered && gv_vulkan_lowers((enum gv_vk_function)id->function)))
            gv_bytes_printf(text, "%s%s %llu", functions++ ? ", " : "",
                            gv_vk_name(id->name), (unsigned long long)c->by_id[i]);
    }
    gv_bytes_u8(text, 0);
    return functions;
}

static void describe_functions(const struct counts *c, struct gv_describe *out)
{
    static const struct {
        bool unlowered;
        const char *number, *calls;
    } rows[] = { { false, "functions", "function_calls" },
                 { true, "not_lowered", "not_lowered_functions" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_bytes text = { 0 };
        const uint64_t functions = put_functions(c, rows[i].unlowered, &text);
        gv_describe_number(out, rows[i].number, functions);
        if (!text.failed && (functions || !rows[i].unlowered))
            gv_describe_text(out, rows[i].calls, (const char *)text.data);
        gv_bytes_finish(&text);
    }
}

static void describe(const struct counts *c, const struct gv_gfxr_reader *reader,
                     struct gv_describe *out)
{
    char version[32];
    snprintf(version, sizeof version, "%u.%u", gv_gfxr_major(reader),
             gv_gfxr_minor(reader));
    gv_describe_text(out, "file_version", version);
    gv_describe_text(out, "compression", gv_gfxr_compression(reader));
    gv_describe_text(out, "api", "Vulkan");
    if (c->api)
        describe_version(out, "api_version", c->api);
    if (c->device_known) {
        gv_describe_text(out, "recording_device", c->device.name);
        describe_version(out, "device_api_version", c->device.api);
    }
    gv_describe_number(out, "frames", gv_gfxr_minor(reader) ? c->marks : c->presents);
    gv_describe_number(out, "blocks", c->blocks);
    gv_describe_number(out, "calls", c->calls);
    gv_describe_number(out, "draws", c->draws);
    gv_describe_number(out, "submissions", c->submits);
    describe_functions(c, out);
    gv_describe_number(out, "threads", c->threads);
    gv_describe_number(out, "memory_fills", c->fills);
    gv_describe_number(out, "memory_fill_bytes", c->fill_bytes);
    gv_describe_number(out, "memory_fill_bytes_of_a_frame", c->most_frame_bytes);
    gv_describe_number(out, "stream_bytes", gv_gfxr_raw_bytes(reader));
    gv_describe_bool(out, "snapshot", c->snapshot);
    gv_describe_bool(out, "cut", gv_gfxr_was_cut(reader));
}

bool gv_gfxr_info(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_describe *out, struct gv_error *err)
{
    struct gv_gfxr_reader *reader = gv_gfxr_start(input, params, true, err);
    struct gv_gfxr_block block;
    struct counts c = { 0 };
    bool ended = false, ok = reader != NULL;
    while (ok && (ok = gv_gfxr_next(reader, &block, &ended, err)) && !ended)
        ok = count_block(&c, reader, &block, err);
    end_frame(&c);
    if (ok)
        describe(&c, reader, out);
    gv_arena_finish(&c.arena);
    gv_gfxr_close(reader);
    return ok;
}
