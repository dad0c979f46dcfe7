// The groups of a stream's resources: their stored bytes wait in a file, and are looked
// up by content id.
#ifndef GV_STREAM_GROUPS_H
#define GV_STREAM_GROUPS_H

#include "resources/source.h"
#include "vm/stream/stream.h"

struct gv_stream_groups;

// Of `params` what is about the file. NULL: GV_ERR_MEMORY.
struct gv_stream_groups *gv_stream_groups_create(const struct gv_stream_params *params,
                                                 struct gv_error *err);
void gv_stream_groups_destroy(struct gv_stream_groups *g); // NULL is fine

// Appends stored bytes to the file. GV_ERR_SYSTEM.
bool gv_stream_groups_put(struct gv_stream_groups *g, const uint8_t *bytes, size_t size,
                          struct gv_error *err);
// The last bytes that were put are those of group `number` of the payload, whose groups
// up to this one were put in their order. What it takes in memory is GV_GROUP_NODE.
bool gv_stream_groups_add(struct gv_stream_groups *g, const struct gv_payload *payload,
                          size_t number, struct gv_error *err);
#define GV_GROUP_NODE 128

// Fetches and checks them; owned by `g`.
struct gv_source *gv_stream_groups_source(struct gv_stream_groups *g);

#endif
