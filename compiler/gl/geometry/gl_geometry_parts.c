// The parts of the room of geometry: made with the machine, freed with it.
#include "compiler/gl/geometry/gl_geometry_parts.h"

#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_evaluator.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "compiler/gl/geometry/gl_taking.h"

bool gv_gl_geometry_create(struct gv_gl *gl, struct gv_error *err)
{
    gl->lists = gv_arena_alloc(gl->sink.arena, sizeof *gl->lists);
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
