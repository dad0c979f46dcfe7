#include "tools/diff/diff_table.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64u // a power of two, as all of them

static size_t place_of(const struct gv_diff_table *t, uint64_t key)
{
    size_t at =
        (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (t->capacity - 1);
    while (t->keys[at] && t->keys[at] != key)
        at = (at + 1) & (t->capacity - 1);
    return at;
}

static bool grow(struct gv_diff_table *t)
{
    struct gv_diff_table more = { .count = t->count,
                                  .capacity =
                                      t->capacity ? 2 * t->capacity : FIRST_CAPACITY };
    more.keys = calloc(more.capacity, sizeof *more.keys);
    more.values = calloc(more.capacity, sizeof *more.values);
    if (!more.keys || !more.values) {
        gv_diff_table_finish(&more);
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        if (!t->keys[i])
            continue;
        const size_t at = place_of(&more, t->keys[i]);
        more.keys[at] = t->keys[i];
        more.values[at] = t->values[i];
    }
    gv_diff_table_finish(t);
    *t = more;
    return true;
}

uint32_t *gv_diff_table_at(struct gv_diff_table *t, uint64_t key)
{
    if (!key)
        key = 1; // as good as any other hash
    if (t->count >= t->capacity / 2 && !grow(t))
        return NULL;
    const size_t at = place_of(t, key);
    t->count += !t->keys[at];
    t->keys[at] = key;
    return &t->values[at];
}

void gv_diff_table_finish(struct gv_diff_table *t)
{
    free(t->keys);
    free(t->values);
    *t = (struct gv_diff_table){ 0 };
}
