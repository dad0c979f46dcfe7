#include "compiler/gl/draw/gl_copy_texture.h"

#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/texture/gl_packed.h"
#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

// What is copied: a rectangle of the framebuffer, in GL's rows.
struct rectangle {
    int64_t x, y, width, height;
};

// Cuts what is outside of the source off, and moves the destination along.
static void clip(struct rectangle *r, const struct gv_lower_attachment *from,
                 struct gv_gl_box *to)
{
    int64_t left = r->x < 0 ? -r->x : 0, low = r->y < 0 ? -r->y : 0;
    int64_t right = r->x + r->width - from->width,
            top = r->y + r->height - from->height;
    r->x += left;
    r->y += low;
    r->width -= left + (right > 0 ? right : 0);
    r->height -= low + (top > 0 ? top : 0);
    if (r->width <= 0 || r->height <= 0)
        r->width = r->height = 0;
    to->x += (uint32_t)(r->width ? left : 0);
    to->y += (uint32_t)(r->width ? low : 0);
    to->width = (uint32_t)r->width;
    to->height = (uint32_t)r->height;
}

// An image, or a slice of it, that a blit writes.
struct destination {
    struct gv_image image;
    uint32_t mip, layer, x, y, width, height, aspect;
};

// Rows of windows stand upside down.
static void blit(struct gv_lower_pass *pass, const struct destination *to,
                 const struct gv_lower_attachment *from, const struct rectangle *r,
                 bool flipped)
{
    int32_t height = (int32_t)from->height;
    int32_t low = (int32_t)r->y, high = (int32_t)(r->y + r->height);
    gv_emit(gv_lower_transfer(pass), image_blit, .dst = to->image, .dst_mip = to->mip,
            .dst_layer = to->layer, .dst_x0 = (int32_t)to->x, .dst_y0 = (int32_t)to->y,
            .dst_z0 = 0, .dst_x1 = (int32_t)(to->x + to->width),
            .dst_y1 = (int32_t)(to->y + to->height), .dst_z1 = 1, .src = from->image,
            .src_mip = from->mip, .src_layer = from->layer, .src_x0 = (int32_t)r->x,
            .src_y0 = flipped ? height - low : low, .src_z0 = 0,
            .src_x1 = (int32_t)(r->x + r->width),
            .src_y1 = flipped ? height - high : high, .src_z1 = 1, .layers = 1,
            .aspect = to->aspect, .filter = GV_FILTER_NEAREST);
}

// An attachment as a blit can read it: no slice of a 3D image, which not every driver
// finds in a blit, and in the format that it is seen in.
static struct gv_lower_attachment readable(struct gv_gl_drawing *d,
                                           struct gv_lower_pass *pass,
                                           const struct gv_lower_attachment *from,
                                           uint32_t seen)
{
    if (!from->volume && gv_lower_made(from) == seen)
        return *from;
    return gv_gl_held_copy(pass, &d->read, from, seen, 1);
}

void gv_gl_copy_out(struct gv_gl_drawing *d, struct gv_lower_pass *pass,
                    const struct gv_gl_copied *c)
{
    struct rectangle r = { c->x, c->y, c->width, c->height };
    struct gv_gl_box box = { 0 };
    clip(&r, c->from, &box);
    const struct destination to = { .image = c->to,
                                    .x = box.x,
                                    .y = box.y,
                                    .width = box.width,
                                    .height = box.height,
                                    .aspect = GV_ASPECT_COLOR };
    if (!r.width || !r.height)
        return;
    const struct gv_lower_attachment from = readable(d, pass, c->from, c->from->format);
    blit(pass, &to, &from, &r, c->flipped);
}

// What a part of a texture is to copies, in the format that it is seen in.
static struct gv_lower_attachment written(const struct gv_gl_texture_part *to,
                                          uint32_t seen)
{
    const struct gv_gl_store *s = to->image->store;
    const bool volume = to->texture->target == GV_GL_TARGET_3D;
    return (struct gv_lower_attachment){
        .image = s->image,
        .format = seen,
        .made = s->format,
        .volume = volume,
        .line = gv_gl_texture_image_type(to->texture) == GV_IMAGE_TYPE_1D,
        .mip = gv_gl_store_mip(to->texture, s, to->level),
        .layer = to->box.z + (volume ? 0 : to->face + to->texture->view_layer),
    };
}

static struct gv_image make_flat(struct gv_builder *b, uint32_t format,
                                 const struct gv_gl_box *size)
{
    return gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = format,
                   .width = size->width, .height = size->height, .depth = 1, .mips = 1,
                   .layers = 1, .samples = 1, .usage = GV_IMAGE_USAGE_SAMPLED,
                   .flags = 0);
}

