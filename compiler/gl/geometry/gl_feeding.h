// What a context keeps of geometry: glBegin, the list being made, arrays in the
// program's memory, evaluators, selection and feedback.
#ifndef GV_GL_FEEDING_H
#define GV_GL_FEEDING_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_array_draw.h"
#include "compiler/gl/geometry/gl_evaluator.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "compiler/lower/id_map.h"

struct gv_gl_feeding {
    struct gv_gl_feeding *next; // of all contexts: gv_gl_lists
    struct gv_gl_immediate immediate;
    struct gv_gl_user_arrays user;
    struct gv_gl_converted converted;
    struct gv_id_map vertex_arrays;
    struct gv_gl_recording recording;
    struct gv_gl_evaluator evaluator;
    uint32_t render_mode;           // GL_SELECT, GL_FEEDBACK; else GL_RENDER
    bool can_select, can_feed_back; // a buffer was given
};

// The current context's, made when first asked for. NULL: no memory.
struct gv_gl_feeding *gv_gl_feeding(struct gv_gl *gl, struct gv_error *err);

// Draws, unless the context selects or feeds back.
bool gv_gl_submit(struct gv_gl *gl, const struct gv_gl_geometry *g,
                  struct gv_error *err);

#endif
