// Any bytes as SPIR-V: as the words of a module, as choices of a maker of modules, as
// such a module with damage. What passes the gate must come out valid, and where no
// damage was done, an interpreter of our own runs it for inputs of all sizes: no index
// may leave its array.
#include "runtime/spirv/spirv_check.h"
#include "tests/fuzz/spirv_maker.h"
#include "tests/runtime/spirv_fixture.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound fuzz_max_id_bound
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct gv_spirv_limits limits =
    SPIRV_LIMITS(.max_vertex_inputs = 32, .compiles_for_uniforms = true,
                 .has = spirv_has_all);

static void wrong(const char *what)
{
    fprintf(stderr, "fuzz_spirv: %s\n", what);
    abort();
}

static void check_valid(const struct gv_spirv_safe *safe)
{
    static spv_context context; // slow to make
    static spv_validator_options options;
    if (!context) {
        context = spvContextCreate(SPV_ENV_VULKAN_1_3);
        options = spvValidatorOptionsCreate();
        spvValidatorOptionsSetScalarBlockLayout(options, true);
    }
    spv_const_binary_t binary = { safe->words, safe->count };
    spv_diagnostic diagnostic = NULL;
    if (spvValidateWithOptions(context, options, &binary, &diagnostic) != SPV_SUCCESS)
        wrong(diagnostic ? diagnostic->error : "invalid");
    spvDiagnosticDestroy(diagnostic);
}

// ---- running a module of the maker ----

struct run {
    const uint32_t *words;
    const uint32_t **makers; // [bound]: the instruction of each id
    uint64_t (*values)[4];   // [bound]
    uint32_t anything;       // what memory yields
    uint32_t lane;
};

static uint32_t op_of(const uint32_t *w)
{
    return *w & 0xffff;
}

static uint64_t at(const struct run *r, uint32_t id)
{
    return r->values[id][0];
}

static unsigned width_of(const struct run *r, uint32_t type)
{
    const uint32_t *w = r->makers[type];
    return op_of(w) == SpvOpTypeInt ? w[2] : 32;
}

static int64_t sign(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

// As an index: signed, whatever the type says.
static void check_index(const struct run *r, uint32_t id, uint32_t length)
{
    int64_t index = sign(at(r, id), width_of(r, r->makers[id][1]));
    if (index < 0 || index >= length)
        wrong("an index leaves its array");
}

static void check_chain(const struct run *r, const uint32_t *w)
{
    const uint32_t *pointer = r->makers[r->makers[w[3]][1]];
    const uint32_t *type = r->makers[pointer[3]];
    for (uint32_t i = 4; i < *w >> 16; i++) {
        bool array = op_of(type) == SpvOpTypeArray;
        if (pointer[2] != SpvStorageClassStorageBuffer)
            check_index(r, w[i], array ? (uint32_t)at(r, type[3]) : type[3]);
        type = r->makers[type[2]];
    }
}

static uint32_t smallest(const uint32_t *w, const struct run *r, bool is_signed)
{
    uint32_t a = (uint32_t)at(r, w[5]), b = (uint32_t)at(r, w[6]);
    if (is_signed)
        return (int32_t)a < (int32_t)b ? a : b;
    return a < b ? a : b;
}

// Undefined results are the worst ones.
static uint32_t clamped(const uint32_t *w, const struct run *r)
{
    uint32_t x = (uint32_t)at(r, w[5]), low = (uint32_t)at(r, w[6]),
             high = (uint32_t)at(r, w[7]);
    bool is_signed = w[4] != GLSLstd450UClamp;
    uint32_t flip = is_signed ? 1u << 31 : 0; // orders signed numbers as unsigned ones
    if ((low ^ flip) > (high ^ flip))
        return UINT32_MAX;
    x = (x ^ flip) < (low ^ flip) ? low : x;
    return (x ^ flip) > (high ^ flip) ? high : x;
}

static uint32_t field(const uint32_t *w, const struct run *r)
{
    uint64_t from = at(r, w[4]), count = at(r, w[5]);
    if (from + count > 32)
        return UINT32_MAX;
    return (uint32_t)(at(r, w[3]) >> from & ((1ull << count) - 1));
}

static uint32_t extended(const uint32_t *w, const struct run *r)
{
    uint32_t a = (uint32_t)at(r, w[5]), b = (uint32_t)at(r, w[6]);
    switch (w[4]) {
    case GLSLstd450UMin:
    case GLSLstd450SMin:
        return smallest(w, r, w[4] == GLSLstd450SMin);
    case GLSLstd450UMax:
        return a > b ? a : b;
    default:
        return clamped(w, r);
    }
}

// What a processor gives; it must never be asked for what it traps on.
static uint32_t divided(uint32_t op, uint32_t a, uint32_t b)
{
    if (a == 1u << 31 && b == UINT32_MAX)
        wrong("a division that traps");
    if (b == 0)
        return UINT32_MAX;
    int64_t x = sign(a, 32), y = sign(b, 32);
    return (uint32_t)(op == SpvOpSDiv ? x / y : x % y);
}

static uint32_t arithmetic(uint32_t op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SpvOpSDiv:
    case SpvOpSRem:
    case SpvOpSMod:
        return divided(op, a, b);
    case SpvOpIEqual:
        return a == b;
    case SpvOpLogicalAnd:
        return a & b;
    case SpvOpIAdd:
        return a + b;
    case SpvOpISub:
        return a - b;
    case SpvOpIMul:
        return a * b;
    case SpvOpUDiv:
        return b ? a / b : UINT32_MAX;
    case SpvOpUMod:
        return b ? a % b : UINT32_MAX;
    case SpvOpBitwiseAnd:
        return a & b;
    case SpvOpBitwiseOr:
        return a | b;
    case SpvOpBitwiseXor:
        return a ^ b;
    case SpvOpShiftRightLogical:
        return b < 32 ? a >> b : UINT32_MAX;
    case SpvOpShiftLeftLogical:
        return b < 32 ? a << b : UINT32_MAX;
    default:
        // By hand: C leaves the shift of a negative number open.
        return b < 32 ? a >> b | (a >> 31 ? ~(UINT32_MAX >> b) : 0) : UINT32_MAX;
    }
}

