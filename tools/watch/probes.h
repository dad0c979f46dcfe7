// Results of queries that a host around the runtime's makes for itself, one after
// another: they lie in slots, are copied to a buffer outside of passes, and are read
// when that is full or at the end, so that nobody waits for the device before.
#ifndef GV_PROBES_H
#define GV_PROBES_H

#include "runtime/runtime.h"
#include "tools/watch/watch_host.h"

// What one of these makes beside the payload's objects.
#define GV_PROBES_OBJECTS 2u
#define GV_PROBES_BYTES ((uint64_t)8 << 20)
#define GV_PROBES_SLOTS 32768u

// Zero-initialise; set the first three. Others read.
struct gv_probes {
    const struct gv_watch *watch; // whose inner host makes the calls; borrowed
    struct gv_runtime *runtime;   // borrowed
    uint32_t type;                // GV_QUERY_TYPE_*
    uint64_t query, buffer;       // handles; 0: not made yet
    uint32_t used;                // slots since the last reset
    uint64_t copied;              // results in the buffer
    struct gv_bytes results;      // uint64_t each: those that were read; owned
};

// Another pass over the payload: all objects are gone.
void gv_probes_restart(struct gv_probes *probes);
void gv_probes_finish(struct gv_probes *probes);

// Outside of passes: what the slots hold goes to the buffer, and all are free again.
bool gv_probes_collect(struct gv_probes *probes, struct gv_error *err);
// Outside of passes: at least so many slots are free.
bool gv_probes_reserve(struct gv_probes *probes, uint32_t slots, struct gv_error *err);
// The same at the end: waits for the device, and has all results.
bool gv_probes_read(struct gv_probes *probes, struct gv_error *err);

// The next slot: a time stamp, or the beginning and the end of a count. There must be
// one. `begin` has made the first slots by reserving them.
bool gv_probes_stamp(struct gv_probes *probes, struct gv_error *err);
bool gv_probes_begin(struct gv_probes *probes, struct gv_error *err);
bool gv_probes_end(struct gv_probes *probes, struct gv_error *err);

#endif
