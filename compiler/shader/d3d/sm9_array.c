// Inputs and outputs of Direct3D 9 shaders whose number a register decides: v[aL],
// o[a0.x].
#include "compiler/shader/d3d/sm9_reader.h"

#define REGISTERS 16
enum { INPUT_ARRAY = 0, OUTPUT_ARRAY = 1 }; // x#

static bool move(struct sm9_reader *r, struct ir_operand dst, struct ir_operand src)
{
    const struct sm9_parameters plain = { .predicate_swizzle = { 0, 1, 2, 3 } };
    return sm9_append(r, &plain, IR_MOV, &dst, &src, 1) != NULL;
}

static struct ir_operand element(bool output, uint32_t number)
{
    struct ir_operand o =
        ir_reg(IR_FILE_INDEXABLE, output ? OUTPUT_ARRAY : INPUT_ARRAY);
    o.dims = 2;
    o.index[1].base = number;
    return o;
}

// Moves every declared register to its place in the array, or back.
static bool move_all(struct sm9_reader *r, bool output, bool back)
{
    const uint32_t *map = output ? r->output_map : r->input_map;
    for (uint32_t n = 0; n < REGISTERS; n++) {
        if (map[n] == UINT32_MAX)
            continue;
        struct ir_operand reg = ir_reg(output ? IR_FILE_OUTPUT : IR_FILE_INPUT, map[n]);
        if (back ? !move(r, reg, element(output, n))
                 : !move(r, element(output, n), reg))
            return false;
    }
    return true;
}

bool sm9_register_array(struct sm9_reader *r, bool output, uint32_t number,
                        struct ir_operand *out)
{
    if (number >= REGISTERS)
        return sm9_malformed(r, "register is out of range");
    r->shader->indexable_size[output ? OUTPUT_ARRAY : INPUT_ARRAY] = REGISTERS;
    r->output_array |= output;
    *out = element(output, number);
    return move_all(r, output, false);
}

bool sm9_store_array(struct sm9_reader *r)
{
    bool written = r->output_array;
    r->output_array = false;
    return !written || move_all(r, true, true);
}
