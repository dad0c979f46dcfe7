// Operands of official SM4/SM5 tokens; shared by instructions and declarations.
#ifndef GV_SM4_READER_H
#define GV_SM4_READER_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

struct sm4_reader {
    const struct dxbc_tokens *tokens;
    size_t at, end; // tokens of the instruction still to be read
    uint32_t token; // its opcode token
    uint64_t offset;
    struct ir_shader *shader;
    struct gv_error *err;
};

bool sm4_malformed(struct sm4_reader *r, const char *what);
// The next token; a reader at its end fails.
bool sm4_take(struct sm4_reader *r, uint32_t *out);
// Bits 11-23 of the opcode token, from `shift` (counted from bit 0) on.
uint32_t sm4_control(const struct sm4_reader *r, int shift, uint32_t mask);

// One operand. `stream` (may be NULL) takes the number of an m# operand; without it
// such an operand is malformed.
bool sm4_operand(struct sm4_reader *r, struct ir_operand *out, uint32_t *stream);

// ---- sm4_declare.c ----

// Reads one declaration (opcodes 88 to 106, 143 to 162, 206). False with `err` set.
bool sm4_declare(struct sm4_reader *r, uint32_t opcode);
bool sm4_is_declaration(uint32_t opcode);

#endif
