// Official SM4/SM5 tokens, as Direct3D's compiler writes them.
#ifndef GV_SM4_H
#define GV_SM4_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

// Decodes `tokens` into `out->instructions` and declarations; otherwise as
// aero_sm4_decode.
bool sm4_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err);

#endif
