#include "compiler/shader/spirv/spirv_wrap.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"
#include "vm/spirv/spirv_needs.h"

#define MOST_WORDS 24u      // of a lookup
#define MOST_COORDINATES 4u // of one, with a layer
#define MOST_ROUNDS 32u     // functions that hand textures on

struct clamping {
    struct gv_spirv_types types;
    uint16_t *bits;    // [bound]: of a texture, a pointer to it, what is loaded of it
    bool *known;       // [bound]: of a function's parameter
    uint32_t *type_of; // [bound]: of a result
    size_t *functions; // [bound]: where a function begins
    uint32_t glsl;     // the set of GLSL.std.450
    bool changed, queries, mixed;
    struct gv_spirv_edit edit;
};

// ---- which values are of which textures ----

static uint16_t bits_of(const struct clamping *c, uint32_t id)
{
    return id < c->types.bound ? c->bits[id] : 0;
}

static void find_textures(struct clamping *c, const struct gv_spirv_wraps *clamps)
{
    const struct gv_spirv_types *t = &c->types;
    for (uint32_t id = 1; id < t->bound; id++) {
        const uint32_t *w = gv_spirv_type(t, id);
        if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassUniformConstant)
            continue;
        const uint32_t set = gv_spirv_mark(t, id, SpvDecorationDescriptorSet);
        const uint32_t binding = gv_spirv_mark(t, id, SpvDecorationBinding);
        for (size_t i = 0; i < clamps->count; i++)
            if (clamps->list[i].set == set && clamps->list[i].binding == binding)
                c->bits[id] = clamps->list[i].bits;
    }
}

static void give(struct clamping *c, uint32_t id, uint16_t bits)
{
    c->changed |= c->bits[id] != bits;
    c->bits[id] = bits;
}

static bool is_image(const struct clamping *c, uint32_t pointer)
{
    const uint32_t *type = gv_spirv_type(&c->types, c->type_of[pointer]);
    return gv_spirv_op(type) == SpvOpTypePointer &&
           type[2] == SpvStorageClassUniformConstant;
}

// What a function is called with is what its parameters are.
static void read_call(struct clamping *c, const uint32_t *call)
{
    const uint32_t length = gv_spirv_length(call);
    const uint32_t *words = c->types.words;
    size_t at = c->functions[call[3]];
    if (!at)
        return;
    at += gv_spirv_length(words + at);
    for (uint32_t i = 4;
         i < length && gv_spirv_op(words + at) == SpvOpFunctionParameter;
         i++, at += gv_spirv_length(words + at)) {
        const uint32_t to = words[at + 2];
        if (!is_image(c, call[i]))
            continue;
        uint16_t bits = bits_of(c, call[i]);
        if (c->known[to]) { // depths that are no fractions are seldom outside of 0..1
            c->mixed |= (c->bits[to] ^ bits) & ~GV_SPIRV_WRAP_REFERENCE;
            bits |= c->bits[to] & GV_SPIRV_WRAP_REFERENCE;
        }
        give(c, to, bits);
        c->known[to] = true;
    }
}

static void read_instruction(struct clamping *c, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpLoad:
    case SpvOpCopyObject:
        give(c, w[2], bits_of(c, w[3]));
        break;
    case SpvOpFunctionCall:
        read_call(c, w);
        break;
    default:
        break;
    }
}

// Parameters of a function that is called by one of those behind it take a round each.
static void follow(struct clamping *c)
{
    const struct gv_spirv_types *t = &c->types;
    uint32_t rounds = 0;
    do {
        c->changed = c->mixed = false;
        memset(c->known, 0, t->bound * sizeof *c->known);
        for (size_t at = t->functions; at < t->count;
             at += gv_spirv_length(t->words + at))
            read_instruction(c, t->words + at);
    } while (c->changed && ++rounds < MOST_ROUNDS);
}

static void read_results(struct clamping *c)
{
    const struct gv_spirv_types *t = &c->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_has_type(gv_spirv_op(w)))
            c->type_of[w[2]] = w[1];
        if (gv_spirv_op(w) == SpvOpFunction)
            c->functions[w[2]] = at;
        if (gv_spirv_op(w) == SpvOpExtInstImport)
            c->glsl = w[1];
    }
}

// ---- writing ----

static uint32_t emit(struct clamping *c, SpvOp op, uint32_t type, uint32_t a,
                     uint32_t b)
{
    GV_SPIRV_PUT(&c->edit.body, op, type, c->edit.next_id, a, b);
    return c->edit.next_id++;
}

