#include "runtime/vk/spirv_robust.h"

#include "runtime/vk/spirv_edit.h"
#include "runtime/vk/spirv_interface.h"

#include <spirv_cross/GLSL.std.450.h>
#include <stdlib.h>
#include <string.h>

struct robust {
    const struct gv_spirv_ids *ids;
    struct gv_spirv_values values;
    const struct gv_spirv_module *module;
    const struct gv_spirv_limits *limits;
    struct gv_spirv_edit edit;
    struct gv_spirv_safe *out;
    uint32_t next_spec;               // the first SpecId nobody uses
    uint32_t vertices_id, samples_id; // constants for pipelines to give, 0 = none
    bool interpolates;                // InterpolationFunction is declared
    bool decorated;                   // the place for decorations has passed
    uint64_t offset;                  // of the instruction at hand
    struct gv_error *err;
};

// What an index must stay below: all that are given. With none the memory is robust.
struct bound {
    uint32_t length;      // known now, 0 = not given
    uint32_t length_spec; // id of a 32-bit constant that pipelines may change, 0 = none
    uint32_t count_id;    // the same, of ours
};

static bool unsupported(struct robust *r, const char *what)
{
    return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: SPIR-V %s",
                   what);
}

// ---- one index ----

// The width of an integer value's type.
static uint32_t width_of(const struct robust *r, uint32_t type)
{
    const uint32_t *w = gv_spirv_def(r->ids, type);
    return gv_spirv_op(w) == SpvOpTypeInt ? w[2] : 0;
}

// The largest an index can be; indices are signed, so narrow ones may be negative.
static uint32_t index_max(const struct robust *r, uint32_t index)
{
    const struct gv_spirv_value *value = gv_spirv_value_of(&r->values, index);
    uint32_t literal;
    if (width_of(r, value->type) == 32)
        return value->max;
    if (gv_spirv_op(gv_spirv_maker(&r->values, index)) == SpvOpConstant &&
        gv_spirv_constant(r->ids, index, &literal) && literal <= INT8_MAX)
        return literal;
    return UINT32_MAX;
}

static bool is_proven(const struct robust *r, uint32_t index, const struct bound *b)
{
    uint32_t max = index_max(r, index);
    if (max == 0)
        return true; // nothing has no elements
    return !b->length_spec && !b->count_id && (!b->length || max < b->length);
}

static uint32_t put_min(struct robust *r, uint32_t type, uint32_t a, uint32_t b)
{
    struct gv_spirv_edit *e = &r->edit;
    uint32_t id = e->next_id++;
    gv_spirv_edit_put(e, &e->body,
                      (uint32_t[]){ 7u << 16 | SpvOpExtInst, type, id, e->glsl,
                                    GLSLstd450UMin, a, b },
                      7);
    return id;
}

// As 32 bits, so that bounds of one width do.
static uint32_t put_word(struct robust *r, uint32_t index, uint32_t *type)
{
    struct gv_spirv_edit *e = &r->edit;
    if (width_of(r, *type) == 32)
        return index;
    *type = gv_spirv_edit_uint(e);
    uint32_t id = e->next_id++;
    gv_spirv_edit_put(e, &e->body,
                      (uint32_t[]){ 4u << 16 | SpvOpSConvert, *type, id, index }, 4);
    return id;
}

// The index, or one in range made from it: as an unsigned number what is negative is
// large.
static uint32_t clamp(struct robust *r, uint32_t index, const struct bound *b)
{
    struct gv_spirv_edit *e = &r->edit;
    if (is_proven(r, index, b))
        return index;
    uint32_t type = gv_spirv_value_of(&r->values, index)->type;
    uint32_t id = put_word(r, index, &type);
    if (b->length) {
        uint32_t last = b->length - 1 > INT32_MAX ? INT32_MAX : b->length - 1;
        id = put_min(r, type, id, gv_spirv_edit_constant(e, type, last));
    }
    if (b->length_spec)
        id = put_min(r, type, id, gv_spirv_edit_last(e, type, b->length_spec));
    if (b->count_id)
        id = put_min(r, type, id, gv_spirv_edit_last(e, type, b->count_id));
    return id;
}

// ---- what indices run over ----

static bool array_bound(struct robust *r, const uint32_t *type, struct bound *out)
{
    const uint32_t *length = gv_spirv_maker(&r->values, type[3]);
    uint64_t value = r->ids->ids[type[3]].value;
    if (gv_spirv_op(length) == SpvOpConstant)
        out->length = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    else if (width_of(r, length[1]) == 32)
        out->length_spec = type[3];
    else
        return unsupported(r, "array length that is no 32-bit constant");
    return true;
}

