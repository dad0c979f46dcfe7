#include "compiler/shader/spirv/spirv_types.h"

#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_needs.h"

#include <string.h>

static const uint32_t nothing[1] = { 1u << 16 | SpvOpNop };

// ---- reading ----

static void read_instruction(struct gv_spirv_types *t, size_t at)
{
    const uint32_t *w = &t->words[at];
    uint32_t length = gv_spirv_length(w), op = gv_spirv_op(w);
    uint32_t id = 0;
    if (op == SpvOpName && length > 2 && w[1] < t->bound &&
        memchr(w + 2, 0, 4 * (size_t)(length - 2)))
        t->names[w[1]] = (const char *)(w + 2);
    else if (gv_spirv_is_type(op) && length > 1)
        id = w[1];
    else if (gv_spirv_has_type(op) && length > 2)
        id = w[2];
    if (id && id < t->bound)
        t->at[id] = at;
}

bool gv_spirv_types_read(const uint32_t *words, size_t count, struct gv_arena *arena,
                         struct gv_spirv_types *out, struct gv_error *err)
{
    *out = (struct gv_spirv_types){ .words = words, .count = count, .arena = arena };
    if (count < GV_SPIRV_HEADER_WORDS || words[GV_SPIRV_BOUND_WORD] > GV_MAX_SPIRV_IDS)
        return gv_fail(err, GV_ERR_FORMAT, 0, "spir-v: no module");
    out->bound = words[GV_SPIRV_BOUND_WORD];
    out->at = gv_arena_array(arena, out->bound, sizeof *out->at);
    out->names = gv_arena_array(arena, out->bound, sizeof *out->names);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    out->fields = gv_arena_array(arena, out->bound, sizeof *out->fields);
    if (!out->at || !out->names || !out->fields)
        return gv_out_of_memory(err);
    size_t at = GV_SPIRV_HEADER_WORDS;
    while (at < count) {
        uint32_t length = gv_spirv_length(&words[at]);
        if (length == 0 || length > count - at)
            return gv_fail(err, GV_ERR_FORMAT, (uint64_t)at * 4,
                           "spir-v: instruction passes the end of the module");
        if (gv_spirv_op(&words[at]) == SpvOpFunction)
            break;
        read_instruction(out, at);
        at += length;
    }
    out->functions = at;
    return true;
}

const uint32_t *gv_spirv_type(const struct gv_spirv_types *t, uint32_t id)
{
    return id < t->bound && t->at[id] ? &t->words[t->at[id]] : nothing;
}

const char *gv_spirv_name(const struct gv_spirv_types *t, uint32_t id)
{
    return id < t->bound && t->names[id] ? t->names[id] : "";
}

uint32_t gv_spirv_value(const struct gv_spirv_types *t, uint32_t id)
{
    const uint32_t *w = gv_spirv_type(t, id);
    bool constant =
        gv_spirv_op(w) == SpvOpConstant || gv_spirv_op(w) == SpvOpSpecConstant;
    // Where nothing is, the length is none.
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn)
    return constant && gv_spirv_length(w) > 3 ? w[3] : 0;
}

static void read_field(const uint32_t *w, struct gv_spirv_field *f)
{
    uint32_t length = gv_spirv_length(w), value = length > 4 ? w[4] : 0;
    if (gv_spirv_op(w) == SpvOpMemberName) {
        if (length > 3 && memchr(w + 3, 0, 4 * (size_t)(length - 3)))
            f->name = (const char *)(w + 3);
    } else if (length > 3 && w[3] == SpvDecorationOffset) {
        f->offset = value;
    } else if (length > 3 && w[3] == SpvDecorationMatrixStride) {
        f->matrix_stride = value;
    } else if (length > 3 && w[3] == SpvDecorationRowMajor) {
        f->row_major = true;
    }
}

const struct gv_spirv_field *gv_spirv_fields(struct gv_spirv_types *t, uint32_t id,
                                             uint32_t *count)
{
    const uint32_t *type = gv_spirv_type(t, id);
    *count = gv_spirv_op(type) == SpvOpTypeStruct ? gv_spirv_length(type) - 2 : 0;
    if (*count == 0 || t->fields[id])
        return *count ? t->fields[id] : NULL;
    struct gv_spirv_field *fields = gv_arena_array(t->arena, *count, sizeof *fields);
    for (uint32_t i = 0; fields && i < *count; i++)
        fields[i] = (struct gv_spirv_field){ .name = "",
                                             .type = type[2 + i],
                                             .offset = GV_SPIRV_UNSET,
                                             .matrix_stride = GV_SPIRV_UNSET };
    for (size_t at = GV_SPIRV_HEADER_WORDS; fields && at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        uint32_t op = gv_spirv_op(w);
        if ((op == SpvOpMemberName || op == SpvOpMemberDecorate) &&
            gv_spirv_length(w) > 2 && w[1] == id && w[2] < *count)
            read_field(w, &fields[w[2]]);
    }
    return t->fields[id] = fields;
}

uint32_t gv_spirv_mark(const struct gv_spirv_types *t, uint32_t id,
                       SpvDecoration decoration)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        if (gv_spirv_op(w) == SpvOpDecorate && gv_spirv_length(w) > 2 && w[1] == id &&
            w[2] == (uint32_t)decoration)
            return gv_spirv_length(w) > 3 ? w[3] : 0;
    }
    return GV_SPIRV_UNSET;
}