static uint32_t emit_one(struct clamping *c, SpvOp op, uint32_t type, uint32_t a)
{
    GV_SPIRV_PUT(&c->edit.body, op, type, c->edit.next_id, a);
    return c->edit.next_id++;
}

// ---- one lookup ----

struct lookup {
    uint32_t real; // type of a coordinate
    uint32_t image, texture, result_type;
    uint32_t sides; // coordinates in space
    bool layered;
    uint16_t bits;
    uint32_t at[MOST_COORDINATES]; // coordinates, then the layer
    uint32_t slopes[2];            // 0: none
    uint32_t sizes[3];             // 0: nobody asked
    bool moved;                    // the offset is in the coordinates
    uint32_t q;                    // what projects; 0: nothing
};

static uint32_t sides_of(uint32_t dimension)
{
    switch (dimension) {
    case SpvDim1D:
        return 1;
    case SpvDim2D:
    case SpvDimRect:
        return 2;
    case SpvDim3D:
        return 3;
    default:
        return 0;
    }
}

static bool projects(uint32_t op)
{
    return op >= SpvOpImageSampleProjImplicitLod &&
           op <= SpvOpImageSampleProjDrefExplicitLod;
}

static bool looks_up(uint32_t op)
{
    return (op >= SpvOpImageSampleImplicitLod &&
            op <= SpvOpImageSampleProjDrefExplicitLod) ||
           op == SpvOpImageGather || op == SpvOpImageDrefGather;
}

static bool is_implicit(uint32_t op)
{
    return op == SpvOpImageSampleImplicitLod || op == SpvOpImageSampleDrefImplicitLod ||
           op == SpvOpImageSampleProjImplicitLod ||
           op == SpvOpImageSampleProjDrefImplicitLod;
}

// Words in front of the image operands.
static uint32_t fixed_words(uint32_t op)
{
    switch (op) {
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
        return 5;
    default:
        return 6;
    }
}

static bool describe(struct clamping *c, const uint32_t *w, struct lookup *l)
{
    const struct gv_spirv_types *t = &c->types;
    const uint32_t *sampled = gv_spirv_type(t, c->type_of[w[3]]);
    if (gv_spirv_op(sampled) != SpvOpTypeSampledImage ||
        gv_spirv_length(w) > MOST_WORDS)
        return false;
    const uint32_t *image = gv_spirv_type(t, sampled[2]);
    const uint32_t *at = gv_spirv_type(t, c->type_of[w[4]]);
    *l = (struct lookup){ .image = sampled[2],
                          .texture = w[3],
                          .sides = sides_of(image[3]),
                          .layered = image[5] != 0,
                          .bits = bits_of(c, w[3]) };
    l->real = gv_spirv_op(at) == SpvOpTypeVector ? at[2] : c->type_of[w[4]];
    return l->sides != 0;
}

static void take_apart(struct clamping *c, const uint32_t *w, struct lookup *l)
{
    const bool vector =
        gv_spirv_op(gv_spirv_type(&c->types, c->type_of[w[4]])) == SpvOpTypeVector;
    const uint32_t count = l->sides + l->layered;
    for (uint32_t i = 0; i < count; i++)
        l->at[i] = vector ? emit(c, SpvOpCompositeExtract, l->real, w[4], i) : w[4];
    if (!projects(gv_spirv_op(w)))
        return;
    l->q = emit(c, SpvOpCompositeExtract, l->real, w[4], l->sides);
    for (uint32_t i = 0; i < l->sides; i++)
        l->at[i] = emit(c, SpvOpFDiv, l->real, l->at[i], l->q);
}

static uint32_t together(struct clamping *c, const struct lookup *l,
                         const uint32_t *parts, uint32_t count)
{
    if (count == 1)
        return parts[0];
    uint32_t words[2 + MOST_COORDINATES] = {
        gv_spirv_edit_type(&c->edit, SpvOpTypeVector, l->real, count), 0
    };
    words[1] = c->edit.next_id;
    memcpy(words + 2, parts, count * sizeof *parts);
    gv_spirv_put_op(&c->edit.body, SpvOpCompositeConstruct, words, 2 + count);
    return c->edit.next_id++;
}

// `bias`: 0 is none.
static void take_slopes(struct clamping *c, struct lookup *l, uint32_t bias)
{
    uint32_t factor = 0;
    if (bias) {
        GV_SPIRV_PUT(&c->edit.body, SpvOpExtInst, l->real, c->edit.next_id, c->glsl,
                     GLSLstd450Exp2, bias);
        factor = c->edit.next_id++;
    }
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t parts[MOST_COORDINATES];
        for (uint32_t i = 0; i < l->sides; i++) {
            parts[i] = emit_one(c, k ? SpvOpDPdy : SpvOpDPdx, l->real, l->at[i]);
            if (factor)
                parts[i] = emit(c, SpvOpFMul, l->real, parts[i], factor);
        }
        l->slopes[k] = together(c, l, parts, l->sides);
    }
}

