// Contexts and the namespaces they share. A context made on its own begins a group; one
// made to share joins the other's. Per kind of name a source says whether its group or
// the context alone has it, and asks here for the map.
#ifndef GV_SHARE_GROUP_H
#define GV_SHARE_GROUP_H

#include "compiler/lower/id_map.h"
#include "resources/base/error.h"

#define GV_SHARE_KINDS 16u      // kinds of names of a source
#define GV_SHARE_CONTEXTS 1024u // of a source, ended ones included

struct gv_share_context {
    uint64_t id;
    uint32_t group;                         // index of the context that began it
    struct gv_id_map *maps[GV_SHARE_KINDS]; // its own, and the group's if it began it
};

// Zeroed but for the first group: no contexts.
struct gv_share_groups {
    struct gv_arena *arena;
    uint64_t *serials;   // see gv_id_map
    size_t object_bytes; // likewise
    uint32_t limit;      // likewise, for each map
    uint32_t shared;     // bit per kind that groups have in common

    struct gv_share_context *contexts; // [GV_SHARE_CONTEXTS]
    uint32_t count;
};

// Makes a context; `with` is the index of one to share with, or GV_SHARE_ALONE. Its
// index goes to `out`. GV_ERR_LIMIT, GV_ERR_SYSTEM.
#define GV_SHARE_ALONE UINT32_MAX
bool gv_share_add(struct gv_share_groups *g, uint64_t id, uint32_t with, uint32_t *out,
                  struct gv_error *err);

// The youngest context of that id, or GV_SHARE_ALONE.
uint32_t gv_share_find(const struct gv_share_groups *g, uint64_t id);

// Where context `context` looks up names of `kind` (< GV_SHARE_KINDS); made when first
// asked for. NULL: no memory.
struct gv_id_map *gv_share_map(struct gv_share_groups *g, uint32_t context,
                               uint32_t kind, struct gv_error *err);

#endif
