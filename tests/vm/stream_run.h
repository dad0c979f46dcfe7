// A payload that comes through a pipe, on a recording host: as `gpuvm run -` does it,
// without a device.
#ifndef GV_STREAM_RUN_H
#define GV_STREAM_RUN_H

#include "tests/vm/record_host.h"

struct stream_run {
    uint64_t memory_limit;
    bool (*may_run)(const struct gv_payload *payload); // NULL: anything
    // Filled:
    uint64_t frames; // that ended
    bool ended;      // all of it came, was in order, and has run
    bool passed;     // may_run said no: nothing is known
};

// Runs `size` bytes. False: refused, or failed while it ran.
bool stream_run(struct stream_run *run, struct record_host *host, const void *data,
                size_t size, struct gv_error *err);

#endif
