// Fragment shaders of smooth lines that are drawn as quads.
#include "runtime/spirv/spirv_quads_private.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

// What of the module matters, and what is ours.
struct smooth {
    struct gv_quad_rewrite r;
    uint32_t color, coord; // the first output; FragCoord, 0: none yet
    bool own_coord;        // the module has none
    uint32_t ends, sizes;  // inputs
};

static void find(struct smooth *s)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t *words = r->ids.words;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->ids.functions;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at;
        const uint32_t op = gv_spirv_op(w);
        if (op == SpvOpEntryPoint)
            r->main = w[2];
        else if (op == SpvOpExtInstImport &&
                 strcmp((const char *)(w + 2), "GLSL.std.450") == 0)
            r->glsl = w[1];
        else if (op == SpvOpVariable && w[3] == SpvStorageClassOutput &&
                 gv_spirv_marks_of(&r->ids, w[2])->location == 0 &&
                 gv_spirv_marks_of(&r->ids, w[2])->index != 1)
            s->color = w[2];
        else if (op == SpvOpVariable && w[3] == SpvStorageClassInput &&
                 gv_spirv_marks_of(&r->ids, w[2])->builtin == SpvBuiltInFragCoord)
            s->coord = w[2];
    }
}

// ---- the function ----

static uint32_t value1(struct smooth *s, uint32_t op, uint32_t type, uint32_t from)
{
    return GV_QUAD_VALUE(&s->r, op, type, from);
}

static uint32_t half(struct smooth *s, uint32_t from, uint32_t first)
{
    return GV_QUAD_VALUE(&s->r, SpvOpVectorShuffle, s->r.vec2, from, from, first,
                         first + 1);
}

static uint32_t op2(struct smooth *s, uint32_t op, uint32_t a, uint32_t b)
{
    return GV_QUAD_VALUE(&s->r, op, s->r.float_type, a, b);
}

// How much of a pixel is within `reach` of the middle of a range, `to` from it.
static uint32_t covered(struct smooth *s, uint32_t reach, uint32_t to)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t type = r->float_type;
    to = GV_QUAD_VALUE(r, SpvOpExtInst, type, r->glsl, GLSLstd450FAbs, to);
    uint32_t part = op2(s, SpvOpFSub, reach, to);
    return GV_QUAD_VALUE(r, SpvOpExtInst, type, r->glsl, GLSLstd450FClamp, part,
                         gv_quad_float(r, 0), gv_quad_float(r, 1));
}

// A place in the line's rectangle: -1 at the first end, or at one side, 1 at the other.
struct place {
    uint32_t along, across;
};

// What Mesa has there: it interpolates places with perspective in the two triangles of
// the rectangle, which meet where both are equal. `ratio`: of the ends' w.
static struct place seen(struct smooth *s, struct place p, uint32_t ratio)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t one = gv_quad_float(r, 1), point5 = gv_quad_float(r, 0.5f);
    // How near the last end is, from 0 to 1; both ends' weights, divided by w.
    uint32_t u = op2(s, SpvOpFAdd, p.along, one);
    u = op2(s, SpvOpFMul, u, point5);
    uint32_t first = op2(s, SpvOpFSub, one, u), last = op2(s, SpvOpFMul, u, ratio);
    uint32_t all = op2(s, SpvOpFAdd, first, last);
    uint32_t along = op2(s, SpvOpFSub, last, first);
    // Both corners of the first end and the upper one of the last, or the lower
    // triangle.
    uint32_t less = op2(s, SpvOpFSub, p.across, u);
    uint32_t upper = op2(s, SpvOpFAdd, less, last);
    uint32_t lower = op2(s, SpvOpFAdd, less, one);
    lower = op2(s, SpvOpFMul, lower, ratio);
    lower = op2(s, SpvOpFSub, lower, first);
    uint32_t above =
        GV_QUAD_VALUE(r, SpvOpFOrdGreaterThan, r->bool_type, p.across, p.along);
    uint32_t across = GV_QUAD_VALUE(r, SpvOpSelect, r->float_type, above, upper, lower);
    along = op2(s, SpvOpFDiv, along, all);
    across = op2(s, SpvOpFDiv, across, all);
    return (struct place){ along, across };
}

