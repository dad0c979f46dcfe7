#include "compiler/gl/texture/gl_image_unit.h"

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/texture/texture_image.h"
#include "resources/base/checked.h"
#include "vm/formats.h"
#include "vm/spirv/spirv_image_format.h"

// ---- formats (OpenGL 4.6, table 8.26) ----

static bool is_image_format(uint32_t internal)
{
    switch (internal) {
    case GL_RGBA32F:
    case GL_RGBA16F:
    case GL_RG32F:
    case GL_RG16F:
    case GL_R11F_G11F_B10F:
    case GL_R32F:
    case GL_R16F:
    case GL_RGBA32UI:
    case GL_RGBA16UI:
    case GL_RGB10_A2UI:
    case GL_RGBA8UI:
    case GL_RG32UI:
    case GL_RG16UI:
    case GL_RG8UI:
    case GL_R32UI:
    case GL_R16UI:
    case GL_R8UI:
    case GL_RGBA32I:
    case GL_RGBA16I:
    case GL_RGBA8I:
    case GL_RG32I:
    case GL_RG16I:
    case GL_RG8I:
    case GL_R32I:
    case GL_R16I:
    case GL_R8I:
    case GL_RGBA16:
    case GL_RGB10_A2:
    case GL_RGBA8:
    case GL_RG16:
    case GL_RG8:
    case GL_R16:
    case GL_R8:
    case GL_RGBA16_SNORM:
    case GL_RGBA8_SNORM:
    case GL_RG16_SNORM:
    case GL_RG8_SNORM:
    case GL_R16_SNORM:
    case GL_R8_SNORM:
        return true;
    default:
        return false;
    }
}

// ---- calls ----

static const struct gv_gl_texture *named(const struct gv_gl_objects *objects,
                                         uint32_t name)
{
    return name ? gv_gl_texture_find(objects, 0, name) : NULL;
}

// GL_NO_ERROR, or GL's error.
static uint32_t bind_error(const struct gv_gl_context *c,
                           const struct gv_gl_objects *objects,
                           const struct gv_gl_image_unit *u, uint32_t access)
{
    const struct gv_gl_texture *t = named(objects, u->texture);
    if ((u->texture && !t) || u->level < 0 || u->layer < 0 ||
        !is_image_format(u->format))
        return GL_INVALID_VALUE;
    if (access != GL_READ_ONLY && access != GL_WRITE_ONLY && access != GL_READ_WRITE)
        return GL_INVALID_ENUM;
    const bool fixed = !t || t->immutable || t->target == GV_GL_TARGET_BUFFER ||
                       t->target == GV_GL_TARGET_EXTERNAL;
    return c->family == GV_GL_ES && !fixed ? GL_INVALID_OPERATION : GL_NO_ERROR;
}

// (unit, texture, level, layered, layer, access, format)
static bool gl_BindImageTexture(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    const uint32_t unit = gv_gl_uint(call, 0);
    const struct gv_gl_image_unit to = { .texture = gv_gl_uint(call, 1),
                                         .level = gv_gl_int(call, 2),
                                         .layered = gv_gl_uint(call, 3) != 0,
                                         .layer = gv_gl_int(call, 4),
                                         .format = gv_gl_uint(call, 6) };
    (void)err;
    if (unit >= GV_GL_STORAGE_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const uint32_t error =
        bind_error(gl->context, &gl->objects, &to, gv_gl_uint(call, 5));
    if (error)
        return gv_gl_reject(&gl->sink, error);
    gl->context->image_units[unit] = to;
    return true;
}

// One of several: the whole first level, as the texture's own format has it.
static bool bind_item(struct gv_gl_context *c, struct gv_gl_objects *objects,
                      struct gv_gl_sink *sink, uint64_t unit, uint32_t name)
{
    struct gv_gl_image_unit *to = &c->image_units[unit];
    const struct gv_gl_texture *t = named(objects, name);
    if (!name) {
        *to = (struct gv_gl_image_unit){ 0 };
        return true;
    }
    const struct gv_gl_texture_image *i = t ? t->images[0][0] : NULL;
    const bool buffer = t && t->target == GV_GL_TARGET_BUFFER && t->texels.buffer;
    if (!buffer && !i)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    const uint32_t format = buffer ? t->texels.format->internal : i->internal;
    if (!is_image_format(format))
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    *to =
        (struct gv_gl_image_unit){ .texture = name, .layered = true, .format = format };
    return true;
}

// (first, count, textures)
static bool gl_BindImageTextures(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    const uint32_t first = gv_gl_uint(call, 0);
    const int64_t count = gv_trace_sint(gv_trace_argument(call, 1));
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    (void)err;
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!gv_range_inside(first, (uint64_t)count, GV_GL_STORAGE_UNITS))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const uint32_t name = names->kind == GV_TRACE_ARRAY
                                  ? (uint32_t)gv_trace_uint(gv_trace_item(names, k))
                                  : 0;
        if (!bind_item(gl->context, &gl->objects, &gl->sink, first + k, name))
            return false;
    }
    return true;
}

