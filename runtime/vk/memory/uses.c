#include "runtime/vk/memory/uses.h"

#include "runtime/vk/memory/sync.h"

// Work is about to write an object for the first time. Its readers count from now on;
// those so far may be any work.
static void first_write(struct gv_vk_barriers *b, uint64_t used)
{
    if (!used)
        return;
    b->drain = true;
    b->urgent = true;
}

static void before_image(struct gv_vk_barriers *barriers, const struct gv_vk_use *use)
{
    struct gv_vk_image *image = use->image;
    image->wanted = true;
    if (image->parked) {
        gv_vk_set_away(barriers, image);
        barriers->urgent = true;
    }
    if (use->write && !image->writable) {
        image->writable = true;
        first_write(barriers, image->used);
    }
}

void gv_vk_uses_before(struct gv_vk_barriers *barriers, struct gv_vk_uses uses)
{
    for (size_t i = 0; i < uses.count; i++) {
        const struct gv_vk_use *u = &uses.items[i];
        if (u->image)
            before_image(barriers, u);
        if (u->buffer && u->write && !u->buffer->writable) {
            u->buffer->writable = true;
            first_write(barriers, u->buffer->used);
        }
    }
}

void gv_vk_uses_note_buffer(struct gv_vk_barriers *barriers,
                            struct gv_vk_buffer *buffer, VkPipelineStageFlags2 stages)
{
    if (buffer->used != GV_VK_ALWAYS_USED)
        buffer->used = barriers->work_count;
    if (buffer->writable)
        barriers->readers |= stages;
}

void gv_vk_uses_note(struct gv_vk_barriers *barriers, struct gv_vk_uses uses)
{
    for (size_t i = 0; i < uses.count; i++) {
        const struct gv_vk_use *u = &uses.items[i];
        if (u->buffer)
            gv_vk_uses_note_buffer(barriers, u->buffer, u->stages);
        if (!u->image)
            continue;
        u->image->used = barriers->work_count;
        if (u->image->writable)
            barriers->readers |= u->stages;
    }
}