// Whether an array in buffer memory is one of descriptors.
static bool holds_blocks(const struct robust *r, const uint32_t *type)
{
    const uint32_t *element = gv_spirv_def(r->ids, type[2]);
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(r->ids, element[1]);
    return gv_spirv_op(element) == SpvOpTypeStruct &&
           (marks->block || marks->buffer_block);
}

static bool is_buffer(uint32_t storage_class)
{
    return storage_class == SpvStorageClassUniform ||
           storage_class == SpvStorageClassStorageBuffer;
}

// The bound of one index into `type` and the type it leads to.
static bool level_bound(struct robust *r, uint32_t storage_class, const uint32_t *type,
                        uint32_t index, struct bound *out, uint32_t *inner,
                        bool *member)
{
    uint32_t op = gv_spirv_op(type), number = 0;
    bool robust = is_buffer(storage_class);
    *out = (struct bound){ 0 };
    *member = op == SpvOpTypeStruct;
    switch (op) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        *inner = type[2];
        out->length = robust ? 0 : type[3];
        return true;
    case SpvOpTypeArray:
        *inner = type[2];
        return (robust && !holds_blocks(r, type)) || array_bound(r, type, out);
    case SpvOpTypeRuntimeArray:
        *inner = type[2];
        return robust || unsupported(r, "array without a length outside of buffers");
    case SpvOpTypeStruct:
        if (!gv_spirv_constant(r->ids, index, &number) ||
            number >= gv_spirv_length(type) - 2)
            return unsupported(r, "structure member that is no constant");
        *inner = type[2 + number];
        return true;
    default:
        return unsupported(r, "access chain into what has no parts");
    }
}

// Vertices there may be fewer of than the type says.
static void limit_vertices(struct robust *r, uint32_t root, struct bound *b)
{
    const struct gv_spirv_module *m = r->module;
    const uint32_t *w = gv_spirv_maker(&r->values, root);
    if (gv_spirv_op(w) != SpvOpVariable ||
        (w[3] != SpvStorageClassInput && w[3] != SpvStorageClassOutput) ||
        !gv_spirv_per_vertex(r->ids, m->stage, w))
        return;
    uint32_t most;
    if (m->stage == GV_STAGE_GEOMETRY) {
        most = gv_spirv_primitive_vertices(m->input_primitive);
    } else if (w[3] == SpvStorageClassOutput) {
        most = m->output_vertices;
    } else {
        most = r->limits->max_patch_size;
        b->count_id = r->vertices_id;
    }
    if (most && (!b->length || most < b->length))
        b->length = most;
}

// ---- instructions ----

static void put_body(struct robust *r, const uint32_t *w)
{
    gv_spirv_edit_put(&r->edit, &r->edit.body, w, gv_spirv_length(w));
}

// Appends `w` with one word replaced.
static void put_changed(struct robust *r, const uint32_t *w, uint32_t at,
                        uint32_t value)
{
    struct gv_spirv_words *body = &r->edit.body;
    put_body(r, w);
    if (!r->edit.out_of_memory)
        body->data[body->count - gv_spirv_length(w) + at] = value;
}

// The pointer a chain begins at, if that is a whole variable.
static uint32_t whole_variable(const struct robust *r, uint32_t pointer)
{
    const uint32_t *w = gv_spirv_maker(&r->values, pointer);
    for (int i = 0; i < 16 && gv_spirv_op(w) == SpvOpCopyObject; i++)
        w = gv_spirv_maker(&r->values, w[3]);
    return gv_spirv_op(w) == SpvOpVariable ? w[2] : 0;
}

// OpAccessChain: type, result, base, indices. Clamps are written before it.
static bool access_chain(struct robust *r, const uint32_t *w)
{
    uint32_t indices[256]; // the validator's limit is 255
    uint32_t n = gv_spirv_length(w) - 4;
    const uint32_t *pointer =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, w[3])->type);
    if (gv_spirv_op(pointer) != SpvOpTypePointer || n > 256)
        return unsupported(r, "access chain of an unknown base");
    uint32_t storage_class = pointer[2], type = pointer[3];
    for (uint32_t i = 0; i < n; i++) {
        struct bound b;
        bool member;
        if (!level_bound(r, storage_class, gv_spirv_def(r->ids, type), w[4 + i], &b,
                         &type, &member))
            return false;
        if (i == 0)
            limit_vertices(r, whole_variable(r, w[3]), &b);
        indices[i] = member ? w[4 + i] : clamp(r, w[4 + i], &b);
    }
    // Nothing promises that indices into buffers are in bounds.
    const uint32_t start[] = { gv_spirv_length(w) << 16 | SpvOpAccessChain, w[1], w[2],
                               w[3] };
    gv_spirv_edit_put(&r->edit, &r->edit.body, start, 4);
    gv_spirv_edit_put(&r->edit, &r->edit.body, indices, n);
    return true;
}

