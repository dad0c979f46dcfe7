// Buffer textures: glTexBuffer and glTexBufferRange. Draws read copies of the buffers:
// not every device takes GL's offsets, nor all of its formats.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/texture/texture_object.h"
#include "compiler/texels/stored_texels.h"
#include "compiler/texels/widened_texels.h"
#include "vm/formats.h"

#define OFFSET_ALIGN 16 // GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT of llvmpipe

// ---- formats ----

static bool is_normalized(uint32_t internal)
{
    switch (internal) {
    case GL_R8:
    case GL_R16:
    case GL_RG8:
    case GL_RG16:
    case GL_RGBA8:
    case GL_RGBA16:
    case GL_ALPHA8:
    case GL_ALPHA16:
    case GL_LUMINANCE8:
    case GL_LUMINANCE16:
    case GL_LUMINANCE8_ALPHA8:
    case GL_LUMINANCE16_ALPHA16:
    case GL_INTENSITY8:
    case GL_INTENSITY16:
        return true;
    default:
        return false;
    }
}

// Bases that compatible contexts alone have.
static bool is_old(const struct gv_gl_texture_format *f)
{
    return f->base != GL_RED && f->base != GL_RG && f->base != GL_RGB &&
           f->base != GL_RGBA;
}

// OpenGL 4.6, table 8.15; EXT_texture_buffer_object.
bool gv_gl_is_texel_format(const struct gv_gl_context *c,
                           const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = f ? gv_format_info(f->format) : NULL;
    if (!info || info->aspects != GV_ASPECT_COLOR || info->compressed ||
        (is_old(f) && (c->core || c->family == GV_GL_ES)))
        return false;
    if (gv_gl_is_integer(f->format) || info->kind == GV_FORMAT_KIND_SFLOAT)
        return f->base == GL_RGB ? info->bits[0] == 32 : info->bits[0] % 8 == 0;
    return is_normalized(f->internal);
}

// The format of four components of that kind.
static uint32_t four_of(const struct gv_format_info *info)
{
    static const uint16_t formats[][3] = {
        [GV_FORMAT_KIND_UNORM] = { GV_FORMAT_R8G8B8A8_UNORM,
                                   GV_FORMAT_R32G32B32A32_SFLOAT },
        [GV_FORMAT_KIND_UINT] = { GV_FORMAT_R8G8B8A8_UINT, GV_FORMAT_R16G16B16A16_UINT,
                                  GV_FORMAT_R32G32B32A32_UINT },
        [GV_FORMAT_KIND_SINT] = { GV_FORMAT_R8G8B8A8_SINT, GV_FORMAT_R16G16B16A16_SINT,
                                  GV_FORMAT_R32G32B32A32_SINT },
        [GV_FORMAT_KIND_SFLOAT] = { 0, GV_FORMAT_R16G16B16A16_SFLOAT,
                                    GV_FORMAT_R32G32B32A32_SFLOAT },
    };
    return formats[info->kind][info->bits[0] / 16];
}

static uint32_t bits_of_one(const struct gv_format_info *info)
{
    if (info->kind == GV_FORMAT_KIND_SFLOAT)
        return info->bits[0] == 16 ? 0x3C00 : 0x3F800000;
    return info->kind == GV_FORMAT_KIND_UNORM ? (1u << info->bits[0]) - 1 : 1;
}

// How texels lie in the buffer, and where views find the components.
static void lay_out(const struct gv_gl_texture_format *f, struct gv_widened_texel *out)
{
    const struct gv_format_info *info = gv_format_info(f->format);
    *out = (struct gv_widened_texel){
        .width = info->bits[0] / 8,
        .one = bits_of_one(info),
        .normalized = info->kind == GV_FORMAT_KIND_UNORM && info->bits[0] == 16,
    };
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t from = f->layout.view[i];
        out->source[i] = from == GV_SWIZZLE_ZERO  ? GV_STORED_ZERO
                         : from == GV_SWIZZLE_ONE ? GV_STORED_ONE
                                                  : (uint8_t)(from - GV_SWIZZLE_R);
        if (out->source[i] < 4 && out->source[i] >= out->count)
            out->count = out->source[i] + 1;
    }
}

