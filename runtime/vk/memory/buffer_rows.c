// Rectangles of bytes in buffers.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/staging.h"
#include "vm/rules/buffer_rules.h"
#include "vm/rules/image_rules.h"

#include <inttypes.h>
#include <string.h>

#define MAX_REGIONS 128     // in one native copy
#define REGIONS_A_COMMAND 8 // that take a driver as much memory as one
#define BATCH_ROWS 65536u   // uploaded at a time

// Whether rows leave bytes between them.
static bool has_gaps(const struct gv_byte_rows *r)
{
    return r->rows > 1 && r->stride != r->row_bytes;
}

static bool check_rows(const struct gv_vk_buffer *buffer, const struct gv_byte_rows *r,
                       const char *argument, struct gv_error *err)
{
    return gv_rule_byte_rows(buffer->size, r, argument, err);
}

static void copy_rows(struct gv_vk_commands *commands, VkBuffer from,
                      const struct gv_byte_rows *src, VkBuffer to,
                      const struct gv_byte_rows *dst)
{
    VkBufferCopy regions[MAX_REGIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < dst->rows; i++) {
        regions[count++] = (VkBufferCopy){
            .srcOffset = src->offset + i * src->stride,
            .dstOffset = dst->offset + i * dst->stride,
            .size = dst->row_bytes,
        };
        if (count == MAX_REGIONS || i + 1 == dst->rows) {
            vkCmdCopyBuffer(commands->buffer, from, to, count, regions);
            gv_vk_commands_count(commands, 1 + count / REGIONS_A_COMMAND);
            count = 0;
        }
    }
}

// The rows from `first` on, at most BATCH_ROWS.
static struct gv_byte_rows batch(const struct gv_byte_rows *all, uint32_t first)
{
    uint32_t left = all->rows - first;
    return (struct gv_byte_rows){ all->offset + first * all->stride, all->stride,
                                  all->row_bytes,
                                  left < BATCH_ROWS ? left : BATCH_ROWS };
}

// Between batches what is recorded may be submitted.
static bool between_batches(struct gv_runtime *rt, struct gv_error *err)
{
    return gv_vk_commands_throttle(rt, err) &&
           gv_vk_commands_begin_work(rt->commands, err);
}

static bool upload_rows(struct gv_runtime *rt, const uint8_t *data, VkBuffer to,
                        const struct gv_byte_rows *all, struct gv_error *err)
{
    for (uint32_t first = 0; first < all->rows;) {
        const struct gv_byte_rows dst = batch(all, first);
        uint64_t bytes = dst.row_bytes * dst.rows;
        struct gv_vk_slice slice;
        if (!between_batches(rt, err) ||
            !gv_vk_staging_upload(rt, bytes, 16, &slice, err))
            return false;
        memcpy(slice.data, data, bytes);
        const struct gv_byte_rows src = { slice.offset, dst.row_bytes, dst.row_bytes,
                                          dst.rows };
        copy_rows(rt->commands, slice.buffer, &src, to, &dst);
        first += dst.rows;
        data += bytes;
    }
    return true;
}

bool gv_do_buffer_upload_rows(struct gv_runtime *rt,
                              const struct gv_args_buffer_upload_rows *a,
                              uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *buffer =
        gv_vk_buffer_find(&rt->handles, a->buffer.u, "buffer", err);
    const struct gv_byte_rows dst = { a->offset.u, a->stride.u, a->row_bytes.u,
                                      (uint32_t)a->rows.u };
    if (!buffer || !gv_runtime_outside_pass(rt, err) ||
        !check_rows(buffer, &dst, "offset", err))
        return false;
    uint64_t bytes = dst.row_bytes * dst.rows;
    if (!gv_rule_given(a->size.u, bytes, err))
        return false;
    if (!gv_vk_barriers_write_buffer(
            rt->commands, rt->barriers,
            (struct gv_vk_bytes){ buffer, dst.offset, gv_byte_rows_span(&dst) },
            !has_gaps(&dst), err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err) ||
        !upload_rows(rt, a->data.data, buffer->handle, &dst, err))
        return false;
    gv_vk_staging_uploaded(rt->staging, bytes);
    return true;
}

bool gv_do_buffer_copy_rows(struct gv_runtime *rt,
                            const struct gv_args_buffer_copy_rows *a,
                            uint64_t *result_handle, struct gv_error *err)
{
    (void)result_handle;
    struct gv_vk_buffer *to = gv_vk_buffer_find(&rt->handles, a->dst.u, "dst", err);
    struct gv_vk_buffer *from = gv_vk_buffer_find(&rt->handles, a->src.u, "src", err);
    const struct gv_byte_rows dst = { a->dst_offset.u, a->dst_stride.u, a->row_bytes.u,
                                      (uint32_t)a->rows.u };
    const struct gv_byte_rows src = { a->src_offset.u, a->src_stride.u, a->row_bytes.u,
                                      (uint32_t)a->rows.u };
    if (!to || !from || !gv_runtime_outside_pass(rt, err) ||
        !check_rows(to, &dst, "dst_offset", err) ||
        !check_rows(from, &src, "src_offset", err))
        return false;
    const struct gv_vk_range dst_range = { .buffer = to,
                                           .offset = dst.offset,
                                           .row_bytes = dst.row_bytes,
                                           .stride = dst.stride,
                                           .rows = dst.rows };
    const struct gv_vk_range src_range = { .buffer = from,
                                           .offset = src.offset,
                                           .row_bytes = src.row_bytes,
                                           .stride = src.stride,
                                           .rows = src.rows };
    if (gv_vk_ranges_overlap(&dst_range, &src_range))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "dst_offset: source and destination overlap");
    if (!gv_vk_barriers_copy_buffer(
            rt, (struct gv_vk_bytes){ to, dst.offset, gv_byte_rows_span(&dst) },
            (struct gv_vk_bytes){ from, src.offset, gv_byte_rows_span(&src) },
            !has_gaps(&dst), err) ||
        !gv_vk_barriers_emit(rt->commands, rt->barriers, err))
        return false;
    for (uint32_t first = 0; first < dst.rows; first += BATCH_ROWS) {
        const struct gv_byte_rows part_src = batch(&src, first),
                                  part_dst = batch(&dst, first);
        if (!between_batches(rt, err))
            return false;
        copy_rows(rt->commands, from->handle, &part_src, to->handle, &part_dst);
    }
    return true;
}
