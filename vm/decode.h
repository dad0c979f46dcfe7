// One instruction at a time: the decoder that verifier, interpreter, slicer and text
// form share.
#ifndef GV_DECODE_H
#define GV_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/ops.h"

enum gv_decode_fault {
    GV_DECODE_UNKNOWN = 1, // no such opcode
    GV_DECODE_CUT,         // the operand passes the end of the code
    GV_DECODE_PADDED,      // a LEB128 operand that is not in its shortest form
    GV_DECODE_FAMILY, // the operand has a shorter instruction: PUSH 5, CALL 3, CMD 1
};

struct gv_instruction {
    uint8_t op;    // enum gv_op; PUSH_n is PUSH and CALL_n is CALL
    uint8_t form;  // enum gv_form
    uint8_t fault; // enum gv_decode_fault, or 0
    // ULEB: the number; SLEB: its two's complement, as a cell holds it; F32: the bits.
    uint64_t operand;
};

// Decodes the instruction at `code`, of which `left` (> 0) bytes remain. Returns its
// size in bytes, or 0 with `fault` set.
size_t gv_decode(const uint8_t *code, size_t left, struct gv_instruction *out);

// The same, where TRAP is unknown.
size_t gv_decode_long(const uint8_t *code, size_t left, struct gv_instruction *out);

// The same for whoever follows code: the operand is what the form means, however it is
// written. COMMAND: how far; RESOURCE and FETCH: which, where `next_resource` is the
// one after the last one named; LOAD and STORE: bytes. TRAP is unknown.
static inline size_t gv_decode_step(const uint8_t *code, size_t left,
                                    uint64_t next_resource, struct gv_instruction *out)
{
    const uint8_t byte = *code;
    const struct gv_op_info *info = &gv_op_infos[byte];
    if (byte >= GV_OP_PUSH_0)
        *out = (struct gv_instruction){ GV_OP_PUSH, GV_FORM_PUSH, 0,
                                        byte - (uint64_t)GV_OP_PUSH_0 };
    else if (byte >= GV_OP_CALL_0)
        *out = (struct gv_instruction){ GV_OP_CALL, GV_FORM_CALL, 0,
                                        byte - (uint64_t)GV_OP_CALL_0 };
    else if (info->operand == GV_OPERAND_NONE && info->form)
        *out =
            (struct gv_instruction){ byte, info->form, 0,
                                     info->implied == GV_IMPLIED_NEXT ? next_resource
                                                                      : info->implied };
    else
        return gv_decode_long(code, left, out);
    return 1;
}

// Whether it names the resource of its operand.
static inline bool gv_names_resource(const struct gv_instruction *in)
{
    return in->form == GV_FORM_RESOURCE || in->form == GV_FORM_FETCH;
}

// What an instruction of form BINARY makes of two numbers.
uint64_t gv_fold(uint8_t op, uint64_t a, uint64_t b);

#endif
