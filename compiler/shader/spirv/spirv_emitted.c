#include "compiler/shader/spirv/spirv_emitted.h"

#include "compiler/shader/spirv/spirv_types.h"

#include <string.h>

// Words that one output adds to each vertex: chain and load, then the store.
#define KEPT_WORDS (5u + 4u + 3u)

struct output {
    uint32_t variable;
    uint32_t member;  // of a built-in block: the constant that names it; 0: all of it
    uint32_t pointer; // its type, with `member`
    uint32_t type;    // what is loaded and stored
    bool stored;      // somewhere
    bool fresh;       // since the last vertex, in this block of code
    bool kept;
};

struct reader {
    const struct gv_spirv_types *types;
    uint32_t *outputs; // [types->bound]: of a pointer: its output's number + 1
    uint32_t *whole;   // [types->bound]: likewise, of pointers to all of the output
    struct output *list;
    size_t count, vertices;
};

static bool is_vertex(uint32_t op)
{
    return op == SpvOpEmitVertex || op == SpvOpEmitStreamVertex;
}

// ---- which outputs there are ----

static uint32_t pointee(const struct gv_spirv_types *t, uint32_t pointer)
{
    const uint32_t *w = gv_spirv_type(t, pointer);
    return gv_spirv_op(w) == SpvOpTypePointer ? w[3] : 0;
}

static bool has_built_in_members(const struct gv_spirv_types *t, uint32_t structure)
{
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) == SpvOpMemberDecorate && w[1] == structure &&
            w[3] == SpvDecorationBuiltIn)
            return true;
    }
    return false;
}

static struct output *add(struct reader *r, uint32_t id)
{
    r->outputs[id] = r->whole[id] = (uint32_t)++r->count;
    return &r->list[r->count - 1];
}

static void find_variables(struct reader *r)
{
    const struct gv_spirv_types *t = r->types;
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassOutput)
            continue;
        const uint32_t type = pointee(t, w[1]);
        if (type && !has_built_in_members(t, type))
            *add(r, w[2]) = (struct output){ .variable = w[2], .type = type };
    }
}

static bool is_built_in_block(const struct gv_spirv_types *t, uint32_t variable)
{
    const uint32_t *w = gv_spirv_type(t, variable);
    return gv_spirv_op(w) == SpvOpVariable && w[3] == SpvStorageClassOutput &&
           has_built_in_members(t, pointee(t, w[1]));
}

// A pointer into an output: of what output, and whether it is all of it.
static void read_chain(struct reader *r, const uint32_t *w)
{
    const struct gv_spirv_types *t = r->types;
    if (r->outputs[w[3]]) {
        r->outputs[w[2]] = r->outputs[w[3]];
        return;
    }
    if (gv_spirv_length(w) != 5 || !is_built_in_block(t, w[3]))
        return;
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].variable == w[3] &&
            gv_spirv_value(t, r->list[i].member) == gv_spirv_value(t, w[4])) {
            r->outputs[w[2]] = r->whole[w[2]] = (uint32_t)i + 1;
            return;
        }
    *add(r, w[2]) = (struct output){
        .variable = w[3], .member = w[4], .pointer = w[1], .type = pointee(t, w[1])
    };
}

// ---- which are kept ----

static void read_store(struct reader *r, uint32_t pointer)
{
    if (r->outputs[pointer])
        r->list[r->outputs[pointer] - 1].stored = true;
    if (r->whole[pointer])
        r->list[r->whole[pointer] - 1].fresh = true;
}

static void end_block(struct reader *r)
{
    for (size_t i = 0; i < r->count; i++)
        r->list[i].fresh = false;
}

static void read_vertex(struct reader *r)
{
    r->vertices++;
    for (size_t i = 0; i < r->count; i++)
        r->list[i].kept |= !r->list[i].fresh;
    end_block(r);
}

static void read_instruction(struct reader *r, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w);
    if (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain)
        read_chain(r, w);
    else if (op == SpvOpStore)
        read_store(r, w[1]);
    else if (op == SpvOpLabel || op == SpvOpFunctionCall)
        end_block(r); // a call may emit
    else if (is_vertex(op))
        read_vertex(r);
}

