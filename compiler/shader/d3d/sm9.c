#include "compiler/shader/d3d/sm9.h"

#include "compiler/shader/d3d/sm9_reader.h"

#include <string.h>

#define OP_PHASE 0xfffd
#define OP_COMMENT 0xfffe
#define OP_END 0xffff
#define OP_LIMIT 128
#define MAX_TOKENS 65536

enum form {
    FORM_NONE,
    FORM_PLAIN,
    FORM_MOV,
    FORM_SCALAR,
    FORM_MATRIX,
    FORM_ABS,
    FORM_SGN,
    FORM_SINCOS,
    FORM_CALLNZ,
    FORM_LOOP,
    FORM_TEST,
    FORM_COMPARE,
    FORM_SETP,
    FORM_DCL,
    FORM_DEF,
    FORM_DEFI,
    FORM_DEFB,
    FORM_TEXCOORD,
    FORM_TEXKILL,
    FORM_TEX,
    FORM_TEXLD,
    FORM_TEXLDD,
    FORM_TEXREG,
    FORM_TEXM3,
    FORM_TEXDEPTH,
    FORM_EXPP,
    FORM_DP2ADD,
    FORM_REFUSED,
};

static const struct {
    const char *name;
    uint16_t op;
    uint8_t dsts, srcs, form;
} rows[OP_LIMIT] = {
#define SM9_OP(code, name, op, dsts, srcs, form) \
    [code] = { name, IR_##op, dsts, srcs, FORM_##form },
#include "compiler/shader/d3d/sm9.def"
#undef SM9_OP
};

// ---- appending ----

struct ir_instruction *sm9_append(struct sm9_reader *r, const struct sm9_parameters *p,
                                  enum ir_op op, const struct ir_operand *dst,
                                  const struct ir_operand *srcs, uint32_t count)
{
    struct ir_instruction *i =
        ir_append(r->shader, op, count + (dst != NULL), r->offset, r->err);
    if (!i)
        return NULL;
    if (dst)
        i->operands[0] = *dst;
    for (uint32_t k = 0; k < count; k++)
        i->operands[k + (dst != NULL)] = srcs[k];
    i->saturate = p->saturate;
    i->predicated = p->predicated;
    i->predicate_not = p->predicate_not;
    memcpy(i->predicate_swizzle, p->predicate_swizzle, 4);
    return i;
}

// Result modifiers of pixel shaders 1.x: scaled, then clamped.
static bool scale_result(struct sm9_reader *r, struct sm9_parameters *p, bool saturate)
{
    struct ir_operand srcs[2] = { p->dst, ir_immediate_float(1.0f) };
    float factor =
        p->shift > 0 ? (float)(1 << p->shift) : 1.0f / (float)(1 << -p->shift);
    memcpy(srcs[0].swizzle, (uint8_t[]){ 0, 1, 2, 3 }, 4);
    srcs[1] = ir_immediate_float(factor);
    p->saturate = saturate;
    return sm9_append(r, p, IR_MUL, &p->dst, srcs, 2) != NULL;
}

bool sm9_plain(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op)
{
    bool saturate = p->saturate;
    if (p->shift)
        p->saturate = false;
    if (!sm9_append(r, p, op, p->has_dst ? &p->dst : NULL, p->srcs, p->count))
        return false;
    return !p->shift || !p->has_dst || scale_result(r, p, saturate);
}

// ---- reading parameters ----

static bool read_predicate(struct sm9_reader *r, struct sm9_parameters *p)
{
    struct ir_operand o;
    if (!sm9_source(r, &o, &p->predicate_not))
        return false;
    if (o.file != IR_FILE_PREDICATE)
        return sm9_malformed(r, "predicate is no predicate register");
    p->predicated = true;
    memcpy(p->predicate_swizzle, o.swizzle, 4);
    return true;
}

// Instructions of a pair run at once: the first one's result waits in a register of our
// own until the second has read its sources. Texture instructions have no partner.
static bool hold_back(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode)
{
    bool texture = opcode >= 64 && opcode <= 87 && opcode != 80;
    if (texture || p->dst.file != IR_FILE_TEMP)
        return true;
    if (!sm9_has_scratch(r))
        return false;
    r->held = p->dst;
    r->holding = true;
    r->held_in = r->scratch++;
    p->dst.index[0].base = r->held_in;
    return true;
}

static bool release(struct sm9_reader *r)
{
    struct sm9_parameters p = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct ir_operand src = ir_reg(IR_FILE_TEMP, r->held_in);
    r->holding = false;
    return sm9_append(r, &p, IR_MOV, &r->held, &src, 1) != NULL;
}

static bool read_parameters(struct sm9_reader *r, uint32_t token, uint32_t opcode,
                            struct sm9_parameters *p)
{
    // Aero's short streams put result modifiers into the opcode token.
    uint32_t modifiers = r->sdk ? 0 : token >> 20 & 0xf;
    if (rows[opcode].dsts) {
        if (!sm9_destination(r, &p->dst, &p->dst_token))
            return false;
        if (r->paired && !hold_back(r, p, opcode))
            return false;
        modifiers |= p->dst_token >> 20 & 0xf;
        p->has_dst = true;
        uint32_t shift = p->dst_token >> 24 & 0xf;
        p->shift =
            r->shader->major == 1 && !r->vertex ? (int)shift - (shift & 8 ? 16 : 0) : 0;
        if (p->shift > 3 || p->shift < -3)
            return sm9_malformed(r, "result shift is out of range");
    }
    p->saturate = modifiers & 1;
    if ((token >> 28 & 1) && !read_predicate(r, p))
        return false;
    while (r->at < r->end) {
        if (p->count == sizeof p->srcs / sizeof *p->srcs)
            return sm9_malformed(r, "too many parameters");
        if (!sm9_source(r, &p->srcs[p->count++], &p->inverted))
            return false;
    }
    // Colours of vertex shaders before model 3 are clamped.
    if (p->has_dst && r->vertex && r->shader->major < 3 &&
        p->dst.file == IR_FILE_OUTPUT && p->dst.index[0].base < 2)
        p->saturate = true;
    return true;
}

// ---- arithmetic ----

static bool matrix(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode)
{
    static const uint8_t row_counts[] = { 4, 3, 4, 3, 2 }; // from m4x4 on
    struct ir_operand dst = p->dst, srcs[2] = { p->srcs[0], p->srcs[1] };
    if (p->count != 2 || srcs[1].file != IR_FILE_CBUFFER)
        return sm9_malformed(r, "matrix is not in constants");
    // Rows are written one by one: the vector must outlive the first.
    struct ir_operand scratch = ir_reg(IR_FILE_TEMP, r->scratch++);
    if (!sm9_append(r, p, IR_MOV, &scratch, srcs, 1))
        return false;
    srcs[0] = scratch;
    for (uint32_t row = 0; row < row_counts[opcode - 20]; row++) {
        dst.mask = p->dst.mask & (1u << row);
        srcs[1].index[1].base = p->srcs[1].index[1].base + row;
        if (dst.mask && !sm9_append(r, p, rows[opcode].op, &dst, srcs, 2))
            return false;
    }
    return true;
}

// Vertex shaders 1.x read the last component: w where there is no swizzle.
static bool scalar(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op)
{
    int component = r->vertex && r->shader->major == 1 ? 3 : 0;
    for (uint32_t i = 0; i < p->count; i++)
        memset(p->srcs[i].swizzle, p->srcs[i].swizzle[component], 4);
    return sm9_plain(r, p, op);
}

static bool keep_sources(struct sm9_reader *r, struct sm9_parameters *p, uint32_t count,
                         enum ir_op op)
{
    if (p->count > count)
        p->count = count; // the others are room for constants
    return sm9_plain(r, p, op);
}

static bool move(struct sm9_reader *r, struct sm9_parameters *p)
{
    bool address = p->dst.file == IR_FILE_ADDRESS;
    return sm9_plain(r, p, address ? IR_MOVA_FLOOR_9 : IR_MOV);
}

static bool absolute(struct sm9_reader *r, struct sm9_parameters *p)
{
    if (p->count != 1)
        return sm9_malformed(r, "abs without a source");
    p->srcs[0].modifiers = IR_ABS;
    return sm9_plain(r, p, IR_MOV);
}

// ---- flow ----

// Compare codes of ifc, breakc and setp: bits 16-18.
static bool comparison(struct sm9_reader *r, uint32_t token, uint8_t *out)
{
    static const uint8_t codes[8] = { 0xff,          IR_COMPARE_GT, IR_COMPARE_EQ,
                                      IR_COMPARE_GE, IR_COMPARE_LT, IR_COMPARE_NE,
                                      IR_COMPARE_LE, 0xff };
    *out = codes[token >> 16 & 7];
    return *out != 0xff || sm9_malformed(r, "comparison of an unknown kind");
}

static bool compare(struct sm9_reader *r, struct sm9_parameters *p, uint32_t token,
                    enum ir_op op)
{
    uint8_t kind;
    if (!comparison(r, token, &kind))
        return false;
    struct ir_instruction *i =
        sm9_append(r, p, op, p->has_dst ? &p->dst : NULL, p->srcs, p->count);
    if (i)
        i->compare = kind;
    return i != NULL;
}

static bool test(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op)
{
    struct ir_instruction *i = sm9_append(r, p, op, NULL, p->srcs, p->count);
    if (i)
        i->nonzero = !p->inverted;
    return i != NULL;
}

// loop aL, i#
static bool loop(struct sm9_reader *r, struct sm9_parameters *p)
{
    if (p->count != 2 || p->srcs[0].file != IR_FILE_ADDRESS)
        return sm9_malformed(r, "loop without aL and i#");
    return sm9_append(r, p, IR_LOOP_9, NULL, &p->srcs[1], 1) != NULL;
}

// ---- the table's forms ----

static bool translate(struct sm9_reader *r, struct sm9_parameters *p, uint32_t token,
                      uint32_t opcode)
{
    enum ir_op op = (enum ir_op)rows[opcode].op;
    switch ((enum form)rows[opcode].form) {
    case FORM_PLAIN:
        return sm9_plain(r, p, op);
    case FORM_MOV:
        return move(r, p);
    case FORM_SCALAR:
        return scalar(r, p, op);
    case FORM_MATRIX:
        return matrix(r, p, opcode);
    case FORM_ABS:
        return absolute(r, p);
    case FORM_SGN:
        return keep_sources(r, p, 1, op);
    case FORM_SINCOS:
        if (p->count)
            memset(p->srcs[0].swizzle, p->srcs[0].swizzle[0], 4);
        return keep_sources(r, p, 1, op);
    case FORM_CALLNZ:
    case FORM_TEST:
        return test(r, p, op);
    case FORM_LOOP:
        return loop(r, p);
    case FORM_COMPARE:
    case FORM_SETP:
        return compare(r, p, token, op);
    case FORM_TEXCOORD:
        return sm9_texcoord(r, p);
    case FORM_TEXKILL:
        return sm9_texkill(r, p);
    case FORM_TEX:
        return sm9_tex(r, p, token);
    case FORM_TEXLD:
    case FORM_TEXLDD:
        return sm9_texld(r, p, op);
    case FORM_TEXREG:
        return sm9_texreg(r, p, opcode);
    case FORM_TEXM3:
        return sm9_texm3(r, p, opcode);
    case FORM_TEXDEPTH:
        return sm9_texdepth(r, p);
    case FORM_EXPP: // full precision from model 2 on
        return scalar(r, p, r->shader->major >= 2 ? IR_EXP : IR_EXPP_9);
    case FORM_DP2ADD: // Aero: 90 with two sources
        return sm9_plain(r, p, p->count == 2 ? IR_DP2 : op);
    case FORM_DCL:
    case FORM_DEF:
    case FORM_DEFI:
    case FORM_DEFB:
    case FORM_REFUSED:
    case FORM_NONE:
        break;
    }
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: d3d9 %s",
                   rows[opcode].name);
}

