#include "compiler/shader/spirv/spirv_relaxed.h"

#include <spirv/unified1/GLSL.std.450.h>

// ---- instructions ----

uint32_t gv_relaxed_arithmetic(uint32_t op)
{
    switch (op) {
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpFRem:
    case SpvOpFMod:
    case SpvOpVectorTimesScalar:
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpDot:
    case SpvOpDPdx:
    case SpvOpDPdy:
    case SpvOpFwidth:
    case SpvOpDPdxFine:
    case SpvOpDPdyFine:
    case SpvOpFwidthFine:
    case SpvOpDPdxCoarse:
    case SpvOpDPdyCoarse:
    case SpvOpFwidthCoarse:
        return 3;
    case SpvOpExtInst:
        return 5;
    default:
        return 0;
    }
}

uint32_t gv_relaxed_moves(const uint32_t *instruction, uint32_t *end)
{
    *end = gv_spirv_length(instruction);
    switch (gv_spirv_op(instruction)) {
    case SpvOpFNegate:
    case SpvOpCompositeConstruct:
        return 3;
    case SpvOpSelect:
        return 4;
    case SpvOpCompositeExtract:
        *end = 4;
        return 3;
    case SpvOpVectorShuffle:
        *end = 5;
        return 3;
    default:
        return 0;
    }
}

// One step of Mesa's too.
static bool is_step(const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpFAdd:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpVectorTimesScalar:
        return true;
    case SpvOpExtInst:
        break;
    default:
        return false;
    }
    switch (w[4]) {
    case GLSLstd450FAbs:
    case GLSLstd450Floor:
    case GLSLstd450Fract:
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Pow:
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
        return true;
    default:
        return false;
    }
}

// ---- types ----

bool gv_relaxed_is_real(const struct gv_relaxed *r, uint32_t id)
{
    return id < r->bound && r->ids[id].type && r->ids[r->ids[id].type].real;
}

static void read_type(struct gv_relaxed *r, const uint32_t *w, uint32_t length)
{
    const uint32_t op = gv_spirv_op(w);
    if (length < 3 || w[1] >= r->bound)
        return;
    struct gv_relaxed_id *type = &r->ids[w[1]];
    if (op == SpvOpTypeFloat) {
        type->real = w[2] == 32;
        type->parts = 1;
        return;
    }
    if ((op != SpvOpTypeVector && op != SpvOpTypeMatrix) || length < 4 ||
        w[2] >= r->bound)
        return;
    type->real = op == SpvOpTypeVector && r->ids[w[2]].real;
    type->part = w[2];
    type->parts = w[3];
}

// ---- variables ----

// In order: a value that is stored outside of all branches and loops is there wherever
// the variable is read, if it is the only one.
struct reader {
    struct gv_relaxed *r;
    uint32_t branch; // where the outermost branch or loop that is open ends; 0: none
};

#define SEVERAL UINT32_MAX        // by OpStore
#define FOREIGN (UINT32_MAX - 1u) // in other ways too

// The variable that a pointer points into.
static uint32_t variable_of(const struct gv_relaxed *r, uint32_t pointer)
{
    const uint32_t base = pointer < r->bound ? r->ids[pointer].base : 0;
    return base ? base : pointer;
}

static void read_store(const struct reader *x, const uint32_t *w, uint32_t length)
{
    struct gv_relaxed *r = x->r;
    if (length < 3 || w[1] >= r->bound || w[2] >= r->bound)
        return;
    struct gv_relaxed_id *variable = &r->ids[variable_of(r, w[1])];
    const bool only = !x->branch && !variable->stored && !r->ids[w[1]].base;
    if (variable->stored != FOREIGN)
        variable->stored = only ? w[2] : SEVERAL;
}

// What may be written by others than OpStore.
static void read_pointers(struct gv_relaxed *r, const uint32_t *w, uint32_t length)
{
    const uint32_t op = gv_spirv_op(w);
    const uint32_t first = op == SpvOpFunctionCall ? 4
                           : op == SpvOpExtInst    ? 5
                                                   : length;
    for (uint32_t i = first; i < length; i++)
        if (w[i] < r->bound && r->ids[w[i]].local)
            r->ids[variable_of(r, w[i])].stored = FOREIGN;
}

