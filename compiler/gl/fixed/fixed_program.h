// Fixed function as generated shaders: a compact key of all state that text depends on,
// GLSL generated from it, and the bytes of its uniforms.
//
// Interface with draws: attributes have the locations of enum gv_gl_slot (0 to 15),
// those of a program of assembly one behind the other. Set 0, binding 0 is the vertex
// stage's uniform block, set 1, binding 0 the fragment stage's (both
// GV_BINDING_UNIFORM_BUFFER_DYNAMIC when fed as bytes); set 2, binding u is the
// combined image and sampler of texture unit u.
#ifndef GV_GL_FIXED_PROGRAM_H
#define GV_GL_FIXED_PROGRAM_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/fixed/fixed_inputs.h" // IWYU pragma: export
#include "compiler/shader/shader.h"

struct gv_gl_fixed_program {
    uint64_t serial[2];               // for pipeline keys: vertex, fragment stage
    struct gv_shader_stage stages[2]; // likewise
    struct gv_shader modules[2];
    bool packed;               // locations of attributes
    uint32_t inputs;           // bit per slot that comes as an attribute
    uint32_t uniform_bytes[2]; // of the two blocks; 0: none
};

// The program of these inputs, made once per key. NULL: `err`.
const struct gv_gl_fixed_program *
gv_gl_fixed_program(struct gv_gl_fixed *fixed, struct gv_gl_sink *sink,
                    const struct gv_gl_fixed_inputs *in, struct gv_error *err);

// One stage (0 vertex, 1 fragment) of these inputs, which goes with stages of GLSL
// (`beside`): vertices hand `varyings` on. NULL: `err`.
const struct gv_gl_fixed_program *gv_gl_fixed_half(struct gv_gl *gl,
                                                   const struct gv_gl_fixed_inputs *in,
                                                   uint32_t stage, uint32_t varyings,
                                                   struct gv_error *err);

// Bits of enum gv_fixed_varying at the locations (glsl.h) of stages of GLSL.
uint32_t gv_fixed_varyings_at(uint64_t locations);

// Fills the uniform block of a stage (0 vertex, 1 fragment), uniform_bytes[stage]
// bytes.
void gv_gl_fixed_uniforms(const struct gv_gl_fixed_program *program,
                          const struct gv_gl_fixed_inputs *in, uint32_t stage,
                          uint8_t *out);

// The text of a stage (0 vertex, 1 fragment) of these inputs, for tests and for people.
// The caller frees it; NULL: memory.
char *gv_gl_fixed_text(const struct gv_gl_fixed_inputs *in, uint32_t stage);

bool gv_gl_fixed_create(struct gv_gl *gl, struct gv_error *err);

#endif
