// Numbers of a capture to what is known of them.
#ifndef GV_AGI_MAP_H
#define GV_AGI_MAP_H

#include "compiler/lower/id_map.h"
#include "resources/base/error.h"

#include <stddef.h>

// What begins each object.
struct gv_agi_mapped_object {
    struct gv_named named;
};

struct gv_agi_map {
    struct gv_id_map ids;
    uint64_t serials;
};

// Objects have `bytes`, the struct above included, and are of the arena.
void gv_agi_map_init(struct gv_agi_map *map, struct gv_arena *arena, size_t bytes,
                     uint32_t limit);
// NULL: nothing has this number. 0 never has.
void *gv_agi_map_find(const struct gv_agi_map *map, uint64_t number);
// A zeroed object. NULL: the number has one, the limit is reached, or there is no
// memory.
void *gv_agi_map_add(struct gv_agi_map *map, uint64_t number);
// The object's memory serves the next one.
void gv_agi_map_remove(struct gv_agi_map *map, void *object);
bool gv_agi_map_full(const struct gv_agi_map *map);
// All of them, one after the other; NULL begins, and ends.
void *gv_agi_map_next(const struct gv_agi_map *map, const void *object);

#endif
