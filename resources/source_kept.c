#include "resources/source_kept.h"

#include <stdlib.h>
#include <string.h>

#define CHAINS 1024u // a power of two

struct kept {
    struct kept *next;
    struct gv_hash hash;
    uint64_t size;
    uint8_t bytes[];
};

struct kept_source {
    struct gv_source base;
    struct gv_source *const *sources; // borrowed
    size_t count;
    uint64_t left; // bytes that may still be kept
    struct kept *chains[CHAINS];
};

static struct kept **chain(struct kept_source *s, const struct gv_hash *hash)
{
    return &s->chains[(hash->bytes[0] | (uint32_t)hash->bytes[1] << 8) & (CHAINS - 1)];
}

static const uint8_t *find(struct gv_source *source, const struct gv_hash *hash,
                           uint64_t raw_size)
{
    for (const struct kept *k = *chain((struct kept_source *)source, hash); k;
         k = k->next)
        if (k->size == raw_size && gv_hash_equal(&k->hash, hash))
            return k->bytes;
    return NULL;
}

// Without memory for it nothing is kept.
static void keep(struct kept_source *s, const struct gv_fetch *item)
{
    struct kept *k = NULL;
    if (item->raw_size <= s->left)
        k = malloc(sizeof *k + (size_t)item->raw_size);
    if (!k)
        return;
    struct kept **first = chain(s, &item->hash);
    *k = (struct kept){ .next = *first, .hash = item->hash, .size = item->raw_size };
    memcpy(k->bytes, item->data, (size_t)item->raw_size);
    s->left -= item->raw_size;
    *first = k;
}

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct kept_source *s = (struct kept_source *)source;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *bytes = find(source, &items[i].hash, items[i].raw_size);
        if (bytes) {
            memcpy(items[i].data, bytes, (size_t)items[i].raw_size);
            items[i].found = true;
            continue;
        }
        for (size_t k = 0; !items[i].found && k < s->count; k++)
            if (!s->sources[k]->fetch(s->sources[k], &items[i], 1, err))
                return false;
        if (items[i].found)
            keep(s, &items[i]);
    }
    return true;
}

static void destroy(struct gv_source *source)
{
    struct kept_source *s = (struct kept_source *)source;
    for (size_t i = 0; i < CHAINS; i++)
        while (s->chains[i]) {
            struct kept *next = s->chains[i]->next;
            free(s->chains[i]);
            s->chains[i] = next;
        }
    free(s);
}

struct gv_source *gv_source_kept(struct gv_source *const *sources, size_t count,
                                 uint64_t most, struct gv_error *err)
{
    struct kept_source *s = calloc(1, sizeof *s);
    if (!s) {
        gv_out_of_memory(err);
        return NULL;
    }
    s->base = (struct gv_source){ .name = "what was read before",
                                  .fetch = fetch,
                                  .borrow = find,
                                  .destroy = destroy,
                                  .storeless = count == 0 };
    s->sources = sources;
    s->count = count;
    s->left = most;
    return &s->base;
}
