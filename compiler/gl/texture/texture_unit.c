// What units sample: by the enables of the fixed function, or as a program's sampler
// wants it.
#include <string.h>

#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

bool gv_gl_samples_stencil(const struct gv_gl_texture *t)
{
    uint32_t base = gv_gl_texture_base(t)->format->base;
    return base == GL_STENCIL_INDEX ||
           (base == GL_DEPTH_STENCIL && t->params.stencil_mode == GL_STENCIL_INDEX);
}

// Whether a filter mixes texels or levels.
static bool filters(const struct gv_gl_texture_params *p)
{
    return gv_gl_filters_linearly(p) || p->min_filter == GL_NEAREST_MIPMAP_LINEAR;
}

bool gv_gl_uses_mips(uint32_t min_filter)
{
    return min_filter != GL_NEAREST && min_filter != GL_LINEAR;
}

// ---- views ----

uint32_t gv_gl_texels_of(uint32_t format)
{
    const uint32_t kind = gv_format_info(format)->kind;
    return kind == GV_FORMAT_KIND_UINT   ? GV_LOWER_TEXELS_UINT
           : kind == GV_FORMAT_KIND_SINT ? GV_LOWER_TEXELS_SINT
                                         : GV_LOWER_TEXELS_FLOAT;
}

uint32_t gv_gl_view_type(uint32_t target)
{
    static const uint8_t types[GV_GL_TARGETS] = {
        [GV_GL_TARGET_1D] = GV_VIEW_TYPE_1D,
        [GV_GL_TARGET_2D] = GV_VIEW_TYPE_2D,
        [GV_GL_TARGET_RECTANGLE] = GV_VIEW_TYPE_2D,
        [GV_GL_TARGET_3D] = GV_VIEW_TYPE_3D,
        [GV_GL_TARGET_CUBE] = GV_VIEW_TYPE_CUBE,
        [GV_GL_TARGET_1D_ARRAY] = GV_VIEW_TYPE_1D_ARRAY,
        [GV_GL_TARGET_2D_ARRAY] = GV_VIEW_TYPE_2D_ARRAY,
        [GV_GL_TARGET_EXTERNAL] = GV_VIEW_TYPE_2D,
        [GV_GL_TARGET_2D_SAMPLES] = GV_VIEW_TYPE_2D,
        [GV_GL_TARGET_2D_SAMPLES_ARRAY] = GV_VIEW_TYPE_2D_ARRAY,
        [GV_GL_TARGET_CUBE_ARRAY] = GV_VIEW_TYPE_CUBE_ARRAY,
    };
    return types[target];
}

// GL_DEPTH_TEXTURE_MODE. GLES has none: what OES_depth_texture makes, without a size,
// is luminance, and what OpenGL ES 3 makes is red alone (3.0.6, table 3.23).
static uint32_t depth_mode_of(const struct gv_gl_texture *t)
{
    const struct gv_gl_texture_image *base = gv_gl_texture_base(t);
    const uint32_t internal = base ? base->format->internal : GL_NONE;
    if (t->params.depth_mode != GL_NONE)
        return t->params.depth_mode;
    return internal == GL_DEPTH_COMPONENT || internal == GL_DEPTH_STENCIL ? GL_LUMINANCE
                                                                          : GL_RED;
}

// How depth is read as a colour (GL_DEPTH_TEXTURE_MODE).
static void depth_view(uint32_t mode, uint8_t view[4])
{
    bool alpha = mode == GL_ALPHA, red = mode == GL_RED;
    uint8_t value = GV_SWIZZLE_R, zero = GV_SWIZZLE_ZERO, one = GV_SWIZZLE_ONE;
    view[0] = alpha ? zero : value;
    view[1] = view[2] = alpha || red ? zero : value;
    view[3] = mode == GL_LUMINANCE || red ? one : value;
}

