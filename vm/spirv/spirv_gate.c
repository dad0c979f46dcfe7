#include "vm/spirv/spirv_gate.h"

#include "vm/spirv/spirv_words.h"

#include <stdlib.h>

struct shape {
    uint32_t parts, depth; // of a type, else 0
    uint32_t type;         // of a value, else 0
};

struct gate {
    const uint32_t *words;
    struct shape *ids; // [bound]
    uint32_t bound;
    uint64_t walked, selections, loops, cases;
};

static uint64_t offset_of(const struct gate *g, const uint32_t *w)
{
    return (uint64_t)(w - g->words) * 4;
}

static struct shape shape_of(const struct gate *g, uint32_t id)
{
    return id < g->bound ? g->ids[id] : (struct shape){ 0 };
}

// ---- decorations ----

static bool check_decoration(const struct gate *g, const uint32_t *w,
                             struct gv_error *err)
{
    const char *name = NULL;
    switch (gv_spirv_op(w)) {
    case SpvOpDecorationGroup:
        name = "OpDecorationGroup";
        break;
    case SpvOpGroupDecorate:
        name = "OpGroupDecorate";
        break;
    case SpvOpGroupMemberDecorate:
        name = "OpGroupMemberDecorate";
        break;
    case SpvOpDecorateId: // UniformId says how often a value changes, no more
        if (gv_spirv_length(w) < 3 || w[2] != SpvDecorationUniformId)
            name = "OpDecorateId";
        break;
    default:
        break;
    }
    return !name || gv_fail(err, GV_ERR_UNSUPPORTED, offset_of(g, w),
                            "unsupported: SPIR-V %s", name);
}

// ---- types ----

// The words of a type that name types held: [first, end).
static void parts_of(const uint32_t *w, uint32_t *first, uint32_t *end)
{
    uint32_t length = gv_spirv_length(w);
    *first = 2;
    switch (gv_spirv_op(w)) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeImage:
    case SpvOpTypeSampledImage:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        *end = 3;
        break;
    case SpvOpTypePointer:
        *first = 3;
        *end = 4;
        break;
    case SpvOpTypeStruct:
    case SpvOpTypeFunction:
        *end = length;
        break;
    default:
        *end = *first;
        break;
    }
    if (*end > length)
        *end = length;
}

static bool note_type(struct gate *g, const uint32_t *w, struct gv_error *err)
{
    uint32_t first, end, depth = 0;
    uint64_t parts = 1;
    parts_of(w, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct shape part = shape_of(g, w[i]);
        parts += part.parts; // each at most the limit, words at most 65535
        depth = part.depth > depth ? part.depth : depth;
    }
    if (!gv_spirv_within(GV_SPIRV_BOUND_TYPE_DEPTH, depth + 1, offset_of(g, w), err) ||
        !gv_spirv_within(GV_SPIRV_BOUND_TYPE_PARTS, parts, offset_of(g, w), err))
        return false;
    if (w[1] < g->bound)
        g->ids[w[1]] = (struct shape){ (uint32_t)parts, depth + 1, 0 };
    return true;
}

// The type whose parts an instruction makes others walk, 0 = none.
static uint32_t walked_type(const struct gate *g, const uint32_t *w)
{
    uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    if (gv_spirv_is_type(op))
        return length > 1 ? w[1] : 0;
    if (gv_spirv_has_type(op))
        return length > 2 ? w[1] : 0;
    if (op == SpvOpStore && length > 2)
        return shape_of(g, w[2]).type;
    if (op == SpvOpCopyMemory && length > 1)
        return shape_of(g, w[1]).type;
    return 0;
}

// How deep it is nested, the validator sees (CONTROL_DEPTH).
static bool note_control(struct gate *g, const uint32_t *w, struct gv_error *err)
{
    g->selections += gv_spirv_op(w) == SpvOpSelectionMerge;
    g->loops += gv_spirv_op(w) == SpvOpLoopMerge;
    if (gv_spirv_op(w) == SpvOpSwitch) // what is asked, the default, numbers and labels
        g->cases += gv_spirv_length(w) / 2;
    return gv_spirv_within(GV_SPIRV_BOUND_SELECTIONS, g->selections, offset_of(g, w),
                           err) &&
           gv_spirv_within(GV_SPIRV_BOUND_LOOPS, g->loops, offset_of(g, w), err) &&
           gv_spirv_within(GV_SPIRV_BOUND_CASES, g->cases, offset_of(g, w), err);
}

static bool look(struct gate *g, const uint32_t *w, struct gv_error *err)
{
    uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    if (!check_decoration(g, w, err) || !note_control(g, w, err))
        return false;
    if (gv_spirv_is_type(op) && length > 1 && !note_type(g, w, err))
        return false;
    if (gv_spirv_has_type(op) && length > 2 && w[2] < g->bound)
        g->ids[w[2]].type = w[1];
    g->walked += shape_of(g, walked_type(g, w)).parts;
    return gv_spirv_within(GV_SPIRV_BOUND_WALKED_PARTS, g->walked, offset_of(g, w),
                           err);
}

bool gv_spirv_gate_header(const uint32_t *words, size_t count, struct gv_error *err)
{
    // The validator also takes big-endian modules; drivers do not.
    if (count < 5 || words[0] != SpvMagicNumber)
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a SPIR-V module");
    if (!gv_spirv_within(GV_SPIRV_BOUND_WORDS, count, GV_NO_OFFSET, err) ||
        !gv_spirv_within(GV_SPIRV_BOUND_IDS, words[3], 12, err))
        return false;
    // Ids cost memory whether used or not: they must be in proportion to the words.
    return words[3] <= 16 * count ||
           gv_fail(err, GV_ERR_UNSUPPORTED, 12,
                   "SPIR-V id bound %u is too large for %zu words", words[3], count);
}

bool gv_spirv_gate(const uint32_t *words, size_t count, struct gv_error *err)
{
    if (!gv_spirv_gate_header(words, count, err))
        return false;
    struct gate g = { .words = words, .bound = words[3] };
    g.ids = calloc(g.bound ? g.bound : 1, sizeof *g.ids);
    if (!g.ids)
        return gv_out_of_memory(err);
    bool ok = true;
    for (size_t at = 5; ok && at < count; at += gv_spirv_length(words + at)) {
        uint32_t length = gv_spirv_length(words + at);
        if (length == 0 || length > count - at)
            ok = gv_fail(err, GV_ERR_FORMAT, at * 4, "malformed SPIR-V instruction");
        else
            ok = look(&g, words + at, err);
    }
    free(g.ids);
    return ok;
}