// Texels of each side, once.
static const uint32_t *sizes(struct clamping *c, struct lookup *l)
{
    if (l->sizes[0])
        return l->sizes;
    const uint32_t integer = gv_spirv_edit_type(&c->edit, SpvOpTypeInt, 32, 1);
    const uint32_t count = l->sides + l->layered;
    const uint32_t type =
        count > 1 ? gv_spirv_edit_type(&c->edit, SpvOpTypeVector, integer, count)
                  : integer;
    const uint32_t zero = gv_spirv_edit_word(&c->edit, integer, 0);
    const uint32_t image = emit_one(c, SpvOpImage, l->image, l->texture);
    const uint32_t size = emit(c, SpvOpImageQuerySizeLod, type, image, zero);
    for (uint32_t i = 0; i < l->sides; i++) {
        const uint32_t one =
            count > 1 ? emit(c, SpvOpCompositeExtract, integer, size, i) : size;
        l->sizes[i] = emit_one(c, SpvOpConvertSToF, l->real, one);
    }
    c->queries = true;
    return l->sizes;
}

static uint32_t function(struct clamping *c, uint32_t type, uint32_t name, uint32_t a,
                         uint32_t b)
{
    GV_SPIRV_PUT(&c->edit.body, SpvOpExtInst, type, c->edit.next_id, c->glsl, name, a,
                 b);
    return c->edit.next_id++;
}

// Where the offset stands among a lookup's words; 0: there is none.
static uint32_t offset_at(const uint32_t *w)
{
    const uint32_t from = fixed_words(gv_spirv_op(w));
    const uint32_t mask = gv_spirv_length(w) > from ? w[from] : 0;
    if (!(mask & (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask)))
        return 0;
    return from + 1 + (mask & SpvImageOperandsBiasMask ? 1u : 0u) +
           (mask & SpvImageOperandsLodMask ? 1u : 0u) +
           (mask & SpvImageOperandsGradMask ? 2u : 0u);
}

// The offset comes before all that.
static void move(struct clamping *c, const uint32_t *w, struct lookup *l)
{
    const uint32_t at = offset_at(w);
    if (!at)
        return;
    const uint32_t type = c->type_of[w[at]];
    const uint32_t *vector = gv_spirv_type(&c->types, type);
    const bool several = gv_spirv_op(vector) == SpvOpTypeVector;
    for (uint32_t i = 0; i < l->sides; i++) {
        const uint32_t one =
            several ? emit(c, SpvOpCompositeExtract, vector[2], w[at], i) : w[at];
        const uint32_t texels = emit_one(c, SpvOpConvertSToF, l->real, one);
        l->at[i] = emit(c, SpvOpFAdd, l->real, l->at[i],
                        emit(c, SpvOpFDiv, l->real, texels, sizes(c, l)[i]));
    }
    l->moved = true;
}

static void mirror(struct clamping *c, struct lookup *l)
{
    for (uint32_t i = 0; i < l->sides; i++) {
        if (!(l->bits & GV_SPIRV_WRAP_MIRROR << i))
            continue;
        GV_SPIRV_PUT(&c->edit.body, SpvOpExtInst, l->real, c->edit.next_id, c->glsl,
                     GLSLstd450FAbs, l->at[i]);
        l->at[i] = c->edit.next_id++;
    }
}

static uint32_t within(struct clamping *c, uint32_t real, uint32_t id, float most)
{
    const uint32_t from =
        function(c, real, GLSLstd450FMax, id, gv_spirv_edit_float(&c->edit, real, 0));
    return function(c, real, GLSLstd450FMin, from,
                    gv_spirv_edit_float(&c->edit, real, most));
}

static bool compares(uint32_t op)
{
    return op == SpvOpImageSampleDrefImplicitLod ||
           op == SpvOpImageSampleDrefExplicitLod ||
           op == SpvOpImageSampleProjDrefImplicitLod ||
           op == SpvOpImageSampleProjDrefExplicitLod || op == SpvOpImageDrefGather;
}

static void clamp(struct clamping *c, struct lookup *l)
{
    const float most = l->bits & GV_SPIRV_WRAP_SHORT ? 0x0.FFFFFFp0F : 1.0F;
    for (uint32_t i = 0; i < l->sides; i++) {
        if (!(l->bits >> i & 1))
            continue;
        l->at[i] = within(c, l->real, l->at[i], most);
    }
}

