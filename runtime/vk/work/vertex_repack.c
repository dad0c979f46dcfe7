#include "runtime/vk/work/vertex_repack.h"

#include "runtime/shaders/repack_vertices.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/one_draw.h"
#include "runtime/vk/work/vertex_guard.h"

#include <string.h>

// As in repack_vertices.comp.
struct constants {
    uint32_t count, divisor, source, source_bytes, source_stride, offset, bytes, result,
        result_stride, kind, bits, places, components;
};

static const struct gv_vk_kernel_code kernel_code =
    GV_VK_KERNEL_CODE(repack_vertices, sizeof(struct constants));

// One binding of a draw.
struct job {
    const struct gv_vk_vertex_slot *slot;
    const struct gv_vk_vertex_buffer *buffer; // NULL: nothing is bound
    uint32_t binding;
    uint64_t first, count;      // elements of ours that the draw reads
    uint64_t source_at, source; // bytes of the buffer that are copied
    uint64_t from, to;          // where both lie in the scratch buffer
    uint64_t result;            // bytes
    uint32_t divisor, stride;
};

struct plan {
    struct job jobs[GV_MAX_VERTEX_BINDINGS + 1];
    uint32_t count;
    uint64_t bytes;
};

// ---- formats ----

// Packed formats name their components from the highest bit down.
static bool is_packed(const struct gv_format_info *info)
{
    return strstr(info->name, "_PACK") != NULL;
}

static void describe(const struct gv_format_info *info, struct constants *c)
{
    uint32_t n = info->component_count;
    c->kind = 1u + info->kind;
    c->components = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = is_packed(info) ? n - 1 - i : i;
        uint32_t place = (uint32_t)(strchr("RGBA", info->components[at]) - "RGBA");
        c->bits |= (uint32_t)info->bits[at] << i * 8;
        c->places |= place << i * 4;
    }
}

// ---- what a draw needs ----

static void set_range(const struct gv_vk_draw *draw, struct job *job)
{
    const struct gv_vk_vertex_slot *slot = job->slot;
    uint32_t stride = job->buffer ? job->buffer->stride : 0;
    uint64_t size = job->buffer ? job->buffer->size : 0;
    job->divisor = 1;
    if (slot->instance) {
        job->first = draw->first_instance;
        job->count = draw->instances;
        job->divisor = slot->divisor;
    } else if (draw->indexed || draw->counted_on_device) {
        job->first = 0;
        job->count = stride ? (size + stride - 1) / stride : 1;
        if (draw->outside && stride && draw->last >= job->count)
            job->count = draw->last + 1;
    } else {
        job->first = draw->first;
        job->count = draw->count;
    }
    // One element for all.
    if (!stride || (slot->instance && (!slot->divisor || slot->divisor >= job->count)))
        job->divisor = 0;
    // The device has the divisor, and divides: each element is there once.
    if (job->divisor > 1 && !slot->expand) {
        job->count = (job->count - 1) / job->divisor + 1;
        job->divisor = 1;
    }
}

// The bytes of the buffer that the range reads: none where it begins outside.
static void set_source(struct job *job)
{
    const struct gv_vk_vertex_buffer *v = job->buffer;
    if (!v || !job->count)
        return;
    uint64_t last = job->divisor ? (job->count - 1) / job->divisor : 0;
    uint64_t begin = job->first * v->stride;
    uint64_t end = (job->first + last) * v->stride + job->slot->extent;
    if (begin >= v->size)
        return;
    job->source_at = begin;
    job->source = (end < v->size ? end : v->size) - begin;
}

