// Draws and dispatches.
#include "compiler/vulkan/walk_pipeline.h"

// What draws write of the depth attachment, which draws cannot read then.
static void note_written(struct gv_walk *w, const struct gv_walk_dynamic *d)
{
    if (d->depth_test && d->depth_write)
        w->pass.written |= VK_IMAGE_ASPECT_DEPTH_BIT;
    if (d->stencil_test && (d->stencil[0].write_mask | d->stencil[1].write_mask))
        w->pass.written |= VK_IMAGE_ASPECT_STENCIL_BIT;
}

// Payloads have depths from 0 to 1.
static bool deep(const struct gv_walk_dynamic *d)
{
    for (uint32_t i = 0; i < d->viewport_count && i < GV_MAX_VIEWPORTS && !d->discard;
         i++) {
        const VkViewport *v = &d->viewports[i];
        if (!(v->minDepth >= 0 && v->minDepth <= 1 && v->maxDepth >= 0 &&
              v->maxDepth <= 1))
            return true;
    }
    return false;
}

// Everything that a draw needs. `*ready`: it can be emitted; false where it is left
// out.
static bool prepare(struct gv_walk *w, bool indexed, bool *ready, struct gv_error *err)
{
    struct gv_walk_point *p = &w->state->graphics;
    struct gv_walk_dynamic d;
    *ready = false;
    if (!w->pass.open)
        return gv_cap_fail(w->cap, err, "outside of a render pass");
    if (w->skip)
        return true;
    if (!p->pipeline)
        return gv_cap_fail(w->cap, err, "no pipeline is bound");
    gv_walk_resolve(w->state, &d);
    if (deep(&d)) {
        gv_walk_unsupported(w, "viewports deeper than 0 to 1");
        return true;
    }
    const struct gv_walk_variant *v;
    if (!gv_walk_variant(w, p->pipeline, &d, &v, err))
        return false;
    if (!v) {
        gv_walk_unsupported(w, "%s: its pipeline", w->cap->name);
        return true;
    }
    gv_emit(w->b, bind_pipeline, .pipeline = v->pipeline);
    gv_walk_emit_state(w, &d);
    note_written(w, &d);
    if (!gv_walk_emit_bindings(w, p))
        return true;
    *ready = gv_walk_emit_vertices(w, v) && (!indexed || gv_walk_emit_indices(w));
    return *ready || gv_cap_fail(w->cap, err, "no indices are bound");
}

GV_WALK_COMMAND(vkCmdDraw)
{
    bool ready;
    if (!prepare(w, false, &ready, err))
        return false;
    if (ready && a->vertexCount && a->instanceCount)
        gv_emit(w->b, draw, .vertex_count = a->vertexCount,
                .instance_count = a->instanceCount, .first_vertex = a->firstVertex,
                .first_instance = a->firstInstance);
    return true;
}

GV_WALK_COMMAND(vkCmdDrawIndexed)
{
    bool ready;
    if (!prepare(w, true, &ready, err))
        return false;
    if (ready && a->indexCount && a->instanceCount)
        gv_emit(w->b, draw_indexed, .index_count = a->indexCount,
                .instance_count = a->instanceCount, .first_index = a->firstIndex,
                .base_vertex = a->vertexOffset, .first_instance = a->firstInstance);
    return true;
}

// Recorders write the records of several draws as if they had no gaps, whatever the
// stride is: then all but the first are wrong.
static bool records_lost(struct gv_walk *w, uint32_t count, uint32_t stride,
                         size_t record)
{
    if (count <= 1 || stride == record)
        return false;
    gv_walk_unsupported(w, "%s with stride %u", w->cap->name, stride);
    return true;
}

GV_WALK_COMMAND(vkCmdDrawMultiEXT)
{
    bool ready;
    if (!prepare(w, false, &ready, err))
        return false;
    if (!ready || records_lost(w, a->drawCount, a->stride, sizeof *a->pVertexInfo))
        return true;
    for (uint32_t i = 0; i < a->drawCount; i++)
        if (a->pVertexInfo[i].vertexCount && a->instanceCount)
            gv_emit(w->b, draw, .vertex_count = a->pVertexInfo[i].vertexCount,
                    .instance_count = a->instanceCount,
                    .first_vertex = a->pVertexInfo[i].firstVertex,
                    .first_instance = a->firstInstance);
    return true;
}

