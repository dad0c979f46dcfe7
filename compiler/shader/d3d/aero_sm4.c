#include "compiler/shader/d3d/aero_sm4.h"

#include "compiler/shader/d3d/aero_sm4_reader.h"

#include <string.h>

#define OP_CUSTOMDATA 0x1f
#define OP_FIRST_DECLARATION 0x100

enum form {
    FORM_NONE,
    FORM_PLAIN,
    FORM_SWAP,
    FORM_WIDE,
    FORM_PAIR,
    FORM_TEST,
    FORM_COMPARE,
    FORM_SETP,
    FORM_STREAM,
    FORM_STREAM_OPERAND,
    FORM_LD,
    FORM_SYNC,
};

static const struct {
    uint16_t op;
    uint8_t form;
} rows[OP_FIRST_DECLARATION] = {
#define AERO_OP(code, mnemonic, op, form) [code] = { IR_##op, FORM_##form },
#include "compiler/shader/d3d/aero_sm4.def"
#undef AERO_OP
};

// ---- recognition ----

// Steps through the stream by either dialect's lengths; true if they end exactly.
static bool walk(const struct dxbc_tokens *t, size_t end, bool official)
{
    size_t at = 2;
    while (at < end) {
        uint32_t token = dxbc_token(t, at);
        uint32_t opcode = token & 0x7ff;
        size_t length = official ? token >> 24 & 0x7f : token >> 11 & 0x1fff;
        if (official && opcode == 53) // customdata states its length apart
            length = at + 1 < end ? dxbc_token(t, at + 1) : 0;
        if (length == 0 || length > end - at)
            return false;
        if (official && opcode >= OP_FIRST_DECLARATION)
            return false;
        at += length;
    }
    return at == end;
}

bool aero_sm4_recognise(const struct dxbc_tokens *tokens)
{
    if (tokens->count < 2)
        return true;
    size_t end = dxbc_token(tokens, 1);
    if (end > tokens->count)
        return true; // the decoder will name the fault
    return !walk(tokens, end, true) || walk(tokens, end, false);
}

// ---- instructions ----

struct decoded {
    struct ir_operand operands[IR_MAX_OPERANDS + 2];
    uint32_t count;
    uint32_t control; // bits 24-30 of the opcode token
    bool saturate;
    bool predicated, predicate_not;
    uint32_t predicate;
    uint8_t predicate_swizzle[4];
};

static bool read_extensions(struct aero_reader *r, uint32_t token, bool *saturate)
{
    while (token >> 31) {
        if (!aero_take(r, &token))
            return false;
        if ((token & 0x3f) == 0)
            *saturate |= token >> 13 & 1;
    }
    return true;
}

static void take_predicate(struct decoded *d, const struct ir_operand *p)
{
    d->predicated = true;
    d->predicate = p->index[0].base;
    d->predicate_not = p->modifiers & IR_NEGATE;
    memcpy(d->predicate_swizzle, p->swizzle, 4);
}

// A predicate register before or after the operands makes the instruction conditional.
static void find_predicate(struct decoded *d, bool is_setp)
{
    uint32_t spare = is_setp ? 1 : 0; // setp's own destination comes first
    if (d->count > spare && d->operands[0].file == IR_FILE_PREDICATE &&
        (!is_setp || d->operands[1].file == IR_FILE_PREDICATE)) {
        take_predicate(d, &d->operands[0]);
        d->count--;
        memmove(d->operands, d->operands + 1, d->count * sizeof *d->operands);
    } else if (d->count > spare &&
               d->operands[d->count - 1].file == IR_FILE_PREDICATE) {
        take_predicate(d, &d->operands[--d->count]);
    }
}

static struct ir_instruction *emit(struct aero_reader *r, const struct decoded *d,
                                   enum ir_op op, uint32_t first)
{
    struct ir_instruction *i =
        ir_append(r->shader, op, d->count - first, r->offset, r->err);
    if (!i)
        return NULL;
    for (uint32_t k = first; k < d->count; k++) {
        i->operands[k - first] = d->operands[k];
        if (k - first < ir_ops[op].dsts && !d->operands[k].mask)
            i->operands[k - first].mask =
                d->operands[k].file == IR_FILE_DEPTH ? 0x1 : 0xf;
    }
    i->saturate = d->saturate;
    i->predicated = d->predicated;
    i->predicate = d->predicate;
    i->predicate_not = d->predicate_not;
    memcpy(i->predicate_swizzle, d->predicate_swizzle, 4);
    return i;
}

