// glTexImage of 1 to 3 dimensions.
#include <string.h>

#include "compiler/gl/texture/texture_image.h"
#include "compiler/gl/texture/texture_object.h"
#include "compiler/texels/bc6h_decode.h"
#include "compiler/texels/block_encode.h"
#include "vm/formats.h"

// ---- what is legal ----

uint32_t gv_gl_texture_levels(uint32_t target)
{
    return target == GV_GL_TARGET_RECTANGLE || target == GV_GL_TARGET_EXTERNAL ? 1
           : target == GV_GL_TARGET_3D                                         ? 12
                                                                               : 15;
}

static bool fits(int32_t side, uint32_t level, uint32_t limit)
{
    return side >= 0 && (uint32_t)side <= limit >> level;
}

static bool legal_size(const struct gv_gl_image_target *at, uint32_t level,
                       const int32_t size[3])
{
    uint32_t wide = GV_GL_MAX_TEXTURE_SIDE, deep = GV_GL_MAX_3D_SIDE;
    switch (at->target) {
    case GV_GL_TARGET_3D:
        return fits(size[0], level, deep) && fits(size[1], level, deep) &&
               fits(size[2], level, deep);
    case GV_GL_TARGET_1D_ARRAY:
        return fits(size[0], level, wide) && fits(size[1], 0, deep);
    case GV_GL_TARGET_CUBE:
        return fits(size[0], level, wide) && size[0] == size[1];
    case GV_GL_TARGET_CUBE_ARRAY:
        return fits(size[0], level, wide) && size[0] == size[1] &&
               fits(size[2], 0, deep) && size[2] % 6 == 0;
    default:
        return fits(size[0], level, wide) && fits(size[1], level, wide) &&
               fits(size[2], 0, deep);
    }
}

static bool is_depth(uint32_t base)
{
    return base == GL_DEPTH_COMPONENT || base == GL_DEPTH_STENCIL ||
           base == GL_STENCIL_INDEX;
}

