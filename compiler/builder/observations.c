#include "compiler/builder/observations.h"

#include "resources/base/checked.h"

#include <stdlib.h>
#include <string.h>

void gv_observations_finish(struct gv_observations *o)
{
    free(o->list);
    gv_arena_finish(&o->copies);
    free(o->islands);
    free(o->reserved);
    free(o->memory);
    *o = (struct gv_observations){ 0 };
}

bool gv_observations_add(struct gv_observations *o, uint32_t space, uint64_t address,
                         const void *data, uint64_t size, bool stable)
{
    if (o->count == o->capacity) {
        size_t capacity = o->capacity ? o->capacity * 2 : 256;
        struct gv_observation *grown = realloc(o->list, capacity * sizeof *grown);
        if (!grown)
            return false;
        o->list = grown;
        o->capacity = capacity;
    }
    const uint8_t *kept = stable ? data : gv_arena_copy(&o->copies, data, (size_t)size);
    if (!kept)
        return false;
    o->list[o->count++] = (struct gv_observation){ space, 0, address, size, kept };
    o->bytes += size;
    return true;
}

void gv_observations_reset(struct gv_observations *o)
{
    o->count = 0;
    o->bytes = 0;
    gv_arena_finish(&o->copies);
}

static int compare_places(const void *a, const void *b)
{
    const struct gv_island *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

struct sort_key {
    uint64_t address;
    uint32_t space, index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    if (x->space != y->space)
        return x->space < y->space ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// Sorted by start and swept once: what touches or overlaps becomes one island.
static size_t merge(struct gv_observations *o, struct sort_key *keys,
                    struct gv_island *islands)
{
    for (size_t i = 0; i < o->count; i++)
        keys[i] =
            (struct sort_key){ o->list[i].address, o->list[i].space, (uint32_t)i };
    qsort(keys, o->count, sizeof *keys, compare_keys);
    size_t count = 0;
    for (size_t i = 0; i < o->count; i++) {
        struct gv_observation *seen = &o->list[keys[i].index];
        struct gv_island *last = count ? &islands[count - 1] : NULL;
        if (!last || last->space != seen->space ||
            seen->address - last->address > last->size) {
            islands[count++] =
                (struct gv_island){ seen->space, seen->address, seen->size, 0 };
        } else if (seen->address - last->address + seen->size > last->size) {
            last->size = seen->address - last->address + seen->size;
        }
        seen->island = (uint32_t)count - 1;
    }
    return count;
}

// What is reserved, and places that are kept, by place.
static size_t add_reserved(const struct gv_observations *o, struct gv_island *kept,
                           size_t count)
{
    if (o->reserved_count)
        memcpy(kept + count, o->reserved, o->reserved_count * sizeof *kept);
    qsort(kept, count + o->reserved_count, sizeof *kept, compare_places);
    return count + o->reserved_count;
}

// Islands that lie within one of the window before take its place, and all of its room;
// `kept` receives that room. Others get the place UINT64_MAX.
static size_t keep_places(const struct gv_observations *o, struct gv_island *islands,
                          size_t count, struct gv_island *kept)
{
    size_t before = 0, kept_count = 0, last_kept = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        struct gv_island *island = &islands[i];
        island->place = UINT64_MAX;
        // Both lists ascend: step to the last earlier island that starts at or before.
        while (before + 1 < o->island_count &&
               (o->islands[before + 1].space < island->space ||
                (o->islands[before + 1].space == island->space &&
                 o->islands[before + 1].address <= island->address)))
            before++;
        if (before >= o->island_count)
            continue;
        const struct gv_island *old = &o->islands[before];
        if (old->space != island->space || old->address > island->address ||
            !gv_range_inside(island->address - old->address, island->size, old->size))
            continue;
        island->place = old->place + (island->address - old->address);
        if (last_kept != before)
            kept[kept_count++] = *old;
        last_kept = before;
    }
    return kept_count;
}

// Places the other islands one after another into the gaps between `kept`. Returns the
// end of the memory used.
static uint64_t fill_gaps(struct gv_island *islands, size_t count,
                          const struct gv_island *kept, size_t kept_count)
{
    uint64_t at = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (islands[i].place != UINT64_MAX)
            continue;
        for (;;) {
            uint64_t phase = islands[i].address % GV_ISLAND_ALIGNMENT;
            uint64_t start = at + (phase - at) % GV_ISLAND_ALIGNMENT;
            if (next == kept_count || start + islands[i].size <= kept[next].place) {
                islands[i].place = start;
                at = start + islands[i].size;
                break;
            }
            at = kept[next].place + kept[next].size;
            next++;
        }
    }
    if (kept_count && kept[kept_count - 1].place + kept[kept_count - 1].size > at)
        at = kept[kept_count - 1].place + kept[kept_count - 1].size;
    return at;
}

