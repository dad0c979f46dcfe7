#include "runtime/vk/spirv_calls.h"

#include "runtime/vk/spirv_interface.h"

#include <spirv_cross/GLSL.std.450.h>
#include <stdlib.h>

enum state { UNSEEN, OPEN, DONE };

struct function {
    uint32_t at;    // word index of OpFunction, 0 = none
    uint32_t words; // written out, when DONE
    uint32_t depth; // of calls below it, when DONE
    uint8_t state;  // enum state
};

struct calls {
    const struct gv_spirv_ids *ids;
    struct function *functions; // [bound]
    uint32_t *types;            // [bound]: of values
};

// ---- what drivers make of an instruction ----

// Words that weigh as much as what an instruction becomes. Measured with lavapipe,
// whose memory grows by about 1.6 KB a word: a word of data of each result.
enum {
    ARC_TANGENT = 96, // polynomials and choices
    EXTENDED = 16,
    INVERSE = 24,
    PRODUCT = 8,   // of matrices
    DIVISION = 24, // one lane after another
    ATOMIC = 64,   // with its guard
    CHOICE = 8,    // of an element: a comparison each
};

static uint64_t extended_weight(uint32_t instruction)
{
    switch (instruction) {
    case GLSLstd450Atan:
    case GLSLstd450Atan2:
        return ARC_TANGENT;
    case GLSLstd450MatrixInverse:
        return INVERSE;
    default:
        return EXTENDED;
    }
}

// For each word of the result.
static uint64_t operation_weight(const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpExtInst:
        return extended_weight(w[4]);
    case SpvOpMatrixTimesMatrix:
        return PRODUCT;
    case SpvOpSDiv:
    case SpvOpUDiv:
    case SpvOpSRem:
    case SpvOpSMod:
    case SpvOpUMod:
        return DIVISION;
    default:
        return 0;
    }
}

// An index into variables of the invocation is a choice among all elements, unless it
// is a constant.
static uint64_t chain_weight(const struct calls *c, const uint32_t *w)
{
    const struct gv_spirv_ids *ids = c->ids;
    const uint32_t *type = gv_spirv_def(ids, w[3] < ids->bound ? c->types[w[3]] : 0);
    uint64_t weight = 0;
    uint32_t length;
    if (gv_spirv_op(type) != SpvOpTypePointer ||
        (type[2] != SpvStorageClassFunction && type[2] != SpvStorageClassPrivate))
        return 0;
    type = gv_spirv_def(ids, type[3]);
    for (uint32_t i = 4; i < gv_spirv_length(w); i++) {
        uint32_t op = gv_spirv_op(type), member;
        bool chosen = gv_spirv_op(gv_spirv_def(ids, w[i])) == SpvOpNop;
        if (op == SpvOpTypeStruct) {
            if (!gv_spirv_constant(ids, w[i], &member) ||
                member >= gv_spirv_length(type) - 2)
                return weight;
            type = gv_spirv_def(ids, type[2 + member]);
            continue;
        }
        if (op == SpvOpTypeArray && chosen && gv_spirv_constant(ids, type[3], &length))
            weight += (uint64_t)length * CHOICE;
        if (op != SpvOpTypeArray && op != SpvOpTypeMatrix)
            return weight;
        type = gv_spirv_def(ids, type[2]);
    }
    return weight;
}

// What the instruction is worth: its words, the data it makes or stores, and what it
// becomes.
static uint64_t weigh(struct calls *c, const uint32_t *w)
{
    const struct gv_spirv_ids *ids = c->ids;
    uint32_t op = gv_spirv_op(w), type = 0;
    if (gv_spirv_has_type(op)) {
        type = w[1];
        if (w[2] < ids->bound)
            c->types[w[2]] = type;
    } else if (op == SpvOpStore || op == SpvOpCopyMemory) {
        uint32_t id = w[op == SpvOpStore ? 2 : 1];
        type = id < ids->bound ? c->types[id] : 0;
    }
    if (op == SpvOpCopyMemory || op == SpvOpVariable) // pointers: what they point to
        type = gv_spirv_def(ids, type)[3];
    uint64_t weight = gv_spirv_is_atomic(op) ? ATOMIC : 0;
    if (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain)
        weight = chain_weight(c, w);
    return gv_spirv_length(w) + weight +
           gv_spirv_size(ids, type) / 4 * (1 + operation_weight(w));
}

static bool add_words(const struct calls *c, struct function *f, uint64_t words,
                      const uint32_t *w, struct gv_error *err)
{
    if (words > GV_MAX_SPIRV_INLINED_WORDS - f->words)
        return gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(c->ids, w),
                       "SPIR-V function of over %u words when its calls are inlined",
                       GV_MAX_SPIRV_INLINED_WORDS);
    f->words += (uint32_t)words;
    return true;
}

// Recursion ends at GV_MAX_SPIRV_CALL_DEPTH, and each function is walked once.
static bool walk(struct calls *c, struct function *f, uint32_t level,
                 struct gv_error *err)
{
    const struct gv_spirv_ids *ids = c->ids;
    uint32_t op = SpvOpNop;
    f->state = OPEN;
    for (size_t at = f->at; at < ids->count && op != SpvOpFunctionEnd;
         at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        op = gv_spirv_op(w);
        if (!add_words(c, f, weigh(c, w), w, err))
            return false;
        if (op != SpvOpFunctionCall || w[3] >= ids->bound)
            continue;
        struct function *callee = &c->functions[w[3]];
        if (callee->state == OPEN)
            return gv_fail(err, GV_ERR_FORMAT, gv_spirv_offset(ids, w),
                           "SPIR-V function calls itself");
        if (callee->state == UNSEEN && callee->at && level < GV_MAX_SPIRV_CALL_DEPTH &&
            !walk(c, callee, level + 1, err))
            return false;
        if (callee->depth >= f->depth)
            f->depth = callee->depth + 1;
        if (callee->state == UNSEEN || f->depth > GV_MAX_SPIRV_CALL_DEPTH)
            return gv_fail(err, GV_ERR_LIMIT, gv_spirv_offset(ids, w),
                           "SPIR-V calls are nested over %d deep",
                           GV_MAX_SPIRV_CALL_DEPTH);
        if (!add_words(c, f, callee->words, w, err))
            return false;
    }
    f->state = DONE;
    return true;
}

// Where functions begin, and the types of module variables.
static void find(struct calls *c)
{
    const struct gv_spirv_ids *ids = c->ids;
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (gv_spirv_op(w) == SpvOpFunction && w[2] < ids->bound)
            c->functions[w[2]].at = (uint32_t)at;
        else if (at < ids->functions)
            weigh(c, w);
    }
}

bool gv_spirv_check_calls(const struct gv_spirv_ids *ids, struct gv_error *err)
{
    size_t bound = ids->bound ? ids->bound : 1;
    struct calls c = { ids, calloc(bound, sizeof *c.functions),
                       calloc(bound, sizeof *c.types) };
    bool ok = c.functions && c.types;
    if (!ok)
        gv_out_of_memory(err);
    else
        find(&c);
    for (uint32_t i = 0; ok && i < ids->bound; i++)
        if (c.functions[i].at && c.functions[i].state == UNSEEN)
            ok = walk(&c, &c.functions[i], 0, err);
    free(c.functions);
    free(c.types);
    return ok;
}