const struct gv_gl_row gv_gl_image_unit_rows[] = {
    { "glBindImageTexture", gl_BindImageTexture, 0 },
    { "glBindImageTextures", gl_BindImageTextures, 0 },
    { NULL, NULL, 0 },
};

// ---- for draws and dispatches ----

// The target that one layer of a texture has.
static uint32_t layer_target(uint32_t target)
{
    switch (target) {
    case GV_GL_TARGET_1D_ARRAY:
        return GV_GL_TARGET_1D;
    case GV_GL_TARGET_2D_SAMPLES_ARRAY:
        return GV_GL_TARGET_2D_SAMPLES;
    case GV_GL_TARGET_2D_ARRAY:
    case GV_GL_TARGET_3D:
    case GV_GL_TARGET_CUBE:
    case GV_GL_TARGET_CUBE_ARRAY:
        return GV_GL_TARGET_2D;
    default:
        return target;
    }
}

static bool find_texels(struct gv_gl_objects *objects, const struct gv_gl_texture *t,
                        struct gv_gl_unit_storage *out)
{
    const struct gv_gl_texel_range *r = &t->texels;
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, r->buffer);
    if (!b || b->named.serial != r->serial || r->offset >= b->size)
        return false;
    const uint64_t there = b->size - r->offset;
    const uint64_t bytes = r->size && r->size < there ? r->size : there;
    out->texels = b;
    out->offset = r->offset;
    out->size = bytes - bytes % gv_format_info(out->format)->block_bytes;
    return out->size > 0;
}

// Whether the device can have a level as an image of a format: before it is made for
// that. Depth and compressed blocks it never can.
static bool is_storable(const struct gv_gl_texture *t, const struct gv_gl_image_unit *u,
                        uint32_t format, const struct gv_gl_lack **missing)
{
    const struct gv_gl_texture_image *i =
        u->level < (int32_t)GV_GL_LEVELS ? t->images[0][u->level] : NULL;
    const struct gv_format_info *info = i ? gv_format_info(i->device) : NULL;
    if (!info || info->compressed || info->aspects != GV_ASPECT_COLOR ||
        info->format_class != gv_format_info(format)->format_class)
        return false;
    if (i->samples > 1)
        *missing = GV_GL_LACK(IMAGE_SAMPLES);
    return i->samples <= 1;
}

// The unit's level on the device, which may be written there. False: none, or `err`.
static bool find_level(struct gv_gl *gl, struct gv_gl_texture *t,
                       const struct gv_gl_image_unit *u,
                       const struct gv_gl_lack **missing,
                       struct gv_gl_unit_storage *out)
{
    const bool one = !u->layered && layer_target(t->target) != t->target;
    struct gv_gl_image_slice level;
    if (!is_storable(t, u, out->format, missing))
        return false;
    if (one && t->target == GV_GL_TARGET_3D) {
        *missing = GV_GL_LACK(IMAGE_SLICES);
        return false;
    }
    if (t->viewed && !t->stored) { // its image cannot be replaced
        *missing = GV_GL_LACK(IMAGE_VIEWS);
        return false;
    }
    t->stored = true;
    if (!gv_gl_texture_slice(gl, u->texture, gv_gl_texture_target_name(t->target),
                             (uint32_t)u->level, &level))
        return false;
    const uint32_t layers = level.volume ? 1 : level.depth;
    if (one && (uint32_t)u->layer >= layers)
        return false;
    out->image = level.image;
    out->mip = level.mip;
    out->layer = level.layer + (one ? (uint32_t)u->layer : 0);
    out->layers = one ? 1 : layers;
    return true;
}

bool gv_gl_image_of_unit(struct gv_gl *gl, uint32_t unit,
                         const struct gv_gl_image_use *use,
                         struct gv_gl_unit_storage *out, struct gv_error *err)
{
    const struct gv_gl_image_unit *u =
        unit < GV_GL_STORAGE_UNITS ? &gl->context->image_units[unit] : NULL;
    struct gv_gl_texture *t =
        u ? (struct gv_gl_texture *)named(&gl->objects, u->texture) : NULL;
    const struct gv_gl_lack *missing = NULL;
    *out = (struct gv_gl_unit_storage){ .type = gv_gl_view_type(use->target) };
    if (!t || !t->typed)
        return true;
    const uint32_t target = u->layered ? t->target : layer_target(t->target);
    out->format = gv_gl_texture_format(u->format)->format;
    // GL leaves open what is seen otherwise.
    if (target != use->target || gv_gl_texels_of(out->format) != use->texels)
        return true;
    if (!gv_storage_format_fits(use->format, out->format))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(IMAGE_FORMAT));
    const bool found = target == GV_GL_TARGET_BUFFER
                           ? find_texels(&gl->objects, t, out)
                           : find_level(gl, t, u, &missing, out);
    if (!found) {
        out->image = (struct gv_image){ 0 };
        out->texels = NULL;
    }
    return (!missing || gv_gl_unsupported(&gl->sink, missing)) &&
           !gv_builder_failed(gl->sink.b, err);
}
