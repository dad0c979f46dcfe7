// The function that makes corners of quads out of points and lines (spirv_quads.h).
#include "runtime/spirv/spirv_quads_private.h"

#include <spirv/unified1/GLSL.std.450.h>

uint32_t gv_quad_value(struct gv_quad_rewrite *r, uint32_t op, uint32_t type,
                       const uint32_t *operands, size_t count)
{
    const uint32_t head[] = { (uint32_t)(count + 3) << 16 | op, type, r->bound };
    gv_spirv_put(&r->code, head, 3);
    gv_spirv_put(&r->code, operands, count);
    return r->bound++;
}

static void bare(struct gv_quad_rewrite *r, uint32_t op)
{
    const uint32_t word = 1u << 16 | op;
    gv_spirv_put(&r->code, &word, 1);
}

void gv_quad_return(struct gv_quad_rewrite *r)
{
    bare(r, SpvOpReturn);
    bare(r, SpvOpFunctionEnd);
}

static uint32_t load(struct gv_quad_rewrite *r, uint32_t type, uint32_t pointer)
{
    return GV_QUAD_VALUE(r, SpvOpLoad, type, pointer);
}

static void store(struct gv_quad_rewrite *r, uint32_t pointer, uint32_t value)
{
    GV_SPIRV_PUT(&r->code, SpvOpStore, pointer, value);
}

static uint32_t extract(struct gv_quad_rewrite *r, uint32_t type, uint32_t from,
                        uint32_t at)
{
    return GV_QUAD_VALUE(r, SpvOpCompositeExtract, type, from, at);
}

uint32_t gv_quad_float(struct gv_quad_rewrite *r, float value)
{
    union {
        float f;
        uint32_t u;
    } bits = { .f = value };
    return gv_quad_constant(r, r->float_type, bits.u);
}

static uint32_t multiply(struct gv_quad_rewrite *r, uint32_t a, uint32_t b)
{
    return GV_QUAD_VALUE(r, SpvOpFMul, r->float_type, a, b);
}

// ---- before the module's function ----

// The number of an end's vertex: the first quad's, and a step for each one since.
static uint32_t vertex_number(struct gv_quad_rewrite *r, uint32_t numbers, uint32_t end)
{
    uint32_t quad = load(r, r->int_type, r->primitive);
    uint32_t step = extract(r, r->int_type, numbers, 3);
    uint32_t past = GV_QUAD_VALUE(r, SpvOpIMul, r->int_type, quad, step);
    return GV_QUAD_VALUE(r, SpvOpIAdd, r->int_type,
                         extract(r, r->int_type, numbers, end), past);
}

static uint32_t draw_number(struct gv_quad_rewrite *r, uint32_t builtin, uint32_t end)
{
    switch (builtin) {
    case SpvBuiltInVertexIndex:
        return vertex_number(r, load(r, r->ivec4, r->record[1]), end);
    case SpvBuiltInInstanceIndex:
        return extract(r, r->int_type, load(r, r->ivec4, r->record[1]), 2);
    case SpvBuiltInBaseVertex:
        return extract(r, r->int_type, load(r, r->ivec4, r->record[2]), 0);
    default:
        return extract(r, r->int_type, load(r, r->ivec4, r->record[2]), 1);
    }
}

static void set_inputs(struct gv_quad_rewrite *r, uint32_t end)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct gv_quad_variable *v = &r->variables[i];
        uint32_t from = end && v->second ? v->second : v->outer, number;
        if (v->output)
            continue;
        if (from) {
            store(r, v->id, load(r, v->type, from));
            continue;
        }
        number = draw_number(r, v->builtin, end);
        if (v->type != r->int_type)
            number = GV_QUAD_VALUE(r, SpvOpBitcast, v->type, number);
        store(r, v->id, number);
    }
}

static void call_main(struct gv_quad_rewrite *r)
{
    GV_QUAD_VALUE(r, SpvOpFunctionCall, r->void_type, r->main);
}

