#include "runtime/vk/barriers.h"

#include "runtime/runtime_internal.h"
#include "runtime/vk/zero.h"

#include <string.h>

#define TRANSFER VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
#define SHADERS                                          \
    (VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | \
     VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)
#define WORK \
    (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)
#define DEPTH_TESTS                                 \
    (VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | \
     VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT)
#define FOR_EVER UINT64_MAX // a round that never ends

// ---- scopes ----

struct scope {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};

// What work may do with a buffer, from how it may be used.
static struct scope buffer_scope(const struct gv_vk_buffer *buffer)
{
    static const struct {
        uint32_t usage;
        struct scope scope;
    } rows[] = {
        { GV_BUFFER_USAGE_VERTEX,
          { VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
            VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT } },
        { GV_BUFFER_USAGE_INDEX,
          { VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT } },
        { GV_BUFFER_USAGE_UNIFORM, { SHADERS, VK_ACCESS_2_UNIFORM_READ_BIT } },
        { GV_BUFFER_USAGE_UNIFORM_TEXEL, { SHADERS, VK_ACCESS_2_SHADER_READ_BIT } },
        { GV_BUFFER_USAGE_STORAGE | GV_BUFFER_USAGE_STORAGE_TEXEL,
          { SHADERS, VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT } },
        { GV_BUFFER_USAGE_INDIRECT,
          { VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
            VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT } },
        { GV_BUFFER_USAGE_CONDITIONAL,
          { VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
            VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT } },
        { GV_BUFFER_USAGE_TRANSFORM_FEEDBACK,
          { VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
            VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT |
                VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT } },
    };
    struct scope all = { TRANSFER, VK_ACCESS_2_TRANSFER_READ_BIT |
                                       VK_ACCESS_2_TRANSFER_WRITE_BIT };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (buffer->usage & rows[i].usage) {
            all.stages |= rows[i].scope.stages;
            all.access |= rows[i].scope.access;
        }
    }
    return all;
}

static struct scope attachment_scope(const struct gv_vk_image *image)
{
    if (image->aspects & VK_IMAGE_ASPECT_COLOR_BIT)
        return (struct scope){ VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                   VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT };
    return (struct scope){ DEPTH_TESTS,
                           VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                               VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT };
}

// What work may do with an image in its rest layout.
static struct scope rest_scope(const struct gv_vk_image *image)
{
    if (image->usage & GV_IMAGE_USAGE_STORAGE)
        return (struct scope){ SHADERS, VK_ACCESS_2_SHADER_READ_BIT |
                                            VK_ACCESS_2_SHADER_WRITE_BIT };
    if (image->usage & GV_IMAGE_USAGE_SAMPLED)
        return (struct scope){ SHADERS, VK_ACCESS_2_SHADER_READ_BIT };
    return attachment_scope(image);
}

// ---- the batch ----

static bool emit_now(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    bool global = b->global.srcStageMask || b->global.dstStageMask;
    if (!global && !b->image_count)
        return true;
    if (!gv_vk_commands_begin_work(rt, err))
        return false;
    b->global.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = global,
        .pMemoryBarriers = &b->global,
        .imageMemoryBarrierCount = b->image_count,
        .pImageMemoryBarriers = b->images,
    };
    vkCmdPipelineBarrier2(rt->commands.buffer, &info);
    rt->stats.barriers++;
    b->global = (VkMemoryBarrier2){ 0 };
    b->image_count = 0;
    return true;
}

bool gv_vk_barriers_emit(struct gv_runtime *rt, struct gv_error *err)
{
    return emit_now(rt, err);
}

static void add_global(struct gv_vk_barriers *b, struct scope src, struct scope dst)
{
    b->global.srcStageMask |= src.stages;
    b->global.srcAccessMask |= src.access;
    b->global.dstStageMask |= dst.stages;
    b->global.dstAccessMask |= dst.access;
}

static bool add_image(struct gv_runtime *rt, const VkImageMemoryBarrier2 *barrier,
                      struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    if (b->image_count == GV_VK_MAX_BATCH && !emit_now(rt, err))
        return false;
    b->images[b->image_count++] = *barrier;
    return true;
}

// Later work must wait for these stages and see these writes.
static void await(struct gv_vk_barriers *b, struct scope done, struct scope wanted)
{
    b->pending_stages |= done.stages;
    b->pending_access |= done.access;
    b->wanted_stages |= wanted.stages;
    b->wanted_access |= wanted.access;
}

// ---- buffers ----