// Slices of 3D images, and what is not seen as it was made, by way of a flat image.
static void blit_part(struct gv_gl *gl, const struct gv_gl_texture_part *to,
                      const struct gv_lower_attachment *from, const struct rectangle *r,
                      bool flipped)
{
    // Copies take bits (EXT_texture_sRGB); two that are sRGB have them anyway.
    const bool alike = from->format == to->image->device;
    const uint32_t device = to->image->device,
                   seen = alike ? device : gv_gl_plain_format(device);
    const struct gv_lower_attachment at = written(to, seen),
                                     source = readable(
                                         gl->drawing, &gl->sink.pass, from,
                                         alike ? device
                                               : gv_gl_plain_format(from->format));
    const struct gv_gl_box *b = &to->box;
    struct destination place = { .image = at.image,
                                 .mip = at.mip,
                                 .layer = at.layer,
                                 .x = b->x,
                                 .y = b->y,
                                 .width = b->width,
                                 .height = b->height,
                                 .aspect = GV_ASPECT_COLOR };
    if (!at.volume && at.made == at.format) {
        blit(&gl->sink.pass, &place, &source, r, flipped);
        return;
    }
    struct gv_builder *builder = gv_lower_transfer(&gl->sink.pass);
    const struct gv_lower_attachment flat = { .image = make_flat(builder, seen, b),
                                              .format = seen,
                                              .made = seen };
    place.image = flat.image;
    place.mip = place.layer = place.x = place.y = 0;
    blit(&gl->sink.pass, &place, &source, r, flipped);
    gv_gl_copy_texels(&gl->sink.pass,
                      &(struct gv_gl_texel_copy){ .from = &flat,
                                                  .to = &at,
                                                  .part = { 0, 0, b->width, b->height },
                                                  .x = b->x,
                                                  .y = b->y,
                                                  .aspects = GV_ASPECT_COLOR });
    gv_emit(builder, image_destroy, .image = flat.image);
}

static bool is_depth(const struct gv_gl_texture_format *f)
{
    return f->base == GL_DEPTH_COMPONENT || f->base == GL_DEPTH_STENCIL;
}

static const struct gv_lower_attachment *source_of(const struct gv_gl_read_source *from,
                                                   const struct gv_gl_texture_format *f)
{
    return is_depth(f) ? &from->depth : &from->color;
}

// Whether an attachment is in an image of a texture.
static bool is_of(const struct gv_gl_texture *t, const struct gv_lower_attachment *a)
{
    bool found = false;
    for (uint32_t face = 0; face < gv_gl_texture_faces(t); face++)
        for (uint32_t level = 0; level < GV_GL_LEVELS; level++) {
            const struct gv_gl_texture_image *i = t->images[face][level];
            found = found || (i && i->store && i->store->image.id == a->image.id);
        }
    return found;
}

// Of a texture that is copied to itself a copy is read: images are made anew for what
// is redefined, and no copy of the device overlaps.
static void set_aside(struct gv_gl_drawing *d, struct gv_lower_pass *pass,
                      const struct gv_gl_texture *to,
                      const struct gv_gl_texture_format *f,
                      struct gv_gl_read_source *source)
{
    struct gv_lower_attachment *from = is_depth(f) ? &source->depth : &source->color;
    if (is_of(to, from))
        *from =
            gv_gl_held_copy(pass, &d->read, from, gv_gl_plain_format(from->format), 1);
}

// Both planes where both are asked for.
static bool has_source(const struct gv_gl_read_source *from,
                       const struct gv_gl_texture_format *f)
{
    const uint32_t stencil =
        f->base == GL_DEPTH_STENCIL ? (uint32_t)GV_ASPECT_STENCIL : 0;
    return source_of(from, f)->image.id &&
           (!is_depth(f) || (from->depth_aspects & GV_ASPECT_DEPTH &&
                             (from->depth_aspects & stencil) == stencil));
}

// Depth is copied, not blitted, which not every device can.
static bool copy_depth(struct gv_gl *gl, const struct gv_gl_texture_part *to,
                       const struct gv_gl_read_source *source, struct rectangle r,
                       struct gv_error *err)
{
    const struct gv_gl_store *s = to->image->store;
    const struct gv_gl_plain_depth wanted = { source->depth_samples, s->format,
                                              source->flipped };
    struct gv_lower_attachment from = source->depth;
    if (!gv_gl_plain_depth(gl->drawing, &gl->sink, &from, &wanted, err))
        return false;
    gv_gl_store_use(&gl->sink.pass, to->image->store);
    to->image->hashed = false;
    const struct gv_lower_attachment at = written(to, s->format);
    const struct gv_gl_texel_copy texels = {
        .from = &from,
        .to = &at,
        .part = { (uint32_t)r.x, (uint32_t)r.y, (uint32_t)r.width, (uint32_t)r.height },
        .x = to->box.x,
        .y = to->box.y,
        .aspects = gv_format_info(s->format)->aspects,
    };
    gv_gl_copy_texels(&gl->sink.pass, &texels);
    gv_gl_texture_changed(to->texture, to->level);
    return true;
}

