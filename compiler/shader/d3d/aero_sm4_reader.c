#include "compiler/shader/d3d/aero_sm4_reader.h"

#include <string.h>

bool aero_malformed(struct aero_reader *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_FORMAT, r->offset, "aero shader: %s", what);
}

bool aero_take(struct aero_reader *r, uint32_t *out)
{
    if (r->at >= r->end)
        return aero_malformed(r, "operand passes the end of its instruction");
    *out = dxbc_token(r->tokens, r->at++);
    return true;
}

enum ir_file aero_register_file(uint32_t type)
{
    switch (type) {
    case 0:
        return IR_FILE_TEMP;
    case 1:
        return IR_FILE_INPUT;
    case 2:
        return IR_FILE_OUTPUT;
    case 4:
        return IR_FILE_IMMEDIATE;
    case 6:
        return IR_FILE_SAMPLER;
    case 7:
        return IR_FILE_RESOURCE;
    case 8:
        return IR_FILE_CBUFFER;
    case 11:
        return IR_FILE_PREDICATE;
    case 12:
    case 38:
    case 39:
        return IR_FILE_DEPTH;
    case 13:
        return IR_FILE_NULL;
    case 30:
        return IR_FILE_UAV;
    case 32:
        return IR_FILE_THREAD_ID;
    case 33:
        return IR_FILE_GROUP_ID;
    case 34:
        return IR_FILE_LOCAL_ID;
    case 35:
        return IR_FILE_LOCAL_INDEX;
    default:
        return IR_FILE_COUNT;
    }
}

static bool read_immediate(struct aero_reader *r, bool scalar, struct ir_operand *out)
{
    uint32_t raw[4] = { 0 };
    for (int i = 0; i < (scalar ? 1 : 4); i++)
        if (!aero_take(r, &raw[i]))
            return false;
    for (int i = 0; i < 4; i++) {
        out->values[i] = raw[scalar ? 0 : out->swizzle[i]];
    }
    for (uint8_t i = 0; i < 4; i++)
        out->swizzle[i] = i;
    out->dims = 0;
    return true;
}

static bool has_register(const struct gv_dxbc_element *elements, uint32_t count,
                         uint32_t reg)
{
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].reg == reg)
            return true;
    return false;
}

// The dialect has no operand type for them: inputs of domain shaders without a control
// point that only the patch signature knows.
static bool is_patch_constant(const struct ir_shader *s, const struct ir_operand *o)
{
    uint32_t n = o->index[0].base;
    return s->stage == GV_DXBC_DOMAIN && o->file == IR_FILE_INPUT && o->dims == 1 &&
           !has_register(s->inputs, s->input_count, n) &&
           has_register(s->patch, s->patch_count, n);
}

bool aero_read_operand(struct aero_reader *r, struct ir_operand *out)
{
    uint32_t token = 0, extension = 0;
    *out = ir_reg(IR_FILE_NULL, 0);
    if (!aero_take(r, &token))
        return false;
    if (token >> 31 && !aero_take(r, &extension))
        return false;
    enum ir_file file = aero_register_file(token >> 4 & 0xff);
    if (file == IR_FILE_COUNT)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: aero operand type %u", token >> 4 & 0xff);
    if (token >> 22 & 0x1ff)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: aero relative addressing");
    if (extension & 0x3f)
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: aero operand extension 0x%x", extension);
    uint32_t components = token & 3, dims = token >> 20 & 3;
    if (components == 3 || dims == 3)
        return aero_malformed(r, "operand of an unknown shape");
    *out = ir_reg(file, 0);
    if (components == 2)
        ir_select(out, token >> 2 & 3, token >> 12 & 0xff);
    else if (components == 0) { // a mask may stand there still; else its user decides
        out->mask = token >> 2 & 3 ? 0 : token >> 12 & 0xf;
    } else {
        out->mask = 1;
        memset(out->swizzle, 0, 4);
    }
    out->modifiers = extension >> 6 & 3;
    if (file == IR_FILE_IMMEDIATE)
        return read_immediate(r, components == 1, out);
    out->dims = (uint8_t)dims;
    for (uint32_t i = 0; i < dims; i++)
        if (!aero_take(r, &out->index[i].base))
            return false;
    if (is_patch_constant(r->shader, out))
        out->file = IR_FILE_PATCH;
    return true;
}

uint32_t aero_word_at(const struct aero_reader *r, size_t at)
{
    return at < r->end ? dxbc_token(r->tokens, at) : 0;
}