// Private variables are as before the first call: as they begin, or zeros.
static void reset(struct gv_quad_rewrite *r)
{
    const uint32_t *words = r->ids.words;
    for (size_t at = 5; at < r->ids.functions; at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at;
        if (gv_spirv_op(w) != SpvOpVariable ||
            (w[3] != SpvStorageClassPrivate && w[3] != SpvStorageClassOutput))
            continue;
        uint32_t initial = gv_spirv_length(w) > 4 ? w[4] : r->bound++;
        if (gv_spirv_length(w) <= 4)
            GV_SPIRV_PUT(&r->globals, SpvOpConstantNull, gv_spirv_def(&r->ids, w[1])[3],
                         initial);
        store(r, w[2], initial);
    }
}

// ---- outputs ----

// Where a value of one end comes from: the saved one is the first's.
static uint32_t source_of(const struct gv_quad_rewrite *r,
                          const struct gv_quad_variable *v, uint32_t location,
                          bool first)
{
    bool flat =
        location < GV_MAX_LOCATIONS && (r->how->flat >> location & 1) && v->saved;
    if (flat)
        first = !r->how->flat_last;
    return first && v->saved ? v->saved : v->id;
}

static void pass_members(struct gv_quad_rewrite *r, const struct gv_quad_variable *v,
                         bool first)
{
    uint32_t count = gv_spirv_length(gv_spirv_def(&r->ids, v->type)) - 2;
    for (uint32_t i = 0; i < count; i++) {
        const struct gv_spirv_marks *m = gv_spirv_member_marks(&r->ids, v->type, i);
        if (!(v->used >> i & 1) || m->builtin == SpvBuiltInPosition ||
            m->builtin == SpvBuiltInPointSize)
            continue;
        uint32_t type = gv_quad_member_type(r, v, i);
        uint32_t inside = gv_quad_pointer(r, SpvStorageClassPrivate, type);
        uint32_t outside = gv_quad_pointer(r, SpvStorageClassOutput, type);
        uint32_t index = gv_quad_constant(r, r->int_type, i);
        uint32_t from = GV_QUAD_VALUE(r, SpvOpAccessChain, inside,
                                      source_of(r, v, m->location, first), index);
        uint32_t to = GV_QUAD_VALUE(r, SpvOpAccessChain, outside, v->outer, index);
        store(r, to, load(r, type, from));
    }
}

static void pass_outputs(struct gv_quad_rewrite *r, bool first)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct gv_quad_variable *v = &r->variables[i];
        if (!v->output || !v->outer || v->builtin == SpvBuiltInPosition)
            continue;
        if (v->block)
            pass_members(r, v, first);
        else
            store(r, v->outer, load(r, v->type, source_of(r, v, v->location, first)));
    }
}

// A built-in output of the module: `saved` of the first end. `outer`: ours.
static uint32_t builtin_pointer(struct gv_quad_rewrite *r, uint32_t builtin,
                                uint32_t type, bool saved, bool outer)
{
    const struct gv_quad_variable *v;
    uint32_t member;
    gv_quad_find(r, builtin, &v, &member);
    uint32_t base = outer ? v->outer : saved ? v->saved : v->id;
    if (!v->block)
        return base;
    uint32_t pointer = gv_quad_pointer(
        r, outer ? SpvStorageClassOutput : SpvStorageClassPrivate, type);
    return GV_QUAD_VALUE(r, SpvOpAccessChain, pointer, base,
                         gv_quad_constant(r, r->int_type, member));
}

static uint32_t position(struct gv_quad_rewrite *r, bool saved)
{
    return load(r, r->vec4,
                builtin_pointer(r, SpvBuiltInPosition, r->vec4, saved, false));
}

// ---- corners ----

