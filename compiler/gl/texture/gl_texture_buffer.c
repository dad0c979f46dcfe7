// Buffer textures: glTexBuffer and glTexBufferRange.
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// Formats that texels of buffers can have (OpenGL 4.6, table 8.15).
static bool is_texel_format(const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = f ? gv_format_info(f->format) : NULL;
    return info && info->aspects == GV_ASPECT_COLOR && !info->compressed &&
           info->kind != GV_FORMAT_KIND_SRGB && f->base != GL_RGB &&
           info->kind != GV_FORMAT_KIND_SNORM &&
           (info->bits[0] == 8 || info->bits[0] == 16 || info->bits[0] == 32);
}

// Texels of three components, which no image has.
static uint32_t three_components(uint32_t internal)
{
    return internal == GL_RGB32F    ? GV_FORMAT_R32G32B32_SFLOAT
           : internal == GL_RGB32I  ? GV_FORMAT_R32G32B32_SINT
           : internal == GL_RGB32UI ? GV_FORMAT_R32G32B32_UINT
                                    : GV_FORMAT_NONE;
}

static bool set(struct gv_gl *gl, const struct gv_trace_call *call, uint64_t offset,
                uint64_t size)
{
    uint32_t internal = gv_gl_uint(call, 1), name = gv_gl_uint(call, 2);
    const struct gv_gl_texture_format *f = gv_gl_texture_format(internal);
    uint32_t format = three_components(internal);
    if (gv_gl_uint(call, 0) != GL_TEXTURE_BUFFER || (!format && !is_texel_format(f)))
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    struct gv_gl_texture *t =
        gv_gl_texture_bound(gl, gl->context->state.texture.active, GV_GL_TARGET_BUFFER);
    if (!t || (name && !gv_gl_buffer_find(gl, name)))
        return gv_gl_reject(gl, GL_INVALID_OPERATION);
    t->texels.buffer = name;
    t->texels.format = format ? format : f->format;
    t->texels.offset = offset;
    t->texels.size = size;
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
    if (gv_gl_uint(call, 2) && (offset < 0 || size <= 0 || offset % 16 != 0))
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    return set(gl, call, (uint64_t)offset, (uint64_t)size);
}

// ---- for draws ----

// The device's copy of the range, as it is now: not every device takes GL's offsets.
static bool refresh(struct gv_gl *gl, struct gv_gl_texel_range *r,
                    const struct gv_gl_buffer *b, uint64_t size, struct gv_error *err)
{
    bool made = r->device.id && r->device_size == size;
    if (made && r->serial == b->named.serial && r->version == b->version &&
        r->device_offset == r->offset)
        return true;
    if (!gv_gl_made(gl, size, err))
        return false;
    struct gv_builder *to = gv_lower_transfer(&gl->pass);
    if (!made && r->device.id)
        gv_emit(to, buffer_destroy, .buffer = r->device);
    if (!made)
        r->device = gv_emit(to, buffer_create, .size = size,
                            .usage = GV_BUFFER_USAGE_UNIFORM_TEXEL);
    r->serial = b->named.serial;
    r->version = b->version;
    r->device_size = size;
    r->device_offset = r->offset;
    gv_emit(to, buffer_upload, .buffer = r->device, .offset = 0,
            .data = gv_data(b->bytes + r->offset), .size = size);
    return true;
}

bool gv_gl_texels_of_unit(struct gv_gl *gl, uint32_t unit, struct gv_gl_texels *out,
                          struct gv_error *err)
{
    struct gv_gl_texture *t = unit < GV_GL_IMAGE_UNITS
                                  ? gv_gl_texture_bound(gl, unit, GV_GL_TARGET_BUFFER)
                                  : NULL;
    *out = (struct gv_gl_texels){ .format = GV_FORMAT_R8G8B8A8_UNORM };
    struct gv_gl_texel_range *r = t ? &t->texels : NULL;
    const struct gv_gl_buffer *b =
        r && r->buffer ? gv_gl_buffer_find(gl, r->buffer) : NULL;
    if (!b || !b->size || r->offset >= b->size)
        return true;
    if (b->unknown)
        return gv_gl_unsupported(gl, "texels of a buffer that the device has written");
    uint64_t texel = gv_format_info(r->format)->block_bytes,
             there = b->size - r->offset;
    uint64_t size = (r->size && r->size < there ? r->size : there) / texel * texel;
    if (!size)
        return true;
    if (!refresh(gl, r, b, size, err))
        return false;
    *out = (struct gv_gl_texels){ r->device, r->format, size };
    return !gv_builder_failed(gl->b, err);
}

const struct gv_gl_row gv_gl_texture_buffer_rows[] = {
    { "glTexBuffer", whole, 0 },
    { "glTexBufferRange", range, 0 },
    { NULL, NULL, 0 },
};
