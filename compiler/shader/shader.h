// Shader translation's product, common to every source language: SPIR-V words plus the
// interface the front-end binds to. The parts:
//   glsl.h      GLSL 4.60 text -> SPIR-V through glslang (the one wrapper around it)
//   upgrade.h   any GLSL dialect -> GLSL 4.60, token by token
//   wgsl.h      WGSL -> GLSL 4.60
//   cross.h     SPIR-V of OpenGL -> GLSL (the one wrapper around SPIRV-Cross)
//   arb.h       ARB assembly programs -> statements of GLSL
//   dxbc.h      DXBC and Direct3D 9 tokens -> SPIR-V
//   aero_sm4.h  the Aero SM4 token dialect -> IR (dxbc_ir.h)
//   dxbc_emit.h IR -> GLSL 4.60
#ifndef GV_SHADER_H
#define GV_SHADER_H

#include "resources/base/error.h"
#include "vm/descs.h"

// One stage as SPIR-V with what it declares. Arrays live in the arena it was made from.
struct gv_shader_stage {
    uint32_t stage; // one GV_STAGE_* bit
    const uint32_t *words;
    size_t word_count;
    // Its descriptors, strictly ascending by (set, binding); stages = `stage`.
    struct gv_binding_desc *bindings;
    uint32_t binding_count;
    // Locations it reads (vertex stage: attributes) and writes, as bit sets.
    uint64_t input_locations, output_locations;
};

#endif
