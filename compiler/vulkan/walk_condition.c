// Conditional rendering. The values that conditions look at are copied to a buffer of
// the walk's own, so that no buffer of the program needs usage for it.
#include "compiler/vulkan/walk.h"

#define VALUES 1024u // of a buffer

// The next place for a value. In a pass all copies happen ahead of it, so places are
// not used again before its end.
static void next_place(struct gv_walk *w)
{
    struct gv_walk_conditions *c = &w->conditions;
    const bool full = c->next == VALUES;
    if (full && !gv_builder_place_is_open(w->b))
        c->next = 0;
    else if (full || !c->buffer.id) {
        c->buffer = gv_emit(w->b, buffer_create, .size = VALUES * sizeof(uint32_t),
                            .usage = GV_BUFFER_USAGE_CONDITIONAL);
        c->next = 0;
    }
}

bool gv_walk_vkCmdBeginConditionalRenderingEXT(
    struct gv_walk *w, const struct gv_vk_args_vkCmdBeginConditionalRenderingEXT *a,
    struct gv_error *err)
{
    const VkConditionalRenderingBeginInfoEXT *info = a->pConditionalRenderingBegin;
    struct gv_walk_conditions *c = &w->conditions;
    struct gv_cap_buffer *buffer =
        gv_cap_need(w->cap, GV_VK_ID(info->buffer), GV_CAP_BUFFER, err);
    if (!buffer)
        return false;
    const struct gv_buffer from = gv_walk_buffer(w, buffer);
    gv_walk_reads(w, &buffer->base, a->pConditionalRenderingBegin->offset, 4);
    if (!from.id)
        return true;
    const bool ahead = gv_builder_place_is_open(w->b);
    if (ahead)
        gv_builder_place_begin(w->b);
    next_place(w);
    const uint64_t at = c->next++ * sizeof(uint32_t);
    gv_emit(w->b, buffer_copy, .dst = c->buffer, .dst_offset = at, .src = from,
            .src_offset = info->offset, .size = sizeof(uint32_t));
    if (ahead)
        gv_builder_place_end(w->b);
    gv_emit(w->b, condition_begin, .buffer = c->buffer, .offset = at,
            .inverted = (info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT) != 0);
    c->open = true;
    return true;
}

bool gv_walk_vkCmdEndConditionalRenderingEXT(
    struct gv_walk *w, const struct gv_vk_args_vkCmdEndConditionalRenderingEXT *a,
    struct gv_error *err)
{
    (void)a, (void)err;
    if (w->conditions.open)
        gv_emit0(w->b, condition_end);
    w->conditions.open = false;
    return true;
}
