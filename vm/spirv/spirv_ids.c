#include "vm/spirv/spirv_ids.h"

#include "resources/base/checked.h"
#include "vm/spirv/spirv_gate.h"

#include <stdlib.h>
#include <string.h>

static const struct gv_spirv_marks unmarked = {
    .location = GV_SPIRV_UNSET,
    .component = GV_SPIRV_UNSET,
    .index = GV_SPIRV_UNSET,
    .binding = GV_SPIRV_UNSET,
    .set = GV_SPIRV_UNSET,
    .builtin = GV_SPIRV_UNSET,
    .spec_id = GV_SPIRV_UNSET,
    .xfb_buffer = GV_SPIRV_UNSET,
    .xfb_stride = GV_SPIRV_UNSET,
    .offset = GV_SPIRV_UNSET,
    .stream = GV_SPIRV_UNSET,
    .array_stride = GV_SPIRV_UNSET,
};

const uint32_t *gv_spirv_def(const struct gv_spirv_ids *ids, uint32_t id)
{
    static const uint32_t nothing[8] = { 1u << 16 | SpvOpNop };
    return id < ids->bound && ids->ids[id].at ? ids->words + ids->ids[id].at : nothing;
}

const struct gv_spirv_marks *gv_spirv_marks_of(const struct gv_spirv_ids *ids,
                                               uint32_t id)
{
    if (id >= ids->bound || !ids->ids[id].marks)
        return &unmarked;
    return &ids->marks[ids->ids[id].marks - 1];
}

// Where the table of members holds this one, or would.
static uint32_t *member_slot(const struct gv_spirv_ids *ids, uint32_t id,
                             uint32_t member)
{
    uint64_t hash = ((uint64_t)id << 32 | member) * 0x9e3779b97f4a7c15u >> 32;
    for (size_t i = hash;; i++) {
        uint32_t *slot = &ids->member_table[i & (ids->member_slots - 1)];
        if (*slot == 0 || (ids->members[*slot - 1].owner == id &&
                           ids->members[*slot - 1].member == member))
            return slot;
    }
}

const struct gv_spirv_marks *gv_spirv_member_marks(const struct gv_spirv_ids *ids,
                                                   uint32_t id, uint32_t member)
{
    uint32_t slot = ids->member_slots ? *member_slot(ids, id, member) : 0;
    return slot ? &ids->members[slot - 1].marks : &unmarked;
}

bool gv_spirv_constant(const struct gv_spirv_ids *ids, uint32_t id, uint32_t *value)
{
    if (id >= ids->bound || !ids->ids[id].known)
        return false;
    switch (gv_spirv_op(gv_spirv_def(ids, id))) {
    case SpvOpConstant:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantOp:
        *value = (uint32_t)ids->ids[id].value;
        return ids->ids[id].value <= UINT32_MAX;
    default:
        return false;
    }
}

static void *grow(void *items, size_t size, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    void *grown = realloc(items, wanted * size);
    if (grown)
        *capacity = wanted;
    return grown;
}

static struct gv_spirv_marks *marks_for(struct gv_spirv_ids *ids, uint32_t id)
{
    struct gv_spirv_id *info = &ids->ids[id];
    if (!info->marks) {
        void *grown =
            grow(ids->marks, sizeof *ids->marks, ids->mark_count, &ids->mark_capacity);
        if (!grown)
            return NULL;
        ids->marks = grown;
        ids->marks[ids->mark_count++] = unmarked;
        info->marks = (uint32_t)ids->mark_count;
    }
    return &ids->marks[info->marks - 1];
}

// Keeps the table at most half full.
static bool grow_member_table(struct gv_spirv_ids *ids)
{
    if (ids->member_count * 2 < ids->member_slots)
        return true;
    size_t slots = ids->member_slots ? ids->member_slots * 2 : 64;
    uint32_t *table = calloc(slots, sizeof *table);
    if (!table)
        return false;
    free(ids->member_table);
    ids->member_table = table;
    ids->member_slots = slots;
    for (size_t i = 0; i < ids->member_count; i++)
        *member_slot(ids, ids->members[i].owner, ids->members[i].member) =
            (uint32_t)i + 1;
    return true;
}

// One entry for each member, however its decorations lie scattered: one overlooked
// would be one around the checks.
static struct gv_spirv_marks *member_for(struct gv_spirv_ids *ids, uint32_t id,
                                         uint32_t member)
{
    if (!grow_member_table(ids))
        return NULL;
    uint32_t *slot = member_slot(ids, id, member);
    if (*slot)
        return &ids->members[*slot - 1].marks;
    void *grown = grow(ids->members, sizeof *ids->members, ids->member_count,
                       &ids->member_capacity);
    if (!grown)
        return NULL;
    ids->members = grown;
    ids->members[ids->member_count++] =
        (struct gv_spirv_member){ id, member, unmarked };
    *slot = (uint32_t)ids->member_count;
    return &ids->members[ids->member_count - 1].marks;
}

