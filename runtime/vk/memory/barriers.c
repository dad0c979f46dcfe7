#include "runtime/vk/memory/barriers.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/sync.h"
#include "runtime/vk/memory/zero.h"

// ---- the batch ----

bool gv_vk_barriers_emit(struct gv_vk_commands *commands, struct gv_vk_barriers *b,
                         struct gv_error *err)
{
    bool global = b->global.srcStageMask || b->global.dstStageMask;
    if (!global && !b->image_count)
        return true;
    if (!gv_vk_commands_begin_work(commands, err))
        return false;
    b->global.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = global,
        .pMemoryBarriers = &b->global,
        .imageMemoryBarrierCount = b->image_count,
        .pImageMemoryBarriers = b->images,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
    b->emitted++;
    b->global = (VkMemoryBarrier2){ 0 };
    b->image_count = 0;
    return true;
}

bool gv_vk_add_image_barrier(struct gv_vk_commands *commands, struct gv_vk_barriers *b,
                             const VkImageMemoryBarrier2 *barrier, struct gv_error *err)
{
    if (b->image_count == GV_VK_MAX_BATCH && !gv_vk_barriers_emit(commands, b, err))
        return false;
    b->images[b->image_count++] = *barrier;
    return true;
}

// ---- buffers ----

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

bool gv_vk_barriers_read_buffer(struct gv_vk_commands *commands,
                                struct gv_vk_barriers *b, struct gv_vk_bytes bytes,
                                struct gv_error *err)
{
    struct gv_vk_buffer *buffer = bytes.buffer;
    struct gv_vk_track *track = &buffer->track;
    const struct gv_vk_scope read = { GV_VK_TRANSFER, VK_ACCESS_2_TRANSFER_READ_BIT };
    if (!gv_vk_define_buffer(commands, b, buffer, err))
        return false;
    gv_vk_freshen(b, track);
    bool unseen = track->write_stages && !(track->visible_stages & GV_VK_TRANSFER);
    if (track->write_stages == GV_VK_TRANSFER &&
        disjoint(track, bytes.offset, bytes.size))
        unseen = false;
    if (unseen) {
        gv_vk_add_global(
            b, (struct gv_vk_scope){ track->write_stages, track->write_access }, read);
        track->visible_stages |= GV_VK_TRANSFER;
    }
    track->read_stages |= GV_VK_TRANSFER;
    gv_vk_await(b, (struct gv_vk_scope){ GV_VK_TRANSFER, 0 },
                gv_vk_scope_of_buffer(buffer));
    return true;
}

bool gv_vk_barriers_write_buffer(struct gv_vk_commands *commands,
                                 struct gv_vk_barriers *b, struct gv_vk_bytes bytes,
                                 bool whole, struct gv_error *err)
{
    struct gv_vk_buffer *buffer = bytes.buffer;
    struct gv_vk_track *track = &buffer->track;
    const struct gv_vk_scope write = { GV_VK_TRANSFER, VK_ACCESS_2_TRANSFER_WRITE_BIT };
    const struct gv_vk_scope both = {
        GV_VK_TRANSFER, VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_TRANSFER_READ_BIT
    };
    buffer->indices.unknown = true; // uploads know better
    if (whole && bytes.offset == 0 && bytes.size == gv_vk_buffer_words(buffer))
        gv_vk_mark_buffer_defined(buffer);
    if (!gv_vk_define_buffer(commands, b, buffer, err))
        return false;
    gv_vk_freshen(b, track);
    struct gv_vk_scope src = { track->read_stages, 0 };
    if (track->write_stages && (track->write_stages != GV_VK_TRANSFER ||
                                !disjoint(track, bytes.offset, bytes.size))) {
        src.stages |= track->write_stages;
        src.access |= track->write_access;
    }
    if (gv_vk_unseen_work(b, track, buffer->used))
        src.stages |= GV_VK_WORK;
    if (src.stages) {
        // The hull begins anew: what it held is ordered before everything from here.
        src.stages |= track->write_stages;
        src.access |= track->write_access;
        gv_vk_add_global(b, src, both);
        track->write_stages = GV_VK_TRANSFER;
        track->read_stages = 0;
        track->hull_begin = track->hull_end = 0;
    }
    track->work_seen = b->work_count;
    track->write_stages |= GV_VK_TRANSFER;
    track->write_access = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    track->visible_stages = 0;
    widen(track, bytes.offset, bytes.size);
    gv_vk_await(b, write, gv_vk_scope_of_buffer(buffer));
    return true;
}

