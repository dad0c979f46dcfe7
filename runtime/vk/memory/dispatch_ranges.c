// Dispatches that say what they touch.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/sync.h"

static bool rows_touch(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

static uint64_t span_of(const struct gv_vk_range *r)
{
    return (uint64_t)(r->rows - 1) * r->stride + r->row_bytes;
}

bool gv_vk_ranges_overlap(const struct gv_vk_range *a, const struct gv_vk_range *b)
{
    if (a->buffer != b->buffer || a->image != b->image)
        return false;
    if (!a->row_bytes || !b->row_bytes || !a->rows || !b->rows)
        return true;
    if (!rows_touch(a->offset, span_of(a), b->offset, span_of(b)))
        return false;
    uint64_t stride = a->rows > 1 ? a->stride : b->stride;
    bool grid = stride && (a->rows == 1 || a->stride == stride) &&
                (b->rows == 1 || b->stride == stride);
    uint64_t ax = grid ? a->offset % stride : 0, bx = grid ? b->offset % stride : 0;
    if (!grid || a->row_bytes > stride - ax || b->row_bytes > stride - bx)
        return true;
    uint64_t ay = a->offset / stride, by = b->offset / stride;
    return rows_touch(ax, a->row_bytes, bx, b->row_bytes) &&
           rows_touch(ay, a->rows, by, b->rows);
}

static bool conflicts(const struct gv_vk_barriers *b, const struct gv_vk_range *ranges,
                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < b->range_count; j++)
            if ((ranges[i].write || b->ranges[j].write) &&
                gv_vk_ranges_overlap(&ranges[i], &b->ranges[j]))
                return true;
    return false;
}

void gv_vk_barriers_ranged_write(struct gv_vk_barriers *barriers,
                                 struct gv_vk_buffer *buffer, struct gv_vk_image *image)
{
    const VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkAccessFlags2 access = VK_ACCESS_2_SHADER_WRITE_BIT;
    struct gv_vk_barriers *b = barriers;
    // `ranged` stands for these writes; they must not force the next round.
    const VkPipelineStageFlags2 pending_stages = b->pending_stages;
    const VkAccessFlags2 pending_access = b->pending_access;
    if (buffer)
        gv_vk_barriers_wrote_buffer(barriers, buffer, stage, access);
    if (image)
        gv_vk_barriers_wrote_image(barriers, image, stage, access);
    b->pending_stages = pending_stages;
    b->pending_access = pending_access;
}

bool gv_vk_barriers_dispatch(struct gv_runtime *rt, const struct gv_vk_range *ranges,
                             size_t count, struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    const struct gv_vk_scope wrote = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                       VK_ACCESS_2_SHADER_WRITE_BIT };
    const struct gv_vk_scope uses = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                      VK_ACCESS_2_SHADER_WRITE_BIT |
                                          VK_ACCESS_2_SHADER_READ_BIT |
                                          VK_ACCESS_2_UNIFORM_READ_BIT };
    // Under validation the copies that dispatch_audit.c makes are among what is
    // pending; else the layer, whose check sees buffers whole, would report neighbours.
    bool full = b->pending_stages || b->away || b->undefined_buffers ||
                b->undefined_images || b->worked || b->drain ||
                count > GV_VK_MAX_TRACKED_RANGES;
    if (full) {
        if (!gv_vk_barriers_round(rt, err))
            return false;
    } else if (count > GV_VK_MAX_TRACKED_RANGES - b->range_count ||
               conflicts(b, ranges, count)) {
        gv_vk_add_global(b, wrote, uses);
        if (!gv_vk_barriers_emit(rt->commands, rt->barriers, err))
            return false;
        b->range_count = 0;
    }
    b->work_count++;
    b->ranged = true;
    b->worked |= count > GV_VK_MAX_TRACKED_RANGES;
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].write)
            gv_vk_barriers_ranged_write(rt->barriers, ranges[i].buffer,
                                        ranges[i].image);
        if (count <= GV_VK_MAX_TRACKED_RANGES)
            b->ranges[b->range_count++] = ranges[i];
    }
    return true;
}