// A bit of the corner's number as 0.0 or 1.0.
static uint32_t bit(struct gv_quad_rewrite *r, uint32_t at)
{
    uint32_t corner = load(r, r->int_type, r->corner);
    uint32_t one = gv_quad_constant(r, r->int_type, 1);
    if (at)
        corner = GV_QUAD_VALUE(r, SpvOpShiftRightArithmetic, r->int_type, corner,
                               gv_quad_constant(r, r->int_type, at));
    corner = GV_QUAD_VALUE(r, SpvOpBitwiseAnd, r->int_type, corner, one);
    return GV_QUAD_VALUE(r, SpvOpConvertSToF, r->float_type, corner);
}

// 0 and 1 as -1 and 1.
static uint32_t side(struct gv_quad_rewrite *r, uint32_t from)
{
    uint32_t twice = GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type, from, from);
    return GV_QUAD_VALUE(r, SpvOpFSub, r->float_type, twice, gv_quad_float(r, 1));
}

// Sizes that are none become one pixel, as on devices.
static uint32_t point_size(struct gv_quad_rewrite *r)
{
    uint32_t least = gv_quad_float(r, 1), most = gv_quad_float(r, GV_MAX_QUAD_SIZE);
    uint32_t size =
        load(r, r->float_type,
             builtin_pointer(r, SpvBuiltInPointSize, r->float_type, false, false));
    uint32_t more = GV_QUAD_VALUE(r, SpvOpFOrdGreaterThan, r->bool_type, size, least);
    size = GV_QUAD_VALUE(r, SpvOpSelect, r->float_type, more, size, least);
    uint32_t less = GV_QUAD_VALUE(r, SpvOpFOrdLessThan, r->bool_type, size, most);
    return GV_QUAD_VALUE(r, SpvOpSelect, r->float_type, less, size, most);
}

// The position, moved in the picture by shares of half the viewport.
static void put_position(struct gv_quad_rewrite *r, uint32_t at, uint32_t x, uint32_t y)
{
    uint32_t w = extract(r, r->float_type, at, 3);
    uint32_t moved[2] = { multiply(r, x, w), multiply(r, y, w) };
    for (uint32_t i = 0; i < 2; i++)
        moved[i] = GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type,
                                 extract(r, r->float_type, at, i), moved[i]);
    uint32_t result = GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec4, moved[0],
                                    moved[1], extract(r, r->float_type, at, 2), w);
    store(r, builtin_pointer(r, SpvBuiltInPosition, r->vec4, false, true), result);
}

static void write_point(struct gv_quad_rewrite *r)
{
    pass_outputs(r, false);
    uint32_t size = point_size(r), floats = load(r, r->vec4, r->record[0]);
    uint32_t place[2], moved[2];
    for (uint32_t i = 0; i < 2; i++) {
        place[i] = bit(r, i);
        moved[i] = multiply(r, size, extract(r, r->float_type, floats, i));
        moved[i] = multiply(r, moved[i], side(r, place[i]));
    }
    if (r->point_coord)
        store(r, r->point_coord,
              GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec2, place[0], place[1]));
    put_position(r, position(r, false), moved[0], moved[1]);
}

// The line's direction in the picture, in pixels: that of b / b.w - a / a.w times
// a.w b.w, so that it holds for ends behind the eye too.
static void direction(struct gv_quad_rewrite *r, uint32_t a, uint32_t b,
                      uint32_t floats, uint32_t out[2])
{
    uint32_t wa = extract(r, r->float_type, a, 3), wb = extract(r, r->float_type, b, 3);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t to = multiply(r, extract(r, r->float_type, b, i), wa);
        uint32_t from = multiply(r, extract(r, r->float_type, a, i), wb);
        uint32_t d = GV_QUAD_VALUE(r, SpvOpFSub, r->float_type, to, from);
        out[i] = GV_QUAD_VALUE(r, SpvOpFDiv, r->float_type, d,
                               extract(r, r->float_type, floats, i));
    }
}

