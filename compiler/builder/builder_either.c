// Branches: code that runs only where the device meets requirements, and code that runs
// only where it does not.
//
// A pair becomes two skips, each over one branch. How long they are is known when the
// window closes, so a window with branches is deferred as one with observations is.
#include "compiler/builder/builder_private.h"

#include <stdlib.h>

void gv_builder_finish_branches(struct gv_builder *b)
{
    for (size_t i = 0; i < GV_EITHER_DEPTH; i++) {
        gv_requirements_finish(&b->eithers[i].needs[0]);
        gv_requirements_finish(&b->eithers[i].needs[1]);
    }
    free(b->branches);
    b->branches = NULL;
    b->branch_count = 0;
}

static struct gv_either *innermost(struct gv_builder *b)
{
    return b->either_depth ? &b->eithers[b->either_depth - 1] : NULL;
}

uint32_t gv_builder_branch(const struct gv_builder *b)
{
    return b->either_depth ? b->eithers[b->either_depth - 1].branch : 0;
}

bool gv_builder_in_branch(const struct gv_builder *b, uint32_t branch)
{
    for (uint32_t i = 0; i < b->either_depth; i++)
        if (b->eithers[i].branch == branch)
            return true;
    return branch == 0;
}

static bool is_second(const struct gv_either *either)
{
    return either->branch != either->first;
}

struct gv_requirements *gv_builder_needs(struct gv_builder *b)
{
    struct gv_either *either = innermost(b);
    return either ? &either->needs[is_second(either)] : &b->requirements;
}

bool gv_builder_outside_branch(struct gv_builder *b, const char *what)
{
    return !b->either_depth ||
           gv_builder_fail(b, GV_ERR_USAGE, "%s inside a branch", what);
}

// ---- branches ----

static bool same_branch(const struct gv_branch *a, const struct gv_branch *b)
{
    return a->parent == b->parent && a->missed == b->missed &&
           a->row_count == b->row_count &&
           memcmp(a->rows, b->rows, a->row_count * sizeof a->rows[0]) == 0;
}

// The number of such a branch: the same condition in the same place is the same branch,
// however often it is opened. 0: failed.
static uint32_t branch_number(struct gv_builder *b, const struct gv_branch *like)
{
    for (uint32_t i = 0; i < b->branch_count; i++)
        if (same_branch(&b->branches[i], like))
            return i + 1;
    struct gv_branch *grown =
        realloc(b->branches, (b->branch_count + 1) * sizeof *grown);
    if (!grown) {
        gv_builder_no_memory(b);
        return 0;
    }
    b->branches = grown;
    b->branches[b->branch_count++] = *like;
    return b->branch_count;
}

// ---- writing ----

static bool put_patch(struct gv_builder *b, enum gv_patch_kind kind, uint32_t branch)
{
    const struct gv_patch patch = { b->code.bytes.size, kind, branch, 0 };
    return gv_code_patch(&b->code, patch) || gv_builder_no_memory(b);
}

static bool number_rows(struct gv_builder *b, struct gv_branch *branch,
                        const struct gv_requirement *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!gv_requirements_number(&b->requirements, b->params.writer, &rows[i],
                                    &branch->rows[i]))
            return gv_builder_no_memory(b);
    branch->row_count = (uint8_t)count;
    return true;
}

void gv_builder_either_begin(struct gv_builder *b, const struct gv_requirement *rows,
                             size_t count)
{
    struct gv_branch branch = { .parent = gv_builder_branch(b) };
    if (b->failed)
        return;
    if (b->either_depth == GV_EITHER_DEPTH || count == 0 || count > GV_EITHER_ROWS) {
        gv_builder_fail(b, GV_ERR_USAGE,
                        "branches too deep, or of too many conditions");
        return;
    }
    // The marker of the command cannot stand in a skip.
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return;
    gv_code_advance(&b->code.bytes, p);
    b->code.deferred = true;
    uint32_t number =
        number_rows(b, &branch, rows, count) ? branch_number(b, &branch) : 0;
    if (!number || !put_patch(b, GV_PATCH_SKIP, number))
        return;
    b->eithers[b->either_depth++] = (struct gv_either){ .first = number,
                                                        .branch = number,
                                                        .noted = b->state.noted_count };
    b->state.noting = true;
}

// Ends the branch being written.
static bool close_branch(struct gv_builder *b, const struct gv_either *either)
{
    gv_state_cache_forget_noted(&b->state, either->noted);
    if (either->same)
        return gv_builder_fail(b, GV_ERR_USAGE, "no object was made the same");
    return put_patch(b, GV_PATCH_SKIP_END, either->branch);
}

void gv_builder_either_else(struct gv_builder *b)
{
    struct gv_either *either = innermost(b);
    if (b->failed)
        return;
    if (!either || is_second(either)) {
        gv_builder_fail(b, GV_ERR_USAGE, "no branch has another here");
        return;
    }
    struct gv_branch branch = b->branches[either->first - 1];
    branch.missed = true;
    if (!close_branch(b, either))
        return;
    either->branch = branch_number(b, &branch);
    if (either->branch)
        put_patch(b, GV_PATCH_SKIP, either->branch);
}

void gv_builder_either_end(struct gv_builder *b)
{
    struct gv_either *either = innermost(b);
    if (b->failed)
        return;
    if (!either || !is_second(either)) {
        gv_builder_fail(b, GV_ERR_USAGE, "no second branch ends here");
        return;
    }
    if (!close_branch(b, either))
        return;
    b->either_depth--;
    if (!gv_requirements_common(gv_builder_needs(b), &either->needs[0],
                                &either->needs[1]))
        gv_builder_no_memory(b);
    gv_requirements_finish(&either->needs[0]);
    gv_requirements_finish(&either->needs[1]);
    b->state.noting = b->either_depth != 0;
    if (!b->either_depth)
        b->state.noted_count = 0;
}

