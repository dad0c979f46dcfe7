// `gpuvm dump` of a capture: a line for each call, and for meta-data that pictures
// need.
#include "compiler/gfxr/gfxr.h"
#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/gfxr/gfxr_meta.h"
#include "compiler/vulkan/api/vk_table.h"
#include "compiler/vulkan/api/vk_text.h"
#include "compiler/vulkan/vulkan_kinds.h"

#include <inttypes.h>
#include <string.h>

struct dump {
    const struct gv_compile_params *params;
    struct gv_gfxr_reader *reader;
    struct gv_bytes *text;
    struct gv_arena arena; // of the block that is read
};

static bool wanted(const struct dump *d, const struct gv_vk_place *place, uint8_t kinds)
{
    const struct gv_call_filter *calls = d->params->calls;
    return !calls || calls->wants(calls->context, place->block, kinds);
}

// Numbers are those of blocks; threads only where there are more than the first.
static void put_place(struct dump *d, const struct gv_vk_place *place)
{
    gv_bytes_printf(d->text, "%" PRIu64 " ", place->block);
    if (place->thread > 1)
        gv_bytes_printf(d->text, "@%" PRIu64 " ", place->thread);
}

static bool dump_call(struct dump *d, const struct gv_gfxr_block *block,
                      struct gv_error *err)
{
    struct gv_vk_call call = { .place = block->place };
    if (!gv_gfxr_decode(block->id, block->body,
                        &(struct gv_gfxr_room){ &d->arena, block->memory_limit }, &call,
                        err))
        return false;
    const uint8_t kinds = gv_vulkan_kinds(call.function);
    if ((!d->params->verbose && gv_vulkan_only_asks(call.function)) ||
        !wanted(d, &block->place, kinds))
        return true;
    put_place(d, &block->place);
    gv_vk_put_call(d->text, gv_vk_name(gv_vk_find_id(block->id)->name), &call);
    gv_bytes_put(d->text, "\n", 1);
    return true;
}

static void put_memory(struct gv_bytes *out, const struct gv_vulkan_memory *memory)
{
    const VkPhysicalDeviceMemoryProperties *m = &memory->properties;
    gv_bytes_printf(out, "physicalDevice = %" PRIu64 ", types = [",
                    memory->physical_device);
    for (uint32_t i = 0; i < m->memoryTypeCount; i++)
        gv_bytes_printf(out, "%s0x%x of heap %u", i ? ", " : "",
                        m->memoryTypes[i].propertyFlags, m->memoryTypes[i].heapIndex);
    gv_bytes_printf(out, "], heaps = [");
    for (uint32_t i = 0; i < m->memoryHeapCount; i++)
        gv_bytes_printf(out, "%s%" PRIu64, i ? ", " : "", m->memoryHeaps[i].size);
    gv_bytes_printf(out, "]");
}

static void put_meta(struct gv_bytes *out, const struct gv_gfxr_meta *meta)
{
    switch (meta->kind) {
    case GV_GFXR_FILL:
        gv_bytes_printf(out, "memory = %" PRIu64 ", offset = %" PRIu64 ", size = %zu",
                        meta->fill.memory, meta->fill.offset, meta->fill.bytes.size);
        return;
    case GV_GFXR_BUFFER:
        gv_bytes_printf(out, "buffer = %" PRIu64 ", size = %zu", meta->buffer.buffer,
                        meta->buffer.bytes.size);
        return;
    case GV_GFXR_IMAGE:
        gv_bytes_printf(out,
                        "image = %" PRIu64 ", aspect = 0x%x, layout = %d, levels = %u, "
                        "size = %zu",
                        meta->image.image, meta->image.aspect, (int)meta->image.layout,
                        meta->image.level_count, meta->image.bytes.size);
        return;
    case GV_GFXR_SWAPCHAIN:
        gv_bytes_printf(
            out, "swapchain = %" PRIu64 ", last presented = %" PRIu32 ", images = %zu",
            meta->swapchain.swapchain, meta->swapchain.last_presented,
            meta->swapchain.image_count);
        return;
    case GV_GFXR_MEMORY:
        put_memory(out, &meta->memory);
        return;
    case GV_GFXR_DEVICE:
        gv_bytes_printf(
            out, "physicalDevice = %" PRIu64 ", name = ", meta->device.physical_device);
        gv_vk_put_quoted(out, meta->device.name, sizeof meta->device.name);
        return;
    case GV_GFXR_IGNORED:
        return;
    }
}

static bool dump_meta(struct dump *d, struct gv_gfxr_block *block, struct gv_error *err)
{
    struct gv_gfxr_meta meta;
    if (!gv_gfxr_meta(d->reader, block, &d->arena, &meta, err))
        return false;
    if ((meta.kind == GV_GFXR_IGNORED && !d->params->verbose) ||
        !wanted(d, &block->place, 0))
        return true;
    put_place(d, &block->place);
    gv_bytes_printf(d->text, "// ");
    gv_gfxr_put_meta_name(d->text, block->id);
    gv_bytes_printf(d->text, ": ");
    put_meta(d->text, &meta);
    gv_bytes_put(d->text, "\n", 1);
    return true;
}

static bool dump_block(struct dump *d, struct gv_gfxr_block *block,
                       struct gv_error *err)
{
    gv_gfxr_forget(&d->arena);
    switch (block->kind) {
    case GV_GFXR_CALL:
        return dump_call(d, block, err);
    case GV_GFXR_META:
        return dump_meta(d, block, err);
    case GV_GFXR_FRAME_MARKER:
    case GV_GFXR_STATE_MARKER:
        if (!wanted(d, &block->place, 0))
            return true;
        put_place(d, &block->place);
        gv_bytes_printf(d->text, "// %s of %s\n", block->id == 1 ? "begin" : "end",
                        block->kind == GV_GFXR_FRAME_MARKER ? "frame" : "snapshot");
        return true;
    default: // what the recorder says of itself, and what it may say one day
        return true;
    }
}

static bool dump_blocks(struct dump *d, struct gv_text_sink *out, struct gv_error *err)
{
    const uint64_t last = d->params->calls ? d->params->calls->last : UINT64_MAX;
    struct gv_gfxr_block block;
    bool ended = false;
    for (;;) {
        bool ok = gv_gfxr_next(d->reader, &block, &ended, err);
        if (ok && (ended || block.place.block > last))
            return true;
        ok = ok && dump_block(d, &block, err);
        if (!ok) {
            gv_text_sink_flush(out, NULL); // what came before the error
            return false;
        }
        if (!gv_text_sink_line(out, err))
            return false;
    }
}

bool gv_gfxr_dump(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_text_sink *out, struct gv_error *err)
{
    struct gv_gfxr_reader *reader = gv_gfxr_start(input, params, false, err);
    struct dump d = { params, reader, &out->text, { 0 } };
    const bool ok = reader && dump_blocks(&d, out, err);
    gv_arena_finish(&d.arena);
    gv_gfxr_close(reader);
    return ok;
}
