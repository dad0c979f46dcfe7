#include "compiler/shader/spirv/spirv_scan.h"

#include <stdlib.h>
#include <string.h>

#include "vm/spirv/spirv_gate.h"

#define MAX_TYPE_DEPTH 32
#define MAX_LOCATIONS 4096 // of one variable; more cannot be valid anyway

// What decorations say about an id, or about a member of a struct.
struct marks {
    uint32_t location, set, binding;
    size_t location_at, set_at, binding_at; // word of the literal
    bool builtin, patch, block, buffer_block;
};

struct member_mark {
    uint32_t type, member;
    uint32_t decoration, value;
};

struct scan {
    const uint32_t *words;
    size_t count;
    uint32_t bound;
    uint32_t stage;
    size_t *defined_at; // word index of the instruction that makes an id, 0: none
    const char **names;
    struct marks *marks;
    struct member_mark *members;
    size_t member_count, member_capacity;
    struct gv_arena *arena;
    struct gv_error *err;
};

static bool fail_at(struct scan *s, size_t word, const char *what)
{
    return gv_fail(s->err, GV_ERR_FORMAT, (uint64_t)word * 4, "spir-v: %s", what);
}

static bool known(const struct scan *s, uint32_t id)
{
    return id < s->bound && s->defined_at[id];
}

// The id in operand `n` of the instruction at `at`, checked against the bound.
static bool id_operand(struct scan *s, size_t at, uint32_t n, uint32_t *id)
{
    *id = 0;
    if (n >= gv_spirv_length(&s->words[at]))
        return fail_at(s, at, "instruction is too short");
    *id = s->words[at + n];
    return *id < s->bound || fail_at(s, at, "id passes the bound");
}

// A literal string is usable as C text if a NUL ends it inside the instruction.
static const char *text_operand(const struct scan *s, size_t at, uint32_t n)
{
    size_t length = gv_spirv_length(&s->words[at]);
    if (n >= length)
        return "";
    const char *text = (const char *)&s->words[at + n];
    return memchr(text, 0, (length - n) * 4) ? text : "";
}

static bool decorate(struct scan *s, size_t at)
{
    uint32_t id;
    if (!id_operand(s, at, 1, &id))
        return false;
    uint32_t length = gv_spirv_length(&s->words[at]);
    if (length < 3)
        return fail_at(s, at, "instruction is too short");
    struct marks *m = &s->marks[id];
    uint32_t value = length > 3 ? s->words[at + 3] : 0;
    switch (s->words[at + 2]) {
    case SpvDecorationLocation:
        m->location = value;
        m->location_at = at + 3;
        break;
    case SpvDecorationDescriptorSet:
        m->set = value;
        m->set_at = at + 3;
        break;
    case SpvDecorationBinding:
        m->binding = value;
        m->binding_at = at + 3;
        break;
    case SpvDecorationBuiltIn:
        m->builtin = true;
        break;
    case SpvDecorationPatch:
        m->patch = true;
        break;
    case SpvDecorationBlock:
        m->block = true;
        break;
    case SpvDecorationBufferBlock:
        m->buffer_block = true;
        break;
    default: // layout, precision and interpolation do not change the interface
        break;
    }
    return true;
}

static bool decorate_member(struct scan *s, size_t at)
{
    uint32_t id;
    if (!id_operand(s, at, 1, &id))
        return false;
    uint32_t length = gv_spirv_length(&s->words[at]);
    if (length < 4)
        return fail_at(s, at, "instruction is too short");
    if (s->member_count == s->member_capacity)
        return true; // counted beforehand: cannot happen
    s->members[s->member_count++] = (struct member_mark){
        .type = id,
        .member = s->words[at + 2],
        .decoration = s->words[at + 3],
        .value = length > 4 ? s->words[at + 4] : 0,
    };
    return true;
}

static bool define(struct scan *s, size_t at, uint32_t operand)
{
    uint32_t id;
    if (!id_operand(s, at, operand, &id))
        return false;
    s->defined_at[id] = at;
    return true;
}

static bool read_instruction(struct scan *s, size_t at)
{
    uint32_t id;
    switch (gv_spirv_op(&s->words[at])) {
    case SpvOpName:
        if (!id_operand(s, at, 1, &id))
            return false;
        s->names[id] = text_operand(s, at, 2);
        return true;
    case SpvOpDecorate:
        return decorate(s, at);
    case SpvOpMemberDecorate:
        return decorate_member(s, at);
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeStruct:
    case SpvOpTypePointer:
        return define(s, at, 1);
    case SpvOpConstant:
    case SpvOpSpecConstant:
    case SpvOpVariable:
        return define(s, at, 2);
    default:
        return true;
    }
}

