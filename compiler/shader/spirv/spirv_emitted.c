#include "compiler/shader/spirv/spirv_emitted.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "resources/base/bytes.h"
#include "vm/spirv/spirv_needs.h" // GV_SPIRV_UNSET

// So many distances to planes lavapipe mixes up where an output is loaded.
#define MOST_DISTANCES 8

// A variable, or a member of the built-in block.
struct output {
    uint32_t variable;
    uint32_t member; // of the block: the constant that names it; 0: a variable
    uint32_t type;   // of what it holds
    bool stored, loaded, escapes; // somewhere; to where its uses are not seen
    bool parts;                   // components of a vector of 64 bits, one by one
    bool fresh;                   // since the last vertex, in this block of code
    bool stale;                   // ahead of some vertex
    uint32_t own;                 // the variable in its place; 0: it is left alone
};

struct reader {
    const struct gv_spirv_types *types;
    uint32_t *outputs; // [types->bound]: of a pointer: its output's number + 1
    uint32_t *whole;   // [types->bound]: likewise, of pointers to all of the output
    uint32_t *goes_to; // [types->bound]: of a pointer: the type that it goes to
    bool *parts;       // [types->bound]: pointers to a component of a vector of 64 bits
    struct output *list;
    size_t count, vertices;
    uint32_t
        entry; // the function that is left where a vertex is whole; 0: it is emitted
    bool many_distances; // MOST_DISTANCES are stored: no output may be loaded
};

static bool is_vertex(uint32_t op)
{
    return op == SpvOpEmitVertex || op == SpvOpEmitStreamVertex;
}

// Whether outputs may differ from what was written when they are given away: a vertex
// after the other (`*entry` is 0), or, in parts of 64 bits or of so many distances,
// when that function returns.
static bool gives_away(const uint32_t *words, size_t count, uint32_t *entry)
{
    bool partial = false;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at, op = gv_spirv_op(w);
        if (op == SpvOpCapability)
            partial |= w[1] == SpvCapabilityFloat64 || w[1] == SpvCapabilityInt64 ||
                       w[1] == SpvCapabilityClipDistance ||
                       w[1] == SpvCapabilityCullDistance;
        if (op != SpvOpEntryPoint)
            continue;
        if (w[1] == SpvExecutionModelGeometry)
            return true;
        *entry = w[2];
        return partial && (w[1] == SpvExecutionModelVertex ||
                           w[1] == SpvExecutionModelTessellationEvaluation);
    }
    return false;
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

// Which built-in a member is; GV_SPIRV_UNSET: none.
static uint32_t built_in_member(const struct gv_spirv_types *t, uint32_t structure,
                                uint32_t member)
{
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) == SpvOpMemberDecorate && w[1] == structure &&
            w[2] == member && w[3] == SpvDecorationBuiltIn)
            return w[4];
    }
    return GV_SPIRV_UNSET;
}

// The structure, if the variable is the block of built-ins that vertices get.
static uint32_t block_of(const struct gv_spirv_types *t, uint32_t variable)
{
    const uint32_t *w = gv_spirv_type(t, variable);
    if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassOutput)
        return 0;
    const uint32_t type = pointee(t, w[1]);
    return built_in_member(t, type, 0) != GV_SPIRV_UNSET ? type : 0;
}

static void find_variables(struct reader *r)
{
    const struct gv_spirv_types *t = r->types;
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *w = t->words + at;
        length = gv_spirv_length(w);
        if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassOutput ||
            block_of(t, w[2]))
            continue;
        r->list[r->count++] =
            (struct output){ .variable = w[2], .type = pointee(t, w[1]) };
        r->outputs[w[2]] = r->whole[w[2]] = (uint32_t)r->count;
        r->goes_to[w[2]] = pointee(t, w[1]);
    }
}

