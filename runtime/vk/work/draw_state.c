#include "runtime/vk/work/draw_state.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"

#include <string.h>

#define MAX_ZERO_BYTES (64u << 10)

// ---- zeros ----

static bool make_zero_buffer(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *state,
                             struct gv_error *err)
{
    uint64_t most = GV_VK_LIMITS(heaps->device)->maxUniformBufferRange;
    state->zero_size = most < MAX_ZERO_BYTES ? most : MAX_ZERO_BYTES;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = state->zero_size,
        .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
    };
    if (!gv_vk_ok(
            vkCreateBuffer(heaps->device->handle, &info, NULL, &state->zero_buffer),
            "vkCreateBuffer", err))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(heaps->device->handle, state->zero_buffer, &needs);
    if (!gv_vk_memory_alloc(heaps, &needs, GV_VK_MEMORY_UPLOAD, true,
                            &state->zero_memory, err))
        return false;
    memset(state->zero_memory.data, 0, state->zero_size);
    return gv_vk_memory_flush(heaps, &state->zero_memory, err) &&
           gv_vk_ok(vkBindBufferMemory(heaps->device->handle, state->zero_buffer,
                                       state->zero_memory.handle,
                                       state->zero_memory.offset),
                    "vkBindBufferMemory", err);
}

static bool make_zero_sampler(const struct gv_vk_device *device,
                              struct gv_vk_draw_state *state, struct gv_error *err)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    const VkSamplerCreateInfo compare = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .compareEnable = VK_TRUE,
        .compareOp = VK_COMPARE_OP_NEVER,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    return gv_vk_ok(vkCreateSampler(device->handle, &info, NULL, &state->zero_sampler),
                    "vkCreateSampler", err) &&
           gv_vk_ok(vkCreateSampler(device->handle, &compare, NULL,
                                    &state->zero_compare_sampler),
                    "vkCreateSampler", err);
}

// ---- life ----

bool gv_vk_draw_state_init(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *state,
                           struct gv_error *err)
{
    gv_vk_dynamic_reset(&state->dynamic);
    state->vertex_dirty = state->index_dirty = true;
    return make_zero_buffer(heaps, state, err) &&
           make_zero_sampler(heaps->device, state, err);
}

void gv_vk_draw_state_finish(struct gv_runtime *rt, struct gv_vk_draw_state *state)
{
    gv_vk_bound_free(state);
    gv_vk_contents_finish(state);
    gv_vk_descriptors_finish(rt, &state->descriptors);
    vkDestroySampler(rt->device->handle, state->zero_sampler, NULL);
    vkDestroySampler(rt->device->handle, state->zero_compare_sampler, NULL);
    for (uint32_t i = 0; i < 3; i++)
        vkDestroyBufferView(rt->device->handle, state->zero_texels[i], NULL);
    vkDestroyBuffer(rt->device->handle, state->zero_buffer, NULL);
    gv_vk_memory_free(rt->heaps, &state->zero_memory);
}

void gv_vk_draw_state_reset(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *state)
{
    gv_vk_bound_free(state);
    gv_vk_contents_forget(state);
    for (uint32_t s = 0; s < GV_MAX_SETS; s++)
        state->sets[s].version = ++heaps->next_id;
    state->graphics = state->compute = (struct gv_vk_point){ 0 };
    memset(state->vertex, 0, sizeof state->vertex);
    state->index = (struct gv_vk_index_buffer){ 0 };
    state->vertex_dirty = state->index_dirty = true;
    gv_vk_dynamic_reset(&state->dynamic);
    state->dummies.count = 0; // destroyed with all other images
}

// ---- objects that die ----

static void forget_buffers(struct gv_vk_draw_state *state, uint64_t handle)
{
    for (uint32_t i = 0; i < GV_MAX_VERTEX_BINDINGS; i++)
        if (state->vertex[i].handle == handle) {
            state->vertex[i] = (struct gv_vk_vertex_buffer){ 0 };
            state->vertex_dirty = true;
        }
    if (state->index.handle == handle) {
        state->index = (struct gv_vk_index_buffer){ 0 };
        state->index_dirty = true;
    }
}

static void forget_pipeline(struct gv_vk_point *point, uint64_t handle)
{
    if (point->handle != handle)
        return;
    point->handle = 0;
    point->pipeline = NULL;
}

void gv_vk_draw_state_forget(struct gv_vk_heaps *heaps,
                             const struct gv_handles *handles,
                             struct gv_vk_draw_state *draw_state, enum gv_kind kind,
                             uint64_t handle)
{
    void *object = gv_handles_get(handles, kind, handle);
    if (kind == GV_KIND_BUFFER) {
        forget_buffers(draw_state, handle);
        if (object)
            gv_vk_bound_forget(heaps, draw_state,
                               &((struct gv_vk_buffer *)object)->bound);
    }
    if (kind == GV_KIND_IMAGE && object)
        gv_vk_bound_forget(heaps, draw_state, &((struct gv_vk_image *)object)->bound);
    if (kind == GV_KIND_SAMPLER && object)
        gv_vk_bound_forget_sampler(heaps, draw_state, object);
    if (kind == GV_KIND_PIPELINE) {
        forget_pipeline(&draw_state->graphics, handle);
        forget_pipeline(&draw_state->compute, handle);
    }
}

// ---- what the command buffer has ----

void gv_vk_emit_pipeline(const struct gv_vk_commands *commands,
                         struct gv_vk_draw_state *state, struct gv_vk_point *point)
{
    if (point->epoch != commands->epoch) {
        point->epoch = commands->epoch;
        point->emitted = VK_NULL_HANDLE;
        for (uint32_t i = 0; i < GV_MAX_SETS; i++)
            point->sets[i] = (struct gv_vk_emitted_set){ 0 };
        if (point == &state->graphics) {
            state->vertex_dirty = state->index_dirty = true;
            uint32_t all = GV_STATE_VIEWPORT | GV_STATE_SCISSOR |
                           GV_STATE_BLEND_CONSTANTS | GV_STATE_STENCIL_REFERENCE |
                           GV_STATE_STENCIL_MASKS | GV_STATE_DEPTH_BIAS |
                           GV_STATE_LINE_WIDTH | GV_STATE_LINE_STIPPLE |
                           GV_STATE_DEPTH_BOUNDS;
            state->dynamic.dirty |= all;
        }
    }
    if (point->emitted == point->pipeline->handle)
        return;
    vkCmdBindPipeline(commands->buffer, point->pipeline->bind_point,
                      point->pipeline->handle);
    point->emitted = point->pipeline->handle;
    // Strides are dynamic state that pipelines without vertex buffers undo.
    if (point == &state->graphics && !point->pipeline->vertex_count)
        state->vertex_dirty = true;
}
