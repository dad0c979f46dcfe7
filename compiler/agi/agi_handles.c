#include "compiler/agi/agi_handles.h"

#define MOST_HANDLES (1u << 22) // of a type, at once

// One use of a number, and those before it that were not destroyed.
struct use {
    uint64_t id, parent;
    struct use *before;
};

struct handle {
    struct gv_agi_mapped_object head;
    struct use use;
};

bool gv_agi_handles_init(struct gv_agi_handles *h, struct gv_arena *arena)
{
    *h = (struct gv_agi_handles){ .arena = arena };
    h->maps = gv_arena_array(arena, GV_VK_TYPE_COUNT, sizeof *h->maps);
    for (uint32_t i = 0; h->maps && i < GV_VK_TYPE_COUNT; i++)
        gv_agi_map_init(&h->maps[i], arena, sizeof(struct handle), MOST_HANDLES);
    return h->maps != NULL;
}

static struct handle *find(const struct gv_agi_handles *h, enum gv_vk_type type,
                           uint64_t number)
{
    return gv_agi_map_find(&h->maps[type], number);
}

static uint64_t add(struct gv_agi_handles *h, enum gv_vk_type type, uint64_t number,
                    uint64_t parent)
{
    struct handle *handle = find(h, type, number);
    struct use *before = NULL;
    if (handle) {
        before = gv_arena_alloc(h->arena, sizeof *before);
        if (!before)
            return 0;
        *before = handle->use;
    } else {
        handle = gv_agi_map_add(&h->maps[type], number);
        if (!handle)
            return 0;
    }
    handle->use = (struct use){ ++h->ids, parent, before };
    return handle->use.id;
}

uint64_t gv_agi_handle_id(struct gv_agi_handles *h, enum gv_vk_type type,
                          uint64_t number)
{
    const struct handle *handle = find(h, type, number);
    return handle ? handle->use.id : add(h, type, number, 0);
}

uint64_t gv_agi_handle_new(struct gv_agi_handles *h, enum gv_vk_type type,
                           uint64_t number)
{
    return add(h, type, number, 0);
}

uint64_t gv_agi_handle_of(struct gv_agi_handles *h, enum gv_vk_type type,
                          uint64_t number, uint64_t parent)
{
    const struct handle *handle = find(h, type, number);
    return handle && handle->use.parent == parent ? handle->use.id
                                                  : add(h, type, number, parent);
}

uint64_t gv_agi_handle_none(struct gv_agi_handles *h)
{
    return ++h->ids;
}

bool gv_agi_handle_give(struct gv_agi_handles *h, enum gv_vk_type type, uint64_t number,
                        uint64_t id)
{
    if (!number || !add(h, type, number, 0))
        return !number;
    find(h, type, number)->use.id = id;
    return true;
}

void gv_agi_handle_gone(struct gv_agi_handles *h, enum gv_vk_type type, uint64_t number)
{
    struct handle *handle = find(h, type, number);
    if (!handle)
        return;
    if (handle->use.before) {
        handle->use = *handle->use.before;
        return;
    }
    gv_agi_map_remove(&h->maps[type], handle);
}
