// Draws of as many vertices as transform feedback has counted.
#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw.h"
#include "runtime/vk/work/feedback.h"
#include "runtime/vk/work/index_rewrite.h"
#include "runtime/vk/work/indirect.h"
#include "runtime/vk/work/quad_draw.h"

// lavapipe (Mesa 22.3) draws the records of an earlier indirect draw of the same
// command buffer instead of what the counter says.
static bool leave_indirect_draws(struct gv_runtime *rt, struct gv_error *err)
{
    if (rt->device->properties12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE ||
        !rt->commands->buffer || rt->indirect->epoch != rt->commands->epoch)
        return true;
    return gv_vk_commands_submit(rt, err);
}

bool gv_do_draw_transform_feedback(struct gv_runtime *rt,
                                   const struct gv_args_draw_transform_feedback *a,
                                   uint64_t *result, struct gv_error *err)
{
    (void)result;
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *p =
        &rt->device->transform_feedback;
    struct gv_vk_feedback_counter counter;
    if (!gv_runtime_inside_pass(rt, err) ||
        !gv_vk_require(rt->device, "transformFeedback", err) ||
        !gv_handles_find(&rt->handles, GV_KIND_BUFFER, a->counter.u, "counter", err) ||
        !gv_vk_feedback_find_counter(&rt->handles, a->counter.u, a->counter_offset.u,
                                     &counter, err) ||
        !counter.buffer)
        return false;
    if (!p->transformFeedbackDraw)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                       "the device cannot draw by a counter");
    if (a->vertex_stride.u == 0 ||
        a->vertex_stride.u > p->maxTransformFeedbackBufferDataStride)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "vertex_stride %llu",
                       (unsigned long long)a->vertex_stride.u);
    if (counter.buffer->written &&
        (!gv_runtime_suspend(rt, err) || !gv_runtime_resume(rt, err)))
        return false;
    const struct gv_vk_draw draw = {
        .counted_on_device = true,
        .first_instance = (uint32_t)a->first_instance.u,
        .instances = (uint32_t)a->instance_count.u,
    };
    if (gv_vk_draws_quads(rt->device, rt->draw_state))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: a counted draw of points or lines of sizes that "
                       "the device lacks");
    if (gv_vk_index_rewrite_wanted(rt->device, rt->draw_state, false))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: fans of a counted draw on a device without fans");
    if (!leave_indirect_draws(rt, err) || !gv_vk_draw_prepare(rt, &draw, err))
        return false;
    if (a->instance_count.u == 0)
        return true;
    vkCmdDrawIndirectByteCountEXT(rt->commands->buffer, (uint32_t)a->instance_count.u,
                                  (uint32_t)a->first_instance.u, counter.buffer->handle,
                                  counter.offset, 0, (uint32_t)a->vertex_stride.u);
    return gv_vk_draw_done(rt, err);
}