static uint64_t component(const struct run *r, const uint32_t *w, uint32_t from)
{
    if (from > 7)
        return UINT32_MAX; // undefined: the worst
    return r->values[w[3 + from / 4]][from % 4];
}

static void step_vector(struct run *r, const uint32_t *w, uint64_t out[4])
{
    switch (op_of(w)) {
    case SpvOpCompositeConstruct:
        for (int i = 0; i < 4; i++)
            out[i] = at(r, w[3 + i]);
        break;
    case SpvOpVectorShuffle:
        for (int i = 0; i < 4; i++)
            out[i] = component(r, w, w[5 + i]);
        break;
    case SpvOpVectorInsertDynamic:
        check_index(r, w[5], 4);
        memcpy(out, r->values[w[3]], 4 * sizeof *out);
        out[at(r, w[5])] = at(r, w[4]);
        break;
    case SpvOpVectorExtractDynamic:
        check_index(r, w[4], 4);
        out[0] = r->values[w[3]][at(r, w[4])];
        break;
    default:
        out[0] = r->values[w[3]][w[4]];
        break;
    }
}

static uint64_t loaded(const struct run *r, uint32_t pointer)
{
    const uint32_t *w = r->makers[pointer];
    if (op_of(w) == SpvOpVariable)
        return w[3] == SpvStorageClassInput ? r->lane : at(r, pointer);
    return r->anything;
}

