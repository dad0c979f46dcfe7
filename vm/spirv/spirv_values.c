#include "vm/spirv/spirv_values.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdlib.h>
#include <string.h>

#define ANYTHING UINT32_MAX

const struct gv_spirv_value *gv_spirv_value_of(const struct gv_spirv_values *v,
                                               uint32_t id)
{
    static const struct gv_spirv_value none = { .max = ANYTHING, .content = ANYTHING };
    return id < v->ids->bound ? &v->values[id] : &none;
}

const uint32_t *gv_spirv_maker(const struct gv_spirv_values *v, uint32_t id)
{
    static const uint32_t nothing[8] = { 1u << 16 | SpvOpNop };
    uint32_t at = gv_spirv_value_of(v, id)->at;
    return at ? v->ids->words + at : nothing;
}

static uint32_t max_of(const struct gv_spirv_values *v, uint32_t id)
{
    return gv_spirv_value_of(v, id)->max;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// A bound that arithmetic without wrapping gives; one that may wrap is none.
static uint32_t fitting(uint64_t bound)
{
    return bound < ANYTHING ? (uint32_t)bound : ANYTHING;
}

// ---- constants ----

// The value of an OpConstant of 32 bits, which nothing can change.
static bool literal(const struct gv_spirv_values *v, uint32_t id, uint32_t *value)
{
    const uint32_t *w = gv_spirv_maker(v, id);
    return gv_spirv_op(w) == SpvOpConstant && gv_spirv_constant(v->ids, id, value);
}

// Whether the type is an integer of 32 bits, or a vector of them.
static bool is_words(const struct gv_spirv_values *v, uint32_t type_id)
{
    const uint32_t *type = gv_spirv_def(v->ids, type_id);
    if (gv_spirv_op(type) == SpvOpTypeVector)
        type = gv_spirv_def(v->ids, type[2]);
    return gv_spirv_op(type) == SpvOpTypeInt && type[2] == 32;
}

static uint32_t largest(const struct gv_spirv_values *v, const uint32_t *ids, size_t n)
{
    uint32_t max = 0;
    for (size_t i = 0; i < n; i++)
        max = larger(max, max_of(v, ids[i]));
    return max;
}

// ---- built-ins ----

static uint32_t built_in_max(const struct gv_spirv_values *v, uint32_t builtin,
                             const uint32_t *component)
{
    const struct gv_spirv_module *m = v->module;
    const uint32_t *size = m->workgroup;
    switch (builtin) {
    case SpvBuiltInLocalInvocationIndex:
        return v->fixed_workgroup ? size[0] * size[1] * size[2] - 1 : ANYTHING;
    case SpvBuiltInLocalInvocationId:
        if (!v->fixed_workgroup)
            return ANYTHING;
        if (component)
            return *component < 3 ? size[*component] - 1 : ANYTHING;
        return larger(size[0], larger(size[1], size[2])) - 1;
    case SpvBuiltInInvocationId:
        return m->stage == GV_STAGE_TESSELLATION_CONTROL && m->output_vertices
                   ? m->output_vertices - 1
                   : ANYTHING;
    default:
        return ANYTHING;
    }
}

static uint32_t variable_built_in(const struct gv_spirv_values *v, uint32_t id)
{
    const uint32_t *w = gv_spirv_maker(v, id);
    bool input = gv_spirv_op(w) == SpvOpVariable && w[3] == SpvStorageClassInput;
    return input ? gv_spirv_marks_of(v->ids, id)->builtin : GV_SPIRV_UNSET;
}

static uint32_t load_max(const struct gv_spirv_values *v, uint32_t pointer)
{
    const uint32_t *w = gv_spirv_maker(v, pointer);
    uint32_t component;
    if (gv_spirv_op(w) == SpvOpVariable && w[3] == SpvStorageClassFunction)
        return gv_spirv_value_of(v, pointer)->content;
    if (gv_spirv_op(w) == SpvOpVariable)
        return built_in_max(v, variable_built_in(v, pointer), NULL);
    if ((gv_spirv_op(w) == SpvOpAccessChain ||
         gv_spirv_op(w) == SpvOpInBoundsAccessChain) &&
        gv_spirv_length(w) == 5 && literal(v, w[4], &component))
        return built_in_max(v, variable_built_in(v, w[3]), &component);
    return ANYTHING;
}

static uint32_t extract_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    const uint32_t *composite = gv_spirv_maker(v, w[3]);
    if (gv_spirv_length(w) == 5 && gv_spirv_op(composite) == SpvOpLoad)
        return smaller(max_of(v, w[3]),
                       built_in_max(v, variable_built_in(v, composite[3]), &w[4]));
    return gv_spirv_length(w) == 5 ? max_of(v, w[3]) : ANYTHING;
}

