#include "compiler/gl/draw/gl_pixel_draw.h"

#include <string.h>

struct gv_gl_context *gv_gl_raster_context(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_context *c = gv_gl_window_context(gl, err);
    if (!c)
        return NULL;
    struct gv_gl_current *v = &c->state.current;
    memcpy(v->slots[GV_GL_COLOR], v->raster.color, sizeof v->raster.color);
    memcpy(v->slots[GV_GL_SECONDARY], v->raster.secondary, sizeof v->raster.secondary);
    memcpy(v->slots[GV_GL_TEXCOORD], v->raster.texcoord, sizeof v->raster.texcoord);
    v->slots[GV_GL_FOG_COORD][0] = v->raster.distance;
    c->state.fog.coordinate = GL_FOG_COORDINATE;
    return c;
}
