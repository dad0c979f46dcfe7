#include "compiler/shader/spirv/spirv_half.h"

#include <stdlib.h>
#include <string.h>

#define QUANTIZE_WORDS 4u
#define MOST_GROWTH 30u // words of a product with a matrix for each of its five

// What is known of an id.
struct id {
    uint32_t part, parts;  // a type: of a vector or matrix
    uint32_t type;         // of a result
    bool fine;             // a result: of what tells where to sample
    bool relaxed;          // decorated so
    bool real;             // a type: 32-bit float or a vector of such
    bool constant, halved; // a result: a constant; what a half can hold
    bool local;            // a pointer: to what a function or its module keep
};

struct half {
    struct id *ids;
    uint32_t given; // ids of the module as it came
    uint32_t bound;
    uint32_t *out;
    size_t size;
};

// ---- instructions ----

// Where the operands of arithmetic begin, in words; 0: it is none.
static uint32_t arithmetic(SpvOp op)
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

static bool compares(SpvOp op)
{
    return op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual;
}

// Results that hold what their operands held.
static uint32_t moves(SpvOp op, uint32_t count, uint32_t *end)
{
    *end = count;
    switch (op) {
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

static bool samples(SpvOp op)
{
    return (op >= SpvOpImageSampleImplicitLod && op <= SpvOpImageDrefGather) ||
           op == SpvOpConvertSToF || op == SpvOpConvertUToF;
}

// Where to sample is told as finely as may be.
static uint32_t coordinates(SpvOp op)
{
    return op >= SpvOpImageSampleImplicitLod && op <= SpvOpImageDrefGather ? 4 : 0;
}

// ---- writing ----

static void say(struct half *h, const uint32_t *words, uint32_t count)
{
    memcpy(h->out + h->size, words, count * sizeof *words);
    h->size += count;
}

static void quantize(struct half *h, uint32_t type, uint32_t to, uint32_t from)
{
    const uint32_t words[QUANTIZE_WORDS] = { QUANTIZE_WORDS << 16 | SpvOpQuantizeToF16,
                                             type, to, from };
    say(h, words, QUANTIZE_WORDS);
}

static bool is_real(const struct half *h, uint32_t id)
{
    return id < h->given && h->ids[id].type && h->ids[h->ids[id].type].real;
}

// Operands from word `first` on are what halves can hold.
static void halve_operands(struct half *h, uint32_t *words, uint32_t first,
                           uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (!is_real(h, words[i]) || h->ids[words[i]].halved)
            continue;
        uint32_t to = h->bound++;
        quantize(h, h->ids[words[i]].type, to, words[i]);
        words[i] = to;
    }
}

static void halve_result(struct half *h, uint32_t *words, uint32_t count)
{
    uint32_t result = words[2];
    words[2] = h->bound++;
    say(h, words, count);
    quantize(h, words[1], result, words[2]);
    h->ids[result].halved = true;
}

static uint32_t operate(struct half *h, SpvOp op, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t words[5] = { 5u << 16 | op, type, h->bound, a, b };
    say(h, words, 5);
    return h->bound++;
}

static uint32_t quantized(struct half *h, uint32_t type, uint32_t from)
{
    quantize(h, type, h->bound, from);
    return h->bound++;
}

// Columns times components, added from the first on.
static void transform(struct half *h, const uint32_t *words)
{
    const uint32_t type = words[1], component = h->ids[type].part;
    const uint32_t matrix = words[3], vector = words[4];
    const uint32_t columns = h->ids[h->ids[matrix].type].parts;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t column = operate(h, SpvOpCompositeExtract, type, matrix, i);
        uint32_t scale = operate(h, SpvOpCompositeExtract, component, vector, i);
        column = quantized(h, type, column);
        scale = quantized(h, component, scale);
        uint32_t term = operate(h, SpvOpVectorTimesScalar, type, column, scale);
        term = quantized(h, type, term);
        if (!i) {
            sum = term;
            continue;
        }
        sum = operate(h, SpvOpFAdd, type, sum, term);
        if (i + 1 < columns)
            sum = quantized(h, type, sum);
    }
    quantize(h, type, words[2], sum);
    h->ids[words[2]].halved = true;
}

// Whether what is compared is all relaxed, constants aside.
static bool relaxed_operands(const struct half *h, const uint32_t *words)
{
    bool any = false;
    for (uint32_t i = 3; i < 5; i++) {
        if (words[i] >= h->given ||
            !(h->ids[words[i]].relaxed || h->ids[words[i]].constant))
            return false;
        any |= h->ids[words[i]].relaxed;
    }
    return any;
}

static bool all_halved(const struct half *h, const uint32_t *words, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (words[i] >= h->given || !h->ids[words[i]].halved)
            return false;
    return first && first < end;
}