static void mark(struct gv_spirv_marks *m, uint32_t decoration, uint32_t value)
{
    switch (decoration) {
    case SpvDecorationLocation:
        m->location = value;
        break;
    case SpvDecorationComponent:
        m->component = value;
        break;
    case SpvDecorationIndex:
        m->index = value;
        break;
    case SpvDecorationBinding:
        m->binding = value;
        break;
    case SpvDecorationDescriptorSet:
        m->set = value;
        break;
    case SpvDecorationBuiltIn:
        m->builtin = value;
        break;
    case SpvDecorationSpecId:
        m->spec_id = value;
        break;
    case SpvDecorationXfbBuffer:
        m->xfb_buffer = value;
        break;
    case SpvDecorationXfbStride:
        m->xfb_stride = value;
        break;
    case SpvDecorationOffset:
        m->offset = value;
        break;
    case SpvDecorationStream:
        m->stream = value;
        break;
    case SpvDecorationArrayStride:
        m->array_stride = value;
        break;
    case SpvDecorationBlock:
        m->block = true;
        break;
    case SpvDecorationBufferBlock:
        m->buffer_block = true;
        break;
    case SpvDecorationNonWritable:
        m->non_writable = true;
        break;
    case SpvDecorationPatch:
        m->patch = true;
        break;
    default:
        break;
    }
}

static bool too_large(const struct gv_spirv_ids *ids, const uint32_t *instruction,
                      const char *what, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_UNSUPPORTED, (uint64_t)(instruction - ids->words) * 4,
                   "SPIR-V %s is too large", what);
}

static bool decorate(struct gv_spirv_ids *ids, const uint32_t *w, struct gv_error *err)
{
    uint32_t length = gv_spirv_length(w);
    bool member = gv_spirv_op(w) == SpvOpMemberDecorate;
    uint32_t fixed = member ? 4 : 3;
    if (length < fixed || w[1] >= ids->bound)
        return gv_fail(err, GV_ERR_FORMAT, (uint64_t)(w - ids->words) * 4,
                       "malformed SPIR-V decoration");
    struct gv_spirv_marks *m =
        member ? member_for(ids, w[1], w[2]) : marks_for(ids, w[1]);
    if (!m)
        return gv_out_of_memory(err);
    if (length > fixed && w[fixed] == GV_SPIRV_UNSET)
        return gv_fail(err, GV_ERR_UNSUPPORTED, (uint64_t)(w - ids->words) * 4,
                       "SPIR-V decoration %u of %u", w[fixed - 1], w[fixed]);
    mark(m, w[fixed - 1], length > fixed ? w[fixed] : 0);
    if (!member && w[2] == SpvDecorationBuiltIn && length > 3 &&
        w[3] == SpvBuiltInWorkgroupSize)
        ids->workgroup_size_id = w[1];
    return true;
}

uint64_t gv_spirv_size(const struct gv_spirv_ids *ids, uint32_t id)
{
    return id < ids->bound && ids->ids[id].known ? ids->ids[id].value : 0;
}

// Sizes count data only: what a variable of the type takes at the least.
static bool measure(struct gv_spirv_ids *ids, const uint32_t *w, struct gv_error *err)
{
    uint64_t size = 0;
    uint32_t n = 0;
    switch (gv_spirv_op(w)) {
    case SpvOpTypeBool:
        size = 4;
        break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        size = w[2] / 8;
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        if (!gv_mul_u64(gv_spirv_size(ids, w[2]), w[3], &size))
            return too_large(ids, w, "type", err);
        break;
    case SpvOpTypeArray:
        if (!gv_spirv_constant(ids, w[3], &n))
            return gv_fail(err, GV_ERR_UNSUPPORTED, (uint64_t)(w - ids->words) * 4,
                           "unsupported: SPIR-V array whose length is not a known "
                           "integer constant");
        if (n == 0) // of a specialisation constant: the validator saw the others
            return gv_fail(err, GV_ERR_FORMAT, (uint64_t)(w - ids->words) * 4,
                           "SPIR-V array of no elements");
        if (!gv_mul_u64(gv_spirv_size(ids, w[2]), n, &size))
            return too_large(ids, w, "type", err);
        break;
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < gv_spirv_length(w); i++)
            if (!gv_add_u64(size, gv_spirv_size(ids, w[i]), &size))
                return too_large(ids, w, "type", err);
        size = size ? size : 4; // arrays of nothing have their limits too
        break;
    default:
        break;
    }
    ids->ids[w[1]].value = size;
    ids->ids[w[1]].known = true;
    return true;
}

