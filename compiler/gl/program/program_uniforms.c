// The uniforms of a linked program: their values, and where they are by name and by
// location.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_object.h"

#define PLACE_WORK 4096u     // units of placing all of a program's uniforms
#define ENTRY sizeof(void *) // of by_name and by_location

// ---- the table ----

static uint32_t words_of_type(const struct gv_glsl_type *t)
{
    return t->rows * t->columns * gv_glsl_scalar_words(t->scalar);
}

static uint32_t elements_of(uint32_t array_size)
{
    return array_size ? array_size : 1;
}

// Of a name without the "[0]" of an array.
static size_t name_size(const char *name, bool array)
{
    const size_t size = strlen(name);
    return array && size > 3 ? size - 3 : size;
}

static void add_uniforms(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    const struct gv_glsl_block *b = r->block_count ? &r->blocks[0] : NULL;
    for (uint32_t i = 0; b && !*b->name && i < b->count; i++) {
        const struct gv_glsl_uniform *u = &r->uniforms[b->first + i];
        if (!u->state)
            x->uniforms[x->uniform_count++] = (struct gv_gl_uniform){
                .name = u->name,
                .name_size = name_size(u->name, u->array_size != 0),
                .type = u->type,
                .array = u->array_size != 0,
                .hidden = !strncmp(u->name, GLSL_SUBROUTINE, strlen(GLSL_SUBROUTINE)),
                .elements = elements_of(u->array_size),
                .words = words_of_type(&u->type),
                .text_location = u->location
            };
    }
}

static void add_samplers(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    for (size_t i = 0; i < r->sampler_count; i++) {
        const struct gv_glsl_sampler *s = &r->samplers[i];
        if (s->fetch)
            continue;
        x->uniforms[x->uniform_count++] =
            (struct gv_gl_uniform){ .name = s->name,
                                    .name_size = name_size(s->name, s->array_size != 0),
                                    .sampler = true,
                                    .image = s->image,
                                    .type = { GV_GLSL_INT, 1, 1 },
                                    .array = s->array_size != 0,
                                    .elements = elements_of(s->array_size),
                                    .words = 1,
                                    .text_location = s->location };
    }
}

static void set_defaults(struct gv_gl_executable *x, const struct gv_glsl_reflection *r)
{
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        uint32_t element;
        if (u->sampler) {
            const struct gv_glsl_sampler *s =
                gv_glsl_find_sampler(r, u->name, &element);
            for (uint32_t e = 0; s && s->binding > 0 && e < u->elements; e++)
                u->values[e] = (uint32_t)s->binding + e;
            continue;
        }
        const struct gv_glsl_uniform *from = gv_glsl_find_uniform(r, u->name, &element);
        if (from && from->value)
            memcpy(u->values, from->value, (size_t)u->elements * u->words * 4);
    }
}

// Names without the "[0]" of arrays, in order.
static int compare_names(const void *a, const void *b)
{
    const struct gv_gl_uniform *l = *(struct gv_gl_uniform *const *)a,
                               *r = *(struct gv_gl_uniform *const *)b;
    const size_t shorter = l->name_size < r->name_size ? l->name_size : r->name_size;
    const int order = memcmp(l->name, r->name, shorter);
    return order ? order
                 : (l->name_size > r->name_size) - (l->name_size < r->name_size);
}

static void order_names(struct gv_gl_executable *x)
{
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        x->by_name[i] = &x->uniforms[i];
        x->by_location[i] = &x->uniforms[i];
    }
    qsort(x->by_name, x->uniform_count, ENTRY, compare_names);
}

bool gv_gl_list_uniforms(struct gv_gl_executable *x, const struct gv_glsl_reflection *r,
                         struct gv_error *err)
{
    const size_t count = r->uniform_count + r->sampler_count + 1;
    size_t words = 0;
    x->uniforms = calloc(count, sizeof *x->uniforms);
    x->by_name = calloc(count, ENTRY);
    x->by_location = calloc(count, ENTRY);
    if (!x->uniforms || !x->by_name || !x->by_location)
        return gv_out_of_memory(err);
    add_uniforms(x, r);
    add_samplers(x, r);
    for (uint32_t i = 0; i < x->uniform_count; i++)
        words += (size_t)x->uniforms[i].elements * x->uniforms[i].words;
    x->values = calloc(words ? words : 1, 4);
    if (!x->values)
        return gv_out_of_memory(err);
    words = 0;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        x->uniforms[i].values = x->values + words;
        words += (size_t)x->uniforms[i].elements * x->uniforms[i].words;
    }
    order_names(x);
    set_defaults(x, r);
    return true;
}

// ---- by name ----

static struct gv_gl_uniform *find(const struct gv_gl_executable *x, const char *name,
                                  size_t size)
{
    const struct gv_gl_uniform wanted = { .name = name, .name_size = size },
                               *key = &wanted;
    struct gv_gl_uniform **found = NULL;
    if (x->uniform_count)
        found = bsearch(&key, x->by_name, x->uniform_count, ENTRY, compare_names);
    return found ? *found : NULL;
}

