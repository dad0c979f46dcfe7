// What contexts keep of geometry: made when needed, freed with the machine.
#include "compiler/gl/geometry/gl_feeding.h"

#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/geometry/gl_list.h"

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

bool gv_gl_geometry_create(struct gv_gl *gl, struct gv_error *err)
{
    gl->lists = gv_arena_alloc(gl->arena, sizeof *gl->lists);
    return gl->lists || gv_out_of_memory(err);
}

static void feeding_finish(struct gv_gl_feeding *f)
{
    gv_gl_immediate_finish(&f->immediate);
    gv_gl_user_arrays_finish(&f->user);
    gv_gl_converted_finish(&f->converted);
    gv_gl_recording_finish(&f->recording);
    gv_gl_evaluator_finish(&f->evaluator);
}

void gv_gl_geometry_destroy(struct gv_gl *gl)
{
    if (!gl->lists)
        return;
    for (struct gv_gl_feeding *f = gl->lists->feedings; f; f = f->next)
        feeding_finish(f);
    gv_gl_lists_finish(gl->lists);
    gl->lists = NULL;
}
