// Fragments that see what their target holds (EXT_shader_framebuffer_fetch,
// KHR_blend_equation_advanced): a copy of it, made anew in front of each primitive.
#ifndef GV_GL_FETCH_H
#define GV_GL_FETCH_H

#include "compiler/gl/draw/gl_pipeline.h"

// Binds a copy of what an enum gv_glsl_fetch names of the targets. `scalar`: enum
// gv_glsl_scalar of the sampler. Closes the pass.
void gv_gl_fetch_target(struct gv_gl_textures *textures, struct gv_gl_sink *sink,
                        const struct gv_gl_targets *t,
                        const struct gv_gl_stage_texture *of,
                        struct gv_lower_texture *out);

#define GV_GL_MOST_FETCHED 4096u // primitives of a draw that fetches

// How a draw is taken apart: into primitives, of one instance each.
struct gv_gl_fetch_plan {
    const struct gv_gl_lack *missing; // NULL, or why it cannot be: by name
    const uint32_t *list;             // NULL: vertices in order
    uint32_t each, primitives, instances;
};

// False: memory.
bool gv_gl_fetch_plan(struct gv_gl_drawing *drawing, const struct gv_gl_draw *d,
                      const struct gv_gl_numbers *n, struct gv_gl_fetch_plan *out);

// The numbers of primitive `i`, into the drawing's.
bool gv_gl_fetch_primitive(struct gv_gl_drawing *d, const struct gv_gl_fetch_plan *p,
                           uint32_t i, struct gv_gl_numbers *out);

// The copies once more, as the targets are now where `part` has been drawn to.
void gv_gl_fetch_again(struct gv_lower_pass *pass, const struct gv_gl_draw *d,
                       const struct gv_gl_draw_state *state);

#endif