static uint32_t swizzle_of(const struct gv_gl_texture *t,
                           const struct gv_gl_texture_format *f,
                           const struct gv_gl_seen_by *by)
{
    uint8_t view[4];
    uint32_t packed = 0, mode = depth_mode_of(t);
    memcpy(view, f->layout.view, sizeof view);
    // What compares gives one number, which GL_ALPHA would make 0: the program itself
    // knows of modes. Mesa does the same to all that GLSL 1.30 samples.
    const bool alpha = mode == GL_ALPHA && by->program && (by->shadow || by->modern);
    if (gv_gl_is_depth(f) || gv_gl_samples_stencil(t))
        depth_view(alpha ? GL_INTENSITY : mode, view);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t from = t->params.swizzle[i], component = GV_SWIZZLE_ZERO;
        if (from >= GL_RED && from <= GL_ALPHA)
            component = view[from - GL_RED];
        else if (from == GL_ONE)
            component = GV_SWIZZLE_ONE;
        packed |= component << 4 * i;
    }
    return packed;
}

// ---- a texture as a sampler sees it ----

static uint32_t texels_of(const struct gv_gl_texture *t, uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (gv_gl_samples_stencil(t))
        return GV_LOWER_TEXELS_UINT;
    return info->aspects != GV_ASPECT_COLOR    ? GV_LOWER_TEXELS_FLOAT
           : info->kind == GV_FORMAT_KIND_UINT ? GV_LOWER_TEXELS_UINT
           : info->kind == GV_FORMAT_KIND_SINT ? GV_LOWER_TEXELS_SINT
                                               : GV_LOWER_TEXELS_FLOAT;
}

// Brings the levels that are sampled into one image. False: incomplete, or failed.
static bool ready(struct gv_gl *gl, struct gv_gl_texture *t, struct gv_gl_levels *r,
                  struct gv_error *err, bool *failed)
{
    *failed = !gv_gl_texture_settle(gl, t, err);
    if (*failed || !gv_gl_texture_base_complete(t, &r->last))
        return false;
    r->first = gv_gl_texture_base_level(t);
    const struct gv_gl_texture_params *p = &t->params;
    bool several = t->images[0][r->first]->samples > 1;
    bool whole = texels_of(t, t->images[0][r->first]->device) != GV_LOWER_TEXELS_FLOAT;
    if (whole && !several && filters(p))
        return false; // integers are not filtered
    if (several || !gv_gl_uses_mips(p->min_filter))
        r->last = r->first;
    else if (!gv_gl_texture_mips_complete(t, r->last))
        return false;
    *failed = !gv_gl_texture_gather(gl, t, 0, *r, err);
    return !*failed;
}

// How stages filter depth. Comparisons through several filters are the device's. Of
// rectangles nothing is magnified (texture_sampler.c).
static uint8_t four_of(const struct gv_gl_texture_params *p, bool rectangle,
                       bool compares)
{
    const uint32_t min = p->min_filter, mag = rectangle ? min : p->mag_filter;
    const bool linear = min == GL_LINEAR || min == GL_LINEAR_MIPMAP_NEAREST ||
                        min == GL_LINEAR_MIPMAP_LINEAR;
    const bool between =
        min == GL_NEAREST_MIPMAP_LINEAR || min == GL_LINEAR_MIPMAP_LINEAR;
    const uint32_t four = (mag == GL_LINEAR ? GV_GL_FOUR_MAG : 0u) |
                          (linear ? GV_GL_FOUR_MIN : 0u) |
                          (between ? GV_GL_FOUR_BETWEEN : 0u) |
                          (gv_gl_uses_mips(min) ? GV_GL_FOUR_LEVELS : 0u);
    const bool nearest = !(four & ~GV_GL_FOUR_LEVELS);
    return nearest || (compares && four != GV_GL_FOUR_ALWAYS) ? 0 : (uint8_t)four;
}

static void see_unit(const struct gv_gl_texture *t, const struct gv_gl_seen_by *by,
                     struct gv_gl_unit_image *u)
{
    const struct gv_gl_texture_image *i = gv_gl_texture_base(t);
    bool depth = gv_gl_is_depth(i->format) && !gv_gl_samples_stencil(t),
         rectangle = t->target == GV_GL_TARGET_RECTANGLE;
    *u = (struct gv_gl_unit_image){
        .there = true,
        .target = t->target,
        .shadow = by->program ? by->shadow : depth && t->params.compare_mode != GL_NONE,
        .depth_mode = (uint16_t)depth_mode_of(t),
        .base_format = (uint16_t)i->format->base,
        .scale = { rectangle ? 1 / (float)i->width : 1,
                   rectangle ? 1 / (float)i->height : 1 },
    };
    if (!by->program && depth && (t->target == GV_GL_TARGET_2D || rectangle))
        u->four = four_of(&t->params, rectangle, u->shadow);
}

