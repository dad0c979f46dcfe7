#include "vm/ops.h"

enum { NEXT = GV_IMPLIED_NEXT };

const struct gv_op_info gv_op_infos[256] = {
#define GV_OP(name, code, form, operand, implied, pops, pushes, effect)     \
    [code] = { #name,  GV_FORM_##form, GV_OPERAND_##operand, implied, pops, \
               pushes, effect },
#include "vm/ops.def"
#undef GV_OP
};
