// Facts for `gpuvm info`, added in order (compiler.h).
#include "compiler/compiler.h"

#include <stdlib.h>
#include <string.h>

// Room for one more fact; NULL when memory runs out, which leaves the fact out.
static struct gv_fact *add(struct gv_describe *d, const char *key)
{
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 16;
        struct gv_fact *grown = realloc(d->facts, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        d->facts = grown;
        d->capacity = capacity;
    }
    struct gv_fact *fact = &d->facts[d->count++];
    *fact = (struct gv_fact){ .key = key };
    return fact;
}

void gv_describe_number(struct gv_describe *d, const char *key, uint64_t number)
{
    struct gv_fact *fact = add(d, key);
    if (fact)
        fact->number = number;
}

void gv_describe_bool(struct gv_describe *d, const char *key, bool value)
{
    struct gv_fact *fact = add(d, key);
    if (!fact)
        return;
    fact->kind = GV_FACT_BOOL;
    fact->number = value;
}

void gv_describe_text(struct gv_describe *d, const char *key, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    struct gv_fact *fact = copy ? add(d, key) : NULL;
    if (!fact) {
        free(copy);
        return;
    }
    memcpy(copy, text, size);
    fact->kind = GV_FACT_TEXT;
    fact->text = copy;
}

void gv_describe_finish(struct gv_describe *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->facts[i].text);
    free(d->facts);
    *d = (struct gv_describe){ 0 };
}
