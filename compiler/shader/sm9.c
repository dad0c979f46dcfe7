#include "compiler/shader/sm9.h"

bool sm9_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err)
{
    (void)out;
    return gv_fail(err, GV_ERR_UNSUPPORTED, tokens->offset,
                   "unsupported: Direct3D 9 tokens");
}
