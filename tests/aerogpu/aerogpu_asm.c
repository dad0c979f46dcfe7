#include "tests/aerogpu/aerogpu_asm.h"

#include <string.h>

#define COMPONENTS_SCALAR 1u
#define COMPONENTS_VEC4 2u
#define SELECT_SWIZZLE (1u << 2)
#define IDENTITY (0xE4u << 12) // .xyzw

enum {
    TYPE_TEMP = 0,
    TYPE_INPUT = 1,
    TYPE_OUTPUT = 2,
    TYPE_IMMEDIATE = 4,
    TYPE_SAMPLER = 6,
    TYPE_RESOURCE = 7,
    TYPE_CONSTANT = 8,
    TYPE_UAV = 30,
    TYPE_THREAD_ID = 32,
};

static struct aero_operand vector(uint32_t type, uint32_t n)
{
    return (struct aero_operand){
        { COMPONENTS_VEC4 | SELECT_SWIZZLE | type << 4 | IDENTITY | 1u << 20, n }, 2
    };
}

struct aero_operand aero_r(uint32_t n)
{
    return vector(TYPE_TEMP, n);
}

struct aero_operand aero_v(uint32_t n)
{
    return vector(TYPE_INPUT, n);
}

struct aero_operand aero_v2(uint32_t vertex, uint32_t n)
{
    return (struct aero_operand){ { COMPONENTS_VEC4 | SELECT_SWIZZLE | TYPE_INPUT << 4 |
                                        IDENTITY | 2u << 20,
                                    n, vertex },
                                  3 };
}

struct aero_operand aero_o(uint32_t n)
{
    return vector(TYPE_OUTPUT, n);
}

struct aero_operand aero_cb(uint32_t slot, uint32_t index)
{
    return (struct aero_operand){ { COMPONENTS_VEC4 | SELECT_SWIZZLE |
                                        TYPE_CONSTANT << 4 | IDENTITY | 2u << 20,
                                    slot, index },
                                  3 };
}

static struct aero_operand plain(uint32_t type, uint32_t n)
{
    return (struct aero_operand){ { type << 4 | 1u << 20, n }, 2 };
}

struct aero_operand aero_t(uint32_t n)
{
    return plain(TYPE_RESOURCE, n);
}

struct aero_operand aero_s(uint32_t n)
{
    return plain(TYPE_SAMPLER, n);
}

struct aero_operand aero_u(uint32_t n)
{
    return vector(TYPE_UAV, n);
}

static uint32_t bits(float value)
{
    uint32_t b;
    memcpy(&b, &value, sizeof b);
    return b;
}

struct aero_operand aero_imm(float x, float y, float z, float w)
{
    return (struct aero_operand){ { COMPONENTS_VEC4 | SELECT_SWIZZLE |
                                        TYPE_IMMEDIATE << 4 | IDENTITY,
                                    bits(x), bits(y), bits(z), bits(w) },
                                  5 };
}

struct aero_operand aero_imm_int(uint32_t x)
{
    return (struct aero_operand){ { COMPONENTS_SCALAR | TYPE_IMMEDIATE << 4, x }, 2 };
}

struct aero_operand aero_thread_id(void)
{
    return (struct aero_operand){
        { COMPONENTS_VEC4 | SELECT_SWIZZLE | TYPE_THREAD_ID << 4 | IDENTITY }, 1
    };
}

struct aero_operand aero_sw(struct aero_operand o, const char *swizzle)
{
    static const char letters[] = "xyzw";
    uint32_t s = 0;
    for (uint32_t i = 0; i < 4; i++)
        s |= (uint32_t)(strchr(letters, swizzle[i]) - letters) << (2 * i);
    o.words[0] = (o.words[0] & ~(0xFFu << 12)) | s << 12;
    return o;
}

struct aero_operand aero_mask(struct aero_operand o, uint32_t mask)
{
    o.words[0] = (o.words[0] & ~(SELECT_SWIZZLE | 0xFFu << 12)) | mask << 12;
    return o;
}

void aero_asm_begin(struct aero_asm *a, enum aero_program program, uint32_t major)
{
    *a = (struct aero_asm){ .program = program, .major = major };
}

void aero_asm_input(struct aero_asm *a, const char *name, uint32_t index, uint32_t reg)
{
    uint32_t n = a->input_count++;
    a->inputs[n].name = name;
    a->inputs[n].index = index;
    a->inputs[n].reg = reg;
    a->inputs[n].mask = 15;
}

