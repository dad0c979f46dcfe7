#include "compiler/shader/d3d/sm9_reader.h"

#include <string.h>

#define MAX_SCRATCH 1024 // own temporaries of one shader

// Source modifiers (D3DSHADER_PARAM_SRCMOD_TYPE).
enum {
    MOD_NONE,
    MOD_NEGATE,
    MOD_BIAS,
    MOD_BIAS_NEGATE,
    MOD_SIGN,
    MOD_SIGN_NEGATE,
    MOD_COMPLEMENT,
    MOD_X2,
    MOD_X2_NEGATE,
    MOD_DIVIDE_Z,
    MOD_DIVIDE_W,
    MOD_ABS,
    MOD_ABS_NEGATE,
    MOD_NOT,
};

bool sm9_malformed(struct sm9_reader *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_FORMAT, r->offset, "d3d9 shader: %s", what);
}

bool sm9_unsupported(struct sm9_reader *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: d3d9 %s", what);
}

bool sm9_take(struct sm9_reader *r, uint32_t *out)
{
    *out = 0;
    if (r->at >= r->end)
        return sm9_malformed(r, "parameter passes the end of its instruction");
    *out = dxbc_token(r->tokens, r->at++);
    return true;
}

uint32_t sm9_register_type(uint32_t token)
{
    return (token >> 28 & 7) | (token >> 8 & 0x18);
}

uint32_t sm9_register_number(uint32_t token)
{
    return token & 0x7ff;
}

// ---- registers ----

static bool pixel_coordinate(struct sm9_reader *r, uint32_t number,
                             struct ir_operand *out)
{
    if (number > 7)
        return sm9_malformed(r, "texture register is out of range");
    if (r->shader->major == 1 && r->shader->minor < 4) // t# is read and written
        *out = ir_reg(IR_FILE_TEMP, SM9_TEXTURE_TEMP + number);
    else
        *out = ir_reg(IR_FILE_INPUT, sm9_varying(SM9_USAGE_TEXCOORD, number));
    return sm9_add_input(r, sm9_varying(SM9_USAGE_TEXCOORD, number), SM9_USAGE_TEXCOORD,
                         number);
}

static bool input(struct sm9_reader *r, uint32_t number, struct ir_operand *out)
{
    if (number > 15)
        return sm9_malformed(r, "input register is out of range");
    if (r->vertex) {
        *out = ir_reg(IR_FILE_INPUT, number);
        sm9_undeclared_input(r, number);
        return true;
    }
    if (r->shader->major < 3) {
        *out = ir_reg(IR_FILE_INPUT, number & 1);
        return sm9_add_input(r, number & 1, SM9_USAGE_COLOR, number & 1);
    }
    uint32_t location = r->input_map[number];
    if (location == UINT32_MAX)
        location = sm9_undeclared_input(r, number);
    *out = ir_reg(IR_FILE_INPUT, location);
    return location < SM9_POINT_SIZE || sm9_malformed(r, "input without a meaning");
}

static bool raster_output(struct sm9_reader *r, uint32_t number, struct ir_operand *out)
{
    switch (number) {
    case 0:
        *out = ir_reg(IR_FILE_OUTPUT, SM9_POSITION);
        return sm9_add_output(r, SM9_POSITION, SM9_USAGE_POSITION, 0,
                              GV_DXBC_SV_POSITION);
    case 1:
        *out = ir_reg(IR_FILE_OUTPUT, SM9_FOG);
        return sm9_add_output(r, SM9_FOG, SM9_USAGE_FOG, 0, GV_DXBC_SV_NONE);
    case 2:
        *out = ir_reg(IR_FILE_OUTPUT, SM9_POINT_SIZE);
        return sm9_add_output(r, SM9_POINT_SIZE, SM9_USAGE_PSIZE, 0,
                              GV_DXBC_SV_POINT_SIZE);
    default:
        return sm9_malformed(r, "rasterizer register is out of range");
    }
}

static bool varying_output(struct sm9_reader *r, uint32_t usage, uint32_t number,
                           struct ir_operand *out)
{
    uint32_t location = sm9_varying(usage, number);
    if (number > 7 || location == UINT32_MAX)
        return sm9_malformed(r, "output register is out of range");
    *out = ir_reg(IR_FILE_OUTPUT, location);
    return sm9_add_output(r, location, usage, number, GV_DXBC_SV_NONE);
}

static bool output(struct sm9_reader *r, uint32_t number, struct ir_operand *out)
{
    if (r->shader->major < 3)
        return varying_output(r, SM9_USAGE_TEXCOORD, number, out);
    if (number > 15 || r->output_map[number] == UINT32_MAX)
        return sm9_malformed(r, "output register without dcl");
    *out = ir_reg(IR_FILE_OUTPUT, r->output_map[number]);
    return true;
}

