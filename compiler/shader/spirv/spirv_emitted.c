#include "compiler/shader/spirv/spirv_emitted.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "resources/base/bytes.h"
#include "vm/spirv/spirv_needs.h" // GV_SPIRV_UNSET

struct output {
    uint32_t variable;
    uint32_t member;  // of a built-in block: the constant that names it; 0: all of it
    uint32_t pointer; // its type, with `member`
    uint32_t type;    // what is loaded and stored
    bool stored;      // somewhere
    bool fresh;       // since the last vertex, in this block of code
    bool kept;
    // Stands for one that is no built-in: a variable that is the invocation's own, and
    // is stored to the output ahead of each vertex. 0: none.
    uint32_t own;
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

static bool is_chain(uint32_t op)
{
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
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
    if (is_chain(op))
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
        chains += is_chain(gv_spirv_op(t->words + at));
    return chains;
}

// ---- the module ----

struct writer {
    const struct reader *r;
    uint32_t bound;
    uint32_t *own_types; // [r->types->bound]: of a type of pointers; 0: none so far
    struct gv_bytes declared, out;
};

static const struct output *kept_of(const struct writer *w, uint32_t pointer)
{
    const uint32_t number = w->r->outputs[pointer];
    const struct output *o = number ? &w->r->list[number - 1] : NULL;
    return o && o->stored && o->kept ? o : NULL;
}

// The type of pointers to the same, of the invocation's own.
static uint32_t own_type(struct writer *w, uint32_t pointer)
{
    if (!w->own_types[pointer]) {
        w->own_types[pointer] = w->bound++;
        GV_SPIRV_PUT(&w->declared, SpvOpTypePointer, w->own_types[pointer],
                     SpvStorageClassPrivate, pointee(w->r->types, pointer));
    }
    return w->own_types[pointer];
}

static void declare_own(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    for (size_t i = 0; i < w->r->count; i++) {
        struct output *o = &w->r->list[i];
        if (!o->stored || !o->kept || o->member ||
            gv_spirv_mark(t, o->variable, SpvDecorationBuiltIn) != GV_SPIRV_UNSET)
            continue;
        const uint32_t type = own_type(w, gv_spirv_type(t, o->variable)[1]);
        o->own = w->bound++;
        GV_SPIRV_PUT(&w->declared, SpvOpVariable, type, o->own, SpvStorageClassPrivate);
    }
}

static void put_entry_point(struct writer *w, const uint32_t *entry)
{
    const bool all = w->r->types->words[1] >= GV_SPIRV_1_4;
    uint32_t owned = 0;
    for (size_t i = 0; all && i < w->r->count; i++)
        owned += w->r->list[i].own != 0;
    const uint32_t head = entry[0] + (owned << 16);
    gv_spirv_put(&w->out, &head, 1);
    gv_spirv_put(&w->out, entry + 1, gv_spirv_length(entry) - 1);
    for (size_t i = 0; owned && i < w->r->count; i++)
        if (w->r->list[i].own)
            gv_spirv_put(&w->out, &w->r->list[i].own, 1);
}

static void put_declarations(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    uint32_t length;
    gv_spirv_put(&w->out, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        length = gv_spirv_length(t->words + at);
        if (gv_spirv_op(t->words + at) == SpvOpEntryPoint)
            put_entry_point(w, t->words + at);
        else
            gv_spirv_put(&w->out, t->words + at, length);
    }
}

// One vertex. What is the invocation's own becomes the output; a built-in's value is
// taken ahead and stored again behind.
static void put_vertex(struct writer *w, const uint32_t *vertex)
{
    const uint32_t first = w->bound;
    for (size_t i = 0; i < w->r->count; i++) {
        const struct output *o = &w->r->list[i];
        if (!o->stored || !o->kept)
            continue;
        const uint32_t pointer = o->own ? o->own : o->member ? w->bound++ : o->variable;
        const uint32_t value = w->bound++;
        if (o->member)
            GV_SPIRV_PUT(&w->out, SpvOpAccessChain, o->pointer, pointer, o->variable,
                         o->member);
        GV_SPIRV_PUT(&w->out, SpvOpLoad, o->type, value, pointer);
        if (o->own)
            GV_SPIRV_PUT(&w->out, SpvOpStore, o->variable, value);
    }
    gv_spirv_put(&w->out, vertex, gv_spirv_length(vertex));
    uint32_t id = first;
    for (size_t i = 0; i < w->r->count; i++) {
        const struct output *o = &w->r->list[i];
        if (!o->stored || !o->kept)
            continue;
        const uint32_t pointer = o->member ? id++ : o->variable, value = id++;
        if (!o->own)
            GV_SPIRV_PUT(&w->out, SpvOpStore, pointer, value);
    }
}

// An instruction, with the invocation's own in the place of outputs.
static void put_instruction(struct writer *w, const uint32_t *from)
{
    const uint32_t op = gv_spirv_op(from), length = gv_spirv_length(from);
    const uint32_t at = is_chain(op) || op == SpvOpLoad ? 3 : op == SpvOpStore ? 1 : 0;
    const struct output *o = at ? kept_of(w, from[at]) : NULL;
    if (!o || !o->own) {
        gv_spirv_put(&w->out, from, length);
        return;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint32_t word = from[i];
        if (i == at && word == o->variable)
            word = o->own;
        else if (i == 1 && is_chain(op))
            word = own_type(w, word);
        gv_spirv_put(&w->out, &word, 1);
    }
}

static void put_functions(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        if (is_vertex(gv_spirv_op(t->words + at)))
            put_vertex(w, t->words + at);
        else
            put_instruction(w, t->words + at);
}

// Types of pointers first, for what the functions need.
static void declare_types(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *from = t->words + at;
        const struct output *o =
            is_chain(gv_spirv_op(from)) ? kept_of(w, from[3]) : NULL;
        if (o && o->own)
            own_type(w, from[1]);
    }
}

static bool write(struct reader *r, struct gv_arena *arena, const uint32_t **out,
                  size_t *out_count)
{
    const struct gv_spirv_types *t = r->types;
    struct writer w = { .r = r,
                        .bound = t->words[GV_SPIRV_BOUND_WORD],
                        .own_types =
                            gv_arena_array(arena, t->bound, sizeof *w.own_types) };
    if (!w.own_types)
        return false;
    declare_own(&w);
    declare_types(&w);
    put_declarations(&w);
    gv_bytes_put(&w.out, w.declared.data, w.declared.size);
    put_functions(&w);
    uint32_t *words = w.declared.failed || w.out.failed
                          ? NULL
                          : gv_arena_copy(arena, w.out.data, w.out.size);
    if (words)
        words[GV_SPIRV_BOUND_WORD] = w.bound;
    *out = words;
    *out_count = w.out.size / sizeof *words;
    gv_bytes_finish(&w.declared);
    gv_bytes_finish(&w.out);
    return words != NULL;
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
    bool any = false;
    for (size_t i = 0; i < r.count; i++)
        any |= r.list[i].stored && r.list[i].kept;
    return !any || !r.vertices || write(&r, arena, out, out_count) ||
           gv_out_of_memory(err);
}
