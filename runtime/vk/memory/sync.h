// What the files of hazard tracking share (barriers.h is for all others).
#ifndef GV_VK_SYNC_H
#define GV_VK_SYNC_H

#include "runtime/vk/memory/barriers.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/memory/image.h"

struct gv_vk_barriers;
struct gv_vk_commands;

#define GV_VK_TRANSFER VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT
#define GV_VK_SHADERS                                    \
    (VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | \
     VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)
#define GV_VK_WORK \
    (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT)
#define GV_VK_DEPTH_TESTS                           \
    (VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | \
     VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT)
#define GV_VK_FOR_EVER UINT64_MAX // a round that never ends

// Stages and what they do there.
struct gv_vk_scope {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};

// What work may do with a buffer, from how it may be used.
struct gv_vk_scope gv_vk_scope_of_buffer(const struct gv_vk_buffer *buffer);
struct gv_vk_scope gv_vk_scope_of_attachment(const struct gv_vk_image *image);
// What work may do with an image in its rest layout.
struct gv_vk_scope gv_vk_scope_at_rest(const struct gv_vk_image *image);

static inline void gv_vk_add_global(struct gv_vk_barriers *b, struct gv_vk_scope src,
                                    struct gv_vk_scope dst)
{
    b->global.srcStageMask |= src.stages;
    b->global.srcAccessMask |= src.access;
    b->global.dstStageMask |= dst.stages;
    b->global.dstAccessMask |= dst.access;
}

// Later work must wait for these stages and see these writes.
static inline void gv_vk_await(struct gv_vk_barriers *b, struct gv_vk_scope done,
                               struct gv_vk_scope wanted)
{
    b->pending_stages |= done.stages;
    b->pending_access |= done.access;
    b->wanted_stages |= wanted.stages;
    b->wanted_access |= wanted.access;
}

// Entries of earlier rounds no longer count.
static inline void gv_vk_freshen(const struct gv_vk_barriers *b,
                                 struct gv_vk_track *track)
{
    if (track->round >= b->round)
        return;
    *track = (struct gv_vk_track){ .round = b->round, .work_seen = track->work_seen };
}

// Work that used the object, and of which its transfers know nothing yet, must end
// before they write.
static inline bool gv_vk_unseen_work(const struct gv_vk_barriers *b,
                                     const struct gv_vk_track *track, uint64_t used)
{
    if (used == GV_VK_ALWAYS_USED)
        used = b->work_count;
    return used > track->work_seen;
}

// Adds to the batch, emitting what is in it when it is full.
bool gv_vk_add_image_barrier(struct gv_vk_commands *commands, struct gv_vk_barriers *b,
                             const VkImageMemoryBarrier2 *barrier,
                             struct gv_error *err);

// Puts an image on the list of those away.
void gv_vk_set_away(struct gv_vk_barriers *barriers, struct gv_vk_image *image);

// Queues the way back to rest of what is away, neither an attachment of the coming pass
// nor to be parked.
bool gv_vk_bring_home(struct gv_runtime *rt, struct gv_error *err);

// Makes everything so far seen by everything later: a new round.
bool gv_vk_barriers_round(struct gv_runtime *rt, struct gv_error *err);

#endif