// The number + 1 of the block's member that a chain goes to, 0 if it goes elsewhere.
static uint32_t member_of(struct reader *r, const uint32_t *chain)
{
    const struct gv_spirv_types *t = r->types;
    const uint32_t structure = block_of(t, chain[3]);
    if (!structure || gv_spirv_length(chain) < 5)
        return 0;
    const uint32_t member = gv_spirv_value(t, chain[4]);
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].variable == chain[3] &&
            gv_spirv_value(t, r->list[i].member) == member)
            return (uint32_t)i + 1;
    const uint32_t *w = gv_spirv_type(t, structure);
    if (2 + member >= gv_spirv_length(w))
        return 0;
    r->list[r->count++] = (struct output){ .variable = chain[3],
                                           .member = chain[4],
                                           .type = w[2 + member] };
    return (uint32_t)r->count;
}

// ---- what becomes of them ----

static uint32_t element_of(const struct gv_spirv_types *t, uint32_t type,
                           uint32_t index)
{
    const uint32_t *w = gv_spirv_type(t, type);
    if (gv_spirv_op(w) != SpvOpTypeStruct)
        return w[2];
    const uint32_t member = gv_spirv_value(t, index);
    return 2 + member < gv_spirv_length(w) ? w[2 + member] : 0;
}

// Whether a chain from a pointer to `type` goes to a component of a vector of 64 bits.
static bool is_wide_part(const struct gv_spirv_types *t, const uint32_t *chain,
                         uint32_t type)
{
    const uint32_t *part = gv_spirv_type(t, pointee(t, chain[1]));
    if ((gv_spirv_op(part) != SpvOpTypeFloat && gv_spirv_op(part) != SpvOpTypeInt) ||
        part[2] != 64 || gv_spirv_length(chain) < 5)
        return false;
    for (uint32_t i = 4; type && i + 1 < gv_spirv_length(chain); i++)
        type = element_of(t, type, chain[i]);
    return gv_spirv_op(gv_spirv_type(t, type)) == SpvOpTypeVector;
}

static void read_chain(struct reader *r, const uint32_t *w)
{
    const uint32_t known = r->outputs[w[3]], member = known ? 0 : member_of(r, w);
    r->goes_to[w[2]] = pointee(r->types, w[1]);
    r->parts[w[2]] = is_wide_part(r->types, w, r->goes_to[w[3]]);
    r->outputs[w[2]] = known ? known : member;
    if (member && gv_spirv_length(w) == 5)
        r->whole[w[2]] = member;
}

static void read_store(struct reader *r, uint32_t pointer)
{
    if (r->outputs[pointer]) {
        r->list[r->outputs[pointer] - 1].stored = true;
        r->list[r->outputs[pointer] - 1].parts |= r->parts[pointer];
    }
    if (r->whole[pointer])
        r->list[r->whole[pointer] - 1].fresh = true;
}

static void read_load(struct reader *r, uint32_t pointer)
{
    if (r->outputs[pointer])
        r->list[r->outputs[pointer] - 1].loaded = true;
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
        r->list[i].stale |= !r->list[i].fresh;
    end_block(r);
}

// Pointers that go elsewhere, and the block as a whole.
static void read_others(struct reader *r, const uint32_t *w)
{
    for (uint32_t i = 1; i < gv_spirv_length(w); i++)
        if (w[i] < r->types->bound && r->outputs[w[i]])
            r->list[r->outputs[w[i]] - 1].escapes = true;
}

static void read_instruction(struct reader *r, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        read_chain(r, w);
        break;
    case SpvOpStore:
        read_store(r, w[1]);
        break;
    case SpvOpLoad:
        read_load(r, w[3]);
        break;
    case SpvOpEmitVertex:
    case SpvOpEmitStreamVertex:
        read_vertex(r);
        break;
    case SpvOpFunctionCall: // which may emit
        read_others(r, w);
        end_block(r);
        break;
    case SpvOpLabel:
        end_block(r);
        break;
    case SpvOpCopyMemory:
        read_others(r, w);
        break;
    default:
        break;
    }
}

static uint32_t built_in(const struct gv_spirv_types *t, const struct output *o)
{
    return o->member ? built_in_member(t, block_of(t, o->variable),
                                       gv_spirv_value(t, o->member))
                     : gv_spirv_mark(t, o->variable, SpvDecorationBuiltIn);
}

