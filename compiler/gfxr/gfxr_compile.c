// A capture to a payload: its calls and contents, one by one, to the machine of Vulkan.
#include "compiler/frames_wanted.h"
#include "compiler/gfxr/gfxr.h"
#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/gfxr/gfxr_meta.h"

struct compile {
    const struct gv_compile_params *params;
    struct gv_gfxr_reader *reader;
    struct gv_vulkan *vulkan;
    struct gv_arena block; // of the block that is read
    uint64_t size;         // of the capture
    uint64_t frames;
    bool marked;
};

static void end_frame(struct compile *c, const struct gv_vk_place *place)
{
    c->frames++;
    if (c->params->progress)
        c->params->progress(c->params->progress_context, place->offset, c->size);
}

static bool compile_call(struct compile *c, const struct gv_gfxr_block *block,
                         struct gv_error *err)
{
    struct gv_vk_call call = { .place = block->place };
    if (!gv_gfxr_decode(block->id, block->body,
                        &(struct gv_gfxr_room){ &c->block, block->memory_limit }, &call,
                        err) ||
        !gv_vulkan_call(c->vulkan, &call, err))
        return false;
    if (!c->marked && gv_vulkan_ends_frame(&call))
        end_frame(c, &block->place);
    return true;
}

static bool compile_meta(struct compile *c, struct gv_gfxr_block *block,
                         struct gv_error *err)
{
    struct gv_gfxr_meta meta;
    if (!gv_gfxr_meta(c->reader, block, &c->block, &meta, err))
        return false;
    switch (meta.kind) {
    case GV_GFXR_FILL:
        return gv_vulkan_fill(c->vulkan, &meta.fill, err);
    case GV_GFXR_BUFFER:
        return gv_vulkan_init_buffer(c->vulkan, &meta.buffer, err);
    case GV_GFXR_IMAGE:
        return gv_vulkan_init_image(c->vulkan, &meta.image, err);
    case GV_GFXR_SWAPCHAIN:
        return gv_vulkan_swapchain(c->vulkan, &meta.swapchain, err);
    case GV_GFXR_MEMORY:
        return gv_vulkan_memory(c->vulkan, &meta.memory, err);
    case GV_GFXR_DEVICE:
        gv_vulkan_device(c->vulkan, meta.device.name);
        return true;
    case GV_GFXR_IGNORED:
        return true;
    }
    return true;
}

// "enum MarkerType" of the format.
enum { BEGIN_MARKER = 1, END_MARKER = 2 };

static bool compile_frame_marker(struct compile *c, const struct gv_gfxr_block *block,
                                 struct gv_error *err)
{
    if (!c->marked || block->id != END_MARKER)
        return true;
    if (!gv_vulkan_frame_end(c->vulkan, &block->place, err))
        return false;
    end_frame(c, &block->place);
    return true;
}

static bool compile_block(struct compile *c, struct gv_gfxr_block *block,
                          struct gv_error *err)
{
    gv_gfxr_forget(&c->block);
    switch (block->kind) {
    case GV_GFXR_CALL:
        return compile_call(c, block, err);
    case GV_GFXR_META:
        return compile_meta(c, block, err);
    case GV_GFXR_FRAME_MARKER:
        return compile_frame_marker(c, block, err);
    case GV_GFXR_STATE_MARKER:
        return gv_vulkan_snapshot(c->vulkan, block->id == BEGIN_MARKER, &block->place,
                                  err);
    default: // what the recorder says of itself, and what it may say one day
        return true;
    }
}

static bool compile_blocks(struct compile *c, struct gv_error *err)
{
    struct gv_gfxr_block block;
    bool ended = false;
    while (gv_frames_wanted(c->params, c->frames)) {
        if (!gv_gfxr_next(c->reader, &block, &ended, err))
            return false;
        if (ended)
            return true;
        if (!compile_block(c, &block, err))
            return gv_error_at_command(err, block.place.block);
    }
    return true;
}

bool gv_gfxr_compile(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_arena *arena, struct gv_builder *out,
                     struct gv_error *err)
{
    struct compile c = { .params = params, .size = input.size };
    c.reader = gv_gfxr_start(input, params, false, err);
    c.marked = c.reader && gv_gfxr_minor(c.reader) > 0;
    const struct gv_vulkan_params machine = {
        .compile = params, .arena = arena, .builder = out, .marked_frames = c.marked
    };
    c.vulkan = c.reader ? gv_vulkan_create(&machine, err) : NULL;
    const bool ok =
        c.vulkan && compile_blocks(&c, err) && gv_vulkan_finish(c.vulkan, err);
    if (ok && gv_gfxr_was_cut(c.reader))
        gv_builder_diagnose(out, GV_WARNING, "truncated",
                            "the capture ends early, within a block");
    gv_vulkan_destroy(c.vulkan);
    gv_arena_finish(&c.block);
    gv_gfxr_close(c.reader);
    return ok;
}