// Calls read_instruction over the module-scope part, up to the first function.
static bool read_module(struct scan *s)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->count;) {
        uint32_t length = gv_spirv_length(&s->words[at]);
        if (length == 0 || length > s->count - at)
            return fail_at(s, at, "instruction passes the end of the module");
        if ((gv_spirv_op(&s->words[at])) == SpvOpFunction)
            return true;
        if (!read_instruction(s, at))
            return false;
        at += length;
    }
    return true;
}

// ---- types ----

struct type {
    uint32_t op;
    const uint32_t *operands; // after the result id
    uint32_t count;
};

static struct type type_of(const struct scan *s, uint32_t id)
{
    if (!known(s, id))
        return (struct type){ 0, NULL, 0 };
    const uint32_t *w = &s->words[s->defined_at[id]];
    uint32_t length = gv_spirv_length(w);
    return (struct type){ gv_spirv_op(w), w + 2, length > 2 ? length - 2 : 0 };
}

static uint32_t operand(const struct type *t, uint32_t n)
{
    return n < t->count ? t->operands[n] : UINT32_MAX;
}

static uint32_t constant_value(const struct scan *s, uint32_t id)
{
    if (!known(s, id))
        return 0;
    const uint32_t *w = &s->words[s->defined_at[id]];
    uint32_t op = gv_spirv_op(w);
    bool constant = op == SpvOpConstant || op == SpvOpSpecConstant;
    return constant && gv_spirv_length(w) > 3 ? w[3] : 0;
}

static uint32_t location_count(const struct scan *s, uint32_t id, int depth);

static uint32_t clamp_locations(uint64_t n)
{
    return n > MAX_LOCATIONS ? MAX_LOCATIONS : (uint32_t)n;
}

static uint32_t vector_locations(const struct scan *s, const struct type *t)
{
    struct type element = type_of(s, operand(t, 0));
    bool wide = element.count > 0 && operand(&element, 0) == 64;
    return wide && operand(t, 1) > 2 ? 2 : 1;
}

static uint32_t struct_locations(const struct scan *s, const struct type *t, int depth)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->count && sum < MAX_LOCATIONS; i++)
        sum += location_count(s, t->operands[i], depth + 1);
    return clamp_locations(sum ? sum : 1); // an empty struct must not be free to nest
}

static uint32_t location_count(const struct scan *s, uint32_t id, int depth)
{
    struct type t = type_of(s, id);
    if (depth > MAX_TYPE_DEPTH)
        return MAX_LOCATIONS;
    switch (t.op) {
    case SpvOpTypeVector:
        return vector_locations(s, &t);
    case SpvOpTypeMatrix:
        return clamp_locations((uint64_t)operand(&t, 1) *
                               location_count(s, operand(&t, 0), depth + 1));
    case SpvOpTypeArray:
        return clamp_locations((uint64_t)constant_value(s, operand(&t, 1)) *
                               location_count(s, operand(&t, 0), depth + 1));
    case SpvOpTypeStruct:
        return struct_locations(s, &t, depth);
    default:
        return 1;
    }
}

// ---- variables ----

static uint64_t location_bits(uint32_t first, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count && i < 64 && first < 64 - i; i++)
        bits |= UINT64_C(1) << (first + i);
    return bits;
}

static bool per_vertex(const struct scan *s, const struct gv_spirv_variable *v)
{
    if (s->marks[v->id].patch)
        return false;
    if (v->storage == SpvStorageClassInput)
        return s->stage & (GV_STAGE_TESSELLATION_CONTROL |
                           GV_STAGE_TESSELLATION_EVALUATION | GV_STAGE_GEOMETRY);
    return v->storage == SpvStorageClassOutput &&
           s->stage == GV_STAGE_TESSELLATION_CONTROL;
}

// Members may carry locations and built-ins of their own; those without follow on.
static void member_locations(const struct scan *s, uint32_t type_id,
                             struct gv_spirv_variable *v)
{
    struct type t = type_of(s, type_id);
    uint32_t next = v->location;
    for (uint32_t i = 0; i < t.count; i++) {
        for (size_t k = 0; k < s->member_count; k++) {
            const struct member_mark *m = &s->members[k];
            if (m->type != type_id || m->member != i)
                continue;
            if (m->decoration == SpvDecorationLocation)
                next = m->value;
            if (m->decoration == SpvDecorationBuiltIn)
                v->builtin = true;
        }
        uint32_t count = location_count(s, t.operands[i], 0);
        if (next != GV_SPIRV_UNSET) {
            v->locations |= location_bits(next, count);
            next = next > UINT32_MAX - 1 - count ? GV_SPIRV_UNSET : next + count;
        }
    }
}

