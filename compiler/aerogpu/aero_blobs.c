#include "compiler/aerogpu/aero_blobs.h"

static struct gv_aero_blob *entry_of(const struct gv_aero_blob_map *map, uint64_t id)
{
    size_t i = (size_t)(id * 0x9E3779B97F4A7C15u >> 32) & (map->capacity - 1);
    while (map->entries[i].kind && map->entries[i].id != id)
        i = (i + 1) & (map->capacity - 1);
    return &map->entries[i];
}

static bool grow(struct gv_aero_blob_map *map, struct gv_arena *arena)
{
    struct gv_aero_blob_map larger = { .capacity =
                                           map->capacity ? map->capacity * 2 : 64,
                                       .count = map->count };
    larger.entries = gv_arena_array(arena, larger.capacity, sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].kind)
            *entry_of(&larger, map->entries[i].id) = map->entries[i];
    *map = larger;
    return true;
}

bool gv_aero_blob_put(struct gv_aero_blob_map *map, struct gv_arena *arena,
                      const struct gv_trace_blob *blob, struct gv_error *err)
{
    if (map->count * 2 >= map->capacity && !grow(map, arena))
        return gv_out_of_memory(err);
    struct gv_aero_blob *e = entry_of(map, blob->id);
    map->count += !e->kind;
    *e = (struct gv_aero_blob){ blob->id, blob->kind, blob->size, blob->offset,
                                blob->data };
    return true;
}

const struct gv_aero_blob *gv_aero_blob_get(const struct gv_aero_blob_map *map,
                                            uint64_t id, uint32_t kind, uint64_t offset,
                                            struct gv_error *err)
{
    const struct gv_aero_blob *e = map->capacity ? entry_of(map, id) : NULL;
    if (!e || !e->kind) {
        gv_fail(err, GV_ERR_FORMAT, offset, "MissingBlob(%llu): no such blob",
                (unsigned long long)id);
        return NULL;
    }
    if (e->kind != kind) {
        gv_fail(err, GV_ERR_FORMAT, offset, "WrongBlobKind(%llu): blob is %s, not %s",
                (unsigned long long)id, gv_trace_blob_kind_name(e->kind),
                gv_trace_blob_kind_name(kind));
        return NULL;
    }
    return e;
}
