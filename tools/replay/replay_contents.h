// Contents of objects at places in the middle of a replay: all of them in one run of
// their common slice, from a keyframe on that has what they need.
#ifndef GV_REPLAY_CONTENTS_H
#define GV_REPLAY_CONTENTS_H

#include "tools/replay/replay_core.h"
#include "vm/slice/slice_contents.h"

// In place of gv_replay_begin_at and gv_replay_begin_slice; at least one is wanted.
// GV_ERR_USAGE: as gv_slice_make; GV_ERR_UNSUPPORTED: the code cannot be followed to
// there; GV_ERR_LIMIT.
bool gv_replay_begin_contents(struct gv_replay *r, struct gv_slice_contents *wanted,
                              struct gv_error *err);

// The replay stands at the place of wanted->items[which], where the slot holds
// `handle`, which is not 0. Reads of it (gv_runtime_read_box and such).
typedef bool gv_replay_contents_fn(void *context, size_t which, uint64_t handle,
                                   struct gv_error *err);

// The machine is open: runs to the last place, and calls `visit` for each of the
// contents, in order.
bool gv_replay_each_contents(struct gv_replay *r,
                             const struct gv_slice_contents *wanted,
                             gv_replay_contents_fn *visit, void *context,
                             struct gv_error *err);

#endif