// A block, or an array of blocks.
static void name_blocks(const struct scan *s, uint32_t type_id,
                        struct gv_spirv_variable *v)
{
    struct type t = type_of(s, type_id);
    for (int depth = 0; t.op == SpvOpTypeArray && depth < MAX_TYPE_DEPTH; depth++) {
        type_id = operand(&t, 0);
        t = type_of(s, type_id);
    }
    if (t.op == SpvOpTypeStruct && s->names[type_id] && s->marks[type_id].block)
        v->block_name = s->names[type_id];
}

static void set_interface(const struct scan *s, uint32_t type_id,
                          struct gv_spirv_variable *v)
{
    struct type t = type_of(s, type_id);
    if (t.op == SpvOpTypeArray && per_vertex(s, v)) {
        v->arrayed = true;
        type_id = operand(&t, 0);
        t = type_of(s, type_id);
    }
    v->location_count = location_count(s, type_id, 0);
    name_blocks(s, type_id, v);
    if (t.op == SpvOpTypeStruct) {
        member_locations(s, type_id, v);
    } else if (v->location != GV_SPIRV_UNSET) {
        v->locations = location_bits(v->location, v->location_count);
    }
}

static uint32_t image_type(const struct type *image, bool combined)
{
    bool buffer = operand(image, 1) == SpvDimBuffer;
    if (operand(image, 5) == 2)
        return buffer ? GV_BINDING_STORAGE_TEXEL_BUFFER : GV_BINDING_STORAGE_IMAGE;
    if (buffer)
        return GV_BINDING_UNIFORM_TEXEL_BUFFER;
    return combined ? GV_BINDING_COMBINED_IMAGE_SAMPLER : GV_BINDING_SAMPLED_IMAGE;
}

static bool set_descriptor(struct scan *s, uint32_t type_id,
                           struct gv_spirv_variable *v)
{
    struct type t = type_of(s, type_id);
    v->count = 1;
    for (int depth = 0; t.op == SpvOpTypeArray && depth < MAX_TYPE_DEPTH; depth++) {
        uint64_t n = (uint64_t)v->count * constant_value(s, operand(&t, 1));
        v->count = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
        type_id = operand(&t, 0);
        t = type_of(s, type_id);
    }
    if (t.op == SpvOpTypeStruct && s->names[type_id])
        v->block_name = s->names[type_id];
    if (t.op == SpvOpTypeStruct && v->storage == SpvStorageClassUniformConstant)
        return gv_fail(s->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: uniform structure with a sampler");
    if (t.op == SpvOpTypeStruct && v->storage == SpvStorageClassStorageBuffer)
        v->type = GV_BINDING_STORAGE_BUFFER;
    else if (t.op == SpvOpTypeStruct)
        v->type = s->marks[type_id].buffer_block ? GV_BINDING_STORAGE_BUFFER
                                                 : GV_BINDING_UNIFORM_BUFFER;
    else if (t.op == SpvOpTypeSampler)
        v->type = GV_BINDING_SAMPLER;
    else if (t.op == SpvOpTypeImage)
        v->type = image_type(&t, false);
    else if (t.op == SpvOpTypeSampledImage) {
        struct type image = type_of(s, operand(&t, 0));
        v->type = image_type(&image, true);
    } else
        return gv_fail(s->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: descriptor of spir-v type op %u", t.op);
    return true;
}

static bool fill_variable(struct scan *s, size_t at, struct gv_spirv_variable *v)
{
    uint32_t id, pointer_id;
    if (!id_operand(s, at, 1, &pointer_id) || !id_operand(s, at, 2, &id))
        return false;
    struct type pointer = type_of(s, pointer_id);
    if (pointer.op != SpvOpTypePointer)
        return fail_at(s, at, "variable without a pointer type");
    const struct marks *m = &s->marks[id];
    *v = (struct gv_spirv_variable){
        .id = id,
        .storage = (SpvStorageClass)s->words[at + 3],
        .name = s->names[id] ? s->names[id] : "",
        .block_name = "",
        .location = m->location,
        .builtin = m->builtin,
        .set = m->set,
        .binding = m->binding,
        .location_at = m->location_at,
        .set_at = m->set_at,
        .binding_at = m->binding_at,
    };
    uint32_t type_id = operand(&pointer, 1);
    if (v->storage == SpvStorageClassInput || v->storage == SpvStorageClassOutput)
        set_interface(s, type_id, v);
    else
        return set_descriptor(s, type_id, v);
    return true;
}

static bool interface_storage(uint32_t storage)
{
    return storage == SpvStorageClassUniformConstant ||
           storage == SpvStorageClassInput || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassOutput || storage == SpvStorageClassStorageBuffer;
}

// Counts instructions of one opcode at module scope; the walk was checked before.
static size_t count_ops(const struct scan *s, uint32_t op)
{
    size_t n = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->count;
         at += gv_spirv_length(&s->words[at])) {
        uint32_t here = gv_spirv_op(&s->words[at]);
        if (gv_spirv_length(&s->words[at]) == 0 || here == SpvOpFunction)
            break;
        n += here == op;
    }
    return n;
}

static bool collect_variables(struct scan *s, struct gv_spirv_variables *out)
{
    out->variables =
        gv_arena_array(s->arena, count_ops(s, SpvOpVariable), sizeof *out->variables);
    if (!out->variables)
        return gv_out_of_memory(s->err);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->count;
         at += gv_spirv_length(&s->words[at])) {
        uint32_t op = gv_spirv_op(&s->words[at]);
        if (op == SpvOpFunction)
            break;
        if (op != SpvOpVariable)
            continue;
        if (gv_spirv_length(&s->words[at]) < 4)
            return fail_at(s, at, "instruction is too short");
        if (!interface_storage(s->words[at + 3]))
            continue;
        if (!fill_variable(s, at, &out->variables[out->variable_count]))
            return false;
        out->variable_count++;
    }
    return true;
}

