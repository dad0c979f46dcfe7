#include "runtime/spirv/spirv_robust.h"

#include "runtime/spirv/spirv_parts.h"

#include <stdlib.h>
#include <string.h>

bool gv_spirv_cannot(struct gv_spirv_rewriting *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: SPIR-V %s",
                   what);
}

static void put(struct gv_bytes *to, const uint32_t *w)
{
    gv_spirv_put(to, w, gv_spirv_length(w));
}

// ---- constants for pipelines to give ----

static bool wants_vertices(const struct gv_spirv_rewriting *r)
{
    return r->module->stage == GV_STAGE_TESSELLATION_CONTROL ||
           r->module->stage == GV_STAGE_TESSELLATION_EVALUATION;
}

static bool take_spec(struct gv_spirv_rewriting *r, uint32_t *id, uint32_t *spec)
{
    if (r->next_spec == GV_SPIRV_UNSET)
        return gv_spirv_cannot(r, "specialisation constant with the largest id");
    *id = r->edit.next_id++;
    *spec = r->next_spec++;
    gv_spirv_put(
        &r->edit.head,
        (uint32_t[]){ 4u << 16 | SpvOpDecorate, *id, SpvDecorationSpecId, *spec }, 4);
    return true;
}

static bool decorate(struct gv_spirv_rewriting *r)
{
    for (size_t i = 0; i < r->ids->mark_count; i++)
        if (r->ids->marks[i].spec_id != GV_SPIRV_UNSET &&
            r->ids->marks[i].spec_id >= r->next_spec)
            r->next_spec = r->ids->marks[i].spec_id + 1;
    r->decorated = true;
    gv_spirv_decorate_counted(r);
    gv_spirv_decorate_unknown(r);
    return (!wants_vertices(r) ||
            take_spec(r, &r->vertices_id, &r->out->vertices_spec)) &&
           (!r->interpolates || take_spec(r, &r->samples_id, &r->out->samples_spec));
}

static void define_given(struct gv_spirv_rewriting *r)
{
    const uint32_t given[] = { r->vertices_id, r->samples_id };
    for (int i = 0; i < 2; i++)
        if (given[i]) {
            uint32_t type = gv_spirv_edit_uint(&r->edit);
            gv_spirv_put(
                &r->edit.head,
                (uint32_t[]){ 4u << 16 | SpvOpSpecConstant, type, given[i], 1 }, 4);
        }
}

// ---- the module ----

static bool precedes_types(uint32_t op)
{
    switch (op) {
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpExtInstImport:
    case SpvOpMemoryModel:
    case SpvOpEntryPoint:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
    case SpvOpString:
    case SpvOpSource:
    case SpvOpSourceExtension:
    case SpvOpSourceContinued:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpModuleProcessed:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
        return true;
    default:
        return false;
    }
}

static void import_glsl(struct gv_spirv_rewriting *r)
{
    uint32_t w[6] = { 6u << 16 | SpvOpExtInstImport, r->glsl };
    memcpy(w + 2, "GLSL.std.450", 12);
    gv_spirv_put(&r->edit.head, w, 6);
}

// Capabilities come first: one of ours stands behind the first one.
static void capability(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    put(&r->edit.head, w);
    if (r->queries && !r->can_query)
        GV_SPIRV_PUT(&r->edit.head, SpvOpCapability, SpvCapabilityImageQuery);
    r->can_query = true;
}

static void entry_point(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    struct gv_bytes *head = &r->edit.head;
    bool lists = r->ids->words[1] >= GV_SPIRV_1_4;
    uint32_t more = lists ? r->counted_count : 0;
    uint32_t made = r->unknown_made ? 1 : 0;
    uint32_t first = w[0] + ((more + made) << 16);
    gv_spirv_put(head, &first, 1);
    gv_spirv_put(head, w + 1, gv_spirv_length(w) - 1);
    for (uint32_t i = 0; i < more; i++)
        gv_spirv_put(head, &r->counted[i].words, 1);
    gv_spirv_put(head, &r->unknown_made, made);
}

static bool begin_types(struct gv_spirv_rewriting *r)
{
    if (!decorate(r))
        return false;
    gv_spirv_divide_types(r);
    return true;
}

// What stands elsewhere by now.
static bool is_moved(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w);
    return r->types_moved &&
           (op == SpvOpTypeBool ||
            (op == SpvOpTypeVector && w[2] == gv_spirv_edit_bool(&r->edit, 1)));
}

