#include "runtime/vk/table.h"

#include <stdlib.h>

#define FIRST_SIZE 64

void gv_table_finish(struct gv_table *table)
{
    free((void *)table->buckets);
    *table = (struct gv_table){ NULL, 0, 0 };
}

static struct gv_link **bucket_of(const struct gv_table *table, uint64_t hash)
{
    return &table->buckets[(hash >> 32) & (table->size - 1)];
}

static struct gv_table_entry *entry_of(struct gv_link *link)
{
    return GV_LINK_HOLDER(link, struct gv_table_entry, link);
}

static bool grow(struct gv_table *table)
{
    const struct gv_table old = *table;
    size_t size = old.size ? old.size * 2 : FIRST_SIZE;
    struct gv_link **buckets = calloc(size, sizeof(struct gv_link *));
    if (!buckets)
        return false;
    table->buckets = buckets;
    table->size = size;
    for (size_t i = 0; i < old.size; i++)
        while (old.buckets[i]) {
            struct gv_table_entry *entry = entry_of(old.buckets[i]);
            gv_link_remove(&entry->link);
            gv_link_add(bucket_of(table, entry->hash), &entry->link);
        }
    free((void *)old.buckets);
    return true;
}

bool gv_table_add(struct gv_table *table, struct gv_table_entry *entry, uint64_t hash)
{
    if (table->count == table->size && !grow(table))
        return false;
    entry->hash = hash;
    gv_link_add(bucket_of(table, hash), &entry->link);
    table->count++;
    return true;
}

void gv_table_remove(struct gv_table *table, struct gv_table_entry *entry)
{
    table->count -= gv_link_listed(&entry->link);
    gv_link_remove(&entry->link);
}

static struct gv_table_entry *match(struct gv_link *link, uint64_t hash)
{
    while (link && entry_of(link)->hash != hash)
        link = link->next;
    return link ? entry_of(link) : NULL;
}

struct gv_table_entry *gv_table_find(const struct gv_table *table, uint64_t hash)
{
    return table->size ? match(*bucket_of(table, hash), hash) : NULL;
}

struct gv_table_entry *gv_table_next(const struct gv_table_entry *entry)
{
    return match(entry->link.next, entry->hash);
}

uint64_t gv_table_hash(uint64_t hash, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}
