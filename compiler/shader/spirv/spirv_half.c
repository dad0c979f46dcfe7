#include "compiler/shader/spirv/spirv_half.h"

#include <string.h>

#include "compiler/shader/spirv/spirv_half_internal.h"

#define MOST_OPERANDS 16u // words of an instruction that is made again

// ---- operands ----

#define MOST_DEPTH 8u // of values that are made again

static uint32_t halve(struct gv_half *h, uint32_t id, uint32_t depth);

static void halve_operands(struct gv_half *h, uint32_t *words, uint32_t first,
                           uint32_t end, uint32_t depth)
{
    for (uint32_t i = first; i < end; i++)
        if (gv_relaxed_is_real(&h->in, words[i]))
            words[i] = halve(h, words[i], depth);
}

// An instruction again, of halves; its new result.
static uint32_t again(struct gv_half *h, const uint32_t *from, uint32_t first,
                      uint32_t end, uint32_t depth)
{
    const uint32_t length = gv_spirv_length(from);
    uint32_t words[MOST_OPERANDS];
    memcpy(words, from, length * sizeof *words);
    halve_operands(h, words, first, end, depth + 1);
    words[2] = h->edit.next_id++;
    gv_spirv_put(&h->edit.body, words, length);
    return words[2];
}

static uint32_t make_half(struct gv_half *h, uint32_t id, uint32_t depth)
{
    const struct gv_relaxed_id *k = &h->in.ids[id];
    const uint32_t *from = h->in.words + k->at;
    const uint32_t length = gv_spirv_length(from);
    uint32_t end;
    const uint32_t constant = k->constant ? gv_half_of_constant(h, id) : 0;
    if (constant)
        return constant;
    if (depth == MOST_DEPTH || length > MOST_OPERANDS)
        return gv_half_rounded(h, k->type, id);
    if (k->stored && !k->component)
        return halve(h, k->stored, depth + 1);
    if (k->stored)
        return gv_half_operate(
            h, SpvOpCompositeExtract,
            GV_HALF_OF(k->type, halve(h, k->stored, depth + 1), k->component - 1));
    const uint32_t moves = gv_relaxed_moves(from, &end);
    if (moves)
        return again(h, from, moves, end, depth);
    if (!k->alone)
        return gv_half_rounded(h, k->type, id);
    const uint32_t operands = gv_relaxed_arithmetic(gv_spirv_op(from));
    return gv_half_rounded(h, k->type, again(h, from, operands, length, depth));
}

// A value as a half: made once in each block of code.
static uint32_t halve(struct gv_half *h, uint32_t id, uint32_t depth)
{
    struct gv_half_twin *t = &h->twins[id];
    if (h->in.ids[id].halved)
        return id;
    if (t->block != h->block)
        *t = (struct gv_half_twin){ make_half(h, id, depth), h->block };
    return t->id;
}

uint32_t gv_half_of(struct gv_half *h, uint32_t id)
{
    return halve(h, id, 0);
}

// ---- instructions ----

static bool is_sampled(uint32_t op)
{
    return op >= SpvOpImageSampleImplicitLod && op <= SpvOpImageDrefGather;
}

static void halve_result(struct gv_half *h, const uint32_t *words, uint32_t length)
{
    const uint32_t raw = h->edit.next_id++;
    gv_spirv_put(&h->edit.body, words, 2);
    gv_bytes_u32(&h->edit.body, raw);
    gv_spirv_put(&h->edit.body, words + 3, length - 3);
    if (is_sampled(gv_spirv_op(words)))
        gv_half_cut_to(h, words[1], words[2], raw);
    else
        gv_half_round_to(h, words[1], words[2], raw);
    h->in.ids[words[2]].halved = true;
}

// Of halves, to a half.
static void compute(struct gv_half *h, uint32_t *words, uint32_t first, uint32_t length)
{
    halve_operands(h, words, first, length, 0);
    halve_result(h, words, length);
}

static bool compares(uint32_t op)
{
    return op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual;
}

// Whether what is compared is all relaxed, constants aside.
static bool relaxed_operands(const struct gv_half *h, const uint32_t *words)
{
    bool any = false;
    for (uint32_t i = 3; i < 5; i++) {
        if (words[i] >= h->in.bound)
            return false;
        const struct gv_relaxed_id *id = &h->in.ids[words[i]];
        if (!id->relaxed && !id->constant)
            return false;
        any |= id->relaxed;
    }
    return any;
}

// What is no half yet: texels, numbers, what variables have that several values went
// to.
static bool is_source(const struct gv_half *h, const uint32_t *words, uint32_t length)
{
    const uint32_t op = gv_spirv_op(words);
    if (op == SpvOpLoad)
        return length > 3 && words[3] < h->in.bound && h->in.ids[words[3]].local &&
               !h->in.ids[words[2]].stored && !h->in.ids[words[2]].halved;
    return is_sampled(op) || op == SpvOpConvertSToF || op == SpvOpConvertUToF;
}

