#include "runtime/vk/work/draw.h"

#include "runtime/spirv/spirv_rewrite.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/feedback.h"
#include "runtime/vk/work/index_rewrite.h"
#include "runtime/vk/work/pass.h"
#include "runtime/vk/work/quad_draw.h"
#include "runtime/vk/work/query.h"
#include "runtime/vk/work/vertex_guard.h"
#include "runtime/vk/work/vertex_repack.h"

#include <string.h>

// ---- the pipeline and the pass ----

static bool check_formats(const struct gv_vk_pipeline *p, const struct gv_vk_pass *pass,
                          struct gv_error *err)
{
    for (uint32_t i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        const struct gv_vk_target *t = &pass->color[i].target;
        uint32_t have = 0;
        if (i < pass->color_count && t->handle)
            have = t->format ? t->format : (uint32_t)t->image->format;
        uint32_t want = i < p->color_count ? p->color_formats[i] : 0;
        if (have != want)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "attachment %u has format %u, the pipeline's is %u", i, have,
                           want);
    }
    const struct gv_vk_target *depth = &pass->depth.target;
    uint32_t have = depth->handle ? (uint32_t)depth->image->format : 0;
    if (have != p->depth_stencil_format)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the depth-stencil attachment has format %u, the pipeline's "
                       "is %u",
                       have, p->depth_stencil_format);
    return true;
}

static bool check_pipeline(struct gv_runtime *rt, struct gv_error *err)
{
    const struct gv_vk_pipeline *p = rt->draw_state->graphics.pipeline;
    if (!gv_runtime_inside_pass(rt, err))
        return false;
    if (!p)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "no graphics pipeline is bound");
    if (!check_formats(p, rt->pass, err))
        return false;
    // Vulkan counts attachments up to the last named on both sides.
    if (p->color_count != rt->pass->color_count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the pass has %u colour attachments, the pipeline %u",
                       rt->pass->color_count, p->color_count);
    if (rt->pass->samples && rt->pass->samples != p->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the pass has %u samples, the pipeline %u", rt->pass->samples,
                       p->samples);
    return !p->rasterizer_discard ||
           gv_vk_queries_allow_discard(rt->device, rt->queries, err);
}

// ---- hazards inside a pass ----

static bool conflicts(const struct gv_vk_pass *pass, struct gv_vk_uses uses)
{
    for (size_t i = 0; i < uses.count; i++) {
        const struct gv_vk_use *u = &uses.items[i];
        if (!u->buffer && !u->image)
            continue;
        // What earlier draws wrote, or may have read if this one writes it.
        if ((u->buffer ? u->buffer->written : u->image->written) ||
            (u->write && pass->instance_draws))
            return true;
    }
    return false;
}

static bool reads_written(const struct gv_vk_draw_state *state,
                          const struct gv_vk_pipeline *p, bool indexed)
{
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        uint32_t slot = p->vertex[i].slot;
        if (slot != GV_VK_NO_VERTEX_SLOT && state->vertex[slot].buffer &&
            state->vertex[slot].buffer->written)
            return true;
    }
    return indexed && state->index.buffer && state->index.buffer->written;
}

// Whether this draw must wait for earlier draws of the pass.
static bool must_wait(const struct gv_vk_draw_state *state,
                      const struct gv_vk_pass *pass, bool indexed)
{
    const struct gv_vk_point *point = &state->graphics;
    const struct gv_vk_pipeline *p = point->pipeline;
    if (!p->writes_storage && !pass->written_count)
        return false;
    for (uint32_t set = 0; set < p->layout->set_count; set++)
        if (conflicts(pass, gv_vk_uses_of(state, point, set)))
            return true;
    return reads_written(state, p, indexed);
}

// ---- vertices and indices ----

static bool check_vertex_slot(const struct gv_vk_vertex_slot *slot,
                              const struct gv_vk_vertex_buffer *v, struct gv_error *err)
{
    if (v->stride && v->stride < slot->extent)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: vertex buffer %u with stride %u below its "
                       "attributes' %u bytes",
                       slot->slot, v->stride, slot->extent);
    if ((v->offset | v->stride) % slot->alignment)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: vertex buffer %u unaligned (offset %llu, stride "
                       "%u)",
                       slot->slot, (unsigned long long)v->offset, v->stride);
    return true;
}

