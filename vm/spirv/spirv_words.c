#define SPV_ENABLE_UTILITY_CODE // SpvHasResultAndType
#include "vm/spirv/spirv_words.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/bytes.h"
#include "resources/base/error.h"

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

bool gv_spirv_is_atomic(uint32_t op)
{
    return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT;
}

bool gv_spirv_has_type(uint32_t op)
{
    bool result = false, type = false;
    SpvHasResultAndType((SpvOp)op, &result, &type);
    return result && type;
}

void gv_spirv_put(struct gv_bytes *to, const uint32_t *words, size_t count)
{
    gv_bytes_put(to, words, count * sizeof *words);
}

void gv_spirv_put_op(struct gv_bytes *to, uint32_t op, const uint32_t *operands,
                     size_t count)
{
    const uint32_t head = (uint32_t)(count + 1) << 16 | op;
    gv_spirv_put(to, &head, 1);
    gv_spirv_put(to, operands, count);
}

void gv_spirv_put_over(struct gv_bytes *in, size_t from_end, uint32_t word)
{
    if (!in->failed)
        memcpy(in->data + in->size - from_end * sizeof word, &word, sizeof word);
}

bool gv_spirv_take(const struct gv_bytes *module, uint32_t bound, uint32_t **out,
                   size_t *out_count, struct gv_error *err)
{
    if (module->failed || !(*out = malloc(module->size)))
        return gv_out_of_memory(err);
    memcpy(*out, module->data, module->size);
    (*out)[GV_SPIRV_BOUND_WORD] = bound;
    *out_count = module->size / sizeof **out;
    return true;
}

uint32_t gv_spirv_interface_at(const uint32_t *entry_point)
{
    uint32_t length = gv_spirv_length(entry_point), at = 3;
    while (at < length && (entry_point[at] & 0xff000000u) &&
           (entry_point[at] & 0xff0000u) && (entry_point[at] & 0xff00u) &&
           (entry_point[at] & 0xffu))
        at++;
    return at + 1;
}
