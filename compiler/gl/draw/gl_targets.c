// What draws, clears and reads of the current context go to: attachments of the surface
// or of the bound framebuffer object.
#include "compiler/gl/draw/gl_drawing.h"

#include <string.h>

#include "compiler/gl/texture/gl_texture_format.h"
#include "compiler/lower/lower_state.h"
#include "vm/formats.h"

// ---- windows ----

// There is no right one.
bool gv_gl_surface_part(uint32_t buffer, enum gv_gl_surface_part *part)
{
    switch (buffer) {
    case GL_FRONT:
    case GL_FRONT_LEFT:
        *part = GV_GL_SURFACE_FRONT;
        return true;
    case GL_BACK:
    case GL_BACK_LEFT:
    case GL_LEFT:
    case GL_FRONT_AND_BACK: // and the front: surface_targets
        *part = GV_GL_SURFACE_BACK;
        return true;
    default:
        return false;
    }
}

// As the visual of the current context has it.
static struct gv_lower_attachment surface_color(struct gv_gl_context *c,
                                                struct gv_gl_sink *sink,
                                                struct gv_gl_surface *s,
                                                enum gv_gl_surface_part part, bool read)
{
    struct gv_lower_attachment a =
        read ? gv_gl_surface_read(sink, s, part) : gv_gl_surface_color(sink, s, part);
    a.opaque = c->visual.opaque;
    return a;
}

// GL_FRAMEBUFFER_SRGB: windows of the desktop can, as glretrace makes them. In GLES it
// is always on, for surfaces of sRGB.
static bool is_light(const struct gv_gl_context *c, const struct gv_gl_surface *s)
{
    if (c->family == GV_GL_ES)
        return s->space == GV_GL_SPACE_SRGB;
    return c->state.color.srgb && !c->visual.plain && s->space != GV_GL_SPACE_LINEAR;
}

static void write_light(const struct gv_gl_context *c, struct gv_gl_targets *out)
{
    if (!is_light(c, c->draw_surface))
        return;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        if (out->lower.colors[i].format == GV_FORMAT_R8G8B8A8_UNORM)
            out->lower.colors[i].format = GV_FORMAT_R8G8B8A8_SRGB;
}

static void surface_targets(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            struct gv_gl_targets *out)
{
    struct gv_gl_surface *s = c->draw_surface;
    enum gv_gl_surface_part part;
    if (!s || !s->width || !s->height)
        return;
    out->lower.depth = gv_gl_surface_depth(sink, s);
    for (uint32_t i = 0; i < c->draw_buffer_count && i < GV_GL_DRAW_BUFFERS; i++)
        if (gv_gl_surface_part(c->draw_buffers[i], &part))
            out->lower.colors[i] = surface_color(c, sink, s, part, false);
    if (c->draw_buffers[0] == GL_FRONT_AND_BACK || c->draw_buffers[0] == GL_LEFT)
        out->lower.colors[1] = surface_color(c, sink, s, GV_GL_SURFACE_FRONT, false);
    write_light(c, out);
    out->flipped = out->complete = true;
    out->samples = gv_gl_samples((int32_t)s->samples);
}

// ---- framebuffer objects ----

uint32_t gv_gl_written_format(const struct gv_gl_context *c, uint32_t format)
{
    bool light = c->state.color.srgb || c->family == GV_GL_ES;
    return light ? format : gv_gl_plain_format(format);
}

static void note(struct gv_gl_targets *out, const struct gv_gl_attached *a)
{
    out->samples = a->samples;
}

static bool overlap(const struct gv_lower_attachment *a,
                    const struct gv_lower_attachment *b)
{
    return a->image.id == b->image.id && a->mip == b->mip &&
           a->layer < b->layer + (b->layers ? b->layers : 1) &&
           b->layer < a->layer + (a->layers ? a->layers : 1);
}

// GL leaves open what two outputs make of one place; Vulkan has no such pass.
static bool is_attached(struct gv_gl_sink *sink, const struct gv_gl_targets *t,
                        uint32_t count, const struct gv_lower_attachment *a)
{
    for (uint32_t i = 0; i < count; i++)
        if (t->lower.colors[i].image.id && overlap(&t->lower.colors[i], a))
            return gv_gl_unsupported(sink, GV_GL_LACK(ATTACHED_TWICE));
    return false;
}

static void object_targets(struct gv_gl *gl, const struct gv_gl_framebuffer *f,
                           struct gv_gl_targets *out)
{
    struct gv_gl_attached a;
    if (gv_gl_framebuffer_status(gl, f) != GL_FRAMEBUFFER_COMPLETE)
        return;
    for (uint32_t i = 0; i < f->draw_buffer_count; i++) {
        uint32_t at = f->draw_buffers[i] - GL_COLOR_ATTACHMENT0;
        if (at < GV_GL_DRAW_BUFFERS && gv_gl_attachment_image(gl, &f->colors[at], &a) &&
            !is_attached(&gl->sink, out, i, &a.lower)) {
            out->lower.colors[i] = a.lower;
            out->lower.colors[i].format =
                gv_gl_written_format(gl->context, a.lower.format);
            note(out, &a);
        }
    }
    if (gv_gl_attachment_image(gl, f->depth.kind ? &f->depth : &f->stencil, &a)) {
        out->lower.depth = a.lower;
        note(out, &a);
    }
    if (!f->depth.kind && !f->stencil.kind && !out->samples) {
        out->lower.width = f->width;
        out->lower.height = f->height;
        out->samples = f->samples ? f->samples : 1;
    }
    out->complete = true;
}

