// Bytes that come through a pipe, as memory that grows at its end and does not move.
// They wait in a file without a name: what is read again comes from there, what is not
// takes neither memory nor, once it is dropped, disk.
#ifndef GV_INFLOW_H
#define GV_INFLOW_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_inflow_params {
    int fd;              // read from; borrowed
    struct gv_span head; // bytes that were read from it before; copied
    uint64_t limit;      // bytes that may wait at a time
    const char *option;  // that sets the limit, for messages
    size_t step;         // bytes read at once, at most; 0: as many as are worth it
};

struct gv_inflow {
    const uint8_t *data; // borrowed by readers; below `dropped` nobody may look
    size_t size;         // bytes that have come
    bool ended;          // there will be no more
    size_t dropped;
    struct gv_error error; // why it has ended early; GV_OK: the pipe has
    // ---- its own ----
    struct gv_inflow_params params;
    int spill;               // owned
    size_t mapped, reserved; // bytes of address space behind `data`
    size_t forgotten;        // no page of before counts as memory
    uint64_t given_back;     // of `dropped`, to the disk
};

// Reads nothing yet. False, and finished: GV_ERR_SYSTEM, GV_ERR_MEMORY.
bool gv_inflow_init(struct gv_inflow *f, const struct gv_inflow_params *params,
                    struct gv_error *err);
void gv_inflow_finish(struct gv_inflow *f); // NULL is fine

// Waits until there are `upto` bytes. False: there are fewer, and that is all.
bool gv_inflow_want(struct gv_inflow *f, uint64_t upto);

// Bytes before `upto` are hardly read again, and take no memory until then.
void gv_inflow_forget(struct gv_inflow *f, uint64_t upto);
// They are not read again at all.
void gv_inflow_drop(struct gv_inflow *f, uint64_t upto);

#endif
