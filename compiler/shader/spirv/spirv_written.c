#include "compiler/shader/spirv/spirv_written.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_needs.h"

#include <string.h>

struct reader {
    const struct gv_spirv_types *types;
    uint32_t *roots; // [bound]: the storage variable that an id leads to, 0: none
    bool *written;   // [bound]
};

static uint32_t root_of(const struct reader *r, uint32_t id)
{
    return id < r->types->bound ? r->roots[id] : 0;
}

// Whether a variable is of a storage block or storage images, or an array of them.
static bool is_storage(const struct gv_spirv_types *t, const uint32_t *w)
{
    const uint32_t *pointer = gv_spirv_type(t, w[1]);
    const uint32_t *type = gv_spirv_op(pointer) == SpvOpTypePointer
                               ? gv_spirv_type(t, pointer[3])
                               : pointer;
    while (gv_spirv_op(type) == SpvOpTypeArray ||
           gv_spirv_op(type) == SpvOpTypeRuntimeArray)
        type = gv_spirv_type(t, type[2]);
    if (w[3] == SpvStorageClassStorageBuffer)
        return true;
    return w[3] == SpvStorageClassUniformConstant &&
           gv_spirv_op(type) == SpvOpTypeImage && type[7] == 2;
}

// ---- functions ----

static void mark(struct reader *r, uint32_t id)
{
    r->written[root_of(r, id)] = true;
}

// What leads on to the same variable, and what writes; all else that names one might.
static void read_instruction(struct reader *r, const uint32_t *w)
{
    const uint32_t length = gv_spirv_length(w);
    switch (gv_spirv_op(w)) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
    case SpvOpImageTexelPointer:
        r->roots[w[2]] = root_of(r, w[3]);
        return;
    case SpvOpLoad:
        if (gv_spirv_op(gv_spirv_type(r->types, w[1])) == SpvOpTypeImage)
            r->roots[w[2]] = root_of(r, w[3]);
        return;
    case SpvOpArrayLength:
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
    case SpvOpImageQuerySize:
    case SpvOpImageQuerySamples:
    case SpvOpAtomicLoad:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpExtInst:
        return;
    default:
        break;
    }
    for (uint32_t i = 1; i < length; i++)
        if (root_of(r, w[i]))
            mark(r, w[i]);
}

static void read_functions(struct reader *r)
{
    const struct gv_spirv_types *t = r->types;
    uint32_t length;
    for (size_t at = t->functions; at < t->count; at += length) {
        length = gv_spirv_length(t->words + at);
        read_instruction(r, t->words + at);
    }
}

// ---- the module ----

// Where decorations end that name variables: in front of the first type.
static size_t decorations_end(const struct gv_spirv_types *t)
{
    size_t at = GV_SPIRV_HEADER_WORDS, end = at;
    while (at < t->functions) {
        const uint32_t op = gv_spirv_op(t->words + at);
        at += gv_spirv_length(t->words + at);
        if (op == SpvOpDecorate || op == SpvOpMemberDecorate)
            end = at;
    }
    return end;
}

static size_t find_variables(struct reader *r)
{
    const struct gv_spirv_types *t = r->types;
    size_t count = 0;
    size_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) != SpvOpVariable || !is_storage(t, w))
            continue;
        r->roots[w[2]] = w[2];
        count++;
    }
    return count;
}

static uint32_t *say(const struct reader *r, size_t variables, struct gv_arena *arena,
                     size_t *count)
{
    const struct gv_spirv_types *t = r->types;
    const size_t at = decorations_end(t);
    uint32_t *out = gv_arena_array(arena, t->count + 3 * variables, sizeof *out);
    if (!out)
        return NULL;
    memcpy(out, t->words, at * sizeof *out);
    size_t n = at;
    for (uint32_t id = 1; id < t->bound; id++) {
        if (r->roots[id] != id || r->written[id] ||
            gv_spirv_mark(t, id, SpvDecorationNonWritable) != GV_SPIRV_UNSET)
            continue;
        out[n++] = 3u << 16 | SpvOpDecorate;
        out[n++] = id;
        out[n++] = SpvDecorationNonWritable;
    }
    memcpy(out + n, t->words + at, (t->count - at) * sizeof *out);
    *count = n + t->count - at;
    return out;
}

bool gv_spirv_say_read_only(const uint32_t *words, size_t count, struct gv_arena *arena,
                            const uint32_t **out, size_t *out_count,
                            struct gv_error *err)
{
    struct gv_spirv_types types;
    *out = words;
    *out_count = count;
    if (!gv_spirv_types_read(words, count, arena, &types, err))
        return false;
    struct reader r = { .types = &types,
                        .roots = gv_arena_array(arena, types.bound, sizeof *r.roots),
                        .written =
                            gv_arena_array(arena, types.bound, sizeof *r.written) };
    if (!r.roots || !r.written)
        return gv_out_of_memory(err);
    const size_t variables = find_variables(&r);
    if (!variables)
        return true;
    read_functions(&r);
    *out = say(&r, variables, arena, out_count);
    return *out || gv_out_of_memory(err);
}
