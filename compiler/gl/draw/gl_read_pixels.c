// What is read back: nothing, as its pixels go to the program, unless they go to a
// buffer that textures or draws may take them from.
#include "compiler/gl/draw/gl_copy_texture.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/texture/gl_packed.h"
#include "compiler/gl/texture/texture_image.h"
#include "resources/base/checked.h"
#include "vm/formats.h"

// Format and type of arguments, and where in the bound pack buffer their pixels go.
// False: nothing is written (`p->width` 0), or the call is rejected.
static bool locate(struct gv_gl *gl, uint32_t format_index, uint32_t pixels_index,
                   struct gv_gl_buffer *b, struct gv_gl_pixels *p)
{
    const struct gv_trace_call *call = gl->sink.call;
    uint32_t error = gv_gl_pixel_format(gv_gl_uint(call, format_index),
                                        gv_gl_uint(call, format_index + 1), p);
    uint64_t bytes = 0;
    if (error == GL_NO_ERROR &&
        !gv_gl_pixels_measure(&gl->context->client.pack, 2, p, &bytes))
        error = GL_INVALID_OPERATION;
    uint64_t offset = gv_trace_uint(gv_trace_argument(call, pixels_index));
    if (error == GL_NO_ERROR && bytes &&
        (!gv_add_u64(offset, p->start, &p->start) ||
         !gv_range_inside(p->start, bytes, b->size)))
        error = GL_INVALID_OPERATION;
    if (error)
        gv_gl_reject(&gl->sink, error);
    return !error && bytes;
}

// ---- from framebuffers ----

static bool is_integer(uint32_t format)
{
    uint32_t kind = gv_format_info(format)->kind;
    return kind == GV_FORMAT_KIND_UINT || kind == GV_FORMAT_KIND_SINT;
}

// What a copy of the device gives is what a read does: of sRGB it would be light.
static bool is_as_read(uint32_t format)
{
    uint32_t kind = gv_format_info(format)->kind;
    return kind == GV_FORMAT_KIND_UNORM || kind == GV_FORMAT_KIND_SFLOAT;
}

static bool read_into(struct gv_gl *gl, struct gv_gl_buffer *b, uint32_t pixels_index,
                      struct gv_error *err)
{
    const struct gv_trace_call *call = gl->sink.call;
    int32_t width = gv_gl_int(call, 2), height = gv_gl_int(call, 3);
    struct gv_gl_pixels p = { .width = (uint32_t)width,
                              .height = (uint32_t)height,
                              .depth = 1 };
    struct gv_gl_read_source s;
    if (width < 0 || height < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!locate(gl, 4, pixels_index, b, &p))
        return true;
    if (!gv_gl_read_targets(gl, &s, err))
        return false;
    if (!s.complete)
        return gv_gl_reject(&gl->sink, GL_INVALID_FRAMEBUFFER_OPERATION);
    bool colors = p.kind == GV_GL_PIXELS_COLOR;
    if (colors && (!s.color.image.id || s.samples > 1 || is_integer(s.color.format)))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    colors = colors && is_as_read(s.color.format);
    const struct gv_gl_packed *to =
        gv_gl_packed_make(gl, b, &p, colors ? s.color.format : GV_FORMAT_NONE);
    if (to && colors)
        gv_gl_copy_out(gl->drawing, &gl->sink.pass,
                       &(struct gv_gl_copied){ .from = &s.color,
                                               .flipped = s.flipped,
                                               .x = gv_gl_int(call, 0),
                                               .y = gv_gl_int(call, 1),
                                               .width = p.width,
                                               .height = p.height,
                                               .to = to->image });
    return !gv_builder_failed(gl->sink.b, err);
}

static struct gv_gl_buffer *pack_buffer(const struct gv_gl_context *c,
                                        const struct gv_gl_objects *objects)
{
    return gv_gl_buffer_find(objects, c->client.pack.buffer);
}

static bool gl_ReadPixels(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    struct gv_gl_buffer *b = pack_buffer(gl->context, &gl->objects);
    (void)call;
    return !b || read_into(gl, b, 6, err);
}

// With the size of the program's memory.
static bool gl_ReadnPixels(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    struct gv_gl_buffer *b = pack_buffer(gl->context, &gl->objects);
    (void)call;
    return !b || read_into(gl, b, 7, err);
}

// ---- from textures ----

