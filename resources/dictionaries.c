#include "resources/dictionaries.h"

#include <stdlib.h>
#include <string.h>

struct gv_span gv_dictionary_of(struct gv_span raw)
{
    if (raw.size <= GV_DICTIONARY_BYTES)
        return raw;
    return (struct gv_span){ (const uint8_t *)raw.data +
                                 (raw.size - GV_DICTIONARY_BYTES),
                             GV_DICTIONARY_BYTES };
}

struct gv_span gv_dictionaries_find(const struct gv_dictionaries *d, uint32_t number)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].number == number)
            return (struct gv_span){ d->items[i].bytes, d->items[i].size };
    return (struct gv_span){ 0 };
}

bool gv_dictionaries_keep(struct gv_dictionaries *d, uint32_t number,
                          struct gv_span raw, struct gv_error *err)
{
    const struct gv_span last = gv_dictionary_of(raw);
    if (d->count == GV_DICTIONARY_MOST)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many dictionaries");
    uint8_t *bytes = malloc(last.size ? last.size : 1);
    if (!bytes)
        return gv_out_of_memory(err);
    if (last.size)
        memcpy(bytes, last.data, last.size);
    d->items[d->count].number = number;
    d->items[d->count].bytes = bytes;
    d->items[d->count++].size = last.size;
    return true;
}

void gv_dictionaries_finish(struct gv_dictionaries *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->items[i].bytes);
    *d = (struct gv_dictionaries){ 0 };
}
