#include "runtime/vk/work/feedback.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/pass.h"

#define COUNTER_BYTES ((VkDeviceSize)4)

// ---- our counters ----

static bool ready_counters(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_vk_scratch_reserve(
        rt, &rt->feedback->counters, GV_MAX_FEEDBACK_BUFFERS * COUNTER_BYTES,
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
            VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
        err);
}

void gv_vk_feedback_finish(struct gv_vk_heaps *heaps, struct gv_vk_feedback *feedback)
{
    gv_vk_scratch_finish(heaps, &feedback->counters);
    *feedback = (struct gv_vk_feedback){ 0 };
}

void gv_vk_feedback_forget(struct gv_vk_feedback *feedback, uint64_t buffer)
{
    struct gv_vk_feedback *f = feedback;
    for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++)
        if (f->buffers[i].handle == buffer)
            f->buffers[i] = (struct gv_vk_feedback_buffer){ 0 };
    if (f->start.handle == buffer)
        f->start = (struct gv_vk_feedback_counter){ 0 };
    if (f->last.handle == buffer)
        f->last = (struct gv_vk_feedback_counter){ 0 };
}

// ---- recording ----

// The counters of the buffers in use: ours, but for buffer 0 the payload's where given.
// Returns how many the lists hold. Counters of unbound buffers crash drivers.
static uint32_t list_counters(const struct gv_vk_feedback *f,
                              const struct gv_vk_feedback_counter *first,
                              VkBuffer buffers[GV_MAX_FEEDBACK_BUFFERS],
                              VkDeviceSize offsets[GV_MAX_FEEDBACK_BUFFERS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++) {
        bool used = f->bits >> i & 1;
        buffers[i] = used ? f->counters.handle : VK_NULL_HANDLE;
        offsets[i] = used ? i * COUNTER_BYTES : 0;
        count = used ? i + 1 : count;
    }
    if (first->handle && (f->bits & 1)) {
        buffers[0] = first->buffer->handle;
        offsets[0] = first->offset;
    }
    return count;
}

static bool same_counter(const struct gv_vk_feedback_counter *a,
                         const struct gv_vk_feedback_counter *b)
{
    return a->handle == b->handle && a->offset == b->offset;
}

static bool record_begin(const struct gv_vk_commands *commands,
                         struct gv_vk_feedback *f, struct gv_error *err)
{
    const struct gv_vk_feedback_counter none = { 0 };
    VkBuffer buffers[GV_MAX_FEEDBACK_BUFFERS];
    VkDeviceSize offsets[GV_MAX_FEEDBACK_BUFFERS];
    uint32_t count = 0;
    if (f->continues) {
        count = list_counters(f, &none, buffers, offsets);
    } else if (f->start.handle) {
        // We know the other buffers' counts only of the last end.
        if ((f->bits & ~1u) && !same_counter(&f->start, &f->last))
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: several transform feedback buffers, resumed "
                           "from another counter than the last");
        count = list_counters(f, &f->start, buffers, offsets);
    }
    vkCmdBeginTransformFeedbackEXT(commands->buffer, 0, count, buffers, offsets);
    f->running = true;
    return true;
}

static void record_end(const struct gv_vk_commands *commands, struct gv_vk_feedback *f,
                       const struct gv_vk_feedback_counter *first)
{
    VkBuffer buffers[GV_MAX_FEEDBACK_BUFFERS];
    VkDeviceSize offsets[GV_MAX_FEEDBACK_BUFFERS];
    uint32_t count = list_counters(f, first, buffers, offsets);
    vkCmdEndTransformFeedbackEXT(commands->buffer, 0, count, buffers, offsets);
    f->running = false;
}

bool gv_vk_feedback_blocks(const struct gv_vk_draw_state *draw_state,
                           const struct gv_vk_feedback *feedback, VkPipeline pipeline)
{
    return feedback->running && draw_state->graphics.emitted != pipeline;
}

