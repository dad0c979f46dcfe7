#include "compiler/agi/agi_map.h"

void gv_agi_map_init(struct gv_agi_map *m, struct gv_arena *arena, size_t bytes,
                     uint32_t limit)
{
    *m = (struct gv_agi_map){ 0 };
    m->ids.arena = arena;
    m->ids.object_bytes = bytes;
    m->ids.serials = &m->serials;
    m->ids.limit = limit;
}

void *gv_agi_map_find(const struct gv_agi_map *m, uint64_t number)
{
    return gv_id_find(&m->ids, number);
}

void *gv_agi_map_add(struct gv_agi_map *m, uint64_t number)
{
    struct gv_named *named = NULL;
    return gv_id_create(&m->ids, number, &named) == GV_ID_OK ? named : NULL;
}

void gv_agi_map_remove(struct gv_agi_map *m, void *object)
{
    struct gv_named *named = object;
    gv_id_remove(&m->ids, named->name);
    if (gv_id_release(named))
        gv_id_reuse(&m->ids, named);
}

bool gv_agi_map_full(const struct gv_agi_map *m)
{
    return m->ids.live >= m->ids.limit;
}

void *gv_agi_map_next(const struct gv_agi_map *m, const void *object)
{
    return object ? gv_id_next(object) : gv_id_first(&m->ids);
}
