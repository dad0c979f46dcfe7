// Mips that GL makes: glGenerateMipmap and GL_GENERATE_MIPMAP.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/texture/texture_object.h"
#include "compiler/texels/block_encode.h"
#include "vm/formats.h"

// Defines the levels behind the base level, as mips of it.
static bool define_mips(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t last)
{
    uint32_t base = gv_gl_texture_base_level(t);
    bool volume = t->target == GV_GL_TARGET_3D;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++)
        for (uint32_t level = base + 1; level <= last; level++) {
            struct gv_gl_texture_image as = *t->images[face][base];
            as.width = gv_mip_size(as.width, level - base);
            as.height = gv_mip_size(as.height, level - base);
            if (volume)
                as.depth = gv_mip_size(as.depth, level - base);
            struct gv_gl_texture_image *i =
                gv_gl_texture_define(gl, t, face, level, &as);
            if (!i)
                return false;
            i->hashed = false;
        }
    return true;
}

// Integers and stencil are not filtered (Mesa's rule; OpenGL 4.6, 8.14.4, for GLES).
static bool has_mips(const struct gv_gl_texture_image *i)
{
    return !gv_gl_is_integer(i->format->format) &&
           i->format->base != GL_DEPTH_STENCIL && i->format->base != GL_STENCIL_INDEX;
}

// ---- of blocks ----

// Writes the pixels of what waits for an image into all of its pixels. False: no
// memory.
static bool lay_out(const struct gv_gl_texture_image *i, const struct gv_gl_pending *p,
                    uint8_t *to)
{
    const uint32_t format = i->format->format;
    const bool plain = i->device != format;
    const uint64_t blocks = gv_blocks_size(format, p->width, p->height);
    const uint64_t size = gv_block_pixels_size(format, p->width, p->height);
    const uint64_t row = gv_block_pixels_size(format, p->width, 1);
    const uint64_t stride = gv_block_pixels_size(format, i->width, 1);
    const uint64_t left = gv_block_pixels_size(format, p->x, 1);
    uint8_t *part = malloc((size_t)size);
    bool ok = part != NULL;
    for (uint32_t z = 0; ok && z < p->depth; z++) {
        if (plain)
            memcpy(part, p->data + z * size, (size_t)size);
        else
            ok = gv_blocks_to_pixels(format, i->format->base != GL_LUMINANCE_ALPHA,
                                     p->data + z * blocks, p->width, p->height, part);
        uint8_t *at = to + ((uint64_t)(p->z + z) * i->height + p->y) * stride + left;
        for (uint32_t y = 0; ok && y < p->height; y++)
            memcpy(at + y * stride, part + y * row, (size_t)row);
    }
    free(part);
    return ok;
}

// Pixels of all layers of an image of blocks; NULL: no memory, or they are not known
// here, since the device has them already.
static uint8_t *pixels_of_blocks(const struct gv_gl_texture_image *i)
{
    const uint32_t format = i->format->format;
    const bool plain = i->device == gv_block_source_format(format);
    if (!i->first || !gv_gl_pending_covers(i, i->first) ||
        (i->device != format && !plain))
        return NULL;
    const uint64_t size = gv_block_pixels_size(format, i->width, i->height) * i->depth;
    uint8_t *out = malloc((size_t)size);
    bool ok = out != NULL;
    for (const struct gv_gl_pending *p = i->first; ok && p; p = p->next)
        ok = lay_out(i, p, out);
    if (!ok) {
        free(out);
        return NULL;
    }
    return out;
}

// Levels behind the base level of one face. `pixels` are its base level's and are
// overwritten.
static bool write_mips(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                       uint32_t last, uint8_t *pixels, struct gv_error *err)
{
    const uint32_t base = gv_gl_texture_base_level(t);
    const uint32_t format = t->images[face][base]->format->format;
    for (uint32_t level = base + 1; level <= last; level++) {
        const struct gv_gl_texture_image *from = t->images[face][level - 1];
        struct gv_gl_texture_image *to = t->images[face][level];
        const struct gv_gl_box box = { 0, 0, 0, to->width, to->height, to->depth };
        const uint64_t larger = gv_block_pixels_size(format, from->width, from->height);
        const uint64_t smaller = gv_block_pixels_size(format, to->width, to->height);
        for (uint32_t z = 0; z < to->depth; z++)
            gv_block_pixels_halve(format, pixels + z * larger, from->width,
                                  from->height, pixels + z * smaller);
        if (!gv_gl_texture_encode(gl, to, &box, pixels, err))
            return false;
    }
    return true;
}

static bool generate_blocks(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t last,
                            struct gv_error *err)
{
    const uint32_t base = gv_gl_texture_base_level(t);
    uint8_t *pixels[6] = { NULL };
    bool known = t->target != GV_GL_TARGET_3D, ok = true;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++) {
        pixels[face] = known ? pixels_of_blocks(t->images[face][base]) : NULL;
        known = pixels[face] != NULL;
    }
    if (known && !define_mips(gl, t, last))
        ok = gv_out_of_memory(err);
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++) {
        ok = ok && (!known || write_mips(gl, t, face, last, pixels[face], err));
        free(pixels[face]);
    }
    return known ? ok : gv_gl_unsupported(&gl->sink, GV_GL_LACK(MIP_BLOCKS));
}

// ---- of all textures ----

struct chain {
    struct gv_image image;
    uint32_t base, mips, layer, layers;
};