static bool bind_buffers(const struct gv_vk_commands *commands, struct gv_vk_pass *pass,
                         const struct gv_vk_feedback *f, uint32_t bits,
                         struct gv_error *err)
{
    for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++) {
        const struct gv_vk_feedback_buffer *b = &f->buffers[i];
        if (!(bits >> i & 1))
            continue;
        if (!b->buffer)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "no transform feedback buffer %u is bound", i);
        vkCmdBindTransformFeedbackBuffersEXT(commands->buffer, i, 1, &b->buffer->handle,
                                             &b->offset, &b->size);
        const struct gv_vk_written w = {
            .buffer = b->buffer,
            .stages = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
            .access = VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
        };
        if (!gv_vk_pass_wrote(pass, &w, err))
            return false;
    }
    return true;
}

bool gv_vk_feedback_begin_draw(const struct gv_vk_commands *commands,
                               struct gv_vk_pass *pass, struct gv_vk_feedback *f,
                               const struct gv_vk_pipeline *pipeline,
                               struct gv_error *err)
{
    if (!f->active || f->running)
        return true;
    if (!pipeline->feedback_buffers)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "transform feedback with a pipeline that captures nothing");
    if (f->continues && f->bits != pipeline->feedback_buffers)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: pipelines that capture into different buffers in "
                       "one transform feedback");
    f->bits = pipeline->feedback_buffers;
    return bind_buffers(commands, pass, f, f->bits, err) &&
           record_begin(commands, f, err);
}

void gv_vk_feedback_pause(const struct gv_vk_commands *commands,
                          struct gv_vk_feedback *f)
{
    const struct gv_vk_feedback_counter none = { 0 };
    if (!f->running)
        return;
    record_end(commands, f, &none);
    f->continues = true;
}

void gv_vk_feedback_order(struct gv_vk_commands *commands,
                          const struct gv_vk_feedback *feedback)
{
    if (feedback->counters.handle)
        gv_vk_scratch_order(commands, VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
                            VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                            VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                                VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
                                VK_PIPELINE_STAGE_2_COPY_BIT,
                            VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                                VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |
                                VK_ACCESS_2_TRANSFER_READ_BIT);
}

void gv_vk_feedback_abandon(struct gv_vk_feedback *feedback)
{
    struct gv_vk_feedback *f = feedback;
    f->active = false;
    f->continues = false;
    f->start = (struct gv_vk_feedback_counter){ 0 };
}

// ---- the calls ----

bool gv_do_feedback_bind(struct gv_runtime *rt, const struct gv_args_feedback_bind *a,
                         uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_feedback *f = rt->feedback;
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *p =
        &rt->device->transform_feedback;
    if (!gv_vk_require(rt->device, "transformFeedback", err))
        return false;
    if (f->active)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "transform feedback is active");
    if (a->index.u >= GV_MAX_FEEDBACK_BUFFERS ||
        a->index.u >= p->maxTransformFeedbackBuffers)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "index %llu",
                       (unsigned long long)a->index.u);
    struct gv_vk_feedback_buffer wanted = { .handle = a->buffer.u,
                                            .offset = a->offset.u,
                                            .size = a->size.u };
    wanted.buffer = gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    if (!wanted.buffer ||
        !gv_vk_buffer_check_usage(wanted.buffer, GV_BUFFER_USAGE_TRANSFORM_FEEDBACK,
                                  "buffer", err) ||
        !gv_vk_buffer_check_bind(wanted.buffer, wanted.offset, &wanted.size, "buffer",
                                 err))
        return false;
    if (wanted.offset % 4)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "offset: not a multiple of 4");
    if (wanted.size > p->maxTransformFeedbackBufferSize)
        wanted.size = p->maxTransformFeedbackBufferSize;
    f->buffers[a->index.u] = wanted;
    return true;
}

bool gv_vk_feedback_find_counter(const struct gv_handles *handles, uint64_t handle,
                                 uint64_t offset, struct gv_vk_feedback_counter *out,
                                 struct gv_error *err)
{
    *out = (struct gv_vk_feedback_counter){ .handle = handle, .offset = offset };
    if (!handle)
        return true;
    out->buffer = gv_vk_buffer_find(handles, handle, "counter", err);
    if (!out->buffer ||
        !gv_vk_buffer_check_usage(out->buffer, GV_BUFFER_USAGE_TRANSFORM_FEEDBACK,
                                  "counter", err) ||
        !gv_vk_buffer_check_range(out->buffer, offset, COUNTER_BYTES, "counter", err))
        return false;
    return offset % 4 == 0 || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                      "counter_offset: not a multiple of 4");
}