// Mesa's software rasteriser has no larger ones.
static bool is_too_large(const int32_t size[3], const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = gv_format_info(f->format);
    const uint64_t texels = (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
    return texels / ((uint64_t)info->block_width * info->block_height) >
           GV_GL_MAX_TEXTURE_BYTES / info->block_bytes;
}

uint32_t gv_gl_texture_legal(const struct gv_gl_image_target *at, int32_t level,
                             const int32_t size[3],
                             const struct gv_gl_texture_format *f)
{
    if (level < 0 || (uint32_t)level >= gv_gl_texture_levels(at->target) ||
        !legal_size(at, (uint32_t)level, size) || !f)
        return GL_INVALID_VALUE;
    if (is_depth(f->base) && at->target == GV_GL_TARGET_3D)
        return GL_INVALID_OPERATION;
    return is_too_large(size, f) ? GL_OUT_OF_MEMORY : GL_NO_ERROR;
}

bool gv_gl_pixels_suit(enum gv_gl_pixel_kind kind, const struct gv_gl_texture_format *f)
{
    switch (kind) {
    case GV_GL_PIXELS_COLOR:
    case GV_GL_PIXELS_INDEX:
        return !is_depth(f->base) && !gv_gl_is_integer(f->format);
    case GV_GL_PIXELS_INTEGER:
        return gv_gl_is_integer(f->format);
    case GV_GL_PIXELS_STENCIL:
        return f->base == GL_STENCIL_INDEX || f->base == GL_DEPTH_STENCIL;
    case GV_GL_PIXELS_DEPTH:
    case GV_GL_PIXELS_DEPTH_STENCIL:
        return f->base == GL_DEPTH_COMPONENT || f->base == GL_DEPTH_STENCIL;
    }
    return false;
}

// ---- images ----

struct gv_gl_texture_image gv_gl_texture_shape(struct gv_builder *b,
                                               const struct gv_gl_image_target *at,
                                               const struct gv_gl_texture_format *f,
                                               const int32_t size[3])
{
    bool rows_are_layers = at->target == GV_GL_TARGET_1D_ARRAY;
    bool cubes = at->target == GV_GL_TARGET_CUBE;
    return (struct gv_gl_texture_image){
        .internal = f->internal,
        .format = f,
        .device = gv_gl_texture_device_format(b, f),
        .width = (uint32_t)size[0],
        .height = rows_are_layers ? 1 : (uint32_t)size[1],
        .depth = rows_are_layers ? (uint32_t)size[1]
                 : cubes         ? 1
                                 : (uint32_t)size[2],
    };
}

// The bound texture of an image target; NULL for proxies and immutable ones.
struct gv_gl_texture *gv_gl_texture_to_define(const struct gv_gl_context *c,
                                              const struct gv_gl_objects *objects,
                                              const struct gv_gl_image_target *at)
{
    struct gv_gl_texture *t =
        gv_gl_texture_bound(c, objects, c->state.texture.active, at->target);
    return t && !t->immutable ? t : NULL;
}

// Borders are not stored (no more than llvmpipe does): the pixels inside them are.
static void strip_border(const struct gv_gl_image_target *at, int32_t size[3],
                         uint32_t dimensions, struct gv_gl_pixels *p)
{
    uint32_t sides = at->target == GV_GL_TARGET_1D_ARRAY ? 1 : dimensions;
    uint64_t bytes = p->texel.bytes;
    p->start +=
        bytes + (sides > 1 ? p->row_pitch : 0) + (sides > 2 ? p->image_pitch : 0);
    for (uint32_t i = 0; i < sides; i++)
        size[i] = size[i] > 2 ? size[i] - 2 : 0;
    p->packed_x++;
    p->packed_y += sides > 1;
    p->width = (uint32_t)size[0];
    p->row_bytes = p->width * bytes;
    p->height = (uint32_t)size[1];
    p->depth = (uint32_t)size[2];
}

static struct gv_gl_box whole_box(const struct gv_gl_texture_image *i)
{
    return (struct gv_gl_box){ 0, 0, 0, i->width, i->height, i->depth };
}

static bool has_block_target(const struct gv_gl_image_target *at)
{
    return at->target != GV_GL_TARGET_1D && at->target != GV_GL_TARGET_1D_ARRAY;
}

// Whether GL makes blocks of pixels: those that `internal` names not for every target,
// and of ETC2 and ASTC none. Of what it chose itself it makes them always.
static uint32_t legal_blocks(const struct gv_gl_image_target *at, uint32_t internal,
                             const struct gv_gl_texture_format *f)
{
    if (!f || !gv_format_info(f->format)->compressed || f->internal != internal)
        return GL_NO_ERROR;
    bool volume =
        at->target == GV_GL_TARGET_3D && f->format != GV_FORMAT_BC7_UNORM_BLOCK &&
        f->format != GV_FORMAT_BC7_SRGB_BLOCK && !gv_bc6h_is_format(f->format);
    if (!has_block_target(at) || at->target == GV_GL_TARGET_RECTANGLE || volume)
        return GL_INVALID_ENUM;
    return gv_block_source_format(f->format) ? GL_NO_ERROR : GL_INVALID_OPERATION;
}

// glTexImage: target, level, internal format, `dimensions` sides, border, format, type,
// pixels.
static bool tex_image(struct gv_gl *gl, const struct gv_trace_call *call,
                      uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct gv_gl_pixels pixels = { 0 };
    int32_t level = gv_gl_int(call, 1), size[3] = { 0, 1, 1 };
    uint32_t internal = gv_gl_uint(call, 2), next = 3 + dimensions;
    for (uint32_t i = 0; i < dimensions; i++)
        size[i] = gv_gl_int(call, 3 + i);
    int32_t border = gv_gl_int(call, next);
    if (!gv_gl_image_target(gv_gl_uint(call, 0), dimensions, &at))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (at.proxy)
        return true;
    bool es = gl->context->family == GV_GL_ES;
    uint32_t format = gv_gl_uint(call, next + 1), type = gv_gl_uint(call, next + 2);
    uint32_t error = gv_gl_pixel_format(format, type, &pixels);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (border < 0 || border > 1 || (border && at.target == GV_GL_TARGET_RECTANGLE))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    pixels.width = size[0] > 0 ? (uint32_t)size[0] : 0;
    pixels.height = size[1] > 0 ? (uint32_t)size[1] : 0;
    pixels.depth = size[2] > 0 ? (uint32_t)size[2] : 0;
    error = gv_gl_pixels_locate(gl, next + 3, dimensions, &pixels);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (border)
        strip_border(&at, size, dimensions, &pixels);
    const struct gv_gl_texture_format *f =
        gv_gl_texture_format_for(internal, &pixels, es, has_block_target(&at));
    if (internal == GL_COMPRESSED_RGB_FXT1_3DFX ||
        internal == GL_COMPRESSED_RGBA_FXT1_3DFX)
        return gv_gl_unsupported_of(&gl->sink, GV_GL_LACK(COMPRESSING), "FXT1");
    error = gv_gl_texture_legal(&at, level, size, f);
    if (!error)
        error = legal_blocks(&at, internal, f);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, &at);
    if (!t || !gv_gl_pixels_suit(pixels.kind, f))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    const struct gv_gl_texture_image as = gv_gl_texture_shape(gl->sink.b, &at, f, size);
    if (!gv_gl_texture_replace(gl, t, at.face, (uint32_t)level, &as, &pixels, err))
        return false;
    struct gv_gl_texture_part all = { .texture = t,
                                      .image = t->images[at.face][level],
                                      .face = at.face,
                                      .level = (uint32_t)level };
    all.box = whole_box(all.image);
    return !pixels.packed || !pixels.width ||
           gl->objects.textures->copy_packed(gl, &all, &pixels, err);
}

bool gv_gl_texture_replace(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                           uint32_t level, const struct gv_gl_texture_image *as,
                           const struct gv_gl_pixels *pixels, struct gv_error *err)
{
    if (t->stale && t->params.base_level != (int32_t)level &&
        !gv_gl_texture_settle(gl, t, err))
        return false;
    struct gv_gl_texture_image *i = gv_gl_texture_define(gl, t, face, level, as);
    if (!i)
        return gv_out_of_memory(err);
    const struct gv_gl_box box = whole_box(i);
    if (pixels && !gv_gl_texture_write(gl, i, &box, pixels, err))
        return false;
    gv_gl_texture_changed(t, level);
    return gv_gl_pending_bound(gl, t, face, level, err);
}

static bool gl_TexImage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return tex_image(gl, call, 1, err);
}
static bool gl_TexImage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return tex_image(gl, call, 2, err);
}
static bool gl_TexImage3D(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return tex_image(gl, call, 3, err);
}
const struct gv_gl_row gv_gl_texture_image_rows[] = {
    { "glTexImage1D", gl_TexImage1D, GV_GL_LISTED },
    { "glTexImage2D", gl_TexImage2D, GV_GL_LISTED },
    { "glTexImage3D", gl_TexImage3D, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
