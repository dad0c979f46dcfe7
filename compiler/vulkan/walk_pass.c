// Render passes and dynamic rendering as passes of the payload: a subpass is one.
#include "compiler/vulkan/walk_pipeline.h"

#include <string.h>

// ---- a pass ----

static bool covers(const struct gv_walk_pass *p)
{
    return p->area.offset.x == 0 && p->area.offset.y == 0;
}

// Passes begin at the corner of their targets. Where the render area does not, the rest
// of the targets must stay: loaded, and the area cleared in the pass.
static enum gv_of_LOAD_OP load_op(const struct gv_walk_pass *p, VkAttachmentLoadOp load)
{
    if (load == VK_ATTACHMENT_LOAD_OP_CLEAR)
        return covers(p) ? GV_LOAD_OP_CLEAR : GV_LOAD_OP_LOAD;
    if (load == VK_ATTACHMENT_LOAD_OP_DONT_CARE && covers(p))
        return GV_LOAD_OP_DONT_CARE;
    return GV_LOAD_OP_LOAD;
}

static enum gv_of_STORE_OP store_op(const struct gv_walk_pass *p,
                                    VkAttachmentStoreOp store)
{
    return store == VK_ATTACHMENT_STORE_OP_DONT_CARE && covers(p)
               ? GV_STORE_OP_DONT_CARE
               : GV_STORE_OP_STORE;
}

static uint32_t format_of(const struct gv_walk_view *v,
                          const struct gv_cap_image *image)
{
    return v->format == image->info.format ? 0 : (uint32_t)v->format;
}

static uint32_t layers_of(const struct gv_walk_pass *p, const struct gv_walk_view *v)
{
    return p->many ? 1 : v->range.layerCount;
}

static void name_color(struct gv_walk *w, uint32_t i)
{
    const struct gv_walk_target *t = &w->pass.color[i];
    const VkImageSubresourceRange *r = &t->view->range;
    const uint32_t *c = t->clear.color.uint32;
    gv_emit(w->b, pass_color, .index = i, .image = gv_walk_image(w, t->image),
            .format = format_of(t->view, t->image), .mip = r->baseMipLevel,
            .layer = r->baseArrayLayer + w->pass.view,
            .layers = layers_of(&w->pass, t->view), .load = load_op(&w->pass, t->load),
            .store = store_op(&w->pass, t->store), .c0 = c[0], .c1 = c[1], .c2 = c[2],
            .c3 = c[3]);
    if (!t->resolve)
        return;
    gv_emit(w->b, pass_resolve, .index = i, .image = gv_walk_image(w, t->resolve_image),
            .format = format_of(t->resolve, t->resolve_image),
            .mip = t->resolve->range.baseMipLevel,
            .layer = t->resolve->range.baseArrayLayer + w->pass.view);
}

static bool keeps(VkAttachmentLoadOp load)
{
    return load != VK_ATTACHMENT_LOAD_OP_CLEAR &&
           load != VK_ATTACHMENT_LOAD_OP_DONT_CARE;
}

static void name_depth(struct gv_walk *w)
{
    const struct gv_walk_target *t = &w->pass.depth;
    w->pass.written = (keeps(t->load) ? 0 : VK_IMAGE_ASPECT_DEPTH_BIT) |
                      (keeps(t->stencil_load) ? 0 : VK_IMAGE_ASPECT_STENCIL_BIT);
    const VkImageSubresourceRange *r = &t->view->range;
    gv_emit(w->b, pass_depth_stencil, .image = gv_walk_image(w, t->image),
            .mip = r->baseMipLevel, .layer = r->baseArrayLayer + w->pass.view,
            .layers = layers_of(&w->pass, t->view),
            .depth_load = load_op(&w->pass, t->load),
            .depth_store = store_op(&w->pass, t->store),
            .depth = t->clear.depthStencil.depth,
            .stencil_load = load_op(&w->pass, t->stencil_load),
            .stencil_store = store_op(&w->pass, t->stencil_store),
            .stencil = t->clear.depthStencil.stencil & 0xff);
}

