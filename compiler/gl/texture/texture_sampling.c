// What units sample: completeness, views, samplers.
#include <string.h>

#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// ---- completeness (OpenGL 2.1, section 3.8.10) ----

static uint32_t log2_floor(uint32_t v)
{
    uint32_t n = 0;
    while (v >>= 1)
        n++;
    return n;
}

static bool same_image(const struct gv_gl_texture_image *a,
                       const struct gv_gl_texture_image *b)
{
    return b && a->format == b->format && a->device == b->device &&
           a->width == b->width && a->height == b->height && a->depth == b->depth;
}

// Level `level` of all faces.
static bool faces_complete(const struct gv_gl_texture *t, uint32_t level)
{
    const struct gv_gl_texture_image *a = t->images[0][level];
    if (!a || !a->width || !a->height || !a->depth)
        return false;
    for (uint32_t face = 1; face < gv_gl_texture_faces(t); face++)
        if (!same_image(a, t->images[face][level]))
            return false;
    return t->target != GV_GL_TARGET_CUBE || a->width == a->height;
}

bool gv_gl_texture_base_complete(const struct gv_gl_texture *t, uint32_t *last)
{
    const struct gv_gl_texture_params *p = &t->params;
    int32_t base = p->base_level, max = p->max_level;
    if (t->immutable) { // clamped to what there is
        int32_t top = (int32_t)t->immutable_levels - 1;
        base = base < top ? base : top;
        max = max < base ? base : max < top ? max : top;
    }
    if (base < 0 || (uint32_t)base >= GV_GL_LEVELS || max < base ||
        !faces_complete(t, (uint32_t)base))
        return false;
    const struct gv_gl_texture_image *i = t->images[0][base];
    uint32_t side = i->width > i->height ? i->width : i->height;
    if (t->target == GV_GL_TARGET_3D && i->depth > side)
        side = i->depth;
    uint32_t lowest = (uint32_t)base + log2_floor(side);
    if (t->target == GV_GL_TARGET_RECTANGLE)
        lowest = (uint32_t)base;
    *last = (uint32_t)max < lowest ? (uint32_t)max : lowest;
    if (*last >= GV_GL_LEVELS)
        *last = GV_GL_LEVELS - 1;
    return true;
}

uint32_t gv_gl_texture_base_level(const struct gv_gl_texture *t)
{
    uint32_t base = (uint32_t)t->params.base_level;
    return t->immutable && base >= t->immutable_levels ? t->immutable_levels - 1 : base;
}

const struct gv_gl_texture_image *gv_gl_texture_base(const struct gv_gl_texture *t)
{
    return t->images[0][gv_gl_texture_base_level(t)];
}

bool gv_gl_texture_mips_complete(const struct gv_gl_texture *t, uint32_t last)
{
    uint32_t base = gv_gl_texture_base_level(t);
    const struct gv_gl_texture_image *i = t->images[0][base];
    bool volume = t->target == GV_GL_TARGET_3D;
    for (uint32_t level = base + 1; level <= last; level++) {
        const struct gv_gl_texture_image *m = t->images[0][level];
        uint32_t by = level - base;
        if (!faces_complete(t, level) || m->format != i->format ||
            m->device != i->device || m->width != gv_mip_size(i->width, by) ||
            m->height != gv_mip_size(i->height, by) ||
            m->depth != (volume ? gv_mip_size(i->depth, by) : i->depth))
            return false;
    }
    return true;
}

static bool uses_mips(uint32_t min_filter)
{
    return min_filter != GL_NEAREST && min_filter != GL_LINEAR;
}

// ---- views ----

