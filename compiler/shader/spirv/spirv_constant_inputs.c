#include "compiler/shader/spirv/spirv_constant_inputs.h"

#include "compiler/shader/spirv/spirv_relaxed.h"
#include "vm/spirv/spirv_edit.h"

#define MOST_LOCATIONS 64u
#define MOST_PARTS 4u

// What is known of a location: of `parts` floats, `constant` ones by bits.
struct place {
    uint32_t parts, constant;
    uint32_t words[MOST_PARTS];
};

// One side of an interface.
struct side {
    struct gv_relaxed in;
    uint32_t *place; // [in.bound], of variables: location + 1; 0: none of these
};

static uint32_t parts_of(const struct gv_relaxed *in, uint32_t type)
{
    return type < in->bound && in->ids[type].real ? in->ids[type].parts : 0;
}

// Variables of a storage class, by location, that are floats and begin there.
static bool read_side(struct side *s, const uint32_t *words, size_t count,
                      SpvStorageClass storage, struct gv_arena *arena,
                      struct gv_error *err)
{
    if (!gv_spirv_relaxed(words, count, arena, &s->in, err))
        return false;
    s->place = gv_arena_array(arena, s->in.bound + 1, sizeof *s->place);
    if (!s->place)
        return gv_out_of_memory(err);
    for (size_t at = GV_SPIRV_HEADER_WORDS; s->in.whole && at < count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at, op = gv_spirv_op(w);
        if (op == SpvOpDecorate && w[2] == SpvDecorationLocation &&
            w[1] < s->in.bound && w[3] < MOST_LOCATIONS)
            s->place[w[1]] = w[3] + 1;
        // Of parts of a location nothing is known.
        else if (op == SpvOpDecorate && w[2] == SpvDecorationComponent &&
                 w[1] < s->in.bound)
            s->place[w[1]] = 0;
        else if (op == SpvOpVariable && w[3] != (uint32_t)storage)
            s->place[w[2]] = 0;
    }
    return true;
}

// ---- what is written ----

static bool constant_of(const struct gv_relaxed *in, uint32_t id, uint32_t i,
                        uint32_t *word)
{
    const uint32_t *w = in->words + in->ids[id].at;
    const uint32_t op = gv_spirv_op(w), parts = parts_of(in, in->ids[id].type);
    if (parts > 1) {
        if ((op != SpvOpCompositeConstruct && op != SpvOpConstantComposite) ||
            gv_spirv_length(w) != 3 + parts || w[3 + i] >= in->bound)
            return false;
        w = in->words + in->ids[w[3 + i]].at;
    }
    *word = w[3];
    return gv_spirv_op(w) == SpvOpConstant && in->ids[w[2]].constant;
}

static void note_store(const struct side *s, uint32_t value, struct place *p)
{
    p->parts = parts_of(&s->in, s->in.ids[value].type);
    for (uint32_t i = 0; i < p->parts && i < MOST_PARTS; i++)
        if (constant_of(&s->in, value, i, &p->words[i]))
            p->constant |= 1u << i;
}

// A second store, or any other use than a load, and nothing is known.
static void read_writer(const struct side *s, struct place places[MOST_LOCATIONS])
{
    const uint32_t *words = s->in.words;
    uint64_t seen = 0;
    for (size_t at = s->in.functions; at < s->in.count;
         at += gv_spirv_length(words + at)) {
        const uint32_t *w = words + at, op = gv_spirv_op(w);
        for (uint32_t i = 1; i < gv_spirv_length(w); i++) {
            const uint32_t place = w[i] < s->in.bound ? s->place[w[i]] : 0;
            if (!place || (op == SpvOpLoad && i == 3))
                continue;
            struct place *p = &places[place - 1];
            const bool first = !(seen >> (place - 1) & 1);
            seen |= (uint64_t)1 << (place - 1);
            p->constant = 0;
            if (op == SpvOpStore && i == 1 && first && w[2] < s->in.bound)
                note_store(s, w[2], p);
        }
    }
}

// ---- what is read ----