// "a" and "a[3]" are of "a[0]".
struct gv_gl_uniform *gv_gl_uniform_named(const struct gv_gl_executable *x,
                                          const char *name, uint32_t *element)
{
    const size_t size = strlen(name);
    struct gv_gl_uniform *u = find(x, name, size);
    *element = 0;
    if (u || !size || name[size - 1] != ']')
        return u;
    const char *bracket = strrchr(name, '[');
    u = bracket ? find(x, name, (size_t)(bracket - name)) : NULL;
    const unsigned long at = u && u->array ? strtoul(bracket + 1, NULL, 10) : 0;
    if (!u || !u->array || at >= u->elements)
        return NULL;
    *element = (uint32_t)at;
    return u;
}

// ---- by location ----

// A bit for each location, which few programs have many of.
#define TAKEN_BYTES (GV_GL_MAX_LOCATION / 8 + 1)

static bool is_taken(const uint8_t *taken, uint32_t at)
{
    return taken[at / 8] >> at % 8 & 1;
}

static void take(uint8_t *taken, const struct gv_gl_uniform *u)
{
    for (uint32_t i = 0; i < u->elements && u->location + i <= GV_GL_MAX_LOCATION;
         i++) {
        const uint32_t at = u->location + i;
        taken[at / 8] |= (uint8_t)(1u << at % 8);
    }
}

static void take_told(const struct gv_gl_program *p, bool *placed)
{
    const struct gv_gl_executable *x = p->executable;
    for (uint32_t i = 0; i < p->told_uniforms.count; i++) {
        const struct gv_gl_numbered *n = &p->told_uniforms.list[i];
        uint32_t element;
        struct gv_gl_uniform *u = gv_gl_uniform_named(x, n->name, &element);
        if (!u || (uint32_t)n->number < element ||
            (uint32_t)n->number > GV_GL_MAX_LOCATION)
            continue;
        u->location = (uint32_t)n->number - element;
        placed[u - x->uniforms] = true;
    }
}

// The rest stands one behind the other, where there is room.
static void fill(struct gv_gl_executable *x, const bool *placed, const uint8_t *taken)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < x->uniform_count; i++) {
        struct gv_gl_uniform *u = &x->uniforms[i];
        uint32_t free_ones = 0;
        if (placed[i])
            continue;
        u->location = UINT32_MAX;
        if (u->hidden)
            continue;
        while (free_ones < u->elements && next <= GV_GL_MAX_LOCATION)
            free_ones = is_taken(taken, next++) ? 0 : free_ones + 1;
        // Without room nothing reaches it.
        u->location = free_ones == u->elements ? next - free_ones : UINT32_MAX;
    }
}

static int compare_locations(const void *a, const void *b)
{
    const struct gv_gl_uniform *l = *(struct gv_gl_uniform *const *)a,
                               *r = *(struct gv_gl_uniform *const *)b;
    return (l->location > r->location) - (l->location < r->location);
}

// Where uniforms stand: as the recorded driver said, as the text says, else one behind
// the other.
static bool place(const struct gv_gl_program *p)
{
    struct gv_gl_executable *x = p->executable;
    bool *placed = calloc(x->uniform_count + 1u, sizeof *placed);
    uint8_t *taken = calloc(TAKEN_BYTES, 1);
    if (placed && taken) {
        for (uint32_t i = 0; i < x->uniform_count; i++) {
            struct gv_gl_uniform *u = &x->uniforms[i];
            placed[i] = u->text_location >= 0 &&
                        (uint32_t)u->text_location <= GV_GL_MAX_LOCATION;
            u->location = placed[i] ? (uint32_t)u->text_location : 0;
        }
        take_told(p, placed);
        for (uint32_t i = 0; i < x->uniform_count; i++)
            if (placed[i])
                take(taken, &x->uniforms[i]);
        fill(x, placed, taken);
        qsort(x->by_location, x->uniform_count, ENTRY, compare_locations);
        x->placed = true;
    }
    free(placed);
    free(taken);
    return x->placed;
}

// The last one that begins at or in front of a location.
static struct gv_gl_uniform *last_from(const struct gv_gl_executable *x,
                                       uint32_t location)
{
    uint32_t low = 0, high = x->uniform_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (x->by_location[middle]->location <= location)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? x->by_location[low - 1] : NULL;
}

bool gv_gl_uniform_at(struct gv_gl_work *work, struct gv_gl_program *p,
                      uint32_t location, struct gv_gl_place *out, struct gv_error *err)
{
    struct gv_gl_executable *x = p->executable;
    *out = (struct gv_gl_place){ 0 };
    if (!x || x->status != GV_GL_LINKED)
        return true;
    if (!x->placed && !gv_gl_work(work, PLACE_WORK + x->uniform_count, err))
        return false;
    if (!x->placed && !place(p))
        return gv_out_of_memory(err);
    struct gv_gl_uniform *u = last_from(x, location);
    if (u && location - u->location < u->elements)
        *out = (struct gv_gl_place){ u, location - u->location };
    return true;
}
