// Hazards and layouts of images, by subresource.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/sync.h"
#include "runtime/vk/memory/zero.h"

// ---- moves ----

void gv_vk_set_away(struct gv_vk_barriers *barriers, struct gv_vk_image *image)
{
    if (!gv_link_listed(&image->away))
        gv_link_add(&barriers->away, &image->away);
}

// Where subresources are wanted, and what is done to them there.
struct goal {
    VkImageLayout layout;
    struct gv_vk_scope dst;
    bool writes;
    bool whole; // old contents may be lost
};

// What a subresource must go through to get there.
struct move {
    struct gv_vk_scope src, dst;
    VkImageLayout from, to;
    bool needed;
};

static struct move plan_move(struct gv_vk_barriers *b, const struct gv_vk_image *image,
                             struct gv_vk_sub *sub, const struct goal *goal)
{
    struct gv_vk_track *track = &sub->track;
    gv_vk_freshen(b, track);
    struct move move = { .dst = goal->dst, .from = sub->layout, .to = goal->layout };
    bool changes = goal->writes || goal->layout != sub->layout;
    bool seen = (track->visible_stages & goal->dst.stages) == goal->dst.stages;
    if (track->write_stages && (changes || !seen)) {
        move.src.stages |= track->write_stages;
        move.src.access |= track->write_access;
    }
    if (changes)
        move.src.stages |= track->read_stages;
    if (changes && gv_vk_unseen_work(b, track, image->used) &&
        sub->layout != VK_IMAGE_LAYOUT_UNDEFINED)
        move.src.stages |= GV_VK_WORK;
    move.needed = goal->layout != sub->layout || move.src.stages;
    if (goal->whole)
        move.from = VK_IMAGE_LAYOUT_UNDEFINED;
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
    track->round = GV_VK_FOR_EVER;         // until the image returns to rest
    if (writes || sub->layout != move->to) // a read waits for no other reads
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
    return gv_vk_add_image_barrier(rt->commands, rt->barriers, &barrier, err);
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
            note_move(rt->barriers, sub_at(image, l, m), move, writes);
    return add_move(rt, image, &range, move, err);
}

// Whether one barrier fits every subresource of the range.
static bool uniform_move(struct gv_vk_barriers *b, struct gv_vk_image *image,
                         const VkImageSubresourceRange *range, const struct goal *goal,
                         struct move *move)
{
    *move = plan_move(b, image,
                      sub_at(image, range->baseArrayLayer, range->baseMipLevel), goal);
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++) {
            struct move other = plan_move(
                b, image,
                sub_at(image, range->baseArrayLayer + l, range->baseMipLevel + m),
                goal);
            if (!same_move(move, &other))
                return false;
        }
    return true;
}

static bool move_range(struct gv_runtime *rt, struct gv_vk_image *image,
                       const VkImageSubresourceRange *range, const struct goal *goal,
                       struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    struct move move;
    if (goal->layout != image->rest_layout)
        gv_vk_set_away(rt->barriers, image);
    if (uniform_move(b, image, range, goal, &move))
        return move_run(rt, image, range->baseArrayLayer, range->baseMipLevel,
                        range->levelCount, range->layerCount, &move, goal->writes, err);
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++) {
            uint32_t layer = range->baseArrayLayer + l, mip = range->baseMipLevel + m;
            move = plan_move(b, image, sub_at(image, layer, mip), goal);
            if (!move_run(rt, image, layer, mip, 1, 1, &move, goal->writes, err))
                return false;
        }
    return true;
}

static struct gv_vk_scope transfer_scope(VkImageLayout layout, bool writes)
{
    VkAccessFlags2 access =
        writes ? VK_ACCESS_2_TRANSFER_WRITE_BIT : VK_ACCESS_2_TRANSFER_READ_BIT;
    if (layout == VK_IMAGE_LAYOUT_GENERAL)
        access = VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_TRANSFER_READ_BIT;
    return (struct gv_vk_scope){ GV_VK_TRANSFER, access };
}

// Something else than what an upload has left is about to be there.
static void forget_content(struct gv_vk_image *image,
                           const VkImageSubresourceRange *range)
{
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++)
            sub_at(image, range->baseArrayLayer + l, range->baseMipLevel + m)->known =
                false;
}

bool gv_vk_barriers_read_image(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, struct gv_error *err)
{
    const struct goal goal = { layout, transfer_scope(layout, false), false, false };
    return gv_vk_define_image(rt, image, range, err) &&
           move_range(rt, image, range, &goal, err);
}