// A share of `size` that a vector has in a direction of a length.
static uint32_t share(struct smooth *s, const uint32_t vectors[2], uint32_t length,
                      uint32_t size)
{
    uint32_t product =
        GV_QUAD_VALUE(&s->r, SpvOpDot, s->r.float_type, vectors[0], vectors[1]);
    length = op2(s, SpvOpFMul, length, size);
    return op2(s, SpvOpFDiv, product, length);
}

// The fragment's place, how far the rectangle reaches from its middle, its length.
static struct place find_place(struct smooth *s, struct place *reach, uint32_t *length)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t type = r->float_type, point5 = gv_quad_float(r, 0.5f);
    uint32_t ends = value1(s, SpvOpLoad, r->vec4, s->ends);
    uint32_t a = half(s, ends, 0), b = half(s, ends, 2);
    uint32_t line = GV_QUAD_VALUE(r, SpvOpFSub, r->vec2, b, a);
    uint32_t middle = GV_QUAD_VALUE(r, SpvOpFAdd, r->vec2, a, b);
    middle = GV_QUAD_VALUE(r, SpvOpVectorTimesScalar, r->vec2, middle, point5);
    uint32_t here = half(s, value1(s, SpvOpLoad, r->vec4, s->coord), 0);
    uint32_t from = GV_QUAD_VALUE(r, SpvOpFSub, r->vec2, here, middle);
    uint32_t x = GV_QUAD_VALUE(r, SpvOpCompositeExtract, type, line, 0);
    uint32_t y = GV_QUAD_VALUE(r, SpvOpCompositeExtract, type, line, 1);
    uint32_t up = value1(s, SpvOpFNegate, type, y);
    uint32_t normal = GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec2, up, x);
    *length = GV_QUAD_VALUE(r, SpvOpExtInst, type, r->glsl, GLSLstd450Length, line);
    reach->along = op2(s, SpvOpFMul, *length, point5);
    reach->along = op2(s, SpvOpFAdd, reach->along, point5);
    const uint32_t lengthwise[2] = { from, line }, sideways[2] = { from, normal };
    struct place p;
    p.along = share(s, lengthwise, *length, reach->along);
    p.across = share(s, sideways, *length, reach->across);
    return p;
}

// The product of what is covered across the line and along it; of a line that is
// shorter than a pixel no more than its length.
static uint32_t coverage(struct smooth *s)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t type = r->float_type;
    uint32_t sizes = value1(s, SpvOpLoad, r->vec2, s->sizes), length;
    struct place reach = { 0 }, p;
    reach.across = GV_QUAD_VALUE(r, SpvOpCompositeExtract, type, sizes, 0);
    uint32_t ratio = GV_QUAD_VALUE(r, SpvOpCompositeExtract, type, sizes, 1);
    p = find_place(s, &reach, &length);
    p = seen(s, p, ratio);
    p.along = op2(s, SpvOpFMul, p.along, reach.along);
    p.across = op2(s, SpvOpFMul, p.across, reach.across);
    uint32_t lengthwise = covered(s, reach.along, p.along);
    lengthwise = GV_QUAD_VALUE(r, SpvOpExtInst, type, r->glsl, GLSLstd450FMin,
                               lengthwise, length);
    uint32_t sideways = covered(s, reach.across, p.across);
    return op2(s, SpvOpFMul, sideways, lengthwise);
}

static void write_function(struct smooth *s)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t label = r->bound++;
    GV_SPIRV_PUT(&r->code, SpvOpFunction, r->void_type, r->entry,
                 SpvFunctionControlMaskNone, r->function_type);
    GV_SPIRV_PUT(&r->code, SpvOpLabel, label);
    GV_QUAD_VALUE(r, SpvOpFunctionCall, r->void_type, r->main);
    uint32_t color = value1(s, SpvOpLoad, r->vec4, s->color);
    uint32_t alpha = GV_QUAD_VALUE(r, SpvOpCompositeExtract, r->float_type, color, 3);
    alpha = GV_QUAD_VALUE(r, SpvOpFMul, r->float_type, alpha, coverage(s));
    color = GV_QUAD_VALUE(r, SpvOpCompositeInsert, r->vec4, alpha, color, 3);
    GV_SPIRV_PUT(&r->code, SpvOpStore, s->color, color);
    gv_quad_return(r);
}

