#include "vm/decode.h"

#include "resources/base/cursor.h"

static size_t fail(struct gv_instruction *out, enum gv_decode_fault why)
{
    out->fault = (uint8_t)why;
    return 0;
}

// Reads a LEB128. Returns its size, or 0.
static size_t leb(const uint8_t *p, size_t left, bool is_signed,
                  struct gv_instruction *out)
{
    if (left && !(*p & 0x80)) {
        out->operand = is_signed && (*p & 0x40) ? *p | ~(uint64_t)0x7f : *p;
        return 1;
    }
    if (left > 1 && !(p[1] & 0x80) && p[1] != 0 &&
        p[1] != 0x7f) { // two bytes, shortest
        uint64_t number = (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
        out->operand = is_signed && (p[1] & 0x40) ? number | ~(uint64_t)0x3fff : number;
        return 2;
    }
    struct gv_cursor c = gv_cursor_make(p, left);
    out->operand = is_signed ? (uint64_t)gv_cursor_sleb(&c) : gv_cursor_uleb(&c);
    if (!c.bad)
        return c.pos;
    for (size_t i = 0; i < left; i++)
        if (i == 9 || !(p[i] & 0x80))
            return fail(out, GV_DECODE_PADDED);
    return fail(out, GV_DECODE_CUT);
}

static size_t operand_of(enum gv_operand kind, const uint8_t *p, size_t left,
                         struct gv_instruction *out)
{
    if (kind != GV_OPERAND_F32)
        return leb(p, left, kind == GV_OPERAND_SLEB, out);
    if (left < 4)
        return fail(out, GV_DECODE_CUT);
    out->operand = gv_load_u32(p);
    return 4;
}

// Whether a shorter instruction says the same, which must then be used.
static bool has_shorter(const struct gv_instruction *in)
{
    switch (in->op) {
    case GV_OP_PUSH:
        return in->operand < 128;
    case GV_OP_CALL:
        return in->operand < GV_OP_PUSH_0 - GV_OP_CALL_0;
    case GV_OP_CMD:
        return in->operand < 2;
    default:
        return false;
    }
}

size_t gv_decode(const uint8_t *code, size_t left, struct gv_instruction *out)
{
    uint8_t byte = *code;
    if (byte >= GV_OP_PUSH_0) {
        *out = (struct gv_instruction){ GV_OP_PUSH, GV_FORM_PUSH, 0,
                                        byte - (uint64_t)GV_OP_PUSH_0 };
        return 1;
    }
    if (byte >= GV_OP_CALL_0) {
        *out = (struct gv_instruction){ GV_OP_CALL, GV_FORM_CALL, 0,
                                        byte - (uint64_t)GV_OP_CALL_0 };
        return 1;
    }
    const struct gv_op_info *info = &gv_op_infos[byte];
    *out = (struct gv_instruction){ .op = byte, .form = info->form };
    if (!info->name)
        return fail(out, GV_DECODE_UNKNOWN);
    if (info->operand == GV_OPERAND_NONE)
        return 1;
    size_t n = operand_of(info->operand, code + 1, left - 1, out);
    if (n && has_shorter(out))
        return fail(out, GV_DECODE_FAMILY);
    return n ? n + 1 : 0;
}

size_t gv_decode_long(const uint8_t *code, size_t left, struct gv_instruction *out)
{
    size_t n = gv_decode(code, left, out);
    return out->form ? n : fail(out, GV_DECODE_UNKNOWN);
}

uint64_t gv_fold(uint8_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case GV_OP_ADD:
        return a + b;
    case GV_OP_SUB:
        return a - b;
    case GV_OP_MUL:
        return a * b;
    case GV_OP_AND:
        return a & b;
    default:
        return a < b;
    }
}