// Operands behind the fixed ones: what stays of the old ones, and the slopes.
static uint32_t put_operands(const uint32_t *w, const struct lookup *l, uint32_t *out)
{
    const uint32_t from = fixed_words(gv_spirv_op(w)), length = gv_spirv_length(w);
    const bool slopes = l->slopes[0] != 0;
    const uint32_t offset = l->moved ? offset_at(w) : 0;
    uint32_t mask = length > from ? w[from] : 0, next = from + 1, n = 1;
    if (offset)
        mask &=
            ~(uint32_t)(SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask);
    if (slopes) {
        next += mask & SpvImageOperandsBiasMask ? 1 : 0;
        mask = (mask & ~(uint32_t)SpvImageOperandsBiasMask) | SpvImageOperandsGradMask;
        out[n++] = l->slopes[0];
        out[n++] = l->slopes[1];
    }
    out[0] = mask;
    for (; next < length; next++)
        if (next != offset)
            out[n++] = w[next];
    return mask ? n : 0;
}

static void put_lookup(struct clamping *c, const uint32_t *w, const struct lookup *l)
{
    uint32_t words[MOST_WORDS + 4] = { w[1], w[2], w[3] };
    uint32_t op = gv_spirv_op(w);
    const uint32_t fixed = fixed_words(op);
    words[3] = together(c, l, l->at, l->sides + l->layered);
    if (fixed == 6)
        words[4] = l->q ? emit(c, SpvOpFDiv, l->real, w[5], l->q) : w[5];
    if (compares(op) && l->bits & GV_SPIRV_WRAP_REFERENCE)
        words[4] = within(c, l->real, words[4], 1);
    const uint32_t count = fixed - 1 + put_operands(w, l, words + fixed - 1);
    if (projects(op))
        op -= SpvOpImageSampleProjImplicitLod - SpvOpImageSampleImplicitLod;
    if (l->slopes[0]) // the next one is explicit
        op++;
    gv_spirv_put_op(&c->edit.body, op, words, count);
}

static uint32_t mix(struct clamping *c, uint32_t real, const uint32_t ends[2],
                    uint32_t part)
{
    GV_SPIRV_PUT(&c->edit.body, SpvOpExtInst, real, c->edit.next_id, c->glsl,
                 GLSLstd450FMix, ends[0], ends[1], part);
    return c->edit.next_id++;
}

// A component of the four texels, as they lie between them.
static uint32_t between(struct clamping *c, const struct lookup *l, uint32_t four,
                        const uint32_t parts[2])
{
    static const uint32_t corners[4] = { 3, 2, 0, 1 }; // low, then high
    uint32_t texels[4], rows[2];
    for (uint32_t i = 0; i < 4; i++)
        texels[i] = emit(c, SpvOpCompositeExtract, l->real, four, corners[i]);
    for (uint32_t i = 0; i < 2; i++)
        rows[i] = mix(c, l->real, &texels[(size_t)2 * i], parts[0]);
    return mix(c, l->real, rows, parts[1]);
}

// In place of a lookup of one level.
static void put_four(struct clamping *c, const uint32_t *w, struct lookup *l)
{
    const uint32_t integer = gv_spirv_edit_type(&c->edit, SpvOpTypeInt, 32, 1);
    const uint32_t half = gv_spirv_edit_float(&c->edit, l->real, 0.5F);
    const uint32_t at = together(c, l, l->at, 2);
    uint32_t parts[2], words[6] = { w[1], w[2] };
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t texels = emit(c, SpvOpFMul, l->real, l->at[i], sizes(c, l)[i]);
        const uint32_t corner = emit(c, SpvOpFSub, l->real, texels, half);
        GV_SPIRV_PUT(&c->edit.body, SpvOpExtInst, l->real, c->edit.next_id, c->glsl,
                     GLSLstd450Fract, corner);
        parts[i] = c->edit.next_id++;
    }
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t component = gv_spirv_edit_word(&c->edit, integer, k);
        GV_SPIRV_PUT(&c->edit.body, SpvOpImageGather, w[1], c->edit.next_id, l->texture,
                     at, component);
        words[2 + k] = between(c, l, c->edit.next_id++, parts);
    }
    gv_spirv_put_op(&c->edit.body, SpvOpCompositeConstruct, words, 6);
}

// Lookups that filter.
static bool filters(uint32_t op)
{
    return !compares(op) && op != SpvOpImageGather;
}