// Entries of earlier rounds no longer count.
static void freshen(const struct gv_vk_barriers *b, struct gv_vk_track *track)
{
    if (track->round >= b->round)
        return;
    *track = (struct gv_vk_track){ .round = b->round, .work_seen = track->work_seen };
}

static bool disjoint(const struct gv_vk_track *track, uint64_t offset, uint64_t size)
{
    return offset >= track->hull_end || offset + size <= track->hull_begin;
}

static void widen(struct gv_vk_track *track, uint64_t offset, uint64_t size)
{
    bool empty = track->hull_begin == track->hull_end;
    if (empty || offset < track->hull_begin)
        track->hull_begin = offset;
    if (empty || offset + size > track->hull_end)
        track->hull_end = offset + size;
}

bool gv_vk_barriers_read_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer,
                                uint64_t offset, uint64_t size, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    struct gv_vk_track *track = &buffer->track;
    const struct scope read = { TRANSFER, VK_ACCESS_2_TRANSFER_READ_BIT };
    if (!gv_vk_define_buffer(rt, buffer, err))
        return false;
    freshen(b, track);
    bool unseen = track->write_stages && !(track->visible_stages & TRANSFER);
    if (track->write_stages == TRANSFER && disjoint(track, offset, size))
        unseen = false;
    if (unseen) {
        add_global(b, (struct scope){ track->write_stages, track->write_access }, read);
        track->visible_stages |= TRANSFER;
    }
    track->read_stages |= TRANSFER;
    await(b, (struct scope){ TRANSFER, 0 }, buffer_scope(buffer));
    return true;
}

// Work of which the object's transfers know nothing yet must end before they write.
static bool unseen_work(const struct gv_vk_barriers *b, const struct gv_vk_track *track)
{
    return track->work_seen != b->work_count;
}

bool gv_vk_barriers_write_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer,
                                 uint64_t offset, uint64_t size, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    struct gv_vk_track *track = &buffer->track;
    const struct scope write = { TRANSFER, VK_ACCESS_2_TRANSFER_WRITE_BIT };
    const struct scope both = { TRANSFER, VK_ACCESS_2_TRANSFER_WRITE_BIT |
                                              VK_ACCESS_2_TRANSFER_READ_BIT };
    if (offset == 0 && size == buffer->size)
        gv_vk_mark_buffer_defined(rt, buffer);
    if (!gv_vk_define_buffer(rt, buffer, err))
        return false;
    freshen(b, track);
    struct scope src = { track->read_stages, 0 };
    if (track->write_stages &&
        (track->write_stages != TRANSFER || !disjoint(track, offset, size))) {
        src.stages |= track->write_stages;
        src.access |= track->write_access;
    }
    if (unseen_work(b, track))
        src.stages |= WORK;
    if (src.stages) {
        // The hull begins anew: what it held is ordered before everything from here.
        src.stages |= track->write_stages;
        src.access |= track->write_access;
        add_global(b, src, both);
        track->write_stages = TRANSFER;
        track->read_stages = 0;
        track->hull_begin = track->hull_end = 0;
    }
    track->work_seen = b->work_count;
    track->write_stages |= TRANSFER;
    track->write_access = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    track->visible_stages = 0;
    widen(track, offset, size);
    await(b, write, buffer_scope(buffer));
    return true;
}

bool gv_vk_barriers_copy_buffer(struct gv_runtime *rt, struct gv_vk_buffer *dst,
                                uint64_t dst_offset, uint64_t dst_size,
                                struct gv_vk_buffer *src, uint64_t src_offset,
                                uint64_t src_size, struct gv_error *err)
{
    if (!gv_vk_define_buffer(rt, src, err))
        return false;
    freshen(&rt->barriers, &src->track);
    VkPipelineStageFlags2 before = src->track.read_stages;
    if (!gv_vk_barriers_read_buffer(rt, src, src_offset, src_size, err))
        return false;
    // In one buffer the write must not wait for the read of its own command, but what
    // follows must.
    if (dst == src)
        src->track.read_stages = before;
    if (!gv_vk_barriers_write_buffer(rt, dst, dst_offset, dst_size, err))
        return false;
    src->track.read_stages |= TRANSFER;
    return true;
}

void gv_vk_barriers_wrote_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer,
                                 VkPipelineStageFlags2 stages, VkAccessFlags2 access)
{
    struct gv_vk_barriers *b = &rt->barriers;
    struct gv_vk_track *track = &buffer->track;
    freshen(b, track);
    track->write_stages |= stages;
    track->write_access |= access;
    track->visible_stages = 0;
    await(b, (struct scope){ stages, access }, buffer_scope(buffer));
}

