// What contexts keep of geometry: made when needed, freed with the machine.
#include "compiler/gl/geometry/gl_feeding.h"

#include "compiler/gl/draw/gl_draw.h"

struct gv_gl_feeding *gv_gl_feeding(struct gv_gl *gl, struct gv_error *err)
{
    if (gl->context->feeding)
        return gl->context->feeding;
    struct gv_gl_feeding *f = gv_arena_alloc(gl->arena, sizeof *f);
    if (!f) {
        gv_out_of_memory(err);
        return NULL;
    }
    f->next = gl->lists->feedings;
    gl->lists->feedings = f;
    gl->context->feeding = f;
    return f;
}

bool gv_gl_submit(struct gv_gl *gl, const struct gv_gl_geometry *g,
                  struct gv_error *err)
{
    return gl->context->no_pixels || gv_gl_draw(gl, g, err);
}
