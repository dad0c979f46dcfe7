// A replay that a child does, as who asks for it sees it: what its functions do with
// the answers.
#ifndef GV_SPAWNED_H
#define GV_SPAWNED_H

#include "tools/library/spawn_line.h"

struct gv_spawned;

// One of GV_SPAWN_TO_*. The status, as of all of these.
int gv_spawned_run(struct gv_spawned *s, enum gv_spawn_word word, uint64_t number,
                   struct gpuvm_error *error);
int gv_spawned_picture(struct gv_spawned *s, struct gpuvm_picture *picture,
                       struct gpuvm_error *error);
int gv_spawned_export(struct gv_spawned *s, const char *name, struct gpuvm_export *out,
                      struct gpuvm_error *error);

// As far as the last answer tells.
struct gpuvm_stats gv_spawned_stats(const struct gv_spawned *s);
const char *gv_spawned_device(const struct gv_spawned *s);
const gpuvm_payload *gv_spawned_payload(const struct gv_spawned *s);

// Lets the child end its work, and kills one that does not. NULL is fine.
void gv_spawned_close(struct gv_spawned *s);

#endif
