// Which textures are complete, and levels of them for others than samplers.
#include "compiler/gl/texture/texture_image.h"
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

// ---- levels for others ----

static void describe_level(struct gv_lower_pass *pass, const struct gv_gl_texture *t,
                           const struct gv_gl_texture_image *i, struct gv_gl_level *out)
{
    gv_gl_store_use(pass, i->store);
    *out = (struct gv_gl_level){
        .image = i->store->image,
        .format = i->device,
        .made = i->store->format,
        .layer = t->view_layer,
        .width = i->width,
        .height = i->height,
        .samples = i->store->samples,
        .base_format = i->format->base,
        .volume = t->target == GV_GL_TARGET_3D,
        .line = gv_gl_texture_image_type(t) == GV_IMAGE_TYPE_1D,
    };
}

// Nobody draws to blocks or to shared exponents.
static bool is_target(const struct gv_gl_texture_image *i)
{
    return i->format->format != GV_FORMAT_E5B9G9R9_UFLOAT_PACK32 &&
           !gv_format_info(i->format->format)->compressed;
}

// Attaches a texture: colours go to its images from now on.
static bool attach(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                   struct gv_gl_texture *t, const struct gv_gl_texture_image *i)
{
    t->attached = true;
    if (i->format->kept[0])
        gv_gl_unsupported(sink, GV_GL_LACK(FEW_BITS));
    if (!gv_gl_texture_is_narrow(i))
        return true;
    return gv_gl_texture_widen(textures, sink, t, GV_GL_LACK(ALPHA_TARGET), NULL) &&
           !gv_gl_texture_is_narrow(i);
}

bool gv_gl_texture_level(struct gv_gl *gl, uint32_t name, uint32_t level,
                         uint32_t layer, struct gv_gl_level *out)
{
    struct gv_gl_texture *t =
        name ? gv_gl_texture_find(&gl->objects, GV_GL_TARGET_2D, name) : NULL;
    if (!t || level >= GV_GL_LEVELS)
        return false;
    bool cube = t->target == GV_GL_TARGET_CUBE;
    uint32_t face = cube ? layer : 0;
    const struct gv_gl_texture_image *i =
        face < gv_gl_texture_faces(t) ? t->images[face][level] : NULL;
    if (!i || !i->width || !i->height || (!cube && layer >= i->depth) || !i->depth ||
        !is_target(i))
        return false;
    if (!attach(gl->objects.textures, &gl->sink, t, i) ||
        !gv_gl_texture_settle(gl, t, NULL) ||
        !gv_gl_texture_gather(gl, t, face, (struct gv_gl_levels){ level, level }, NULL))
        return false;
    t->images[face][level]->hashed = false;
    describe_level(&gl->sink.pass, t, i, out);
    out->mip = gv_gl_store_mip(t, i->store, level);
    out->layer += layer;
    return true;
}

// All faces of a level, in one image.
static bool gather_faces(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t level)
{
    const struct gv_gl_levels one = { level, level };
    if (!t->images[0][level] || !gv_gl_texture_settle(gl, t, NULL) ||
        !gv_gl_texture_gather(gl, t, 0, one, NULL))
        return false;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++) {
        struct gv_gl_texture_image *i = t->images[face][level];
        if (!i || i->store != t->images[0][level]->store)
            return false;
        i->hashed = false;
    }
    return true;
}

static bool has_layers(uint32_t target)
{
    switch (target) {
    case GV_GL_TARGET_3D:
    case GV_GL_TARGET_CUBE:
    case GV_GL_TARGET_CUBE_ARRAY:
    case GV_GL_TARGET_1D_ARRAY:
    case GV_GL_TARGET_2D_ARRAY:
    case GV_GL_TARGET_2D_SAMPLES_ARRAY:
        return true;
    default:
        return false;
    }
}

bool gv_gl_texture_layers(struct gv_gl *gl, uint32_t name, uint32_t level,
                          struct gv_gl_level *out)
{
    struct gv_gl_texture *t = name ? gv_gl_texture_find(&gl->objects, 0, name) : NULL;
    const struct gv_gl_texture_image *i =
        t && level < GV_GL_LEVELS ? t->images[0][level] : NULL;
    if (!i || !is_target(i))
        return false;
    if (!attach(gl->objects.textures, &gl->sink, t, i) || !gather_faces(gl, t, level))
        return false;
    if (!i->width || !i->height || !i->depth)
        return false;
    describe_level(&gl->sink.pass, t, i, out);
    out->mip = gv_gl_store_mip(t, i->store, level);
    if (has_layers(t->target))
        out->layers = i->depth * gv_gl_texture_faces(t);
    return true;
}

// Mips that are to be made count as made.
static bool is_complete(const struct gv_gl_texture *t)
{
    uint32_t last;
    if (!gv_gl_texture_base_complete(t, &last))
        return false;
    return t->stale || !gv_gl_uses_mips(t->params.min_filter) ||
           gv_gl_texture_base(t)->samples > 1 || gv_gl_texture_mips_complete(t, last);
}

bool gv_gl_texture_slice(struct gv_gl *gl, uint32_t name, uint32_t target,
                         uint32_t level, struct gv_gl_image_slice *out)
{
    struct gv_gl_texture *t = name ? gv_gl_texture_find(&gl->objects, 0, name) : NULL;
    uint32_t own;
    if (!t || !t->typed || !gv_gl_texture_target(target, &own) || own != t->target ||
        level >= GV_GL_LEVELS || !gather_faces(gl, t, level))
        return false;
    const struct gv_gl_texture_image *i = t->images[0][level];
    gv_gl_store_use(&gl->sink.pass, i->store);
    *out = (struct gv_gl_image_slice){
        .image = i->store->image,
        .format = i->store->format,
        .mip = gv_gl_store_mip(t, i->store, level),
        .layer = t->view_layer,
        .width = i->width,
        .height = i->height,
        .depth = i->depth * gv_gl_texture_faces(t),
        .samples = i->store->samples,
        .volume = t->target == GV_GL_TARGET_3D,
        .line = gv_gl_texture_image_type(t) == GV_IMAGE_TYPE_1D,
        .incomplete = !is_complete(t),
    };
    return true;
}
