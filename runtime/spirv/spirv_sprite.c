// Fragment shaders of points and lines that are drawn as quads.
#include "resources/base/bytes.h"
#include "runtime/spirv/spirv_quads.h"
#include "vm/spirv/spirv_ids.h"

#include <stdlib.h>
#include <string.h>

struct sprite {
    const struct gv_spirv_quads *how;
    struct gv_spirv_ids ids;
    bool marked; // own decorations stand
    struct gv_bytes out;
};

// ---- reading ----

// Locations that a type takes, GV_MAX_LOCATIONS at most.
static uint32_t locations(const struct gv_spirv_ids *ids, uint32_t type)
{
    const uint32_t *w = gv_spirv_def(ids, type);
    uint32_t n = 1, length = 0;
    switch (gv_spirv_op(w)) {
    case SpvOpTypeVector:
        n = gv_spirv_size(ids, type) > 16 ? 2 : 1;
        break;
    case SpvOpTypeMatrix:
        n = w[3] * locations(ids, w[2]);
        break;
    case SpvOpTypeArray:
        n = gv_spirv_constant(ids, w[3], &length) && length <= GV_MAX_LOCATIONS
                ? length * locations(ids, w[2])
                : GV_MAX_LOCATIONS;
        break;
    case SpvOpTypeStruct:
        n = 0;
        for (uint32_t i = 2; i < gv_spirv_length(w) && n < GV_MAX_LOCATIONS; i++)
            n += locations(ids, w[i]);
        break;
    default:
        break;
    }
    return n < GV_MAX_LOCATIONS ? n : GV_MAX_LOCATIONS;
}

static void add_flat(const struct gv_spirv_ids *ids, uint32_t location, uint32_t type,
                     uint32_t *flat)
{
    uint32_t count = locations(ids, type);
    for (uint32_t i = 0; i < count && location + i < GV_MAX_LOCATIONS; i++)
        *flat |= 1u << (location + i);
}

static uint32_t type_behind(const struct gv_spirv_ids *ids, uint32_t variable)
{
    return gv_spirv_def(ids, gv_spirv_def(ids, variable)[1])[3];
}

static bool is_input(const struct gv_spirv_ids *ids, uint32_t id)
{
    const uint32_t *w = gv_spirv_def(ids, id);
    return gv_spirv_op(w) == SpvOpVariable && w[3] == SpvStorageClassInput;
}

// The first colour, of four floats.
static bool is_color(const struct gv_spirv_ids *ids, uint32_t id)
{
    const uint32_t *w = gv_spirv_def(ids, id);
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(ids, id);
    if (gv_spirv_op(w) != SpvOpVariable || w[3] != SpvStorageClassOutput ||
        marks->location != 0 || marks->index == 1)
        return false;
    const uint32_t *type = gv_spirv_def(ids, type_behind(ids, id));
    if (gv_spirv_op(type) != SpvOpTypeVector || type[3] != 4)
        return false;
    const uint32_t *scalar = gv_spirv_def(ids, type[2]);
    return gv_spirv_op(scalar) == SpvOpTypeFloat && scalar[2] == 32;
}

static void read_decoration(const struct gv_spirv_ids *ids, const uint32_t *w,
                            struct gv_spirv_sprite *out)
{
    out->alpha |= gv_spirv_op(w) == SpvOpDecorate && is_color(ids, w[1]);
    if (gv_spirv_op(w) == SpvOpDecorate && is_input(ids, w[1])) {
        uint32_t location = gv_spirv_marks_of(ids, w[1])->location;
        uint32_t builtin = gv_spirv_marks_of(ids, w[1])->builtin;
        out->point_coord |= builtin == SpvBuiltInPointCoord;
        out->primitive |= builtin == SpvBuiltInPrimitiveId;
        out->numbers |=
            builtin == SpvBuiltInVertexIndex || builtin == SpvBuiltInInstanceIndex;
        out->bases |=
            builtin == SpvBuiltInBaseVertex || builtin == SpvBuiltInBaseInstance;
        if (w[2] == SpvDecorationFlat && location != GV_SPIRV_UNSET)
            add_flat(ids, location, type_behind(ids, w[1]), &out->flat);
    }
    if (gv_spirv_op(w) == SpvOpMemberDecorate && w[3] == SpvDecorationFlat) {
        const uint32_t *type = gv_spirv_def(ids, w[1]);
        uint32_t location = gv_spirv_member_marks(ids, w[1], w[2])->location;
        if (gv_spirv_op(type) == SpvOpTypeStruct && location != GV_SPIRV_UNSET &&
            w[2] < gv_spirv_length(type) - 2)
            add_flat(ids, location, type[2 + w[2]], &out->flat);
    }
}

