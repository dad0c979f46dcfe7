#include "compiler/gl/program/gl_storage.h"

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/texture/gl_image_unit.h"

#define MOST_UNIFORM_BYTES 65536u // of a block: llvmpipe's GL_MAX_UNIFORM_BLOCK_SIZE

// ---- buffers ----

static struct gv_buffer copy_of(struct gv_lower_pass *pass,
                                const struct gv_gl_bound_storage *s,
                                struct gv_buffer from, uint32_t usage)
{
    struct gv_builder *b = gv_lower_transfer(pass);
    const struct gv_buffer copy =
        gv_emit(b, buffer_create, .size = (s->size + 3) & ~UINT64_C(3), .usage = usage);
    gv_emit(b, buffer_copy, .dst = copy, .dst_offset = 0, .src = from,
            .src_offset = s->part.offset, .size = s->size);
    return copy;
}

// Copies of parts that overlap would go home one over the other.
static bool overlaps(const struct gv_gl_storage *all,
                     const struct gv_gl_bound_storage *s)
{
    for (const struct gv_gl_bound_storage *o = all->buffers; o < s; o++)
        if (o->buffer.id && o->part.buffer == s->part.buffer &&
            (o->written || s->written) && (o->copied || s->copied) &&
            o->part.offset < s->part.offset + s->part.size &&
            s->part.offset < o->part.offset + o->part.size)
            return true;
    return false;
}

// Brings a part to the device: s->part and s->written say which and how.
static void settle(struct gv_gl_sink *sink, const struct gv_gl_storage *all,
                   struct gv_gl_bound_storage *s, uint32_t usage)
{
    struct gv_gl_buffer *b = s->part.buffer;
    s->size = s->part.size;
    s->offset = s->part.offset;
    s->copied = s->offset % GV_LOWER_BUFFER_ALIGN != 0;
    s->buffer = s->written ? gv_gl_buffer_target(sink, b, s->copied ? 0 : usage)
                           : gv_gl_buffer_gpu(sink, b, s->copied ? 0 : usage);
    if (!s->buffer.id)
        return;
    if (overlaps(all, s))
        gv_gl_unsupported(sink, GV_GL_LACK(STORAGE_PARTS));
    if (!s->copied)
        return;
    s->buffer = copy_of(&sink->pass, s, s->buffer, usage);
    s->offset = 0;
}

// What is not bound reads zeros, and is written in vain: a buffer of the draw's own.
static void stand_in(struct gv_lower_pass *pass, struct gv_gl_bound_storage *s,
                     uint32_t usage)
{
    s->part = (struct gv_gl_buffer_part){ 0 };
    s->offset = 0;
    s->size = GV_LOWER_BUFFER_ALIGN;
    s->copied = true;
    s->buffer = gv_emit(gv_lower_transfer(pass), buffer_create, .size = s->size,
                        .usage = usage);
}

static void find_buffer(struct gv_gl_context *c, struct gv_gl_objects *objects,
                        struct gv_gl_sink *sink, const struct gv_gl_stage_storage *from,
                        struct gv_gl_storage *out)
{
    struct gv_gl_bound_storage *s = &out->buffers[out->count];
    *s = (struct gv_gl_bound_storage){ .place = from->place, .written = from->written };
    const bool uniform = from->target == GL_UNIFORM_BUFFER;
    const uint32_t usage = uniform ? GV_BUFFER_USAGE_UNIFORM : GV_BUFFER_USAGE_STORAGE;
    if (gv_gl_buffer_point(c, objects, from->target, from->point, &s->part)) {
        if (uniform && s->part.size > MOST_UNIFORM_BYTES)
            s->part.size = MOST_UNIFORM_BYTES;
        settle(sink, out, s, usage);
    }
    if (!s->buffer.id)
        stand_in(&sink->pass, s, usage);
    out->count++;
}

// ---- images ----

static void find_texels(struct gv_gl_sink *sink, const struct gv_gl_unit_storage *u,
                        const struct gv_gl_stage_image *from, struct gv_gl_storage *out)
{
    struct gv_gl_bound_storage *s = &out->buffers[out->count];
    *s = (struct gv_gl_bound_storage){
        .place = from->place,
        .written = from->written,
        .part = { u->texels, u->offset, u->size },
    };
    settle(sink, out, s, GV_BUFFER_USAGE_STORAGE_TEXEL);
    out->images[out->image_count].texels = true;
    out->images[out->image_count].buffer = out->count++;
}

