// Input attachments as images to sample: a read of one is a fetch at the fragment's own
// place. Payloads have a pass for each subpass, so what the one before wrote is there.
#include "compiler/shader/recorded/recorded_internal.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"

struct inputs {
    struct gv_spirv_types types;
    bool declared;      // the capability
    bool reads;         // there is a read
    uint32_t *type_of;  // [bound]: of values in functions
    uint32_t fragcoord; // the variable's id, 0: none
    uint32_t zero;      // a constant
    uint32_t vec4, vec2;
    struct gv_spirv_edit edit;
};

static bool is_subpass(const struct inputs *in, uint32_t type)
{
    const uint32_t *w = gv_spirv_type(&in->types, type);
    return gv_spirv_op(w) == SpvOpTypeImage && w[3] == SpvDimSubpassData;
}

// A read's second operand is the image.
static bool is_read(const struct inputs *in, const uint32_t *w)
{
    return gv_spirv_op(w) == SpvOpImageRead && is_subpass(in, in->type_of[w[3]]);
}

static void read_module(struct inputs *in)
{
    const struct gv_spirv_types *t = &in->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpCapability && w[1] == SpvCapabilityInputAttachment)
            in->declared = true;
        if (gv_spirv_op(w) == SpvOpDecorate && w[2] == SpvDecorationBuiltIn &&
            w[3] == SpvBuiltInFragCoord)
            in->fragcoord = w[1];
        if (gv_spirv_has_type(gv_spirv_op(w)))
            in->type_of[w[2]] = w[1];
        in->reads |= is_read(in, w);
    }
}

// ---- the head ----

// Whether the module has a type like this image's but for what it says of depth.
static bool is_taken(const struct inputs *in, const uint32_t *image, uint32_t depth)
{
    const struct gv_spirv_types *t = &in->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpTypeImage && w[2] == image[2] && w[3] == SpvDim2D &&
            w[4] == depth && w[5] == image[5] && w[6] == image[6] && w[7] == 1 &&
            w[8] == image[8])
            return true;
    }
    return false;
}

// No two types of a module are the same, and fetches do not look at depth.
static void put_image(struct inputs *in, const uint32_t *w)
{
    uint32_t depth = w[4];
    for (uint32_t i = 0; i < 3 && is_taken(in, w, depth); i++)
        depth = (w[4] + 2 + i * 2) % 3; // rather one that says nothing
    GV_SPIRV_PUT(&in->edit.head, SpvOpTypeImage, w[1], w[2], SpvDim2D, depth, w[5],
                 w[6], 1, w[8]);
}

static bool is_dropped(const uint32_t *w)
{
    return (gv_spirv_op(w) == SpvOpCapability &&
            w[1] == SpvCapabilityInputAttachment) ||
           (gv_spirv_op(w) == SpvOpDecorate &&
            w[2] == SpvDecorationInputAttachmentIndex);
}

static void put_entry(struct inputs *in, const uint32_t *w, uint32_t more)
{
    const uint32_t first = (gv_spirv_length(w) + (more != 0)) << 16 | SpvOpEntryPoint;
    gv_spirv_put(&in->edit.front, &first, 1);
    gv_spirv_put(&in->edit.front, w + 1, gv_spirv_length(w) - 1);
    if (more)
        gv_spirv_put(&in->edit.front, &more, 1);
}

// `variable`: a fragment's place that the entry point does not have yet, 0: it has.
static void put_head(struct inputs *in, uint32_t variable)
{
    const struct gv_spirv_types *t = &in->types;
    bool types = false;
    gv_spirv_put(&in->edit.front, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at, op = gv_spirv_op(w);
        types = types || gv_spirv_is_type(op);
        if (is_dropped(w))
            continue;
        if (op == SpvOpEntryPoint)
            put_entry(in, w, variable);
        else if (op == SpvOpCapability &&
                 w[1] == SpvCapabilityInputAttachmentArrayDynamicIndexing)
            GV_SPIRV_PUT(&in->edit.front, op,
                         SpvCapabilitySampledImageArrayDynamicIndexing);
        else if (op == SpvOpTypeImage && w[3] == SpvDimSubpassData)
            put_image(in, w);
        else
            gv_spirv_put(types ? &in->edit.head : &in->edit.front, w,
                         gv_spirv_length(w));
    }
}

