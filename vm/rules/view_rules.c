#include "vm/rules/view_rules.h"

#include "resources/base/checked.h"
#include "vm/calls.h"
#include "vm/formats.h"

static const struct {
    uint32_t usage;
    const char *name;
} uses[] = {
    [GV_VIEW_USE_SAMPLED] = { GV_IMAGE_USAGE_SAMPLED, "SAMPLED" },
    [GV_VIEW_USE_STORAGE] = { GV_IMAGE_USAGE_STORAGE, "STORAGE" },
    [GV_VIEW_USE_COLOR] = { GV_IMAGE_USAGE_COLOR_ATTACHMENT, "COLOR_ATTACHMENT" },
    [GV_VIEW_USE_DEPTH_STENCIL] = { GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT,
                                    "DEPTH_STENCIL_ATTACHMENT" },
};

uint32_t gv_view_use_usage(uint32_t use)
{
    return uses[use].usage;
}

const char *gv_view_use_name(uint32_t use)
{
    return uses[use].name;
}

static bool is_attachment(const struct gv_view_shape *v)
{
    return v->use == GV_VIEW_USE_COLOR || v->use == GV_VIEW_USE_DEPTH_STENCIL;
}

static bool is_array(uint32_t type)
{
    return type == GV_VIEW_TYPE_1D_ARRAY || type == GV_VIEW_TYPE_2D_ARRAY ||
           type == GV_VIEW_TYPE_CUBE_ARRAY;
}

static bool is_cube(uint32_t type)
{
    return type == GV_VIEW_TYPE_CUBE || type == GV_VIEW_TYPE_CUBE_ARRAY;
}

// A 2D view of a 3D image counts slices as layers.
static bool takes_slices(const struct gv_image_shape *image,
                         const struct gv_view_shape *v)
{
    return image->type == GV_IMAGE_TYPE_3D && v->type != GV_VIEW_TYPE_3D;
}

static bool rule_type(const struct gv_image_shape *image, const struct gv_view_shape *v,
                      struct gv_error *err)
{
    bool d1 = v->type == GV_VIEW_TYPE_1D || v->type == GV_VIEW_TYPE_1D_ARRAY;
    bool d3 = v->type == GV_VIEW_TYPE_3D;
    bool fits = image->type == (d1   ? GV_IMAGE_TYPE_1D
                                : d3 ? GV_IMAGE_TYPE_3D
                                     : GV_IMAGE_TYPE_2D);
    if (takes_slices(image, v))
        fits = is_attachment(v) && !d1 && !is_cube(v->type) &&
               (image->flags & GV_IMAGE_FLAG_2D_ARRAY_COMPATIBLE);
    if (is_cube(v->type) && !(image->flags & GV_IMAGE_FLAG_CUBE_COMPATIBLE))
        fits = false;
    const char *name = gv_enum_value_name(GV_ENUM_ID_VIEW_TYPE, v->type);
    if (!fits)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "type: the image allows no view of type %s", name ? name : "?");
    return image->samples == 1 || v->type == GV_VIEW_TYPE_2D ||
           v->type == GV_VIEW_TYPE_2D_ARRAY ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "type: views of multisampled images are 2D");
}

static void fill_range(struct gv_view_shape *v, uint32_t all_mips, uint32_t all_layers)
{
    const uint32_t one = v->type == GV_VIEW_TYPE_CUBE ? 6 : 1;
    if (!v->mips && v->mip < all_mips)
        v->mips = v->use == GV_VIEW_USE_SAMPLED ? all_mips - v->mip : 1;
    if (!v->layers && v->layer < all_layers)
        v->layers = is_array(v->type) ? all_layers - v->layer : one;
    if (v->type == GV_VIEW_TYPE_CUBE_ARRAY)
        v->layers -= v->layers % 6;
}

static bool rule_view_range(const struct gv_image_shape *image, struct gv_view_shape *v,
                            struct gv_error *err)
{
    const uint32_t one = v->type == GV_VIEW_TYPE_CUBE ? 6 : 1;
    struct gv_image_shape whole = *image;
    if (takes_slices(image, v) && v->mip < image->mips)
        whole.layers = gv_mip_size(image->depth, v->mip);
    fill_range(v, whole.mips, whole.layers);
    const struct gv_mip_range range = { v->mip, v->mips, v->layer, v->layers };
    if (!gv_rule_range(&whole, &range, "mip", "layer", err))
        return false;
    if (v->use != GV_VIEW_USE_SAMPLED && v->mips != 1)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "mips: only one can be written");
    return is_array(v->type) || v->layers == one ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "layers: %u in a view that is no array", v->layers);
}

static bool rule_format(const struct gv_image_shape *image, struct gv_view_shape *v,
                        struct gv_error *err)
{
    const struct gv_format_info *own = gv_format_info(image->format);
    if (!v->format)
        v->format = image->format;
    const struct gv_format_info *info = gv_format_info(v->format);
    if (!info)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "format: no such format");
    return info == own ||
           ((image->flags & GV_IMAGE_FLAG_MUTABLE_FORMAT) &&
            info->format_class == own->format_class &&
            own->aspects == GV_ASPECT_COLOR) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "format: an image of %s allows no view of %s", own->name,
                   info->name);
}

static bool rule_view_aspect(const struct gv_image_shape *image,
                             struct gv_view_shape *v, struct gv_error *err)
{
    const uint32_t aspects = gv_format_info(image->format)->aspects;
    if (is_attachment(v) || !v->aspect)
        v->aspect = aspects;
    if (!is_attachment(v) && v->aspect == (GV_ASPECT_DEPTH | GV_ASPECT_STENCIL))
        v->aspect = GV_ASPECT_DEPTH; // a shader sees one of both
    return gv_rule_aspect(aspects, v->aspect, "aspect", err);
}

static bool rule_swizzle(const struct gv_view_shape *v, struct gv_error *err)
{
    bool ok = v->swizzle < 0x10000;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t one = v->swizzle >> (4 * i) & 15;
        ok = ok && one <= GV_SWIZZLE_A;
        // Only sampled views may select components.
        if (v->use != GV_VIEW_USE_SAMPLED && one != GV_SWIZZLE_IDENTITY &&
            one != GV_SWIZZLE_R + i)
            ok = false;
    }
    return ok || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "swizzle: 0x%x is none here",
                         v->swizzle);
}

bool gv_rule_view(const struct gv_image_shape *image, struct gv_view_shape *view,
                  struct gv_error *err)
{
    if (!(image->usage & uses[view->use].usage))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "image: it was created without usage %s", uses[view->use].name);
    return rule_type(image, view, err) && rule_view_range(image, view, err) &&
           rule_format(image, view, err) && rule_view_aspect(image, view, err) &&
           rule_swizzle(view, err);
}