static bool all_halved(const struct gv_half *h, const uint32_t *words, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (words[i] >= h->in.bound ||
            (!h->in.ids[words[i]].halved && !h->in.ids[words[i]].constant))
            return false;
    return first < end;
}

// Numbers that a vector of medium precision is made of are halves, too.
static void halve_numbers(struct gv_half *h, uint32_t *words, uint32_t length)
{
    const bool halved = all_halved(h, words, 3, length);
    for (uint32_t i = 3; i < length; i++) {
        const uint32_t id =
            gv_relaxed_is_real(&h->in, words[i]) && h->in.ids[words[i]].constant
                ? gv_half_of_constant(h, words[i])
                : 0;
        words[i] = id ? id : words[i];
    }
    gv_spirv_put(&h->edit.body, words, length);
    h->in.ids[words[2]].halved = halved;
}

// Whether a variable has been several values, which are halves then.
static bool is_store(const struct gv_half *h, const uint32_t *words, uint32_t length)
{
    return gv_spirv_op(words) == SpvOpStore && length > 2 &&
           gv_relaxed_is_real(&h->in, words[2]) &&
           gv_relaxed_is_mixed(&h->in, words[1]);
}

// What is neither computed nor rounded.
static void keep(struct gv_half *h, const uint32_t *words, uint32_t length)
{
    uint32_t end;
    const uint32_t moves = gv_relaxed_moves(words, &end);
    gv_spirv_put(&h->edit.body, words, length);
    if (!gv_spirv_has_type(gv_spirv_op(words)) || !gv_relaxed_is_real(&h->in, words[2]))
        return;
    struct gv_relaxed_id *result = &h->in.ids[words[2]];
    if (moves)
        result->halved = all_halved(h, words, moves, end);
    else if (result->stored)
        result->halved = h->in.ids[result->stored].halved;
}

static void write_instruction(struct gv_half *h, uint32_t *words, uint32_t length)
{
    const uint32_t op = gv_spirv_op(words);
    const uint32_t result = gv_spirv_has_type(op) && length > 2 ? words[2] : 0;
    const bool relaxed =
        gv_relaxed_is_real(&h->in, result) && h->in.ids[result].relaxed;
    const uint32_t operands = gv_relaxed_arithmetic(op);
    h->block += op == SpvOpLabel;
    if (is_store(h, words, length)) {
        halve_operands(h, words, 2, 3, 0);
        gv_spirv_put(&h->edit.body, words, length);
    } else if (compares(op) && length == 5 && relaxed_operands(h, words)) {
        halve_operands(h, words, 3, length, 0);
        gv_spirv_put(&h->edit.body, words, length);
    } else if (relaxed && operands && !h->in.ids[result].alone) {
        if (!gv_half_steps(h, words))
            compute(h, words, operands, length);
    } else if (relaxed && op == SpvOpCompositeConstruct) {
        halve_numbers(h, words, length);
    } else if (relaxed && is_source(h, words, length)) {
        halve_result(h, words, length);
    } else if (!h->steps || relaxed || !gv_full_steps(h, words)) {
        keep(h, words, length);
    }
}

// ---- the whole ----

// Which words of the code are written is changed on the way: `copy` is read from, the
// module as it was stays what ids are known by.
bool gv_spirv_halve(const uint32_t *words, size_t count, bool steps,
                    struct gv_arena *arena, struct gv_shader_stage *out,
                    struct gv_error *err)
{
    struct gv_half h = { .steps = steps };
    uint32_t *copy = gv_arena_copy(arena, words, count * sizeof *words);
    if (!copy)
        return gv_out_of_memory(err);
    if (!gv_spirv_relaxed(words, count, arena, &h.in, err))
        return false;
    out->words = copy;
    out->word_count = count;
    if (!h.in.whole || (!h.in.any && !steps))
        return true;
    h.twins = gv_arena_array(arena, h.in.bound, sizeof *h.twins);
    if (!h.twins)
        return gv_out_of_memory(err);
    gv_spirv_edit_init(&h.edit, words, h.in.functions);
    gv_spirv_put(&h.edit.front, words, h.in.types);
    gv_spirv_put(&h.edit.head, words + h.in.types, h.in.functions - h.in.types);
    for (size_t at = h.in.functions; at < count; at += gv_spirv_length(copy + at))
        write_instruction(&h, copy + at, gv_spirv_length(copy + at));
    const bool ok = gv_spirv_edit_copy(&h.edit, arena, &copy, &out->word_count, err);
    out->words = copy;
    gv_spirv_edit_finish(&h.edit);
    return ok;
}
