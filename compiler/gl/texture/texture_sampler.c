// Samplers of textures.
#include <math.h>
#include <string.h>

#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// ---- from parameters ----

static uint32_t compare_of(uint32_t func)
{
    return func >= GL_NEVER && func <= GL_ALWAYS ? func - GL_NEVER
                                                 : GV_COMPARE_LESS_OR_EQUAL;
}

bool gv_gl_filters_linearly(const struct gv_gl_texture_params *p)
{
    return p->mag_filter == GL_LINEAR || p->min_filter == GL_LINEAR ||
           p->min_filter == GL_LINEAR_MIPMAP_NEAREST ||
           p->min_filter == GL_LINEAR_MIPMAP_LINEAR;
}

static bool mixes_filters(const struct gv_gl_texture_params *p)
{
    bool nearest = p->min_filter == GL_NEAREST ||
                   p->min_filter == GL_NEAREST_MIPMAP_NEAREST ||
                   p->min_filter == GL_NEAREST_MIPMAP_LINEAR;
    return nearest != (p->mag_filter == GL_NEAREST);
}

// Sets a bit of `clamp` where the coordinate must be clamped to 0..1 first: GL_CLAMP,
// which mixes half of the border in at the edges.
static uint32_t clamp_address(const struct gv_gl_texture_params *p, uint32_t i,
                              uint8_t *clamp)
{
    if (!gv_gl_filters_linearly(p))
        return GV_ADDRESS_MODE_CLAMP_TO_EDGE;
    *clamp |= (uint8_t)(1u << i | (mixes_filters(p) ? GV_GL_CLAMP_SHORT : 0));
    return GV_ADDRESS_MODE_CLAMP_TO_BORDER;
}

static uint32_t address_of(const struct gv_gl_texture_params *p, uint32_t i,
                           uint8_t *clamp)
{
    switch (p->wrap[i]) {
    case GL_CLAMP:
        return clamp_address(p, i, clamp);
    case GL_CLAMP_TO_EDGE:
        return GV_ADDRESS_MODE_CLAMP_TO_EDGE;
    case GL_CLAMP_TO_BORDER:
        return GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_MIRRORED_REPEAT:
        return GV_ADDRESS_MODE_MIRRORED_REPEAT;
    case GL_MIRROR_CLAMP_EXT:
        *clamp |= (uint8_t)(GV_GL_CLAMP_MIRROR << i);
        return clamp_address(p, i, clamp);
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        *clamp |= (uint8_t)(GV_GL_CLAMP_MIRROR << i);
        return GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_MIRROR_CLAMP_TO_EDGE:
        return GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    default:
        return GV_ADDRESS_MODE_REPEAT;
    }
}

// The program's text does it, as the fixed function's does.
uint8_t gv_gl_clamp_of_unit(const struct gv_gl_context *c,
                            const struct gv_gl_objects *objects, uint32_t unit,
                            uint32_t target)
{
    static const uint8_t sides[GV_GL_TARGETS] = {
        [GV_GL_TARGET_1D] = 1,        [GV_GL_TARGET_2D] = 2,
        [GV_GL_TARGET_RECTANGLE] = 2, [GV_GL_TARGET_3D] = 3,
        [GV_GL_TARGET_1D_ARRAY] = 1,  [GV_GL_TARGET_2D_ARRAY] = 2,
    };
    const struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS ? gv_gl_texture_bound(c, objects, unit, target) : NULL;
    const struct gv_gl_sampler *sampler =
        t ? gv_gl_unit_sampler(c, objects, unit) : NULL;
    uint8_t bits = 0;
    if (!t)
        return 0;
    const struct gv_gl_texture_params *p = sampler ? &sampler->params : &t->params;
    for (uint32_t i = 0; i < sides[target]; i++)
        address_of(p, i, &bits);
    if (bits && (mixes_filters(p) || gv_gl_uses_mips(p->min_filter)))
        bits |= GV_GL_CLAMP_SLOPES;
    return bits;
}

bool gv_gl_filters_four(const struct gv_gl_context *c,
                        const struct gv_gl_objects *objects, uint32_t unit,
                        uint32_t target)
{
    const struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS ? gv_gl_texture_bound(c, objects, unit, target) : NULL;
    const struct gv_gl_texture_image *i = t ? gv_gl_texture_base(t) : NULL;
    const struct gv_gl_sampler *sampler =
        t ? gv_gl_unit_sampler(c, objects, unit) : NULL;
    if (!i || !i->format || !gv_gl_is_depth(i->format) || gv_gl_samples_stencil(t))
        return false;
    const struct gv_gl_texture_params *p = sampler ? &sampler->params : &t->params;
    return (target == GV_GL_TARGET_2D || target == GV_GL_TARGET_RECTANGLE) &&
           p->mag_filter == GL_LINEAR && p->min_filter == GL_LINEAR;
}

