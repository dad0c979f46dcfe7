// Handles of a recorded program to ids of objects. Handles are the driver's own
// numbers: one that was destroyed comes again for another object, those of two types
// may be equal, and drivers may give the same one twice for equal objects.
#ifndef GV_AGI_HANDLES_H
#define GV_AGI_HANDLES_H

#include "compiler/agi/agi_map.h"
#include "compiler/vulkan/api/vk_table.h"

struct gv_agi_handles {
    struct gv_arena *arena;
    struct gv_agi_map *maps; // by type
    uint64_t ids;            // given
};

// False: there is no memory.
bool gv_agi_handles_init(struct gv_agi_handles *handles, struct gv_arena *arena);

// The object that a handle stands for now; one that nobody gave gets an id. All return
// 0 for the handle 0, and where there is no memory.
uint64_t gv_agi_handle_id(struct gv_agi_handles *handles, enum gv_vk_type type,
                          uint64_t handle);
// A new object has got this handle.
uint64_t gv_agi_handle_new(struct gv_agi_handles *handles, enum gv_vk_type type,
                           uint64_t handle);
// `parent` (an id) was asked for its objects, which has this handle among them.
uint64_t gv_agi_handle_of(struct gv_agi_handles *handles, enum gv_vk_type type,
                          uint64_t handle, uint64_t parent);
// An id for an object whose handle is not known yet, or will never be used again; and a
// handle for it.
uint64_t gv_agi_handle_none(struct gv_agi_handles *handles);
bool gv_agi_handle_give(struct gv_agi_handles *handles, enum gv_vk_type type,
                        uint64_t handle, uint64_t id);
// The object is gone: the handle stands for the one that had it before, if any.
void gv_agi_handle_gone(struct gv_agi_handles *handles, enum gv_vk_type type,
                        uint64_t handle);

#endif