// Copies `r` into the box of `to`.
static bool copy(struct gv_gl *gl, struct gv_gl_texture_part *to,
                 const struct gv_gl_read_source *source, struct rectangle r,
                 struct gv_error *err)
{
    const struct gv_lower_attachment *from = source_of(source, to->image->format);
    if (to->texture->stale && to->texture->params.base_level != (int32_t)to->level &&
        !gv_gl_texture_settle(gl, to->texture, err))
        return false;
    clip(&r, from, &to->box);
    if (r.width && r.height) {
        if (!gv_gl_texture_gather(gl, to->texture, to->face,
                                  (struct gv_gl_levels){ to->level, to->level }, err))
            return false;
        if (is_depth(to->image->format))
            return copy_depth(gl, to, source, r, err);
        if (gv_format_info(to->image->format->format)->compressed)
            return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_COMPRESSED));
        to->image->hashed = false;
        gv_gl_store_use(&gl->sink.pass, to->image->store);
        blit_part(gl, to, from, &r, source->flipped);
    }
    gv_gl_texture_changed(to->texture, to->level);
    return true;
}

// Alpha is 1 whatever is stored.
static bool is_opaque(const struct gv_gl_texture_image *i)
{
    return i->format->base == GL_RGB || i->format->base == GL_LUMINANCE;
}

bool gv_gl_copy_packed(struct gv_gl *gl, struct gv_gl_texture_part *to,
                       const struct gv_gl_pixels *p, struct gv_error *err)
{
    const struct gv_gl_packed *x = p->packed;
    const struct gv_gl_read_source source = {
        .color = { .image = x->image,
                   .format = x->format,
                   .width = x->width,
                   .height = x->height },
        .complete = true,
        .samples = 1,
    };
    const struct rectangle r = { p->packed_x, p->packed_y, p->width, p->height };
    const struct gv_format_info *f =
        gv_format_info(gv_gl_plain_format(to->image->device));
    bool numbers = f->kind == GV_FORMAT_KIND_UNORM || f->kind == GV_FORMAT_KIND_SFLOAT;
    if (gv_gl_texture_is_narrow(to->image) || !numbers ||
        (x->opaque && !is_opaque(to->image)) ||
        to->texture->target == GV_GL_TARGET_1D_ARRAY)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_TEXELS));
    return copy(gl, to, &source, r, err);
}

// The same where each row goes to a layer of rows.
static bool copy_rows(struct gv_gl *gl, const struct gv_gl_texture_part *to,
                      const struct gv_gl_read_source *source, struct rectangle r,
                      struct gv_error *err)
{
    const bool apart = to->texture->target == GV_GL_TARGET_1D_ARRAY;
    bool ok = true;
    for (uint32_t i = 0; ok && i < (apart ? to->box.depth : 1); i++) {
        struct gv_gl_texture_part row = *to;
        struct rectangle from = r;
        if (apart) {
            row.box.z += i;
            row.box.depth = 1;
            from.y += (int32_t)i;
            from.height = 1;
        }
        ok = copy(gl, &row, source, from, err);
    }
    return ok;
}

// Where to read from. False: rejected, or `err`; `*failed` tells.
static bool read_from(struct gv_gl *gl, struct gv_gl_read_source *out,
                      struct gv_error *err, bool *failed)
{
    *failed = !gv_gl_read_targets(gl, out, err);
    if (*failed)
        return false;
    if (!out->complete || out->samples > 1)
        return !gv_gl_reject(&gl->sink, out->complete
                                            ? GL_INVALID_OPERATION
                                            : GL_INVALID_FRAMEBUFFER_OPERATION);
    if (gv_gl_pixels_transferred(&gl->context->state.pixel, GV_GL_PIXELS_COLOR))
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_TRANSFER));
    return true;
}

// ---- whole images ----

// As images that can be copied to, which hold every component of what is read.
static const struct gv_gl_texture_format *copied_format(uint32_t internal)
{
    const struct gv_gl_texture_format *f =
        gv_gl_texture_format_unpacked(gv_gl_texture_format(internal));
    return f ? gv_gl_texture_format_wide(f) : NULL;
}