// The integer operations compilers use for sizes; anything else stays unknown.
static bool operate(uint32_t op, uint32_t a, uint32_t b, uint32_t *out)
{
    switch (op) {
    case SpvOpIAdd:
        *out = a + b;
        return true;
    case SpvOpISub:
        *out = a - b;
        return true;
    case SpvOpIMul:
        *out = a * b;
        return true;
    case SpvOpUDiv:
        *out = b ? a / b : 0;
        return b != 0;
    case SpvOpUMod:
        *out = b ? a % b : 0;
        return b != 0;
    case SpvOpSDiv:
        if (b == 0 || a > INT32_MAX || b > INT32_MAX)
            return false;
        *out = a / b;
        return true;
    case SpvOpShiftLeftLogical:
        *out = b < 32 ? a << b : 0;
        return b < 32;
    case SpvOpShiftRightLogical:
        *out = b < 32 ? a >> b : 0;
        return b < 32;
    case SpvOpBitwiseAnd:
        *out = a & b;
        return true;
    case SpvOpBitwiseOr:
        *out = a | b;
        return true;
    default:
        return false;
    }
}

// Whether constants of the type are specialised with 32 bits: those we carry.
static bool is_word(const struct gv_spirv_ids *ids, uint32_t type_id)
{
    const uint32_t *type = gv_spirv_def(ids, type_id);
    return gv_spirv_op(type) == SpvOpTypeBool || type[2] == 32;
}

static bool word_constant(const struct gv_spirv_ids *ids, uint32_t id, uint32_t *value)
{
    return gv_spirv_constant(ids, id, value) && is_word(ids, gv_spirv_def(ids, id)[1]);
}

static void evaluate_operation(struct gv_spirv_ids *ids, const uint32_t *w)
{
    struct gv_spirv_id *info = &ids->ids[w[2]];
    uint32_t length = gv_spirv_length(w), a, b, value;
    if (!is_word(ids, w[1]))
        return; // other widths wrap elsewhere
    if (length == 6 && w[3] == SpvOpCompositeExtract) {
        const uint32_t *composite = gv_spirv_def(ids, w[4]);
        bool fits = (gv_spirv_op(composite) == SpvOpSpecConstantComposite ||
                     gv_spirv_op(composite) == SpvOpConstantComposite) &&
                    w[5] < gv_spirv_length(composite) - 3;
        if (fits && gv_spirv_constant(ids, composite[3 + w[5]], &value)) {
            info->value = value;
            info->known = true;
        }
        return;
    }
    if (length == 6 && word_constant(ids, w[4], &a) && word_constant(ids, w[5], &b) &&
        operate(w[3], a, b, &value)) {
        info->value = value;
        info->known = true;
    }
}

static void evaluate(struct gv_spirv_ids *ids, const uint32_t *w, uint32_t stage_bit,
                     const struct gv_spirv_specs *specs)
{
    struct gv_spirv_id *info = &ids->ids[w[2]];
    uint32_t op = gv_spirv_op(w);
    if (op == SpvOpConstant || op == SpvOpSpecConstant) {
        bool integer = gv_spirv_op(gv_spirv_def(ids, w[1])) == SpvOpTypeInt;
        info->value = w[3];
        if (gv_spirv_length(w) > 4)
            info->value |= (uint64_t)w[4] << 32;
        info->known = integer;
    }
    if (op == SpvOpSpecConstantOp && gv_spirv_length(w) >= 5)
        evaluate_operation(ids, w);
    uint32_t spec_id = gv_spirv_marks_of(ids, w[2])->spec_id;
    if (spec_id == GV_SPIRV_UNSET)
        return;
    ids->has_spec_constants = true;
    for (size_t i = 0; specs && i < specs->count; i++)
        if (specs->items[i].id == spec_id && (specs->items[i].stage & stage_bit)) {
            info->value = specs->items[i].value;
            ids->odd_spec_constant = ids->odd_spec_constant || !is_word(ids, w[1]);
        }
}

static uint32_t stage_of_model(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelVertex:
        return GV_STAGE_VERTEX;
    case SpvExecutionModelTessellationControl:
        return GV_STAGE_TESSELLATION_CONTROL;
    case SpvExecutionModelTessellationEvaluation:
        return GV_STAGE_TESSELLATION_EVALUATION;
    case SpvExecutionModelGeometry:
        return GV_STAGE_GEOMETRY;
    case SpvExecutionModelFragment:
        return GV_STAGE_FRAGMENT;
    case SpvExecutionModelGLCompute:
        return GV_STAGE_COMPUTE;
    default:
        return 0;
    }
}