bool gv_gl_has_fractions(const struct gv_gl_context *c,
                         const struct gv_gl_objects *objects, uint32_t unit,
                         uint32_t target)
{
    const struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS ? gv_gl_texture_bound(c, objects, unit, target) : NULL;
    const struct gv_gl_texture_image *i = t ? gv_gl_texture_base(t) : NULL;
    if (!i || !i->format || !gv_gl_is_depth(i->format))
        return false;
    return (i->device == GV_FORMAT_D32_SFLOAT ||
            i->device == GV_FORMAT_D32_SFLOAT_S8_UINT) &&
           i->format->internal != GL_DEPTH_COMPONENT32F &&
           i->format->internal != GL_DEPTH32F_STENCIL8;
}

// Borders of integers: 0, 0, 0 and 0 or 1, or any.
static void integer_border(const struct gv_gl_texture *t,
                           const struct gv_gl_texture_format *f,
                           struct gv_sampler_desc *d)
{
    uint32_t given[4], stored[4], any = 0;
    memcpy(given, t->params.border, sizeof given);
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t from = f->layout.stored[i];
        stored[i] = from < 4 ? given[from] : from == 5;
        any |= i < 3 ? stored[i] : 0;
    }
    d->border = any || stored[3] > 1 ? GV_BORDER_COLOR_INT_CUSTOM
                : stored[3]          ? GV_BORDER_COLOR_INT_OPAQUE_BLACK
                                     : GV_BORDER_COLOR_INT_TRANSPARENT_BLACK;
    if (d->border == GV_BORDER_COLOR_INT_CUSTOM)
        memcpy(d->border_values, stored, sizeof stored);
}

// The border as it is stored, so that the view's swizzle brings back what GL reads:
// components that the format lacks are 0, alpha 1.
static void border_of(const struct gv_gl_texture *t,
                      const struct gv_gl_texture_image *image,
                      struct gv_sampler_desc *d)
{
    const struct gv_gl_texture_format *f = image->format;
    if (gv_gl_is_integer(image->device)) {
        integer_border(t, f, d);
        return;
    }
    float stored[4] = { 0, 0, 0, 1 };
    bool black = true, white = true;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t from = f->layout.stored[i];
        stored[i] = from < 4 ? t->params.border[from] : from == 5 ? 1.0f : 0.0f;
        black = black && stored[i] == (i == 3 ? 1.0f : 0.0f);
        white = white && stored[i] == 1;
    }
    bool clear = stored[0] == 0 && stored[1] == 0 && stored[2] == 0 && stored[3] == 0;
    d->border = clear   ? GV_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
                : black ? GV_BORDER_COLOR_FLOAT_OPAQUE_BLACK
                : white ? GV_BORDER_COLOR_FLOAT_OPAQUE_WHITE
                        : GV_BORDER_COLOR_FLOAT_CUSTOM;
    if (d->border == GV_BORDER_COLOR_FLOAT_CUSTOM)
        memcpy(d->border_values, stored, sizeof stored);
}

static float lod_bias(float texture, float unit)
{
    float bias = texture + unit;
    if (!(bias > -16))
        bias = -16;
    if (bias > 16)
        bias = 16;
    return roundf(bias * 256) / 256; // Mesa's steps
}

static float finite_lod(float lod, float instead)
{
    return lod > -1000 && lod < 1000 ? lod : lod <= -1000 ? -1000 : instead;
}

static void lods_of(const struct gv_gl_texture_params *p, struct gv_sampler_desc *d)
{
    float low = finite_lod(p->min_lod, 1000), high = finite_lod(p->max_lod, 1000);
    d->min_lod = low > 0 ? low : 0;
    d->max_lod = high > 0 ? high : 0;
    if (d->max_lod < d->min_lod) {
        float swapped = d->max_lod;
        d->max_lod = d->min_lod;
        d->min_lod = swapped;
    }
}

// Whether cubes are filtered across their edges: contexts of GLES 2 are ones of 3.2.
bool gv_gl_seamless(const struct gv_gl_context *c)
{
    return c->state.texture.seamless || (c->family == GV_GL_ES && c->version >= 20);
}

// llvmpipe takes the coordinates of rectangles for those of a whole texture each texel
// when it measures how densely they lie, so it finds nothing magnified.
static uint32_t mag_filter(const struct gv_gl_texture *t)
{
    return t->target == GV_GL_TARGET_RECTANGLE ? t->params.min_filter
                                               : t->params.mag_filter;
}

