// A host without a device: it hands out handles, keeps the memory of maps and does
// nothing else, so that the machine runs for what it computes alone. Who wants to see
// calls puts functions of its own into `host.calls`; their context begins with this.
#ifndef GV_NULL_HOST_H
#define GV_NULL_HOST_H

#include "vm/machine/vm.h"

struct gv_null_map;

struct gv_null_host {
    struct gv_host host; // `context` is this object; every requirement is met
    uint64_t handles;    // handed out
    uint64_t map_limit;  // bytes of all maps together; more is GV_ERR_LIMIT
    uint64_t map_bytes;
    struct gv_null_map *maps; // owned
    size_t map_count;
};

void gv_null_host_init(struct gv_null_host *host, uint64_t map_limit);
void gv_null_host_finish(struct gv_null_host *host);

#endif
