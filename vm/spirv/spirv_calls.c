#include "vm/spirv/spirv_calls.h"

#include "vm/spirv/spirv_bounds.h"
#include "vm/spirv/spirv_interface.h"

#include <spirv/unified1/GLSL.std.450.h>
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
    uint32_t *written_in;       // [bound]: of constants, where the last function begins
                                // that takes them apart
    uint64_t written;           // words of all functions that are DONE
};

// ---- what drivers make of an instruction ----

// Words that weigh as much as what an instruction becomes: one is 1.6 KB that lavapipe
// (LLVM 15, 8 lanes) takes at its peak. Measured each alone, as the peak of a run with
// some 60 to 900 of the instruction in one compute shader less that of a shader with
// one. Longer functions and mixtures are taken to be sums of these.
enum {
    CHEAP = 4,         // a few machine instructions; 3 measured
    EXTENDED = 16,     // all that have no row; 4 to 16 measured
    LOGARITHM = 32,    // 28
    TRIGONOMETRY = 44, // and what is made of it; 20 to 42
    TANGENT = 56,      // 49 to 55
    HALVES = 64,       // packed and unpacked; 64
    ARC_TANGENT = 96,  // polynomials and choices; 37 to 87
    INVERSE = 24,      // 27, with what moves the matrix
    PRODUCT = 10,      // of matrices
    DIVISION = 24,     // one lane after another
    CHOICE = 8,        // of each of the first NEAR elements
    ATOMIC = 64,       // with its guard
};

static uint64_t extended_weight(uint32_t instruction)
{
    switch (instruction) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450FAbs:
    case GLSLstd450SAbs:
    case GLSLstd450FSign:
    case GLSLstd450SSign:
    case GLSLstd450Floor:
    case GLSLstd450Ceil:
    case GLSLstd450Fract:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450FMin:
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450NMin:
    case GLSLstd450FMax:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
    case GLSLstd450NMax:
    case GLSLstd450FClamp:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450NClamp:
    case GLSLstd450FMix:
    case GLSLstd450Step:
    case GLSLstd450Fma:
        return CHEAP;
    case GLSLstd450Log:
    case GLSLstd450Log2:
        return LOGARITHM;
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Sinh:
    case GLSLstd450Cosh:
    case GLSLstd450Asinh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
    case GLSLstd450Pow:
        return TRIGONOMETRY;
    case GLSLstd450Tan:
    case GLSLstd450Tanh:
        return TANGENT;
    case GLSLstd450PackHalf2x16:
    case GLSLstd450UnpackHalf2x16:
        return HALVES;
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

// How many elements the indices of a chain into `type` choose among; 1 where all are
// constants.
static uint64_t choices(const struct gv_spirv_ids *ids, const uint32_t *type,
                        const uint32_t *w)
{
    uint64_t count = 1;
    for (uint32_t i = 4; i < gv_spirv_length(w); i++) {
        uint32_t op = gv_spirv_op(type), member, length = 1;
        bool chosen = gv_spirv_op(gv_spirv_def(ids, w[i])) == SpvOpNop;
        if (op == SpvOpTypeStruct) {
            if (!gv_spirv_constant(ids, w[i], &member) ||
                member >= gv_spirv_length(type) - 2)
                return count;
            type = gv_spirv_def(ids, type[2 + member]);
            continue;
        }
        if (op == SpvOpTypeArray && chosen && gv_spirv_constant(ids, type[3], &length))
            count *= length;
        if (op == SpvOpTypeMatrix && chosen)
            count *= type[3];
        if (count > GV_MAX_SPIRV_INLINED_WORDS)
            return GV_MAX_SPIRV_INLINED_WORDS;
        if (op != SpvOpTypeArray && op != SpvOpTypeMatrix)
            return count;
        type = gv_spirv_def(ids, type[2]);
    }
    return count;
}

// An index into variables of the invocation is a choice among all elements, unless it
// is a constant, for each vector of what is chosen. Measured, for each chain of a load
// or a store: 32 numbers 120 words, 16 arrays of 16 numbers 100, 256 vectors 250, 1024
// vectors 1600. Shorter arrays of vectors took too long to measure: an element of them
// weighs twice what a number does.
#define NEAR 64

static uint64_t chain_weight(const struct calls *c, const uint32_t *w)
{
    const struct gv_spirv_ids *ids = c->ids;
    const uint32_t *type = gv_spirv_def(ids, w[3] < ids->bound ? c->types[w[3]] : 0);
    const uint32_t *chosen = gv_spirv_def(ids, w[1]);
    if (gv_spirv_op(type) != SpvOpTypePointer ||
        gv_spirv_op(chosen) != SpvOpTypePointer ||
        (type[2] != SpvStorageClassFunction && type[2] != SpvStorageClassPrivate))
        return 0;
    uint64_t count = choices(ids, gv_spirv_def(ids, type[3]), w);
    uint64_t vectors = (gv_spirv_size(ids, chosen[3]) + 15) / 16;
    if (count == 1)
        return 0;
    return (count > NEAR ? count + (uint64_t)NEAR * (CHOICE - 1) : count * CHOICE) *
           vectors;
}

// A constant is written out where a function takes a part of it, all of it and once.
static uint64_t constant_weight(struct calls *c, const uint32_t *w, uint32_t function)
{
    if (gv_spirv_op(w) != SpvOpCompositeExtract)
        return 0;
    const uint32_t id = w[3];
    if (id >= c->ids->bound || !c->ids->ids[id].at || c->written_in[id] == function)
        return 0;
    c->written_in[id] = function;
    return gv_spirv_size(c->ids, c->types[id]) / 4;
}

// What the instruction is worth in the function that begins there: its words, the data
// it makes, stores or takes apart, and what it becomes.
static uint64_t weigh(struct calls *c, const uint32_t *w, uint32_t function)
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
    return gv_spirv_length(w) + weight + constant_weight(c, w, function) +
           gv_spirv_size(ids, type) / 4 * (1 + operation_weight(w));
}