// ---- what is used ----

// The operands of an instruction that may be pointers to variables: from `first` on,
// `count` of them.
static void pointers(const uint32_t *w, uint32_t *first, uint32_t *count)
{
    uint32_t length = gv_spirv_length(w);
    *first = 3;
    *count = 1;
    switch (gv_spirv_op(w)) {
    case SpvOpStore:
    case SpvOpCopyMemory:
        *first = 1;
        *count = 2;
        break;
    case SpvOpAtomicStore:
        *first = 1;
        break;
    case SpvOpFunctionCall:
        *first = 4;
        *count = length > 4 ? length - 4 : 0;
        break;
    case SpvOpExtInst:
        *first = 5;
        *count = length > 5 ? length - 5 : 0;
        break;
    case SpvOpLoad:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpImageTexelPointer:
    case SpvOpArrayLength:
    case SpvOpCopyObject:
        break;
    default:
        *count = gv_spirv_is_atomic(gv_spirv_op(w)) ? 1 : 0;
        break;
    }
}

void gv_spirv_mark_used(const struct gv_spirv_types *t, bool *used)
{
    for (size_t at = t->functions; at < t->count;) {
        const uint32_t *w = &t->words[at];
        uint32_t first, count, length = gv_spirv_length(w);
        if (length == 0 || length > t->count - at)
            return;
        pointers(w, &first, &count);
        for (uint32_t i = first; i < first + count && i < length; i++)
            if (w[i] < t->bound)
                used[w[i]] = true;
        at += length;
    }
}

void gv_spirv_mark_members(const struct gv_spirv_types *t, uint32_t variable,
                           bool *members, uint32_t count)
{
    for (size_t at = t->functions; at < t->count;) {
        const uint32_t *w = &t->words[at];
        uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
        if (length == 0 || length > t->count - at)
            return;
        bool chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
        if (chain && length > 4 && w[3] == variable) {
            uint32_t member = gv_spirv_value(t, w[4]);
            if (member < count)
                members[member] = true;
        }
        at += length;
    }
}

// ---- dropping ----

static bool dropped(const struct gv_spirv_types *t, const bool *gone, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpName:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
        return w[1] < t->bound && gone[w[1]];
    case SpvOpVariable:
        return w[2] < t->bound && gone[w[2]];
    default:
        return false;
    }
}

static void copy_entry_point(const struct gv_spirv_types *t, const bool *gone,
                             const uint32_t *w, uint32_t *to, size_t *n)
{
    uint32_t length = gv_spirv_length(w), from = gv_spirv_interface_at(w);
    size_t start = *n;
    for (uint32_t i = 0; i < length; i++)
        if (i < from || w[i] >= t->bound || !gone[w[i]])
            to[(*n)++] = w[i];
    to[start] = (uint32_t)(*n - start) << 16 | SpvOpEntryPoint;
}

// Built-ins count as used.
static void mark_builtins(const struct gv_spirv_types *t, bool *used)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        if (gv_spirv_op(w) == SpvOpDecorate && gv_spirv_length(w) > 3 &&
            w[2] == SpvDecorationBuiltIn && w[1] < t->bound)
            used[w[1]] = true;
    }
}

static void find_unused(const struct gv_spirv_types *t, uint32_t classes,
                        const bool *used, bool *gone)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(&t->words[at])) {
        const uint32_t *w = &t->words[at];
        if (gv_spirv_op(w) == SpvOpVariable && gv_spirv_length(w) > 3 && w[3] < 32 &&
            (classes >> w[3] & 1) && w[2] < t->bound)
            gone[w[2]] = !used[w[2]];
    }
}

bool gv_spirv_drop_unused(const uint32_t *words, size_t count, uint32_t classes,
                          struct gv_arena *arena, const uint32_t **out,
                          size_t *out_count, struct gv_error *err)
{
    struct gv_spirv_types t;
    if (!gv_spirv_types_read(words, count, arena, &t, err))
        return false;
    bool *used = gv_arena_array(arena, t.bound, 1);
    bool *gone = gv_arena_array(arena, t.bound, 1);
    uint32_t *to = gv_arena_array(arena, count, 4);
    if (!used || !gone || !to)
        return gv_out_of_memory(err);
    gv_spirv_mark_used(&t, used);
    mark_builtins(&t, used);
    find_unused(&t, classes, used, gone);
    size_t n = GV_SPIRV_HEADER_WORDS;
    memcpy(to, words, 4 * n);
    for (size_t at = n; at < count; at += gv_spirv_length(&words[at])) {
        const uint32_t *w = &words[at];
        if (gv_spirv_length(w) == 0 || gv_spirv_length(w) > count - at)
            return gv_fail(err, GV_ERR_FORMAT, (uint64_t)at * 4,
                           "spir-v: instruction passes the end of the module");
        if (gv_spirv_op(w) == SpvOpEntryPoint) {
            copy_entry_point(&t, gone, w, to, &n);
        } else if (!dropped(&t, gone, w)) {
            memcpy(to + n, w, 4 * (size_t)gv_spirv_length(w));
            n += gv_spirv_length(w);
        }
    }
    *out = to;
    *out_count = n;
    return true;
}
