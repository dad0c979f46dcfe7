#include "vm/rules/image_rules.h"

#include "resources/base/checked.h"
#include "vm/calls.h"
#include "vm/formats.h"

#include <inttypes.h>
#include <stdlib.h>

const struct gv_place_names gv_names_of_one = {
    .image = "image",
    .aspect = "aspect",
    .mip = "mip",
    .layer = "layer",
    .x = "x",
    .y = "y",
    .z = "z",
};
const struct gv_place_names gv_names_of_copy[2] = {
    { "dst", "dst_aspect", "dst_mip", "dst_layer", "dst_x", "dst_y", "dst_z" },
    { "src", "src_aspect", "src_mip", "src_layer", "src_x", "src_y", "src_z" },
};
const struct gv_place_names gv_names_of_blit[2] = {
    { "dst", "aspect", "dst_mip", "dst_layer", "dst_x0", "dst_y0", "dst_z0" },
    { "src", "aspect", "src_mip", "src_layer", "src_x0", "src_y0", "src_z0" },
};
const struct gv_place_names gv_names_of_resolve[2] = {
    { "dst", "dst", "dst_mip", "dst_layer", "dst_x", "dst_y", "dst" },
    { "src", "src", "src", "src_layer", "src_x", "src_y", "src" },
};

// ---- one place ----

static const struct gv_format_info *format_of(const struct gv_image_shape *image)
{
    return gv_format_info(image->format);
}

bool gv_rule_aspect(uint32_t aspects, uint32_t aspect, const char *argument,
                    struct gv_error *err)
{
    return (aspect && !(aspect & ~aspects)) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: aspects 0x%x of an image that has 0x%x", argument, aspect,
                   aspects);
}

bool gv_rule_range(const struct gv_image_shape *image, const struct gv_mip_range *range,
                   const char *mip_name, const char *layer_name, struct gv_error *err)
{
    if (!range->mips || !gv_range_inside(range->mip, range->mips, image->mips))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: %u mips from %u of an image of %u", mip_name, range->mips,
                       range->mip, image->mips);
    if (!range->layers || !gv_range_inside(range->layer, range->layers, image->layers))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: %u layers from %u of an image of %u", layer_name,
                       range->layers, range->layer, image->layers);
    return true;
}

// Along one side: inside, not empty, on block borders (or at the edge).
static bool side_fits(uint32_t at, uint32_t size, uint32_t whole, uint32_t block)
{
    return size && gv_range_inside(at, size, whole) && at % block == 0 &&
           (size % block == 0 || at + size == whole);
}

bool gv_rule_place(const struct gv_image_shape *image, const struct gv_texel_place *p,
                   const struct gv_place_names *names, struct gv_error *err)
{
    const struct gv_format_info *info = format_of(image);
    const struct gv_mip_range range = { p->mip, 1, p->layer, p->layers };
    const char *side = NULL;
    if (!gv_rule_aspect(info->aspects, p->aspect, names->aspect, err) ||
        !gv_rule_range(image, &range, names->mip, names->layer, err))
        return false;
    if (!side_fits(p->x, p->width, gv_mip_size(image->width, p->mip),
                   info->block_width))
        side = names->x;
    if (!side_fits(p->y, p->height, gv_mip_size(image->height, p->mip),
                   info->block_height))
        side = names->y;
    if (!side_fits(p->z, p->depth, gv_mip_size(image->depth, p->mip), 1))
        side = names->z;
    return !side || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                            "%s: %ux%ux%u at %u,%u,%u does not fit mip %u of "
                            "%ux%ux%u",
                            side, p->width, p->height, p->depth, p->x, p->y, p->z,
                            p->mip, image->width, image->height, image->depth);
}

// ---- two places ----

static bool overlap(const struct gv_texel_side *one, const struct gv_texel_side *other)
{
    const struct gv_texel_place *a = &one->place, *b = &other->place;
    return one->id == other->id && a->mip == b->mip &&
           a->layer < b->layer + b->layers && b->layer < a->layer + a->layers &&
           a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height &&
           a->z < b->z + b->depth && b->z < a->z + a->depth;
}

static bool rule_apart(const struct gv_texel_side *dst, const struct gv_texel_side *src,
                       struct gv_error *err)
{
    return !overlap(dst, src) || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                         "dst: source and destination overlap");
}

bool gv_rule_slices(uint32_t depth, uint32_t layers, struct gv_error *err)
{
    return (depth && layers && (depth == 1 || layers == 1)) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "layers: %u of depth %u; one of both must be 1", layers, depth);
}

