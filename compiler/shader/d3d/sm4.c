#include "compiler/shader/d3d/sm4.h"

#include "compiler/shader/d3d/sm4_reader.h"

#define OP_CUSTOMDATA 53
#define OP_LIMIT 256
#define HS_DECLS 113
#define CLASS_IMMEDIATE_CONSTANTS 3 // D3D10_SB_CUSTOMDATA_CLASS

enum form {
    FORM_NONE,
    FORM_PLAIN,
    FORM_TEST,
    FORM_CALLC,
    FORM_STREAM,
    FORM_INFO,
    FORM_SYNC,
    FORM_HULL,
    FORM_REFUSED,
};

static const struct {
    const char *mnemonic;
    uint16_t op;
    uint8_t form;
} rows[OP_LIMIT] = {
#define SM4_OP(code, mnemonic, op, form) [code] = { mnemonic, IR_##op, FORM_##form },
#include "compiler/shader/d3d/sm4.def"
#undef SM4_OP
};

// What extended opcode tokens say.
struct extensions {
    int8_t offsets[3];
};

static int8_t texel_offset(uint32_t bits)
{
    return (int8_t)((int)(bits & 0xf) - (bits & 8 ? 16 : 0)); // 4 bits, signed
}

static bool read_extensions(struct sm4_reader *r, struct extensions *out)
{
    uint32_t token = r->token;
    while (token >> 31) {
        if (!sm4_take(r, &token))
            return false;
        if ((token & 0x3f) != 1) // 2, 3: resource dimension and type, declared anyway
            continue;
        for (int i = 0; i < 3; i++)
            out->offsets[i] = texel_offset(token >> (9 + 4 * i));
    }
    return true;
}

static void set_controls(struct sm4_reader *r, uint8_t form, struct ir_instruction *i)
{
    i->saturate = sm4_control(r, 13, 1);
    r->shader->precise |= sm4_control(r, 19, 0xf) != 0; // which one is not kept apart
    if (form == FORM_TEST || form == FORM_CALLC)
        i->nonzero = sm4_control(r, 18, 1);
    if (form == FORM_INFO && i->op == IR_RESINFO)
        i->flags = (uint8_t)sm4_control(r, 11, 3);
    else if (form == FORM_INFO)
        i->flags = sm4_control(r, 11, 1) ? IR_INFO_UINT : IR_INFO_FLOAT;
    if (form == FORM_SYNC)
        i->flags = (uint8_t)((sm4_control(r, 11, 1) ? IR_SYNC_THREADS : 0) |
                             (sm4_control(r, 12, 1) ? IR_SYNC_SHARED : 0) |
                             (sm4_control(r, 13, 3) ? IR_SYNC_UAV : 0));
    if (form != FORM_PLAIN && form != FORM_TEST)
        i->saturate = false; // the bit means something else
}

// callc test, label -> CALL_IF label, test.
static void swap_operands(struct ir_instruction *i)
{
    struct ir_operand first = i->operands[0];
    i->operands[0] = i->operands[1];
    i->operands[1] = first;
}

// Compilers put a zero word behind the operands of samplepos. No operand is such a
// word: it would be a register r without a number.
static bool only_padding(const struct sm4_reader *r, uint16_t op, uint32_t count)
{
    if (count < (uint32_t)ir_ops[op].dsts + ir_ops[op].srcs)
        return false;
    for (size_t at = r->at; at < r->end; at++)
        if (dxbc_token(r->tokens, at) != 0)
            return false;
    return true;
}

static bool decode_instruction(struct sm4_reader *r, uint32_t opcode)
{
    uint8_t form = rows[opcode].form;
    struct ir_operand operands[IR_MAX_OPERANDS];
    struct extensions extensions = { { 0 } };
    uint32_t count = 0, stream = 0;
    if (!read_extensions(r, &extensions))
        return false;
    while (r->at < r->end && !only_padding(r, rows[opcode].op, count)) {
        if (count == IR_MAX_OPERANDS)
            return sm4_malformed(r, "too many operands");
        if (!sm4_operand(r, &operands[count], form == FORM_STREAM ? &stream : NULL))
            return false;
        count += form != FORM_STREAM;
    }
    if (stream > 3)
        return sm4_malformed(r, "stream above 3");
    struct ir_instruction *i =
        ir_append(r->shader, (enum ir_op)rows[opcode].op, count, r->offset, r->err);
    if (!i)
        return false;
    for (uint32_t k = 0; k < count; k++)
        i->operands[k] = operands[k];
    for (int k = 0; k < 3; k++)
        i->offsets[k] = extensions.offsets[k];
    i->stream = (uint8_t)stream;
    set_controls(r, form, i);
    if (form == FORM_CALLC && count == 2)
        swap_operands(i);
    return true;
}

