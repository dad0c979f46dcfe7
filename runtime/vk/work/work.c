#include "runtime/vk/work/work.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/transfer/texel_converter.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/export.h"
#include "runtime/vk/work/feedback.h"
#include "runtime/vk/work/indirect.h"
#include "runtime/vk/work/pass.h"
#include "runtime/vk/work/query_parts.h"
#include "runtime/vk/work/vertex_repack.h"

#include <stdlib.h>

struct gv_vk_work {
    struct gv_vk_draw_state draw_state;
    struct gv_vk_pass pass;
    struct gv_vk_queries queries;
    struct gv_vk_query_sum query_sum;
    struct gv_vk_feedback feedback;
    struct gv_vk_indirect indirect;
    struct gv_vk_repack repack;
    struct gv_vk_converter converter;
};

// ---- what lower rooms ask ----

static void forget(struct gv_runtime *rt, enum gv_kind kind, uint64_t handle)
{
    void *object = gv_handles_get(&rt->handles, kind, handle);
    if (kind == GV_KIND_BUFFER) {
        gv_vk_feedback_forget(rt->feedback, handle);
        if (object)
            gv_vk_pass_forget_written(rt->pass,
                                      &((struct gv_vk_buffer *)object)->written);
    }
    if (kind == GV_KIND_IMAGE) {
        gv_vk_pass_forget(rt, handle);
        if (object)
            gv_vk_pass_forget_written(rt->pass,
                                      &((struct gv_vk_image *)object)->written);
    }
    gv_vk_queries_forget(rt->commands, rt->queries, kind, handle);
    gv_vk_draw_state_forget(rt->heaps, &rt->handles, rt->draw_state, kind, handle);
}

static void compute_lost(struct gv_runtime *rt)
{
    rt->draw_state->compute.epoch = 0;
}

static void graphics_lost(struct gv_runtime *rt)
{
    rt->draw_state->graphics.epoch = 0;
}

// ---- life ----

bool gv_vk_work_create(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_work *work = calloc(1, sizeof *work);
    if (!work)
        return gv_out_of_memory(err);
    rt->work = work;
    rt->draw_state = &work->draw_state;
    rt->pass = &work->pass;
    rt->queries = &work->queries;
    rt->query_sum = &work->query_sum;
    rt->feedback = &work->feedback;
    rt->indirect = &work->indirect;
    rt->repack = &work->repack;
    rt->converter = &work->converter;
    rt->above = (struct gv_vk_above){ gv_vk_pass_suspend, gv_vk_pass_resume, forget,
                                      compute_lost, graphics_lost };
    rt->outputs = gv_vk_outputs_create(err);
    return rt->outputs && gv_vk_draw_state_init(rt->heaps, rt->draw_state, err);
}

void gv_vk_work_destroy(struct gv_runtime *rt)
{
    if (!rt->work)
        return;
    gv_vk_feedback_finish(rt->heaps, rt->feedback);
    gv_vk_pass_finish(rt->pass);
    gv_vk_draw_state_finish(rt, rt->draw_state);
    gv_vk_indirect_finish(rt, rt->indirect);
    gv_vk_repack_finish(rt, rt->repack);
    gv_vk_converter_finish(rt, rt->converter);
    gv_vk_query_sum_finish(rt, rt->query_sum);
    gv_vk_outputs_destroy(rt, rt->outputs);
    free(rt->work);
    rt->work = NULL;
}

void gv_vk_work_abandon(struct gv_runtime *rt)
{
    gv_vk_pass_abandon(rt);
}

void gv_vk_work_reset(struct gv_runtime *rt)
{
    gv_vk_feedback_finish(rt->heaps, rt->feedback);
    gv_vk_pass_reset(rt->pass);
    gv_vk_draw_state_reset(rt->heaps, rt->draw_state);
    gv_vk_queries_reset(rt->queries);
    gv_vk_outputs_reset(rt);
}
