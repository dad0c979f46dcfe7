// Assembles shader blobs in the Aero SM4/SM5 dialect, with signatures, for captures
// that the tests make.
#ifndef GV_AEROGPU_ASM_H
#define GV_AEROGPU_ASM_H

#include "resources/base/bytes.h"

enum aero_program {
    AERO_PROGRAM_PS,
    AERO_PROGRAM_VS,
    AERO_PROGRAM_GS,
    AERO_PROGRAM_HS,
    AERO_PROGRAM_DS,
    AERO_PROGRAM_CS
};

struct aero_asm {
    enum aero_program program;
    uint32_t major;
    struct gv_bytes tokens; // behind version and length
    struct {
        const char *name;
        uint32_t index, reg, system_value, component;
        uint8_t mask;
    } inputs[16], outputs[16], patches[4];
    uint32_t input_count, output_count, patch_count;
};

// An operand: its token and what follows it.
struct aero_operand {
    uint32_t words[5];
    uint32_t count;
};

struct aero_operand aero_r(uint32_t n);                   // temporary
struct aero_operand aero_v(uint32_t n);                   // input
struct aero_operand aero_v2(uint32_t vertex, uint32_t n); // of one vertex of several
struct aero_operand aero_o(uint32_t n);                   // output
struct aero_operand aero_cb(uint32_t slot, uint32_t index);
struct aero_operand aero_t(uint32_t n); // resource
struct aero_operand aero_u(uint32_t n); // unordered access
struct aero_operand aero_s(uint32_t n); // sampler
struct aero_operand aero_imm(float x, float y, float z, float w);
struct aero_operand aero_imm_int(uint32_t x); // scalar
struct aero_operand aero_thread_id(void);
struct aero_operand aero_sw(struct aero_operand o, const char *swizzle); // "xxyw"
struct aero_operand aero_mask(struct aero_operand o, uint32_t mask);     // destination

// Zero-initialise, then these.
void aero_asm_begin(struct aero_asm *a, enum aero_program program, uint32_t major);
void aero_asm_input(struct aero_asm *a, const char *name, uint32_t index, uint32_t reg);
void aero_asm_output(struct aero_asm *a, const char *name, uint32_t index,
                     uint32_t reg);
// A patch constant; components by mask.
void aero_asm_patch(struct aero_asm *a, const char *name, uint32_t reg, uint8_t mask);
// Destinations must be given through aero_mask (15 = all).
void aero_op(struct aero_asm *a, uint32_t opcode, const struct aero_operand *operands,
             size_t count);
#define AERO_OP(a, opcode, ...)                                          \
    aero_op((a), (opcode), (const struct aero_operand[]){ __VA_ARGS__ }, \
            sizeof((const struct aero_operand[]){ __VA_ARGS__ }) /       \
                sizeof(struct aero_operand))
// Raw declaration dwords behind the opcode token.
void aero_decl(struct aero_asm *a, uint32_t opcode, const uint32_t *words,
               size_t count);
// Ends with `ret` and writes the DXBC container.
void aero_asm_end(struct aero_asm *a, struct gv_bytes *blob);

// Opcodes of the dialect that tests use.
enum {
    AERO_OP_MOV = 0x01,
    AERO_OP_ADD = 0x02,
    AERO_OP_MAD = 0x04,
    AERO_OP_MUL = 0x05,
    AERO_OP_DP4 = 0x09,
    AERO_OP_RET = 0x3e,
    AERO_OP_DISCARD = 0x3a,
    AERO_OP_SAMPLE = 0x45,
    AERO_OP_LD = 0x4c,
    AERO_OP_LD_RAW = 0x53,
    AERO_OP_LD_STRUCTURED = 0x54,
    AERO_OP_STORE_RAW = 0x56,
    AERO_OP_ISHL = 0x25,
    AERO_OP_IADD = 0x1d,
    AERO_OP_EMIT = 0x3f,
    AERO_OP_CUT = 0x40,
};

#endif
