// glTextureView: a texture whose images are those of another one, of some of its levels
// and layers, in a format of the same size.
#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

// The levels and layers of the original that a view has.
struct part {
    uint32_t level, levels, layer, layers;
};

// Layers of a texture: faces count.
static uint32_t layers_of(const struct gv_gl_texture *t)
{
    return t->target == GV_GL_TARGET_3D
               ? 1
               : t->images[0][0]->depth * gv_gl_texture_faces(t);
}

// Whether a texture of `target` can have so many layers of `from`.
static bool fits_target(uint32_t target, uint32_t from, uint32_t layers)
{
    switch ((enum gv_gl_target)target) {
    case GV_GL_TARGET_1D:
        return (from == GV_GL_TARGET_1D || from == GV_GL_TARGET_1D_ARRAY) &&
               layers == 1;
    case GV_GL_TARGET_1D_ARRAY:
        return from == GV_GL_TARGET_1D || from == GV_GL_TARGET_1D_ARRAY;
    case GV_GL_TARGET_2D:
        return layers == 1 && fits_target(GV_GL_TARGET_2D_ARRAY, from, 1);
    case GV_GL_TARGET_2D_ARRAY:
        return from == GV_GL_TARGET_2D || from == GV_GL_TARGET_2D_ARRAY ||
               from == GV_GL_TARGET_CUBE || from == GV_GL_TARGET_CUBE_ARRAY;
    case GV_GL_TARGET_CUBE:
        return layers == 6 && fits_target(GV_GL_TARGET_CUBE_ARRAY, from, 6);
    case GV_GL_TARGET_CUBE_ARRAY:
        return layers % 6 == 0 && from != GV_GL_TARGET_2D &&
               fits_target(GV_GL_TARGET_2D_ARRAY, from, layers);
    case GV_GL_TARGET_2D_SAMPLES:
        return layers == 1 && fits_target(GV_GL_TARGET_2D_SAMPLES_ARRAY, from, 1);
    case GV_GL_TARGET_2D_SAMPLES_ARRAY:
        return from == GV_GL_TARGET_2D_SAMPLES || from == GV_GL_TARGET_2D_SAMPLES_ARRAY;
    case GV_GL_TARGET_3D:
    case GV_GL_TARGET_RECTANGLE:
        return from == target;
    case GV_GL_TARGET_EXTERNAL:
    case GV_GL_TARGET_BUFFER:
    case GV_GL_TARGETS:
        break;
    }
    return false;
}

static bool clip_part(const struct gv_gl_texture *from, struct part *p)
{
    uint32_t layers = layers_of(from);
    if (p->level >= from->immutable_levels || p->layer >= layers || !p->levels ||
        !p->layers)
        return false;
    if (p->levels > from->immutable_levels - p->level)
        p->levels = from->immutable_levels - p->level;
    if (p->layers > layers - p->layer)
        p->layers = layers - p->layer;
    return true;
}

// Faces of cubes are layers of their images.
static struct gv_gl_texture_image *image_of(struct gv_gl_texture *t, uint32_t level)
{
    return t->images[0][level];
}

static bool share_level(struct gv_gl *gl, struct gv_gl_texture *t,
                        const struct gv_gl_texture_image *from,
                        const struct gv_gl_texture_format *f, uint32_t level)
{
    struct gv_gl_texture_image as = *from;
    uint32_t faces = gv_gl_texture_faces(t);
    as.internal = f->internal;
    as.format = f;
    as.device = gv_gl_texture_device_format(gl->sink.b, f);
    if (t->target != GV_GL_TARGET_3D)
        as.depth = from->depth / faces;
    for (uint32_t face = 0; face < faces; face++) {
        struct gv_gl_texture_image *i = gv_gl_texture_define(gl, t, face, level, &as);
        if (!i)
            return false;
        i->store = from->store;
        i->store->references++;
    }
    return true;
}

// What both have of the device is one image, which nothing replaces from now on.
static bool share(struct gv_gl *gl, struct gv_gl_texture *t, struct gv_gl_texture *from,
                  const struct part *p, const struct gv_gl_texture_format *f,
                  struct gv_error *err)
{
    const struct gv_gl_levels all = { 0, from->immutable_levels - 1 };
    from->viewed = from->attached = true;
    from->settled = false;
    if (!gv_gl_texture_settle(gl, from, err) ||
        !gv_gl_texture_gather(gl, from, 0, all, err))
        return false;
    t->viewed = t->attached = t->immutable = true;
    t->stored = from->stored;
    t->immutable_levels = p->levels;
    t->view_level = from->view_level + p->level;
    t->view_layer = from->view_layer + p->layer;
    for (uint32_t level = 0; level < p->levels; level++) {
        struct gv_gl_texture_image as = *image_of(from, p->level + level);
        if (t->target != GV_GL_TARGET_3D)
            as.depth = p->layers;
        if (!share_level(gl, t, &as, f, level))
            return gv_out_of_memory(err);
    }
    return true;
}

static bool same_class(const struct gv_gl_texture_format *a,
                       const struct gv_gl_texture_format *b)
{
    return gv_format_info(a->format)->format_class ==
           gv_format_info(b->format)->format_class;
}

// texture, target, original, internal format, first level, levels, first layer, layers.
static bool view(struct gv_gl *gl, const struct gv_trace_call *call,
                 struct gv_error *err)
{
    uint32_t target, name = gv_gl_uint(call, 0);
    struct part p = { gv_gl_uint(call, 4), gv_gl_uint(call, 5), gv_gl_uint(call, 6),
                      gv_gl_uint(call, 7) };
    uint32_t original = gv_gl_uint(call, 2);
    struct gv_gl_texture *from =
        original ? gv_gl_texture_find(&gl->objects, 0, original) : NULL;
    struct gv_gl_texture *t;
    if (!gv_gl_texture_target(gv_gl_uint(call, 1), &target))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const struct gv_gl_texture_format *f = gv_gl_texture_format(gv_gl_uint(call, 3));
    if (!name || !from || !f)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!from->immutable || !from->images[0][0])
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!clip_part(from, &p))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!fits_target(target, from->target, p.layers) ||
        !same_class(f, from->images[0][0]->format) ||
        gv_gl_texture_find(&gl->objects, 0, name))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    const struct gv_gl_texture_image *i = from->images[0][0];
    if (!same_class(f, i->format) ||
        gv_format_info(gv_gl_texture_device_format(gl->sink.b, f))->format_class !=
            gv_format_info(i->device)->format_class)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(CONVERTED_VIEW));
    uint32_t error = gv_gl_texture_make(gl, target, name, &t, err);
    if (error)
        return error != GL_OUT_OF_MEMORY && gv_gl_reject(&gl->sink, error);
    return share(gl, t, from, &p, f, err);
}

const struct gv_gl_row gv_gl_texture_view_rows[] = {
    { "glTextureView", view, 0 },
    { NULL, NULL, 0 },
};