static bool look(struct gv_gl *gl, struct gv_gl_texture *t,
                 const struct gv_gl_seen_by *by, struct gv_error *err, bool *failed)
{
    struct gv_gl_levels r;
    if (!ready(gl, t, &r, err, failed))
        return false;
    const struct gv_gl_texture_image *i = t->images[0][r.first];
    const struct gv_gl_store *s = i->store;
    struct gv_gl_unit_image *u = &t->seen.image;
    see_unit(t, by, u);
    t->seen.texels = texels_of(t, i->device);
    t->seen.depth = gv_gl_is_depth(i->format) && !gv_gl_samples_stencil(t);
    t->seen.size = (struct gv_gl_sampled_size){ s->format, i->width, i->height,
                                                i->depth, s->samples };
    t->seen.texture = (struct gv_lower_texture){
        .image = s->image,
        .type = gv_gl_view_type(t->target),
        .aspect = gv_gl_samples_stencil(t)    ? GV_ASPECT_STENCIL
                  : gv_gl_is_depth(i->format) ? GV_ASPECT_DEPTH
                                              : GV_ASPECT_COLOR,
        .swizzle = swizzle_of(t, i->format, by),
        .mip = gv_gl_store_mip(t, s, r.first),
        .mips = r.last - r.first + 1,
        .layer = t->view_layer,
        .layers = t->target == GV_GL_TARGET_3D ? 1 : i->depth * gv_gl_texture_faces(t),
        .sampler = gv_gl_texture_sampler(gl->context, gl->sink.b, t, u, by),
    };
    if (i->device != s->format)
        t->seen.texture.format = i->device;
    if (i->device == GV_FORMAT_R8G8B8A8_SRGB &&
        t->params.srgb_decode == GL_SKIP_DECODE_EXT)
        t->seen.texture.format = GV_FORMAT_R8G8B8A8_UNORM;
    return true;
}

// Whether texels wait or mips are to be made.
static bool waits(const struct gv_gl_texture *t)
{
    bool any = t->stale;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++)
        for (uint32_t level = 0; level < GV_GL_LEVELS; level++)
            any = any || (t->images[face][level] && t->images[face][level]->first);
    return any;
}

// The texture's parameters where a sampler object has a say.
static void override(struct gv_gl_texture_params *p,
                     const struct gv_gl_texture_params *by)
{
    const struct gv_gl_texture_params own = *p;
    *p = *by;
    p->priority = own.priority;
    p->base_level = own.base_level;
    p->max_level = own.max_level;
    p->depth_mode = own.depth_mode;
    p->stencil_mode = own.stencil_mode;
    memcpy(p->swizzle, own.swizzle, sizeof p->swizzle);
    p->generate_mipmap = own.generate_mipmap;
    memcpy(p->crop, own.crop, sizeof p->crop);
}

static bool same_eyes(const struct gv_gl_seen_by *a, const struct gv_gl_seen_by *b)
{
    return a->unit_bias == b->unit_bias && a->sampler == b->sampler &&
           a->seamless == b->seamless && a->program == b->program &&
           a->shadow == b->shadow && a->modern == b->modern && a->four == b->four;
}

static bool sampled_of(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t unit,
                       struct gv_gl_seen_by by, struct gv_gl_sampled *out,
                       struct gv_error *err)
{
    const struct gv_gl_sampler *sampler =
        gv_gl_unit_sampler(gl->context, &gl->objects, unit);
    bool failed = false;
    by.unit_bias =
        unit < GV_GL_UNITS ? gl->context->state.texture.units[unit].lod_bias : 0;
    by.sampler = sampler ? sampler->version : 0;
    by.seamless = gv_gl_seamless(gl->context);
    if (!t->settled || !same_eyes(&t->by, &by) || waits(t)) {
        const struct gv_gl_texture_params own = t->params;
        if (sampler)
            override(&t->params, &sampler->params);
        t->complete = look(gl, t, &by, err, &failed);
        t->params = own;
        t->settled = true;
        t->by = by;
    }
    if (t->complete) {
        gv_gl_store_use(&gl->sink.pass, gv_gl_texture_base(t)->store);
        *out = t->seen;
    }
    return !failed;
}

