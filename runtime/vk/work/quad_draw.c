// Draws of points and lines as quads (quads.h): runs of vertices become instances.
#include "runtime/vk/work/quad_draw.h"
#include "runtime/spirv/spirv_quads.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/staging.h"
#include "runtime/vk/pipelines/pipeline.h"
#include "runtime/vk/work/draw.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/index_rewrite.h"
#include "runtime/vk/work/pass.h"

#include <stdlib.h>
#include <string.h>

// Quads whose vertices follow one another: `step` from each to the next.
struct run {
    uint32_t vertex[2]; // of the first; points: the same twice
    uint32_t count, step;
};

struct bindings {
    uint32_t count;
    VkBuffer buffers[GV_MAX_QUAD_BINDINGS];
    VkDeviceSize offsets[GV_MAX_QUAD_BINDINGS], sizes[GV_MAX_QUAD_BINDINGS],
        strides[GV_MAX_QUAD_BINDINGS];
};

// A draw while it becomes several.
struct quad_draw {
    const struct gv_vk_draw *draw;
    const struct gv_vk_pipeline *pipeline;
    struct gv_vk_vertex_buffers vertices; // as a draw of vertices reads them
    uint64_t epoch;                       // the command buffer that is ready
    uint32_t longest;                     // quads of a run
    uint32_t draws;                       // so far
};

// ---- which pipeline ----

bool gv_vk_draws_quads(const struct gv_vk_device *device,
                       const struct gv_vk_draw_state *draw_state)
{
    const struct gv_vk_pipeline *p = draw_state->graphics.pipeline;
    bool wide = device->widens_lines && draw_state->dynamic.line_width != 1;
    bool smooth = p && p->wide && gv_spirv_quads_smooth(&p->wide->quads);
    return p && (p->quads.ends || smooth || (wide && p->draws_lines));
}

// ---- vertex buffers ----

// Elements of a binding from one on, `step` apart for each quad. What begins outside of
// its buffer reads zeros.
static void bind(const struct gv_vk_draw_state *state,
                 const struct gv_vk_vertex_buffers *from, uint32_t i, uint64_t element,
                 uint32_t step, struct bindings *to)
{
    uint32_t n = to->count++;
    uint64_t past = element * from->strides[i];
    bool outside = past >= from->sizes[i];
    to->buffers[n] = outside ? state->zero_buffer : from->buffers[i];
    to->offsets[n] = outside ? 0 : from->offsets[i] + past;
    to->sizes[n] = outside ? state->zero_size : from->sizes[i] - past;
    to->strides[n] = outside ? 0 : from->strides[i] * step;
}

static uint64_t instance_element(const struct gv_vk_vertex_slot *slot,
                                 const struct gv_vk_draw *draw, uint32_t instance)
{
    uint32_t divisor = slot->expand ? 1 : slot->divisor;
    return (uint64_t)draw->first_instance + (divisor ? instance / divisor : 0);
}

static void bind_end(const struct gv_vk_draw_state *state, const struct quad_draw *q,
                     const struct run *run, uint32_t end, uint32_t instance,
                     struct bindings *to)
{
    for (uint32_t i = 0; i < q->vertices.count; i++) {
        const struct gv_vk_vertex_slot *slot = &q->pipeline->vertex[i];
        if (slot->slot == GV_VK_NO_VERTEX_SLOT)
            bind(state, &q->vertices, i, 0, 0, to);
        else if (slot->instance)
            bind(state, &q->vertices, i, instance_element(slot, q->draw, instance), 0,
                 to);
        else
            bind(state, &q->vertices, i, run->vertex[end], run->step, to);
    }
}

// ---- the record ----

static float share(float size)
{
    return 1 / (size == 0 ? 1 : size);
}

static struct gv_quad_record record_of(const struct gv_vk_draw_state *draw_state,
                                       const struct gv_vk_pass *pass,
                                       const struct gv_vk_draw *draw,
                                       const struct run *run, uint32_t instance)
{
    const struct gv_vk_dynamic *d = &draw_state->dynamic;
    bool set = d->viewports_set & 1;
    float width = set ? d->viewports[0].width : (float)pass->width;
    float height = set ? d->viewports[0].height : (float)pass->height;
    return (struct gv_quad_record){
        .width = share(width),
        .height = share(height),
        .line = d->line_width,
        .vertex = { (int32_t)run->vertex[0], (int32_t)run->vertex[1] },
        .instance = (int32_t)(draw->first_instance + instance),
        .step = (int32_t)run->step,
        .base_vertex = draw->indexed ? draw->base_vertex : (int32_t)draw->first,
        .base_instance = (int32_t)draw->first_instance,
        .view = { set ? d->viewports[0].x : 0, set ? d->viewports[0].y : 0, width,
                  height },
    };
}

static bool bind_record(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                        const struct run *run, uint32_t instance, struct bindings *to,
                        struct gv_error *err)
{
    const struct gv_quad_record record =
        record_of(rt->draw_state, rt->pass, draw, run, instance);
    struct gv_vk_slice slice;
    if (!gv_vk_staging_upload(rt, sizeof record, 16, &slice, err))
        return false;
    memcpy(slice.data, &record, sizeof record);
    to->buffers[to->count] = slice.buffer;
    to->offsets[to->count] = slice.offset;
    to->sizes[to->count] = sizeof record;
    to->strides[to->count++] = 0;
    return true;
}

// ---- draws ----

