// Texels that are set to one value: glClearTexImage, glClearTexSubImage.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/texture/texture_image.h"
#include "vm/formats.h"

// A row of `width` texels that are all alike; `p` then has it as its pixels, each row
// the same. NULL: no memory.
static uint8_t *repeat(const struct gv_trace_value *v, struct gv_gl_pixels *p)
{
    const size_t bytes = p->texel.bytes;
    uint8_t *row = calloc(p->width, bytes);
    for (size_t x = 0;
         row && v->kind == GV_TRACE_BLOB && v->count >= bytes && x < p->width; x++)
        memcpy(row + x * bytes, v->bytes, bytes);
    p->bytes = row;
    p->size = p->row_bytes = p->width * bytes;
    p->row_pitch = p->image_pitch = 0;
    return row;
}

static bool clear_faces(struct gv_gl *gl, struct gv_gl_texture_part *part,
                        const struct gv_gl_pixels *p, struct gv_error *err)
{
    do {
        if (!gv_gl_texture_write(gl, part->image, &part->box, p, err))
            return false;
        gv_gl_texture_changed(part->texture, part->level);
        if (!gv_gl_pending_bound(gl, part->texture, part->face, part->level, err))
            return false;
    } while (gv_gl_texture_next_face(part));
    return true;
}

// ---- of several samples: a pass ----

// What the first pixel of `p` clears to.
static bool clear_value(const struct gv_gl_context *c, const struct gv_gl_pixels *p,
                        struct gv_lower_clear *out)
{
    const struct gv_gl_pixel *transfer = &c->state.pixel;
    const uint8_t *row = gv_gl_pixels_row(p, 0, 0);
    int64_t integers[4];
    float color[4];
    double depth = 0;
    uint8_t stencil = 0;
    if (p->kind == GV_GL_PIXELS_INTEGER) {
        gv_client_integers(&p->texel, row, 1, integers);
        for (uint32_t i = 0; i < 4; i++)
            out->color[i] = (uint32_t)integers[i];
        return true;
    }
    if (p->kind == GV_GL_PIXELS_COLOR) {
        const bool ok = gv_gl_pixels_rgba(transfer, p, row, color);
        memcpy(out->color, color, sizeof color);
        return ok;
    }
    gv_gl_pixels_depth_stencil(transfer, p, row, &depth, &stencil);
    out->depth = (float)(depth > 0 ? depth < 1 ? depth : 1 : 0);
    out->stencil = stencil;
    return true;
}

static bool clear_samples(struct gv_gl *gl, struct gv_gl_texture_part *part,
                          const struct gv_gl_pixels *p, struct gv_error *err)
{
    const struct gv_gl_levels level = { part->level, part->level };
    const struct gv_gl_box *box = &part->box;
    const struct gv_lower_rectangle at = { box->x, box->y, box->width, box->height };
    struct gv_lower_targets t = { 0 };
    struct gv_lower_clear c = { 0 };
    if (!gv_gl_texture_gather(gl, part->texture, part->face, level, err))
        return false;
    if (!clear_value(gl->context, p, &c))
        return gv_out_of_memory(err);
    const struct gv_gl_texture_image *i = part->image;
    const uint32_t aspects = gv_format_info(i->device)->aspects;
    struct gv_lower_attachment *to =
        aspects & GV_ASPECT_COLOR ? &t.colors[0] : &t.depth;
    c.aspects = p->kind == GV_GL_PIXELS_DEPTH     ? (uint32_t)GV_ASPECT_DEPTH
                : p->kind == GV_GL_PIXELS_STENCIL ? (uint32_t)GV_ASPECT_STENCIL
                                                  : aspects;
    t.depth_aspects = aspects & ~(uint32_t)GV_ASPECT_COLOR;
    *to = (struct gv_lower_attachment){ .image = i->store->image,
                                        .format = gv_gl_plain_format(i->device),
                                        .layer = part->texture->view_layer + box->z,
                                        .width = i->width,
                                        .height = i->height,
                                        .layers = box->depth > 1 ? box->depth : 0 };
    gv_lower_targets_fit(&t);
    const bool whole = at.width == i->width && at.height == i->height;
    gv_gl_store_use(&gl->sink.pass, i->store);
    gv_lower_pass_clear(&gl->sink.pass, &t, &c, whole ? NULL : &at);
    return !gv_builder_failed(gl->sink.b, err);
}

