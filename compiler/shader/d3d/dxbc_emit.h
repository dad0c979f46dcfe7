// Shader IR -> readable GLSL 4.60 with the bindings and locations of dxbc_types.h.
//
// Registers are global uvec4 variables named as in Direct3D assembly (r0, v1, o0,
// cb0[2]); every operation computes four components and writes those of its mask, so
// that one template per operation suffices. Moves copy bits.
#ifndef GV_DXBC_EMIT_H
#define GV_DXBC_EMIT_H

#include "compiler/shader/d3d/dxbc_ir.h"

// Writes the text of a checked shader (ir_check) to out->glsl and fills the tables of
// `out`, all in the shader's arena. GV_ERR_UNSUPPORTED by name, with offset.
bool dxbc_emit(const struct ir_shader *shader, struct gv_dxbc_shader *out,
               struct gv_error *err);

#endif