static uint32_t aspects(const struct gv_walk_target *t)
{
    return t->view->range.aspectMask &
           (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
}

static void clear_color(struct gv_walk *w, uint32_t i, const VkClearRect *r,
                        const uint32_t *c)
{
    gv_emit(w->b, clear_color, .index = i, .x = r->rect.offset.x, .y = r->rect.offset.y,
            .width = r->rect.extent.width, .height = r->rect.extent.height,
            .layer = r->baseArrayLayer, .layers = r->layerCount, .c0 = c[0], .c1 = c[1],
            .c2 = c[2], .c3 = c[3]);
}

static void clear_depth(struct gv_walk *w, uint32_t aspect, const VkClearRect *r,
                        const VkClearDepthStencilValue *value)
{
    w->pass.written |= aspect;
    gv_emit(w->b, clear_depth_stencil, .aspect = aspect, .x = r->rect.offset.x,
            .y = r->rect.offset.y, .width = r->rect.extent.width,
            .height = r->rect.extent.height, .layer = r->baseArrayLayer,
            .layers = r->layerCount, .depth = value->depth,
            .stencil = value->stencil & 0xff);
}

static void clear_area(struct gv_walk *w)
{
    const struct gv_walk_pass *p = &w->pass;
    const VkClearRect whole = { p->area, 0, p->layers };
    for (uint32_t i = 0; i < p->color_count; i++)
        if (p->color[i].view && p->color[i].load == VK_ATTACHMENT_LOAD_OP_CLEAR)
            clear_color(w, i, &whole, p->color[i].clear.color.uint32);
    if (!p->depth.view)
        return;
    uint32_t aspect = 0;
    if (p->depth.load == VK_ATTACHMENT_LOAD_OP_CLEAR)
        aspect |= VK_IMAGE_ASPECT_DEPTH_BIT;
    if (p->depth.stencil_load == VK_ATTACHMENT_LOAD_OP_CLEAR)
        aspect |= VK_IMAGE_ASPECT_STENCIL_BIT;
    aspect &= aspects(&p->depth);
    if (aspect)
        clear_depth(w, aspect, &whole, &p->depth.clear.depthStencil);
}

static void note_written(struct gv_walk_target *t)
{
    if (t->view)
        gv_cap_device_wrote(&t->image->base, 0, UINT64_MAX);
    if (t->view && t->resolve)
        gv_cap_device_wrote(&t->resolve_image->base, 0, UINT64_MAX);
}

static void leave_out(struct gv_walk *w, const char *why)
{
    gv_walk_unsupported(w, "%s", why);
    w->skip = true;
}

// Whether the payload has all images of the pass.
static bool has_images(struct gv_walk *w)
{
    struct gv_walk_pass *p = &w->pass;
    for (uint32_t i = 0; i <= p->color_count; i++) {
        struct gv_walk_target *t = i < p->color_count ? &p->color[i] : &p->depth;
        if (t->view && (!gv_walk_image(w, t->image).id ||
                        (t->resolve && !gv_walk_image(w, t->resolve_image).id)))
            return false;
        if (t->view && t->resolve && !covers(p)) {
            gv_walk_unsupported(w, "a resolve of an area that does not begin at 0, 0");
            return false;
        }
    }
    return true;
}

// Programs name more targets than they have views for; payloads count to the last one.
static void trim(struct gv_walk_pass *p)
{
    while (p->color_count && !p->color[p->color_count - 1].view)
        p->color_count--;
}

// What targets hold, unless the pass replaces all of it.
static void read_targets(struct gv_walk *w)
{
    const struct gv_walk_pass *p = &w->pass;
    for (uint32_t i = 0; i <= p->color_count; i++) {
        const struct gv_walk_target *t = i < p->color_count ? &p->color[i] : &p->depth;
        if (!t->view)
            continue;
        const VkImageCreateInfo *info = &t->image->info;
        if (!covers(p) || info->mipLevels > 1 || info->arrayLayers > 1 ||
            p->area.extent.width < info->extent.width ||
            p->area.extent.height < info->extent.height || keeps(t->load) ||
            (t == &p->depth && keeps(t->stencil_load) &&
             aspects(t) & VK_IMAGE_ASPECT_STENCIL_BIT))
            gv_walk_reads(w, &t->image->base, 0, UINT64_MAX);
        if (t->resolve)
            gv_walk_reads(w, &t->resolve_image->base, 0, UINT64_MAX);
    }
}

static bool begin(struct gv_walk *w, struct gv_error *err)
{
    struct gv_walk_pass *p = &w->pass;
    trim(p);
    p->many = w->views.many;
    p->view = p->many ? w->views.view : 0;
    p->layers = p->many ? 1 : p->layers;
    const int64_t width = (int64_t)p->area.offset.x + p->area.extent.width;
    const int64_t height = (int64_t)p->area.offset.y + p->area.extent.height;
    p->open = true;
    if (p->area.offset.x < 0 || p->area.offset.y < 0 || width > INT32_MAX ||
        height > INT32_MAX)
        return gv_cap_fail(w->cap, err, "a render area at %d, %d", p->area.offset.x,
                           p->area.offset.y);
    if (w->skip || !has_images(w)) {
        w->skip = true;
        return true;
    }
    p->open = false; // what comes ahead of it
    read_targets(w);
    p->open = true;
    w->cap->pass++;
    gv_builder_place_open(w->b);
    for (uint32_t i = 0; i < p->color_count; i++)
        if (p->color[i].view)
            name_color(w, i);
    if (p->depth.view)
        name_depth(w);
    gv_emit(w->b, pass_begin, .width = (uint32_t)width, .height = (uint32_t)height,
            .layers = p->layers);
    if (!covers(p))
        clear_area(w);
    return true;
}

void gv_walk_end_pass(struct gv_walk *w)
{
    struct gv_walk_pass *p = &w->pass;
    if (!p->open)
        return;
    if (!w->skip) {
        gv_emit0(w->b, pass_end);
        gv_builder_place_close(w->b);
        for (uint32_t i = 0; i < p->color_count; i++)
            note_written(&p->color[i]);
        note_written(&p->depth);
    }
    *p = (struct gv_walk_pass){ 0 };
    w->skip = false;
}

// Names the view of a target; a view that is gone is none.
static void set_view(struct gv_walk_target *t, const struct gv_walk_view *view)
{
    t->image = view ? gv_cap_ref_content(&view->image, GV_CAP_IMAGE) : NULL;
    t->view = t->image ? view : NULL;
}

static void set_resolve(struct gv_walk_target *t, const struct gv_walk_view *view)
{
    t->resolve_image = view ? gv_cap_ref_content(&view->image, GV_CAP_IMAGE) : NULL;
    t->resolve = t->resolve_image ? view : NULL;
}

// ---- render passes ----

static const struct gv_walk_view *view_of(const struct gv_walk_render *r, uint32_t i)
{
    return i < r->attachment_count ? r->views[i] : NULL;
}

static uint32_t view_bit(const struct gv_walk *w)
{
    return 1u << (w->views.many ? w->views.view : 0);
}

static void set_attachment(struct gv_walk *w, struct gv_walk_target *t, uint32_t i)
{
    struct gv_walk_render *r = &w->render;
    *t = (struct gv_walk_target){ 0 };
    set_view(t, view_of(r, i));
    if (!t->view)
        return;
    const struct gv_walk_attachment *a = &r->pass->attachments[i];
    const bool last = a->last == r->subpass;
    const bool used = r->used[i] & view_bit(w);
    t->load = used ? VK_ATTACHMENT_LOAD_OP_LOAD : a->load;
    t->stencil_load = used ? VK_ATTACHMENT_LOAD_OP_LOAD : a->stencil_load;
    t->store = last ? a->store : VK_ATTACHMENT_STORE_OP_STORE;
    t->stencil_store = last ? a->stencil_store : VK_ATTACHMENT_STORE_OP_STORE;
    t->clear = r->clears[i];
    r->used[i] |= view_bit(w);
}

static bool begin_subpass(struct gv_walk *w, struct gv_error *err)
{
    struct gv_walk_render *r = &w->render;
    const struct gv_walk_subpass *s = &r->pass->subpasses[r->subpass];
    struct gv_walk_pass *p = &w->pass;
    *p = (struct gv_walk_pass){ .color_count = s->color_count,
                                .layers = r->layers,
                                .area = r->area };
    if (s->unsupported)
        leave_out(w, s->unsupported);
    for (uint32_t i = 0; i < s->color_count; i++) {
        set_attachment(w, &p->color[i], s->color[i]);
        if (!p->color[i].view || s->resolve[i] == GV_WALK_UNUSED)
            continue;
        set_resolve(&p->color[i], view_of(r, s->resolve[i]));
        if (s->resolve[i] < r->attachment_count)
            r->used[s->resolve[i]] |= view_bit(w);
    }
    set_attachment(w, &p->depth, s->depth);
    return begin(w, err);
}

// For the first of its views, if it has several.
static bool begin_first(struct gv_walk *w, struct gv_error *err)
{
    const struct gv_walk_render *r = &w->render;
    return gv_walk_begin_views(w, r->pass->subpasses[r->subpass].views, err) &&
           begin_subpass(w, err);
}

static bool set_views(struct gv_walk *w, const VkRenderPassBeginInfo *info,
                      const struct gv_walk_framebuffer *f, struct gv_error *err)
{
    struct gv_walk_render *r = &w->render;
    const VkRenderPassAttachmentBeginInfo *later = gv_walk_chained(
        info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    for (uint32_t i = 0; i < r->attachment_count; i++) {
        if (i < f->count)
            r->views[i] = gv_cap_ref_content(&f->views[i], GV_CAP_IMAGE_VIEW);
        else if (later && i < later->attachmentCount)
            r->views[i] = gv_cap_find(w->cap, GV_VK_ID(later->pAttachments[i]),
                                      GV_CAP_IMAGE_VIEW);
        if (!r->views[i])
            return gv_cap_fail(w->cap, err, "attachment %u has no view", i);
        if (i < info->clearValueCount)
            r->clears[i] = info->pClearValues[i];
    }
    return true;
}

static bool begin_render_pass(struct gv_walk *w, const VkRenderPassBeginInfo *info,
                              struct gv_error *err)
{
    struct gv_walk_render *r = &w->render;
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    *r = (struct gv_walk_render){ .area = info->renderArea };
    r->pass = gv_cap_need(w->cap, GV_VK_ID(info->renderPass), GV_CAP_RENDER_PASS, err);
    const struct gv_walk_framebuffer *f =
        r->pass
            ? gv_cap_need(w->cap, GV_VK_ID(info->framebuffer), GV_CAP_FRAMEBUFFER, err)
            : NULL;
    if (!f)
        return false;
    if (!r->pass->subpass_count)
        return gv_cap_fail(w->cap, err, "a render pass without subpasses");
    r->attachment_count = r->pass->attachment_count;
    r->layers = f->layers;
    r->views = gv_arena_array(&w->submission, r->attachment_count, sizeof(void *));
    r->clears = gv_arena_array(&w->submission, r->attachment_count, sizeof *r->clears);
    r->used = gv_arena_array(&w->submission, r->attachment_count, sizeof *r->used);
    if (!r->views || !r->clears || !r->used)
        return gv_cap_no_memory(w->cap, err);
    return set_views(w, info, f, err) && begin_first(w, err);
}

static bool begin_rendering(struct gv_walk *w, const VkRenderingInfo *info,
                            struct gv_error *err);

// Ends the pass. `*again`: it has begun for another view.
static bool end_view(struct gv_walk *w, bool *again, struct gv_error *err)
{
    gv_walk_end_pass(w);
    return gv_walk_next_view(w, again, err) &&
           (!*again || (w->render.pass ? begin_subpass(w, err)
                                       : begin_rendering(w, w->render.rendering, err)));
}

static bool next_subpass(struct gv_walk *w, struct gv_error *err)
{
    struct gv_walk_render *r = &w->render;
    bool again;
    if (!r->pass || r->subpass + 1 >= r->pass->subpass_count)
        return gv_cap_fail(w->cap, err, "there is no subpass %u", r->subpass + 1);
    if (!end_view(w, &again, err) || again)
        return again;
    r->subpass++;
    return begin_first(w, err);
}

static bool end(struct gv_walk *w, struct gv_error *err)
{
    bool again;
    if (!end_view(w, &again, err))
        return false;
    if (!again)
        w->render = (struct gv_walk_render){ 0 };
    return true;
}

GV_WALK_COMMAND(vkCmdBeginRenderPass)
{
    return begin_render_pass(w, a->pRenderPassBegin, err);
}

GV_WALK_COMMAND(vkCmdBeginRenderPass2)
{
    return begin_render_pass(w, a->pRenderPassBegin, err);
}

GV_WALK_COMMAND(vkCmdNextSubpass)
{
    (void)a;
    return next_subpass(w, err);
}

GV_WALK_COMMAND(vkCmdNextSubpass2)
{
    (void)a;
    return next_subpass(w, err);
}

GV_WALK_COMMAND(vkCmdEndRenderPass)
{
    (void)a;
    return end(w, err);
}

GV_WALK_COMMAND(vkCmdEndRenderPass2)
{
    (void)a;
    return end(w, err);
}

// ---- dynamic rendering ----

static void set_rendering(struct gv_walk *w, struct gv_walk_target *t,
                          const VkRenderingAttachmentInfo *info, VkRenderingFlags flags)
{
    set_view(t, gv_cap_find(w->cap, GV_VK_ID(info->imageView), GV_CAP_IMAGE_VIEW));
    if (!t->view)
        return;
    // Of a pass in parts, only the first one loads and only the last one stores.
    t->load =
        flags & VK_RENDERING_RESUMING_BIT ? VK_ATTACHMENT_LOAD_OP_LOAD : info->loadOp;
    t->store = flags & VK_RENDERING_SUSPENDING_BIT ? VK_ATTACHMENT_STORE_OP_STORE
                                                   : info->storeOp;
    t->clear = info->clearValue;
    if (info->resolveMode && !(flags & VK_RENDERING_SUSPENDING_BIT))
        set_resolve(t, gv_cap_find(w->cap, GV_VK_ID(info->resolveImageView),
                                   GV_CAP_IMAGE_VIEW));
}

// Depth and stencil are attached apart, but of one view.
static void set_rendering_depth(struct gv_walk *w, const VkRenderingInfo *info)
{
    struct gv_walk_target depth = { .load = VK_ATTACHMENT_LOAD_OP_LOAD };
    struct gv_walk_target stencil = { .load = VK_ATTACHMENT_LOAD_OP_LOAD };
    if (info->pDepthAttachment)
        set_rendering(w, &depth, info->pDepthAttachment, info->flags);
    if (info->pStencilAttachment)
        set_rendering(w, &stencil, info->pStencilAttachment, info->flags);
    if (depth.resolve || stencil.resolve)
        leave_out(w, "resolves of depth and stencil");
    if (depth.view && stencil.view && depth.image != stencil.image)
        leave_out(w, "depth and stencil attachments of different images");
    struct gv_walk_target *t = &w->pass.depth;
    *t = depth.view ? depth : stencil;
    t->load = depth.load;
    t->store = depth.store;
    t->stencil_load = stencil.load;
    t->stencil_store = stencil.store;
    t->clear.depthStencil.depth = depth.clear.depthStencil.depth;
    t->clear.depthStencil.stencil = stencil.clear.depthStencil.stencil;
}

static bool begin_rendering(struct gv_walk *w, const VkRenderingInfo *info,
                            struct gv_error *err)
{
    struct gv_walk_pass *p = &w->pass;
    *p = (struct gv_walk_pass){ .color_count = info->colorAttachmentCount,
                                .layers = info->layerCount,
                                .area = info->renderArea };
    if (p->color_count > GV_WALK_COLORS) {
        p->color_count = 0;
        leave_out(w, "more than 8 colour attachments");
    }
    for (uint32_t i = 0; i < p->color_count; i++)
        set_rendering(w, &p->color[i], &info->pColorAttachments[i], info->flags);
    set_rendering_depth(w, info);
    return begin(w, err);
}

GV_WALK_COMMAND(vkCmdBeginRendering)
{
    if (w->pass.open)
        return gv_cap_fail(w->cap, err, "inside of a render pass");
    w->render = (struct gv_walk_render){ .rendering = a->pRenderingInfo };
    return gv_walk_begin_views(w, a->pRenderingInfo->viewMask, err) &&
           begin_rendering(w, a->pRenderingInfo, err);
}

GV_WALK_COMMAND(vkCmdEndRendering)
{
    (void)a;
    return end(w, err);
}

// ---- clears in a pass ----

GV_WALK_COMMAND(vkCmdClearAttachments)
{
    const struct gv_walk_pass *p = &w->pass;
    if (!p->open)
        return gv_cap_fail(w->cap, err, "outside of a render pass");
    if (!gv_walk_charge(w, (uint64_t)a->attachmentCount * a->rectCount, err))
        return false;
    for (uint32_t i = 0; i < a->attachmentCount && !w->skip; i++) {
        const VkClearAttachment *c = &a->pAttachments[i];
        for (uint32_t j = 0; j < a->rectCount; j++) {
            if (!(c->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT)) {
                const uint32_t aspect =
                    p->depth.view ? c->aspectMask & aspects(&p->depth) : 0;
                if (aspect)
                    clear_depth(w, aspect, &a->pRects[j], &c->clearValue.depthStencil);
            } else if (c->colorAttachment < p->color_count &&
                       p->color[c->colorAttachment].view) {
                clear_color(w, c->colorAttachment, &a->pRects[j],
                            c->clearValue.color.uint32);
            }
        }
    }
    return true;
}