struct rewriting {
    const struct side *s;
    const struct place *places;
    struct gv_spirv_edit edit;
};

static const struct place *place_of(const struct rewriting *r, uint32_t id)
{
    const uint32_t place = id < r->s->in.bound ? r->s->place[id] : 0;
    return place && r->places[place - 1].constant ? &r->places[place - 1] : NULL;
}

// A load of all of an input: constants are put over what it has.
static bool load_whole(struct rewriting *r, const uint32_t *w)
{
    const struct gv_relaxed *in = &r->s->in;
    const struct place *p = place_of(r, w[3]);
    const uint32_t parts = parts_of(in, w[1]);
    if (!p || p->parts != parts)
        return false;
    if (parts == 1) {
        GV_SPIRV_PUT(&r->edit.body, SpvOpCopyObject, w[1], w[2],
                     gv_spirv_edit_word(&r->edit, w[1], p->words[0]));
        return true;
    }
    uint32_t value = r->edit.next_id++;
    GV_SPIRV_PUT(&r->edit.body, SpvOpLoad, w[1], value, w[3]);
    for (uint32_t i = 0; i < parts; i++) {
        if (!(p->constant >> i & 1))
            continue;
        const uint32_t number =
            gv_spirv_edit_word(&r->edit, in->ids[w[1]].part, p->words[i]);
        GV_SPIRV_PUT(&r->edit.body, SpvOpCompositeInsert, w[1], r->edit.next_id, number,
                     value, i);
        value = r->edit.next_id++;
    }
    GV_SPIRV_PUT(&r->edit.body, SpvOpCopyObject, w[1], w[2], value);
    return true;
}

// A load of one component.
static bool load_part(struct rewriting *r, const uint32_t *w)
{
    const struct gv_relaxed *in = &r->s->in;
    const uint32_t *chain = in->words + in->ids[w[3]].at;
    if (gv_spirv_op(chain) != SpvOpAccessChain || gv_spirv_length(chain) != 5 ||
        !in->ids[chain[4]].constant || parts_of(in, w[1]) != 1)
        return false;
    const uint32_t *index = in->words + in->ids[chain[4]].at;
    const struct place *p = place_of(r, chain[3]);
    if (!p || gv_spirv_op(index) != SpvOpConstant || index[3] >= p->parts ||
        !(p->constant >> index[3] & 1))
        return false;
    GV_SPIRV_PUT(&r->edit.body, SpvOpCopyObject, w[1], w[2],
                 gv_spirv_edit_word(&r->edit, w[1], p->words[index[3]]));
    return true;
}

static void rewrite(struct rewriting *r)
{
    const struct gv_relaxed *in = &r->s->in;
    gv_spirv_put(&r->edit.head, in->words, in->functions);
    for (size_t at = in->functions; at < in->count;
         at += gv_spirv_length(in->words + at)) {
        const uint32_t *w = in->words + at, length = gv_spirv_length(w);
        if (gv_spirv_op(w) != SpvOpLoad || length != 4 || w[3] >= in->bound ||
            (!load_whole(r, w) && !load_part(r, w)))
            gv_spirv_put(&r->edit.body, w, length);
    }
}

bool gv_spirv_constant_inputs(const uint32_t *writer, size_t writer_count,
                              struct gv_arena *arena, uint32_t **reader, size_t *count,
                              struct gv_error *err)
{
    struct side from, to;
    struct place places[MOST_LOCATIONS] = { { 0, 0, { 0 } } };
    if (!read_side(&from, writer, writer_count, SpvStorageClassOutput, arena, err) ||
        !read_side(&to, *reader, *count, SpvStorageClassInput, arena, err))
        return false;
    if (!from.in.whole || !to.in.whole)
        return true;
    read_writer(&from, places);
    struct rewriting r = { .s = &to, .places = places };
    gv_spirv_edit_init(&r.edit, to.in.words, to.in.functions);
    rewrite(&r);
    const bool ok = gv_spirv_edit_copy(&r.edit, arena, reader, count, err);
    gv_spirv_edit_finish(&r.edit);
    return ok;
}
