// Where vertices and current values go.
#include "compiler/gl/geometry/gl_feed.h"

#include "compiler/gl/geometry/gl_immediate.h"

bool gv_gl_feed_begin(struct gv_gl *gl, uint32_t mode, struct gv_error *err)
{
    return gv_gl_now_begin(gl, mode, err);
}

bool gv_gl_feed_set(struct gv_gl *gl, uint32_t slot, uint32_t size,
                    const float value[4], struct gv_error *err)
{
    return gv_gl_now_set(gl, slot, size, value, err);
}

bool gv_gl_feed_vertex(struct gv_gl *gl, uint32_t size, const float position[4],
                       struct gv_error *err)
{
    return gv_gl_now_vertex(gl, size, position, err);
}

bool gv_gl_feed_end(struct gv_gl *gl, struct gv_error *err)
{
    return gv_gl_now_end(gl, err);
}

bool gv_gl_feed_inside(const struct gv_gl *gl)
{
    return gl->context->inside_begin;
}
