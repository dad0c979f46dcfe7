// Render passes as they are created, of both kinds.
#include "compiler/vulkan/walk_pipeline.h"

static struct gv_walk_render_pass *make(struct gv_vulkan *v, uint32_t attachments,
                                        uint32_t subpasses)
{
    struct gv_walk_render_pass *p = gv_arena_alloc(v->arena, sizeof *p);
    if (!p)
        return NULL;
    p->attachments = gv_arena_array(v->arena, attachments, sizeof *p->attachments);
    p->subpasses = gv_arena_array(v->arena, subpasses, sizeof *p->subpasses);
    if (!p->attachments || !p->subpasses)
        return NULL;
    p->attachment_count = attachments;
    p->subpass_count = subpasses;
    return p;
}

// An attachment that a subpass names: one that exists, or none.
static uint32_t name(struct gv_walk_render_pass *p, uint32_t subpass,
                     uint32_t attachment)
{
    if (attachment >= p->attachment_count)
        return GV_WALK_UNUSED;
    p->attachments[attachment].last = subpass;
    return attachment;
}

#define ATTACHMENT(a)                         \
    ((struct gv_walk_attachment){             \
        .format = (a)->format,                \
        .load = (a)->loadOp,                  \
        .store = (a)->storeOp,                \
        .stencil_load = (a)->stencilLoadOp,   \
        .stencil_store = (a)->stencilStoreOp, \
    })

// The two kinds of description have members of the same names.
#define SUBPASS(p, i, s)                                                              \
    do {                                                                              \
        struct gv_walk_subpass *to = &(p)->subpasses[i];                              \
        to->color_count = (s)->colorAttachmentCount;                                  \
        if (to->color_count > GV_WALK_COLORS) {                                       \
            to->color_count = 0;                                                      \
            to->unsupported = "more than 8 colour attachments";                       \
        }                                                                             \
        for (uint32_t j = 0; j < to->color_count; j++) {                              \
            to->color[j] = name(p, i, (s)->pColorAttachments[j].attachment);          \
            to->resolve[j] = (s)->pResolveAttachments                                 \
                                 ? name(p, i, (s)->pResolveAttachments[j].attachment) \
                                 : GV_WALK_UNUSED;                                    \
        }                                                                             \
        to->depth = (s)->pDepthStencilAttachment                                      \
                        ? name(p, i, (s)->pDepthStencilAttachment->attachment)        \
                        : GV_WALK_UNUSED;                                             \
    } while (0)

bool gv_walk_render_pass(struct gv_vulkan *v,
                         const struct gv_vk_args_vkCreateRenderPass *a,
                         struct gv_error *err)
{
    const VkRenderPassCreateInfo *info = a->pCreateInfo;
    const VkRenderPassMultiviewCreateInfo *views = gv_walk_chained(
        info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    struct gv_walk_render_pass *p = make(v, info->attachmentCount, info->subpassCount);
    for (uint32_t i = 0; p && i < p->attachment_count; i++)
        p->attachments[i] = ATTACHMENT(&info->pAttachments[i]);
    for (uint32_t i = 0; p && i < p->subpass_count; i++) {
        SUBPASS(p, i, &info->pSubpasses[i]);
        if (views && i < views->subpassCount)
            p->subpasses[i].views = views->pViewMasks[i];
    }
    return gv_cap_keep(&v->cap, GV_VK_ID(*a->pRenderPass), GV_CAP_RENDER_PASS, p, err);
}

bool gv_walk_render_pass2(struct gv_vulkan *v,
                          const struct gv_vk_args_vkCreateRenderPass2 *a,
                          struct gv_error *err)
{
    const VkRenderPassCreateInfo2 *info = a->pCreateInfo;
    struct gv_walk_render_pass *p = make(v, info->attachmentCount, info->subpassCount);
    for (uint32_t i = 0; p && i < p->attachment_count; i++)
        p->attachments[i] = ATTACHMENT(&info->pAttachments[i]);
    for (uint32_t i = 0; p && i < p->subpass_count; i++) {
        const VkSubpassDescription2 *s = &info->pSubpasses[i];
        const VkSubpassDescriptionDepthStencilResolve *resolve = gv_walk_chained(
            s->pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
        SUBPASS(p, i, s);
        p->subpasses[i].views = s->viewMask;
        if (resolve && resolve->pDepthStencilResolveAttachment &&
            resolve->pDepthStencilResolveAttachment->attachment != GV_WALK_UNUSED)
            p->subpasses[i].unsupported = "resolves of depth and stencil";
    }
    return gv_cap_keep(&v->cap, GV_VK_ID(*a->pRenderPass), GV_CAP_RENDER_PASS, p, err);
}