uint32_t gv_gl_texel_bytes(const struct gv_gl_texture_format *f)
{
    struct gv_widened_texel texel;
    lay_out(f, &texel);
    return gv_narrow_bytes(&texel);
}

// What a texel of one or two components reads of the others is as views have it.
static bool is_read_as_it_is(const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = gv_format_info(f->format);
    return !is_old(f) && f->base != GL_RGB &&
           !(info->kind == GV_FORMAT_KIND_UNORM && info->bits[0] == 16);
}

// ---- calls ----

static bool set(struct gv_gl *gl, const struct gv_trace_call *call, uint64_t offset,
                uint64_t size)
{
    const uint32_t name = gv_gl_uint(call, 2);
    const struct gv_gl_texture_format *f = gv_gl_texture_format(gv_gl_uint(call, 1));
    if (gv_gl_uint(call, 0) != GL_TEXTURE_BUFFER ||
        !gv_gl_is_texel_format(gl->context, f))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_texture *t =
        gv_gl_texture_bound(gl->context, &gl->objects,
                            gl->context->state.texture.active, GV_GL_TARGET_BUFFER);
    const struct gv_gl_buffer *b = gv_gl_buffer_find(&gl->objects, name);
    if (!t || (name && !b))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (b && (size > b->size || offset > b->size - size))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    t->texels.buffer = name;
    t->texels.serial = b ? b->named.serial : 0;
    t->texels.format = f;
    t->texels.offset = offset;
    t->texels.size = size;
    t->texels.changed = true;
    return true;
}

static bool whole(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    (void)err;
    return set(gl, call, 0, 0);
}