// Formats that llvmpipe cannot draw to have mips that Mesa makes itself: means of two
// by two texels as they are stored.
static uint32_t filter_of(const struct gv_gl_texture_format *f)
{
    switch (f->internal) {
    case GL_RGB9_E5:
    case GL_SLUMINANCE:
    case GL_SLUMINANCE8:
    case GL_SLUMINANCE_ALPHA:
    case GL_SLUMINANCE8_ALPHA8:
        return GV_FILTER_BOX;
    default:
        return GV_FILTER_LINEAR;
    }
}

static void make_mips(struct gv_builder *b, const struct chain *c, uint32_t filter)
{
    gv_emit(b, image_mipmaps, .image = c->image, .base = c->base, .mips = c->mips,
            .layer = c->layer, .layers = c->layers, .filter = filter);
}

// One level of `size`, as bits.
static void copy_level(struct gv_builder *b, const struct chain *from,
                       const struct chain *to, uint32_t level,
                       const struct gv_gl_texture_image *size, bool volume)
{
    gv_emit(b, image_copy, .dst = to->image, .dst_aspect = GV_ASPECT_COLOR,
            .dst_mip = to->base + level, .dst_layer = to->layer, .dst_x = 0, .dst_y = 0,
            .dst_z = 0, .src = from->image, .src_aspect = GV_ASPECT_COLOR,
            .src_mip = from->base + level, .src_layer = from->layer, .src_x = 0,
            .src_y = 0, .src_z = 0, .width = size->width, .height = size->height,
            .depth = volume ? size->depth : 1, .layers = from->layers);
}

// Of a view whose format is not that of the image: in an image of its own.
static void make_seen_mips(struct gv_lower_pass *pass, const struct gv_gl_texture *t,
                           const struct chain *c)
{
    struct gv_builder *b = gv_lower_transfer(pass);
    const uint32_t base = gv_gl_texture_base_level(t);
    const struct gv_gl_texture_image *top = t->images[0][base];
    const bool volume = t->target == GV_GL_TARGET_3D;
    struct chain own = { .mips = c->mips, .layers = c->layers };
    own.image =
        gv_emit(b, image_create, .type = gv_gl_texture_image_type(t),
                .format = top->device, .width = top->width, .height = top->height,
                .depth = volume ? top->depth : 1, .mips = c->mips, .layers = c->layers,
                .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    copy_level(b, c, &own, 0, top, volume);
    make_mips(b, &own, filter_of(top->format));
    for (uint32_t level = 1; level < c->mips; level++)
        copy_level(b, &own, c, level, t->images[0][base + level], volume);
    gv_emit(b, image_destroy, .image = own.image);
}

static bool generate(struct gv_gl *gl, struct gv_gl_texture *t, struct gv_error *err)
{
    uint32_t last, base = gv_gl_texture_base_level(t);
    t->stale = false;
    if (!gv_gl_texture_base_complete(t, &last) || last == base ||
        !has_mips(t->images[0][base]))
        return true;
    const struct gv_format_info *info = gv_format_info(t->images[0][base]->device);
    if (gv_block_source_format(t->images[0][base]->format->format))
        return generate_blocks(gl, t, last, err);
    if (info->compressed)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(MIP_COMPRESSED));
    if (t->images[0][base]->format->kept[0])
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(FEW_BITS));
    if (!define_mips(gl, t, last))
        return gv_out_of_memory(err);
    if (!gv_gl_texture_gather(gl, t, 0, (struct gv_gl_levels){ base, last }, err))
        return false;
    const struct gv_gl_store *s = t->images[0][base]->store;
    bool volume = t->target == GV_GL_TARGET_3D;
    const struct chain chain = {
        .image = s->image,
        .base = gv_gl_store_mip(t, s, base),
        .mips = last - base + 1,
        .layer = t->view_layer,
        .layers = volume ? 1 : t->images[0][base]->depth * gv_gl_texture_faces(t),
    };
    if (info->value == s->format) {
        make_mips(gv_gl_store_fill(&gl->sink, s), &chain,
                  filter_of(t->images[0][base]->format));
        gv_gl_store_filled(&gl->sink, s);
    } else {
        make_seen_mips(&gl->sink.pass, t, &chain);
    }
    t->settled = false;
    return true;
}

bool gv_gl_texture_settle(struct gv_gl *gl, struct gv_gl_texture *t,
                          struct gv_error *err)
{
    return !t->stale || generate(gl, t, err);
}

void gv_gl_texture_changed(struct gv_gl_texture *t, uint32_t level)
{
    if (t->params.generate_mipmap && gv_gl_texture_base_level(t) == level)
        t->stale = true;
}

// ---- calls ----

static bool gl_GenerateMipmap(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    uint32_t target;
    if (!gv_gl_texture_target(gv_gl_uint(call, 0), &target) ||
        target == GV_GL_TARGET_RECTANGLE || target == GV_GL_TARGET_BUFFER)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_texture *t = gv_gl_texture_bound(
        gl->context, &gl->objects, gl->context->state.texture.active, target);
    uint32_t last;
    if (!t || !gv_gl_texture_base_complete(t, &last) ||
        !has_mips(gv_gl_texture_base(t)))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    return generate(gl, t, err);
}

const struct gv_gl_row gv_gl_texture_mipmap_rows[] = {
    { "glGenerateMipmap", gl_GenerateMipmap, 0 },
    { NULL, NULL, 0 },
};