// ---- what devices may lack ----

static const char border_feature[] = "customBorderColorWithoutFormat";
static const char edges_feature[] = "nonSeamlessCubeMap";
static const char mirror_feature[] = "samplerMirrorClampToEdge";
static const char anisotropy_feature[] = "samplerAnisotropy";

static bool is_dark(const struct gv_sampler_desc *d)
{
    float c[4];
    memcpy(c, d->border_values, sizeof c);
    return c[0] + c[1] + c[2] < 1.5f;
}

// The nearest of the borders that every device has.
static void plain_border(struct gv_sampler_desc *d)
{
    float alpha;
    if (d->border == GV_BORDER_COLOR_INT_CUSTOM) {
        d->border = d->border_values[3] ? GV_BORDER_COLOR_INT_OPAQUE_BLACK
                                        : GV_BORDER_COLOR_INT_TRANSPARENT_BLACK;
        memset(d->border_values, 0, sizeof d->border_values);
        return;
    }
    memcpy(&alpha, &d->border_values[3], 4);
    d->border = alpha < 0.5f ? GV_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
                : is_dark(d) ? GV_BORDER_COLOR_FLOAT_OPAQUE_BLACK
                             : GV_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    memset(d->border_values, 0, sizeof d->border_values);
}

#define FILTER_LINEAR_BIT 0x1000u // VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT

// Formats that not every device filters: floats of 32 bits, depth, components of 16
// bits that are normalised.
static bool may_not_filter(const struct gv_format_info *f)
{
    bool wide = f->kind == GV_FORMAT_KIND_UNORM || f->kind == GV_FORMAT_KIND_SNORM;
    return f->aspects != GV_ASPECT_COLOR || f->bits[0] == 32 ||
           (wide && f->bits[0] == 16);
}

// What devices without `format` have instead, which all that filter the one filter.
static uint32_t filtered_as(uint32_t format)
{
    return format == GV_FORMAT_X8_D24_UNORM_PACK32 ? GV_FORMAT_D32_SFLOAT
           : format == GV_FORMAT_D24_UNORM_S8_UINT ? GV_FORMAT_D32_SFLOAT_S8_UINT
                                                   : format;
}

static void prefer_filter(struct gv_builder *b, struct gv_requirement *out,
                          const struct gv_format_info *f)
{
    *out = (struct gv_requirement){ .kind = GV_REQUIRE_FORMAT,
                                    .strength = GV_PREFERRED,
                                    .name = f->name,
                                    .value = FILTER_LINEAR_BIT,
                                    .fallback = "textures of that format unfiltered" };
    gv_builder_require(b, out);
}

static uint32_t plain_address(uint32_t mode)
{
    return mode == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
               ? GV_ADDRESS_MODE_MIRRORED_REPEAT
               : mode;
}

// Adds a feature that is better had than not.
static void prefer(struct gv_builder *b, struct gv_requirement rows[4], size_t *count,
                   const char *feature, const char *fallback)
{
    const struct gv_requirement row = { .kind = GV_REQUIRE_FEATURE,
                                        .strength = GV_PREFERRED,
                                        .name = feature,
                                        .fallback = fallback };
    gv_builder_require(b, &row);
    rows[(*count)++] = row;
}

#define MOST_BIAS 15.0F // that many devices have

static void prefer_bias(struct gv_builder *b, struct gv_requirement *out)
{
    *out = (struct gv_requirement){ .kind = GV_REQUIRE_LIMIT,
                                    .strength = GV_PREFERRED,
                                    .name = "maxSamplerLodBias",
                                    .value = 16,
                                    .fallback = "levels of detail off by 15 at most" };
    gv_builder_require(b, out);
}

static bool is_linear(const struct gv_sampler_desc *d)
{
    return d->mag_filter == GV_FILTER_LINEAR || d->min_filter == GV_FILTER_LINEAR ||
           d->mip_filter == GV_FILTER_LINEAR;
}