static void write_instruction(struct half *h, uint32_t *words, uint32_t count)
{
    SpvOp op = (SpvOp)(words[0] & 0xFFFF);
    uint32_t result = count > 2 ? words[2] : 0, end;
    if (compares(op) && count == 5 && relaxed_operands(h, words)) {
        halve_operands(h, words, 3, count);
        say(h, words, count);
        return;
    }
    bool relaxed = result && is_real(h, result) && h->ids[result].relaxed &&
                   (!h->ids[result].fine || op == SpvOpLoad);
    if (relaxed && op == SpvOpMatrixTimesVector && count == 5 && words[3] < h->given) {
        transform(h, words);
        return;
    }
    uint32_t first = relaxed ? arithmetic(op) : 0;
    if (first) {
        halve_operands(h, words, first, count);
        halve_result(h, words, count);
        return;
    }
    if (relaxed && (samples(op) || (op == SpvOpLoad && words[3] < h->given &&
                                    h->ids[words[3]].local))) {
        halve_result(h, words, count);
        return;
    }
    say(h, words, count);
    first = moves(op, count, &end);
    if (first && result && is_real(h, result))
        h->ids[result].halved = all_halved(h, words, first, end);
}

// ---- reading ----

static void read_type(struct half *h, const uint32_t *w, uint32_t count)
{
    SpvOp op = (SpvOp)(w[0] & 0xFFFF);
    if (op == SpvOpTypeFloat && count > 2 && w[1] < h->given)
        h->ids[w[1]].real = w[2] == 32;
    else if (op == SpvOpTypeVector && count > 3 && w[1] < h->given && w[2] < h->given)
        h->ids[w[1]].real = h->ids[w[2]].real;
    if ((op == SpvOpTypeVector || op == SpvOpTypeMatrix) && count > 3 &&
        w[1] < h->given) {
        h->ids[w[1]].part = w[2];
        h->ids[w[1]].parts = w[3];
    }
}

static void read_instruction(struct half *h, const uint32_t *w, uint32_t count)
{
    SpvOp op = (SpvOp)(w[0] & 0xFFFF);
    read_type(h, w, count);
    if (op == SpvOpDecorate && count > 2 && w[2] == SpvDecorationRelaxedPrecision &&
        w[1] < h->given)
        h->ids[w[1]].relaxed = true;
    if (!gv_spirv_has_type(op) || count < 3 || w[2] >= h->given || w[1] >= h->given)
        return;
    struct id *r = &h->ids[w[2]];
    r->type = w[1];
    r->constant = op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp;
    if (op == SpvOpVariable && count > 3)
        r->local = w[3] == SpvStorageClassFunction || w[3] == SpvStorageClassPrivate;
    else if (op == SpvOpAccessChain && count > 3 && w[3] < h->given)
        r->local = h->ids[w[3]].local;
}

// From the last instruction to the first: what coordinates are made of.
static bool follow_coordinates(struct half *h, const uint32_t *words, size_t count)
{
    size_t *at = malloc(count * sizeof *at), n = 0;
    if (!at)
        return false;
    for (size_t i = GV_SPIRV_HEADER_WORDS; i < count; i += words[i] >> 16)
        at[n++] = i;
    while (n--) {
        const uint32_t *w = words + at[n];
        const SpvOp op = (SpvOp)(w[0] & 0xFFFF);
        uint32_t length = w[0] >> 16, first = coordinates(op), end = 5;
        if (!first && length > 2 && gv_spirv_has_type(op) && w[2] < h->given &&
            h->ids[w[2]].fine) {
            first = op == SpvOpMatrixTimesVector ? 3 : arithmetic(op);
            end = length;
            if (!first)
                first = moves(op, length, &end);
        }
        for (uint32_t i = first; first && i < end && i < length; i++)
            if (w[i] < h->given)
                h->ids[w[i]].fine = true;
    }
    free(at);
    return true;
}

static bool any_relaxed(const struct half *h)
{
    for (uint32_t i = 0; i < h->given; i++)
        if (h->ids[i].relaxed)
            return true;
    return false;
}

// Runs over the instructions; false: they are none.
static bool each(struct half *h, uint32_t *words, size_t count, bool write)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;) {
        uint32_t length = words[at] >> 16;
        if (!length || length > count - at)
            return false;
        if (write)
            write_instruction(h, words + at, length);
        else
            read_instruction(h, words + at, length);
        at += length;
    }
    return true;
}

bool gv_spirv_quantize(const uint32_t *words, size_t count, struct gv_arena *arena,
                       const uint32_t **out, size_t *out_count, struct gv_error *err)
{
    *out = words;
    *out_count = count;
    if (count < GV_SPIRV_HEADER_WORDS)
        return true;
    struct half h = { .given = words[GV_SPIRV_BOUND_WORD],
                      .bound = words[GV_SPIRV_BOUND_WORD] };
    h.ids = gv_arena_array(arena, h.given, sizeof *h.ids);
    uint32_t *copy = gv_arena_copy(arena, words, count * sizeof *words);
    if (!h.ids || !copy)
        return gv_out_of_memory(err);
    if (!each(&h, copy, count, false) || !any_relaxed(&h))
        return true;
    if (!follow_coordinates(&h, copy, count))
        return gv_out_of_memory(err);
    h.out = gv_arena_alloc(arena, MOST_GROWTH * count * sizeof *h.out);
    if (!h.out)
        return gv_out_of_memory(err);
    say(&h, words, GV_SPIRV_HEADER_WORDS);
    each(&h, copy, count, true);
    h.out[GV_SPIRV_BOUND_WORD] = h.bound;
    *out = h.out;
    *out_count = h.size;
    return true;
}