// A direction in the picture, so long in half pixels; nothing where it has no length.
static void scaled(struct gv_quad_rewrite *r, const uint32_t direction[2],
                   uint32_t floats, uint32_t size, uint32_t out[2])
{
    uint32_t pair =
        GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec2, direction[0], direction[1]);
    uint32_t length =
        GV_QUAD_VALUE(r, SpvOpExtInst, r->float_type, r->glsl, GLSLstd450Length, pair);
    uint32_t zero = gv_quad_float(r, 0);
    uint32_t scale = GV_QUAD_VALUE(r, SpvOpFDiv, r->float_type, size, length);
    uint32_t some = GV_QUAD_VALUE(r, SpvOpFOrdGreaterThan, r->bool_type, length, zero);
    scale = GV_QUAD_VALUE(r, SpvOpSelect, r->float_type, some, scale, zero);
    for (uint32_t i = 0; i < 2; i++)
        out[i] = multiply(r, multiply(r, direction[i], scale),
                          extract(r, r->float_type, floats, i));
}

// Outputs of this corner's end, and which position is its own.
static uint32_t choose_end(struct gv_quad_rewrite *r, uint32_t a, uint32_t b)
{
    uint32_t last = GV_QUAD_VALUE(r, SpvOpFOrdGreaterThan, r->bool_type, bit(r, 1),
                                  gv_quad_float(r, 0));
    uint32_t labels[3];
    for (int i = 0; i < 3; i++)
        labels[i] = r->bound++;
    GV_SPIRV_PUT(&r->code, SpvOpSelectionMerge, labels[2], SpvSelectionControlMaskNone);
    GV_SPIRV_PUT(&r->code, SpvOpBranchConditional, last, labels[1], labels[0]);
    for (int i = 0; i < 2; i++) {
        GV_SPIRV_PUT(&r->code, SpvOpLabel, labels[i]);
        pass_outputs(r, i == 0);
        GV_SPIRV_PUT(&r->code, SpvOpBranch, labels[2]);
    }
    GV_SPIRV_PUT(&r->code, SpvOpLabel, labels[2]);
    return GV_QUAD_VALUE(r, SpvOpPhi, r->vec4, a, labels[0], b, labels[1]);
}

// A line's ends, what its draw tells, and its width, a pixel more than is set.
struct line {
    uint32_t a, b, floats, width;
};

// Where a position is in the picture, in pixels.
static void in_pixels(struct gv_quad_rewrite *r, uint32_t at, uint32_t view,
                      uint32_t out[2])
{
    uint32_t half = gv_quad_float(r, 0.5f);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t part =
            GV_QUAD_VALUE(r, SpvOpFDiv, r->float_type, extract(r, r->float_type, at, i),
                          extract(r, r->float_type, at, 3));
        part =
            GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type, multiply(r, part, half), half);
        part = multiply(r, part, extract(r, r->float_type, view, 2 + i));
        out[i] = GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type,
                               extract(r, r->float_type, view, i), part);
    }
}

// How far inside of a side of the volume a position is.
static uint32_t inside(struct gv_quad_rewrite *r, uint32_t at, uint32_t axis, bool last)
{
    uint32_t place = extract(r, r->float_type, at, axis);
    uint32_t w = extract(r, r->float_type, at, 3);
    if (axis == 2 && !last)
        return place;
    return GV_QUAD_VALUE(r, last ? SpvOpFSub : SpvOpFAdd, r->float_type, w, place);
}

// The part of a line that is seen: of that Mesa's software rasteriser makes a
// rectangle.
static void clip(struct gv_quad_rewrite *r, uint32_t a, uint32_t b, uint32_t out[2])
{
    const uint32_t type = r->float_type, zero = gv_quad_float(r, 0);
    uint32_t t[2] = { zero, gv_quad_float(r, 1) };
    for (uint32_t side = 0; side < 6; side++) {
        const uint32_t d[2] = { inside(r, a, side / 2, side & 1),
                                inside(r, b, side / 2, side & 1) };
        uint32_t there = GV_QUAD_VALUE(r, SpvOpFSub, type, d[0], d[1]);
        there = GV_QUAD_VALUE(r, SpvOpFDiv, type, d[0], there);
        for (uint32_t end = 0; end < 2; end++) {
            uint32_t out_of =
                GV_QUAD_VALUE(r, SpvOpFOrdLessThan, r->bool_type, d[end], zero);
            uint32_t cut =
                GV_QUAD_VALUE(r, SpvOpExtInst, type, r->glsl,
                              end ? GLSLstd450FMin : GLSLstd450FMax, t[end], there);
            t[end] = GV_QUAD_VALUE(r, SpvOpSelect, type, out_of, cut, t[end]);
        }
    }
    for (uint32_t end = 0; end < 2; end++) {
        uint32_t at = GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec4, t[end], t[end],
                                    t[end], t[end]);
        out[end] =
            GV_QUAD_VALUE(r, SpvOpExtInst, r->vec4, r->glsl, GLSLstd450FMix, a, b, at);
    }
}