void gv_set_slices(struct gv_texel_side *side, uint32_t slices)
{
    bool d3 = side->image->type == GV_IMAGE_TYPE_3D;
    side->place.depth = d3 ? slices : 1;
    side->place.layers = d3 ? 1 : slices;
}

bool gv_rule_copy(const struct gv_texel_side *dst, const struct gv_texel_side *src,
                  struct gv_error *err)
{
    const struct gv_format_info *to = format_of(dst->image);
    const struct gv_format_info *from = format_of(src->image);
    if (to->format_class != from->format_class ||
        dst->place.aspect != src->place.aspect)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: %s cannot be copied to %s as bits", from->name, to->name);
    if (dst->image->samples != src->image->samples)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: %u samples cannot be copied to %u", src->image->samples,
                       dst->image->samples);
    return rule_apart(dst, src, err);
}

// Numeric kinds that a blit converts between.
enum number_class { NUMBER_UINT, NUMBER_SINT, NUMBER_REAL };

static enum number_class number_class(const struct gv_format_info *info)
{
    if (info->kind == GV_FORMAT_KIND_UINT)
        return NUMBER_UINT;
    return info->kind == GV_FORMAT_KIND_SINT ? NUMBER_SINT : NUMBER_REAL;
}

bool gv_rule_blit_filter(uint32_t filter, struct gv_error *err)
{
    return filter != GV_FILTER_BOX || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                              "filter: BOX is of mips, not of blits");
}

bool gv_rule_blit(const struct gv_texel_side *dst, const struct gv_texel_side *src,
                  uint32_t filter, struct gv_error *err)
{
    const struct gv_format_info *to = format_of(dst->image);
    const struct gv_format_info *from = format_of(src->image);
    bool color = src->place.aspect == GV_ASPECT_COLOR;
    if (dst->image->samples > 1 || src->image->samples > 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: multisampled images are resolved, not blitted");
    if (color ? number_class(to) != number_class(from) : to != from)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "src: a blit cannot turn %s into %s", from->name, to->name);
    if (filter != GV_FILTER_NEAREST && color && number_class(from) != NUMBER_REAL)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "filter: %s has no linear filter", from->name);
    return rule_apart(dst, src, err);
}

bool gv_rule_resolve(const struct gv_image_shape *dst, const struct gv_image_shape *src,
                     struct gv_error *err)
{
    return (src->samples > 1 && dst->samples == 1 && src->format == dst->format &&
            dst->type == GV_IMAGE_TYPE_2D) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "src: a resolve goes from several samples to one, in one format");
}

static void span_side(int64_t a, int64_t b, uint32_t *at, uint32_t *size)
{
    *at = (uint32_t)(a < b ? a : b); // checked not to be negative
    *size = (uint32_t)llabs(b - a);
}

bool gv_set_corners(struct gv_texel_side *side, int32_t at[2][3], struct gv_error *err)
{
    struct gv_texel_place *p = &side->place;
    for (int corner = 0; corner < 2; corner++)
        for (int axis = 0; axis < 3; axis++)
            if (at[corner][axis] < 0)
                return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                               "a corner is negative");
    if (side->image->type == GV_IMAGE_TYPE_1D && at[0][1] > at[1][1])
        at[0][1] = 0, at[1][1] = 1;
    if (side->image->type != GV_IMAGE_TYPE_3D && at[0][2] > at[1][2])
        at[0][2] = 0, at[1][2] = 1;
    span_side(at[0][0], at[1][0], &p->x, &p->width);
    span_side(at[0][1], at[1][1], &p->y, &p->height);
    span_side(at[0][2], at[1][2], &p->z, &p->depth);
    return true;
}

// ---- bytes ----

bool gv_rule_bytes(const struct gv_image_shape *image, uint32_t aspect,
                   struct gv_error *err)
{
    if (!aspect || (aspect & (aspect - 1)))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "aspect: one at a time, not 0x%x", aspect);
    return image->samples == 1 ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "image: it is multisampled");
}

bool gv_rule_rows(const struct gv_image_shape *image, const struct gv_texel_place *p,
                  uint32_t row_bytes, uint32_t rows, uint64_t *bytes,
                  struct gv_error *err)
{
    const struct gv_texel_box texels = { p->width, p->height, p->depth * p->layers,
                                         row_bytes, rows };
    return gv_format_box_bytes(format_of(image), p->aspect, &texels, bytes) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "row_bytes: %u bytes and %u rows are too few for %ux%u", row_bytes,
                   rows, p->width, p->height);
}

bool gv_rule_given(uint64_t size, uint64_t needed, struct gv_error *err)
{
    return size >= needed ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "size: %" PRIu64 " bytes of data, %" PRIu64 " needed", size, needed);
}
