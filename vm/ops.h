// The opcodes of the machine, from ops.def.
#ifndef GV_OPS_H
#define GV_OPS_H

#include <stdint.h>

enum gv_op {
#define GV_OP(name, code, operand, pops, pushes, effect) GV_OP_##name = (code),
#include "vm/ops.def"
#undef GV_OP
    // PUSH_n: pushes n = opcode - GV_OP_PUSH_0, 0 <= n < 128. CALL_n: import n < 64.
    GV_OP_CALL_0 = 0x40,
    GV_OP_PUSH_0 = 0x80,
};

enum gv_operand { GV_OPERAND_NONE, GV_OPERAND_ULEB, GV_OPERAND_SLEB, GV_OPERAND_F32 };

// One row. `name` is NULL for codes that do not exist. CALL's stack effect depends on
// its import; the families PUSH_n and CALL_n are not in the table.
struct gv_op_info {
    const char *name;
    uint8_t operand; // enum gv_operand
    uint8_t pops, pushes;
    const char *effect;
};

extern const struct gv_op_info gv_op_infos[256];

#endif