// What the object has of depth and stencil: a format may hold more.
static uint32_t object_aspects(const struct gv_gl_framebuffer *f)
{
    return (f->depth.kind ? (uint32_t)GV_ASPECT_DEPTH : 0) |
           (f->stencil.kind ? (uint32_t)GV_ASPECT_STENCIL : 0);
}

static bool has_colors(const struct gv_lower_targets *t)
{
    bool any = false;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        any = any || t->colors[i].image.id;
    return any;
}

bool gv_gl_draw_targets(struct gv_gl *gl, struct gv_gl_targets *out,
                        struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    memset(out, 0, sizeof *out);
    if (c->draw_framebuffer)
        object_targets(gl, c->draw_framebuffer, out);
    else
        surface_targets(gl->context, &gl->sink, out);
    if (out->lower.depth.image.id)
        out->lower.depth_aspects =
            gv_gl_format_aspects(out->lower.depth.format) &
            (c->draw_framebuffer ? object_aspects(c->draw_framebuffer) : UINT32_MAX);
    if (out->lower.depth.image.id || has_colors(&out->lower))
        gv_lower_targets_fit(&out->lower);
    out->width = out->lower.width;
    out->height = out->lower.height;
    out->stencil = out->lower.depth_aspects & GV_ASPECT_STENCIL;
    out->complete = out->complete && out->width && out->height;
    return !gv_builder_failed(gl->sink.b, err);
}

bool gv_gl_scissored(const struct gv_gl_context *c, const struct gv_gl_targets *t,
                     struct gv_lower_rectangle *out)
{
    const struct gv_gl_scissor *s = &c->state.scissor;
    struct gv_lower_scissor at = { s->x, s->y, s->width, s->height };
    int64_t below = (int64_t)t->height - s->y - s->height;
    if (t->flipped)
        at.y = below < INT32_MIN || below > INT32_MAX ? INT32_MAX : (int32_t)below;
    return gv_lower_scissor(s->enabled ? &at : NULL, t->width, t->height, out);
}

// ---- reads ----

static void read_surface(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         struct gv_gl_read_source *out)
{
    struct gv_gl_surface *s = c->read_surface;
    enum gv_gl_surface_part part;
    if (!s || !s->width || !s->height)
        return;
    out->flipped = out->complete = true;
    out->samples = 1;
    out->depth_samples = gv_gl_samples((int32_t)s->samples);
    if (gv_gl_surface_part(c->read_buffer, &part)) {
        out->color = surface_color(c, sink, s, part, true);
        if (out->depth_samples > 1)
            out->several = surface_color(c, sink, s, part, false);
    }
    out->depth = gv_gl_surface_depth(sink, s);
    out->depth_aspects = GV_ASPECT_DEPTH | GV_ASPECT_STENCIL;
}

static void read_object(struct gv_gl *gl, const struct gv_gl_framebuffer *f,
                        struct gv_gl_read_source *out)
{
    struct gv_gl_attached a;
    uint32_t at = f->read_buffer - GL_COLOR_ATTACHMENT0;
    if (gv_gl_framebuffer_status(gl, f) != GL_FRAMEBUFFER_COMPLETE)
        return;
    if (at < GV_GL_DRAW_BUFFERS && gv_gl_attachment_image(gl, &f->colors[at], &a)) {
        out->color = a.lower;
        out->color.layers = 0; // of several the first one
        out->samples = a.samples;
    }
    if (gv_gl_attachment_image(gl, f->depth.kind ? &f->depth : &f->stencil, &a)) {
        out->depth = a.lower;
        out->depth.layers = 0;
        out->depth_aspects = a.aspects & object_aspects(f);
        out->samples = out->depth_samples = a.samples;
    }
    out->complete = true;
}

bool gv_gl_read_targets(struct gv_gl *gl, struct gv_gl_read_source *out,
                        struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    memset(out, 0, sizeof *out);
    if (c->read_framebuffer)
        read_object(gl, c->read_framebuffer, out);
    else
        read_surface(gl->context, &gl->sink, out);
    out->seen = gv_gl_written_format(gl->context, out->color.format);
    if (!c->read_framebuffer && is_light(c, c->read_surface))
        out->seen = GV_FORMAT_R8G8B8A8_SRGB;
    const struct gv_lower_attachment *any =
        out->color.image.id ? &out->color : &out->depth;
    out->width = any->width;
    out->height = any->height;
    return !gv_builder_failed(gl->sink.b, err);
}