static bool copy_tex_image(struct gv_gl *gl, const struct gv_trace_call *call,
                           uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct gv_gl_read_source source;
    int32_t level = gv_gl_int(call, 1), size[3] = { gv_gl_int(call, 5), 1, 1 };
    if (dimensions == 2)
        size[1] = gv_gl_int(call, 6);
    struct rectangle r = { gv_gl_int(call, 3), gv_gl_int(call, 4), size[0], size[1] };
    int32_t border = gv_gl_int(call, 5 + dimensions);
    const struct gv_gl_texture_format *f = copied_format(gv_gl_uint(call, 2));
    bool failed;
    if (!gv_gl_image_target(gv_gl_uint(call, 0), dimensions, &at) || at.proxy || !f)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (border < 0 || border > 1)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; border && i < dimensions; i++)
        size[i] = size[i] > 2 ? size[i] - 2 : 0;
    r = (struct rectangle){ r.x + border, r.y + (dimensions > 1 ? border : 0), size[0],
                            size[1] };
    uint32_t error = gv_gl_texture_legal(&at, level, size, f);
    struct gv_gl_texture *t = gv_gl_texture_to_define(gl->context, &gl->objects, &at);
    if (error || !t)
        return gv_gl_reject(&gl->sink, error ? error : GL_INVALID_OPERATION);
    if (!read_from(gl, &source, err, &failed))
        return !failed;
    if (!has_source(&source, f))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (gv_gl_texture_format_has_blocks(gv_gl_uint(call, 2)))
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(COPY_COMPRESSED));
    struct gv_gl_texture_image as = gv_gl_texture_shape(gl->sink.b, &at, f, size);
    as.internal = gv_gl_uint(call, 2);
    set_aside(gl->drawing, &gl->sink.pass, t, f, &source);
    if (is_depth(f))
        as.device = source.depth.format;
    if (!gv_gl_texture_replace(gl, t, at.face, (uint32_t)level, &as, NULL, err))
        return false;
    struct gv_gl_texture_part part = {
        .texture = t,
        .image = t->images[at.face][level],
        .face = at.face,
        .level = (uint32_t)level,
        .box = { 0, 0, 0, as.width, as.height, as.depth },
    };
    return copy_rows(gl, &part, &source, r, err);
}

// ---- parts ----

// target, level, `dimensions` offsets, x, y, width (and height).
static bool copy_tex_sub_image(struct gv_gl *gl, const struct gv_trace_call *call,
                               uint32_t dimensions, struct gv_error *err)
{
    struct gv_gl_image_target at;
    struct gv_gl_texture_part part;
    struct gv_gl_read_source source;
    int32_t offset[3] = { 0, 0, 0 };
    uint32_t next = 2 + dimensions;
    for (uint32_t i = 0; i < dimensions; i++)
        offset[i] = gv_gl_int(call, 2 + i);
    const int32_t size[3] = { gv_gl_int(call, next + 2),
                              dimensions > 1 ? gv_gl_int(call, next + 3) : 1, 1 };
    const struct rectangle r = { gv_gl_int(call, next), gv_gl_int(call, next + 1),
                                 size[0], size[1] };
    bool failed;
    if (!gv_gl_part_target(gl->objects.textures, gv_gl_uint(call, 0), dimensions, &at))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!gv_gl_texture_part(gl, &at, gv_gl_int(call, 1), offset, size, &part) ||
        !part.box.width || !part.box.height)
        return true;
    if (part.image->format->kept[0])
        gv_gl_unsupported(&gl->sink, GV_GL_LACK(FEW_BITS));
    if (gv_gl_texture_is_narrow(part.image) &&
        !gv_gl_texture_widen(gl->objects.textures, &gl->sink, part.texture,
                             GV_GL_LACK(ALPHA_COPY), err))
        return false;
    if (gv_gl_texture_is_narrow(part.image)) // told
        return true;
    if (!read_from(gl, &source, err, &failed))
        return !failed;
    if (!has_source(&source, part.image->format))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    set_aside(gl->drawing, &gl->sink.pass, part.texture, part.image->format, &source);
    return copy_rows(gl, &part, &source, r, err);
}

static bool gl_CopyTexImage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    return copy_tex_image(gl, call, 1, err);
}
static bool gl_CopyTexImage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    return copy_tex_image(gl, call, 2, err);
}
static bool gl_CopyTexSubImage1D(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    return copy_tex_sub_image(gl, call, 1, err);
}
static bool gl_CopyTexSubImage2D(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    return copy_tex_sub_image(gl, call, 2, err);
}
static bool gl_CopyTexSubImage3D(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    return copy_tex_sub_image(gl, call, 3, err);
}

const struct gv_gl_row gv_gl_copy_texture_rows[] = {
    { "glCopyTexImage1D", gl_CopyTexImage1D, GV_GL_LISTED },
    { "glCopyTexImage2D", gl_CopyTexImage2D, GV_GL_LISTED },
    { "glCopyTexSubImage1D", gl_CopyTexSubImage1D, GV_GL_LISTED },
    { "glCopyTexSubImage2D", gl_CopyTexSubImage2D, GV_GL_LISTED },
    { "glCopyTexSubImage3D", gl_CopyTexSubImage3D, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