static void step(struct run *r, const uint32_t *w)
{
    uint64_t out[4] = { 0 };
    switch (op_of(w)) {
    case SpvOpStore:
        if (op_of(r->makers[w[1]]) == SpvOpVariable)
            r->values[w[1]][0] = at(r, w[2]);
        return;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        out[0] = w[3];
        if (*w >> 16 > 4)
            out[0] |= (uint64_t)w[4] << 32;
        break;
    case SpvOpSpecConstantOp:
        out[0] = (uint32_t)(at(r, w[4]) - at(r, w[5]));
        break;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        check_chain(r, w);
        break;
    case SpvOpLoad:
        out[0] = loaded(r, w[3]);
        break;
    case SpvOpAtomicIAdd:
        out[0] = r->anything;
        break;
    case SpvOpSelect:
        out[0] = at(r, at(r, w[3]) ? w[4] : w[5]);
        break;
    case SpvOpSConvert:
        out[0] = (uint64_t)sign(at(r, w[3]), width_of(r, r->makers[w[3]][1]));
        if (width_of(r, w[1]) < 64)
            out[0] &= (1ull << width_of(r, w[1])) - 1;
        break;
    case SpvOpExtInst:
        out[0] = extended(w, r);
        break;
    case SpvOpBitFieldUExtract:
        out[0] = field(w, r);
        break;
    case SpvOpCompositeConstruct:
    case SpvOpVectorShuffle:
    case SpvOpVectorInsertDynamic:
    case SpvOpVectorExtractDynamic:
    case SpvOpCompositeExtract:
        step_vector(r, w, out);
        break;
    case SpvOpVariable:
    case SpvOpConstantNull:
        break;
    default:
        if (op_of(w) < SpvOpIAdd || op_of(w) > SpvOpBitwiseAnd)
            return;
        out[0] = arithmetic(op_of(w), (uint32_t)at(r, w[3]), (uint32_t)at(r, w[4]));
        break;
    }
    memcpy(r->values[w[2]], out, sizeof out);
}

static void note_maker(struct run *r, const uint32_t *w, uint32_t bound)
{
    uint32_t op = op_of(w), result = 0;
    bool typed = *w >> 16 > 2 && op >= SpvOpConstantTrue && op != SpvOpStore &&
                 op != SpvOpDecorate && op != SpvOpMemberDecorate;
    if (op >= SpvOpTypeVoid && op <= SpvOpTypePipe)
        result = w[1];
    else if (typed || op == SpvOpExtInst)
        result = w[2];
    if (result && result < bound)
        r->makers[result] = w;
}

static void run(const struct gv_spirv_safe *safe, uint32_t lanes)
{
    static const uint32_t inputs[] = { 0,          1,         15,         16,
                                       31,         100000000, 0x7fffffff, 0x80000000,
                                       0xfffffe70, 0xffffffff };
    uint32_t bound = safe->words[3];
    struct run r = { .words = safe->words };
    r.makers = calloc(bound, sizeof *r.makers);
    r.values = calloc(bound, sizeof *r.values);
    if (!r.makers || !r.values)
        abort();
    for (size_t i = 5; i < safe->count; i += safe->words[i] >> 16)
        note_maker(&r, safe->words + i, bound);
    for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++) {
        r.anything = inputs[n];
        r.lane = inputs[n] % lanes;
        for (size_t i = 5; i < safe->count; i += safe->words[i] >> 16)
            step(&r, safe->words + i);
    }
    free(r.makers);
    free(r.values);
}

// ---- inputs ----

static size_t damage(const uint8_t *data, size_t size, uint32_t *words, size_t count)
{
    for (; size >= 4; data += 4, size -= 4) {
        size_t where = (size_t)(data[0] | data[1] << 8) % count;
        words[where] ^= (uint32_t)data[2] << (data[3] % 25);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t words[SPIRV_MAKER_WORDS];
    static struct gv_spirv_checker *checker;
    static unsigned uses;
    struct gv_error err = GV_ERROR_INIT;
    if (size < 2)
        return 0;
    if (uses++ % 4096 == 0) { // it remembers what it saw
        gv_spirv_checker_destroy(checker);
        checker = gv_spirv_checker_create(&limits, true, &err);
        if (!checker)
            abort();
    }
    uint32_t kind = data[0] % 4;
    size_t count, half = data[1] < size - 2 ? data[1] : size - 2;
    if (kind == 0) {
        count = (size - 2) / 4 < SPIRV_MAKER_WORDS ? (size - 2) / 4 : SPIRV_MAKER_WORDS;
        memcpy(words, data + 2, count * 4);
    } else if (kind == 1) {
        count = spirv_make(data + 2 + half, size - 2 - half, words);
        damage(data + 2, half, words, count);
    } else {
        count = spirv_make(data + 2, size - 2, words);
    }
    const struct gv_spirv_checked *checked =
        gv_spirv_check(checker, words, count * 4, &err);
    if (!checked && err.status == GV_OK)
        wrong("refused in silence");
    if (!checked)
        return 0;
    check_valid(&checked->safe);
    if (kind > 1)
        run(&checked->safe, checked->module.workgroup[0]);
    return 0;
}