bool gv_vk_list_vertex_buffers(const struct gv_vk_draw_state *state,
                               const struct gv_vk_repack *repack,
                               struct gv_vk_vertex_buffers *out, struct gv_error *err)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    out->count = p->vertex_count;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        uint32_t slot = p->vertex[i].slot;
        const struct gv_vk_vertex_buffer *v =
            slot == GV_VK_NO_VERTEX_SLOT ? NULL : &state->vertex[slot];
        if (!v || !v->buffer) {
            out->buffers[i] = state->zero_buffer;
            out->offsets[i] = out->strides[i] = 0;
            out->sizes[i] = state->zero_size;
        }
        if (v && v->buffer && !check_vertex_slot(&p->vertex[i], v, err))
            return false;
        if (gv_vk_repacked(repack, i, out) || !v || !v->buffer)
            continue;
        out->buffers[i] = v->buffer->handle;
        out->offsets[i] = v->offset;
        out->sizes[i] = v->size;
        out->strides[i] = v->stride;
    }
    return true;
}

// Whether the command buffer has these already, bound for another pipeline.
static bool has_vertex_buffers(const struct gv_vk_vertex_buffers *has,
                               const struct gv_vk_vertex_buffers *wants)
{
    size_t n = wants->count;
    for (size_t i = 0; i < n; i++)
        if (has->count <= i || has->buffers[i] != wants->buffers[i])
            return false;
    return has->count >= n &&
           !memcmp(has->offsets, wants->offsets, n * sizeof wants->offsets[0]) &&
           !memcmp(has->sizes, wants->sizes, n * sizeof wants->sizes[0]) &&
           !memcmp(has->strides, wants->strides, n * sizeof wants->strides[0]);
}

static void note_vertex_buffers(struct gv_vk_barriers *barriers,
                                struct gv_vk_draw_state *state, struct gv_vk_pass *pass)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        uint32_t slot = p->vertex[i].slot;
        if (slot != GV_VK_NO_VERTEX_SLOT && state->vertex[slot].buffer)
            gv_vk_uses_note_buffer(barriers, state->vertex[slot].buffer,
                                   VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT);
    }
    state->vertex_noted = pass->instance;
}

static bool emit_vertex_buffers(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_draw_state *state = rt->draw_state;
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    struct gv_vk_vertex_buffers now;
    bool clean = !state->vertex_dirty && state->vertex_pipeline == p->id;
    if (!clean || state->vertex_noted != rt->pass->instance)
        note_vertex_buffers(rt->barriers, rt->draw_state, rt->pass);
    if (clean)
        return true;
    if (p->quads.ends) // bound for each of the draws that this one becomes
        return state->vertex_dirty = true;
    if (!gv_vk_list_vertex_buffers(rt->draw_state, rt->repack, &now, err))
        return false;
    // Bindings and strides, being dynamic, outlive a change of pipelines; not one to a
    // pipeline without vertices, whose strides are not.
    bool had = !state->vertex_dirty && has_vertex_buffers(&state->vertex_emitted, &now);
    if (!had && now.count)
        vkCmdBindVertexBuffers2(rt->commands->buffer, 0, now.count, now.buffers,
                                now.offsets, now.sizes, now.strides);
    if (!had || !now.count)
        state->vertex_emitted = now;
    state->vertex_dirty = false;
    state->vertex_pipeline = p->id;
    return true;
}

static bool emit_index_buffer(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_draw_state *state = rt->draw_state;
    const struct gv_vk_index_buffer *i = &state->index;
    if (!i->buffer)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no index buffer is bound");
    if (state->index_dirty || state->index_noted != rt->pass->instance)
        gv_vk_uses_note_buffer(rt->barriers, i->buffer,
                               VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT);
    state->index_noted = rt->pass->instance;
    if (state->index_dirty)
        vkCmdBindIndexBuffer(rt->commands->buffer, i->buffer->handle, i->offset,
                             i->type);
    state->index_dirty = false;
    return true;
}

