// Shader and program objects of GLSL, and what draws run of the program in use.
#ifndef GV_GL_PROGRAM_H
#define GV_GL_PROGRAM_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/gl/program/gl_stages.h"
#include "compiler/shader/glsl/glsl_reflect.h"

struct gv_gl_variant; // a program compiled for a state

// What a variant and its uniforms follow from besides the context's state.
struct gv_gl_program_inputs {
    const struct gv_gl_context *context; // its program is in use
    bool flipped;                        // the target's rows: see gv_gl_fixed_inputs
    float target_height;
    uint32_t colors;                  // colour buffers of the target
    enum gv_gl_primitive_class drawn; // as what the primitives end up (polygon mode)
    bool multisampled;                // several samples a pixel
    bool layered;                     // the target has several layers
    bool captures;                    // by transform feedback
    bool depth_zero_to_one;
    uint32_t first_vertex; // gl_VertexID of the first vertex that is drawn
    int32_t base_vertex;   // gl_BaseVertex
    uint32_t draw;         // gl_DrawID
    uint32_t samples;      // of a pixel of the target
};

// What stages between vertices and fragments make of primitives.
struct gv_gl_reshaping {
    bool refused;      // stages of a pipeline that GL does not let draw together
    bool patches;      // it tessellates: GL_PATCHES alone
    uint32_t vertices; // of a primitive that a geometry shader takes: 1, 2, 3, with
                       // adjacency 4, 6; 0: there is none
    bool flat;         // fragments have an input that is not interpolated
    bool fixed_place;  // vertices lie where the fixed function has them
    bool stores;       // a stage stores to buffers or images, or counts
    bool outputs;      // `drawn` is what comes out; else what the draw is of
    enum gv_gl_primitive_class drawn;
};

// The same of the program in use, linked if need be; of none and of one that cannot be
// drawn with, nothing. False: `err`.
bool gv_gl_program_reshaping(struct gv_gl *gl, struct gv_gl_reshaping *out,
                             struct gv_error *err);

// Whether the program in use, linked if need be, has something for transform feedback.
// False also with `err`.
bool gv_gl_program_captures(struct gv_gl *gl, struct gv_error *err);

// The variant of the program in use, linked and compiled if need be, and its stages.
// NULL with `err` untouched: it cannot be drawn with, which was said. NULL and false in
// `*ok`: `err`.
const struct gv_gl_variant *gv_gl_program_stages(struct gv_gl *gl,
                                                 const struct gv_gl_program_inputs *in,
                                                 struct gv_gl_stages *out, bool *ok,
                                                 struct gv_error *err);

// Adds one stage of the fixed function (0 vertex, 1 fragment) to the stages of a draw.
void gv_gl_add_fixed_stage(const struct gv_gl_fixed_program *p, uint32_t stage,
                           struct gv_gl_stages *out);

// Adds the half that a program of GLSL lacks, of the fixed function or of assembly, as
// `in` says; `in` then has what it is beside to. The caller fills the last block of
// uniforms, if there is one. NULL: `err`; or `*missing` is what is not lowered.
const struct gv_gl_fixed_program *
gv_gl_add_other_half(struct gv_gl *gl, struct gv_gl_fixed_inputs *in,
                     struct gv_gl_stages *stages, const struct gv_gl_lack **missing,
                     struct gv_error *err);

// The equation of KHR_blend_equation_advanced (gv_gl_advanced_equation) that colours
// are blended by; 0: none. A program has to say that it may be.
uint32_t gv_gl_blends_advanced(const struct gv_gl_color *c);
bool gv_gl_program_blends(const struct gv_gl_variant *v, uint32_t equation);

// Whether what fragments write at location `location` suits a target of such a format:
// floats, integers or unsigned ones. True where nothing is written.
bool gv_gl_program_suits(const struct gv_gl_variant *v, uint32_t location,
                         uint32_t format);

// Fills the blocks of uniforms of those stages: stages->bytes bytes.
void gv_gl_program_uniforms(struct gv_gl *gl, const struct gv_gl_variant *v,
                            const struct gv_gl_program_inputs *in,
                            const struct gv_gl_stages *stages, uint8_t *out);

// The program whose compute stage dispatches run: the one in use, else that of the
// bound pipeline; NULL: none.
struct gv_gl_program *gv_gl_compute_program(const struct gv_gl_context *c);

// The pipeline of a compute stage: `stages` are those of the variant.
bool gv_gl_compute_pipeline(struct gv_builder *b, const struct gv_gl_variant *v,
                            const struct gv_gl_stages *stages, struct gv_pipeline *out,
                            struct gv_error *err);

bool gv_gl_programs_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err);
void gv_gl_programs_destroy(struct gv_gl_objects *objects);

// Frees programs, shaders and named strings of the group gl->group, which no context
// has any more.
void gv_gl_programs_end_group(struct gv_gl_objects *objects);
// A context ends: nothing is in use in it.
void gv_gl_programs_leave(struct gv_gl_programs *programs, struct gv_gl_context *c);

extern const struct gv_gl_row gv_gl_shader_rows[], gv_gl_program_rows[],
    gv_gl_varying_rows[], gv_gl_program_query_rows[], gv_gl_uniform_rows[],
    gv_gl_program_pipeline_rows[], gv_gl_subroutine_rows[], gv_gl_shader_include_rows[],
    gv_gl_shader_binary_rows[];

#endif
