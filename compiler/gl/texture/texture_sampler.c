// Samplers of textures.
#include <math.h>
#include <string.h>

#include "compiler/gl/texture/texture_object.h"

// ---- from parameters ----

static uint32_t compare_of(uint32_t func)
{
    return func >= GL_NEVER && func <= GL_ALWAYS ? func - GL_NEVER
                                                 : GV_COMPARE_LESS_OR_EQUAL;
}

static bool filters_linearly(const struct gv_gl_texture_params *p)
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
static uint32_t address_of(const struct gv_gl_texture_params *p, uint32_t i,
                           uint8_t *clamp)
{
    switch (p->wrap[i]) {
    case GL_CLAMP:
        if (!filters_linearly(p))
            return GV_ADDRESS_MODE_CLAMP_TO_EDGE;
        *clamp |= (uint8_t)(1u << i | (mixes_filters(p) ? GV_GL_CLAMP_SHORT : 0));
        return GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_CLAMP_TO_EDGE:
        return GV_ADDRESS_MODE_CLAMP_TO_EDGE;
    case GL_CLAMP_TO_BORDER:
        return GV_ADDRESS_MODE_CLAMP_TO_BORDER;
    case GL_MIRRORED_REPEAT:
        return GV_ADDRESS_MODE_MIRRORED_REPEAT;
    case GL_MIRROR_CLAMP_TO_EDGE:
    case GL_MIRROR_CLAMP_EXT:
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    default:
        return GV_ADDRESS_MODE_REPEAT;
    }
}

// The border as it is stored, so that the view's swizzle brings back what GL reads:
// components that the format lacks are 0, alpha 1.
static void border_of(const struct gv_gl_texture *t,
                      const struct gv_gl_texture_format *f, struct gv_sampler_desc *d)
{
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
bool gv_gl_seamless(const struct gv_gl *gl)
{
    const struct gv_gl_context *c = gl->context;
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
    memcpy(&alpha, &d->border_values[3], 4);
    d->border = alpha < 0.5f ? GV_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK
                : is_dark(d) ? GV_BORDER_COLOR_FLOAT_OPAQUE_BLACK
                             : GV_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    memset(d->border_values, 0, sizeof d->border_values);
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

// What of `d` some devices lack, and `d` without it in `plain`.
static size_t luxuries(struct gv_builder *b, const struct gv_sampler_desc *d,
                       struct gv_requirement rows[4], struct gv_sampler_desc *plain)
{
    size_t count = 0;
    *plain = *d;
    plain->address_u = plain_address(d->address_u);
    plain->address_v = plain_address(d->address_v);
    plain->address_w = plain_address(d->address_w);
    if (plain->address_u != d->address_u || plain->address_v != d->address_v ||
        plain->address_w != d->address_w)
        prefer(b, rows, &count, mirror_feature, "textures mirrored more than once");
    if (d->border == GV_BORDER_COLOR_FLOAT_CUSTOM) {
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
    return count;
}

static struct gv_sampler make(struct gv_builder *b, const struct gv_sampler_desc *d)
{
    struct gv_requirement rows[4];
    struct gv_sampler_desc plain;
    size_t count = luxuries(b, d, rows, &plain);
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

struct gv_sampler gv_gl_texture_sampler(struct gv_gl *gl, const struct gv_gl_texture *t,
                                        struct gv_gl_unit_image *image, float unit_bias)
{
    const struct gv_gl_texture_params *p = &t->params;
    const struct gv_gl_texture_format *f = gv_gl_texture_base(t)->format;
    uint32_t min = p->min_filter;
    bool linear = min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST ||
                  min == GL_LINEAR_MIPMAP_LINEAR;
    bool between = min == GL_NEAREST_MIPMAP_LINEAR || min == GL_LINEAR_MIPMAP_LINEAR;
    bool plain = !gv_gl_is_depth(f); // depth is not filtered by every device
    struct gv_sampler_desc d = {
        .mag_filter =
            plain && mag_filter(t) == GL_LINEAR ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .min_filter = plain && linear ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .mip_filter = plain && between ? GV_FILTER_LINEAR : GV_FILTER_NEAREST,
        .lod_bias = lod_bias(p->lod_bias, unit_bias),
        .compare_enable = image->shadow,
        .compare = image->shadow ? compare_of(p->compare_func) : 0,
        .max_anisotropy = p->anisotropy > 1 ? fminf(p->anisotropy, 16) : 0,
        .non_seamless_cube = t->target == GV_GL_TARGET_CUBE && !gv_gl_seamless(gl),
    };
    image->clamp = 0;
    d.address_u = address_of(p, 0, &image->clamp);
    d.address_v = address_of(p, 1, &image->clamp);
    d.address_w = address_of(p, 2, &image->clamp);
    if (t->target == GV_GL_TARGET_CUBE)
        image->clamp = 0; // directions: their faces' coordinates are in 0..1
    lods_of(p, &d);
    if (d.address_u == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
        d.address_v == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
        d.address_w == GV_ADDRESS_MODE_CLAMP_TO_BORDER)
        border_of(t, f, &d);
    return make(gl->b, &d);
}