// Control values 2..7 of `if` and its like.
static const uint8_t compares[8] = {
    [2] = IR_COMPARE_EQ, [3] = IR_COMPARE_NE, [4] = IR_COMPARE_GT,
    [5] = IR_COMPARE_GE, [6] = IR_COMPARE_LT, [7] = IR_COMPARE_LE
};

static bool emit_compare(struct aero_reader *r, const struct decoded *d, enum ir_op op)
{
    uint32_t control = d->control & 7;
    if (control < 2)
        return aero_malformed(r, "comparison of an unknown kind");
    struct ir_instruction *i = emit(r, d, op, 0);
    if (i)
        i->compare = compares[control];
    return i != NULL;
}

static bool emit_test(struct aero_reader *r, const struct decoded *d, enum ir_op op)
{
    if (op == IR_IF && (d->control & 7) >= 2)
        return emit_compare(r, d, IR_IFC);
    struct ir_instruction *i = emit(r, d, op, 0);
    if (i)
        i->nonzero = d->control & 1;
    return i != NULL;
}

// The IR puts the high word first, the dialect the low word, perhaps alone.
static bool emit_wide(struct aero_reader *r, struct decoded *d, enum ir_op op)
{
    uint32_t srcs = ir_ops[op].srcs;
    if (d->count == srcs + 1) {
        memmove(d->operands + 1, d->operands, d->count * sizeof *d->operands);
        d->operands[0] = ir_reg(IR_FILE_NULL, 0);
        d->count++;
    } else if (d->count == srcs + 2) {
        struct ir_operand low = d->operands[0];
        d->operands[0] = d->operands[1];
        d->operands[1] = low;
    }
    return emit(r, d, op, 0) != NULL;
}

static bool emit_stream(struct aero_reader *r, struct decoded *d, enum ir_op op,
                        bool in_operand)
{
    uint32_t stream = d->control & 3;
    if (in_operand && d->count == 1 && d->operands[0].file == IR_FILE_IMMEDIATE) {
        stream = d->operands[0].values[0];
        d->count = 0;
    }
    if (stream > 3)
        return aero_malformed(r, "stream above 3");
    struct ir_instruction *i = emit(r, d, op, 0);
    if (i)
        i->stream = (uint8_t)stream;
    return i != NULL;
}

static bool emit_setp(struct aero_reader *r, const struct decoded *d)
{
    uint32_t control = d->control & 0xf;
    if ((control & 7) > IR_COMPARE_GT)
        return aero_malformed(r, "comparison of an unknown kind");
    struct ir_instruction *i = emit(r, d, IR_SETP, 0);
    if (i)
        i->compare = (uint8_t)control;
    return i != NULL;
}

static bool emit_sync(struct aero_reader *r, const struct decoded *d)
{
    struct ir_instruction *i = emit(r, d, IR_SYNC, 0);
    if (i)
        i->flags = (uint8_t)((d->control & 1 ? IR_SYNC_SHARED : 0) |
                             (d->control & 2 ? IR_SYNC_UAV : 0) |
                             (d->control & 4 ? IR_SYNC_THREADS : 0));
    return i != NULL;
}

static bool emit_form(struct aero_reader *r, struct decoded *d, uint32_t opcode)
{
    enum ir_op op = rows[opcode].op;
    switch ((enum form)rows[opcode].form) {
    case FORM_SWAP:
        if (d->count == 3) {
            struct ir_operand first = d->operands[1];
            d->operands[1] = d->operands[2];
            d->operands[2] = first;
        }
        return emit(r, d, op, 0) != NULL;
    case FORM_WIDE:
        return emit_wide(r, d, op);
    case FORM_TEST:
        return emit_test(r, d, op);
    case FORM_COMPARE:
        return emit_compare(r, d, op);
    case FORM_SETP:
        return emit_setp(r, d);
    case FORM_STREAM:
        return emit_stream(r, d, op, false);
    case FORM_STREAM_OPERAND:
        return emit_stream(r, d, op, true);
    case FORM_LD:
        return emit(r, d, d->count == 4 ? IR_LD_LOD : IR_LD, 0) != NULL;
    case FORM_SYNC:
        return emit_sync(r, d);
    case FORM_PLAIN:
    case FORM_PAIR:
        return emit(r, d, op, 0) != NULL;
    case FORM_NONE:
        break;
    }
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                   "unsupported: aero opcode 0x%02x", opcode);
}

