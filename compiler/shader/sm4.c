#include "compiler/shader/sm4.h"

bool sm4_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err)
{
    (void)out;
    return gv_fail(err, GV_ERR_UNSUPPORTED, tokens->offset,
                   "unsupported: official SM4 tokens");
}
