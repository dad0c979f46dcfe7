#include "vm/rules/pass_rules.h"

#include "vm/calls.h"
#include "vm/formats.h"

#define MAX_TARGETS (2 * GV_MAX_COLOR_ATTACHMENTS + 1)

bool gv_rule_target(const struct gv_target_shape *t, uint32_t usage,
                    struct gv_error *err)
{
    // Of a 3D image, the slices of the mip.
    const uint32_t layers = t->image->type == GV_IMAGE_TYPE_3D
                                ? gv_mip_size(t->image->depth, t->mip)
                                : t->image->layers;
    if (!(t->image->usage & usage))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "image: made without attachment usage");
    if (t->mip >= t->image->mips)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "image: mip %u of %u", t->mip,
                       t->image->mips);
    if (t->layer >= layers || t->layers == 0 || t->layers > layers - t->layer)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "image: layers %u+%u of %u",
                       t->layer, t->layers, layers);
    return true;
}

bool gv_rule_color_index(uint64_t index, struct gv_error *err)
{
    return index < GV_MAX_COLOR_ATTACHMENTS ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "index %llu",
                   (unsigned long long)index);
}

bool gv_rule_resolve_target(const struct gv_image_shape *image, struct gv_error *err)
{
    return image->samples == 1 ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "image: resolves need a single-sampled image");
}

static bool rule_size(const struct gv_pass_shape *pass, const struct gv_target_shape *t,
                      struct gv_error *err)
{
    const uint32_t width = gv_mip_size(t->image->width, t->mip);
    const uint32_t height = gv_mip_size(t->image->height, t->mip);
    if (pass->width > width || pass->height > height)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%ux%u is larger than an attachment of %ux%u", pass->width,
                       pass->height, width, height);
    return pass->layers <= t->layers ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%u layers, an attachment has %u",
                   pass->layers, t->layers);
}

static bool rule_samples(uint32_t *samples, const struct gv_target_shape *t,
                         struct gv_error *err)
{
    if (*samples && *samples != t->image->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "attachments of %u and %u samples", *samples, t->image->samples);
    *samples = t->image->samples;
    return true;
}

static bool overlap(const struct gv_target_shape *a, const struct gv_target_shape *b)
{
    return a->id == b->id && a->mip == b->mip && a->layer < b->layer + b->layers &&
           b->layer < a->layer + a->layers;
}

static uint32_t format_of(const struct gv_target_shape *t)
{
    return t->format ? t->format : t->image->format;
}

static bool rule_resolve(const struct gv_target_shape *target,
                         const struct gv_target_shape *resolve, struct gv_error *err)
{
    if (!target->image || target->image->samples == 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "a resolve without a multisampled attachment");
    return format_of(target) == format_of(resolve) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "a resolve between different formats");
}

static size_t list(const struct gv_pass_shape *pass,
                   const struct gv_target_shape *out[MAX_TARGETS])
{
    size_t n = 0;
    for (int i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        if (pass->color[i].image)
            out[n++] = &pass->color[i];
        if (pass->resolve[i].image)
            out[n++] = &pass->resolve[i];
    }
    if (pass->depth.image)
        out[n++] = &pass->depth;
    return n;
}

static bool rule_apart(const struct gv_target_shape *const *targets, size_t count,
                       struct gv_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (overlap(targets[i], targets[j]))
                return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                               "one subresource is attached twice");
    return true;
}

bool gv_rule_pass(const struct gv_pass_shape *pass, struct gv_error *err)
{
    const struct gv_target_shape *targets[MAX_TARGETS];
    const size_t count = list(pass, targets);
    uint32_t samples = 0;
    if (pass->width == 0 || pass->height == 0 || pass->layers == 0)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "a pass of %ux%ux%u",
                       pass->width, pass->height, pass->layers);
    for (size_t i = 0; i < count; i++)
        if (!rule_size(pass, targets[i], err))
            return false;
    for (int i = 0; i < GV_MAX_COLOR_ATTACHMENTS; i++)
        if ((pass->color[i].image && !rule_samples(&samples, &pass->color[i], err)) ||
            (pass->resolve[i].image &&
             !rule_resolve(&pass->color[i], &pass->resolve[i], err)))
            return false;
    return (!pass->depth.image || rule_samples(&samples, &pass->depth, err)) &&
           rule_apart(targets, count, err);
}