static uint32_t find_float(struct inputs *in)
{
    const struct gv_spirv_types *t = &in->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at))
        if (gv_spirv_op(t->words + at) == SpvOpTypeFloat && t->words[at + 2] == 32)
            return t->words[at + 1];
    const uint32_t id = in->edit.next_id++;
    GV_SPIRV_PUT(&in->edit.head, SpvOpTypeFloat, id, 32);
    return id;
}

static void make_place(struct inputs *in, bool is_new)
{
    struct gv_spirv_edit *e = &in->edit;
    const uint32_t number = find_float(in);
    in->vec4 = gv_spirv_edit_type(e, SpvOpTypeVector, number, 4);
    in->vec2 = gv_spirv_edit_type(e, SpvOpTypeVector, number, 2);
    in->zero = gv_spirv_edit_constant(e, gv_spirv_edit_uint(e), 0);
    if (!is_new)
        return;
    const uint32_t pointer = gv_spirv_edit_pointer(e, SpvStorageClassInput, in->vec4);
    GV_SPIRV_PUT(&e->front, SpvOpDecorate, in->fragcoord, SpvDecorationBuiltIn,
                 SpvBuiltInFragCoord);
    GV_SPIRV_PUT(&e->head, SpvOpVariable, pointer, in->fragcoord, SpvStorageClassInput);
}

// ---- functions ----

// The read with a level of detail, unless it has a sample.
static void put_fetch(struct inputs *in, const uint32_t *w, uint32_t at)
{
    const uint32_t length = gv_spirv_length(w);
    const uint32_t mask = length > 5 ? w[5] : 0;
    const bool level = !(mask & SpvImageOperandsSampleMask);
    const uint32_t first =
        (6 + level + (length > 6 ? length - 6 : 0)) << 16 | SpvOpImageFetch;
    const uint32_t words[] = {
        first,    w[1], w[2], w[3], at, mask | (level ? SpvImageOperandsLodMask : 0),
        in->zero,
    };
    gv_spirv_put(&in->edit.body, words, 6 + level);
    if (length > 6)
        gv_spirv_put(&in->edit.body, w + 6, length - 6);
}

static bool put_read(struct inputs *in, const uint32_t *w, struct gv_error *err)
{
    struct gv_spirv_edit *e = &in->edit;
    const uint32_t type = in->type_of[w[4]];
    const uint32_t *vector = gv_spirv_type(&in->types, type);
    if (gv_spirv_op(vector) != SpvOpTypeVector || vector[3] != 2)
        return gv_fail(err, GV_ERR_UNSUPPORTED, (uint64_t)(w - in->types.words) * 4,
                       "unsupported: SPIR-V coordinates of an input attachment");
    const uint32_t id = e->next_id;
    e->next_id += 4;
    GV_SPIRV_PUT(&e->body, SpvOpLoad, in->vec4, id, in->fragcoord);
    GV_SPIRV_PUT(&e->body, SpvOpVectorShuffle, in->vec2, id + 1, id, id, 0, 1);
    GV_SPIRV_PUT(&e->body, SpvOpConvertFToS, type, id + 2, id + 1);
    GV_SPIRV_PUT(&e->body, SpvOpIAdd, type, id + 3, id + 2, w[4]);
    put_fetch(in, w, id + 3);
    return true;
}

static bool put_code(struct inputs *in, struct gv_error *err)
{
    const struct gv_spirv_types *t = &in->types;
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (!is_read(in, w))
            gv_spirv_put(&in->edit.body, w, gv_spirv_length(w));
        else if (!put_read(in, w, err))
            return false;
    }
    return true;
}

bool gv_recorded_input(struct gv_recorded_words *module, struct gv_arena *arena,
                       struct gv_error *err)
{
    struct inputs in = { 0 };
    uint32_t *words = NULL;
    if (!gv_spirv_types_read(module->words, module->count, arena, &in.types, err))
        return false;
    in.type_of = gv_arena_array(arena, in.types.bound, sizeof *in.type_of);
    if (!in.type_of)
        return gv_out_of_memory(err);
    read_module(&in);
    if (!in.declared)
        return true;
    gv_spirv_edit_init(&in.edit, module->words, in.types.functions);
    const bool is_new = in.reads && !in.fragcoord;
    if (is_new)
        in.fragcoord = in.edit.next_id++;
    put_head(&in, is_new ? in.fragcoord : 0);
    if (in.reads)
        make_place(&in, is_new);
    const bool ok = put_code(&in, err) &&
                    gv_spirv_edit_copy(&in.edit, arena, &words, &module->count, err);
    gv_spirv_edit_finish(&in.edit);
    module->words = words;
    return ok;
}
