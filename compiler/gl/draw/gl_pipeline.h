// From the state of a context to the pipeline of a draw.
#ifndef GV_GL_PIPELINE_H
#define GV_GL_PIPELINE_H

#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/draw/gl_primitives.h"
#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/gl/program/gl_program.h"

// One draw on its way.
struct gv_gl_draw {
    const struct gv_gl_geometry *geometry;
    struct gv_gl_capture *capture; // NULL: no transform feedback
    const struct gv_gl_numbering *numbering;
    struct gv_gl_part part;
    bool flat;         // some of what fragments take is of one vertex
    bool fixed_place;  // vertices lie where the fixed function has them
    bool strip;        // of lines
    bool line_ends;    // see struct gv_gl_fixed_inputs
    bool single;       // of all instances one alone
    uint32_t instance; // which
    struct gv_gl_targets targets;
    bool multisampled;                // several samples a pixel, GL_MULTISAMPLE
    struct gv_gl_fixed_inputs inputs; // of the fixed function
    struct gv_gl_stages stages;
    uint8_t sizes[GV_MAX_VERTEX_ATTRIBUTES]; // components of each of the stages' inputs
    uint32_t stride;                         // bytes
    uint32_t step_stride; // bytes of what steps by instance; 0: nothing does
};

// The slot that feeds an input of the stages: the position is attribute 0.
uint32_t gv_gl_draw_slot(const struct gv_gl_draw *d, uint32_t input);

// Whether an input steps by instance, from words that the compiler has.
bool gv_gl_draw_steps(const struct gv_gl_draw *d, uint32_t input);

// The slot of the binding of all such inputs: that of the first one.
uint32_t gv_gl_step_slot(const struct gv_gl_draw *d);

// The format of an input by the type that its stage declares, of 1 to 4 components.
uint32_t gv_gl_input_format(uint32_t scalar, uint32_t size);

// Which attributes vertices and instances carry, and their strides.
void gv_gl_draw_layout(struct gv_gl_draw *d);

// NULL: `err`.
struct gv_lower_pipeline *gv_gl_pipeline(struct gv_gl *gl, const struct gv_gl_draw *d,
                                         struct gv_error *err);

// Everything else that the draw depends on but textures and uniforms. False: nothing
// can be seen.
bool gv_gl_dynamic_state(struct gv_gl_context *c, struct gv_gl_drawing *drawing,
                         const struct gv_gl_draw *d, struct gv_gl_draw_state *out);

// The same of the viewports behind the first one, for stages that choose.
void gv_gl_dynamic_views(const struct gv_gl_context *c, const struct gv_gl_draw *d,
                         struct gv_gl_batch_view out[GV_GL_VIEWPORTS - 1]);

// Whether the device biases depths by the polygons' offset: polygons, filled or
// outlined by the device. No device biases lists of lines and points.
bool gv_gl_is_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d);

// Of outlines drawn as lists of lines or points: the units of the polygons' offset as a
// difference of z / w. Without the factor, as lines have no slope.
float gv_gl_outline_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d);
// Whether such outlines are drawn without some of it: the factor, and the units where a
// program places the vertices.
bool gv_gl_loses_offset(const struct gv_gl_context *c, const struct gv_gl_draw *d);

#endif
