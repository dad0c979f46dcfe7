// Handles: what a payload holds instead of pointers. A stale or foreign number is an
// error, never a wild pointer.
#ifndef GV_HANDLES_H
#define GV_HANDLES_H

#include "resources/base/error.h"
#include "vm/calls.h"

#define GV_MAX_OBJECTS (1u << 20) // live at once

// Zero-initialise before use.
struct gv_handles {
    struct gv_handle_slot *slots; // owned
    uint32_t count, capacity, free_head, live;
    uint32_t most; // live at once, at most GV_MAX_OBJECTS; 0 stands for that
};

void gv_handles_finish(struct gv_handles *handles);

// Names `object`, which must not be NULL. Returns the handle, never 0; 0 with
// GV_ERR_LIMIT when there are too many objects, GV_ERR_FORMAT when more than `most`.
uint64_t gv_handles_add(struct gv_handles *handles, enum gv_kind kind, void *object,
                        struct gv_error *err);

// The object, or NULL if the handle is not live or names another kind.
void *gv_handles_get(const struct gv_handles *handles, enum gv_kind kind,
                     uint64_t handle);

// The same, failing with GV_ERR_FORMAT and the argument's name.
void *gv_handles_find(const struct gv_handles *handles, enum gv_kind kind,
                      uint64_t handle, const char *argument, struct gv_error *err);

// Forgets the handle and returns its object, or NULL if it is not live.
void *gv_handles_remove(struct gv_handles *handles, enum gv_kind kind, uint64_t handle);

// Walks live objects: returns the next one at or after `*index` and steps past it, or
// NULL at the end.
void *gv_handles_next(const struct gv_handles *handles, uint32_t *index,
                      enum gv_kind *kind, uint64_t *handle);

#endif
