// Memory of two processes, one of which may be in strangers' hands: its size is sealed,
// so that nobody can cut it short while another reads.
#ifndef GV_SHARED_MEMORY_H
#define GV_SHARED_MEMORY_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct gv_shared_memory {
    int fd;         // -1: none
    uint8_t *bytes; // mapped; NULL: none
    size_t size;
};
#define GV_SHARED_MEMORY_NONE ((struct gv_shared_memory){ .fd = -1 })

// On the side that fills it: `size` (> 0) zeros. GV_ERR_MEMORY.
bool gv_shared_memory_make(struct gv_shared_memory *memory, size_t size,
                           struct gv_error *err);
// On the other side: takes `fd` over, to read, or to write too. False, and closed: it
// has fewer bytes, or could be cut short.
bool gv_shared_memory_map(struct gv_shared_memory *memory, int fd, size_t size,
                          bool writable);
void gv_shared_memory_finish(struct gv_shared_memory *memory);

#endif