bool gv_vk_barriers_write_image(struct gv_runtime *rt, struct gv_vk_image *image,
                                const VkImageSubresourceRange *range,
                                VkImageLayout layout, bool whole, struct gv_error *err)
{
    if (whole)
        gv_vk_mark_image_defined(image, range);
    const struct goal goal = { layout, transfer_scope(layout, true), true, false };
    forget_content(image, range);
    if (layout == image->rest_layout) // no way home that work would wait for
        gv_vk_await(rt->barriers, goal.dst, gv_vk_scope_at_rest(image));
    return gv_vk_define_image(rt, image, range, err) &&
           move_range(rt, image, range, &goal, err);
}

bool gv_vk_barriers_attachment(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, bool whole, struct gv_error *err)
{
    const struct goal goal = { layout, gv_vk_scope_of_attachment(image), true, whole };
    forget_content(image, range);
    if (whole)
        gv_vk_mark_image_defined(image, range);
    if (!gv_vk_define_image(rt, image, range, err) ||
        !move_range(rt, image, range, &goal, err))
        return false;
    for (uint32_t l = 0; l < range->layerCount; l++)
        for (uint32_t m = 0; m < range->levelCount; m++)
            sub_at(image, range->baseArrayLayer + l, range->baseMipLevel + m)->batch =
                rt->barriers->batch;
    return true;
}

void gv_vk_barriers_wrote_image(struct gv_vk_barriers *barriers,
                                struct gv_vk_image *image, VkPipelineStageFlags2 stages,
                                VkAccessFlags2 access)
{
    struct gv_vk_barriers *b = barriers;
    for (size_t i = 0; i < (size_t)image->mips * image->layers; i++) {
        struct gv_vk_track *track = &image->subs[i].track;
        gv_vk_freshen(b, track);
        track->write_stages |= stages;
        track->write_access |= access;
        track->visible_stages = 0;
        if (track->round != GV_VK_FOR_EVER)
            track->round = b->round;
    }
    gv_vk_await(b, (struct gv_vk_scope){ stages, access }, gv_vk_scope_at_rest(image));
}

// ---- back to rest ----

static bool is_parked(const struct gv_vk_barriers *b, const struct gv_vk_image *image,
                      const struct gv_vk_sub *sub)
{
    bool attachment = sub->layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL ||
                      sub->layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    return !image->wanted && attachment && sub->layout != image->rest_layout &&
           sub->batch != b->batch;
}

// Whether the subresource must go home before the work that is about to begin: it is
// away, not one of its attachments and nobody else's that may stay.
static bool homesick(const struct gv_vk_barriers *b, const struct gv_vk_image *image,
                     const struct gv_vk_sub *sub)
{
    return sub->layout != image->rest_layout && sub->batch != b->batch &&
           !is_parked(b, image, sub);
}

static bool go_home(struct gv_runtime *rt, struct gv_vk_image *image, bool *stays_away,
                    struct gv_error *err)
{
    struct gv_vk_barriers *b = rt->barriers;
    const struct goal rest = { image->rest_layout, gv_vk_scope_at_rest(image), false,
                               false };
    bool all = true;
    *stays_away = false;
    image->parked = false;
    for (size_t i = 0; i < (size_t)image->mips * image->layers; i++) {
        all = all && homesick(b, image, &image->subs[i]);
        *stays_away |= image->subs[i].batch == b->batch;
        image->parked |= is_parked(b, image, &image->subs[i]);
    }
    if (all) {
        const VkImageSubresourceRange range =
            gv_vk_image_range(image, 0, image->mips, 0, image->layers);
        return move_range(rt, image, &range, &rest, err);
    }
    for (uint32_t l = 0; l < image->layers; l++)
        for (uint32_t m = 0; m < image->mips; m++) {
            const VkImageSubresourceRange range = gv_vk_image_range(image, m, 1, l, 1);
            if (homesick(b, image, sub_at(image, l, m)) &&
                !move_range(rt, image, &range, &rest, err))
                return false;
        }
    return true;
}

bool gv_vk_bring_home(struct gv_runtime *rt, struct gv_error *err)
{
    struct gv_link *next;
    for (struct gv_link *at = rt->barriers->away; at; at = next) {
        struct gv_vk_image *image = GV_LINK_HOLDER(at, struct gv_vk_image, away);
        bool stays_away;
        if (!go_home(rt, image, &stays_away, err))
            return false;
        next = at->next;
        if (!stays_away)
            gv_link_remove(at);
    }
    return true;
}