// ---- calls ----

// What is cleared, and the argument behind that.
struct cleared {
    int32_t level, offset[3], size[3];
    uint32_t next;
};

static bool clear(struct gv_gl *gl, const struct gv_trace_call *call,
                  const struct cleared *c, struct gv_error *err)
{
    struct gv_gl_texture *t = gl->objects.textures->named;
    const struct gv_gl_image_target at = { .target = t->target,
                                           .layered = t->target == GV_GL_TARGET_CUBE };
    struct gv_gl_texture_part part = { 0 };
    struct gv_gl_pixels p = { 0 };
    uint32_t error = gv_gl_pixel_format(gv_gl_uint(call, c->next),
                                        gv_gl_uint(call, c->next + 1), &p);
    if (error || !p.texel.bytes) // bits are no texels
        return gv_gl_reject(&gl->sink, error ? error : GL_INVALID_ENUM);
    if (!gv_gl_texture_part(gl, &at, c->level, c->offset, c->size, &part))
        return true;
    if (gv_format_info(part.image->format->format)->compressed ||
        !gv_gl_pixels_suit(p.kind, part.image->format))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!part.box.width || !part.box.height || !part.box.depth)
        return true;
    const bool several = part.image->samples > 1;
    p.width = several ? 1 : part.box.width;
    p.height = several ? 1 : part.box.height;
    p.depth = several ? 1 : part.box.depth;
    uint8_t *row = repeat(gv_trace_argument(call, c->next + 2), &p);
    bool ok = row ? (several ? clear_samples : clear_faces)(gl, &part, &p, err)
                  : gv_out_of_memory(err);
    free(row);
    return ok;
}

static bool by_name(struct gv_gl *gl, const struct gv_trace_call *call,
                    const struct cleared *c, struct gv_error *err)
{
    gl->objects.textures->named =
        gv_gl_texture_find(&gl->objects, 0, gv_gl_uint(call, 0));
    bool ok = clear(gl, call, c, err);
    gl->objects.textures->named = NULL;
    return ok;
}

static struct gv_gl_texture *texture_of(const struct gv_gl_objects *objects,
                                        const struct gv_trace_call *call)
{
    uint32_t name = gv_gl_uint(call, 0);
    struct gv_gl_texture *t = name ? gv_gl_texture_find(objects, 0, name) : NULL;
    return t && t->typed && t->target != GV_GL_TARGET_BUFFER ? t : NULL;
}

// texture, level, format, type, texel.
static bool clear_image(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    const struct gv_gl_texture *t = texture_of(&gl->objects, call);
    int32_t level = gv_gl_int(call, 1);
    const struct gv_gl_texture_image *i =
        t && level >= 0 && level < (int32_t)GV_GL_LEVELS ? t->images[0][level] : NULL;
    if (!i)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct cleared c = { .level = level, .next = 2 };
    bool rows = t->target == GV_GL_TARGET_1D_ARRAY;
    c.size[0] = (int32_t)i->width;
    c.size[1] = (int32_t)(rows ? i->depth : i->height);
    c.size[2] = rows ? 1 : (int32_t)(i->depth * gv_gl_texture_faces(t));
    return by_name(gl, call, &c, err);
}

// texture, level, x, y, z, width, height, depth, format, type, texel.
static bool clear_sub_image(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    if (!texture_of(&gl->objects, call))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct cleared c = { .level = gv_gl_int(call, 1), .next = 8 };
    for (uint32_t i = 0; i < 3; i++) {
        c.offset[i] = gv_gl_int(call, 2 + i);
        c.size[i] = gv_gl_int(call, 5 + i);
    }
    return by_name(gl, call, &c, err);
}

const struct gv_gl_row gv_gl_texture_content_rows[] = {
    { "glClearTexImage", clear_image, 0 },
    { "glClearTexSubImage", clear_sub_image, 0 },
    { NULL, NULL, 0 },
};