// ---- images ----

static void set_away(struct gv_runtime *rt, struct gv_vk_image *image)
{
    if (image->away)
        return;
    image->away = true;
    image->next_away = rt->barriers.away;
    rt->barriers.away = image;
}

// What a subresource must go through to get to `layout`, doing `dst` there.
struct move {
    struct scope src, dst;
    VkImageLayout from, to;
    bool needed;
};

static struct move plan_move(struct gv_vk_barriers *b, struct gv_vk_sub *sub,
                             VkImageLayout layout, struct scope dst, bool writes)
{
    struct gv_vk_track *track = &sub->track;
    freshen(b, track);
    struct move move = { .dst = dst, .from = sub->layout, .to = layout };
    bool changes = writes || layout != sub->layout;
    bool seen = (track->visible_stages & dst.stages) == dst.stages;
    if (track->write_stages && (changes || !seen)) {
        move.src.stages |= track->write_stages;
        move.src.access |= track->write_access;
    }
    if (changes)
        move.src.stages |= track->read_stages;
    if (changes && unseen_work(b, track) && sub->layout != VK_IMAGE_LAYOUT_UNDEFINED)
        move.src.stages |= WORK;
    move.needed = layout != sub->layout || move.src.stages;
    return move;
}

static bool same_move(const struct move *a, const struct move *b)
{
    return a->needed == b->needed && a->from == b->from &&
           a->src.stages == b->src.stages && a->src.access == b->src.access;
}

static void note_move(struct gv_vk_barriers *b, struct gv_vk_sub *sub,
                      const struct move *move, bool writes)
{
    struct gv_vk_track *track = &sub->track;
    if (move->needed) {
        // The transition counts as a write that the destination has seen.
        track->write_stages = move->dst.stages;
        track->write_access = writes ? move->dst.access : 0;
        track->visible_stages = writes ? 0 : move->dst.stages;
        track->read_stages = 0;
    }
    if (writes) {
        track->write_stages |= move->dst.stages;
        track->write_access |= move->dst.access;
        track->visible_stages = 0;
    } else {
        track->read_stages |= move->dst.stages;
    }
    track->round = FOR_EVER; // until the image returns to rest
    track->work_seen = b->work_count;
    sub->layout = move->to;
}

static bool add_move(struct gv_runtime *rt, const struct gv_vk_image *image,
                     const VkImageSubresourceRange *range, const struct move *move,
                     struct gv_error *err)
{
    if (!move->needed)
        return true;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = move->src.stages,
        .srcAccessMask = move->src.access,
        .dstStageMask = move->dst.stages,
        .dstAccessMask = move->dst.access,
        .oldLayout = move->from,
        .newLayout = move->to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = *range,
    };
    return add_image(rt, &barrier, err);
}

static struct gv_vk_sub *sub_at(struct gv_vk_image *image, uint32_t layer, uint32_t mip)
{
    return &image->subs[(size_t)layer * image->mips + mip];
}

// Moves the mips [first, first + count) of one layer that need the same barrier.
static bool move_run(struct gv_runtime *rt, struct gv_vk_image *image, uint32_t layer,
                     uint32_t first, uint32_t count, uint32_t layers,
                     const struct move *move, bool writes, struct gv_error *err)
{
    const VkImageSubresourceRange range =
        gv_vk_image_range(image, first, count, layer, layers);
    for (uint32_t l = layer; l < layer + layers; l++)
        for (uint32_t m = first; m < first + count; m++)
            note_move(&rt->barriers, sub_at(image, l, m), move, writes);
    return add_move(rt, image, &range, move, err);
}

// Whether one barrier fits every subresource of the range.
static bool uniform_move(struct gv_vk_barriers *b, struct gv_vk_image *image,
                         const VkImageSubresourceRange *range, VkImageLayout layout,
                         struct scope dst, bool writes, struct move *move)
{
    *move = plan_move(b, sub_at(image, range->baseArrayLayer, range->baseMipLevel),
                      layout, dst, writes);
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++) {
            struct move other = plan_move(
                b, sub_at(image, range->baseArrayLayer + l, range->baseMipLevel + m),
                layout, dst, writes);
            if (!same_move(move, &other))
                return false;
        }
    return true;
}

