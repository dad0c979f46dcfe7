// Branches on uniforms alone, hidden from drivers that compile a shader anew for every
// value of such a uniform. lavapipe (Mesa 22.3) does, never finds again what it has
// made so, and frees it with the pipeline: draws that change a uniform take
// milliseconds and a megabyte each. What is hidden stands in the code as the shader has
// it.
#include "runtime/spirv/spirv_parts.h"

#include <stdlib.h>

// What a value comes of. A branch on what may be varying costs nothing when hidden, so
// what is not followed far (parameters, results of functions) counts as uniform.
enum source { CONSTANT, UNIFORM, VARYING };

static uint8_t source_of(const struct gv_spirv_rewriting *r, uint32_t id)
{
    return id < r->ids->bound ? r->sources[id] : VARYING;
}

static uint8_t most(const struct gv_spirv_rewriting *r, const uint32_t *w,
                    uint32_t first, uint32_t last, uint32_t step)
{
    uint8_t source = CONSTANT;
    for (uint32_t i = first; i < last && i < gv_spirv_length(w); i += step)
        if (source_of(r, w[i]) > source)
            source = source_of(r, w[i]);
    return source;
}

static uint8_t load_source(const struct gv_spirv_rewriting *r, uint32_t pointer)
{
    const uint32_t root = gv_spirv_value_of(&r->values, pointer)->root;
    const uint32_t *w = gv_spirv_maker(&r->values, root);
    if (!root || gv_spirv_op(w) != SpvOpVariable)
        return UNIFORM;
    switch (w[3]) {
    case SpvStorageClassUniform:
    case SpvStorageClassPushConstant:
        return UNIFORM;
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        return source_of(r, root);
    default:
        return VARYING;
    }
}

// Operations whose operands are values, and nothing else.
static bool is_plain(uint32_t op)
{
    return (op >= SpvOpConvertFToU && op <= SpvOpBitcast) ||
           (op >= SpvOpSNegate && op <= SpvOpSMulExtended) ||
           (op >= SpvOpAny && op <= SpvOpFUnordGreaterThanEqual) ||
           (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount) ||
           op == SpvOpCompositeConstruct || op == SpvOpCopyObject ||
           op == SpvOpTranspose || op == SpvOpVectorExtractDynamic;
}

static uint8_t source_made(const struct gv_spirv_rewriting *r, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w);
    if (is_plain(op))
        return most(r, w, 3, UINT32_MAX, 1);
    if (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp)
        return CONSTANT;
    switch (op) {
    case SpvOpVariable:
        return r->sources[w[2]]; // what was stored so far
    case SpvOpLoad:
        return load_source(r, w[3]);
    case SpvOpCompositeExtract:
        return most(r, w, 3, 4, 1);
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
        return most(r, w, 3, 5, 1);
    case SpvOpExtInst:
        return most(r, w, 5, UINT32_MAX, 1);
    case SpvOpPhi:
        return most(r, w, 3, UINT32_MAX, 2);
    case SpvOpFunctionParameter:
    case SpvOpFunctionCall:
        return UNIFORM;
    default:
        return VARYING;
    }
}

static void follow(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w);
    if (op == SpvOpStore) {
        const uint32_t root = gv_spirv_value_of(&r->values, w[1])->root;
        if (root < r->ids->bound && source_of(r, w[2]) > r->sources[root])
            r->sources[root] = source_of(r, w[2]);
    } else if (gv_spirv_has_type(op) && w[2] < r->ids->bound) {
        r->sources[w[2]] = source_made(r, w);
    }
}

// ---- what no compiler knows ----

// An input that each invocation has, whatever it is.
static uint32_t unknown_builtin(const struct gv_spirv_rewriting *r)
{
    switch (r->module->stage) {
    case GV_STAGE_VERTEX:
        return SpvBuiltInVertexIndex;
    case GV_STAGE_TESSELLATION_CONTROL:
    case GV_STAGE_GEOMETRY:
        return SpvBuiltInInvocationId;
    case GV_STAGE_TESSELLATION_EVALUATION:
        return SpvBuiltInPrimitiveId;
    case GV_STAGE_FRAGMENT:
        return SpvBuiltInFragCoord;
    case GV_STAGE_COMPUTE:
        return SpvBuiltInLocalInvocationIndex;
    default:
        return GV_SPIRV_UNSET;
    }
}

static bool is_listed(const struct gv_spirv_rewriting *r, uint32_t variable)
{
    const struct gv_spirv_ids *ids = r->ids;
    for (size_t at = 5; at < ids->functions; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (gv_spirv_op(w) == SpvOpEntryPoint)
            for (uint32_t i = gv_spirv_interface_at(w); i < gv_spirv_length(w); i++)
                if (w[i] == variable)
                    return true;
    }
    return false;
}

static uint32_t find_float4(const struct gv_spirv_ids *ids)
{
    for (uint32_t i = 1; i < ids->bound; i++) {
        const uint32_t *w = gv_spirv_def(ids, i);
        if (gv_spirv_op(w) != SpvOpTypeVector || w[3] != 4)
            continue;
        const uint32_t *part = gv_spirv_def(ids, w[2]);
        if (gv_spirv_op(part) == SpvOpTypeFloat && part[2] == 32)
            return i;
    }
    return 0;
}

// The module's own variable, or one that is to be made.
static void find_unknown(struct gv_spirv_rewriting *r, uint32_t builtin)
{
    const struct gv_spirv_ids *ids = r->ids;
    bool taken = false;
    for (size_t at = 5; at < ids->functions; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassInput ||
            gv_spirv_marks_of(ids, w[2])->builtin != builtin)
            continue;
        taken = true;
        if (is_listed(r, w[2])) {
            r->unknown = w[2];
            r->unknown_type = gv_spirv_def(ids, w[1])[3];
        }
    }
    if (!taken && (builtin != SpvBuiltInFragCoord || find_float4(ids)))
        r->unknown = r->unknown_made = r->edit.next_id++;
}