// ---- objects of both branches ----

bool gv_builder_either_same_id(struct gv_builder *b, uint32_t first)
{
    struct gv_either *either = innermost(b);
    const struct gv_live_object *live = gv_slots_find(&b->slots, first);
    if (b->failed || first == GV_REFUSED_OBJECT)
        return false;
    if (!either || !is_second(either) || either->same || !live)
        return gv_builder_fail(b, GV_ERR_USAGE, "an object has no counterpart here");
    if (live->branch != either->first)
        return !gv_builder_in_branch(b, live->branch) &&
               gv_builder_fail(b, GV_ERR_USAGE, "an object of another branch");
    either->same = first;
    return true;
}

uint32_t gv_builder_join(struct gv_builder *b, const struct gv_live_object *object)
{
    struct gv_either *either = innermost(b);
    if (!either || !either->same)
        return 0;
    uint32_t first = either->same;
    const struct gv_live_object *live = gv_slots_find(&b->slots, first);
    if (!live || live->call != object->call ||
        (live->kind == GV_KIND_MAP && live->bytes != object->bytes))
        return gv_builder_fail(b, GV_ERR_USAGE,
                               "two branches make different kinds of object");
    gv_slots_join(&b->slots, first, object, b->branches[either->first - 1].parent);
    either->same = 0;
    return first;
}

static struct gv_pipeline make_compute(struct gv_builder *b,
                                       const struct gv_compute_form *form,
                                       struct gv_pipeline first)
{
    struct gv_shader shader = gv_builder_shader(b, form->words, form->word_count);
    if (first.id && !gv_builder_either_same(b, first))
        return first;
    return gv_builder_compute(b, form->desc, shader);
}

struct gv_pipeline gv_builder_compute_either(struct gv_builder *b,
                                             const struct gv_requirement *rows,
                                             size_t count,
                                             const struct gv_compute_form *met,
                                             const struct gv_compute_form *missed)
{
    gv_builder_either_begin(b, rows, count);
    struct gv_pipeline pipeline = make_compute(b, met, GV_NO_PIPELINE);
    gv_builder_either_else(b);
    make_compute(b, missed, pipeline);
    gv_builder_either_end(b);
    return b->failed ? GV_NO_PIPELINE : pipeline;
}

// ---- resolving ----

// Whether a skip, the `index`-th patch, has anything to skip; `*last` is then the last
// resource named in it, or UINT64_MAX.
static bool look_into_skip(const struct gv_code *code, size_t index, uint64_t *last)
{
    size_t i = index + 1;
    *last = UINT64_MAX;
    for (size_t depth = 1; depth; i++) {
        const struct gv_patch *patch = &code->patches[i];
        depth += patch->kind == GV_PATCH_SKIP;
        depth -= patch->kind == GV_PATCH_SKIP_END;
        if (patch->kind == GV_PATCH_RESOURCE || patch->kind == GV_PATCH_FETCH)
            *last = patch->index;
    }
    return code->patches[i - 1].at != code->patches[index].at;
}

static uint8_t *put_condition(struct gv_builder *b, uint8_t *p,
                              const struct gv_branch *branch)
{
    for (size_t i = 0; i < branch->row_count; i++) {
        p = gv_put_op(p, GV_OP_MEETS, branch->rows[i]);
        if (i)
            *p++ = GV_OP_AND;
    }
    b->code.instructions += (uint64_t)branch->row_count * 2; // with the SKIP_ZERO
    if (branch->missed) {
        p = gv_put_push(p, 1);
        *p++ = GV_OP_LESS;
        b->code.instructions += 2;
    }
    *p++ = GV_OP_SKIP_ZERO;
    if (b->code.stack < 2)
        b->code.stack = 2;
    return p;
}

bool gv_builder_resolve_skip(struct gv_builder *b, size_t index)
{
    uint64_t last;
    bool empty = !look_into_skip(&b->code, index, &last);
    size_t *skip = &b->skips[b->skip_depth++];
    *skip = SIZE_MAX;
    if (empty)
        return true;
    uint8_t *p = gv_code_room(&b->resolved, GV_CALL_BYTES);
    if (!p)
        return gv_builder_no_memory(b);
    // Whether the branch is taken or not, the next resource is the same behind it: the
    // last one in it is named in front of it, too.
    if (last != UINT64_MAX) {
        p = gv_builder_put_final_resource(b, p, GV_OP_RES, (uint32_t)last);
        *p++ = GV_OP_DROP;
        b->code.instructions += 2;
    }
    p = put_condition(b, p, &b->branches[b->code.patches[index].index - 1]);
    gv_code_advance(&b->resolved, p);
    *skip = b->resolved.size;
    return true;
}

bool gv_builder_resolve_skip_end(struct gv_builder *b)
{
    size_t at = b->skips[--b->skip_depth];
    if (at == SIZE_MAX)
        return true;
    uint8_t operand[10];
    size_t skipped = b->resolved.size - at;
    size_t size = (size_t)(gv_put_uleb(operand, skipped) - operand);
    uint8_t *end = gv_code_room(&b->resolved, size);
    if (!end)
        return gv_builder_no_memory(b);
    memmove(end - skipped + size, end - skipped, skipped);
    memcpy(end - skipped, operand, size);
    b->resolved.size += size;
    return true;
}