// A component of a vector: the index is the word at `at`.
static void vector_index(struct robust *r, const uint32_t *w, uint32_t at)
{
    const uint32_t *type =
        gv_spirv_def(r->ids, gv_spirv_value_of(&r->values, w[3])->type);
    const struct bound b = { .length = type[3] };
    put_changed(r, w, at, clamp(r, w[at], &b));
}

static void extended(struct robust *r, const uint32_t *w)
{
    const struct bound b = { .count_id = r->samples_id };
    if (w[3] == r->values.glsl && w[4] == GLSLstd450InterpolateAtSample)
        put_changed(r, w, 6, clamp(r, w[6], &b));
    else
        put_body(r, w);
}

// ---- what was never written ----

// Whether a null of the type exists: numbers, and what is made of them alone. Types
// nest less deep than GV_MAX_SPIRV_TYPE_DEPTH, and hold few parts.
static bool has_null(const struct robust *r, uint32_t type_id)
{
    const uint32_t *type = gv_spirv_def(r->ids, type_id);
    switch (gv_spirv_op(type)) {
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return true;
    case SpvOpTypeArray:
        return has_null(r, type[2]);
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < gv_spirv_length(type); i++)
            if (!has_null(r, type[i]))
                return false;
        return true;
    default:
        return false;
    }
}

// An undefined number is none that a comparison holds for: compilers may take it for a
// small one there and for a large one in the address.
static bool undefined(struct robust *r, const uint32_t *w)
{
    if (!has_null(r, w[1]))
        return unsupported(r, "undefined value that is no data");
    // In `head`, also from functions: there its definition precedes all uses.
    gv_spirv_edit_put(&r->edit, &r->edit.head,
                      (uint32_t[]){ 3u << 16 | SpvOpConstantNull, w[1], w[2] }, 3);
    return true;
}

// OpVectorShuffle from the word `at` on: two vectors, components. One that is undefined
// becomes the first of the first vector.
static void shuffle(struct robust *r, const uint32_t *w, uint32_t at,
                    struct gv_spirv_words *to)
{
    uint32_t length = gv_spirv_length(w);
    gv_spirv_edit_put(&r->edit, to, w, length);
    for (uint32_t i = at + 2; i < length && !r->edit.out_of_memory; i++)
        if (w[i] == UINT32_MAX)
            to->data[to->count - length + i] = 0;
}

// Drivers make a store of each number of an initial value, and lavapipe takes minutes
// over some thousand. Variables so large live in memory: what was never written there
// is old, but one and the same for whoever reads it.
#define NULL_BYTES 1024

static bool is_large(const struct robust *r, const uint32_t *w)
{
    const struct gv_spirv_id *type = &r->ids->ids[gv_spirv_def(r->ids, w[1])[3]];
    return type->known && type->value > NULL_BYTES;
}

static bool wants_null(const struct robust *r, const uint32_t *w)
{
    if (gv_spirv_length(w) > 4)
        return false;
    if (w[3] == SpvStorageClassFunction || w[3] == SpvStorageClassPrivate)
        return !is_large(r, w);
    return w[3] == SpvStorageClassOutput &&
           r->module->stage != GV_STAGE_TESSELLATION_CONTROL &&
           gv_spirv_value_of(&r->values, w[2])->loaded;
}

// OpVariable: type, result, class, initial value.
static void variable(struct robust *r, const uint32_t *w, struct gv_spirv_words *to)
{
    uint32_t type = gv_spirv_def(r->ids, w[1])[3];
    if (!wants_null(r, w) || !has_null(r, type)) {
        gv_spirv_edit_put(&r->edit, to, w, gv_spirv_length(w));
        return;
    }
    uint32_t null = gv_spirv_edit_null(&r->edit, type);
    gv_spirv_edit_put(&r->edit, to,
                      (uint32_t[]){ 5u << 16 | SpvOpVariable, w[1], w[2], w[3], null },
                      5);
}

// ---- constants for pipelines to give ----

static bool wants_vertices(const struct robust *r)
{
    return r->module->stage == GV_STAGE_TESSELLATION_CONTROL ||
           r->module->stage == GV_STAGE_TESSELLATION_EVALUATION;
}

static bool take_spec(struct robust *r, uint32_t *id, uint32_t *spec)
{
    if (r->next_spec == GV_SPIRV_UNSET)
        return unsupported(r, "specialisation constant with the largest id");
    *id = r->edit.next_id++;
    *spec = r->next_spec++;
    gv_spirv_edit_put(
        &r->edit, &r->edit.head,
        (uint32_t[]){ 4u << 16 | SpvOpDecorate, *id, SpvDecorationSpecId, *spec }, 4);
    return true;
}

