#include "vm/ops.h"

const struct gv_op_info gv_op_infos[256] = {
#define GV_OP(name, code, operand, pops, pushes, effect) \
    [code] = { #name, GV_OPERAND_##operand, pops, pushes, effect },
#include "vm/ops.def"
#undef GV_OP
};