static uint64_t align(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

// What strides must be a multiple of; few devices ask for anything.
static uint32_t stride_alignment(const struct gv_vk_device *device)
{
    uint32_t whole = device->portability.minVertexInputBindingStrideAlignment;
    return whole ? whole : 1;
}

// Elements before the first are there but empty: a buffer cannot be bound at a negative
// offset.
static void set_result(const struct gv_vk_device *device, struct job *job)
{
    uint32_t whole = stride_alignment(device);
    uint32_t extent = job->slot->convert ? job->slot->repacked : job->slot->extent;
    job->stride = (uint32_t)align(extent, whole > 4 ? whole : 4);
    uint64_t elements = job->divisor ? job->first + job->count : 1;
    job->result = elements * job->stride;
}

// Whether the last element of a known range ends outside the buffer.
static bool leaves(const struct gv_vk_device *device, const struct gv_vk_draw *draw,
                   const struct gv_vk_vertex_slot *slot,
                   const struct gv_vk_vertex_buffer *v)
{
    uint64_t first = slot->instance ? draw->first_instance : draw->first;
    uint64_t count = slot->instance ? draw->instances : draw->count, last;
    if (!gv_vk_guarded(device, v) || !count || !draw->instances)
        return false;
    if (slot->instance)
        last = first + (slot->divisor ? (count - 1) / slot->divisor : 0);
    else if (!draw->indexed && !draw->counted_on_device)
        last = first + count - 1;
    else if (draw->outside)
        last = draw->last;
    else
        return false;
    return last * v->stride + slot->extent > v->size;
}

static bool plan_jobs(const struct gv_vk_device *device,
                      const struct gv_vk_draw_state *state,
                      const struct gv_vk_draw *draw, struct plan *plan,
                      struct gv_error *err)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        const struct gv_vk_vertex_slot *slot = &p->vertex[i];
        const struct gv_vk_vertex_buffer *v =
            slot->slot == GV_VK_NO_VERTEX_SLOT ? NULL : &state->vertex[slot->slot];
        v = v && v->buffer ? v : NULL;
        bool needed = slot->convert || slot->expand ||
                      (v && (v->stride % stride_alignment(device) ||
                             leaves(device, draw, slot, v)));
        if (!needed || !slot->extent)
            continue;
        struct job *job = &plan->jobs[plan->count++];
        *job = (struct job){ .slot = slot, .buffer = v, .binding = i };
        set_range(draw, job);
        set_source(job);
        set_result(device, job);
        job->from = plan->bytes;
        job->to = align(job->from + job->source, 16);
        plan->bytes = align(job->to + job->result, 16);
        if (plan->bytes > GV_VK_MAX_REPACK_BYTES)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                           "vertex buffer %u to be repacked for this device: more than "
                           "%u bytes",
                           slot->slot, GV_VK_MAX_REPACK_BYTES);
    }
    return true;
}

// ---- work ----

static bool ready(struct gv_runtime *rt, uint64_t bytes, struct gv_error *err)
{
    struct gv_vk_repack *repack = rt->repack;
    if (!repack->kernel.pipeline &&
        !gv_vk_kernel_init(rt, &repack->kernel, kernel_code, err))
        return false;
    return gv_vk_scratch_reserve(rt, &repack->scratch, bytes,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 err);
}

static bool copy_sources(struct gv_vk_commands *commands,
                         struct gv_vk_barriers *barriers,
                         const struct gv_vk_repack *repack, const struct plan *plan,
                         struct gv_error *err)
{
    VkBuffer scratch = repack->scratch.handle;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct job *job = &plan->jobs[i];
        if (job->source && !gv_vk_barriers_read_buffer(
                               commands, barriers,
                               (struct gv_vk_bytes){
                                   job->buffer->buffer,
                                   job->buffer->offset + job->source_at, job->source },
                               err))
            return false;
    }
    if (!gv_vk_barriers_emit(commands, barriers, err))
        return false;
    // The last draw that read the scratch buffer must be done with it.
    gv_vk_scratch_order(commands, VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, 0,
                        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                        VK_ACCESS_2_TRANSFER_WRITE_BIT);
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct job *job = &plan->jobs[i];
        if (job->source) {
            const VkBufferCopy region = { job->buffer->offset + job->source_at,
                                          job->from, job->source };
            vkCmdCopyBuffer(commands->buffer, job->buffer->buffer->handle, scratch, 1,
                            &region);
        }
        if (job->result)
            vkCmdFillBuffer(commands->buffer, scratch, job->to, align(job->result, 4),
                            0);
    }
    return true;
}

