// Integer divisions that SPIR-V leaves undefined, given values.
#include "runtime/spirv/spirv_parts.h"

// The least integer divided by -1 is no integer of its width: processors trap. Divided
// by 1 it stays what it is, and leaves nothing over.

static bool is_division(uint32_t op)
{
    return op == SpvOpSDiv || op == SpvOpSRem || op == SpvOpSMod;
}

// The integer type of a value, or of a vector's components.
static const uint32_t *integer(const struct gv_spirv_rewriting *r, uint32_t id)
{
    const uint32_t *type =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, id)->type);
    if (gv_spirv_op(type) == SpvOpTypeVector)
        type = gv_spirv_def(r->ids, type[2]);
    return type;
}

// Whether the largest number it can be, as an unsigned one, tells that it is not -1.
static bool is_not_minus_one(const struct gv_spirv_rewriting *r, uint32_t id)
{
    const uint32_t *w = gv_spirv_maker(&r->values, id);
    uint32_t width = integer(r, id)[2], literal;
    if (width == 32)
        return gv_spirv_value_of(&r->values, id)->max != UINT32_MAX;
    return gv_spirv_op(w) == SpvOpConstant && gv_spirv_constant(r->ids, id, &literal) &&
           literal <= INT8_MAX;
}

static bool is_not_least(const struct gv_spirv_rewriting *r, uint32_t id)
{
    return integer(r, id)[2] == 32 &&
           gv_spirv_value_of(&r->values, id)->max <= INT32_MAX;
}

// One operation on module-level constants, or on values.
static uint32_t put(struct gv_spirv_rewriting *r, struct gv_bytes *to, uint32_t op,
                    uint32_t type, const uint32_t operands[3], uint32_t n)
{
    struct gv_spirv_edit *e = &r->edit;
    bool constant = to == &e->head;
    uint32_t id = e->next_id++, count = 0, w[6];
    w[count++] = type;
    w[count++] = id;
    if (constant)
        w[count++] = op;
    for (uint32_t i = 0; i < n; i++)
        w[count++] = operands[i];
    gv_spirv_put_op(to, constant ? SpvOpSpecConstantOp : op, w, count);
    return id;
}

// The divisor, or 1 where it is -1 and the dividend the least number.
static uint32_t divisor(struct gv_spirv_rewriting *r, uint32_t a, uint32_t b,
                        struct gv_bytes *to)
{
    struct gv_spirv_edit *e = &r->edit;
    uint32_t types[2] = { gv_spirv_value_of(&r->values, a)->type,
                          gv_spirv_value_of(&r->values, b)->type };
    const uint32_t *shape = gv_spirv_def(r->ids, types[1]);
    uint32_t n = gv_spirv_op(shape) == SpvOpTypeVector ? shape[3] : 1;
    uint32_t boolean = gv_spirv_edit_bool(e, n);
    const uint32_t *parts = integer(r, b);
    uint32_t least =
        gv_spirv_edit_number(e, integer(r, a), types[0], n, GV_SPIRV_LEAST);
    uint32_t minus = gv_spirv_edit_number(e, parts, types[1], n, GV_SPIRV_MINUS_ONE);
    uint32_t one = gv_spirv_edit_number(e, parts, types[1], n, GV_SPIRV_ONE);
    uint32_t traps[2] = {
        put(r, to, SpvOpIEqual, boolean, (uint32_t[3]){ a, least }, 2),
        put(r, to, SpvOpIEqual, boolean, (uint32_t[3]){ b, minus }, 2),
    };
    uint32_t both =
        put(r, to, SpvOpLogicalAnd, boolean, (uint32_t[3]){ traps[0], traps[1] }, 2);
    return put(r, to, SpvOpSelect, types[1], (uint32_t[3]){ both, one, b }, 3);
}

bool gv_spirv_divide(struct gv_spirv_rewriting *r, const uint32_t *w, uint32_t at,
                     struct gv_bytes *to)
{
    if (!is_division(at > 3 ? w[3] : gv_spirv_op(w)) || is_not_least(r, w[at]) ||
        is_not_minus_one(r, w[at + 1]))
        return false;
    uint32_t by = divisor(r, w[at], w[at + 1], to);
    gv_spirv_put(to, w, at + 1);
    gv_spirv_put(to, &by, 1);
    return true;
}

void gv_spirv_divide_types(struct gv_spirv_rewriting *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    bool divides = false;
    for (size_t at = 5; at < ids->functions; at += gv_spirv_length(ids->words + at))
        divides |= gv_spirv_op(ids->words + at) == SpvOpSpecConstantOp &&
                   is_division(ids->words[at + 3]);
    for (uint32_t n = 1; divides && n < 5; n++) {
        uint32_t id = gv_spirv_edit_bool(&r->edit, n);
        const uint32_t *w = gv_spirv_def(ids, id);
        if (gv_spirv_op(w) != SpvOpNop) // else it stands there already
            gv_spirv_put(&r->edit.head, w, gv_spirv_length(w));
    }
    r->types_moved = divides;
}