static bool constant(struct sm9_reader *r, uint32_t slot, uint32_t number,
                     struct ir_operand *out)
{
    bool merged = r->shader->options && r->shader->options->merged_constants;
    if (number >= 256)
        return sm9_malformed(r, "constant register is out of range");
    *out = ir_reg(IR_FILE_CBUFFER, slot);
    out->dims = 2;
    out->index[1].base = number + (slot == 0 && merged && !r->vertex ? 256 : 0);
    return true;
}

static bool misc(struct sm9_reader *r, uint32_t number, struct ir_operand *out)
{
    if (number > 1)
        return sm9_malformed(r, "register is out of range");
    *out = ir_reg(number ? IR_FILE_FACE_9 : IR_FILE_POSITION_9, 0);
    return true;
}

static bool simple(struct sm9_reader *r, enum ir_file file, uint32_t number,
                   uint32_t limit, struct ir_operand *out)
{
    if (number >= limit)
        return sm9_malformed(r, "register is out of range");
    *out = ir_reg(file, number);
    return true;
}

bool sm9_register(struct sm9_reader *r, uint32_t type, uint32_t number,
                  struct ir_operand *out)
{
    switch (type) {
    case SM9_TEMP:
    case SM9_HALF_TEMP:
        return simple(r, IR_FILE_TEMP, number, 32, out);
    case SM9_INPUT:
        return input(r, number, out);
    case SM9_CONST:
        return constant(r, 0, number, out);
    case SM9_ADDRESS:
        if (!r->vertex)
            return pixel_coordinate(r, number, out);
        return simple(r, IR_FILE_ADDRESS, number, 1, out);
    case SM9_RASTER_OUT:
        return raster_output(r, number, out);
    case SM9_ATTRIBUTE_OUT:
        return varying_output(r, SM9_USAGE_COLOR, number, out);
    case SM9_TEXCOORD_OUT:
        return output(r, number, out);
    case SM9_CONST_INT:
        return constant(r, 1, number, out);
    case SM9_COLOR_OUT:
        if (!simple(r, IR_FILE_OUTPUT, number, 8, out))
            return false;
        return sm9_add_output(r, number, SM9_USAGE_COLOR, number, GV_DXBC_SV_TARGET);
    case SM9_DEPTH_OUT:
        return simple(r, IR_FILE_DEPTH, number, 1, out);
    case SM9_SAMPLER:
        return simple(r, IR_FILE_SAMPLER, number, 16, out);
    case SM9_CONST_BOOL:
        return constant(r, 2, number, out);
    case SM9_LOOP:
        *out = ir_reg(IR_FILE_ADDRESS, 1);
        return true;
    case SM9_MISC:
        return misc(r, number, out);
    case SM9_LABEL:
        return simple(r, IR_FILE_LABEL, number, IR_MAX_LABELS, out);
    case SM9_PREDICATE:
        return simple(r, IR_FILE_PREDICATE, number, 1, out);
    default:
        return sm9_malformed(r, "register of an unknown type");
    }
}

// ---- parameters ----

// Bit 13: an address register is added; model 1 has only a0.x and no token for it.
static bool relative(struct sm9_reader *r, uint32_t token, struct ir_operand *out)
{
    uint32_t addend = 0;
    if (!(token >> 13 & 1))
        return true;
    struct ir_index *x = &out->index[1];
    if (out->file != IR_FILE_CBUFFER && out->file != IR_FILE_INDEXABLE)
        return sm9_unsupported(r, "relative addressing of these registers");
    x->relative = true;
    x->file = IR_FILE_ADDRESS;
    if (r->shader->major < 2)
        return true;
    if (!sm9_take(r, &addend))
        return false;
    uint32_t type = sm9_register_type(addend);
    if (type != SM9_ADDRESS && type != SM9_LOOP)
        return sm9_malformed(r, "index is no address register");
    x->reg = type == SM9_LOOP;
    x->component = addend >> 16 & 3;
    return true;
}

// The register of a parameter token, with what an address register adds to its number.
static bool parameter(struct sm9_reader *r, uint32_t token, struct ir_operand *out)
{
    uint32_t type = sm9_register_type(token), number = sm9_register_number(token);
    bool output = type == SM9_TEXCOORD_OUT;
    bool array =
        r->shader->major == 3 && token >> 13 & 1 && (output || type == SM9_INPUT);
    return (array ? sm9_register_array(r, output, number, out)
                  : sm9_register(r, type, number, out)) &&
           relative(r, token, out);
}

