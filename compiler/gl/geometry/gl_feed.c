// Where vertices and current values go: into the list being made, to what is drawn now.
#include "compiler/gl/geometry/gl_feed.h"

#include "compiler/gl/geometry/gl_feeding.h"

bool gv_gl_is_programmed(const struct gv_gl_context *c)
{
    return c->program != NULL;
}

bool gv_gl_has_mode(const struct gv_gl_context *c, uint32_t mode)
{
    return mode <= GL_POLYGON || (mode <= GL_PATCHES && gv_gl_is_programmed(c));
}

bool gv_gl_is_listing(const struct gv_gl_context *c)
{
    const struct gv_gl_feeding *f = c->feeding;
    return f && f->recording.mode;
}

bool gv_gl_is_drawing(const struct gv_gl_context *c)
{
    const struct gv_gl_feeding *f = c->feeding;
    return !f || f->recording.mode != GL_COMPILE;
}

bool gv_gl_feed_inside(const struct gv_gl_context *c)
{
    return gv_gl_is_drawing(c) ? c->inside_begin : c->feeding->recording.inside;
}

static bool feed_begin(struct gv_gl *gl, uint32_t mode, struct gv_error *err)
{
    if (gv_gl_is_listing(gl->context) && !gv_gl_listed.begin(gl, mode, err))
        return false;
    return !gv_gl_is_drawing(gl->context) || gv_gl_drawn.begin(gl, mode, err);
}

static bool feed_set(struct gv_gl *gl, uint32_t slot, struct gv_gl_shape shape,
                     const float value[4], struct gv_error *err)
{
    if (gv_gl_is_listing(gl->context) && !gv_gl_listed.set(gl, slot, shape, value, err))
        return false;
    return !gv_gl_is_drawing(gl->context) ||
           gv_gl_drawn.set(gl, slot, shape, value, err);
}

static bool feed_vertex(struct gv_gl *gl, uint32_t size, const float position[4],
                        struct gv_error *err)
{
    if (gv_gl_is_listing(gl->context) && !gv_gl_listed.vertex(gl, size, position, err))
        return false;
    return !gv_gl_is_drawing(gl->context) ||
           gv_gl_drawn.vertex(gl, size, position, err);
}

static bool feed_end(struct gv_gl *gl, struct gv_error *err)
{
    if (gv_gl_is_listing(gl->context) && !gv_gl_listed.end(gl, err))
        return false;
    return !gv_gl_is_drawing(gl->context) || gv_gl_drawn.end(gl, err);
}

const struct gv_gl_vertex_sink gv_gl_feed = { feed_begin, feed_set, feed_vertex,
                                              feed_end };