// What of `d` some devices lack, and `d` without it in `plain`.
static size_t luxuries(struct gv_builder *b, struct gv_sampler_desc *d, uint32_t format,
                       struct gv_requirement rows[4], struct gv_sampler_desc *plain)
{
    size_t count = 0;
    const struct gv_format_info *info = gv_format_info(filtered_as(format));
    // Comparisons are filtered wherever they can be made.
    if (is_linear(d) && !d->compare_enable && may_not_filter(info)) {
        prefer_filter(b, &rows[count++], info);
        d->max_anisotropy = 0; // there is no room for a fifth row
    }
    *plain = *d;
    if (count) {
        plain->mag_filter = plain->min_filter = GV_FILTER_NEAREST;
        plain->mip_filter = GV_FILTER_NEAREST;
    }
    plain->address_u = plain_address(d->address_u);
    plain->address_v = plain_address(d->address_v);
    plain->address_w = plain_address(d->address_w);
    if (plain->address_u != d->address_u || plain->address_v != d->address_v ||
        plain->address_w != d->address_w)
        prefer(b, rows, &count, mirror_feature, "textures mirrored more than once");
    if (d->border == GV_BORDER_COLOR_FLOAT_CUSTOM ||
        d->border == GV_BORDER_COLOR_INT_CUSTOM) {
        prefer(b, rows, &count, border_feature, "borders of textures black or white");
        plain_border(plain);
    }
    if (d->non_seamless_cube) {
        prefer(b, rows, &count, edges_feature, "cube maps filtered across edges");
        plain->non_seamless_cube = false;
    }
    if (d->max_anisotropy > 1) {
        prefer(b, rows, &count, anisotropy_feature, "textures filtered isotropically");
        plain->max_anisotropy = 0;
    }
    if (fabsf(d->lod_bias) > MOST_BIAS) {
        plain->lod_bias = copysignf(MOST_BIAS, d->lod_bias);
        if (count < 4)
            prefer_bias(b, &rows[count++]);
        else
            d->lod_bias = plain->lod_bias;
    }
    return count;
}

static struct gv_sampler make(struct gv_builder *b, struct gv_sampler_desc *d,
                              uint32_t format)
{
    struct gv_requirement rows[4];
    struct gv_sampler_desc plain;
    size_t count = luxuries(b, d, format, rows, &plain);
    if (!count)
        return gv_builder_sampler(b, d);
    gv_builder_either_begin(b, rows, count);
    struct gv_sampler sampler = gv_builder_sampler(b, d);
    gv_builder_either_else(b);
    if (gv_builder_either_same(b, sampler))
        gv_builder_sampler(b, &plain);
    gv_builder_either_end(b);
    return sampler;
}

// ---- the whole ----

struct gv_sampler gv_gl_texture_sampler(struct gv_gl_context *c, struct gv_builder *b,
                                        const struct gv_gl_texture *t,
                                        struct gv_gl_unit_image *image,
                                        const struct gv_gl_seen_by *by)
{
    const struct gv_gl_texture_params *p = &t->params;
    const struct gv_gl_texture_image *i = gv_gl_texture_base(t);
    uint32_t min = p->min_filter;
    bool linear = min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST ||
                  min == GL_LINEAR_MIPMAP_LINEAR;
    bool between = min == GL_NEAREST_MIPMAP_LINEAR || min == GL_LINEAR_MIPMAP_LINEAR;
    // Depth of two dimensions is filtered by the stages, for every device.
    // Samples are fetched one by one; integers among them may not be filtered.
    bool plain = i->samples <= 1 && !gv_gl_samples_stencil(t) &&
                 !(by->program ? by->four : image->four);
    const bool cube =
        t->target == GV_GL_TARGET_CUBE || t->target == GV_GL_TARGET_CUBE_ARRAY;
    struct gv_sampler_desc d = {
        .mag_filter =
            plain && mag_filter(t) == GL_LINEAR ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .min_filter = plain && linear ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .mip_filter = plain && between ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .lod_bias = lod_bias(p->lod_bias, by->unit_bias),
        .compare_enable = image->shadow,
        .compare = image->shadow ? compare_of(p->compare_func) : 0,
        .max_anisotropy = p->anisotropy > 1 ? fminf(p->anisotropy, 16) : 0,
        .non_seamless_cube = cube && !p->seamless && !gv_gl_seamless(c),
    };
    image->clamp = 0;
    d.address_u = address_of(p, 0, &image->clamp);
    d.address_v = address_of(p, 1, &image->clamp);
    d.address_w = address_of(p, 2, &image->clamp);
    if (cube) {
        // Directions: their faces' coordinates are in 0..1, and what a filter takes
        // from beyond is the face's edge in Mesa, whatever the wrap modes are.
        image->clamp = 0;
        d.address_u = d.address_v = d.address_w = GV_ADDRESS_MODE_CLAMP_TO_EDGE;
    }
    lods_of(p, &d);
    if (d.address_u == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
        d.address_v == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
        d.address_w == GV_ADDRESS_MODE_CLAMP_TO_BORDER)
        border_of(t, i, &d);
    return make(b, &d, i->device);
}
