// glTexSubImage of 1 to 3 dimensions, and which part of a texture a call means.
#include "compiler/gl/texture/texture_image.h"
#include "compiler/gl/texture/texture_object.h"
#include "vm/formats.h"

// ---- parts of images ----

static bool refuse(struct gv_gl_sink *sink, uint32_t error)
{
    gv_gl_reject(sink, error);
    return false;
}

bool gv_gl_texture_part(struct gv_gl *gl, const struct gv_gl_image_target *at,
                        int32_t level, const int32_t offset[3], const int32_t size[3],
                        struct gv_gl_texture_part *out)
{
    struct gv_gl_texture *t = gv_gl_texture_bound(
        gl->context, &gl->objects, gl->context->state.texture.active, at->target);
    uint32_t face = at->face, faces = 1;
    if (at->proxy || level < 0 || (uint32_t)level >= GV_GL_LEVELS)
        return refuse(&gl->sink, at->proxy ? GL_INVALID_ENUM : GL_INVALID_VALUE);
    int64_t from[3] = { offset[0], offset[1], offset[2] };
    int64_t sides[3] = { size[0], size[1], size[2] };
    if (at->layered) {
        if (from[2] < 0 || sides[2] < 1 || from[2] + sides[2] > GV_GL_FACES)
            return sides[2] ? refuse(&gl->sink, GL_INVALID_VALUE) : false;
        face = (uint32_t)from[2];
        faces = (uint32_t)sides[2];
        from[2] = 0;
        sides[2] = 1;
    }
    for (uint32_t k = 0; k < faces; k++)
        if (!t || !t->images[face + k][level] ||
            !gv_gl_same_shape(t->images[face + k][level], t->images[face][level]))
            return refuse(&gl->sink, GL_INVALID_OPERATION);
    struct gv_gl_texture_image *i = t->images[face][level];
    if (at->target == GV_GL_TARGET_1D_ARRAY) {
        from[2] = from[1];
        from[1] = 0;
        sides[2] = sides[1];
        sides[1] = 1;
    }
    const uint32_t limits[3] = { i->width, i->height, i->depth };
    for (int d = 0; d < 3; d++)
        if (from[d] < 0 || sides[d] < 0 || from[d] + sides[d] > limits[d])
            return refuse(&gl->sink, GL_INVALID_VALUE);
    *out = (struct gv_gl_texture_part){
        .texture = t,
        .image = i,
        .face = face,
        .more = faces - 1,
        .level = (uint32_t)level,
        .box = { (uint32_t)from[0], (uint32_t)from[1], (uint32_t)from[2],
                 (uint32_t)sides[0], (uint32_t)sides[1], (uint32_t)sides[2] },
    };
    return true;
}

bool gv_gl_texture_part_has_blocks(const struct gv_gl_texture_part *part)
{
    const struct gv_format_info *info = gv_format_info(part->image->format->format);
    const struct gv_gl_box *b = &part->box;
    uint32_t w = info->block_width, h = info->block_height;
    return b->x % w == 0 && b->y % h == 0 &&
           (b->width % w == 0 || b->x + b->width == part->image->width) &&
           (b->height % h == 0 || b->y + b->height == part->image->height);
}

bool gv_gl_texture_next_face(struct gv_gl_texture_part *part)
{
    if (!part->more)
        return false;
    part->more--;
    part->face++;
    part->image = part->texture->images[part->face][part->level];
    return true;
}

bool gv_gl_part_target(const struct gv_gl_textures *textures, uint32_t name,
                       uint32_t dimensions, struct gv_gl_image_target *out)
{
    // All faces of a cube are layers where it is named, not bound.
    if (textures->named && name == GL_TEXTURE_CUBE_MAP && dimensions == 3) {
        *out =
            (struct gv_gl_image_target){ .target = GV_GL_TARGET_CUBE, .layered = true };
        return true;
    }
    return gv_gl_image_target(name, dimensions, out);
}

// ---- calls ----

// The pixels that one face of a part gets: all, or one image of them.
static bool write_face(struct gv_gl *gl, struct gv_gl_texture_part *part,
                       const struct gv_gl_pixels *pixels, struct gv_error *err)
{
    struct gv_gl_texture *t = part->texture;
    if (t->stale && t->params.base_level != (int32_t)part->level &&
        !gv_gl_texture_settle(gl, t, err))
        return false;
    if (!(pixels->packed
              ? gl->objects.textures->copy_packed(gl, part, pixels, err)
              : gv_gl_texture_write(gl, part->image, &part->box, pixels, err)))
        return false;
    gv_gl_texture_changed(t, part->level);
    return gv_gl_pending_bound(gl, t, part->face, part->level, err);
}

// glTexSubImage: target, level, offsets, sizes, format, type, pixels.
static bool tex_sub_image(struct gv_gl *gl, const struct gv_trace_call *call,
                          uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct gv_gl_texture_part part = { 0 };
    struct gv_gl_pixels pixels = { 0 };
    int32_t offset[3] = { 0, 0, 0 }, size[3] = { 0, 1, 1 };
    uint32_t next = 2 + 2 * dimensions;
    for (uint32_t i = 0; i < dimensions; i++) {
        offset[i] = gv_gl_int(call, 2 + i);
        size[i] = gv_gl_int(call, 2 + dimensions + i);
    }
    if (!gv_gl_part_target(gl->objects.textures, gv_gl_uint(call, 0), dimensions, &at))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    uint32_t error =
        gv_gl_pixel_format(gv_gl_uint(call, next), gv_gl_uint(call, next + 1), &pixels);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (!gv_gl_texture_part(gl, &at, gv_gl_int(call, 1), offset, size, &part))
        return true;
    if (!gv_gl_pixels_suit(pixels.kind, part.image->format) ||
        !gv_gl_texture_part_has_blocks(&part))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    pixels.width = (uint32_t)size[0];
    pixels.height = (uint32_t)size[1];
    pixels.depth = (uint32_t)size[2];
    error = gv_gl_pixels_locate(gl, next + 2, dimensions, &pixels);
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (at.layered)
        pixels.depth = 1;
    do {
        if (!write_face(gl, &part, &pixels, err))
            return false;
        pixels.start += pixels.image_pitch;
    } while (gv_gl_texture_next_face(&part));
    return true;
}

static bool gl_TexSubImage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    return tex_sub_image(gl, call, 1, err);
}
static bool gl_TexSubImage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    return tex_sub_image(gl, call, 2, err);
}
static bool gl_TexSubImage3D(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    return tex_sub_image(gl, call, 3, err);
}

const struct gv_gl_row gv_gl_texture_sub_image_rows[] = {
    { "glTexSubImage1D", gl_TexSubImage1D, GV_GL_LISTED },
    { "glTexSubImage2D", gl_TexSubImage2D, GV_GL_LISTED },
    { "glTexSubImage3D", gl_TexSubImage3D, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