static bool run_attribute(struct gv_runtime *rt, const struct job *job,
                          const struct gv_vk_repack_attribute *a, uint64_t bytes,
                          struct gv_error *err)
{
    struct gv_vk_repack *repack = rt->repack;
    uint64_t before = job->divisor ? job->first * job->stride : 0;
    struct constants c = {
        .count = job->divisor ? (uint32_t)job->count : 1,
        .divisor = job->divisor,
        .source = (uint32_t)job->from,
        .source_bytes = (uint32_t)job->source,
        .source_stride = job->buffer ? job->buffer->stride : 0,
        .offset = a->offset,
        .bytes = a->info->block_bytes,
        .result = (uint32_t)(job->to + before) + a->place,
        .result_stride = job->stride,
    };
    if (a->convert)
        describe(a->info, &c);
    uint32_t groups = c.count / 64 + 1;
    const struct gv_vk_kernel_job run = { repack->scratch.handle, bytes, &c,
                                          groups < 1024 ? groups : 1024 };
    return gv_vk_kernel_run(rt, &repack->kernel, &run, err);
}

static bool run_jobs(struct gv_runtime *rt, const struct plan *plan,
                     struct gv_error *err)
{
    struct gv_vk_repack *repack = rt->repack;
    const struct gv_vk_pipeline *p = rt->draw_state->graphics.pipeline;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct job *job = &plan->jobs[i];
        for (uint32_t n = 0; job->count && n < p->attribute_count; n++)
            if (p->attributes[n].binding == job->binding &&
                !run_attribute(rt, job, &p->attributes[n], plan->bytes, err))
                return false;
        repack->bindings[job->binding].used = true;
        repack->bindings[job->binding].offset = job->to;
        repack->bindings[job->binding].size = job->result ? job->result : 4;
        repack->bindings[job->binding].stride = job->divisor ? job->stride : 0;
    }
    return true;
}

static bool perform(struct gv_runtime *rt, const struct plan *plan,
                    struct gv_error *err)
{
    if (!ready(rt, plan->bytes + 16, err) || !gv_runtime_suspend(rt, err) ||
        !gv_vk_commands_begin_work(rt->commands, err) ||
        !copy_sources(rt->commands, rt->barriers, rt->repack, plan, err))
        return false;
    gv_vk_scratch_order(
        rt->commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    if (!run_jobs(rt, plan, err))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                        VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
    return true;
}

bool gv_vk_repack_for(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      struct gv_error *err)
{
    struct gv_vk_repack *repack = rt->repack;
    const struct gv_vk_pipeline *p = rt->draw_state->graphics.pipeline;
    struct plan plan;
    if (!p->repacks && !repack->any && !rt->device->guards_vertices &&
        !gv_vk_repacks_strides(rt->device, rt->draw_state))
        return true; // as good as always
    plan.count = 0;
    plan.bytes = 0;
    if (!plan_jobs(rt->device, rt->draw_state, draw, &plan, err))
        return false;
    if (repack->any)
        memset(repack->bindings, 0, sizeof repack->bindings);
    if (plan.count || repack->any)
        rt->draw_state->vertex_dirty = true;
    repack->any = plan.count > 0;
    return !plan.count || perform(rt, &plan, err);
}

bool gv_vk_repacks_strides(const struct gv_vk_device *device,
                           const struct gv_vk_draw_state *state)
{
    const struct gv_vk_pipeline *p = state->graphics.pipeline;
    uint32_t whole = stride_alignment(device);
    for (uint32_t i = 0; whole > 1 && i < p->vertex_count; i++) {
        uint32_t slot = p->vertex[i].slot;
        if (slot != GV_VK_NO_VERTEX_SLOT && state->vertex[slot].buffer &&
            state->vertex[slot].stride % whole)
            return true;
    }
    return false;
}

bool gv_vk_repacked(const struct gv_vk_repack *repack, uint32_t binding,
                    struct gv_vk_vertex_buffers *out)
{
    if (!repack->any || !repack->bindings[binding].used)
        return false;
    out->buffers[binding] = repack->scratch.handle;
    out->offsets[binding] = repack->bindings[binding].offset;
    out->sizes[binding] = repack->bindings[binding].size;
    out->strides[binding] = repack->bindings[binding].stride;
    return true;
}

void gv_vk_repack_finish(struct gv_runtime *rt, struct gv_vk_repack *repack)
{
    gv_vk_kernel_finish(rt, &repack->kernel);
    gv_vk_scratch_finish(rt->heaps, &repack->scratch);
}