// Colours that the image has as they are, and no volume or layers.
static bool is_plain(const struct gv_gl_texture *t, const struct gv_gl_texture_image *i,
                     const struct gv_gl_pixels *p)
{
    bool alpha = i->format->base == GL_RGBA;
    bool opaque =
        i->format->base == GL_RGB && (p->format == GL_RGB || p->format == GL_BGR);
    return p->kind == GV_GL_PIXELS_COLOR && (alpha || opaque) && i->depth == 1 &&
           t->target != GV_GL_TARGET_3D && !gv_format_info(i->device)->compressed &&
           gv_format_info(i->device)->kind == GV_FORMAT_KIND_UNORM;
}

static bool texture_into(struct gv_gl *gl, struct gv_gl_buffer *b,
                         uint32_t pixels_index, struct gv_error *err)
{
    const struct gv_trace_call *call = gl->sink.call;
    struct gv_gl_image_target at;
    uint32_t level = gv_gl_uint(call, 1);
    if (!gv_gl_image_target(gv_gl_uint(call, 0), 2, &at) || at.proxy)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_gl_texture *t = gv_gl_texture_bound(
        gl->context, &gl->objects, gl->context->state.texture.active, at.target);
    struct gv_gl_texture_image *i =
        t && level < GV_GL_LEVELS ? t->images[at.face][level] : NULL;
    if (!i)
        return true;
    struct gv_gl_pixels p = { .width = i->width, .height = i->height, .depth = 1 };
    if (!locate(gl, 2, pixels_index, b, &p))
        return true;
    bool plain = is_plain(t, i, &p);
    if (plain && ((t->stale && !gv_gl_texture_settle(gl, t, err)) ||
                  !gv_gl_texture_gather(gl, t, at.face,
                                        (struct gv_gl_levels){ level, level }, err)))
        return false;
    const struct gv_gl_packed *to =
        gv_gl_packed_make(gl, b, &p, plain ? i->device : GV_FORMAT_NONE);
    if (!to || !plain)
        return true;
    gv_gl_store_use(&gl->sink.pass,
                    i->store); // what is uploaded from now on comes behind the copy
    const struct gv_lower_attachment from = { .image = i->store->image,
                                              .format = i->device,
                                              .made = i->store->format,
                                              .mip =
                                                  gv_gl_store_mip(t, i->store, level),
                                              .layer = at.face + t->view_layer,
                                              .width = i->width,
                                              .height = i->height };
    gv_gl_copy_out(
        gl->drawing, &gl->sink.pass,
        &(struct gv_gl_copied){
            .from = &from, .width = p.width, .height = p.height, .to = to->image });
    return !gv_builder_failed(gl->sink.b, err);
}

static bool gl_GetTexImage(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    struct gv_gl_buffer *b = pack_buffer(gl->context, &gl->objects);
    (void)call;
    return !b || texture_into(gl, b, 4, err);
}

static bool gl_GetnTexImage(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    struct gv_gl_buffer *b = pack_buffer(gl->context, &gl->objects);
    (void)call;
    return !b || texture_into(gl, b, 5, err);
}

// ---- everything else ----

// Into a buffer, whose bytes nobody knows from then on: who takes them is told.
static bool read_back(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_error *err)
{
    struct gv_gl_buffer *b = pack_buffer(gl->context, &gl->objects);
    (void)call;
    (void)err;
    if (b) {
        b->unknown = true;
        b->on_device = false;
        b->version++;
    }
    return true;
}

const struct gv_gl_row gv_gl_read_pixels_rows[] = {
    { "glReadPixels", gl_ReadPixels, 0 },
    { "glReadnPixels", gl_ReadnPixels, 0 },
    { "glGetTexImage", gl_GetTexImage, 0 },
    { "glGetnTexImage", gl_GetnTexImage, 0 },
    { "glGetCompressedTexImage", read_back, 0 },
    { "glGetnCompressedTexImage", read_back, 0 },
    { "glGetTextureImage", read_back, 0 },
    { "glGetTextureSubImage", read_back, 0 },
    { "glGetCompressedTextureImage", read_back, 0 },
    { "glGetCompressedTextureSubImage", read_back, 0 },
    { "glGetPixelMapfv", read_back, 0 },
    { "glGetPixelMapuiv", read_back, 0 },
    { "glGetPixelMapusv", read_back, 0 },
    { "glGetPolygonStipple", read_back, 0 },
    { NULL, NULL, 0 },
};
