#include "runtime/vk/work/indirect.h"

#include "runtime/shaders/clamp_indirect.spv.h"
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/work/draw.h"
#include "runtime/vk/work/vertex_guard.h"

#include <stdlib.h>
#include <string.h>

struct constants {
    uint32_t count, stride, kind, max_elements, max_instances, max_last;
};

static const struct gv_vk_kernel_code kernel_code =
    GV_VK_KERNEL_CODE(clamp_indirect, sizeof(struct constants));

static const uint32_t record_bytes[] = {
    [GV_VK_RECORD_DRAW] = sizeof(VkDrawIndirectCommand),
    [GV_VK_RECORD_INDEXED] = sizeof(VkDrawIndexedIndirectCommand),
    [GV_VK_RECORD_DISPATCH] = sizeof(VkDispatchIndirectCommand),
};

void gv_vk_indirect_finish(struct gv_runtime *rt, struct gv_vk_indirect *indirect)
{
    gv_vk_kernel_finish(rt, &indirect->clamp);
    gv_vk_scratch_finish(rt->heaps, &indirect->records);
}

static bool check(const struct gv_handles *handles, const struct gv_vk_records *r,
                  struct gv_vk_bytes *bytes, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = gv_vk_buffer_find(handles, r->buffer, "buffer", err);
    if (!buffer ||
        !gv_vk_buffer_check_usage(buffer, GV_BUFFER_USAGE_INDIRECT, "buffer", err))
        return false;
    uint64_t size = (uint64_t)(r->count - 1) * r->stride + record_bytes[r->kind];
    *bytes = (struct gv_vk_bytes){ buffer, r->offset, size };
    if (r->offset % 4)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "offset: not a multiple of 4");
    if (r->stride % 4 || r->stride < record_bytes[r->kind])
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "stride: %u for records of %u bytes", r->stride,
                       record_bytes[r->kind]);
    return gv_vk_buffer_check_range(buffer, r->offset, size, "buffer", err) &&
           (size <= GV_VK_MAX_INDIRECT_BYTES ||
            gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                    "unsupported: %u indirect records in one call", r->count));
}

static struct constants bounds(const struct gv_vk_device *device,
                               const struct gv_vk_draw_state *draw_state,
                               const struct gv_vk_records *r)
{
    const VkPhysicalDeviceLimits *l = GV_VK_LIMITS(device);
    const struct gv_vk_index_buffer *index = &draw_state->index;
    struct constants c = {
        .count = r->count,
        .stride = r->stride / 4,
        .kind = r->kind,
        .max_elements = GV_MAX_INDIRECT_VERTICES,
        .max_instances = GV_MAX_INDIRECT_INSTANCES,
    };
    if (r->kind == GV_VK_RECORD_INDEXED && index->buffer) {
        uint64_t n = (index->buffer->size - index->offset) / index->index_bytes;
        c.max_last = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    }
    if (r->kind == GV_VK_RECORD_DISPATCH) {
        uint32_t most[3];
        for (int i = 0; i < 3; i++)
            most[i] = l->maxComputeWorkGroupCount[i] < GV_MAX_INDIRECT_GROUPS
                          ? l->maxComputeWorkGroupCount[i]
                          : GV_MAX_INDIRECT_GROUPS;
        c.max_elements = most[0];
        c.max_instances = most[1];
        c.max_last = most[2];
    }
    return c;
}

