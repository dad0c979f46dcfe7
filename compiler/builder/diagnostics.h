// What a compile has to say that is no error: each kind once, counted.
#ifndef GV_DIAGNOSTICS_H
#define GV_DIAGNOSTICS_H

#include "resources/base/arena.h"
#include "vm/payload/payload.h"

#define GV_DIAGNOSTIC_KINDS 1024 // kinds; those beyond are counted as one

// Zero-initialise before use.
struct gv_diagnostics {
    struct gv_diagnostic *list; // owned, in order of first occurrence
    size_t count, capacity;
    struct gv_arena strings;
    uint64_t unsupported; // occurrences of GV_UNSUPPORTED
};

void gv_diagnostics_finish(struct gv_diagnostics *d);

// Counts one occurrence. False: out of memory.
bool gv_diagnostics_add(struct gv_diagnostics *d, enum gv_severity severity,
                        const char *code, const char *text, uint64_t command,
                        uint64_t offset);

#endif