static uint32_t view_type(const struct gv_gl_texture *t)
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
        [GV_GL_TARGET_CUBE_ARRAY] = GV_VIEW_TYPE_CUBE_ARRAY,
    };
    return types[t->target];
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
                           const struct gv_gl_texture_format *f)
{
    uint8_t view[4];
    uint32_t packed = 0;
    memcpy(view, f->layout.view, sizeof view);
    if (gv_gl_is_depth(f))
        depth_view(t->params.depth_mode, view);
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

// ---- units ----

// Completes `t` for a unit: false where it is incomplete.
static bool look(struct gv_gl *gl, struct gv_gl_texture *t, float unit_bias,
                 struct gv_error *err, bool *failed)
{
    uint32_t last;
    if (!gv_gl_texture_settle(gl, t, err)) {
        *failed = true;
        return false;
    }
    if (!gv_gl_texture_base_complete(t, &last))
        return false;
    uint32_t base = gv_gl_texture_base_level(t);
    if (!uses_mips(t->params.min_filter))
        last = base;
    else if (!gv_gl_texture_mips_complete(t, last))
        return false;
    if (!gv_gl_texture_gather(gl, t, 0, (struct gv_gl_levels){ base, last }, err)) {
        *failed = true;
        return false;
    }
    const struct gv_gl_texture_image *i = t->images[0][base];
    const struct gv_gl_store *s = i->store;
    bool depth = gv_gl_is_depth(i->format),
         rectangle = t->target == GV_GL_TARGET_RECTANGLE;
    struct gv_gl_unit_image *u = &t->seen.image;
    *u = (struct gv_gl_unit_image){
        .there = true,
        .target = t->target,
        .shadow = depth && t->params.compare_mode != GL_NONE,
        .depth_mode = (uint16_t)t->params.depth_mode,
        .base_format = (uint16_t)i->format->base,
        .scale = { rectangle ? 1 / (float)i->width : 1,
                   rectangle ? 1 / (float)i->height : 1 },
    };
    bool flat = t->target == GV_GL_TARGET_2D || rectangle;
    u->four = depth && flat && t->params.mag_filter == GL_LINEAR &&
              t->params.min_filter == GL_LINEAR;
    t->seen.texture = (struct gv_lower_texture){
        .image = s->image,
        .type = view_type(t),
        .aspect = depth ? GV_ASPECT_DEPTH : GV_ASPECT_COLOR,
        .swizzle = swizzle_of(t, i->format),
        .mip = base - s->first,
        .mips = last - base + 1,
        .layer = 0,
        .layers = s->layers,
        .sampler = gv_gl_texture_sampler(gl, t, u, unit_bias),
    };
    if (s->format == GV_FORMAT_R8G8B8A8_SRGB &&
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
    memcpy(p->swizzle, own.swizzle, sizeof p->swizzle);
    p->generate_mipmap = own.generate_mipmap;
    memcpy(p->crop, own.crop, sizeof p->crop);
}

static bool sampled_of(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t unit,
                       struct gv_gl_sampled *out, struct gv_error *err)
{
    const struct gv_gl_sampler *sampler = gv_gl_unit_sampler(gl, unit);
    const float unit_bias = gl->context->state.texture.units[unit].lod_bias;
    const uint64_t version = sampler ? sampler->version : 0;
    bool failed = false;
    bool edges = gv_gl_seamless(gl);
    if (!t->settled || t->unit_bias != unit_bias || t->seamless != edges ||
        t->sampler != version || waits(t)) {
        const struct gv_gl_texture_params own = t->params;
        if (sampler)
            override(&t->params, &sampler->params);
        t->complete = look(gl, t, unit_bias, err, &failed);
        t->params = own;
        t->settled = true;
        t->unit_bias = unit_bias;
        t->seamless = edges;
        t->sampler = version;
    }
    if (t->complete) {
        gv_gl_store_use(gl, gv_gl_texture_base(t)->store);
        *out = t->seen;
    }
    return !failed;
}

bool gv_gl_texture_sampled(struct gv_gl *gl, uint32_t unit, struct gv_gl_sampled *out,
                           struct gv_error *err)
{
    const struct gv_gl_unit *u = &gl->context->state.texture.units[unit];
    *out = (struct gv_gl_sampled){ 0 };
    for (uint32_t target = GV_GL_TARGETS; target-- > 0 && !out->image.there;) {
        struct gv_gl_texture *t =
            u->enabled >> target & 1 ? gv_gl_texture_bound(gl, unit, target) : NULL;
        if (t && !sampled_of(gl, t, unit, out, err))
            return false;
    }
    return true;
}

// ---- levels for others ----

bool gv_gl_texture_level(struct gv_gl *gl, uint32_t name, uint32_t level,
                         uint32_t layer, struct gv_gl_level *out)
{
    struct gv_gl_texture *t =
        name ? (struct gv_gl_texture *)gv_id_find(&gl->textures->names, name) : NULL;
    if (!t || level >= GV_GL_LEVELS)
        return false;
    bool cube = t->target == GV_GL_TARGET_CUBE;
    uint32_t face = cube ? layer : 0;
    const struct gv_gl_texture_image *i =
        face < gv_gl_texture_faces(t) ? t->images[face][level] : NULL;
    if (!i || !i->width || !i->height || (!cube && layer >= i->depth) || !i->depth)
        return false;
    t->attached = true;
    if (!gv_gl_texture_settle(gl, t, NULL) ||
        !gv_gl_texture_gather(gl, t, face, (struct gv_gl_levels){ level, level }, NULL))
        return false;
    t->images[face][level]->hashed = false;
    gv_gl_store_use(gl, i->store);
    *out = (struct gv_gl_level){
        .image = i->store->image,
        .format = i->device,
        .mip = level - i->store->first,
        .layer = layer,
        .width = i->width,
        .height = i->height,
        .samples = 1,
        .base_format = i->format->base,
    };
    return true;
}