// Half a pixel longer at either end; and what the fragments must know.
static void smooth(struct gv_quad_rewrite *r, const struct line *l,
                   const uint32_t along[2], uint32_t moved[2])
{
    uint32_t view = load(r, r->vec4, r->record[GV_QUAD_VIEW]);
    uint32_t longer[2], clipped[2], ends[4], end = side(r, bit(r, 1));
    scaled(r, along, l->floats, gv_quad_float(r, 1), longer);
    for (uint32_t i = 0; i < 2; i++)
        moved[i] = GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type, moved[i],
                                 multiply(r, longer[i], end));
    clip(r, l->a, l->b, clipped);
    in_pixels(r, clipped[0], view, ends);
    in_pixels(r, clipped[1], view, ends + 2);
    store(r, r->smooth_ends,
          gv_quad_value(r, SpvOpCompositeConstruct, r->vec4, ends, 4));
    uint32_t ratio = GV_QUAD_VALUE(r, SpvOpFDiv, r->float_type,
                                   extract(r, r->float_type, clipped[0], 3),
                                   extract(r, r->float_type, clipped[1], 3));
    uint32_t width = multiply(r, l->width, gv_quad_float(r, 0.5f));
    store(r, r->smooth_width,
          GV_QUAD_VALUE(r, SpvOpCompositeConstruct, r->vec2, width, ratio));
}

static void write_line(struct gv_quad_rewrite *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->variables[i].saved)
            store(r, r->variables[i].saved,
                  load(r, r->variables[i].type, r->variables[i].id));
    reset(r);
    set_inputs(r, 1);
    call_main(r);
    uint32_t a = position(r, true), b = position(r, false);
    uint32_t floats = load(r, r->vec4, r->record[0]), along[2], wide[2];
    uint32_t width = extract(r, r->float_type, floats, 2);
    direction(r, a, b, floats, along);
    const uint32_t normal[2] = {
        GV_QUAD_VALUE(r, SpvOpFNegate, r->float_type, along[1]), along[0]
    };
    if (r->smooth_ends)
        width = GV_QUAD_VALUE(r, SpvOpFAdd, r->float_type, width, gv_quad_float(r, 1));
    scaled(r, normal, floats, width, wide);
    // Turned as the corners of a point are.
    uint32_t turned = GV_QUAD_VALUE(r, SpvOpFNegate, r->float_type, side(r, bit(r, 0)));
    for (uint32_t i = 0; i < 2; i++)
        wide[i] = multiply(r, wide[i], turned);
    if (r->smooth_ends)
        smooth(r, &(struct line){ a, b, floats, width }, along, wide);
    put_position(r, choose_end(r, a, b), wide[0], wide[1]);
}

void gv_quad_write_function(struct gv_quad_rewrite *r)
{
    uint32_t label = r->bound++;
    GV_SPIRV_PUT(&r->code, SpvOpFunction, r->void_type, r->entry,
                 SpvFunctionControlMaskNone, r->function_type);
    GV_SPIRV_PUT(&r->code, SpvOpLabel, label);
    set_inputs(r, 0);
    call_main(r);
    if (r->how->ends == 1)
        write_point(r);
    else
        write_line(r);
    gv_quad_return(r);
}