bool gv_vk_barriers_copy_buffer(struct gv_runtime *rt, struct gv_vk_bytes dst,
                                struct gv_vk_bytes src, bool whole,
                                struct gv_error *err)
{
    struct gv_vk_track *track = &src.buffer->track;
    if (!gv_vk_define_buffer(rt->commands, rt->barriers, src.buffer, err))
        return false;
    gv_vk_freshen(rt->barriers, track);
    VkPipelineStageFlags2 before = track->read_stages;
    if (!gv_vk_barriers_read_buffer(rt->commands, rt->barriers, src, err))
        return false;
    // In one buffer the write must not wait for the read of its own command, but what
    // follows must.
    if (dst.buffer == src.buffer)
        track->read_stages = before;
    if (!gv_vk_barriers_write_buffer(rt->commands, rt->barriers, dst, whole, err))
        return false;
    track->read_stages |= GV_VK_TRANSFER;
    return true;
}

void gv_vk_barriers_wrote_buffer(struct gv_vk_barriers *barriers,
                                 struct gv_vk_buffer *buffer,
                                 VkPipelineStageFlags2 stages, VkAccessFlags2 access)
{
    struct gv_vk_barriers *b = barriers;
    struct gv_vk_track *track = &buffer->track;
    gv_vk_freshen(b, track);
    track->write_stages |= stages;
    track->write_access |= access;
    track->visible_stages = 0;
    gv_vk_await(b, (struct gv_vk_scope){ stages, access },
                gv_vk_scope_of_buffer(buffer));
}

// ---- before work ----

bool gv_vk_barriers_round(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    if (!gv_vk_define_all(rt, err) || !gv_vk_bring_home(rt, err))
        return false;
    const struct gv_vk_scope shaders = { GV_VK_SHADERS, 0 };
    if (b->drain || (b->careful && (b->worked || b->ranged)))
        b->readers = GV_VK_WORK;
    if (b->readers)
        gv_vk_add_global(b, (struct gv_vk_scope){ b->readers, 0 }, shaders);
    if (b->ranged)
        gv_vk_await(b,
                    (struct gv_vk_scope){ VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                          VK_ACCESS_2_SHADER_WRITE_BIT },
                    shaders);
    if (b->pending_stages)
        gv_vk_add_global(b,
                         (struct gv_vk_scope){ b->pending_stages, b->pending_access },
                         (struct gv_vk_scope){ b->wanted_stages, b->wanted_access });
    b->pending_stages = b->wanted_stages = 0;
    b->pending_access = b->wanted_access = 0;
    b->readers = 0;
    b->worked = b->ranged = b->drain = b->urgent = false;
    b->range_count = 0;
    b->round++;
    b->batch++;
    return gv_vk_barriers_emit(rt->commands, rt->barriers, err);
}

bool gv_vk_barriers_work(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    if (!gv_vk_barriers_round(rt, err))
        return false;
    b->work_count++;
    b->worked = true;
    return true;
}

// ---- the end of objects ----

void gv_vk_barriers_forget_image(struct gv_vk_barriers *barriers,
                                 struct gv_vk_image *image)
{
    struct gv_vk_barriers *b = barriers;
    gv_link_remove(&image->undefined);
    gv_link_remove(&image->away);
    for (uint32_t i = 0; i < b->range_count; i++)
        if (b->ranges[i].image == image)
            b->ranges[i] = b->ranges[--b->range_count], i--;
}

void gv_vk_barriers_forget_buffer(struct gv_vk_barriers *barriers,
                                  struct gv_vk_buffer *buffer)
{
    struct gv_vk_barriers *b = barriers;
    gv_link_remove(&buffer->undefined);
    for (uint32_t i = 0; i < b->range_count; i++)
        if (b->ranges[i].buffer == buffer)
            b->ranges[i] = b->ranges[--b->range_count], i--;
}

void gv_vk_barriers_forget_all(struct gv_vk_barriers *barriers)
{
    barriers->away = NULL;
    barriers->undefined_images = NULL;
    barriers->undefined_buffers = NULL;
    barriers->range_count = 0;
    barriers->image_count = 0; // left by a call that failed half way
    barriers->global = (VkMemoryBarrier2){ 0 };
}
