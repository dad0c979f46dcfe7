#include "compiler/builder/matrices.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/builder/dedup.h"
#include "vm/matrix/matrix.h"

#define MOST ((size_t)1 << 17) // then nothing is added
#define MANY ((size_t)1 << 15) // then all is forgotten at the end of a frame

static void forget(struct gv_matrices *t)
{
    free(t->list);
    free(t->inverses);
    free(t->by_content.table);
    free(t->by_inverse.table);
    *t = (struct gv_matrices){ .memory = t->memory, .gains = t->gains };
}

void gv_matrices_finish(struct gv_matrices *t)
{
    forget(t);
    t->memory = 0;
}

void gv_matrices_relieve(struct gv_matrices *t)
{
    if (t->count > MANY || t->inverse_count > MANY)
        forget(t);
}

// ---- content to number ----

// The bytes that entry `number` of an index is known by.
typedef const void *key_of(const struct gv_matrices *t, uint32_t number);

static const void *content_of(const struct gv_matrices *t, uint32_t number)
{
    return t->list[number - 1].m;
}

static const void *columns_of(const struct gv_matrices *t, uint32_t number)
{
    return t->inverses[number - 1].columns;
}

static uint32_t hash_of(const void *bytes, size_t size)
{
    return (uint32_t)gv_dedup_hash(bytes, size);
}

// Where bytes of this hash stand in the index, or would: with it.
static struct gv_matrix_entry *probe(const struct gv_matrices *t,
                                     const struct gv_matrix_index *index, key_of *key,
                                     const void *bytes, size_t size, uint32_t hash)
{
    size_t at = hash & (index->size - 1);
    for (;; at = (at + 1) & (index->size - 1)) {
        struct gv_matrix_entry *e = &index->table[at];
        if (!e->number)
            e->hash = hash;
        if (!e->number ||
            (e->hash == hash && memcmp(key(t, e->number), bytes, size) == 0))
            return e;
    }
}

static bool make_room(struct gv_matrix_index *index)
{
    if (2 * (index->count + 1) <= index->size)
        return true;
    const struct gv_matrix_index old = *index;
    struct gv_matrix_index grown = { .size = old.size ? old.size * 2 : 256,
                                     .count = old.count };
    grown.table = calloc(grown.size, sizeof *grown.table);
    if (!grown.table)
        return false;
    for (size_t i = 0; i < old.size; i++) {
        size_t at = old.table[i].hash & (grown.size - 1);
        while (grown.table[at].number)
            at = (at + 1) & (grown.size - 1);
        if (old.table[i].number)
            grown.table[at] = old.table[i];
    }
    free(old.table);
    *index = grown;
    return true;
}

static uint32_t find_hashed(const struct gv_matrices *t, const void *bytes,
                            uint32_t hash)
{
    return t->count ? probe(t, &t->by_content, content_of, bytes, GV_MATRIX_BYTES, hash)
                          ->number
                    : 0;
}

uint32_t gv_matrices_find(const struct gv_matrices *t, const void *bytes)
{
    return find_hashed(t, bytes, hash_of(bytes, GV_MATRIX_BYTES));
}

uint32_t gv_matrices_find_inverse(const struct gv_matrices *t, const void *columns)
{
    if (!t->inverse_count)
        return 0;
    const uint32_t number =
        probe(t, &t->by_inverse, columns_of, columns, GV_MATRIX_INVERSE_BYTES,
              hash_of(columns, GV_MATRIX_INVERSE_BYTES))
            ->number;
    return number ? t->inverses[number - 1].of : 0;
}

// ---- what is said ----

// Room for one more in a list; false: not noted.
static bool grow(void **list, size_t size, size_t count, size_t *capacity)
{
    if (count == MOST)
        return false;
    if (count < *capacity)
        return true;
    const size_t more = *capacity ? *capacity * 2 : 256;
    void *grown = realloc(*list, more * size);
    if (!grown)
        return false;
    *list = grown;
    *capacity = more;
    return true;
}

