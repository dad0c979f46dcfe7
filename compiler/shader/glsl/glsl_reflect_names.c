// Names of a linked program: what stages declare as different things does not link; the
// indices of blocks follow from names.
#include "compiler/shader/glsl/glsl_reflect_internal.h"
#include "resources/hash.h"

#include <stdlib.h>
#include <string.h>

// Without the [0] of an array.
static size_t own_size(const char *name)
{
    const size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, "[0]") ? n - 3 : n;
}

static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const size_t n = own_size(x), m = own_size(y);
    const int differ = memcmp(x, y, n < m ? n : m);
    return differ ? differ : (n > m) - (n < m);
}

bool glsl_reflect_names(struct glsl_reflecting *r)
{
    const struct gv_glsl_reflection *out = &r->program->reflection;
    const size_t most = out->uniform_count + out->sampler_count;
    if (r->program->count < 2 || most < 2)
        return true;
    const char **names = gv_arena_array(r->arena, most, sizeof *names);
    if (!names)
        return gv_out_of_memory(r->err);
    for (size_t i = 0; i < out->uniform_count; i++)
        names[i] = out->uniforms[i].name;
    for (size_t i = 0; i < out->sampler_count; i++)
        names[out->uniform_count + i] = out->samplers[i].name;
    qsort(names, most, sizeof *names, by_name);
    for (size_t i = 1; i < most; i++)
        if (by_name(&names[i - 1], &names[i]) == 0)
            return gv_fail(r->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "glsl linking: stages differ in what '%.60s' is", names[i]);
    return true;
}

// ---- indices of blocks ----

// A program that never asks for the index of a block may still use the one that it had
// with Mesa: each stage's blocks are in the order of a hash table's slots (Mesa's
// hash_table.c: how many it takes, its slots, what a step is a remainder of).
static const struct {
    uint32_t most, slots, step;
} tables[] = { { 2, 5, 3 },       { 4, 7, 5 },       { 8, 13, 11 },
               { 16, 19, 17 },    { 32, 43, 41 },    { 64, 73, 71 },
               { 128, 151, 149 }, { 256, 283, 281 }, { 512, 571, 569 } };
#define TABLES (sizeof tables / sizeof *tables)
#define MOST_SLOTS 571

struct table {
    const struct glsl_note *slots[MOST_SLOTS];
    size_t size, count; // an index of `tables`; blocks
};

static void put_block(struct table *t, const struct glsl_note *n)
{
    const uint32_t hash = (uint32_t)gv_hash_xxh64(n->name, strlen(n->name));
    uint32_t at = hash % tables[t->size].slots;
    while (t->slots[at] && strcmp(t->slots[at]->name, n->name) != 0)
        at = (at + 1 + hash % tables[t->size].step) % tables[t->size].slots;
    t->count += !t->slots[at];
    t->slots[at] = t->slots[at] ? t->slots[at] : n;
}

static void grow(struct table *t)
{
    const struct table old = *t;
    *t = (struct table){ .size = old.size + 1 };
    for (uint32_t i = 0; i < tables[old.size].slots; i++)
        if (old.slots[i])
            put_block(t, old.slots[i]);
}

// A block without an instance that nobody uses is active but where it is packed.
static bool is_active(const struct glsl_note *n, const struct gv_glsl_block *b)
{
    return b || !glsl_layout_has(&n->unit->code, &n->declaration, "packed");
}

static const struct gv_glsl_block *find_block(const struct gv_glsl_reflection *out,
                                              const char *name)
{
    for (size_t i = 0; i < out->block_count; i++)
        if (!strcmp(out->blocks[i].name, name))
            return &out->blocks[i];
    return NULL;
}

static void name_block(struct gv_glsl_reflection *out, const struct glsl_note *n)
{
    const struct gv_glsl_block *b = find_block(out, n->name);
    const struct glsl_tokens *code = &n->unit->code;
    const size_t dims = n->declaration.dims;
    for (size_t i = 0; i < out->block_name_count; i++)
        if (!strcmp(out->block_names[i].name, n->name))
            return;
    const bool array = b ? b->array_size > 0 : dims != GLSL_NO_TOKEN;
    const uint32_t said =
        array && !b
            ? (uint32_t)strtoul(code->tokens[glsl_next(code, dims)].text, NULL, 0)
            : 1;
    out->block_names[out->block_name_count++] = (struct gv_glsl_block_name){
        .name = n->name,
        .count = array && b ? b->array_size : said,
        .storage = n->qualifiers & GLSL_BUFFER,
        .block = b,
    };
}

// From the last declaration to the first, as Mesa meets them.
static void order_stage(struct gv_glsl_reflection *out, const struct glsl_stage *s)
{
    struct table t = { .size = 0 };
    for (size_t i = s->note_count; i-- > 0;) {
        const struct glsl_note *n = &s->notes[i];
        if (n->declaration.what != GLSL_DECLARES_BLOCK ||
            !(n->qualifiers & (GLSL_UNIFORM | GLSL_BUFFER)) ||
            !is_active(n, find_block(out, n->name)))
            continue;
        if (t.count >= tables[t.size].most && t.size + 1 < TABLES)
            grow(&t);
        if (t.count < tables[t.size].most)
            put_block(&t, n);
    }
    for (uint32_t i = 0; i < tables[t.size].slots; i++)
        if (t.slots[i])
            name_block(out, t.slots[i]);
}

bool glsl_order_blocks(struct glsl_reflecting *r)
{
    static const uint32_t order[] = { GV_STAGE_VERTEX,
                                      GV_STAGE_TESSELLATION_CONTROL,
                                      GV_STAGE_TESSELLATION_EVALUATION,
                                      GV_STAGE_GEOMETRY,
                                      GV_STAGE_FRAGMENT,
                                      GV_STAGE_COMPUTE };
    struct gv_glsl_reflection *out = &r->program->reflection;
    size_t most = 0;
    for (size_t i = 0; i < r->upgraded->count; i++)
        for (size_t k = 0; k < r->upgraded->stages[i].note_count; k++)
            most +=
                r->upgraded->stages[i].notes[k].declaration.what == GLSL_DECLARES_BLOCK;
    out->block_names = gv_arena_array(r->arena, most, sizeof *out->block_names);
    if (!out->block_names)
        return gv_out_of_memory(r->err);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < r->upgraded->count; i++)
            if (r->upgraded->stages[i].stage == order[k])
                order_stage(out, &r->upgraded->stages[i]);
    return true;
}
