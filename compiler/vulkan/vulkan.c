// Calls of a capture: which part of the machine takes each.
#include "compiler/vulkan/walk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct gv_vulkan *gv_vulkan_create(const struct gv_vulkan_params *params,
                                   struct gv_error *err)
{
    struct gv_vulkan *v = gv_arena_alloc(params->arena, sizeof *v);
    struct gv_walk_state *state = gv_arena_alloc(params->arena, sizeof *state);
    if (!v || !state) {
        gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "no memory for a Vulkan capture");
        return NULL;
    }
    v->b = params->builder;
    v->arena = params->arena;
    v->marked_frames = params->marked_frames;
    v->memory_limit = params->compile ? params->compile->memory_limit : 0;
    if (!v->memory_limit)
        v->memory_limit = GV_COMPILE_MEMORY;
    gv_cap_init(&v->cap, v->arena);
    v->walk = (struct gv_walk){
        .vulkan = v, .b = v->b, .cap = &v->cap, .arena = v->arena, .state = state
    };
    gv_builder_forgive(v->b);
    return v;
}

void gv_vulkan_destroy(struct gv_vulkan *v)
{
    if (!v)
        return;
    gv_arena_finish(&v->walk.submission);
    gv_bytes_finish(&v->walk.texels.pieces);
    gv_cap_finish(&v->cap);
}

bool gv_walk_fits(const struct gv_vulkan *v, uint64_t bytes, struct gv_error *err)
{
    const uint64_t kept = v->arena->total + v->cap.recorded;
    return (kept <= v->memory_limit && bytes <= v->memory_limit - kept) ||
           gv_fail(
               err, GV_ERR_LIMIT, v->cap.place.offset,
               "block %llu, %s: %llu bytes more than %llu that are kept (limit %llu)",
               (unsigned long long)v->cap.place.block, v->cap.name,
               (unsigned long long)bytes, (unsigned long long)kept,
               (unsigned long long)v->memory_limit);
}

void gv_walk_unsupported(struct gv_walk *w, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gv_builder_diagnose(w->b, GV_UNSUPPORTED, "unsupported", "%s", text);
}

