// What contexts keep of geometry: made when needed, freed with the machine.
#include "compiler/gl/geometry/gl_feeding.h"

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/draw/gl_draw.h"

struct gv_gl_feeding *gv_gl_feeding(struct gv_gl_context *c, struct gv_gl_lists *lists,
                                    struct gv_arena *arena, struct gv_error *err)
{
    if (c->feeding)
        return c->feeding;
    struct gv_gl_feeding *f = gv_arena_alloc(arena, sizeof *f);
    if (!f) {
        gv_out_of_memory(err);
        return NULL;
    }
    f->next = lists->feedings;
    lists->feedings = f;
    c->feeding = f;
    return f;
}

// Colours that came with the vertices reach what tracks them though all are alike.
static bool draw_tracked(struct gv_gl *gl, const struct gv_gl_geometry *g,
                         struct gv_error *err)
{
    struct gv_gl_state *s = &gl->context->state;
    const struct gv_gl_lighting before = s->lighting;
    gv_gl_material_track(s);
    const bool ok = gv_gl_draw(gl, g, err);
    s->lighting = before;
    return ok;
}

bool gv_gl_submit(struct gv_gl *gl, const struct gv_gl_geometry *g,
                  struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    if (c->no_pixels)
        return true;
    if (c->state.lighting.color_material && !g->slots[GV_GL_COLOR] &&
        !gv_gl_same(c->given.color, c->state.current.slots[GV_GL_COLOR],
                    sizeof(c->given.color)))
        return draw_tracked(gl, g, err);
    return gv_gl_draw(gl, g, err);
}
