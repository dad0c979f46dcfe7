// Counts of opcodes and calls in a verified payload's code.
#ifndef GV_CODE_CENSUS_H
#define GV_CODE_CENSUS_H

#include "vm/payload/payload.h"

struct gv_census_row {
    const char *name; // opcode or call
    uint64_t count, bytes;
};

#define GV_CENSUS_MAX 256

struct gv_census {
    struct gv_census_row opcodes[GV_CENSUS_MAX], calls[GV_CENSUS_MAX];
    size_t opcode_count, call_count; // rows in use, most bytes (or calls) first
};

// The payload must have passed gv_verify. Calls are charged the bytes of the code since
// the call before: what their arguments took.
bool gv_census_take(struct gv_census *census, struct gv_payload *payload,
                    struct gv_error *err);

#endif