const void *gv_walk_chained(const void *next, VkStructureType type)
{
    const VkBaseInStructure *s = next;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

// The next command of the builder, unless the block goes on.
void gv_walk_begin(struct gv_vulkan *v, const char *name,
                   const struct gv_vk_place *place, uint8_t kinds)
{
    const bool same = v->cap.place.block == place->block;
    v->cap.name = name;
    v->cap.place = *place;
    if (!same)
        gv_builder_command(v->b, place->block, place->offset, name);
    if (kinds)
        gv_builder_command_is(v->b, place->block, kinds);
}

// ---- queues ----

static bool submit(struct gv_vulkan *v, const struct gv_vk_args_vkQueueSubmit *a,
                   struct gv_error *err)
{
    for (uint32_t i = 0; i < a->submitCount; i++) {
        const VkSubmitInfo *s = &a->pSubmits[i];
        gv_walk_submit_waits(v, s);
        for (uint32_t j = 0; j < s->commandBufferCount; j++)
            if (!gv_walk_submit(&v->walk, GV_VK_ID(s->pCommandBuffers[j]), err))
                return false;
        gv_walk_submit_signals(v, s);
    }
    return true;
}

static bool submit2(struct gv_vulkan *v, const struct gv_vk_args_vkQueueSubmit2 *a,
                    struct gv_error *err)
{
    for (uint32_t i = 0; i < a->submitCount; i++) {
        const VkSubmitInfo2 *s = &a->pSubmits[i];
        gv_walk_submit2_waits(v, s);
        for (uint32_t j = 0; j < s->commandBufferInfoCount; j++)
            if (!gv_walk_submit(&v->walk,
                                GV_VK_ID(s->pCommandBufferInfos[j].commandBuffer), err))
                return false;
        gv_walk_submit2_signals(v, s);
    }
    return true;
}

static void end_frame(struct gv_vulkan *v)
{
    gv_builder_frame_end(v->b, v->presented.width, v->presented.height);
    v->presented = (VkExtent2D){ 0 };
}

// Whether a present failed, for its first swapchain; one that has results has them all.
static bool failed(const struct gv_vk_call *call, const VkPresentInfoKHR *info)
{
    return info->pResults && info->swapchainCount ? info->pResults[0] < 0
                                                  : call->result < 0;
}

// The picture is that of the first swapchain. A present that failed shows none.
static bool present(struct gv_vulkan *v, const struct gv_vk_call *call,
                    struct gv_error *err)
{
    const VkPresentInfoKHR *info = GV_VK_ARGS(vkQueuePresentKHR, call)->pPresentInfo;
    VkExtent2D size = { 0 };
    if (info->swapchainCount > 1)
        gv_builder_diagnose(v->b, GV_WARNING, "swapchains",
                            "the first of several swapchains of a present is shown");
    if (info->swapchainCount && !failed(call, info)) {
        const struct gv_walk_swapchain *s =
            gv_cap_need(&v->cap, GV_VK_ID(info->pSwapchains[0]), GV_CAP_SWAPCHAIN, err);
        if (!s)
            return false;
        const uint32_t index = info->pImageIndices[0];
        struct gv_cap_image *image =
            index < s->count ? gv_cap_find(&v->cap, s->images[index], GV_CAP_IMAGE)
                             : NULL;
        if (!image)
            return gv_cap_fail(&v->cap, err, "image %u of %u of the swapchain", index,
                               s->count);
        const struct gv_image lowered = gv_walk_image(&v->walk, image);
        if (lowered.id) {
            gv_walk_reads(&v->walk, &image->base, 0, UINT64_MAX);
            size = s->info.imageExtent;
            gv_emit(v->b, present, .image = lowered, .mip = 0, .layer = 0, .x = 0,
                    .y = 0, .width = size.width, .height = size.height,
                    .flags = GV_PRESENT_OPAQUE);
        }
    }
    v->presented = size;
    if (!v->marked_frames)
        end_frame(v);
    return true;
}

bool gv_vulkan_ends_frame(const struct gv_vk_call *call)
{
    return call->function == GV_VK_vkQueuePresentKHR;
}

static bool submits(enum gv_vk_function f)
{
    return f == GV_VK_vkQueueSubmit || f == GV_VK_vkQueueSubmit2;
}

bool gv_vulkan_call(struct gv_vulkan *v, const struct gv_vk_call *call,
                    struct gv_error *err)
{
    const char *name = gv_vk_function_name(call->function);
    const bool frame = gv_vulkan_ends_frame(call);
    const bool record = !strncmp(name, "vkCmd", 5);
    bool ok = true;
    gv_walk_begin(v, name, &call->place,
                  frame                     ? GV_COMMAND_FRAME | GV_COMMAND_TARGET
                  : submits(call->function) ? GV_COMMAND_DRAW
                                            : 0);
    if (!gv_walk_known_first(v, call, err) || !gv_walk_fits(v, 0, err))
        return false;
    if (!record)
        gv_walk_check_chains(&v->walk, call);
    if (frame) // ends a frame whatever came of it
        return present(v, call, err);
    if (call->result < 0)
        return true;
    if (call->function == GV_VK_vkQueueSubmit)
        return submit(v, GV_VK_ARGS(vkQueueSubmit, call), err);
    if (call->function == GV_VK_vkQueueSubmit2)
        return submit2(v, GV_VK_ARGS(vkQueueSubmit2, call), err);
    if (call->function == GV_VK_vkResetQueryPool)
        return gv_walk_reset_queries(&v->walk, GV_VK_ARGS(vkResetQueryPool, call), err);
    if (call->function == GV_VK_vkQueueBindSparse)
        gv_walk_unsupported(&v->walk, "sparse binding");
    if (record)
        return gv_cap_record(&v->cap, call, err);
    return (!gv_walk_device_call(v, call, &ok, err) &&
            !gv_walk_semaphore_call(v, call, &ok, err) &&
            !gv_walk_object_call(v, call, &ok, err)) ||
           ok;
}

// ---- what is no call ----

bool gv_vulkan_fill(struct gv_vulkan *v, const struct gv_vulkan_fill *fill,
                    struct gv_error *err)
{
    gv_walk_begin(v, "fill memory", &fill->place, 0);
    return gv_cap_memory_fill(&v->cap,
                              &(struct gv_cap_fill){ .memory = fill->memory,
                                                     .offset = fill->offset,
                                                     .size = fill->bytes.size,
                                                     .bytes = fill->bytes.data },
                              gv_walk_write, &v->walk, err) &&
           gv_walk_flush_images(&v->walk, err);
}

uint64_t gv_vulkan_mapped_bytes(const struct gv_vulkan *v, uint64_t memory)
{
    return gv_cap_memory_mapped(gv_cap_find(&v->cap, memory, GV_CAP_MEMORY));
}

bool gv_vulkan_init_buffer(struct gv_vulkan *v,
                           const struct gv_vulkan_buffer_contents *contents,
                           struct gv_error *err)
{
    gv_walk_begin(v, "init buffer", &contents->place, 0);
    struct gv_cap_buffer *buffer =
        gv_cap_need(&v->cap, contents->buffer, GV_CAP_BUFFER, err);
    if (!buffer)
        return false;
    if (contents->bytes.size > buffer->size)
        return gv_cap_fail(&v->cap, err, "%zu bytes of %llu", contents->bytes.size,
                           (unsigned long long)buffer->size);
    const struct gv_cap_write w = { .resource = &buffer->base,
                                    .size = contents->bytes.size,
                                    .bytes = contents->bytes.data };
    return !w.size ||
           (gv_cap_set_content(&v->cap, &buffer->base, w.bytes, w.size, err) &&
            gv_walk_write(&v->walk, &w, err));
}

bool gv_vulkan_memory(struct gv_vulkan *v, const struct gv_vulkan_memory *memory,
                      struct gv_error *err)
{
    (void)err;
    gv_walk_begin(v, "memory properties", &memory->place, 0);
    return true;
}

bool gv_vulkan_swapchain(struct gv_vulkan *v,
                         const struct gv_vulkan_swapchain_state *state,
                         struct gv_error *err)
{
    gv_walk_begin(v, "swapchain image state", &state->place, 0);
    return gv_cap_need(&v->cap, state->swapchain, GV_CAP_SWAPCHAIN, err) != NULL;
}

bool gv_vulkan_snapshot(struct gv_vulkan *v, bool begins,
                        const struct gv_vk_place *place, struct gv_error *err)
{
    (void)err;
    gv_walk_begin(v, "state marker", place, 0);
    v->snapshot = v->snapshot || begins;
    v->restored = !begins;
    return true;
}

bool gv_vulkan_frame_end(struct gv_vulkan *v, const struct gv_vk_place *place,
                         struct gv_error *err)
{
    (void)err;
    gv_walk_begin(v, "frame marker", place, GV_COMMAND_FRAME);
    end_frame(v);
    return true;
}

bool gv_vulkan_finish(struct gv_vulkan *v, struct gv_error *err)
{
    return !gv_builder_failed(v->b, err);
}
