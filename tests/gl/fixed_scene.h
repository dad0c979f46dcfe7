// A context in GL's initial state and what a draw says of itself, for tests of the
// fixed function.
#ifndef GV_TEST_FIXED_SCENE_H
#define GV_TEST_FIXED_SCENE_H

#include "compiler/gl/fixed/fixed_program.h"

// Makes `c` a new context and `in` a draw of triangles with positions alone.
void fixed_scene_init(struct gv_gl_context *c, struct gv_gl_fixed_inputs *in);

// A complete 2D texture of the base format in a unit.
void fixed_scene_texture(struct gv_gl_fixed_inputs *in, uint32_t unit,
                         uint32_t base_format);

#endif