bool sm9_destination(struct sm9_reader *r, struct ir_operand *out, uint32_t *token)
{
    if (!sm9_take(r, token) || !parameter(r, *token, out))
        return false;
    out->mask = *token >> 16 & 0xf;
    return out->file != IR_FILE_CBUFFER || !out->index[1].relative ||
           sm9_malformed(r, "result in a constant");
}

bool sm9_has_scratch(struct sm9_reader *r)
{
    return r->scratch < SM9_SCRATCH + MAX_SCRATCH ||
           gv_fail(r->err, GV_ERR_LIMIT, r->offset,
                   "d3d9 shader: too many modifiers of sources");
}

// Appends `scratch = op(source, ...)` and makes `o` that register.
static bool through_scratch(struct sm9_reader *r, enum ir_op op, struct ir_operand *o,
                            struct ir_operand second, struct ir_operand third)
{
    uint32_t srcs = ir_ops[op].srcs;
    if (!sm9_has_scratch(r))
        return false;
    struct ir_instruction *i = ir_append(r->shader, op, 1 + srcs, r->offset, r->err);
    if (!i)
        return false;
    i->operands[0] = ir_reg(IR_FILE_TEMP, r->scratch);
    i->operands[1] = *o;
    i->operands[2] = second;
    if (srcs > 2)
        i->operands[3] = third;
    *o = ir_reg(IR_FILE_TEMP, r->scratch++);
    return true;
}

// Constants of pixel shaders 1.x are -1 to 1 at most, defined or set.
static bool clamp(struct sm9_reader *r, struct ir_operand *o)
{
    struct ir_operand none = ir_reg(IR_FILE_NULL, 0);
    return through_scratch(r, IR_MAX, o, ir_immediate_float(-1.0f), none) &&
           through_scratch(r, IR_MIN, o, ir_immediate_float(1.0f), none);
}

static bool modify(struct sm9_reader *r, uint32_t modifier, struct ir_operand *o,
                   bool *inverted)
{
    struct ir_operand none = ir_reg(IR_FILE_NULL, 0), by = *o;
    bool ok = true;
    switch (modifier) {
    case MOD_NONE:
        return true;
    case MOD_NEGATE:
        o->modifiers = IR_NEGATE;
        return true;
    case MOD_ABS:
        o->modifiers = IR_ABS;
        return true;
    case MOD_ABS_NEGATE:
        o->modifiers = IR_ABS | IR_NEGATE;
        return true;
    case MOD_BIAS:
    case MOD_BIAS_NEGATE:
        ok = through_scratch(r, IR_SUB, o, ir_immediate_float(0.5f), none);
        break;
    case MOD_SIGN:
    case MOD_SIGN_NEGATE:
        ok = through_scratch(r, IR_MAD, o, ir_immediate_float(2.0f),
                             ir_immediate_float(-1.0f));
        break;
    case MOD_COMPLEMENT:
        o->modifiers = IR_NEGATE;
        return through_scratch(r, IR_ADD, o, ir_immediate_float(1.0f), none);
    case MOD_X2:
    case MOD_X2_NEGATE:
        ok = through_scratch(r, IR_MUL, o, ir_immediate_float(2.0f), none);
        break;
    case MOD_DIVIDE_Z:
    case MOD_DIVIDE_W:
        memset(by.swizzle, o->swizzle[modifier == MOD_DIVIDE_Z ? 2 : 3], 4);
        return through_scratch(r, IR_DIV, o, by, none);
    case MOD_NOT:
        if (!inverted)
            return sm9_malformed(r, "\"not\" of a number");
        *inverted = true;
        return true;
    default:
        return sm9_malformed(r, "source modifier is unknown");
    }
    bool negate = modifier == MOD_BIAS_NEGATE || modifier == MOD_SIGN_NEGATE ||
                  modifier == MOD_X2_NEGATE;
    o->modifiers = negate ? IR_NEGATE : 0;
    return ok;
}

bool sm9_source(struct sm9_reader *r, struct ir_operand *out, bool *inverted)
{
    uint32_t token = 0;
    if (!sm9_take(r, &token))
        return false;
    uint32_t type = sm9_register_type(token);
    if (!parameter(r, token, out))
        return false;
    if (r->shader->major == 1 && !r->vertex && type == SM9_CONST && !clamp(r, out))
        return false;
    for (int i = 0; i < 4; i++)
        out->swizzle[i] = token >> (16 + 2 * i) & 3;
    return modify(r, token >> 24 & 0xf, out, inverted);
}
