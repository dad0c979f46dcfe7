// Images that draws read while they are attached to the pass, which payloads forbid.
//
// Depths that a pass tests but does not write are a common case: soft particles, say,
// compare themselves with the depths that hide them. A copy made ahead of the pass
// holds the same values, and is read instead.
#include "compiler/vulkan/walk_pipeline.h"

static bool overlaps(const VkImageSubresourceRange *a, const VkImageSubresourceRange *b,
                     bool volume)
{
    return a->baseMipLevel >= b->baseMipLevel &&
           a->baseMipLevel - b->baseMipLevel < b->levelCount &&
           (volume || (a->baseArrayLayer < b->baseArrayLayer + b->layerCount &&
                       b->baseArrayLayer < a->baseArrayLayer + a->layerCount));
}

static bool is_target(const struct gv_cap_image *target,
                      const struct gv_walk_view *attached,
                      const struct gv_cap_image *image, const struct gv_walk_view *read)
{
    return attached && target == image &&
           overlaps(&attached->range, &read->range,
                    image->info.imageType == VK_IMAGE_TYPE_3D);
}

static bool in_colours(const struct gv_walk_pass *p, const struct gv_cap_image *image,
                       const struct gv_walk_view *read)
{
    for (uint32_t i = 0; i < p->color_count; i++) {
        const struct gv_walk_target *t = &p->color[i];
        if (is_target(t->image, t->view, image, read) ||
            (t->view && is_target(t->resolve_image, t->resolve, image, read)))
            return true;
    }
    return false;
}

// Ahead of the pass, once in each.
static void copy_ahead(struct gv_walk *w, struct gv_cap_image *image)
{
    const VkImageCreateInfo *info = &image->info;
    gv_walk_begin_making(w);
    if (!image->twin)
        image->twin = gv_walk_make_image(w, info, GV_IMAGE_USAGE_SAMPLED).id;
    gv_walk_copy_texels(w, info, image->twin, image->base.lowered);
    gv_walk_end_making(w);
    w->pass.copied = true;
}

bool gv_walk_read_image(struct gv_walk *w, struct gv_cap_image *image,
                        const struct gv_walk_view *view, bool writes,
                        struct gv_image *lowered)
{
    struct gv_walk_pass *p = &w->pass;
    if (!p->open)
        return true;
    const bool depth = is_target(p->depth.image, p->depth.view, image, view);
    if (!depth && !in_colours(p, image, view))
        return true;
    if (!depth || writes || view->range.aspectMask & p->written) {
        gv_walk_unsupported(w, "%s: it reads an image that its pass writes",
                            w->cap->name);
        return false;
    }
    if (!p->copied)
        copy_ahead(w, image);
    *lowered = (struct gv_image){ image->twin };
    return true;
}
