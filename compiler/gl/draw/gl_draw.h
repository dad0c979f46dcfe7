// What becomes of geometry: programs, pipelines, streams, bindings, draws.
#ifndef GV_GL_DRAW_H
#define GV_GL_DRAW_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/texture/gl_texture.h"

// Draws with the state of the current context.
bool gv_gl_draw(struct gv_gl *gl, const struct gv_gl_geometry *g, struct gv_error *err);

// The same, with `image` as what unit 0 samples and no other texture; NULL: as bound.
bool gv_gl_draw_sampling(struct gv_gl *gl, const struct gv_gl_geometry *g,
                         const struct gv_gl_sampled *image, struct gv_error *err);

// Nothing is drawn any more: what waits goes out.
void gv_gl_drawing_end(struct gv_gl_drawing *d, struct gv_lower_pass *pass);

// Says what a picture shows that is taken after this call, if it is something else than
// before; for compiles in which every call's work stands apart.
bool gv_gl_view(struct gv_gl *gl, struct gv_error *err);

// Whether drawing what waited has failed (memory, a limit): no later call tells.
bool gv_gl_drawing_failed(const struct gv_gl_drawing *d, struct gv_error *err);

bool gv_gl_drawing_create(struct gv_gl *gl, struct gv_error *err);
void gv_gl_drawing_destroy(struct gv_gl *gl);

extern const struct gv_gl_row gv_gl_clear_rows[], gv_gl_raster_pos_rows[],
    gv_gl_bitmap_rows[], gv_gl_draw_pixels_rows[], gv_gl_draw_texture_rows[],
    gv_gl_copy_pixels_rows[], gv_gl_accum_rows[], gv_gl_transform_feedback_rows[];

#endif