// ---- a draw ----

static bool emit_all(struct gv_runtime *rt, bool indexed, struct gv_error *err)
{
    gv_vk_emit_pipeline(rt->commands, rt->draw_state, &rt->draw_state->graphics);
    if (!gv_vk_emit_sets(rt, &rt->draw_state->graphics, err) ||
        !emit_vertex_buffers(rt, err) || (indexed && !emit_index_buffer(rt, err)))
        return false;
    gv_vk_emit_dynamic(rt->commands, rt->draw_state, rt->pass,
                       rt->draw_state->graphics.pipeline);
    return true;
}

static bool restart_pass(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_runtime_suspend(rt, err) && gv_runtime_resume(rt, err);
}

// The constants of the pipeline's layout are lost with other layouts: each draw sets
// its own.
void gv_vk_draw_push_parameters(const struct gv_vk_commands *commands,
                                const struct gv_vk_draw_state *draw_state,
                                const struct gv_vk_draw *draw)
{
    const struct gv_vk_pipeline *p = draw_state->graphics.pipeline;
    const struct gv_draw_parameters parameters = {
        .base_vertex = draw->indexed ? draw->base_vertex : (int32_t)draw->first,
        .base_instance = (int32_t)draw->first_instance,
        .draw_index = (int32_t)draw->number,
    };
    if (p->pushes_draw_parameters)
        vkCmdPushConstants(commands->buffer, p->layout->handle,
                           VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof parameters,
                           &parameters);
}

bool gv_vk_draw_prepare(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                        struct gv_error *err)
{
    bool indexed = draw->indexed && !draw->own_indices;
    if (!check_pipeline(rt, err) || !gv_vk_repack_for(rt, draw, err) ||
        !gv_runtime_resume(rt, err))
        return false;
    const struct gv_vk_pipeline *p = rt->draw_state->graphics.pipeline;
    if (gv_vk_feedback_blocks(rt->draw_state, rt->feedback, p->handle) &&
        !restart_pass(rt, err))
        return false;
    if (!emit_all(rt, indexed, err))
        return false;
    if ((rt->barriers->urgent || must_wait(rt->draw_state, rt->pass, indexed)) &&
        (!restart_pass(rt, err) || !emit_all(rt, indexed, err)))
        return false;
    gv_vk_draw_push_parameters(rt->commands, rt->draw_state, draw);
    return gv_vk_feedback_begin_draw(rt->commands, rt->pass, rt->feedback, p, err);
}

static bool note_writes(const struct gv_vk_draw_state *draw_state,
                        struct gv_vk_pass *pass, struct gv_error *err)
{
    const struct gv_vk_point *point = &draw_state->graphics;
    if (!point->pipeline->writes_storage)
        return true;
    for (uint32_t set = 0; set < point->pipeline->layout->set_count; set++) {
        struct gv_vk_uses uses = gv_vk_uses_of(draw_state, point, set);
        for (size_t i = 0; i < uses.count; i++) {
            const struct gv_vk_use *u = &uses.items[i];
            const struct gv_vk_written w = { u->buffer, u->image, u->stages,
                                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT };
            if (u->write && !gv_vk_pass_wrote(pass, &w, err))
                return false;
        }
    }
    return true;
}

bool gv_vk_draw_done(struct gv_runtime *rt, struct gv_error *err)
{
    rt->pass->instance_draws++;
    rt->draw_state->draws++;
    gv_vk_pipeline_runs(rt->commands, rt->draw_state->graphics.pipeline);
    return note_writes(rt->draw_state, rt->pass, err) &&
           gv_vk_commands_count_draw(rt, err) &&
           (!rt->draw_state->graphics.pipeline->rounds || gv_runtime_suspend(rt, err));
}

