// What pictures after single calls show, where every call's work stands apart: the
// first draw buffer of the framebuffer that is drawn to, as glretrace's snapshots do.
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/draw/gl_drawing.h"

// An object's colours with alpha, from its lowest row up.
static struct gv_gl_viewed object_view(struct gv_gl *gl,
                                       const struct gv_gl_framebuffer *f)
{
    struct gv_gl_viewed view = { .flags = GV_PRESENT_FLIP_Y };
    struct gv_gl_attached a;
    uint32_t at = f->draw_buffers[0] - GL_COLOR_ATTACHMENT0;
    if (!f->draw_buffer_count || at >= GV_GL_DRAW_BUFFERS ||
        gv_gl_framebuffer_status(gl, f) != GL_FRAMEBUFFER_COMPLETE ||
        !gv_gl_attachment_image(gl, &f->colors[at], &a))
        return (struct gv_gl_viewed){ 0 };
    view.shown = a.lower;
    return view;
}

static struct gv_gl_viewed surface_view(struct gv_gl_context *c,
                                        struct gv_gl_sink *sink)
{
    struct gv_gl_surface *s = c->draw_surface;
    enum gv_gl_surface_part part;
    if (!s || !s->width || !s->height || !c->draw_buffer_count ||
        !gv_gl_surface_part(c->draw_buffers[0], &part))
        return (struct gv_gl_viewed){ 0 };
    return (struct gv_gl_viewed){ .shown = gv_gl_surface_color(sink, s, part),
                                  .flags = GV_PRESENT_OPAQUE };
}

static struct gv_gl_viewed current_view(struct gv_gl *gl)
{
    const struct gv_gl_context *c = gl->context;
    if (!c || c->inside_begin)
        return (struct gv_gl_viewed){ 0 };
    return c->draw_framebuffer ? object_view(gl, c->draw_framebuffer)
                               : surface_view(gl->context, &gl->sink);
}

static bool is_same(const struct gv_gl_viewed *a, const struct gv_gl_viewed *b)
{
    return a->shown.image.id == b->shown.image.id && a->shown.mip == b->shown.mip &&
           a->shown.layer == b->shown.layer && a->shown.width == b->shown.width &&
           a->shown.height == b->shown.height && a->flags == b->flags;
}

bool gv_gl_view(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_drawing *x = gl->drawing;
    const struct gv_gl_viewed view = current_view(gl);
    if (!x->has_view || !is_same(&view, &x->view))
        gv_emit(gl->sink.b, show, .image = view.shown.image, .mip = view.shown.mip,
                .layer = view.shown.layer, .width = view.shown.width,
                .height = view.shown.height, .flags = view.flags);
    x->view = view;
    x->has_view = true;
    return !gv_builder_failed(gl->sink.b, err);
}
