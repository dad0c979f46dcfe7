#include "compiler/lower/share_group.h"

bool gv_share_add(struct gv_share_groups *g, uint64_t id, uint32_t with, uint32_t *out,
                  struct gv_error *err)
{
    if (g->count == GV_SHARE_CONTEXTS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u contexts",
                       GV_SHARE_CONTEXTS);
    if (!g->contexts)
        g->contexts = gv_arena_array(g->arena, GV_SHARE_CONTEXTS, sizeof *g->contexts);
    if (!g->contexts)
        return gv_out_of_memory(err);
    *out = g->count++;
    g->contexts[*out] = (struct gv_share_context){
        .id = id, .group = with == GV_SHARE_ALONE ? *out : g->contexts[with].group
    };
    return true;
}

uint32_t gv_share_find(const struct gv_share_groups *g, uint64_t id)
{
    for (uint32_t i = g->count; i-- > 0;)
        if (g->contexts[i].id == id)
            return i;
    return GV_SHARE_ALONE;
}

struct gv_id_map *gv_share_map(struct gv_share_groups *g, uint32_t context,
                               uint32_t kind, struct gv_error *err)
{
    bool shared = g->shared >> kind & 1;
    uint32_t owner = shared ? g->contexts[context].group : context;
    struct gv_id_map *map = g->contexts[owner].maps[kind];
    if (!map)
        map = gv_arena_alloc(g->arena, sizeof *map);
    if (!map) {
        gv_out_of_memory(err);
        return NULL;
    }
    if (!g->contexts[owner].maps[kind])
        *map = (struct gv_id_map){ .arena = g->arena,
                                   .object_bytes = g->object_bytes,
                                   .serials = g->serials,
                                   .limit = g->limit };
    g->contexts[owner].maps[kind] = map;
    return map;
}