// What is compared is all that changes.
static bool clamps_reference_alone(const struct clamping *c, const uint32_t *w)
{
    const struct gv_spirv_types *t = &c->types;
    const uint32_t op = gv_spirv_op(w);
    if (!compares(op) || projects(op) || !(bits_of(c, w[3]) & GV_SPIRV_WRAP_REFERENCE))
        return false;
    const uint32_t *image = gv_spirv_type(t, gv_spirv_type(t, c->type_of[w[3]])[2]);
    return bits_of(c, w[3]) == GV_SPIRV_WRAP_REFERENCE || !sides_of(image[3]);
}

static void clamp_reference(struct clamping *c, const uint32_t *w)
{
    uint32_t words[MOST_WORDS];
    const uint32_t count = gv_spirv_length(w) - 1;
    memcpy(words, w + 1, count * sizeof *words);
    words[4] = within(c, c->type_of[w[5]], w[5], 1);
    gv_spirv_put_op(&c->edit.body, gv_spirv_op(w), words, count);
}

static void rewrite(struct clamping *c, const uint32_t *w)
{
    const uint32_t op = gv_spirv_op(w), length = gv_spirv_length(w);
    struct lookup l;
    if (looks_up(op) && length <= MOST_WORDS && clamps_reference_alone(c, w)) {
        clamp_reference(c, w);
        return;
    }
    if (!looks_up(op) || !bits_of(c, w[3]) || !describe(c, w, &l)) {
        gv_spirv_put(&c->edit.body, w, length);
        return;
    }
    const bool four =
        l.bits & GV_SPIRV_WRAP_FOUR && filters(op) && l.sides == 2 && !l.layered;
    if (l.bits == GV_SPIRV_WRAP_FOUR && !four) {
        gv_spirv_put(&c->edit.body, w, length);
        return;
    }
    take_apart(c, w, &l);
    const uint32_t from = fixed_words(op);
    const bool biased = length > from && w[from] & SpvImageOperandsBiasMask;
    if (is_implicit(op) && l.bits & GV_SPIRV_WRAP_SLOPES && !four)
        take_slopes(c, &l, biased ? w[from + 1] : 0);
    if (l.bits != GV_SPIRV_WRAP_REFERENCE)
        move(c, w, &l);
    mirror(c, &l);
    clamp(c, &l);
    if (four)
        put_four(c, w, &l);
    else
        put_lookup(c, w, &l);
}

// ---- the module ----

static void write_module(struct clamping *c)
{
    const struct gv_spirv_types *t = &c->types;
    gv_spirv_put(&c->edit.front, t->words, GV_SPIRV_HEADER_WORDS);
    gv_spirv_put(&c->edit.head, t->words + GV_SPIRV_HEADER_WORDS,
                 t->functions - GV_SPIRV_HEADER_WORDS);
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(t->words + at))
        rewrite(c, t->words + at);
    if (c->queries)
        GV_SPIRV_PUT(&c->edit.front, SpvOpCapability, SpvCapabilityImageQuery);
}

static bool prepare(struct clamping *c, struct gv_arena *arena, struct gv_error *err)
{
    const uint32_t bound = c->types.bound;
    c->bits = gv_arena_array(arena, bound, sizeof *c->bits);
    c->known = gv_arena_array(arena, bound, sizeof *c->known);
    c->type_of = gv_arena_array(arena, bound, sizeof *c->type_of);
    c->functions = gv_arena_array(arena, bound, sizeof *c->functions);
    return (c->bits && c->known && c->type_of && c->functions) || gv_out_of_memory(err);
}

bool gv_spirv_wrap(const uint32_t *words, size_t count,
                   const struct gv_spirv_wraps *clamps, struct gv_arena *arena,
                   const uint32_t **out, size_t *out_count, struct gv_error *err)
{
    struct clamping c = { 0 };
    *out = words;
    *out_count = count;
    if (!gv_spirv_types_read(words, count, arena, &c.types, err) ||
        !prepare(&c, arena, err))
        return false;
    find_textures(&c, clamps);
    read_results(&c);
    follow(&c);
    if (c.mixed || c.changed)
        return gv_fail(
            err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
            "unsupported: functions of textures of which GL_CLAMP is some's");
    bool any = false;
    for (uint32_t id = 1; id < c.types.bound; id++)
        any |= c.bits[id] != 0;
    if (!any || !c.glsl)
        return true;
    uint32_t *module = NULL;
    gv_spirv_edit_init(&c.edit, words, c.types.functions);
    write_module(&c);
    const bool ok = gv_spirv_edit_copy(&c.edit, arena, &module, out_count, err);
    *out = module;
    gv_spirv_edit_finish(&c.edit);
    return ok;
}
