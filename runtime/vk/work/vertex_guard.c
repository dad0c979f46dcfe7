#include "runtime/vk/work/vertex_guard.h"

#include "runtime/vk/context.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/one_draw.h"

#include <string.h>

// What is repacked up to there is not worth more: such a draw is left to the driver.
#define MAX_LAST (1u << 22)

bool gv_vk_guarded(const struct gv_vk_device *device,
                   const struct gv_vk_vertex_buffer *v)
{
    if (!device->guards_vertices || !v->buffer)
        return false;
    // lavapipe (Mesa 22.3) reads on to the end of the buffer, whatever range is bound.
    return !device->features.robustness2.robustBufferAccess2 ||
           v->offset + v->size != v->buffer->size;
}

bool gv_vk_guards_draws(const struct gv_vk_device *device,
                        const struct gv_vk_draw_state *state)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    for (uint32_t i = 0; device->guards_vertices && p && i < p->vertex_count; i++)
        if (p->vertex[i].slot != GV_VK_NO_VERTEX_SLOT &&
            gv_vk_guarded(device, &state->vertex[p->vertex[i].slot]))
            return true;
    return false;
}

// Vertices that all buffers of the bound pipeline hold.
static uint64_t common_vertices(const struct gv_vk_device *device,
                                const struct gv_vk_draw_state *state)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        const struct gv_vk_vertex_slot *slot = &p->vertex[i];
        if (slot->slot == GV_VK_NO_VERTEX_SLOT || slot->instance || !slot->extent)
            continue;
        const struct gv_vk_vertex_buffer *v = &state->vertex[slot->slot];
        if (!v->stride || !gv_vk_guarded(device, v))
            continue;
        uint64_t whole =
            v->size < slot->extent ? 0 : (v->size - slot->extent) / v->stride + 1;
        least = whole < least ? whole : least;
    }
    return least;
}

static uint32_t top_of(uint32_t index_bytes)
{
    return UINT32_MAX >> (32 - 8 * index_bytes);
}

// The greatest index that the buffer can hold, as far as uploads tell.
static uint32_t greatest(const struct gv_vk_index_buffer *i, bool restart)
{
    const struct gv_vk_index_bounds *b = &i->buffer->indices;
    const uint32_t written = GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL |
                             GV_BUFFER_USAGE_TRANSFORM_FEEDBACK;
    int wide = i->index_bytes == 4;
    uint32_t top = top_of(i->index_bytes);
    if (i->index_bytes == 1 || b->unknown || (i->buffer->usage & written))
        return top;
    return b->top[wide] && !restart ? top : b->most[wide];
}

static uint64_t last_vertex(const uint8_t *indices, uint32_t index_bytes,
                            const struct gv_vk_draw *draw, bool restart)
{
    int64_t last = 0;
    for (uint32_t n = 0; n < draw->count; n++) {
        uint32_t value = 0;
        memcpy(&value, indices + (size_t)n * index_bytes, index_bytes);
        if (restart && value == top_of(index_bytes))
            continue;
        int64_t vertex = (int64_t)value + draw->base_vertex;
        last = vertex > last ? vertex : last;
    }
    return (uint64_t)last;
}

static bool look(struct gv_runtime *rt, struct gv_vk_draw *draw, uint64_t vertices,
                 bool restart, struct gv_error *err)
{
    const struct gv_vk_index_buffer *i = &rt->draw_state->index;
    uint64_t offset = i->offset + (uint64_t)draw->first * i->index_bytes;
    uint64_t bytes = (uint64_t)draw->count * i->index_bytes;
    struct gv_vk_readback readback = { 0 };
    const uint8_t *indices = NULL;
    // What is out of range is refused by the draw itself.
    if (offset > i->buffer->size || bytes > i->buffer->size - offset)
        return true;
    if (gv_runtime_suspend(rt, err) &&
        gv_vk_readback_buffer(rt, &readback,
                              (struct gv_vk_bytes){ i->buffer, offset, bytes }, err))
        indices = gv_vk_readback_wait(rt, &readback, err);
    if (indices)
        draw->last = last_vertex(indices, i->index_bytes, draw, restart);
    gv_vk_readback_drop(rt, &readback);
    draw->outside = draw->last >= vertices && draw->last < MAX_LAST;
    return indices != NULL;
}

bool gv_vk_guard_indices(struct gv_runtime *rt, struct gv_vk_draw *draw,
                         struct gv_error *err)
{
    const struct gv_vk_pipeline *p = rt->draw_state->graphics.pipeline;
    const struct gv_vk_index_buffer *i = &rt->draw_state->index;
    if (!rt->device->guards_vertices || !draw->indexed || !draw->count ||
        !draw->instances || !p || !i->buffer || !rt->in_pass)
        return true;
    uint64_t vertices = common_vertices(rt->device, rt->draw_state);
    if ((int64_t)greatest(i, p->primitive_restart) + draw->base_vertex <
        (int64_t)(vertices < INT64_MAX ? vertices : INT64_MAX))
        return true;
    return look(rt, draw, vertices, p->primitive_restart, err);
}