bool gv_vk_draw_wants_numbers(const struct gv_vk_device *device,
                              const struct gv_vk_draw_state *draw_state, bool indexed)
{
    const struct gv_vk_pipeline *p = draw_state->graphics.pipeline;
    // The draw's number alone is pushed between records.
    bool pushes =
        p && p->pushes_draw_parameters && !device->features.v11.shaderDrawParameters;
    return p && (pushes || p->repacks || gv_vk_draws_quads(device, draw_state) ||
                 gv_vk_repacks_strides(device, draw_state) ||
                 gv_vk_index_rewrite_wanted(device, draw_state, indexed));
}

bool gv_vk_check_indices(const struct gv_vk_index_buffer *i,
                         const struct gv_vk_draw *draw, struct gv_error *err)
{
    uint64_t available = (i->buffer->size - i->offset) / i->index_bytes;
    if (draw->count <= available && draw->first <= available - draw->count)
        return true;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "indices %u+%u of %llu",
                   draw->first, draw->count, (unsigned long long)available);
}

// By indices that the runtime has made of what the payload has.
static bool draw_rewritten(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                           struct gv_error *err)
{
    struct gv_vk_draw own = *draw;
    struct gv_vk_slice indices;
    uint32_t count;
    own.own_indices = true;
    if (draw->indexed && (!rt->draw_state->index.buffer ||
                          !gv_vk_check_indices(&rt->draw_state->index, draw, err)))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no index buffer is bound");
    if (!gv_vk_index_rewrite(rt, draw, &indices, &count, err) ||
        !gv_vk_draw_prepare(rt, &own, err))
        return false;
    if (count == 0 || draw->instances == 0)
        return true;
    vkCmdBindIndexBuffer(rt->commands->buffer, indices.buffer, indices.offset,
                         VK_INDEX_TYPE_UINT32);
    rt->draw_state->index_dirty = true;
    vkCmdDrawIndexed(rt->commands->buffer, count, draw->instances, 0,
                     draw->indexed ? draw->base_vertex : (int32_t)draw->first,
                     draw->first_instance);
    return gv_vk_draw_done(rt, err);
}

bool gv_vk_draw_direct(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                       struct gv_error *err)
{
    struct gv_vk_draw guarded = *draw;
    if (!gv_vk_guard_indices(rt, &guarded, err))
        return false;
    draw = &guarded;
    if (gv_vk_draws_quads(rt->device, rt->draw_state))
        return gv_vk_draw_quads(rt, draw, err);
    if (gv_vk_index_rewrite_wanted(rt->device, rt->draw_state, draw->indexed))
        return draw_rewritten(rt, draw, err);
    if (!gv_vk_draw_prepare(rt, draw, err))
        return false;
    if (draw->indexed && !gv_vk_check_indices(&rt->draw_state->index, draw, err))
        return false;
    if (draw->count == 0 || draw->instances == 0)
        return true;
    if (draw->indexed)
        vkCmdDrawIndexed(rt->commands->buffer, draw->count, draw->instances,
                         draw->first, draw->base_vertex, draw->first_instance);
    else
        vkCmdDraw(rt->commands->buffer, draw->count, draw->instances, draw->first,
                  draw->first_instance);
    return gv_vk_draw_done(rt, err);
}

bool gv_do_draw(struct gv_runtime *rt, const struct gv_args_draw *a, uint64_t *result,
                struct gv_error *err)
{
    (void)result;
    const struct gv_vk_draw draw = {
        .first = (uint32_t)a->first_vertex.u,
        .count = (uint32_t)a->vertex_count.u,
        .first_instance = (uint32_t)a->first_instance.u,
        .instances = (uint32_t)a->instance_count.u,
    };
    return gv_vk_draw_direct(rt, &draw, err);
}

bool gv_do_draw_indexed(struct gv_runtime *rt, const struct gv_args_draw_indexed *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    const struct gv_vk_draw draw = {
        .indexed = true,
        .first = (uint32_t)a->first_index.u,
        .count = (uint32_t)a->index_count.u,
        .base_vertex = (int32_t)a->base_vertex.i,
        .first_instance = (uint32_t)a->first_instance.u,
        .instances = (uint32_t)a->instance_count.u,
    };
    return gv_vk_draw_direct(rt, &draw, err);
}