bool gv_spirv_find_hidden(struct gv_spirv_rewriting *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    const uint32_t builtin = unknown_builtin(r);
    bool branches = false;
    if (!r->limits->compiles_for_uniforms || builtin == GV_SPIRV_UNSET)
        return true;
    r->sources = calloc(ids->bound ? ids->bound : 1, 1);
    if (!r->sources)
        return gv_out_of_memory(r->err);
    // Twice: loops read what comes to be stored behind.
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
            const uint32_t *w = ids->words + at;
            follow(r, w);
            branches |= (gv_spirv_op(w) == SpvOpBranchConditional ||
                         gv_spirv_op(w) == SpvOpSwitch) &&
                        source_of(r, w[1]) == UNIFORM;
        }
    if (branches)
        find_unknown(r, builtin);
    return true;
}

void gv_spirv_decorate_unknown(struct gv_spirv_rewriting *r)
{
    if (r->unknown_made)
        GV_SPIRV_PUT(&r->edit.head, SpvOpDecorate, r->unknown_made,
                     SpvDecorationBuiltIn, unknown_builtin(r));
}

void gv_spirv_define_unknown(struct gv_spirv_rewriting *r)
{
    struct gv_spirv_edit *e = &r->edit;
    if (!r->unknown_made)
        return;
    r->unknown_type = unknown_builtin(r) == SpvBuiltInFragCoord ? find_float4(r->ids)
                                                                : gv_spirv_edit_uint(e);
    const uint32_t pointer =
        gv_spirv_edit_pointer(e, SpvStorageClassInput, r->unknown_type);
    GV_SPIRV_PUT(&e->head, SpvOpVariable, pointer, r->unknown_made,
                 SpvStorageClassInput);
}

// ---- branches ----

static uint32_t step(struct gv_spirv_rewriting *r, uint32_t op, uint32_t type,
                     uint32_t a, uint32_t b)
{
    const uint32_t id = r->edit.next_id++;
    gv_spirv_put_op(&r->edit.body, op, (uint32_t[]){ type, id, a, b },
                    b == GV_SPIRV_UNSET ? 3 : 4);
    return id;
}

// A number or'ed with 1 is not 0: the last compiler to see it may know that again.
static uint32_t truth(struct gv_spirv_rewriting *r)
{
    struct gv_spirv_edit *e = &r->edit;
    const uint32_t uint = gv_spirv_edit_uint(e);
    const uint32_t *type = gv_spirv_def(r->ids, r->unknown_type);
    uint32_t part = r->unknown_type;
    uint32_t x = step(r, SpvOpLoad, r->unknown_type, r->unknown, GV_SPIRV_UNSET);
    if (gv_spirv_op(type) == SpvOpTypeVector) {
        part = type[2];
        x = step(r, SpvOpCompositeExtract, part, x, 0);
    }
    if (part != uint)
        x = step(r, SpvOpBitcast, uint, x, GV_SPIRV_UNSET);
    x = step(r, SpvOpBitwiseOr, uint, x, gv_spirv_edit_constant(e, uint, 1));
    return step(r, SpvOpINotEqual, gv_spirv_edit_bool(e, 1), x,
                gv_spirv_edit_constant(e, uint, 0));
}

// What a branch is to ask in place of its own condition or selector, 0 = that.
static uint32_t hide(struct gv_spirv_rewriting *r, const uint32_t *branch)
{
    struct gv_spirv_edit *e = &r->edit;
    const uint32_t op = gv_spirv_op(branch);
    if ((op != SpvOpBranchConditional && op != SpvOpSwitch) ||
        source_of(r, branch[1]) != UNIFORM)
        return 0;
    if (op == SpvOpBranchConditional)
        return step(r, SpvOpLogicalAnd, gv_spirv_edit_bool(e, 1), branch[1], truth(r));
    const uint32_t type = gv_spirv_value_of(&r->values, branch[1])->type;
    const uint32_t given = truth(r), id = e->next_id++;
    GV_SPIRV_PUT(&e->body, SpvOpSelect, type, id, given, branch[1],
                 gv_spirv_edit_null(e, type));
    return id;
}

// A loop goes on without a wish to be unrolled, which drivers follow whatever comes of
// it: a million times a body, and loops in it as often again.
static void put_merge(struct gv_spirv_edit *e, const uint32_t *w)
{
    if (gv_spirv_op(w) == SpvOpLoopMerge)
        GV_SPIRV_PUT(&e->body, SpvOpLoopMerge, w[1], w[2],
                     w[3] & SpvLoopControlDontUnrollMask);
    else
        gv_spirv_put(&e->body, w, gv_spirv_length(w));
}

void gv_spirv_hide_branch(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    struct gv_spirv_edit *e = &r->edit;
    const uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    const bool merges = op == SpvOpSelectionMerge || op == SpvOpLoopMerge;
    // A branch stands right behind its merge: what it asks is made before both.
    if (r->unknown && !r->hidden)
        r->hidden = hide(r, merges ? w + length : w);
    if (merges) {
        put_merge(e, w);
        return;
    }
    if (!r->hidden) {
        gv_spirv_put(&e->body, w, length);
        return;
    }
    gv_spirv_put(&e->body, w, 1);
    gv_spirv_put(&e->body, &r->hidden, 1);
    gv_spirv_put(&e->body, w + 2, length - 2);
    r->hidden = 0;
}
