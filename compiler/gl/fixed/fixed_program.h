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
#include "compiler/gl/fixed/fixed_inputs.h" // IWYU pragma: export
#include "compiler/shader/shader.h"