void aero_asm_output(struct aero_asm *a, const char *name, uint32_t index, uint32_t reg)
{
    uint32_t n = a->output_count++;
    a->outputs[n].name = name;
    a->outputs[n].index = index;
    a->outputs[n].reg = reg;
    a->outputs[n].mask = 15;
}

void aero_asm_patch(struct aero_asm *a, const char *name, uint32_t reg, uint8_t mask)
{
    uint32_t n = a->patch_count++;
    a->patches[n].name = name;
    a->patches[n].reg = reg;
    a->patches[n].mask = mask;
}

void aero_op(struct aero_asm *a, uint32_t opcode, const struct aero_operand *operands,
             size_t count)
{
    uint32_t length = 1;
    for (size_t i = 0; i < count; i++)
        length += operands[i].count;
    gv_bytes_u32(&a->tokens, opcode | length << 11);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < operands[i].count; k++)
            gv_bytes_u32(&a->tokens, operands[i].words[k]);
}

void aero_decl(struct aero_asm *a, uint32_t opcode, const uint32_t *words, size_t count)
{
    gv_bytes_u32(&a->tokens, opcode | (uint32_t)(count + 1) << 11);
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(&a->tokens, words[i]);
}

#define SIGNATURE(out, rows, count)                                          \
    do {                                                                     \
        uint32_t at_ = 8 + 24 * (count);                                     \
        gv_bytes_u32(out, (count));                                          \
        gv_bytes_u32(out, 8);                                                \
        for (uint32_t i_ = 0; i_ < (count); i_++) {                          \
            gv_bytes_u32(out, at_);                                          \
            gv_bytes_u32(out, (rows)[i_].index);                             \
            gv_bytes_u32(out, (rows)[i_].system_value);                      \
            gv_bytes_u32(out, (rows)[i_].component);                         \
            gv_bytes_u32(out, (rows)[i_].reg);                               \
            gv_bytes_u32(out, (uint32_t)(rows)[i_].mask * 0x101u);           \
            at_ += (uint32_t)strlen((rows)[i_].name) + 1;                    \
        }                                                                    \
        for (uint32_t i_ = 0; i_ < (count); i_++)                            \
            gv_bytes_put(out, (rows)[i_].name, strlen((rows)[i_].name) + 1); \
        gv_bytes_zero_to(out, 4);                                            \
    } while (0)

static void chunk(struct gv_bytes *out, const char *name, const struct gv_bytes *data)
{
    gv_bytes_put(out, name, 4);
    gv_bytes_u32(out, (uint32_t)data->size);
    gv_bytes_put(out, data->data, data->size);
}

void aero_asm_end(struct aero_asm *a, struct gv_bytes *blob)
{
    struct gv_bytes parts[4] = { { 0 } };
    static const char *const names[4] = { "ISGN", "OSGN", "PCSG", "SHDR" };
    aero_op(a, AERO_OP_RET, NULL, 0);
    SIGNATURE(&parts[0], a->inputs, a->input_count);
    SIGNATURE(&parts[1], a->outputs, a->output_count);
    if (a->patch_count)
        SIGNATURE(&parts[2], a->patches, a->patch_count);
    gv_bytes_u32(&parts[3], (uint32_t)a->program << 16 | a->major << 4);
    gv_bytes_u32(&parts[3], (uint32_t)(a->tokens.size / 4 + 2));
    gv_bytes_put(&parts[3], a->tokens.data, a->tokens.size);
    const uint32_t count = a->patch_count ? 4 : 3;
    uint32_t at = 32 + count * 4, total = at;
    for (size_t i = 0; i < 4; i++)
        total += parts[i].size ? (uint32_t)parts[i].size + 8 : 0;
    blob->size = 0;
    gv_bytes_put(blob, "DXBC", 4);
    for (size_t i = 0; i < 4; i++)
        gv_bytes_u32(blob, 0); // no checksum, as the dialect's writers leave it
    gv_bytes_u32(blob, 1);
    gv_bytes_u32(blob, total);
    gv_bytes_u32(blob, count);
    for (size_t i = 0; i < 4; i++)
        if (parts[i].size) {
            gv_bytes_u32(blob, at);
            at += (uint32_t)parts[i].size + 8;
        }
    for (size_t i = 0; i < 4; i++) {
        if (parts[i].size)
            chunk(blob, i == 3 && a->major >= 5 ? "SHEX" : names[i], &parts[i]);
        gv_bytes_finish(&parts[i]);
    }
    gv_bytes_finish(&a->tokens);
}
