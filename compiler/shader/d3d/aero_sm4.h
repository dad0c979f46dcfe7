// The Aero SM4/SM5 dialect: a hand-made token encoding used by traces' test shaders.
// Like official SM4/SM5 in meaning, unlike it in opcode numbers and field positions.
#ifndef GV_AERO_SM4_H
#define GV_AERO_SM4_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

// Whether a token stream (version token first) is in this dialect rather than official:
// official only if the official lengths partition the stream exactly, every opcode is
// below 0x100, and the Aero lengths do not.
bool aero_sm4_recognise(const struct dxbc_tokens *tokens);

// Decodes `tokens` into `out->instructions` and declarations. `out` has stage, arena,
// signatures and options filled in.
bool aero_sm4_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                     struct gv_error *err);

#endif
