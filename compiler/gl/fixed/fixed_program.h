// Fixed function as generated shaders: a compact key of all state that text depends on,
// GLSL generated from it, and the bytes of its uniforms.
//
// Interface with draws: attributes have the locations of enum gv_gl_slot (0 to 15). Set
// 0, binding 0 is the vertex stage's uniform block, set 1, binding 0 the fragment
// stage's (both GV_BINDING_UNIFORM_BUFFER_DYNAMIC when fed as bytes); set 2, binding u
// is the combined image and sampler of texture unit u.
#ifndef GV_GL_FIXED_PROGRAM_H
#define GV_GL_FIXED_PROGRAM_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/shader/shader.h"

enum gv_gl_primitive_class {
    GV_GL_CLASS_POINTS,
    GV_GL_CLASS_LINES,
    GV_GL_CLASS_TRIANGLES,
};

// What a unit samples, as the texture room decided.
struct gv_gl_unit_image {
    bool there;     // false: the unit is off or its texture incomplete
    uint8_t target; // enum gv_gl_target
    uint8_t shadow; // compares (GL_COMPARE_R_TO_TEXTURE)
    uint16_t
        depth_mode; // of depth textures: GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED
    uint16_t base_format; // GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY,
                          // GL_RGB, GL_RGBA, GL_DEPTH_COMPONENT ...
    float scale[2];       // of rectangle textures: 1 / size; else 1
};

// All that a program and its uniforms follow from.
struct gv_gl_fixed_inputs {
    const struct gv_gl_context *context;
    uint32_t varying; // bit per slot that comes per vertex; others are current values
    enum gv_gl_primitive_class drawn; // as what the primitives end up (polygon mode)
    struct gv_gl_unit_image units[GV_GL_UNITS];
    // The target's rows: true for windows, whose row 0 is at the top (a viewport of
    // negative height); false for framebuffer objects, whose row 0 is GL's.
    bool flipped;
    float target_height;
    // Stipples and coverage that the pipeline does not do itself.
    bool polygon_stipple, point_smooth, line_smooth;
    bool depth_zero_to_one; // the device has no -1..1: z becomes (z + w) / 2
};

struct gv_gl_fixed_program {
    uint64_t serial[2];               // for pipeline keys: vertex, fragment stage
    struct gv_shader_stage stages[2]; // likewise
    struct gv_shader modules[2];
    uint32_t inputs;           // bit per slot that comes as an attribute
    uint32_t uniform_bytes[2]; // of the two blocks; 0: none
};

// The program of these inputs, made once per key. NULL: `err`.
const struct gv_gl_fixed_program *
gv_gl_fixed_program(struct gv_gl *gl, const struct gv_gl_fixed_inputs *in,
                    struct gv_error *err);

// Fills the uniform block of a stage (0 vertex, 1 fragment), uniform_bytes[stage]
// bytes.
void gv_gl_fixed_uniforms(const struct gv_gl_fixed_program *program,
                          const struct gv_gl_fixed_inputs *in, uint32_t stage,
                          uint8_t *out);

bool gv_gl_fixed_create(struct gv_gl *gl, struct gv_error *err);

#endif
