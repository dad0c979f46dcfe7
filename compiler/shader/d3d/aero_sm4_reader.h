// Words and operands of one instruction of the Aero dialect.
#ifndef GV_AERO_SM4_READER_H
#define GV_AERO_SM4_READER_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

struct aero_reader {
    const struct dxbc_tokens *tokens;
    size_t at, end; // tokens of the instruction
    uint64_t offset;
    struct ir_shader *shader;
    struct gv_error *err;
};

bool aero_malformed(struct aero_reader *r, const char *what);
bool aero_take(struct aero_reader *r, uint32_t *out);
// A later word of a declaration, 0 past its end: declarations are not reliable.
uint32_t aero_word_at(const struct aero_reader *r, size_t at);
// The file of an operand type, IR_FILE_COUNT if it is unknown.
enum ir_file aero_register_file(uint32_t type);
bool aero_read_operand(struct aero_reader *r, struct ir_operand *out);

// ---- aero_sm4_declare.c ----

// A declaration (opcodes from 0x100).
bool aero_declare(struct aero_reader *r, uint32_t opcode);

#endif