// ---- operations ----

static uint32_t all_ones(uint32_t max)
{
    uint32_t ones = max;
    for (uint32_t shift = 1; shift < 32; shift *= 2)
        ones |= ones >> shift;
    return ones;
}

static uint32_t shift_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t by, max = max_of(v, w[3]);
    if (!literal(v, w[4], &by) || by > 31)
        return ANYTHING;
    if (gv_spirv_op(w) == SpvOpShiftRightLogical)
        return max >> by; // of anything, what the shift leaves
    return fitting((uint64_t)max << by);
}

static uint32_t divide_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t by;
    if (!literal(v, w[4], &by) || by == 0)
        return ANYTHING;
    uint32_t max = max_of(v, w[3]);
    return gv_spirv_op(w) == SpvOpUDiv ? max / by : smaller(max, by - 1);
}

// A clamp's upper bound, where it is known not to be below the lower one: the result of
// bounds that cross is undefined.
static uint32_t clamp_max(const struct gv_spirv_values *v, const uint32_t *w,
                          uint32_t most)
{
    uint32_t low, high;
    if (literal(v, w[6], &low) && literal(v, w[7], &high))
        return low <= high && high <= most ? high : ANYTHING;
    return max_of(v, w[6]) == 0 && max_of(v, w[7]) <= most ? max_of(v, w[7]) : ANYTHING;
}

// UMin and clamps between literals: enough for what compilers and people write.
static uint32_t extended_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    if (w[3] != v->glsl)
        return ANYTHING;
    switch (w[4]) {
    case GLSLstd450UMin:
        return smaller(max_of(v, w[5]), max_of(v, w[6]));
    case GLSLstd450UMax:
        return larger(max_of(v, w[5]), max_of(v, w[6]));
    case GLSLstd450UClamp:
        return clamp_max(v, w, ANYTHING);
    case GLSLstd450SClamp:
        return clamp_max(v, w, INT32_MAX);
    default:
        return ANYTHING;
    }
}

static uint32_t convert_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    const uint32_t *from = gv_spirv_def(v->ids, gv_spirv_value_of(v, w[3])->type);
    if (gv_spirv_op(from) == SpvOpTypeVector)
        from = gv_spirv_def(v->ids, from[2]);
    bool narrow = gv_spirv_op(from) == SpvOpTypeInt && from[2] < 32;
    return narrow ? (1u << from[2]) - 1 : ANYTHING;
}

// A field that reaches past the word is undefined.
static uint32_t field_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t from, count;
    if (!literal(v, w[4], &from) || !literal(v, w[5], &count) || count > 31 ||
        from > 32 - count)
        return ANYTHING;
    return (1u << count) - 1;
}

static uint32_t operation_max(const struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t length = gv_spirv_length(w), value;
    switch (gv_spirv_op(w)) {
    case SpvOpConstant:
        return literal(v, w[2], &value) ? value : ANYTHING;
    case SpvOpConstantNull:
    case SpvOpUndef: // becomes one (spirv_robust.c)
        return 0;
    case SpvOpConstantComposite:
    case SpvOpCompositeConstruct:
        return largest(v, w + 3, length - 3);
    case SpvOpCopyObject:
        return max_of(v, w[3]);
    case SpvOpBitcast: // from as many words
        return is_words(v, gv_spirv_value_of(v, w[3])->type) ? max_of(v, w[3])
                                                             : ANYTHING;
    case SpvOpVectorShuffle: // undefined components become the first one
        return larger(max_of(v, w[3]), max_of(v, w[4]));
    case SpvOpVectorExtractDynamic:
        return max_of(v, w[3]);
    case SpvOpCompositeExtract:
        return extract_max(v, w);
    case SpvOpSelect:
        return larger(max_of(v, w[4]), max_of(v, w[5]));
    case SpvOpBitwiseAnd:
        return smaller(max_of(v, w[3]), max_of(v, w[4]));
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
        return all_ones(larger(max_of(v, w[3]), max_of(v, w[4])));
    case SpvOpUMod:
    case SpvOpUDiv:
        return divide_max(v, w);
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
        return shift_max(v, w);
    case SpvOpIAdd:
        return fitting((uint64_t)max_of(v, w[3]) + max_of(v, w[4]));
    case SpvOpIMul:
        return fitting((uint64_t)max_of(v, w[3]) * max_of(v, w[4]));
    case SpvOpUConvert:
        return convert_max(v, w);
    case SpvOpBitFieldUExtract:
        return field_max(v, w);
    case SpvOpBitCount:
        return 32;
    case SpvOpLoad:
        return load_max(v, w[3]);
    case SpvOpExtInst:
        return extended_max(v, w);
    default:
        return ANYTHING;
    }
}