// ---- units ----

bool gv_gl_texture_sampled(struct gv_gl *gl, uint32_t unit, struct gv_gl_sampled *out,
                           struct gv_error *err)
{
    const struct gv_gl_unit *u = &gl->context->state.texture.units[unit];
    const struct gv_gl_seen_by fixed = { 0 };
    *out = (struct gv_gl_sampled){ 0 };
    if (!u->enabled)
        return true;
    for (uint32_t target = GV_GL_TARGETS; target-- > 0 && !out->image.there;) {
        struct gv_gl_texture *t =
            u->enabled >> target & 1
                ? gv_gl_texture_bound(gl->context, &gl->objects, unit, target)
                : NULL;
        if (t && !sampled_of(gl, t, unit, fixed, out, err))
            return false;
        if (out->texels !=
            GV_LOWER_TEXELS_FLOAT) // the fixed function takes no integers
            *out = (struct gv_gl_sampled){ 0 };
    }
    return true;
}

static enum gv_lower_shape shape_of(uint32_t target)
{
    switch (target) {
    case GV_GL_TARGET_1D:
    case GV_GL_TARGET_1D_ARRAY:
        return GV_LOWER_SHAPE_1D;
    case GV_GL_TARGET_3D:
        return GV_LOWER_SHAPE_3D;
    case GV_GL_TARGET_CUBE:
    case GV_GL_TARGET_CUBE_ARRAY:
        return GV_LOWER_SHAPE_CUBE;
    case GV_GL_TARGET_2D_SAMPLES:
    case GV_GL_TARGET_2D_SAMPLES_ARRAY:
        return GV_LOWER_SHAPE_SAMPLES;
    default:
        return GV_LOWER_SHAPE_2D;
    }
}

// What incomplete textures read: 0, 0, 0, 1.
static void stand_in(struct gv_gl_textures *textures, struct gv_builder *b,
                     const struct gv_gl_texture_use *use, struct gv_gl_sampled *out)
{
    enum gv_lower_shape shape = shape_of(use->target);
    uint32_t texels = use->shadow ? (uint32_t)GV_LOWER_TEXELS_DEPTH : use->texels;
    const struct gv_sampler_desc d = { .compare_enable = use->shadow,
                                       .compare = GV_COMPARE_LESS_OR_EQUAL };
    *out = (struct gv_gl_sampled){
        .image = { .target = use->target, .scale = { 1, 1 } },
        .texels = use->texels,
        .texture = { .image = gv_lower_stand_in(&textures->stand_ins, shape, texels),
                     .type = gv_gl_view_type(use->target),
                     .aspect = use->shadow ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR,
                     .swizzle = use->shadow
                                    ? 0
                                    : (GV_SWIZZLE_ZERO * 0x111u | GV_SWIZZLE_ONE << 12),
                     .mips = 1,
                     .layers = shape == GV_LOWER_SHAPE_CUBE ? 6 : 1,
                     .sampler = gv_builder_sampler(b, &d) },
    };
}

uint32_t gv_gl_depth_mode_of_unit(const struct gv_gl_context *c,
                                  const struct gv_gl_objects *objects, uint32_t unit,
                                  uint32_t target)
{
    const struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS ? gv_gl_texture_bound(c, objects, unit, target) : NULL;
    return t ? depth_mode_of(t) : GL_LUMINANCE;
}

bool gv_gl_texture_of_unit(struct gv_gl *gl, uint32_t unit,
                           const struct gv_gl_texture_use *use,
                           struct gv_gl_sampled *out, struct gv_error *err)
{
    const struct gv_gl_seen_by by = {
        .program = true, .shadow = use->shadow, .modern = use->modern, .four = use->four
    };
    struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS
            ? gv_gl_texture_bound(gl->context, &gl->objects, unit, use->target)
            : NULL;
    *out = (struct gv_gl_sampled){ 0 };
    if (t && !sampled_of(gl, t, unit, by, out, err))
        return false;
    // GL leaves open what samplers of another kind read.
    bool fits = use->shadow ? out->depth : out->texels == use->texels;
    if (!out->image.there || !fits)
        stand_in(gl->objects.textures, gl->sink.b, use, out);
    return !gv_builder_failed(gl->sink.b, err);
}