static bool decode_instruction(struct aero_reader *r, uint32_t token)
{
    uint32_t opcode = token & 0x7ff;
    struct decoded d = { .control = token >> 24 & 0x7f };
    if (rows[opcode].form == FORM_NONE)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: aero opcode 0x%02x", opcode);
    if (!read_extensions(r, token, &d.saturate))
        return false;
    while (r->at < r->end) {
        if (d.count == IR_MAX_OPERANDS)
            return aero_malformed(r, "too many operands");
        if (!aero_read_operand(r, &d.operands[d.count++]))
            return false;
    }
    find_predicate(&d, rows[opcode].form == FORM_SETP);
    return emit_form(r, &d, opcode);
}

// ---- the stream ----

// "customdata": class 3 is an immediate constant buffer, anything else a comment.
static bool custom_data(struct aero_reader *r)
{
    uint32_t class = aero_word_at(r, r->at);
    size_t words = r->end > r->at ? r->end - r->at - 1 : 0;
    if (class != 3 || words == 0)
        return true;
    if (words % 4 || words / 4 > IR_MAX_IMMEDIATES)
        return aero_malformed(r, "immediate constant buffer of a wrong size");
    struct ir_shader *s = r->shader;
    s->icb = gv_arena_array(s->arena, words / 4, sizeof *s->icb);
    if (!s->icb)
        return gv_out_of_memory(r->err);
    s->icb_count = (uint32_t)(words / 4);
    for (size_t i = 0; i < words; i++)
        s->icb[i / 4][i % 4] = dxbc_token(r->tokens, r->at + 1 + i);
    return true;
}

// Hull shaders without phase markers: the control point phase ends at its `ret` at
// block depth 0, what follows computes patch constants.
static void split_hull(struct ir_shader *s)
{
    if (s->stage != GV_DXBC_HULL || s->phase_count != 1 ||
        s->phases[0].kind != IR_PHASE_MAIN)
        return;
    s->phases[0].kind = IR_PHASE_CONTROL_POINT;
    int depth = 0;
    for (size_t i = 0; i + 1 < s->instruction_count; i++) {
        uint16_t op = s->instructions[i].op;
        depth += op == IR_IF || op == IR_IFC || op == IR_LOOP || op == IR_SWITCH;
        depth -= op == IR_ENDIF || op == IR_ENDLOOP || op == IR_ENDSWITCH;
        if (op != IR_RET || depth > 0)
            continue;
        s->phases[0].count = i + 1;
        s->phases[1] =
            (struct ir_phase){ IR_PHASE_FORK, 1, i + 1, s->instruction_count - i - 1 };
        s->phase_count = 2;
        return;
    }
}

static bool decode_stream(const struct dxbc_tokens *tokens, size_t end,
                          struct ir_shader *out, struct gv_error *err)
{
    for (size_t at = 2; at < end;) {
        uint32_t token = dxbc_token(tokens, at);
        size_t length = token >> 11 & 0x1fff;
        uint64_t offset = dxbc_token_offset(tokens, at);
        if (length == 0)
            return gv_fail(err, GV_ERR_FORMAT, offset,
                           "aero shader: instruction of length 0");
        if (length > end - at)
            return gv_fail(err, GV_ERR_FORMAT, offset,
                           "aero shader: instruction passes the end of the shader");
        struct aero_reader r = { tokens, at + 1, at + length, offset, out, err };
        uint32_t opcode = token & 0x7ff;
        bool ok = opcode == OP_CUSTOMDATA          ? custom_data(&r)
                  : opcode >= OP_FIRST_DECLARATION ? aero_declare(&r, opcode)
                                                   : decode_instruction(&r, token);
        if (!ok)
            return false;
        at += length;
    }
    return true;
}

bool aero_sm4_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                     struct gv_error *err)
{
    if (tokens->count < 2)
        return gv_fail(err, GV_ERR_FORMAT, tokens->offset,
                       "aero shader: under two tokens");
    size_t end = dxbc_token(tokens, 1);
    if (end < 2 || end > tokens->count)
        return gv_fail(err, GV_ERR_FORMAT, dxbc_token_offset(tokens, 1),
                       "aero shader: %zu tokens declared, %zu there", end,
                       tokens->count);
    out->phases[0] = (struct ir_phase){ IR_PHASE_MAIN, 1, 0, 0 };
    out->phase_count = 1;
    if (!decode_stream(tokens, end, out, err))
        return false;
    struct ir_phase *last = &out->phases[out->phase_count - 1];
    last->count = out->instruction_count - last->first;
    split_hull(out);
    return true;
}