// The number of a matrix of this hash, new or not; 0: no room.
static uint32_t number_hashed(struct gv_matrices *t, const float m[16], uint32_t hash)
{
    void *list = t->list;
    if (!make_room(&t->by_content))
        return 0;
    struct gv_matrix_entry *at =
        probe(t, &t->by_content, content_of, m, GV_MATRIX_BYTES, hash);
    const uint32_t known_as = at->number;
    if (known_as)
        return known_as;
    const bool room = grow(&list, sizeof *t->list, t->count, &t->capacity);
    t->list = list;
    if (!room)
        return 0;
    struct gv_known_matrix *known = &t->list[t->count++];
    *known = (struct gv_known_matrix){ 0 };
    memcpy(known->m, m, sizeof known->m);
    t->by_content.count++;
    return at->number = (uint32_t)t->count;
}

static uint32_t number_of(struct gv_matrices *t, const float m[16])
{
    return number_hashed(t, m, hash_of(m, GV_MATRIX_BYTES));
}

// A program goes on from the product that it has just made.
static uint32_t number_of_left(struct gv_matrices *t, const float m[16])
{
    const void *made = t->last ? t->list[t->last - 1].m : NULL, *given = m;
    if (made && memcmp(made, given, GV_MATRIX_BYTES) == 0)
        return t->last;
    return number_of(t, m);
}

void gv_matrices_product(struct gv_matrices *t, const float product[16],
                         const float left[16], const float right[16])
{
    float made[16];
    const uint32_t hash = hash_of(product, GV_MATRIX_BYTES);
    const uint32_t known_as = find_hashed(t, product, hash);
    if (known_as) { // of which others, it does not matter
        t->last = known_as;
        return;
    }
    gv_matrix_product(made, left, right);
    // To the bit: NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(made, product, sizeof made) != 0)
        return;
    const size_t before = t->count;
    const uint32_t first = number_of_left(t, left), second = number_of(t, right);
    if (!first || !second)
        return;
    t->list[second - 1].said += second <= before;
    const size_t factors = t->count;
    const uint32_t number = number_hashed(t, product, hash);
    t->last = number;
    if (number <= factors) // one of them, or no room
        return;
    t->list[number - 1].left = first;
    t->list[number - 1].right = second;
}

void gv_matrices_inverse(struct gv_matrices *t, const float m[16])
{
    float inverse[16];
    const uint32_t of = number_of(t, m);
    void *list = t->inverses;
    if (!of || !make_room(&t->by_inverse))
        return;
    gv_matrix_inverse(inverse, m);
    struct gv_matrix_entry *at =
        probe(t, &t->by_inverse, columns_of, inverse, GV_MATRIX_INVERSE_BYTES,
              hash_of(inverse, GV_MATRIX_INVERSE_BYTES));
    if (at->number)
        return;
    const bool room =
        grow(&list, sizeof *t->inverses, t->inverse_count, &t->inverse_capacity);
    t->inverses = list;
    if (!room)
        return;
    struct gv_known_inverse *known = &t->inverses[t->inverse_count++];
    memcpy(known->columns, inverse, sizeof known->columns);
    known->of = of;
    t->by_inverse.count++;
    at->number = (uint32_t)t->inverse_count;
}

// ---- places ----

void gv_matrices_pass(struct gv_matrices *t, uint32_t product)
{
    struct gv_known_matrix *left = gv_matrices_at(t, gv_matrices_at(t, product)->left);
    if (left->through && left->through != product)
        left->shared = true;
    left->through = product;
}

void gv_matrices_vacate(struct gv_matrices *t)
{
    for (uint32_t i = 0; i < GV_MATRIX_PLACES; i++)
        if (t->places[i].matrix)
            t->list[t->places[i].matrix - 1].place = 0;
    memset(t->places, 0, sizeof t->places);
}

uint32_t gv_matrices_take_place(struct gv_matrices *t, uint32_t matrix, uint64_t frame,
                                uint64_t since)
{
    uint32_t best = GV_MATRIX_PLACES;
    for (uint32_t i = 0; i < GV_MATRIX_PLACES; i++) {
        const struct gv_matrix_place *p = &t->places[i];
        if (p->used >= since)
            continue;
        if (p->frame != frame + 1) {
            best = i;
            break;
        }
        if (best == GV_MATRIX_PLACES || p->used < t->places[best].used)
            best = i;
    }
    if (best == GV_MATRIX_PLACES)
        return best;
    struct gv_matrix_place *place = &t->places[best];
    if (place->matrix)
        t->list[place->matrix - 1].place = 0;
    *place = (struct gv_matrix_place){ .matrix = matrix, .used = ++t->clock };
    t->list[matrix - 1].place = best + 1;
    return best;
}