static bool head_instruction(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    struct gv_bytes *head = &r->edit.head;
    uint32_t op = gv_spirv_op(w);
    if (op == SpvOpCapability && w[1] == SpvCapabilityInterpolationFunction)
        r->interpolates = true;
    if (op == SpvOpMemoryModel && !r->values.glsl)
        import_glsl(r);
    if (!precedes_types(op) && !r->decorated && !begin_types(r))
        return false;
    if (op == SpvOpConstantNull && !gv_spirv_has_null(r, w[1]))
        return gv_spirv_cannot(r, "null that is no data");
    if (op == SpvOpUndef)
        return gv_spirv_undefined(r, w);
    if (op == SpvOpCapability)
        capability(r, w);
    else if (op == SpvOpEntryPoint)
        entry_point(r, w);
    else if (op == SpvOpVariable)
        gv_spirv_unset_variable(r, w, head);
    else if (op == SpvOpSpecConstantOp && w[3] == SpvOpVectorShuffle)
        gv_spirv_shuffle(w, 4, head);
    else if (!is_moved(r, w) &&
             (op != SpvOpSpecConstantOp || !gv_spirv_divide(r, w, 4, head)))
        put(head, w);
    return true;
}

// Variables come first in a function: those that want zeros get them behind the last.
static bool begin_body(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpFunction:
        r->begun = false;
        r->in_entry = w[2] == r->entry;
        return true;
    case SpvOpFunctionParameter:
    case SpvOpLabel:
    case SpvOpVariable:
    case SpvOpLine:
    case SpvOpNoLine:
        return true;
    default:
        if (r->begun)
            return true;
        r->begun = true;
        return gv_spirv_zero_unset(r);
    }
}

static bool body_instruction(struct gv_spirv_rewriting *r, const uint32_t *w)
{
    if (!begin_body(r, w))
        return false;
    if (gv_spirv_is_atomic(gv_spirv_op(w)))
        return gv_spirv_guard_atomic(r, w);
    if (gv_spirv_divide(r, w, 3, &r->edit.body))
        return true;
    switch (gv_spirv_op(w)) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return gv_spirv_clamp_chain(r, w);
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpCopyMemorySized:
        return gv_spirv_cannot(r, "pointer arithmetic");
    case SpvOpVectorExtractDynamic:
        gv_spirv_clamp_component(r, w, 4);
        return true;
    case SpvOpVectorInsertDynamic:
        gv_spirv_clamp_component(r, w, 5);
        return true;
    case SpvOpExtInst:
        gv_spirv_clamp_extended(r, w);
        return true;
    case SpvOpVectorShuffle:
        gv_spirv_shuffle(w, 3, &r->edit.body);
        return true;
    case SpvOpUndef:
        return gv_spirv_undefined(r, w);
    case SpvOpVariable:
        gv_spirv_unset_variable(r, w, &r->edit.body);
        return true;
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        gv_spirv_hide_branch(r, w);
        return true;
    default:
        put(&r->edit.body, w);
        return true;
    }
}

// The entry point, and what is declared.
static void note_module(struct gv_spirv_rewriting *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    for (size_t at = 5; at < ids->functions; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        if (gv_spirv_op(w) == SpvOpEntryPoint)
            r->entry = w[2];
        r->can_query |=
            gv_spirv_op(w) == SpvOpCapability && w[1] == SpvCapabilityImageQuery;
    }
}

static bool rewrite(struct gv_spirv_rewriting *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    gv_spirv_put(&r->edit.head, ids->words, 5);
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        r->offset = at * 4;
        if (at == ids->functions) {
            define_given(r);
            gv_spirv_define_counted(r);
            gv_spirv_define_unknown(r);
        }
        if (!(at < ids->functions ? head_instruction(r, w) : body_instruction(r, w)))
            return false;
    }
    return (!r->unset.failed && !r->privates.failed) || gv_out_of_memory(r->err);
}

bool gv_spirv_make_safe(const uint32_t *words, size_t count,
                        const struct gv_spirv_module *module,
                        const struct gv_spirv_limits *limits, struct gv_spirv_safe *out,
                        struct gv_error *err)
{
    struct gv_spirv_ids ids;
    struct gv_spirv_rewriting r = {
        .ids = &ids, .module = module, .limits = limits, .out = out, .err = err
    };
    *out = (struct gv_spirv_safe){ .vertices_spec = GV_SPIRV_UNSET,
                                   .samples_spec = GV_SPIRV_UNSET };
    bool ok = gv_spirv_ids_init(&ids, words, count, NULL, err) &&
              gv_spirv_values_init(&r.values, &ids, module, err);
    if (ok) {
        gv_spirv_edit_init(&r.edit, words, ids.functions);
        r.glsl = r.values.glsl ? r.values.glsl : r.edit.next_id++;
        note_module(&r);
        ok = gv_spirv_find_atomics(&r) && gv_spirv_find_hidden(&r) && rewrite(&r) &&
             gv_spirv_edit_take(&r.edit, &out->words, &out->count, err);
    }
    gv_spirv_edit_finish(&r.edit);
    gv_bytes_finish(&r.unset);
    gv_bytes_finish(&r.privates);
    free(r.sources);
    gv_spirv_values_finish(&r.values);
    gv_spirv_ids_finish(&ids);
    return ok;
}

void gv_spirv_safe_finish(struct gv_spirv_safe *safe)
{
    free(safe->words);
    safe->words = NULL;
}
