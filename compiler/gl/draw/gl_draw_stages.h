// What a draw runs and what is bound for it: of the fixed function, of the program in
// use.
#ifndef GV_GL_DRAW_STAGES_H
#define GV_GL_DRAW_STAGES_H

#include "compiler/gl/draw/gl_pipeline.h"
#include "compiler/gl/texture/gl_texture.h"

// Fills d->stages, uniforms and `textures` of the drawing's state. `image`: as in
// gv_gl_draw_sampling. False: nothing is drawn, or (*ok false) `err`. May close the
// pass.
bool gv_gl_draw_stages(struct gv_gl *gl, struct gv_gl_draw *d,
                       const struct gv_gl_sampled *image, bool *ok,
                       struct gv_error *err);

// Of stages of a program, into the drawing's state: textures, as copies where they are
// of `targets` (NULL: none); blocks of uniforms.
bool gv_gl_set_textures(struct gv_gl *gl, const struct gv_gl_stages *stages,
                        const struct gv_gl_targets *targets, struct gv_error *err);
void gv_gl_set_blocks(const struct gv_gl_stages *stages,
                      struct gv_gl_draw_state *state);

#endif