// ---- the module ----

static void put_marks(struct smooth *s)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t ids[2] = { s->ends, s->sizes };
    const uint32_t places[2] = { r->how->smooth_ends, r->how->smooth_width };
    if (r->marked)
        return;
    r->marked = true;
    for (int i = 0; i < 2; i++) {
        GV_SPIRV_PUT(&r->out, SpvOpDecorate, ids[i], SpvDecorationLocation, places[i]);
        GV_SPIRV_PUT(&r->out, SpvOpDecorate, ids[i], SpvDecorationFlat);
    }
    if (s->own_coord)
        GV_SPIRV_PUT(&r->out, SpvOpDecorate, s->coord, SpvDecorationBuiltIn,
                     SpvBuiltInFragCoord);
}

static void put_entry_point(struct smooth *s, const uint32_t *w)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t more[3] = { s->ends, s->sizes, s->coord };
    const uint32_t count = s->own_coord ? 3 : 2;
    const uint32_t head = (gv_spirv_length(w) + count) << 16 | SpvOpEntryPoint;
    gv_spirv_put(&r->out, &head, 1);
    gv_spirv_put(&r->out, w + 1, 1);
    gv_spirv_put(&r->out, &r->entry, 1);
    gv_spirv_put(&r->out, w + 3, gv_spirv_length(w) - 3);
    gv_spirv_put(&r->out, more, count);
}

static void put_instruction(struct smooth *s, const uint32_t *w)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t op = gv_spirv_op(w);
    if (op == SpvOpEntryPoint) {
        put_entry_point(s, w);
        return;
    }
    if (op == SpvOpMemoryModel)
        gv_quad_import(r);
    if (op == SpvOpDecorate || op == SpvOpMemberDecorate)
        put_marks(s);
    const bool mode = op == SpvOpExecutionMode || op == SpvOpExecutionModeId;
    gv_spirv_put(&r->out, w, 1);
    gv_spirv_put(&r->out, mode && w[1] == r->main ? &r->entry : w + 1,
                 gv_spirv_length(w) > 1);
    if (gv_spirv_length(w) > 2)
        gv_spirv_put(&r->out, w + 2, gv_spirv_length(w) - 2);
}

static void put_module(struct smooth *s)
{
    struct gv_quad_rewrite *r = &s->r;
    const uint32_t *words = r->ids.words;
    gv_spirv_put(&r->out, words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < r->ids.count;
         at += gv_spirv_length(words + at)) {
        if (at == r->ids.functions)
            gv_bytes_put(&r->out, r->globals.data, r->globals.size);
        put_instruction(s, words + at);
    }
    gv_bytes_put(&r->out, r->code.data, r->code.size);
    r->out.failed = r->out.failed || r->globals.failed || r->code.failed;
}

static bool rewrite(struct smooth *s, uint32_t **out, size_t *out_count,
                    struct gv_error *err)
{
    struct gv_quad_rewrite *r = &s->r;
    find(s);
    r->bound = r->ids.bound;
    r->entry = r->bound++;
    r->imported = !r->glsl;
    r->glsl = r->glsl ? r->glsl : r->bound++;
    gv_quad_types(r);
    s->ends = gv_quad_own_variable(r, SpvStorageClassInput, r->vec4);
    s->sizes = gv_quad_own_variable(r, SpvStorageClassInput, r->vec2);
    s->own_coord = !s->coord;
    if (s->own_coord)
        s->coord = gv_quad_own_variable(r, SpvStorageClassInput, r->vec4);
    write_function(s);
    put_module(s);
    return gv_spirv_take(&r->out, r->bound, out, out_count, err);
}

bool gv_spirv_smooth_fragment(const uint32_t *words, size_t count,
                              const struct gv_spirv_quads *quads, uint32_t **out,
                              size_t *out_count, struct gv_error *err)
{
    struct smooth s = { .r = { .how = quads } };
    bool ok = gv_spirv_ids_init(&s.r.ids, words, count, NULL, err) &&
              rewrite(&s, out, out_count, err);
    gv_spirv_ids_finish(&s.r.ids);
    gv_bytes_finish(&s.r.globals);
    gv_bytes_finish(&s.r.code);
    gv_bytes_finish(&s.r.out);
    return ok;
}