GV_WALK_COMMAND(vkCmdDrawMultiIndexedEXT)
{
    bool ready;
    if (!prepare(w, true, &ready, err))
        return false;
    if (!ready || records_lost(w, a->drawCount, a->stride, sizeof *a->pIndexInfo))
        return true;
    for (uint32_t i = 0; i < a->drawCount; i++) {
        const VkMultiDrawIndexedInfoEXT *d = &a->pIndexInfo[i];
        if (d->indexCount && a->instanceCount)
            gv_emit(w->b, draw_indexed, .index_count = d->indexCount,
                    .instance_count = a->instanceCount, .first_index = d->firstIndex,
                    .base_vertex =
                        a->pVertexOffset ? *a->pVertexOffset : d->vertexOffset,
                    .first_instance = a->firstInstance);
    }
    return true;
}

// The buffer of indirect arguments; none: it is left out.
static bool find_records(struct gv_walk *w, VkBuffer buffer, struct gv_buffer *out,
                         struct gv_error *err)
{
    struct gv_cap_buffer *b = gv_cap_need(w->cap, GV_VK_ID(buffer), GV_CAP_BUFFER, err);
    if (b) {
        *out = gv_walk_buffer(w, b);
        gv_walk_reads(w, &b->base, 0, UINT64_MAX);
    }
    return b;
}

// With one record the stride is never looked at.
static uint32_t stride_of(uint32_t count, uint32_t stride, uint32_t record)
{
    return count > 1 ? stride : record;
}

GV_WALK_COMMAND(vkCmdDrawIndirect)
{
    struct gv_buffer records;
    bool ready;
    if (!find_records(w, a->buffer, &records, err) || !prepare(w, false, &ready, err))
        return false;
    if (ready && records.id && a->drawCount)
        gv_emit(w->b, draw_indirect, .buffer = records, .offset = a->offset,
                .count = a->drawCount,
                .stride =
                    stride_of(a->drawCount, a->stride, sizeof(VkDrawIndirectCommand)));
    return true;
}

GV_WALK_COMMAND(vkCmdDrawIndexedIndirect)
{
    struct gv_buffer records;
    bool ready;
    if (!find_records(w, a->buffer, &records, err) || !prepare(w, true, &ready, err))
        return false;
    if (ready && records.id && a->drawCount)
        gv_emit(w->b, draw_indexed_indirect, .buffer = records, .offset = a->offset,
                .count = a->drawCount,
                .stride = stride_of(a->drawCount, a->stride,
                                    sizeof(VkDrawIndexedIndirectCommand)));
    return true;
}

static bool prepare_dispatch(struct gv_walk *w, bool *ready, struct gv_error *err)
{
    const struct gv_walk_point *p = &w->state->compute;
    *ready = false;
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    if (!p->pipeline)
        return gv_cap_fail(w->cap, err, "no pipeline is bound");
    if (!gv_walk_prepare(w, p->pipeline, err))
        return false;
    if (!p->pipeline->compute_pipeline.id) {
        gv_walk_unsupported(w, "%s: its pipeline", w->cap->name);
        return true;
    }
    gv_emit(w->b, bind_pipeline, .pipeline = p->pipeline->compute_pipeline);
    *ready = gv_walk_emit_bindings(w, p);
    return true;
}

GV_WALK_COMMAND(vkCmdDispatch)
{
    bool ready;
    if (!prepare_dispatch(w, &ready, err))
        return false;
    if (ready && a->groupCountX && a->groupCountY && a->groupCountZ)
        gv_emit(w->b, dispatch, .x = a->groupCountX, .y = a->groupCountY,
                .z = a->groupCountZ, .ranges = gv_data(""), .size = 0);
    return true;
}

GV_WALK_COMMAND(vkCmdDispatchBase)
{
    const struct gv_vk_args_vkCmdDispatch plain = { a->commandBuffer, a->groupCountX,
                                                    a->groupCountY, a->groupCountZ };
    if (!(a->baseGroupX | a->baseGroupY | a->baseGroupZ))
        return gv_walk_vkCmdDispatch(w, &plain, err);
    gv_walk_unsupported(w, "vkCmdDispatchBase from group %u, %u, %u", a->baseGroupX,
                        a->baseGroupY, a->baseGroupZ);
    return true;
}

GV_WALK_COMMAND(vkCmdDispatchIndirect)
{
    struct gv_buffer records;
    bool ready;
    if (!find_records(w, a->buffer, &records, err) || !prepare_dispatch(w, &ready, err))
        return false;
    if (ready && records.id)
        gv_emit(w->b, dispatch_indirect, .buffer = records, .offset = a->offset,
                .ranges = gv_data(""), .size = 0);
    return true;
}