// How many outputs of a built-in block's there may be besides the variables.
static size_t count_chains(const struct gv_spirv_types *t)
{
    size_t chains = 0;
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        chains += gv_spirv_op(t->words + at) == SpvOpAccessChain ||
                  gv_spirv_op(t->words + at) == SpvOpInBoundsAccessChain;
    return chains;
}

// ---- the module ----

static bool is_kept(const struct output *o)
{
    return o->stored && o->kept;
}

static size_t put(uint32_t *out, size_t at, const uint32_t *words, size_t count)
{
    memcpy(out + at, words, count * sizeof *words);
    return at + count;
}

// One vertex: loads, what was there, stores.
static size_t write_vertex(const struct reader *r, uint32_t *out, size_t at,
                           const uint32_t *vertex, uint32_t *bound)
{
    const uint32_t first = *bound;
    for (size_t i = 0; i < r->count; i++) {
        const struct output *o = &r->list[i];
        if (!is_kept(o))
            continue;
        const uint32_t pointer = o->member ? (*bound)++ : o->variable,
                       value = (*bound)++;
        if (o->member)
            at = put(out, at,
                     (uint32_t[]){ 5u << 16 | SpvOpAccessChain, o->pointer, pointer,
                                   o->variable, o->member },
                     5);
        at = put(out, at, (uint32_t[]){ 4u << 16 | SpvOpLoad, o->type, value, pointer },
                 4);
    }
    at = put(out, at, vertex, gv_spirv_length(vertex));
    uint32_t id = first;
    for (size_t i = 0; i < r->count; i++) {
        const struct output *o = &r->list[i];
        if (!is_kept(o))
            continue;
        const uint32_t pointer = o->member ? id++ : o->variable, value = id++;
        at = put(out, at, (uint32_t[]){ 3u << 16 | SpvOpStore, pointer, value }, 3);
    }
    return at;
}

static uint32_t *write(const struct reader *r, size_t kept, struct gv_arena *arena,
                       size_t *count)
{
    const struct gv_spirv_types *t = r->types;
    uint32_t *out =
        gv_arena_array(arena, t->count + KEPT_WORDS * kept * r->vertices, sizeof *out);
    if (!out)
        return NULL;
    uint32_t bound = t->words[GV_SPIRV_BOUND_WORD], length;
    size_t n = put(out, 0, t->words, t->functions);
    for (size_t at = t->functions; at < t->count; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        n = is_vertex(gv_spirv_op(w)) ? write_vertex(r, out, n, w, &bound)
                                      : put(out, n, w, length);
    }
    out[GV_SPIRV_BOUND_WORD] = bound;
    *count = n;
    return out;
}

bool gv_spirv_keep_emitted(const uint32_t *words, size_t count, struct gv_arena *arena,
                           const uint32_t **out, size_t *out_count,
                           struct gv_error *err)
{
    struct gv_spirv_types types;
    *out = words;
    *out_count = count;
    if (!gv_spirv_types_read(words, count, arena, &types, err))
        return false;
    struct reader r = {
        .types = &types,
        .outputs = gv_arena_array(arena, types.bound, sizeof *r.outputs),
        .whole = gv_arena_array(arena, types.bound, sizeof *r.whole),
        .list =
            gv_arena_array(arena, types.bound + count_chains(&types), sizeof *r.list),
    };
    if (!r.outputs || !r.whole || !r.list)
        return gv_out_of_memory(err);
    find_variables(&r);
    for (size_t at = types.functions; at < count; at += gv_spirv_length(words + at))
        read_instruction(&r, words + at);
    size_t kept = 0;
    for (size_t i = 0; i < r.count; i++)
        kept += is_kept(&r.list[i]);
    if (!kept || !r.vertices)
        return true;
    *out = write(&r, kept, arena, out_count);
    return *out || gv_out_of_memory(err);
}
