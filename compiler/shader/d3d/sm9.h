// Direct3D 9 tokens: shader models 1 to 3, in the SDK's form and the short form of the
// Aero fixtures.
#ifndef GV_SM9_H
#define GV_SM9_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

// Decodes `tokens`; makes the signatures out of `dcl` or the model's fixed registers.
bool sm9_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err);

#endif