// Earlier captures of this pass may have written what this one reads or overwrites.
static bool order_captures(struct gv_runtime *rt, struct gv_error *err)
{
    const struct gv_vk_feedback *f = rt->feedback;
    bool written = f->start.handle && f->start.buffer->written;
    for (uint32_t i = 0; i < GV_MAX_FEEDBACK_BUFFERS; i++)
        written = written || (f->buffers[i].buffer && f->buffers[i].buffer->written);
    return !written || (gv_runtime_suspend(rt, err) && gv_runtime_resume(rt, err));
}

bool gv_do_feedback_begin(struct gv_runtime *rt, const struct gv_args_feedback_begin *a,
                          uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_feedback *f = rt->feedback;
    if (!gv_runtime_inside_pass(rt, err) ||
        !gv_vk_require(rt->device, "transformFeedback", err))
        return false;
    if (f->active)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "transform feedback is active already");
    if (!gv_vk_feedback_find_counter(&rt->handles, a->counter.u, a->counter_offset.u,
                                     &f->start, err) ||
        !ready_counters(rt, err))
        return false;
    f->active = true;
    f->continues = false;
    return order_captures(rt, err);
}

// Nothing is being captured now: the count is where the last pause, or the begin, left
// it.
static bool store_count(struct gv_runtime *rt, const struct gv_vk_feedback_counter *to,
                        struct gv_error *err)
{
    const struct gv_vk_feedback *f = rt->feedback;
    if (!f->continues && f->start.handle && same_counter(&f->start, to))
        return true;
    if (!gv_runtime_suspend(rt, err) || !gv_vk_commands_begin_work(rt->commands, err))
        return false;
    if (!f->continues && f->start.handle &&
        !gv_vk_barriers_read_buffer(
            rt->commands, rt->barriers,
            (struct gv_vk_bytes){ f->start.buffer, f->start.offset, COUNTER_BYTES },
            err))
        return false;
    if (!gv_vk_barriers_write_buffer(
            rt->commands, rt->barriers,
            (struct gv_vk_bytes){ to->buffer, to->offset, COUNTER_BYTES }, true, err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err))
        return false;
    VkCommandBuffer commands = rt->commands->buffer;
    const VkBufferCopy copy = {
        .srcOffset = f->continues ? 0 : f->start.offset,
        .dstOffset = to->offset,
        .size = COUNTER_BYTES,
    };
    if (f->continues)
        vkCmdCopyBuffer(commands, f->counters.handle, to->buffer->handle, 1, &copy);
    else if (f->start.handle)
        vkCmdCopyBuffer(commands, f->start.buffer->handle, to->buffer->handle, 1,
                        &copy);
    else
        vkCmdFillBuffer(commands, to->buffer->handle, to->offset, COUNTER_BYTES, 0);
    return gv_runtime_resume(rt, err);
}

bool gv_do_feedback_end(struct gv_runtime *rt, const struct gv_args_feedback_end *a,
                        uint64_t *result, struct gv_error *err)
{
    (void)result;
    struct gv_vk_feedback *f = rt->feedback;
    struct gv_vk_feedback_counter counter;
    if (!gv_runtime_inside_pass(rt, err))
        return false;
    if (!f->active)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "transform feedback is not active");
    if (!gv_vk_feedback_find_counter(&rt->handles, a->counter.u, a->counter_offset.u,
                                     &counter, err))
        return false;
    if (f->running) {
        record_end(rt->commands, rt->feedback, &counter);
        const struct gv_vk_written w = {
            .buffer = counter.buffer,
            .stages = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
            .access = VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        };
        if (counter.buffer && !gv_vk_pass_wrote(rt->pass, &w, err))
            return false;
    } else if (counter.handle && !store_count(rt, &counter, err)) {
        return false;
    }
    f->last = counter;
    gv_vk_feedback_abandon(rt->feedback);
    return true;
}