// Where an instruction keeps its result id: 1 for types and the like, 2 where a type
// comes first, 0 for none that matters here.
static uint32_t result_word(uint32_t op)
{
    if (op >= SpvOpTypeVoid && op <= SpvOpTypePipe)
        return 1;
    if ((op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable ||
        op == SpvOpUndef)
        return 2;
    return op == SpvOpExtInstImport || op == SpvOpString ? 1 : 0;
}

static bool index_instruction(struct gv_spirv_ids *ids, const uint32_t *w,
                              uint32_t stage, const struct gv_spirv_specs *specs,
                              struct gv_error *err)
{
    uint32_t op = gv_spirv_op(w);
    if (op == SpvOpDecorate || op == SpvOpMemberDecorate)
        return decorate(ids, w, err);
    uint32_t result = result_word(op);
    if (!result)
        return true;
    if (result >= gv_spirv_length(w) || w[result] >= ids->bound)
        return gv_fail(err, GV_ERR_FORMAT, (uint64_t)(w - ids->words) * 4,
                       "malformed SPIR-V instruction");
    ids->ids[w[result]].at = (uint32_t)(w - ids->words);
    if (op >= SpvOpTypeVoid && op <= SpvOpTypePipe)
        return measure(ids, w, err);
    if (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp)
        evaluate(ids, w, stage, specs);
    return true;
}

bool gv_spirv_ids_init(struct gv_spirv_ids *ids, const uint32_t *words, size_t count,
                       const struct gv_spirv_specs *specs, struct gv_error *err)
{
    *ids = (struct gv_spirv_ids){ .words = words, .count = count, .functions = count };
    if (!gv_spirv_gate_header(words, count, err))
        return false;
    ids->bound = words[3];
    ids->ids = calloc(ids->bound ? ids->bound : 1, sizeof *ids->ids);
    if (!ids->ids)
        return gv_out_of_memory(err);
    uint32_t stage = 0;
    for (size_t at = 5; at < count;) {
        const uint32_t *w = words + at;
        uint32_t length = gv_spirv_length(w);
        if (length == 0 || length > count - at)
            return gv_fail(err, GV_ERR_FORMAT, at * 4, "malformed SPIR-V instruction");
        if (gv_spirv_op(w) == SpvOpFunction) {
            ids->functions = at;
            break;
        }
        if (gv_spirv_op(w) == SpvOpEntryPoint && length > 1)
            stage |= stage_of_model(w[1]);
        if (!index_instruction(ids, w, stage, specs, err))
            return false;
        at += length;
    }
    return !ids->odd_spec_constant ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: SPIR-V specialisation constant that is not of 32 "
                   "bits");
}

static void set_root(struct gv_spirv_ids *ids, uint32_t id, uint32_t from)
{
    if (id >= ids->bound || from >= ids->bound)
        return;
    ids->ids[id].root = ids->ids[from].root;
    ids->ids[id].sampler_root = ids->ids[from].sampler_root;
}

static enum gv_spirv_sampling sampling_of(uint32_t op)
{
    switch (op) {
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageDrefGather:
        return GV_SPIRV_COMPARES;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageGather:
        return GV_SPIRV_SAMPLES;
    default:
        return GV_SPIRV_NO_SAMPLING;
    }
}

enum gv_spirv_sampling gv_spirv_follow(struct gv_spirv_ids *ids, const uint32_t *w,
                                       uint32_t variables[2])
{
    enum gv_spirv_sampling sampling = sampling_of(gv_spirv_op(w));
    if (sampling != GV_SPIRV_NO_SAMPLING) {
        variables[0] = w[3] < ids->bound ? ids->ids[w[3]].root : 0;
        variables[1] = w[3] < ids->bound ? ids->ids[w[3]].sampler_root : 0;
        return sampling;
    }
    switch (gv_spirv_op(w)) {
    case SpvOpVariable:
        if (w[2] < ids->bound)
            ids->ids[w[2]].root = w[2];
        break;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpLoad:
    case SpvOpCopyObject:
        set_root(ids, w[2], w[3]);
        break;
    case SpvOpSampledImage:
        set_root(ids, w[2], w[3]);
        if (w[2] < ids->bound && w[4] < ids->bound)
            ids->ids[w[2]].sampler_root = ids->ids[w[4]].root;
        break;
    default:
        break;
    }
    return GV_SPIRV_NO_SAMPLING;
}

void gv_spirv_ids_finish(struct gv_spirv_ids *ids)
{
    free(ids->ids);
    free(ids->marks);
    free(ids->members);
    free(ids->member_table);
    *ids = (struct gv_spirv_ids){ 0 };
}