// Readies the command buffer, for the first time or since it was submitted.
static bool ready(struct gv_runtime *rt, struct quad_draw *q, struct gv_error *err)
{
    struct gv_vk_draw own = *q->draw;
    own.own_indices = true;
    if (q->epoch == rt->commands->epoch)
        return true;
    if (!gv_vk_draw_prepare(rt, &own, err) ||
        !gv_vk_list_vertex_buffers(rt->draw_state, rt->repack, &q->vertices, err))
        return false;
    q->epoch = rt->commands->epoch;
    return true;
}

static bool draw_run(struct gv_runtime *rt, struct quad_draw *q, const struct run *run,
                     uint32_t instance, struct gv_error *err)
{
    struct bindings b = { .count = 0 };
    if (q->draws++ == GV_MAX_QUAD_DRAWS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "a draw that becomes over %u for this device: indices that do "
                       "not follow one another, or instances",
                       GV_MAX_QUAD_DRAWS);
    if (!ready(rt, q, err))
        return false;
    for (uint32_t end = 0; end < q->pipeline->quads.ends; end++)
        bind_end(rt->draw_state, q, run, end, instance, &b);
    if (!bind_record(rt, q->draw, run, instance, &b, err))
        return false;
    vkCmdBindVertexBuffers2(rt->commands->buffer, 0, b.count, b.buffers, b.offsets,
                            b.sizes, b.strides);
    rt->draw_state->vertex_dirty = true;
    vkCmdDraw(rt->commands->buffer, 4, run->count, 0, 0);
    return gv_vk_draw_done(rt, err);
}

// Without indices all quads are one run, but for strides that the device cannot step
// over.
static bool draw_plain(struct gv_runtime *rt, struct quad_draw *q, uint32_t instance,
                       struct gv_error *err)
{
    uint32_t ends = q->pipeline->quads.ends;
    bool strip = q->pipeline->assembly == GV_VK_ASSEMBLY_LINES;
    uint32_t step = strip ? 1 : ends, first = q->draw->first;
    uint32_t quads = q->draw->count < ends ? 0 : (q->draw->count - ends) / step + 1;
    for (uint32_t done = 0, n; done < quads; done += n) {
        n = quads - done < q->longest ? quads - done : q->longest;
        const struct run run = { { first, first + ends - 1 }, n, n > 1 ? step : 1 };
        if (!draw_run(rt, q, &run, instance, err))
            return false;
        first += n * step;
    }
    return true;
}

// How many quads from this one on follow one another.
static struct run next_run(const struct quad_draw *q, const uint32_t *list,
                           uint32_t quads)
{
    uint32_t ends = q->pipeline->quads.ends, base = (uint32_t)q->draw->base_vertex;
    struct run run = { { list[0] + base, list[ends - 1] + base }, 1, 1 };
    uint32_t step = quads > 1 ? list[ends] - list[0] : 0;
    if (step < 1 || step > ends)
        return run;
    while (run.count < quads && run.count < q->longest) {
        const uint32_t *next = list + (size_t)run.count * ends;
        if (next[0] - list[0] != run.count * step ||
            next[ends - 1] - list[ends - 1] != run.count * step)
            break;
        run.count++;
    }
    run.step = run.count > 1 ? step : 1;
    return run;
}

static bool draw_list(struct gv_runtime *rt, struct quad_draw *q, const uint32_t *list,
                      uint32_t count, uint32_t instance, struct gv_error *err)
{
    uint32_t ends = q->pipeline->quads.ends, quads = count / ends;
    for (uint32_t done = 0; done < quads;) {
        const struct run run = next_run(q, list + (size_t)done * ends, quads - done);
        if (!draw_run(rt, q, &run, instance, err))
            return false;
        done += run.count;
    }
    return true;
}

static uint32_t longest_run(const struct gv_vk_device *device,
                            const struct gv_vk_vertex_buffers *vertices)
{
    uint32_t most = GV_VK_LIMITS(device)->maxVertexInputBindingStride;
    for (uint32_t i = 0; i < vertices->count; i++)
        if (vertices->strides[i] * 2 > most)
            return 1;
    return UINT32_MAX;
}

static bool draw_instances(struct gv_runtime *rt, struct quad_draw *q,
                           const uint32_t *list, uint32_t count, struct gv_error *err)
{
    bool ok = ready(rt, q, err);
    q->longest = longest_run(rt->device, &q->vertices);
    for (uint32_t i = 0; ok && q->draw->count && i < q->draw->instances; i++)
        ok = list ? draw_list(rt, q, list, count, i, err) : draw_plain(rt, q, i, err);
    return ok;
}

static bool draw_all(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                     struct gv_error *err)
{
    const struct gv_vk_draw_state *state = rt->draw_state;
    struct quad_draw q = { .draw = draw, .pipeline = state->graphics.pipeline };
    uint32_t *list = NULL, count = 0;
    if (draw->indexed && !state->index.buffer)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no index buffer is bound");
    if (draw->indexed && (!gv_vk_check_indices(&state->index, draw, err) ||
                          !gv_vk_index_list(rt, draw, q.pipeline, &list, &count, err)))
        return false;
    bool ok = draw_instances(rt, &q, list, count, err);
    free(list);
    return ok;
}

bool gv_vk_draw_quads(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      struct gv_error *err)
{
    struct gv_vk_point *point = &rt->draw_state->graphics;
    struct gv_vk_pipeline *bound = point->pipeline;
    if (!bound->quads.ends && !bound->wide)
        return gv_vk_require(rt->device, "wideLines", err);
    if (!bound->quads.ends)
        point->pipeline = bound->wide;
    bool ok = draw_all(rt, draw, err);
    point->pipeline = bound;
    return ok;
}