// Numbers that Aero's short streams use differently; they exist in model 1 only.
static uint32_t standard_opcode(const struct sm9_reader *r, uint32_t opcode)
{
    static const uint8_t aero[][2] = {
        { 82, 48 }, { 83, 47 }, { 86, 91 }, { 87, 92 }, { 89, 90 }
    };
    for (size_t i = 0; i < sizeof aero / sizeof *aero; i++)
        if (r->shader->major >= 2 && aero[i][0] == opcode)
            return aero[i][1];
    bool predicate = r->at < r->end &&
                     sm9_register_type(dxbc_token(r->tokens, r->at)) == SM9_PREDICATE;
    return opcode == 78 && predicate ? 94 : opcode;
}

static bool aero_set(struct sm9_reader *r, uint32_t token, uint32_t opcode)
{
    struct sm9_parameters p = { .predicate_swizzle = { 0, 1, 2, 3 } };
    return read_parameters(r, token, 1, &p) && // shaped like mov
           sm9_plain(r, &p, opcode == 84 ? IR_SEQ_9 : IR_SNE_9);
}

static bool decode_one(struct sm9_reader *r, uint32_t token)
{
    uint32_t opcode = token & 0xffff;
    struct sm9_parameters p = { .predicate_swizzle = { 0, 1, 2, 3 } };
    if (opcode == OP_PHASE || opcode == OP_COMMENT)
        return true;
    if (r->shader->major >= 2 && (opcode == 84 || opcode == 85))
        return aero_set(r, token, opcode);
    opcode = standard_opcode(r, opcode);
    if (opcode >= OP_LIMIT || rows[opcode].form == FORM_NONE)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: d3d9 opcode %u", opcode);
    switch (rows[opcode].form) {
    case FORM_DCL:
        return sm9_declare(r, token);
    case FORM_DEF:
        return sm9_define(r, 0, 4);
    case FORM_DEFI:
        return sm9_define(r, 1, 4);
    case FORM_DEFB:
        return sm9_define(r, 2, 1);
    default:
        return read_parameters(r, token, opcode, &p) && translate(r, &p, token, opcode);
    }
}