static bool decorate(struct robust *r)
{
    for (size_t i = 0; i < r->ids->mark_count; i++)
        if (r->ids->marks[i].spec_id != GV_SPIRV_UNSET &&
            r->ids->marks[i].spec_id >= r->next_spec)
            r->next_spec = r->ids->marks[i].spec_id + 1;
    r->decorated = true;
    return (!wants_vertices(r) ||
            take_spec(r, &r->vertices_id, &r->out->vertices_spec)) &&
           (!r->interpolates || take_spec(r, &r->samples_id, &r->out->samples_spec));
}

static void define_given(struct robust *r)
{
    const uint32_t given[] = { r->vertices_id, r->samples_id };
    for (int i = 0; i < 2; i++)
        if (given[i]) {
            uint32_t type = gv_spirv_edit_uint(&r->edit);
            gv_spirv_edit_put(
                &r->edit, &r->edit.head,
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

static void import_glsl(struct robust *r)
{
    uint32_t w[6] = { 6u << 16 | SpvOpExtInstImport, r->edit.glsl };
    memcpy(w + 2, "GLSL.std.450", 12);
    gv_spirv_edit_put(&r->edit, &r->edit.head, w, 6);
}

static bool head_instruction(struct robust *r, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w);
    if (op == SpvOpCapability && w[1] == SpvCapabilityInterpolationFunction)
        r->interpolates = true;
    if (op == SpvOpMemoryModel && !r->values.glsl)
        import_glsl(r);
    if (!precedes_types(op) && !r->decorated && !decorate(r))
        return false;
    if (op == SpvOpConstantNull && !has_null(r, w[1]))
        return unsupported(r, "null that is no data");
    if (op == SpvOpUndef)
        return undefined(r, w);
    if (op == SpvOpVariable)
        variable(r, w, &r->edit.head);
    else if (op == SpvOpSpecConstantOp && w[3] == SpvOpVectorShuffle)
        shuffle(r, w, 4, &r->edit.head);
    else
        gv_spirv_edit_put(&r->edit, &r->edit.head, w, gv_spirv_length(w));
    return true;
}

static bool body_instruction(struct robust *r, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return access_chain(r, w);
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpCopyMemorySized:
        return unsupported(r, "pointer arithmetic");
    case SpvOpVectorExtractDynamic:
        vector_index(r, w, 4);
        return true;
    case SpvOpVectorInsertDynamic:
        vector_index(r, w, 5);
        return true;
    case SpvOpExtInst:
        extended(r, w);
        return true;
    case SpvOpVectorShuffle:
        shuffle(r, w, 3, &r->edit.body);
        return true;
    case SpvOpUndef:
        return undefined(r, w);
    case SpvOpVariable:
        variable(r, w, &r->edit.body);
        return true;
    default:
        put_body(r, w);
        return true;
    }
}

static bool rewrite(struct robust *r)
{
    const struct gv_spirv_ids *ids = r->ids;
    gv_spirv_edit_put(&r->edit, &r->edit.head, ids->words, 5);
    for (size_t at = 5; at < ids->count; at += gv_spirv_length(ids->words + at)) {
        const uint32_t *w = ids->words + at;
        r->offset = at * 4;
        if (at == ids->functions)
            define_given(r);
        if (!(at < ids->functions ? head_instruction(r, w) : body_instruction(r, w)))
            return false;
    }
    return !r->edit.out_of_memory || gv_out_of_memory(r->err);
}

// Hands over head and body as one.
static bool take(struct robust *r)
{
    struct gv_spirv_edit *e = &r->edit;
    gv_spirv_edit_put(e, &e->head, e->body.data, e->body.count);
    if (e->out_of_memory)
        return gv_out_of_memory(r->err);
    e->head.data[3] = e->next_id;
    r->out->words = e->head.data;
    r->out->count = e->head.count;
    e->head = (struct gv_spirv_words){ 0 };
    return true;
}

bool gv_spirv_make_safe(const uint32_t *words, size_t count,
                        const struct gv_spirv_module *module,
                        const struct gv_spirv_limits *limits, struct gv_spirv_safe *out,
                        struct gv_error *err)
{
    struct gv_spirv_ids ids;
    struct robust r = {
        .ids = &ids, .module = module, .limits = limits, .out = out, .err = err
    };
    *out = (struct gv_spirv_safe){ .vertices_spec = GV_SPIRV_UNSET,
                                   .samples_spec = GV_SPIRV_UNSET };
    bool ok = gv_spirv_ids_init(&ids, words, count, NULL, 0, err) &&
              gv_spirv_values_init(&r.values, &ids, module, err);
    if (ok) {
        gv_spirv_edit_init(&r.edit, &r.values);
        ok = rewrite(&r) && take(&r);
    }
    gv_spirv_edit_finish(&r.edit);
    gv_spirv_values_finish(&r.values);
    gv_spirv_ids_finish(&ids);
    return ok;
}

void gv_spirv_safe_finish(struct gv_spirv_safe *safe)
{
    free(safe->words);
    safe->words = NULL;
}
