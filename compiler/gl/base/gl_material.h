// How colours and glMaterial reach the material of a context, as Mesa has it: what is
// given outside of primitives is heard of before it is needed, and glMaterial's values
// once more at the next flush, even where glEnable(GL_COLOR_MATERIAL) came between.
#ifndef GV_GL_MATERIAL_H
#define GV_GL_MATERIAL_H

#include "compiler/gl/base/gl_context.h"

// Parts of a material, a bit each.
enum gv_gl_material_part {
    GV_GL_MATERIAL_AMBIENT = 1,
    GV_GL_MATERIAL_DIFFUSE = 2,
    GV_GL_MATERIAL_SPECULAR = 4,
    GV_GL_MATERIAL_EMISSION = 8,
};

// Parts that a name of GL stands for; 0: none.
uint32_t gv_gl_material_parts(uint32_t name);
void gv_gl_material_set(struct gv_gl_material *m, uint32_t parts, const float color[4]);

// Parts of a face (0 front, 1 back) that follow the colour where vertices bring one.
uint32_t gv_gl_material_tracked(const struct gv_gl_lighting *l, uint32_t face);

// A colour of a light on the same one of a material; alpha is the material's.
void gv_gl_lit_color(const float *light, const float *material, float out[4]);
// Gives them the current colour.
void gv_gl_material_track(struct gv_gl_state *s);

// What glMaterial gave since the last flush stands in the material; a current colour
// that is another than the last one heard of stands in what is tracked.
void gv_gl_material_hear(struct gv_gl_context *c);
// What needs current values asks for them: what was given waits from then on.
void gv_gl_material_ask(struct gv_gl_context *c);
// The same as hearing, and glMaterial's values are forgotten.
void gv_gl_material_flush(struct gv_gl_context *c);

#endif
