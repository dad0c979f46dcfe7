// The opcodes of the machine, from ops.def.
#ifndef GV_OPS_H
#define GV_OPS_H

#include <stdint.h>

enum gv_op {
#define GV_OP(name, code, form, operand, implied, pops, pushes, effect) \
    GV_OP_##name = (code),
#include "vm/ops.def"
#undef GV_OP
    // PUSH_n: pushes n = opcode - GV_OP_PUSH_0, 0 <= n < 128. CALL_n: import n < 64.
    GV_OP_CALL_0 = 0x40,
    GV_OP_PUSH_0 = 0x80,
};

enum gv_form {
    GV_FORM_NONE, // refused wherever it stands
    GV_FORM_END,
    GV_FORM_COMMAND,
    GV_FORM_PUSH,
    GV_FORM_CONST,
    GV_FORM_VOLATILE,
    GV_FORM_RESOURCE,
    GV_FORM_LOAD_SLOT,
    GV_FORM_STORE_SLOT,
    GV_FORM_FETCH,
    GV_FORM_COPY,
    GV_FORM_ADD_IMM,
    GV_FORM_LOAD,
    GV_FORM_STORE,
    GV_FORM_BINARY,
    GV_FORM_DUP,
    GV_FORM_DROP,
    GV_FORM_LOOP,
    GV_FORM_LOOP_END,
    GV_FORM_SKIP,
    GV_FORM_CALL,
    GV_FORM_MEETS,
    GV_FORM_PRODUCT,
    GV_FORM_INVERSE,
};

enum gv_operand { GV_OPERAND_NONE, GV_OPERAND_ULEB, GV_OPERAND_SLEB, GV_OPERAND_F32 };

#define GV_IMPLIED_NEXT 0xff // the resource after the last one named

// One row. `name` is NULL for codes that do not exist. CALL's stack effect depends on
// its import; the families PUSH_n and CALL_n are not in the table.
struct gv_op_info {
    const char *name;
    uint8_t form;    // enum gv_form
    uint8_t operand; // enum gv_operand
    uint8_t implied; // operand of one that is written without; or GV_IMPLIED_NEXT
    uint8_t pops, pushes;
    const char *effect;
};

extern const struct gv_op_info gv_op_infos[256];

#endif