static bool copy_records(struct gv_vk_commands *commands,
                         struct gv_vk_barriers *barriers,
                         struct gv_vk_indirect *indirect, struct gv_vk_bytes bytes,
                         struct gv_error *err)
{
    struct gv_vk_scratch *records = &indirect->records;
    if (!gv_vk_barriers_read_buffer(commands, barriers, bytes, err) ||
        !gv_vk_barriers_emit(commands, barriers, err))
        return false;
    // The last user of the scratch buffer must be done with it.
    gv_vk_scratch_order(commands, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, 0,
                        VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    const VkBufferCopy region = { bytes.offset, 0, bytes.size };
    vkCmdCopyBuffer(commands->buffer, bytes.buffer->handle, records->handle, 1,
                    &region);
    gv_vk_scratch_order(
        commands, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    return true;
}

bool gv_vk_indirect_ready(struct gv_runtime *rt, const struct gv_vk_records *records,
                          struct gv_error *err)
{
    struct gv_vk_indirect *indirect = rt->indirect;
    struct gv_vk_bytes bytes;
    if (!check(&rt->handles, records, &bytes, err))
        return false;
    if (!indirect->clamp.pipeline &&
        !gv_vk_kernel_init(rt, &indirect->clamp, kernel_code, err))
        return false;
    if (!gv_vk_scratch_reserve(rt, &indirect->records, bytes.size,
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                   VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               err))
        return false;
    if ((rt->in_pass && !gv_runtime_suspend(rt, err)) ||
        !gv_vk_commands_begin_work(rt->commands, err) ||
        !copy_records(rt->commands, rt->barriers, rt->indirect, bytes, err))
        return false;
    const struct constants c = bounds(rt->device, rt->draw_state, records);
    const struct gv_vk_kernel_job run = { indirect->records.handle, bytes.size, &c,
                                          (records->count + 63) / 64 };
    if (!gv_vk_kernel_run(rt, &indirect->clamp, &run, err))
        return false;
    gv_vk_scratch_order(rt->commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                        VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
    return true;
}

typedef void (*record_fn)(VkCommandBuffer commands, VkBuffer buffer,
                          VkDeviceSize offset, uint32_t count, uint32_t stride);

// Records that one command draws: one where each must be told its number.
static uint32_t most_in_command(const struct gv_vk_device *device,
                                const struct gv_vk_draw_state *draw_state)
{
    const struct gv_vk_pipeline *p = draw_state->graphics.pipeline;
    return device->features.core.features.multiDrawIndirect &&
                   !(p && p->pushes_draw_parameters)
               ? GV_VK_LIMITS(device)->maxDrawIndirectCount
               : 1;
}

// In as few commands as the device takes.
static void record(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                   record_fn command, uint32_t count, uint32_t stride)
{
    struct gv_vk_draw one = *draw;
    bool numbered = rt->draw_state->graphics.pipeline->pushes_draw_parameters;
    uint32_t most = most_in_command(rt->device, rt->draw_state);
    VkBuffer buffer = rt->indirect->records.handle;
    rt->indirect->epoch = rt->commands->epoch;
    for (uint32_t done = 0; done < count;) {
        uint32_t n = count - done < most ? count - done : most;
        one.number = done;
        if (numbered)
            gv_vk_draw_push_parameters(rt->commands, rt->draw_state, &one);
        command(rt->commands->buffer, buffer, (VkDeviceSize)done * stride, n, stride);
        gv_vk_commands_count(rt->commands, 1);
        done += n;
    }
}

// ---- records brought home ----

// lavapipe (Mesa 22.3) reads the indices of records from the start of their buffer,
// wherever they were bound.
static bool forgets_offset(const struct gv_vk_device *device,
                           const struct gv_vk_draw_state *draw_state, bool indexed)
{
    return device->properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && indexed &&
           draw_state->index.offset != 0;
}

// Whether the device cannot draw by records alone: it ignores their first instance, the
// runtime must know them to do its part, or they are more commands than a submission
// has.
static bool wants_home(const struct gv_vk_device *device,
                       const struct gv_vk_draw_state *draw_state, bool indexed,
                       uint32_t count)
{
    return count / most_in_command(device, draw_state) > GV_VK_MAX_RECORDED / 2 ||
           !device->features.core.features.drawIndirectFirstInstance ||
           gv_vk_guards_draws(device, draw_state) ||
           gv_vk_draw_wants_numbers(device, draw_state, indexed) ||
           forgets_offset(device, draw_state, indexed);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// A record as a draw, bounded as on the device (clamp_indirect.comp).
static struct gv_vk_draw draw_of(const uint8_t *record, bool indexed, uint32_t number,
                                 const struct constants *most)
{
    uint32_t w[5];
    memcpy(w, record, indexed ? 20 : 16);
    struct gv_vk_draw draw = {
        .indexed = indexed,
        .first = w[2],
        .count = least(w[0], most->max_elements),
        .base_vertex = indexed ? (int32_t)w[3] : 0,
        .first_instance = indexed ? w[4] : w[3],
        .instances = least(w[1], most->max_instances),
        .number = number,
    };
    if (indexed) {
        draw.first = least(draw.first, most->max_last);
        draw.count = least(draw.count, most->max_last - draw.first);
    }
    return draw;
}

// The bytes of the records, copied out of the read-back. The caller frees them.
static uint8_t *fetch(struct gv_runtime *rt, struct gv_vk_bytes bytes,
                      struct gv_error *err)
{
    struct gv_vk_readback readback = { 0 };
    uint8_t *copy = malloc(bytes.size ? bytes.size : 1);
    if (!copy) {
        gv_out_of_memory(err);
        return NULL;
    }
    const uint8_t *data = NULL;
    if (gv_runtime_suspend(rt, err) && gv_vk_readback_buffer(rt, &readback, bytes, err))
        data = gv_vk_readback_wait(rt, &readback, err);
    if (data)
        memcpy(copy, data, bytes.size);
    gv_vk_readback_drop(rt, &readback);
    if (data)
        return copy;
    free(copy);
    return NULL;
}

static bool draw_home(struct gv_runtime *rt, const struct gv_vk_records *r,
                      struct gv_error *err)
{
    bool indexed = r->kind == GV_VK_RECORD_INDEXED;
    struct gv_vk_bytes bytes;
    if (!check(&rt->handles, r, &bytes, err))
        return false;
    uint8_t *records = fetch(rt, bytes, err);
    if (!records)
        return false;
    const struct constants most = bounds(rt->device, rt->draw_state, r);
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->count; i++) {
        const struct gv_vk_draw draw =
            draw_of(records + (size_t)i * r->stride, indexed, i, &most);
        ok = gv_vk_draw_direct(rt, &draw, err);
    }
    free(records);
    return ok;
}

// ---- calls ----

static bool draw_records(struct gv_runtime *rt, const struct gv_vk_records *r,
                         struct gv_error *err)
{
    const struct gv_vk_draw draw = {
        .indexed = r->kind == GV_VK_RECORD_INDEXED,
        .counted_on_device = true,
    };
    if (!gv_runtime_inside_pass(rt, err))
        return false;
    if (r->count == 0)
        return true;
    if (wants_home(rt->device, rt->draw_state, draw.indexed, r->count))
        return draw_home(rt, r, err);
    if (!gv_vk_indirect_ready(rt, r, err) || !gv_vk_draw_prepare(rt, &draw, err))
        return false;
    record(rt, &draw, draw.indexed ? vkCmdDrawIndexedIndirect : vkCmdDrawIndirect,
           r->count, r->stride);
    return gv_vk_draw_done(rt, err);
}

bool gv_do_draw_indirect(struct gv_runtime *rt, const struct gv_args_draw_indirect *a,
                         uint64_t *result, struct gv_error *err)
{
    (void)result;
    const struct gv_vk_records records = { GV_VK_RECORD_DRAW, a->buffer.u, a->offset.u,
                                           (uint32_t)a->count.u,
                                           (uint32_t)a->stride.u };
    return draw_records(rt, &records, err);
}

bool gv_do_draw_indexed_indirect(struct gv_runtime *rt,
                                 const struct gv_args_draw_indexed_indirect *a,
                                 uint64_t *result, struct gv_error *err)
{
    (void)result;
    const struct gv_vk_records records = { GV_VK_RECORD_INDEXED, a->buffer.u,
                                           a->offset.u, (uint32_t)a->count.u,
                                           (uint32_t)a->stride.u };
    return draw_records(rt, &records, err);
}