static bool allocate(struct scan *s)
{
    s->defined_at = gv_arena_array(s->arena, s->bound, sizeof *s->defined_at);
    s->names = gv_arena_array(s->arena, s->bound, sizeof *s->names);
    s->marks = gv_arena_array(s->arena, s->bound, sizeof *s->marks);
    s->member_capacity = s->count / 4;
    s->members = gv_arena_array(s->arena, s->member_capacity, sizeof *s->members);
    if (!s->defined_at || !s->names || !s->marks || !s->members)
        return gv_out_of_memory(s->err);
    for (uint32_t i = 0; i < s->bound; i++)
        s->marks[i] = (struct marks){ .location = GV_SPIRV_UNSET,
                                      .set = GV_SPIRV_UNSET,
                                      .binding = GV_SPIRV_UNSET };
    return true;
}

bool gv_spirv_scan(const uint32_t *words, size_t word_count, uint32_t stage,
                   struct gv_arena *arena, struct gv_spirv_variables *out,
                   struct gv_error *err)
{
    struct gv_arena scratch = { 0 };
    struct scan s = { .words = words,
                      .count = word_count,
                      .stage = stage,
                      .arena = &scratch,
                      .err = err };
    *out = (struct gv_spirv_variables){ 0 };
    if (word_count < GV_SPIRV_HEADER_WORDS || words[0] != SpvMagicNumber)
        return fail_at(&s, 0, "no module header");
    if (words[GV_SPIRV_BOUND_WORD] > GV_MAX_SPIRV_IDS)
        return gv_fail(err, GV_ERR_LIMIT, 12, "spir-v: more than %u ids",
                       GV_MAX_SPIRV_IDS);
    s.bound = words[GV_SPIRV_BOUND_WORD];
    bool ok = allocate(&s) && read_module(&s);
    s.arena = arena;
    ok = ok && collect_variables(&s, out);
    gv_arena_finish(&scratch);
    return ok;
}

static int by_set_and_binding(const void *a, const void *b)
{
    const struct gv_binding_desc *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

static bool add_binding(struct gv_shader_stage *out, const struct gv_spirv_variable *v,
                        struct gv_error *err)
{
    if (v->set == GV_SPIRV_UNSET || v->binding == GV_SPIRV_UNSET)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "spir-v: resource '%.64s' has no set and binding",
                       *v->name ? v->name : v->block_name);
    out->bindings[out->binding_count++] = (struct gv_binding_desc){
        .set = v->set,
        .binding = v->binding,
        .type = v->type,
        .count = v->count,
        .stages = out->stage,
    };
    return true;
}

// Equal (set, binding) twice in one stage: two views of one descriptor, listed once.
static void sort_bindings(struct gv_shader_stage *out)
{
    if (out->binding_count < 2)
        return;
    qsort(out->bindings, out->binding_count, sizeof *out->bindings, by_set_and_binding);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < out->binding_count; i++)
        if (by_set_and_binding(&out->bindings[i], &out->bindings[kept - 1]))
            out->bindings[kept++] = out->bindings[i];
    out->binding_count = kept;
}

bool gv_spirv_reflect(struct gv_shader_stage *out, struct gv_arena *arena,
                      struct gv_error *err)
{
    struct gv_spirv_variables module;
    if (!gv_spirv_scan(out->words, out->word_count, out->stage, arena, &module, err))
        return false;
    out->bindings = gv_arena_array(arena, module.variable_count, sizeof *out->bindings);
    if (!out->bindings)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < module.variable_count; i++) {
        const struct gv_spirv_variable *v = &module.variables[i];
        if (v->storage == SpvStorageClassInput)
            out->input_locations |= v->locations;
        else if (v->storage == SpvStorageClassOutput)
            out->output_locations |= v->locations;
        else if (!add_binding(out, v, err))
            return false;
    }
    sort_bindings(out);
    return true;
}
