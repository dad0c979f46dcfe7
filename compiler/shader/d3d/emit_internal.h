// Shared by the files of the emitter.
#ifndef GV_EMIT_INTERNAL_H
#define GV_EMIT_INTERNAL_H

#include "compiler/shader/d3d/dxbc_ir.h"
#include "resources/base/bytes.h"

struct emitter {
    const struct ir_shader *shader;
    const struct ir_usage *usage;
    struct gv_dxbc_shader *out;
    struct gv_error *err;
    struct gv_bytes interface; // declarations: inputs, outputs, resources
    struct gv_bytes body;      // functions of the program
    int indent;                // of the body, in steps of two spaces
    enum ir_phase_kind phase;
    uint16_t loop_ops[IR_MAX_NESTING]; // of the loops around: enum ir_op
    uint32_t loop_depth;
    bool deferred_discard;
};

// ---- emit_operand.c ----

// Register numbers of constant buffer `slot` that the shader can reach, in vec4s.
uint32_t emit_cbuffer_size(const struct emitter *e, uint32_t slot);
// Appends a source as four components of type F, I, U or R, or two of D (ir_ops.def).
void emit_source(struct emitter *e, const struct ir_operand *o, char type);
// Appends one component (after the swizzle) of a source: type F, I or U.
void emit_scalar(struct emitter *e, const struct ir_operand *o, int component,
                 char type);
// Appends the name of a writable register.
void emit_target(struct emitter *e, const struct ir_operand *o);
// Opens an assignment `dst.mask = convert(`; the caller appends components of type
// `result` (ir_ops.def) and closes with emit_end_write. False: nothing is written.
bool emit_begin_write(struct emitter *e, const struct ir_instruction *i,
                      const struct ir_operand *dst, char result);
void emit_end_write(struct emitter *e, const struct ir_instruction *i,
                    const struct ir_operand *dst, char result);
// `printf` at the current indent.
void emit_line(struct emitter *e, const char *format, ...) GV_PRINTF(2, 3);
// Appends text without an indent.
void emit_text(struct emitter *e, const char *format, ...) GV_PRINTF(2, 3);
void emit_swizzle(struct emitter *e,
                  const struct ir_operand *o); // ".zxyy"; ".xyzw" is not said
void emit_indent(struct emitter *e);

// ---- emit_flow.c, emit_texture.c, emit_buffer.c: each false if the op is not theirs
// ----

bool emit_flow(struct emitter *e, const struct ir_instruction *i, bool *ok);
bool emit_texture(struct emitter *e, const struct ir_instruction *i, bool *ok);
bool emit_buffer(struct emitter *e, const struct ir_instruction *i, bool *ok);

// OpImageSampleDrefExplicitLod, declared where it is called.
#define EMIT_CUBE_ARRAY_LEVEL_0 "d3d_cube_array_level"

// The dimension a texture register has for this shader.
enum gv_dxbc_dimension emit_dimension(const struct emitter *e, uint32_t slot);

// ---- emit_resources.c ----

// Declares constant buffers, textures, samplers, buffers and registers, and fills the
// tables of `out`.
bool emit_resources(struct emitter *e);
// Clears the x# arrays that are too large to be declared with a value.
void emit_clear_arrays(struct emitter *e);

// ---- emit_inputs.c, emit_interface.c, emit_stages.c ----

#define EMIT_DEFAULT_REGISTER "uvec4(0u, 0u, 0u, 0x3f800000u)" // missing: 0 0 0 1
// The signature's elements plus one for each register used without one; NULL: no
// memory.
struct gv_dxbc_element *emit_complete(struct emitter *e,
                                      const struct gv_dxbc_element *from,
                                      uint32_t count, const bool *used,
                                      uint32_t *out_count);
// Appends `name` and number, as an array's element where registers are one.
void emit_register(struct emitter *e, const char *name, uint32_t n, bool array);
// Declares the registers of a file as one array, each starting as `initial`.
void emit_register_array(struct emitter *e, const char *name, const char *initial);
// vec4, uvec4 or ivec4 by enum gv_dxbc_component.
const char *emit_vector_type(uint32_t component);
// Clip and cull distances met so far: Direct3D's registers become two arrays.
struct emit_clips {
    uint32_t clip, cull;
};
// Declares inputs and appends `load_inputs`.
bool emit_inputs(struct emitter *e);

// Declares inputs and outputs and appends the functions `load_inputs` and
// `store_outputs`.
bool emit_interface(struct emitter *e);
// The stage's execution modes.
bool emit_stage_layout(struct emitter *e);
// What a domain shader's patches become: 1 points, 2 lines, 3 and 4 triangles, 0
// unknown.
uint32_t emit_domain_primitive(const struct emitter *e);
// Hull shaders: outputs and `main`.
bool emit_hull(struct emitter *e);
// The built-in array of a tessellation factor and its first index there, or NULL.
const char *emit_tess_level(const struct gv_dxbc_element *x, uint32_t *first);
#define EMIT_TESS_LEVELS(array) \
    ((array)[12] == 'O' ? 4u : 2u) // gl_TessLevelOuter, Inner
// Patch constants take locations from the top, control points from the bottom.
#define EMIT_PATCH_LOCATION(reg) (31u - (reg))

// ---- emit_helpers.c ----

// Appends to `out` the d3d_* helpers that `text` uses.
void emit_helpers(struct gv_bytes *out, const char *text, size_t size);

#endif