// Distances to planes that are stored, of both kinds.
static uint64_t distances(const struct reader *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct output *o = &r->list[i];
        const uint32_t is = built_in(r->types, o);
        const uint32_t *array = gv_spirv_type(r->types, o->type);
        if ((is == SpvBuiltInClipDistance || is == SpvBuiltInCullDistance) &&
            o->stored && gv_spirv_op(array) == SpvOpTypeArray)
            sum += gv_spirv_value(r->types, array[3]);
    }
    return sum;
}

static bool is_replaced(const struct reader *r, const struct output *o)
{
    if (!o->stored || o->escapes)
        return false;
    if (o->parts || r->entry)
        return o->parts || (o->loaded && r->many_distances);
    // What is stored that is no constant asks the device for points of any size.
    const bool size = o->member && built_in(r->types, o) == SpvBuiltInPointSize;
    return o->loaded || (o->stale && !size);
}

// ---- the module ----

struct writer {
    const struct reader *r;
    uint32_t bound;
    uint32_t *pointers[2]; // [r->types->bound]: types of pointers, by what they go to
    uint32_t function;     // whose code is written
    struct gv_bytes declared, out;
};

enum { OWN, OUTPUT };

static const struct output *replaced(const struct writer *w, uint32_t pointer)
{
    const uint32_t number = w->r->outputs[pointer];
    const struct output *o = number ? &w->r->list[number - 1] : NULL;
    return o && o->own ? o : NULL;
}

static void find_pointers(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    uint32_t length;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions; at += length) {
        const uint32_t *from = t->words + at;
        length = gv_spirv_length(from);
        if (gv_spirv_op(from) != SpvOpTypePointer)
            continue;
        if (from[2] == SpvStorageClassPrivate)
            w->pointers[OWN][from[3]] = from[1];
        else if (from[2] == SpvStorageClassOutput)
            w->pointers[OUTPUT][from[3]] = from[1];
    }
}

static uint32_t pointer_to(struct writer *w, int which, uint32_t type)
{
    uint32_t *known = &w->pointers[which][type];
    if (!*known) {
        *known = w->bound++;
        GV_SPIRV_PUT(&w->declared, SpvOpTypePointer, *known,
                     which == OWN ? SpvStorageClassPrivate : SpvStorageClassOutput,
                     type);
    }
    return *known;
}

static bool declare_own(struct writer *w)
{
    bool any = false;
    for (size_t i = 0; i < w->r->count; i++) {
        struct output *o = &w->r->list[i];
        if (!is_replaced(w->r, o))
            continue;
        const uint32_t type = pointer_to(w, OWN, o->type);
        pointer_to(w, OUTPUT, o->type);
        o->own = w->bound++;
        GV_SPIRV_PUT(&w->declared, SpvOpVariable, type, o->own, SpvStorageClassPrivate);
        any = true;
    }
    return any;
}

// Types of the pointers that chains of the functions make.
static void declare_chains(struct writer *w)
{
    const struct gv_spirv_types *t = w->r->types;
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        if (is_chain(gv_spirv_op(t->words + at)) && replaced(w, t->words[at + 2]))
            pointer_to(w, OWN, pointee(t, t->words[at + 1]));
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
    gv_bytes_put(&w->out, w->declared.data, w->declared.size);
}

static void put_vertex(struct writer *w, const uint32_t *vertex)
{
    for (size_t i = 0; i < w->r->count; i++) {
        const struct output *o = &w->r->list[i];
        if (!o->own)
            continue;
        const uint32_t value = w->bound++;
        uint32_t pointer = o->variable;
        GV_SPIRV_PUT(&w->out, SpvOpLoad, o->type, value, o->own);
        if (o->member) {
            pointer = w->bound++;
            GV_SPIRV_PUT(&w->out, SpvOpAccessChain, w->pointers[OUTPUT][o->type],
                         pointer, o->variable, o->member);
        }
        GV_SPIRV_PUT(&w->out, SpvOpStore, pointer, value);
    }
    gv_spirv_put(&w->out, vertex, gv_spirv_length(vertex));
}

// The pointer that takes one's place: of all of an output, the variable.
static uint32_t own_of(const struct writer *w, uint32_t pointer)
{
    const struct output *o = replaced(w, pointer);
    return o && w->r->whole[pointer] ? o->own : pointer;
}