static bool begin_phase(struct sm4_reader *r, uint32_t opcode)
{
    static const uint8_t kinds[] = { IR_PHASE_CONTROL_POINT, IR_PHASE_FORK,
                                     IR_PHASE_JOIN };
    struct ir_shader *s = r->shader;
    if (s->stage != GV_DXBC_HULL)
        return sm4_malformed(r, "hull phase outside a hull shader");
    if (opcode == HS_DECLS)
        return true;
    struct ir_phase *last = &s->phases[s->phase_count - 1];
    last->count = s->instruction_count - last->first;
    if (opcode == HS_DECLS + 1 && (s->phase_count > 1 || last->count > 0))
        return sm4_malformed(r, "control point phase is not the first");
    if (opcode == HS_DECLS + 1) {
        last->kind = IR_PHASE_CONTROL_POINT;
        return true;
    }
    if (s->phase_count == IR_MAX_PHASES)
        return gv_fail(r->err, GV_ERR_LIMIT, r->offset,
                       "hull shader of more than %d phases", IR_MAX_PHASES);
    s->phases[s->phase_count++] =
        (struct ir_phase){ kinds[opcode - HS_DECLS - 1], 1, s->instruction_count, 0 };
    return true;
}

// The class sits in the opcode token, the length in the next.
static bool custom_data(struct sm4_reader *r)
{
    struct ir_shader *s = r->shader;
    size_t words = r->end - r->at - 1;
    if (r->token >> 11 != CLASS_IMMEDIATE_CONSTANTS || words == 0)
        return true;
    if (words % 4 || words / 4 > IR_MAX_IMMEDIATES)
        return sm4_malformed(r, "immediate constant buffer of a wrong size");
    s->icb = gv_arena_array(s->arena, words / 4, sizeof *s->icb);
    if (!s->icb)
        return gv_out_of_memory(r->err);
    s->icb_count = (uint32_t)(words / 4);
    for (size_t i = 0; i < words; i++)
        s->icb[i / 4][i % 4] = dxbc_token(r->tokens, r->at + 1 + i);
    return true;
}

static bool decode_one(struct sm4_reader *r, uint32_t opcode)
{
    if (opcode == OP_CUSTOMDATA)
        return custom_data(r);
    if (sm4_is_declaration(opcode))
        return sm4_declare(r, opcode);
    if (opcode >= OP_LIMIT || rows[opcode].form == FORM_NONE)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: sm4 opcode %u", opcode);
    if (rows[opcode].form == FORM_REFUSED)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: sm4 %s",
                       rows[opcode].mnemonic);
    if (rows[opcode].form == FORM_HULL)
        return begin_phase(r, opcode);
    return decode_instruction(r, opcode);
}

// Tokens of the instruction at `at`, 0 if they do not fit before `end`.
static size_t instruction_length(const struct dxbc_tokens *tokens, size_t at,
                                 size_t end)
{
    uint32_t token = dxbc_token(tokens, at);
    size_t length = token >> 24 & 0x7f;
    if ((token & 0x7ff) == OP_CUSTOMDATA)
        length = end - at >= 2 ? dxbc_token(tokens, at + 1) : 0;
    bool too_short = (token & 0x7ff) == OP_CUSTOMDATA && length < 2;
    return length > end - at || too_short ? 0 : length;
}

bool sm4_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err)
{
    if (tokens->count < 2)
        return gv_fail(err, GV_ERR_FORMAT, tokens->offset,
                       "sm4 shader: under two tokens");
    size_t end = dxbc_token(tokens, 1);
    if (end < 2 || end > tokens->count)
        return gv_fail(err, GV_ERR_FORMAT, dxbc_token_offset(tokens, 1),
                       "sm4 shader: %zu tokens declared, %zu there", end,
                       tokens->count);
    out->phases[0] = (struct ir_phase){ IR_PHASE_MAIN, 1, 0, 0 };
    out->phase_count = 1;
    for (size_t at = 2; at < end;) {
        size_t length = instruction_length(tokens, at, end);
        uint64_t offset = dxbc_token_offset(tokens, at);
        if (length == 0)
            return gv_fail(err, GV_ERR_FORMAT, offset,
                           "sm4 shader: instruction passes the end of the shader");
        struct sm4_reader r = { tokens, at + 1, at + length, dxbc_token(tokens, at),
                                offset, out,    err };
        if (!decode_one(&r, r.token & 0x7ff))
            return false;
        at += length;
    }
    struct ir_phase *last = &out->phases[out->phase_count - 1];
    last->count = out->instruction_count - last->first;
    return true;
}
