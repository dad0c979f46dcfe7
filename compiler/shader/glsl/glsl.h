// The one wrapper around glslang: GLSL text -> SPIR-V 1.5 words and their interface.
#ifndef GV_GLSL_H
#define GV_GLSL_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"

#define GV_MAX_GLSL_STAGES 6          // of one program
#define GV_MAX_GLSL_BYTES (4u << 20)  // of one stage's text
#define GV_MAX_INTERFACE_LOCATIONS 32 // Vulkan's guaranteed 128 components
// Where stages that are linked apart have OpenGL's built-in varyings: the elements of
// gl_TexCoord, then gl_FrontColor, gl_BackColor, gl_FrontSecondaryColor,
// gl_BackSecondaryColor and gl_FogFragCoord. The program's own are in front of them.
#define GV_GLSL_COORD_LOCATION 19u
#define GV_GLSL_COLOR_LOCATION 27u

// Text of one stage.
struct gv_glsl_text {
    uint32_t stage;   // one GV_STAGE_* bit; each stage once in a program
    const char *text; // NUL-terminated, `#version 460` first
};

// Flags of gv_glsl_compile.
enum {
    // Uniforms outside blocks go to one block (`gl_DefaultUniformBlock`, the same
    // layout
    // in every stage); missing bindings and locations are filled in. glslang numbers
    // them stage by stage: the post-link pass must follow.
    GV_GLSL_RELAXED = 1,
    // What takes several steps is spelled out in Mesa's order (spirv_half.h).
    GV_GLSL_STEPS = 2,
};

// Compiles and links `count` (1..GV_MAX_GLSL_STAGES) stages as one program; out[count]
// in the same order. Everything in `out` lives in `arena`.
//
// GV_ERR_FORMAT with the log's first error line (the text is not valid GLSL, or the
// stages do not link), GV_ERR_LIMIT (also what SPIR-V cannot hold), GV_ERR_SYSTEM
// (memory). Any thread.
bool gv_glsl_compile(const struct gv_glsl_text *texts, size_t count, unsigned flags,
                     struct gv_arena *arena, struct gv_shader_stage *out,
                     struct gv_error *err);

#endif
