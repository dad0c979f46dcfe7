#include "runtime/spirv/spirv_guard.h"

#include <spirv/unified1/GLSL.std.450.h>

// OpAtomicStore alone has no result: pointer, scope, semantics, value.
uint32_t gv_spirv_atomic_pointer(const uint32_t *w)
{
    return gv_spirv_op(w) == SpvOpAtomicStore ? 1 : 3;
}

// The words that name values; the others are scopes and semantics.
static uint32_t values_begin(const uint32_t *w)
{
    bool compares = gv_spirv_op(w) == SpvOpAtomicCompareExchange;
    return gv_spirv_atomic_pointer(w) + (compares ? 4 : 3);
}

// ---- parameters ----

uint32_t gv_spirv_guard_parameter(struct gv_spirv_guard *g, uint32_t type,
                                  uint32_t given)
{
    uint32_t id = g->r->edit.next_id++;
    if (g->count < GV_SPIRV_GUARD_PARAMETERS) {
        g->types[g->count] = type;
        g->ids[g->count] = id;
        g->given[g->count++] = given;
    }
    return id;
}

// What is defined outside of functions is known in ours too.
uint32_t gv_spirv_guard_inside(struct gv_spirv_guard *g, uint32_t id)
{
    struct gv_spirv_rewriting *r = g->r;
    uint32_t at = gv_spirv_value_of(&r->values, id)->at;
    if (at && (at < r->ids->functions ||
               gv_spirv_op(gv_spirv_maker(&r->values, id)) == SpvOpUndef))
        return id;
    return gv_spirv_guard_parameter(g, gv_spirv_value_of(&r->values, id)->type, id);
}

// An index as an unsigned word: what is negative is large.
uint32_t gv_spirv_guard_index(struct gv_spirv_guard *g, uint32_t index)
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t type = gv_spirv_value_of(&g->r->values, index)->type;
    uint32_t uint = gv_spirv_edit_uint(e), word = gv_spirv_word(g->r, index, &type);
    if (type != uint) {
        uint32_t id = e->next_id++;
        GV_SPIRV_PUT(&e->body, SpvOpBitcast, uint, id, word);
        word = id;
    }
    return gv_spirv_guard_parameter(g, uint, word);
}

// Which of an array of descriptors: clamped where the call is.
uint32_t gv_spirv_guard_which(struct gv_spirv_guard *g, const uint32_t *array,
                              uint32_t index)
{
    struct gv_spirv_bound bound = { 0 };
    if (!gv_spirv_array_bound(g->r, array, &bound))
        return 0;
    uint32_t clamped = gv_spirv_clamp(g->r, index, &bound);
    if (clamped == index)
        return gv_spirv_guard_inside(g, index);
    uint32_t type = gv_spirv_value_of(&g->r->values, index)->type;
    if (gv_spirv_def(g->r->ids, type)[2] != 32)
        type = gv_spirv_edit_uint(&g->r->edit);
    return gv_spirv_guard_parameter(g, type, clamped);
}

// ---- code ----

uint32_t gv_spirv_guard_put(struct gv_spirv_guard *g, uint32_t op, uint32_t type,
                            uint32_t a, uint32_t b)
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t id = e->next_id++;
    const uint32_t w[] = { type, id, a, b };
    gv_spirv_put_op(&e->helpers, op, w, b ? 4 : 3);
    return id;
}

uint32_t gv_spirv_guard_min(struct gv_spirv_guard *g, uint32_t a, uint32_t most)
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t id = e->next_id++, uint = gv_spirv_edit_uint(e);
    GV_SPIRV_PUT(&e->helpers, SpvOpExtInst, uint, id, g->r->glsl, GLSLstd450UMin, a,
                 gv_spirv_edit_constant(e, uint, most));
    return id;
}

uint32_t gv_spirv_guard_chain(struct gv_spirv_guard *g, uint32_t type, uint32_t root,
                              const uint32_t *indices, uint32_t count)
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t id = e->next_id++;
    if (!count)
        return root;
    const uint32_t start[] = { (4 + count) << 16 | SpvOpAccessChain, type, id, root };
    gv_spirv_put(&e->helpers, start, 4);
    gv_spirv_put(&e->helpers, indices, count);
    return id;
}