// ---- the stream ----

// Parameter tokens behind an instruction token of model 1, which states no length.
static size_t model_1_parameters(const struct sm9_reader *r, uint32_t opcode)
{
    if (opcode == 81)
        return 5; // def
    if (opcode == 31)
        return 2; // dcl
    bool model_1_4 = !r->vertex && r->shader->minor >= 4;
    if (opcode == 64 || opcode == 66)
        return model_1_4 ? 2 : 1;
    return opcode < OP_LIMIT ? (size_t)rows[opcode].dsts + rows[opcode].srcs : 0;
}

static size_t parameter_count(const struct sm9_reader *r, uint32_t token)
{
    uint32_t opcode = token & 0xffff;
    size_t stated = token >> 24 & 0xf;
    if (opcode == OP_COMMENT)
        return token >> 16 & 0x7fff;
    if (opcode == OP_PHASE)
        return 0;
    if (r->sdk && r->shader->major < 2)
        return model_1_parameters(r, opcode);
    if (r->sdk)
        return stated;
    return stated ? stated - 1 : 0; // Aero counts the instruction token as well
}

// SDK streams mark parameter tokens in bit 31; the short streams do not.
static bool is_sdk(const struct dxbc_tokens *tokens)
{
    for (size_t at = 1; at + 1 < tokens->count;) {
        uint32_t token = dxbc_token(tokens, at);
        if ((token & 0xffff) == OP_COMMENT) {
            at += 1 + (token >> 16 & 0x7fff);
            continue;
        }
        uint32_t next = dxbc_token(tokens, at + 1);
        if (token == OP_END)
            return true;
        if (next >> 31 || (token >> 24 & 0xf))
            return next >> 31;
        at++;
    }
    return true;
}