static void put_chain(struct writer *w, const uint32_t *from)
{
    const struct output *o = replaced(w, from[2]);
    if (w->r->whole[from[2]])
        return;
    const bool member = o->member && from[3] == o->variable;
    const uint32_t indices = member ? 5 : 4, length = gv_spirv_length(from);
    const uint32_t head[] = { (4 + length - indices) << 16 | SpvOpAccessChain,
                              w->pointers[OWN][pointee(w->r->types, from[1])], from[2],
                              member ? o->own : own_of(w, from[3]) };
    gv_spirv_put(&w->out, head, 4);
    gv_spirv_put(&w->out, from + indices, length - indices);
}

static void put_use(struct writer *w, const uint32_t *from, uint32_t at)
{
    const uint32_t pointer = own_of(w, from[at]);
    gv_spirv_put(&w->out, from, at);
    gv_spirv_put(&w->out, &pointer, 1);
    gv_spirv_put(&w->out, from + at + 1, gv_spirv_length(from) - at - 1);
}

static void put_instruction(struct writer *w, const uint32_t *from)
{
    const uint32_t op = gv_spirv_op(from);
    if (op == SpvOpFunction)
        w->function = from[2];
    if (w->r->entry ? op == SpvOpReturn && w->function == w->r->entry : is_vertex(op))
        put_vertex(w, from);
    else if (is_chain(op) && replaced(w, from[2]))
        put_chain(w, from);
    else if (op == SpvOpLoad)
        put_use(w, from, 3);
    else if (op == SpvOpStore)
        put_use(w, from, 1);
    else
        gv_spirv_put(&w->out, from, gv_spirv_length(from));
}

static bool write(struct writer *w, struct gv_arena *arena, const uint32_t **out,
                  size_t *out_count)
{
    const struct gv_spirv_types *t = w->r->types;
    declare_chains(w);
    put_declarations(w);
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        put_instruction(w, t->words + at);
    uint32_t *words = w->declared.failed || w->out.failed
                          ? NULL
                          : gv_arena_copy(arena, w->out.data, w->out.size);
    if (words)
        words[GV_SPIRV_BOUND_WORD] = w->bound;
    *out = words;
    *out_count = w->out.size / sizeof *words;
    return words != NULL;
}

static bool read_module(struct reader *r, struct gv_arena *arena)
{
    const struct gv_spirv_types *t = r->types;
    size_t chains = 0;
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        chains += is_chain(gv_spirv_op(t->words + at));
    r->outputs = gv_arena_array(arena, t->bound, sizeof *r->outputs);
    r->whole = gv_arena_array(arena, t->bound, sizeof *r->whole);
    r->goes_to = gv_arena_array(arena, t->bound, sizeof *r->goes_to);
    r->parts = gv_arena_array(arena, t->bound, sizeof *r->parts);
    r->list = gv_arena_array(arena, t->bound + chains, sizeof *r->list);
    if (!r->outputs || !r->whole || !r->goes_to || !r->parts || !r->list)
        return false;
    find_variables(r);
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        read_instruction(r, t->words + at);
    r->many_distances = distances(r) >= MOST_DISTANCES;
    return true;
}

bool gv_spirv_keep_emitted(const uint32_t *words, size_t count, struct gv_arena *arena,
                           const uint32_t **out, size_t *out_count,
                           struct gv_error *err)
{
    struct gv_spirv_types types;
    *out = words;
    *out_count = count;
    struct reader r = { .types = &types };
    if (!gives_away(words, count, &r.entry))
        return true;
    if (!gv_spirv_types_read(words, count, arena, &types, err))
        return false;
    struct writer w = { .r = &r, .bound = words[GV_SPIRV_BOUND_WORD] };
    if (!read_module(&r, arena))
        return gv_out_of_memory(err);
    if (!r.entry && !r.vertices)
        return true;
    for (int i = 0; i < 2; i++)
        if (!(w.pointers[i] = gv_arena_array(arena, types.bound, sizeof(uint32_t))))
            return gv_out_of_memory(err);
    find_pointers(&w);
    const bool ok = !declare_own(&w) || write(&w, arena, out, out_count);
    gv_bytes_finish(&w.declared);
    gv_bytes_finish(&w.out);
    return ok || gv_out_of_memory(err);
}