static void read_pointer_result(struct gv_relaxed *r, const uint32_t *w,
                                uint32_t length)
{
    const uint32_t op = gv_spirv_op(w);
    struct gv_relaxed_id *result = &r->ids[w[2]];
    if (op == SpvOpVariable && length > 3) {
        result->local =
            w[3] == SpvStorageClassFunction || w[3] == SpvStorageClassPrivate;
        result->stored = length > 4 || w[3] != SpvStorageClassFunction ? FOREIGN : 0;
    } else if (op == SpvOpAccessChain && length > 3 && w[3] < r->bound) {
        result->local = r->ids[w[3]].local;
        result->base = variable_of(r, w[3]);
    }
}

// ---- values ----

static bool all_direct(const struct gv_relaxed *r, const uint32_t *w, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (w[i] >= r->bound || !r->ids[w[i]].direct)
            return false;
    return first < end;
}

bool gv_relaxed_is_mixed(const struct gv_relaxed *r, uint32_t pointer)
{
    const uint32_t variable = variable_of(r, pointer);
    return variable < r->bound && r->ids[variable].local && r->ids[variable].relaxed &&
           (r->ids[variable].stored == SEVERAL || r->ids[variable].stored == FOREIGN);
}

// The component that a pointer into a vector points to, from 1 on; 0: the whole of a
// variable. SEVERAL: something else.
static uint32_t component_of(const struct gv_relaxed *r, uint32_t pointer)
{
    const uint32_t *w = r->words + r->ids[pointer].at;
    if (!r->ids[pointer].base)
        return 0;
    const uint32_t *index =
        gv_spirv_length(w) == 5 && w[4] < r->bound ? r->words + r->ids[w[4]].at : NULL;
    return index && gv_spirv_op(index) == SpvOpConstant && index[3] < 4 ? index[3] + 1
                                                                        : SEVERAL;
}

uint32_t gv_relaxed_source(const struct gv_relaxed *r, uint32_t id)
{
    // A value stands in front of what is made of it.
    while (r->ids[id].source)
        id = r->ids[id].source;
    return id;
}

bool gv_relaxed_is_used_once(const struct gv_relaxed *r, uint32_t id)
{
    const struct gv_relaxed_id *k = &r->ids[id];
    const uint32_t source = gv_relaxed_source(r, id);
    // A variable: stored to once, read once.
    return k->uses == 1 && (!k->kept_in || r->ids[k->kept_in].uses == 2) &&
           (source == id || gv_relaxed_is_used_once(r, source));
}

// The one value that a variable has where it is read. What is read before it is written
// is anything. 0: unknown.
static uint32_t value_of(const struct gv_relaxed *r, uint32_t variable, size_t at)
{
    const uint32_t value = r->ids[variable].stored;
    return value && value < r->bound && r->ids[value].at < at ? value : 0;
}

static void judge_load(const struct gv_relaxed *r, const uint32_t *w,
                       struct gv_relaxed_id *result)
{
    result->direct = !result->relaxed || w[3] >= r->bound || !r->ids[w[3]].local;
    if (result->direct)
        return;
    const uint32_t value = r->ids[variable_of(r, w[3])].stored;
    result->halved = value == SEVERAL && gv_relaxed_is_mixed(r, w[3]);
    const uint32_t component = component_of(r, w[3]);
    if (!value_of(r, variable_of(r, w[3]), result->at) || component == SEVERAL ||
        !gv_relaxed_is_real(r, value))
        return;
    result->stored = value;
    result->component = component;
    result->direct = r->ids[value].direct;
}

// A vector times a matrix that is a product: Mesa multiplies it with one after the
// other.
static void judge_matrix(const struct gv_relaxed *r, uint32_t matrix)
{
    const uint32_t id = gv_relaxed_source(r, matrix);
    const uint32_t *w = r->words + r->ids[id].at;
    if (gv_spirv_op(w) != SpvOpMatrixTimesMatrix || r->ids[id].applied ||
        !gv_relaxed_is_used_once(r, matrix))
        return;
    r->ids[id].applied = true;
    judge_matrix(r, w[3]);
    judge_matrix(r, w[4]);
}