// Pixel shaders 1.x start with coordinates in t# and end with the colour in r0.
static bool begin_model_1(struct sm9_reader *r)
{
    struct sm9_parameters p = { .predicate_swizzle = { 0, 1, 2, 3 } };
    for (uint32_t n = 0; n < 4; n++) {
        struct ir_operand dst = ir_reg(IR_FILE_TEMP, SM9_TEXTURE_TEMP + n);
        struct ir_operand src = sm9_coordinate(n);
        bool used = false;
        for (size_t at = 1; at < r->tokens->count; at++) {
            uint32_t token = dxbc_token(r->tokens, at);
            used |= token >> 31 && sm9_register_type(token) == SM9_ADDRESS &&
                    sm9_register_number(token) == n;
        }
        if (used && (!sm9_add_input(r, src.index[0].base, SM9_USAGE_TEXCOORD, n) ||
                     !sm9_append(r, &p, IR_MOV, &dst, &src, 1)))
            return false;
    }
    return true;
}

static bool finish_model_1(struct sm9_reader *r)
{
    struct sm9_parameters p = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct ir_operand src = ir_reg(IR_FILE_TEMP, 0), dst;
    return sm9_register(r, SM9_COLOR_OUT, 0, &dst) &&
           sm9_append(r, &p, IR_MOV, &dst, &src, 1) != NULL;
}