static bool move_range(struct gv_runtime *rt, struct gv_vk_image *image,
                       const VkImageSubresourceRange *range, VkImageLayout layout,
                       struct scope dst, bool writes, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    struct move move;
    if (layout != image->rest_layout)
        set_away(rt, image);
    if (uniform_move(b, image, range, layout, dst, writes, &move))
        return move_run(rt, image, range->baseArrayLayer, range->baseMipLevel,
                        range->levelCount, range->layerCount, &move, writes, err);
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++) {
            uint32_t layer = range->baseArrayLayer + l, mip = range->baseMipLevel + m;
            move = plan_move(b, sub_at(image, layer, mip), layout, dst, writes);
            if (!move_run(rt, image, layer, mip, 1, 1, &move, writes, err))
                return false;
        }
    return true;
}

static struct scope transfer_scope(VkImageLayout layout, bool writes)
{
    VkAccessFlags2 access =
        writes ? VK_ACCESS_2_TRANSFER_WRITE_BIT : VK_ACCESS_2_TRANSFER_READ_BIT;
    if (layout == VK_IMAGE_LAYOUT_GENERAL)
        access = VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_TRANSFER_READ_BIT;
    return (struct scope){ TRANSFER, access };
}

bool gv_vk_barriers_read_image(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, struct gv_error *err)
{
    return gv_vk_define_image(rt, image, range, err) &&
           move_range(rt, image, range, layout, transfer_scope(layout, false), false,
                      err);
}

bool gv_vk_barriers_write_image(struct gv_runtime *rt, struct gv_vk_image *image,
                                const VkImageSubresourceRange *range,
                                VkImageLayout layout, bool whole, struct gv_error *err)
{
    if (whole)
        gv_vk_mark_image_defined(rt, image, range);
    return gv_vk_define_image(rt, image, range, err) &&
           move_range(rt, image, range, layout, transfer_scope(layout, true), true,
                      err);
}

bool gv_vk_barriers_attachment(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, struct gv_error *err)
{
    struct scope dst = attachment_scope(image);
    if (!gv_vk_define_image(rt, image, range, err) ||
        !move_range(rt, image, range, layout, dst, true, err))
        return false;
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++)
            sub_at(image, range->baseArrayLayer + l, range->baseMipLevel + m)->batch =
                rt->barriers.batch;
    return true;
}

void gv_vk_barriers_wrote_image(struct gv_runtime *rt, struct gv_vk_image *image,
                                VkPipelineStageFlags2 stages, VkAccessFlags2 access)
{
    struct gv_vk_barriers *b = &rt->barriers;
    for (size_t i = 0; i < (size_t)image->mips * image->layers; i++) {
        struct gv_vk_track *track = &image->subs[i].track;
        freshen(b, track);
        track->write_stages |= stages;
        track->write_access |= access;
        track->visible_stages = 0;
        if (track->round != FOR_EVER)
            track->round = b->round;
    }
    await(b, (struct scope){ stages, access }, rest_scope(image));
}

// ---- before work ----

// Whether the subresource must go home before the work that is about to begin: it is
// away and not one of its attachments.
static bool homesick(const struct gv_vk_barriers *b, const struct gv_vk_image *image,
                     const struct gv_vk_sub *sub)
{
    return sub->layout != image->rest_layout && sub->batch != b->batch;
}

static bool go_home(struct gv_runtime *rt, struct gv_vk_image *image, bool *stays_away,
                    struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    struct scope dst = rest_scope(image);
    bool all = true;
    *stays_away = false;
    for (size_t i = 0; i < (size_t)image->mips * image->layers; i++) {
        all = all && homesick(b, image, &image->subs[i]);
        *stays_away |= image->subs[i].batch == b->batch;
    }
    if (all) {
        const VkImageSubresourceRange range =
            gv_vk_image_range(image, 0, image->mips, 0, image->layers);
        return move_range(rt, image, &range, image->rest_layout, dst, false, err);
    }
    for (uint32_t l = 0; l < image->layers; l++)
        for (uint32_t m = 0; m < image->mips; m++) {
            const VkImageSubresourceRange range = gv_vk_image_range(image, m, 1, l, 1);
            if (homesick(b, image, sub_at(image, l, m)) &&
                !move_range(rt, image, &range, image->rest_layout, dst, false, err))
                return false;
        }
    return true;
}

static bool bring_home(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_image **at = &rt->barriers.away;
    while (*at) {
        struct gv_vk_image *image = *at;
        bool stays_away;
        if (!go_home(rt, image, &stays_away, err))
            return false;
        if (stays_away) {
            at = &image->next_away;
        } else {
            *at = image->next_away;
            image->away = false;
            image->next_away = NULL;
        }
    }
    return true;
}