// In the order of the code, when all stores are known.
static void judge(const struct gv_relaxed *r, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    if (!gv_spirv_has_type(op) || length < 4 || w[2] >= r->bound)
        return;
    if (op == SpvOpLoad && w[3] < r->bound && r->ids[w[3]].local && !r->ids[w[3]].base)
        r->ids[w[2]].source = value_of(r, w[3], r->ids[w[2]].at);
    if (op == SpvOpMatrixTimesVector)
        judge_matrix(r, w[3]);
    if (!gv_relaxed_is_real(r, w[2]))
        return;
    const uint32_t arithmetic = gv_relaxed_arithmetic(op);
    struct gv_relaxed_id *result = &r->ids[w[2]];
    uint32_t end;
    const uint32_t moves = gv_relaxed_moves(w, &end);
    if (arithmetic && result->relaxed)
        result->alone = is_step(w) && all_direct(r, w, arithmetic, length);
    else if (moves)
        result->direct = op != SpvOpFNegate && all_direct(r, w, moves, end);
    else if (op == SpvOpLoad)
        judge_load(r, w, result);
    else
        result->direct = !result->relaxed;
}

static void read_result(struct gv_relaxed *r, size_t at)
{
    const uint32_t *w = r->words + at, op = gv_spirv_op(w), length = gv_spirv_length(w);
    if (!gv_spirv_has_type(op) || length < 3 || w[2] >= r->bound || w[1] >= r->bound)
        return;
    struct gv_relaxed_id *result = &r->ids[w[2]];
    result->type = w[1];
    result->at = at;
    result->constant = op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp;
    read_pointer_result(r, w, length);
}

// Literals among operands count as ids.
static void count_uses(struct gv_relaxed *r, const uint32_t *w, uint32_t length)
{
    for (uint32_t i = gv_spirv_has_type(gv_spirv_op(w)) ? 3 : 1; i < length; i++)
        if (w[i] < r->bound)
            r->ids[w[i]].uses++;
    if (gv_spirv_op(w) == SpvOpStore && length > 2 && w[2] < r->bound)
        r->ids[w[2]].kept_in = w[1] < r->bound ? variable_of(r, w[1]) : 0;
}

// ---- the whole ----

static void read_instruction(struct reader *x, size_t at)
{
    struct gv_relaxed *r = x->r;
    const uint32_t *w = r->words + at, op = gv_spirv_op(w), length = gv_spirv_length(w);
    if (!r->types && gv_spirv_is_type(op))
        r->types = at;
    if (!r->functions && op == SpvOpFunction)
        r->functions = at;
    if (!x->branch && length > 1 && (op == SpvOpSelectionMerge || op == SpvOpLoopMerge))
        x->branch = w[1];
    if (op == SpvOpLabel && w[1] == x->branch)
        x->branch = 0;
    // glslang imports no other set.
    if (op == SpvOpExtInstImport && length > 1)
        r->functions_of_glsl = w[1];
    if (op == SpvOpDecorate && length > 2 && w[2] == SpvDecorationRelaxedPrecision &&
        w[1] < r->bound)
        r->any = r->ids[w[1]].relaxed = true;
    if (op == SpvOpDecorate && length > 2 && w[2] == SpvDecorationNoContraction &&
        w[1] < r->bound)
        r->ids[w[1]].precise = true;
    read_type(r, w, length);
    read_result(r, at);
    read_pointers(r, w, length);
    if (r->functions)
        count_uses(r, w, length);
    if (op == SpvOpStore)
        read_store(x, w, length);
}

bool gv_spirv_relaxed(const uint32_t *words, size_t count, struct gv_arena *arena,
                      struct gv_relaxed *out, struct gv_error *err)
{
    *out = (struct gv_relaxed){ .words = words, .count = count };
    if (count < GV_SPIRV_HEADER_WORDS)
        return true;
    out->bound = words[GV_SPIRV_BOUND_WORD];
    out->ids = gv_arena_array(arena, out->bound, sizeof *out->ids);
    if (!out->ids)
        return gv_out_of_memory(err);
    struct reader x = { .r = out };
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;) {
        const uint32_t length = gv_spirv_length(words + at);
        if (!length || length > count - at) {
            out->any = false;
            return true;
        }
        read_instruction(&x, at);
        at += length;
    }
    out->whole = out->types && out->functions && out->functions_of_glsl;
    out->any = out->any && out->whole;
    for (size_t at = out->functions; out->whole && at < count;
         at += gv_spirv_length(words + at))
        judge(out, words + at);
    return true;
}