// Sizes of types are below 2^64 and some: what is far over the bound is so, and no
// more.
static bool add_words(const struct calls *c, struct function *f, uint64_t words,
                      const uint32_t *w, struct gv_error *err)
{
    const uint64_t far = GV_MAX_SPIRV_INLINED_WORDS + 1;
    words = f->words + (words < far ? words : far);
    if (!gv_spirv_within(GV_SPIRV_BOUND_INLINED_WORDS, words,
                         gv_spirv_offset(c->ids, w), err))
        return false;
    f->words = (uint32_t)words;
    return true;
}

static bool check_depth(const struct calls *c, const struct function *f,
                        const struct function *callee, const uint32_t *w,
                        struct gv_error *err)
{
    const uint64_t depth = callee->state == UNSEEN ? UINT32_MAX : f->depth;
    return gv_spirv_within(GV_SPIRV_BOUND_CALL_DEPTH, depth, gv_spirv_offset(c->ids, w),
                           err);
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
        if (!add_words(c, f, weigh(c, w, f->at), w, err))
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
        if (!check_depth(c, f, callee, w, err) ||
            !add_words(c, f, callee->words, w, err))
            return false;
    }
    f->state = DONE;
    c->written += f->words;
    return gv_spirv_within(GV_SPIRV_BOUND_WRITTEN_WORDS, c->written,
                           (uint64_t)f->at * 4, err);
}

static bool is_constant(uint32_t op)
{
    return (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpUndef;
}

// What stands before the functions: the types of values, constants written out.
static bool note_global(struct calls *c, const uint32_t *w, uint64_t *words,
                        struct gv_error *err)
{
    const struct gv_spirv_ids *ids = c->ids;
    if (!gv_spirv_has_type(gv_spirv_op(w)) || w[2] >= ids->bound)
        return true;
    c->types[w[2]] = w[1];
    if (!is_constant(gv_spirv_op(w)))
        return true;
    *words += gv_spirv_size(ids, w[1]) / 4; // of which each is within the bound
    return gv_spirv_within(GV_SPIRV_BOUND_CONSTANT_WORDS, *words,
                           gv_spirv_offset(ids, w), err);
}

// Where functions begin, and the types of what stands before them.
static bool find(struct calls *c, struct gv_error *err)
{
    const struct gv_spirv_ids *ids = c->ids;
    uint64_t functions = 0, constants = 0;
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (at < ids->functions && !note_global(c, w, &constants, err))
            return false;
        if (gv_spirv_op(w) != SpvOpFunction || w[2] >= ids->bound)
            continue;
        c->functions[w[2]].at = (uint32_t)at;
        if (!gv_spirv_within(GV_SPIRV_BOUND_FUNCTIONS, ++functions, at * 4, err))
            return false;
    }
    return true;
}

bool gv_spirv_check_calls(const struct gv_spirv_ids *ids, struct gv_error *err)
{
    size_t bound = ids->bound ? ids->bound : 1;
    struct calls c = { .ids = ids,
                       .functions = calloc(bound, sizeof *c.functions),
                       .types = calloc(bound, sizeof *c.types),
                       .written_in = calloc(bound, sizeof *c.written_in) };
    bool ok =
        c.functions && c.types && c.written_in ? find(&c, err) : gv_out_of_memory(err);
    for (uint32_t i = 0; ok && i < ids->bound; i++)
        if (c.functions[i].at && c.functions[i].state == UNSEEN)
            ok = walk(&c, &c.functions[i], 0, err);
    free(c.functions);
    free(c.types);
    free(c.written_in);
    return ok;
}