// Makes everything so far seen by everything later: a new round.
static bool new_round(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    if (!gv_vk_define_all(rt, err) || !bring_home(rt, err))
        return false;
    const struct scope shaders = { SHADERS, 0 };
    if (b->storage && (b->worked || b->ranged))
        add_global(b, (struct scope){ WORK, 0 }, shaders);
    if (b->ranged)
        await(b,
              (struct scope){ VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                              VK_ACCESS_2_SHADER_WRITE_BIT },
              shaders);
    if (b->pending_stages)
        add_global(b, (struct scope){ b->pending_stages, b->pending_access },
                   (struct scope){ b->wanted_stages, b->wanted_access });
    b->pending_stages = b->wanted_stages = 0;
    b->pending_access = b->wanted_access = 0;
    b->worked = b->ranged = false;
    b->range_count = 0;
    b->round++;
    b->batch++;
    return emit_now(rt, err);
}

bool gv_vk_barriers_work(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    if (!new_round(rt, err))
        return false;
    b->work_count++;
    b->worked = true;
    return true;
}

// ---- dispatches with ranges ----

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

static void mark_range(struct gv_runtime *rt, const struct gv_vk_range *range)
{
    const VkPipelineStageFlags2 stage = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkAccessFlags2 access = VK_ACCESS_2_SHADER_WRITE_BIT;
    struct gv_vk_barriers before = { 0 };
    struct gv_vk_barriers *b = &rt->barriers;
    if (!range->write)
        return;
    // `ranged` stands for these writes; they must not force the next round.
    before.pending_stages = b->pending_stages;
    before.pending_access = b->pending_access;
    if (range->buffer)
        gv_vk_barriers_wrote_buffer(rt, range->buffer, stage, access);
    if (range->image)
        gv_vk_barriers_wrote_image(rt, range->image, stage, access);
    b->pending_stages = before.pending_stages;
    b->pending_access = before.pending_access;
}

bool gv_vk_barriers_dispatch(struct gv_runtime *rt, const struct gv_vk_range *ranges,
                             size_t count, struct gv_error *err)
{
    struct gv_vk_barriers *b = &rt->barriers;
    const struct scope wrote = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                 VK_ACCESS_2_SHADER_WRITE_BIT };
    const struct scope uses = { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                VK_ACCESS_2_SHADER_WRITE_BIT |
                                    VK_ACCESS_2_SHADER_READ_BIT |
                                    VK_ACCESS_2_UNIFORM_READ_BIT };
    bool full = b->pending_stages || b->away || b->undefined_buffers ||
                b->undefined_images || b->worked || count > GV_VK_MAX_TRACKED_RANGES;
    if (full) {
        if (!new_round(rt, err))
            return false;
    } else if (count > GV_VK_MAX_TRACKED_RANGES - b->range_count ||
               conflicts(b, ranges, count)) {
        add_global(b, wrote, uses);
        if (!gv_vk_barriers_emit(rt, err))
            return false;
        b->range_count = 0;
    }
    b->work_count++;
    b->ranged = true;
    b->worked |= count > GV_VK_MAX_TRACKED_RANGES;
    for (size_t i = 0; i < count; i++) {
        mark_range(rt, &ranges[i]);
        if (count <= GV_VK_MAX_TRACKED_RANGES)
            b->ranges[b->range_count++] = ranges[i];
    }
    return true;
}

// ---- the end of objects ----

void gv_vk_barriers_forget_image(struct gv_runtime *rt, struct gv_vk_image *image)
{
    struct gv_vk_barriers *b = &rt->barriers;
    gv_vk_unlist_image(rt, image);
    for (struct gv_vk_image **at = &b->away; *at; at = &(*at)->next_away) {
        if (*at == image) {
            *at = image->next_away;
            break;
        }
    }
    for (uint32_t i = 0; i < b->range_count; i++)
        if (b->ranges[i].image == image)
            b->ranges[i] = b->ranges[--b->range_count], i--;
}

void gv_vk_barriers_forget_buffer(struct gv_runtime *rt, struct gv_vk_buffer *buffer)
{
    struct gv_vk_barriers *b = &rt->barriers;
    gv_vk_unlist_buffer(rt, buffer);
    for (uint32_t i = 0; i < b->range_count; i++)
        if (b->ranges[i].buffer == buffer)
            b->ranges[i] = b->ranges[--b->range_count], i--;
}