static bool find_image(struct gv_gl *gl, const struct gv_gl_stage_image *from,
                       struct gv_gl_storage *out, struct gv_error *err)
{
    const struct gv_gl_image_use use = { .target = from->target,
                                         .texels = gv_gl_scalar_texels(from->scalar),
                                         .format = from->format,
                                         .written = from->written };
    struct gv_gl_unit_storage u;
    if (!gv_gl_image_of_unit(gl, from->unit, &use, &u, err))
        return false;
    struct gv_gl_bound_image *i = &out->images[out->image_count];
    *i = (struct gv_gl_bound_image){ from->place, u.image,  u.type, u.format, u.mip,
                                     u.layer,     u.layers, false,  0 };
    if (u.texels)
        find_texels(&gl->sink, &u, from, out);
    out->image_count++;
    return true;
}

// ---- for draws and dispatches ----

bool gv_gl_storage_find(struct gv_gl *gl, const struct gv_gl_stages *stages,
                        struct gv_gl_storage *out, struct gv_error *err)
{
    out->count = out->image_count = 0;
    // Texels first: what they ask of a buffer on the device is seldom there already.
    for (uint32_t i = 0; i < stages->image_count; i++)
        if (!find_image(gl, &stages->images[i], out, err))
            return false;
    for (uint32_t i = 0; i < stages->storage_count; i++)
        find_buffer(gl->context, &gl->objects, &gl->sink, &stages->storage[i], out);
    return !gv_builder_failed(gl->sink.b, err);
}

// What is no copy may have been made anew since it was found: for captures, for numbers
// of draws.
static struct gv_buffer now(const struct gv_gl_bound_storage *s)
{
    return s->copied || !s->buffer.id ? s->buffer : s->part.buffer->gpu;
}

static void bind_image(struct gv_builder *b, const struct gv_gl_storage *all,
                       const struct gv_gl_bound_image *i)
{
    const struct gv_gl_bound_storage *s = i->texels ? &all->buffers[i->buffer] : NULL;
    if (s)
        gv_emit(b, bind_texel_buffer, .set = i->place.set, .binding = i->place.binding,
                .element = i->place.element, .buffer = now(s), .offset = s->offset,
                .size = s->size, .format = i->format);
    else
        gv_emit(b, bind_storage_image, .set = i->place.set, .binding = i->place.binding,
                .element = i->place.element, .image = i->image, .type = i->type,
                .format = i->image.id ? i->format : 0, .mip = i->mip, .layer = i->layer,
                .layers = i->layers);
}

void gv_gl_storage_bind(struct gv_builder *b, const struct gv_gl_storage *s)
{
    bool texels[GV_GL_BOUND_STORAGE] = { false };
    for (uint32_t i = 0; i < s->image_count; i++) {
        bind_image(b, s, &s->images[i]);
        if (s->images[i].texels)
            texels[s->images[i].buffer] = true;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (!texels[i])
            gv_emit(b, bind_buffer, .set = s->buffers[i].place.set,
                    .binding = s->buffers[i].place.binding,
                    .element = s->buffers[i].place.element,
                    .buffer = now(&s->buffers[i]), .offset = s->buffers[i].offset,
                    .size = s->buffers[i].size);
}

void gv_gl_storage_done(struct gv_gl_sink *sink, struct gv_gl_storage *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct gv_gl_bound_storage *c = &s->buffers[i];
        if (!c->copied || !c->buffer.id)
            continue;
        struct gv_builder *b = gv_lower_transfer(&sink->pass);
        if (c->written && c->part.buffer)
            gv_emit(b, buffer_copy, .dst = gv_gl_buffer_target(sink, c->part.buffer, 0),
                    .dst_offset = c->part.offset, .src = c->buffer, .src_offset = 0,
                    .size = c->size);
        gv_emit(b, buffer_destroy, .buffer = c->buffer);
    }
    s->count = s->image_count = 0;
}