// Parameters are complete: the function begins, and the call stands in the body.
static void begin(struct gv_spirv_guard *g)
{
    struct gv_spirv_edit *e = &g->r->edit;
    const uint32_t *w = g->atomic;
    bool stores = gv_spirv_op(w) == SpvOpAtomicStore;
    uint32_t type = stores ? gv_spirv_maker(&g->r->values, g->r->entry)[1] : w[1];
    uint32_t result = stores ? e->next_id++ : w[2], function = e->next_id++;
    uint32_t shape = gv_spirv_edit_function(e, type, g->types, g->count);
    const uint32_t call[] = { (4 + g->count) << 16 | SpvOpFunctionCall, type, result,
                              function };
    gv_spirv_put(&e->body, call, 4);
    gv_spirv_put(&e->body, g->given, g->count);
    GV_SPIRV_PUT(&e->helpers, SpvOpFunction, type, function, SpvFunctionControlMaskNone,
                 shape);
    for (uint32_t i = 0; i < g->count; i++)
        GV_SPIRV_PUT(&e->helpers, SpvOpFunctionParameter, g->types[i], g->ids[i]);
}

// The atomic itself, at `pointer`, which `write` makes. `values` are those of ours.
static void perform(struct gv_spirv_guard *g, uint32_t result, uint32_t pointer,
                    const uint32_t *values)
{
    struct gv_spirv_edit *e = &g->r->edit;
    const uint32_t *w = g->atomic;
    uint32_t at = gv_spirv_atomic_pointer(w), first = values_begin(w),
             n = gv_spirv_length(w);
    gv_spirv_put(&e->helpers, w, at);
    if (at == 3)
        gv_spirv_put_over(&e->helpers, 1, result);
    gv_spirv_put(&e->helpers, &pointer, 1);
    gv_spirv_put(&e->helpers, w + at + 1, first - at - 1);
    gv_spirv_put(&e->helpers, values, n - first);
}

void gv_spirv_guard_if(struct gv_spirv_guard *g, const struct gv_spirv_branch *b,
                       uint32_t condition)
{
    struct gv_spirv_edit *e = &g->r->edit;
    GV_SPIRV_PUT(&e->helpers, SpvOpSelectionMerge, b->end, SpvSelectionControlMaskNone);
    GV_SPIRV_PUT(&e->helpers, SpvOpBranchConditional, condition, b->then, b->end);
    GV_SPIRV_PUT(&e->helpers, SpvOpLabel, b->then);
}

void gv_spirv_guard_finish(struct gv_spirv_guard *g, const struct gv_spirv_branch *b,
                           uint32_t pointer, const uint32_t values[2])
{
    struct gv_spirv_edit *e = &g->r->edit;
    uint32_t result = e->next_id++;
    perform(g, result, pointer, values);
    GV_SPIRV_PUT(&e->helpers, SpvOpBranch, b->end);
    GV_SPIRV_PUT(&e->helpers, SpvOpLabel, b->end);
    if (gv_spirv_op(g->atomic) == SpvOpAtomicStore) {
        gv_spirv_put_op(&e->helpers, SpvOpReturn, NULL, 0);
    } else {
        uint32_t type = g->atomic[1], id = e->next_id++;
        GV_SPIRV_PUT(&e->helpers, SpvOpPhi, type, id, result, b->then,
                     gv_spirv_edit_null(e, type), b->start);
        GV_SPIRV_PUT(&e->helpers, SpvOpReturnValue, id);
    }
    gv_spirv_put_op(&e->helpers, SpvOpFunctionEnd, NULL, 0);
}

struct gv_spirv_branch gv_spirv_guard_begin(struct gv_spirv_guard *g)
{
    struct gv_spirv_edit *e = &g->r->edit;
    struct gv_spirv_branch b = { e->next_id, e->next_id + 1, e->next_id + 2 };
    e->next_id += 3;
    begin(g);
    GV_SPIRV_PUT(&e->helpers, SpvOpLabel, b.start);
    return b;
}

void gv_spirv_guard_values(struct gv_spirv_guard *g, uint32_t values[2])
{
    const uint32_t *w = g->atomic;
    for (uint32_t i = values_begin(w), n = 0; i < gv_spirv_length(w) && n < 2; i++)
        values[n++] = gv_spirv_guard_inside(g, w[i]);
}