static bool range(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct gv_error *err)
{
    int64_t offset = gv_trace_sint(gv_trace_argument(call, 3));
    int64_t size = gv_trace_sint(gv_trace_argument(call, 4));
    (void)err;
    if (!gv_gl_uint(call, 2)) // nothing is attached: they do not matter
        return set(gl, call, 0, 0);
    if (offset < 0 || size <= 0 || offset % OFFSET_ALIGN != 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return set(gl, call, (uint64_t)offset, (uint64_t)size);
}

// ---- for draws ----

// A range of a buffer as texels.
struct span {
    struct gv_gl_buffer *buffer;
    struct gv_gl_texel_range *range;
    struct gv_widened_texel texel;
    uint64_t count; // of texels
    bool widened;
};

static uint64_t copy_size(const struct span *s)
{
    return s->count *
           (s->widened ? gv_widened_bytes(&s->texel) : gv_narrow_bytes(&s->texel));
}

static struct gv_builder *prepare_copy(struct gv_lower_pass *pass, const struct span *s)
{
    struct gv_gl_texel_range *r = s->range;
    const uint64_t size = copy_size(s);
    struct gv_builder *to = gv_lower_transfer(pass);
    if (r->copy.id && r->copy_size != size)
        gv_emit(to, buffer_destroy, .buffer = r->copy);
    if (!r->copy.id || r->copy_size != size)
        r->copy = gv_emit(to, buffer_create, .size = size,
                          .usage = GV_BUFFER_USAGE_UNIFORM_TEXEL);
    r->copy_size = size;
    return to;
}

static bool upload(struct gv_gl_sink *sink, const struct span *s, struct gv_error *err)
{
    const uint8_t *from = s->buffer->bytes + s->range->offset;
    const uint64_t size = copy_size(s);
    uint8_t *wide = NULL;
    if (!gv_gl_made(sink, size, err) ||
        (s->widened && !gv_gl_work(&sink->work, s->count, err)))
        return false;
    if (s->widened) {
        wide = malloc((size_t)size);
        if (!wide)
            return gv_out_of_memory(err);
        gv_widen_texels(&s->texel, from, s->count, wide);
    }
    struct gv_builder *to = prepare_copy(&sink->pass, s);
    gv_emit(to, buffer_upload, .buffer = s->range->copy, .offset = 0,
            .data = gv_data(wide ? wide : from), .size = size);
    free(wide);
    return true;
}

// Of bytes that the device has written.
static void copy_there(struct gv_gl_sink *sink, const struct span *s)
{
    const struct gv_buffer from = gv_gl_buffer_gpu(sink, s->buffer, 0);
    struct gv_builder *to = prepare_copy(&sink->pass, s);
    gv_emit(to, buffer_copy, .dst = s->range->copy, .dst_offset = 0, .src = from,
            .src_offset = s->range->offset, .size = copy_size(s));
}

// Brings the copy to what the buffer is now.
static bool refresh(struct gv_gl_sink *sink, const struct span *s, struct gv_error *err)
{
    struct gv_gl_texel_range *r = s->range;
    if (r->copy.id && !r->changed && r->version == s->buffer->version &&
        r->copy_size == copy_size(s))
        return true;
    if (s->buffer->unknown && (s->widened || !s->buffer->on_device))
        return gv_gl_unsupported(sink, GV_GL_LACK(TEXEL_FORMAT));
    if (s->buffer->unknown)
        copy_there(sink, s);
    else if (!upload(sink, s, err))
        return false;
    r->version = s->buffer->version;
    r->changed = false;
    return true;
}

// What the range has of its buffer as that is now. False: no texel.
static bool measure(struct gv_gl_buffer *b, struct gv_gl_texel_range *r,
                    struct span *out)
{
    const uint64_t there = r->offset < b->size ? b->size - r->offset : 0;
    const uint64_t bytes = r->size && r->size < there ? r->size : there;
    *out = (struct span){ .buffer = b, .range = r };
    lay_out(r->format, &out->texel);
    out->count = bytes / gv_narrow_bytes(&out->texel);
    out->widened = !is_read_as_it_is(r->format);
    return out->count > 0;
}

bool gv_gl_texels_of_unit(struct gv_gl *gl, uint32_t unit, uint32_t kind,
                          struct gv_gl_texels *out, struct gv_error *err)
{
    struct gv_gl_texture *t =
        unit < GV_GL_IMAGE_UNITS
            ? gv_gl_texture_bound(gl->context, &gl->objects, unit, GV_GL_TARGET_BUFFER)
            : NULL;
    struct gv_gl_texel_range *r = t ? &t->texels : NULL;
    *out = (struct gv_gl_texels){ .format = GV_FORMAT_R8G8B8A8_UNORM };
    if (!r || !r->buffer || gv_gl_texels_of(r->format->format) != kind)
        return true;
    struct gv_gl_buffer *b = gv_gl_buffer_find(&gl->objects, r->buffer);
    struct span s;
    // One that was deleted stays as it was last seen.
    if (b && b->named.serial == r->serial) {
        if (!measure(b, r, &s))
            return true;
        if (!refresh(&gl->sink, &s, err))
            return false;
    }
    if (!r->copy.id || r->changed)
        return true;
    const uint32_t own = r->format->format;
    out->buffer = r->copy;
    out->format = is_read_as_it_is(r->format) ? own : four_of(gv_format_info(own));
    out->size = r->copy_size;
    return !gv_builder_failed(gl->sink.b, err);
}

void gv_gl_texels_drop(struct gv_lower_pass *pass, struct gv_gl_texture *t)
{
    if (t->texels.copy.id)
        gv_emit(gv_lower_transfer(pass), buffer_destroy, .buffer = t->texels.copy);
    t->texels = (struct gv_gl_texel_range){ 0 };
}

const struct gv_gl_row gv_gl_texture_buffer_rows[] = {
    { "glTexBuffer", whole, 0 },
    { "glTexBufferRange", range, 0 },
    { NULL, NULL, 0 },
};
