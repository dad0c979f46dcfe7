#define SPV_ENABLE_UTILITY_CODE // SpvHasResultAndType
#include "runtime/vk/spirv_words.h"

// The header has it `inline` only: this is where it gets its body.
extern inline void SpvHasResultAndType(SpvOp opcode, bool *hasResult,
                                       bool *hasResultType);

uint32_t gv_spirv_op(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

uint32_t gv_spirv_length(const uint32_t *instruction)
{
    return instruction[0] >> 16;
}

bool gv_spirv_is_type(uint32_t op)
{
    return op >= SpvOpTypeVoid && op <= SpvOpTypePipe;
}

bool gv_spirv_has_type(uint32_t op)
{
    bool result = false, type = false;
    SpvHasResultAndType((SpvOp)op, &result, &type);
    return result && type;
}