static bool reserve_memory(struct gv_observations *o, uint64_t size)
{
    if (size > GV_MAX_VOLATILE_BYTES)
        return false;
    if (size <= o->memory_size)
        return true;
    uint8_t *memory = realloc(o->memory, (size_t)size);
    if (!memory)
        return false;
    memset(memory + o->memory_size, 0, (size_t)(size - o->memory_size));
    o->memory = memory;
    o->memory_size = size;
    return true;
}

bool gv_observations_reserve(struct gv_observations *o, uint64_t size, uint64_t *place)
{
    uint64_t end, start = (o->memory_size + GV_ISLAND_ALIGNMENT - 1) /
                          GV_ISLAND_ALIGNMENT * GV_ISLAND_ALIGNMENT;
    struct gv_island *grown =
        realloc(o->reserved, (o->reserved_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    o->reserved = grown;
    if (!gv_add_u64(start, size, &end) || !reserve_memory(o, end))
        return false;
    o->reserved[o->reserved_count++] =
        (struct gv_island){ .size = size, .place = start };
    *place = start;
    return true;
}

bool gv_observations_layout(struct gv_observations *o)
{
    if (o->bytes > GV_MAX_VOLATILE_BYTES)
        return false;
    size_t room = (o->count > o->island_count ? o->count : o->island_count) + 1;
    struct sort_key *keys = calloc(room, sizeof *keys);
    struct gv_island *islands = calloc(room, sizeof *islands);
    struct gv_island *kept = calloc(room + o->reserved_count, sizeof *kept);
    bool done = keys && islands && kept;
    if (done) {
        size_t count = merge(o, keys, islands);
        size_t kept_count = keep_places(o, islands, count, kept);
        size_t taken = add_reserved(o, kept, kept_count);
        uint64_t end = fill_gaps(islands, count, kept, taken);
        // Old places must not make memory grow: pack anew where that takes less.
        if (end > o->memory_size && kept_count) {
            for (size_t i = 0; i < count; i++)
                islands[i].place = UINT64_MAX;
            end = fill_gaps(islands, count, o->reserved, o->reserved_count);
        }
        free(o->islands);
        o->islands = islands;
        o->island_count = count;
        islands = NULL;
        done = reserve_memory(o, end);
    }
    free(keys);
    free(islands);
    free(kept);
    return done;
}

uint64_t gv_observations_place(const struct gv_observations *o, size_t index)
{
    const struct gv_observation *seen = &o->list[index];
    const struct gv_island *island = &o->islands[seen->island];
    return island->place + (seen->address - island->address);
}

bool gv_observations_change(struct gv_observations *o, size_t index, uint64_t *cursor,
                            struct gv_change *out)
{
    const struct gv_observation *seen = &o->list[index];
    uint64_t place = gv_observations_place(o, index), at = *cursor;
    uint8_t *memory = o->memory + place;
    uint64_t start = seen->size; // of the changed run, once there is one
    if (seen->size < GV_BLOCKWISE_BYTES) {
        if (at == 0 && memcmp(memory, seen->data, (size_t)seen->size) != 0)
            start = 0;
        at = seen->size;
    }
    while (at < seen->size) {
        // Blocks are those of the captured addresses, whatever the range observed.
        uint64_t block = GV_BLOCK_BYTES - (seen->address + at) % GV_BLOCK_BYTES;
        if (block > seen->size - at)
            block = seen->size - at;
        bool changed = memcmp(memory + at, seen->data + at, (size_t)block) != 0;
        if (changed && start == seen->size)
            start = at;
        if (!changed && start != seen->size)
            break;
        at += block;
    }
    *cursor = at;
    if (start == seen->size)
        return false;
    *out = (struct gv_change){ place + start, at - start, seen->data + start };
    memcpy(memory + start, out->data, (size_t)out->size);
    return true;
}
