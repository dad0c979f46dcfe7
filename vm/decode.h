// One instruction at a time: the decoder that verifier, interpreter and text form
// share.
#ifndef GV_DECODE_H
#define GV_DECODE_H

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
    uint8_t fault; // enum gv_decode_fault, or 0
    // ULEB: the number; SLEB: its two's complement, as a cell holds it; F32: the bits.
    uint64_t operand;
};

// Decodes the instruction at `code`, of which `left` (> 0) bytes remain. Returns its
// size in bytes, or 0 with `fault` set.
size_t gv_decode(const uint8_t *code, size_t left, struct gv_instruction *out);

// The same with the one-byte pushes, half of all instructions, decided in place.
static inline size_t gv_decode_fast(const uint8_t *code, size_t left,
                                    struct gv_instruction *out)
{
    if (*code < GV_OP_PUSH_0)
        return gv_decode(code, left, out);
    *out = (struct gv_instruction){ GV_OP_PUSH, 0, *code - (uint64_t)GV_OP_PUSH_0 };
    return 1;
}

#endif