// Bit 30: this instruction runs together with the one before.
static bool is_second(const struct sm9_reader *r, size_t at)
{
    uint32_t token = dxbc_token(r->tokens, at);
    return token >> 30 & 1 && (token & 0xffff) < OP_LIMIT;
}

static bool decode_stream(struct sm9_reader *r, size_t count)
{
    bool pairs = r->shader->major == 1 && !r->vertex;
    for (size_t at = 1; at < count;) {
        uint32_t token = dxbc_token(r->tokens, at);
        r->offset = dxbc_token_offset(r->tokens, at);
        if (token == OP_END)
            return true;
        size_t parameters = parameter_count(r, token);
        if (parameters > count - at - 1)
            return sm9_malformed(r, "instruction passes the end of the shader");
        r->at = at + 1;
        r->end = r->at + parameters;
        at += 1 + parameters;
        bool release_now = r->holding;
        r->paired = pairs && !release_now && at < count && is_second(r, at);
        if (!decode_one(r, token) || (release_now && !release(r)) ||
            !sm9_store_array(r))
            return false;
    }
    return sm9_malformed(r, "no end token");
}

static bool known_model(const struct ir_shader *s, bool vertex)
{
    if (s->major == 1)
        return vertex ? s->minor <= 1 : s->minor >= 1 && s->minor <= 4;
    return (s->major == 2 && s->minor <= 1) || (s->major == 3 && s->minor == 0);
}

bool sm9_decode(const struct dxbc_tokens *tokens, struct ir_shader *out,
                struct gv_error *err)
{
    struct sm9_reader r = {
        .tokens = tokens,
        .offset = tokens->offset,
        .shader = out,
        .sdk = is_sdk(tokens),
        .vertex = out->stage == GV_DXBC_VERTEX,
        .scratch = SM9_SCRATCH,
        .hints = out->inputs,
        .hint_count = out->input_count,
        .err = err,
    };
    bool pixel_1 = !r.vertex && out->major == 1;
    if (!known_model(out, r.vertex))
        return gv_fail(err, GV_ERR_UNSUPPORTED, tokens->offset,
                       "unsupported: d3d9 shader model %u.%u", out->major, out->minor);
    memset(r.input_map, 0xff, sizeof r.input_map);
    memset(r.output_map, 0xff, sizeof r.output_map);
    out->inputs = out->outputs = NULL; // made from dcl and use instead
    out->input_count = out->output_count = 0;
    out->patch_count = 0;
    out->cbuffer_size[0] = out->cbuffer_size[1] = out->cbuffer_size[2] = 256;
    if (out->options && out->options->merged_constants)
        out->cbuffer_size[0] = 512;
    if ((pixel_1 && out->minor < 4 && !begin_model_1(&r)) ||
        !decode_stream(&r, tokens->count > MAX_TOKENS ? MAX_TOKENS : tokens->count) ||
        (pixel_1 && !finish_model_1(&r)))
        return false;
    out->phases[0] = (struct ir_phase){ IR_PHASE_MAIN, 1, 0, out->instruction_count };
    out->phase_count = 1;
    return true;
}