// ---- passes ----

// Any use of a variable but a plain load or store: what it holds stays unknown. A word
// that only looks like its id costs us knowledge, no more.
static void note_escapes(struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w), skipped = 0;
    if (op == SpvOpVariable)
        skipped = 2;
    else if (op == SpvOpLoad)
        skipped = 3;
    else if (op == SpvOpStore)
        skipped = 1;
    for (uint32_t i = 1; i < gv_spirv_length(w); i++)
        if (i != skipped && w[i] < v->ids->bound)
            v->values[w[i]].escapes = true;
}

static void note_loaded(struct gv_spirv_values *v, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w), pointer = 0;
    if (op == SpvOpLoad)
        pointer = w[3];
    else if (op == SpvOpCopyMemory)
        pointer = w[2];
    uint32_t root = gv_spirv_value_of(v, pointer)->root;
    if (pointer && root)
        v->values[root].loaded = true;
}

static void define(struct gv_spirv_values *v, size_t at)
{
    const uint32_t *w = v->ids->words + at;
    uint32_t op = gv_spirv_op(w);
    if (!gv_spirv_has_type(op) || w[2] >= v->ids->bound)
        return;
    struct gv_spirv_value *value = &v->values[w[2]];
    value->at = (uint32_t)at;
    value->type = w[1];
    value->max = ANYTHING;
    value->content = ANYTHING;
    if (op == SpvOpVariable)
        value->root = w[2];
    else if (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ||
             op == SpvOpCopyObject)
        value->root = gv_spirv_value_of(v, w[3])->root;
}

static void store(struct gv_spirv_values *v, uint32_t pointer, uint32_t max)
{
    if (pointer < v->ids->bound)
        v->values[pointer].stored = larger(v->values[pointer].stored, max);
}

// One pass over the functions: what each value can be, from what variables held after
// the last pass.
static void bound_values(struct gv_spirv_values *v)
{
    const struct gv_spirv_ids *ids = v->ids;
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (gv_spirv_op(w) == SpvOpStore)
            store(v, w[1], max_of(v, w[2]));
        if (!gv_spirv_has_type(gv_spirv_op(w)) || w[2] >= ids->bound)
            continue;
        if (gv_spirv_op(w) == SpvOpVariable && gv_spirv_length(w) > 4)
            store(v, w[2], max_of(v, w[4]));
        if (is_words(v, w[1]))
            v->values[w[2]].max = operation_max(v, w);
    }
    for (uint32_t i = 0; i < ids->bound; i++) {
        struct gv_spirv_value *value = &v->values[i];
        value->content = value->escapes ? ANYTHING : value->stored;
        value->stored = 0;
    }
}

// Names and decorations name variables and change nothing in them.
static bool is_about(uint32_t op)
{
    return op == SpvOpName || op == SpvOpDecorate || op == SpvOpEntryPoint;
}

// BuiltIn WorkgroupSize overrides the execution mode.
static bool is_fixed_composite(const struct gv_spirv_values *v, uint32_t id)
{
    const uint32_t *w = gv_spirv_maker(v, id);
    uint32_t size;
    return gv_spirv_op(w) == SpvOpConstantComposite && gv_spirv_length(w) == 6 &&
           literal(v, w[3], &size) && literal(v, w[4], &size) &&
           literal(v, w[5], &size);
}

static void note_module(struct gv_spirv_values *v, const uint32_t *w)
{
    if (gv_spirv_op(w) == SpvOpExecutionMode && w[2] == SpvExecutionModeLocalSize)
        v->fixed_workgroup = true;
    if (gv_spirv_op(w) == SpvOpExtInstImport &&
        strcmp((const char *)(w + 2), "GLSL.std.450") == 0)
        v->glsl = w[1];
}

bool gv_spirv_values_init(struct gv_spirv_values *v, const struct gv_spirv_ids *ids,
                          const struct gv_spirv_module *module, struct gv_error *err)
{
    *v = (struct gv_spirv_values){ .ids = ids, .module = module };
    v->values = calloc(ids->bound ? ids->bound : 1, sizeof *v->values);
    if (!v->values)
        return gv_out_of_memory(err);
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        note_module(v, w);
        define(v, at);
        note_loaded(v, w);
        if (!is_about(gv_spirv_op(w)))
            note_escapes(v, w);
    }
    if (ids->workgroup_size_id)
        v->fixed_workgroup = is_fixed_composite(v, ids->workgroup_size_id);
    bound_values(v); // variables hold anything
    bound_values(v); // what is stored in them, once
    return true;
}

void gv_spirv_values_finish(struct gv_spirv_values *v)
{
    free(v->values);
    v->values = NULL;
}
