// Clears of what a pass draws into, clipped to it.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/image.h"
#include "runtime/vk/work/pass.h"
#include "runtime/vk/work/query.h"

// The part of a rectangle inside the pass. False: nothing is left.
static bool clip(const struct gv_vk_pass *pass, int64_t x, int64_t y, uint64_t width,
                 uint64_t height, VkRect2D *out)
{
    int64_t x1 = x + (int64_t)width, y1 = y + (int64_t)height;
    x = x < 0 ? 0 : x;
    y = y < 0 ? 0 : y;
    x1 = x1 > pass->width ? pass->width : x1;
    y1 = y1 > pass->height ? pass->height : y1;
    if (x >= x1 || y >= y1)
        return false;
    *out = (VkRect2D){ { (int32_t)x, (int32_t)y },
                       { (uint32_t)(x1 - x), (uint32_t)(y1 - y) } };
    return true;
}

static bool check(struct gv_runtime *rt, uint64_t layer, uint64_t layers,
                  struct gv_error *err)
{
    if (!gv_runtime_inside_pass(rt, err))
        return false;
    if (layer >= rt->pass->layers || layers == 0 || layers > rt->pass->layers - layer)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "layers %llu+%llu of %u",
                       (unsigned long long)layer, (unsigned long long)layers,
                       rt->pass->layers);
    return true;
}

// Whether what is cleared is how the pass begins. Drivers may draw a rectangle where
// they otherwise only note a value.
static bool begins(const struct gv_vk_pass *pass, const struct gv_vk_queries *queries,
                   const VkClearRect *area)
{
    return pass->fresh && !queries->condition.handle &&
           area->rect.extent.width == pass->width &&
           area->rect.extent.height == pass->height && area->layerCount == pass->layers;
}

static bool clear(struct gv_runtime *rt, const VkClearAttachment *what,
                  const VkClearRect *area, struct gv_error *err)
{
    if (!gv_runtime_resume(rt, err))
        return false;
    vkCmdClearAttachments(rt->commands->buffer, 1, what, 1, area);
    return gv_vk_commands_count_draw(rt, err);
}

bool gv_do_clear_color(struct gv_runtime *rt, const struct gv_args_clear_color *a,
                       uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!check(rt, a->layer.u, a->layers.u, err))
        return false;
    if (a->index.u >= rt->pass->color_count ||
        !rt->pass->color[a->index.u].target.handle)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "index %llu: no such attachment",
                       (unsigned long long)a->index.u);
    VkClearRect area = { .baseArrayLayer = (uint32_t)a->layer.u,
                         .layerCount = (uint32_t)a->layers.u };
    if (!clip(rt->pass, a->x.i, a->y.i, a->width.u, a->height.u, &area.rect))
        return true;
    VkClearAttachment what = {
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
        .colorAttachment = (uint32_t)a->index.u,
    };
    const union gv_arg values[4] = { a->c0, a->c1, a->c2, a->c3 };
    for (int i = 0; i < 4; i++)
        what.clearValue.color.uint32[i] = (uint32_t)values[i].u;
    if (begins(rt->pass, rt->queries, &area)) {
        struct gv_vk_color_target *c = &rt->pass->color[a->index.u];
        c->load = VK_ATTACHMENT_LOAD_OP_CLEAR;
        c->clear = what.clearValue.color;
        return true;
    }
    return clear(rt, &what, &area, err);
}

static void begin_with(struct gv_vk_depth_target *d, const VkClearAttachment *what)
{
    if (what->aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT) {
        d->depth_load = VK_ATTACHMENT_LOAD_OP_CLEAR;
        d->clear.depth = what->clearValue.depthStencil.depth;
    }
    if (what->aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT) {
        d->stencil_load = VK_ATTACHMENT_LOAD_OP_CLEAR;
        d->clear.stencil = what->clearValue.depthStencil.stencil;
    }
}

bool gv_do_clear_depth_stencil(struct gv_runtime *rt,
                               const struct gv_args_clear_depth_stencil *a,
                               uint64_t *result, struct gv_error *err)
{
    (void)result;
    if (!check(rt, a->layer.u, a->layers.u, err))
        return false;
    const struct gv_vk_target *t = &rt->pass->depth.target;
    float depth = gv_arg_f32(a->depth);
    if (!t->handle || a->aspect.u == 0 || (a->aspect.u & ~(uint64_t)t->image->aspects))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "aspect: not in the pass's depth-stencil attachment");
    if ((a->aspect.u & GV_ASPECT_DEPTH) && !(depth >= 0 && depth <= 1))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "depth %g", (double)depth);
    VkClearRect area = { .baseArrayLayer = (uint32_t)a->layer.u,
                         .layerCount = (uint32_t)a->layers.u };
    if (!clip(rt->pass, a->x.i, a->y.i, a->width.u, a->height.u, &area.rect))
        return true;
    const VkClearAttachment what = {
        .aspectMask = (VkImageAspectFlags)a->aspect.u,
        .clearValue.depthStencil = { depth, (uint32_t)a->stencil.u },
    };
    if (!begins(rt->pass, rt->queries, &area))
        return clear(rt, &what, &area, err);
    begin_with(&rt->pass->depth, &what);
    return true;
}