bool gv_spirv_sprite(const uint32_t *words, size_t count, struct gv_spirv_sprite *out,
                     struct gv_error *err)
{
    struct gv_spirv_ids ids;
    *out = (struct gv_spirv_sprite){ 0 };
    bool ok = gv_spirv_ids_init(&ids, words, count, NULL, err);
    for (size_t at = GV_SPIRV_HEADER_WORDS; ok && at < ids.functions;
         at += gv_spirv_length(words + at))
        read_decoration(&ids, words + at, out);
    gv_spirv_ids_finish(&ids);
    return ok;
}

// ---- writing ----

// Whether the decoration says how an input is interpolated that gets another one. Flat
// stays on built-ins that are integers.
static bool is_replaced(const struct gv_spirv_ids *ids, const uint32_t *w)
{
    bool member = gv_spirv_op(w) == SpvOpMemberDecorate;
    uint32_t decoration = w[member ? 3 : 2];
    if (decoration != SpvDecorationNoPerspective && decoration != SpvDecorationFlat)
        return false;
    uint32_t builtin = member ? gv_spirv_member_marks(ids, w[1], w[2])->builtin
                              : gv_spirv_marks_of(ids, w[1])->builtin;
    return builtin == GV_SPIRV_UNSET || builtin == SpvBuiltInPointCoord;
}

static void mark_input(struct sprite *s, uint32_t variable)
{
    uint32_t type = type_behind(&s->ids, variable);
    const uint32_t *w = gv_spirv_def(&s->ids, type);
    bool block =
        gv_spirv_op(w) == SpvOpTypeStruct && gv_spirv_marks_of(&s->ids, type)->block;
    const struct gv_spirv_marks *marks = gv_spirv_marks_of(&s->ids, variable);
    if (marks->builtin == SpvBuiltInPointCoord)
        GV_SPIRV_PUT(&s->out, SpvOpDecorate, variable, SpvDecorationNoPerspective);
    if (marks->builtin != GV_SPIRV_UNSET)
        return;
    if (!block)
        GV_SPIRV_PUT(&s->out, SpvOpDecorate, variable, SpvDecorationFlat);
    for (uint32_t i = 0; block && i < gv_spirv_length(w) - 2; i++)
        if (gv_spirv_member_marks(&s->ids, type, i)->builtin == GV_SPIRV_UNSET)
            GV_SPIRV_PUT(&s->out, SpvOpMemberDecorate, type, i, SpvDecorationFlat);
}

static void mark_inputs(struct sprite *s)
{
    const uint32_t *words = s->ids.words;
    for (size_t at = GV_SPIRV_HEADER_WORDS; !s->marked && at < s->ids.functions;
         at += gv_spirv_length(words + at))
        if (gv_spirv_op(words + at) == SpvOpVariable &&
            is_input(&s->ids, words[at + 2]))
            mark_input(s, words[at + 2]);
    s->marked = true;
}

static void put_decoration(struct sprite *s, const uint32_t *w)
{
    bool member = gv_spirv_op(w) == SpvOpMemberDecorate;
    mark_inputs(s);
    if (is_replaced(&s->ids, w))
        return;
    if (!member && is_input(&s->ids, w[1]) && w[2] == SpvDecorationBuiltIn &&
        w[3] == SpvBuiltInPointCoord)
        GV_SPIRV_PUT(&s->out, SpvOpDecorate, w[1], SpvDecorationLocation,
                     s->how->point_coord);
    else
        gv_spirv_put(&s->out, w, gv_spirv_length(w));
}

static bool rewrite(struct sprite *s, uint32_t **out, size_t *out_count,
                    struct gv_error *err)
{
    const uint32_t *words = s->ids.words;
    gv_spirv_put(&s->out, words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < s->ids.count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at;
        if (gv_spirv_op(w) == SpvOpDecorate || gv_spirv_op(w) == SpvOpMemberDecorate)
            put_decoration(s, w);
        else
            gv_spirv_put(&s->out, w, gv_spirv_length(w));
    }
    return gv_spirv_take(&s->out, s->ids.bound, out, out_count, err);
}

bool gv_spirv_quad_fragment(const uint32_t *words, size_t count,
                            const struct gv_spirv_quads *quads, uint32_t **out,
                            size_t *out_count, struct gv_error *err)
{
    struct sprite s = { .how = quads };
    bool ok = gv_spirv_ids_init(&s.ids, words, count, NULL, err) &&
              rewrite(&s, out, out_count, err);
    gv_spirv_ids_finish(&s.ids);
    gv_bytes_finish(&s.out);
    return ok;
}
