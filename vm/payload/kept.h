// Which parts of a payload's code run, where not all of it does: what the slicer says
// and the machine follows.
#ifndef GV_KEPT_H
#define GV_KEPT_H

#include "vm/payload/payload.h"

// Instructions of one chunk that follow each other, with the state in front of them. At
// both ends the stack is empty and no loop or skip is open.
struct gv_kept_run {
    uint32_t begin, end;    // bytes of the chunk
    uint32_t next_resource; // RES_NEXT names this
    bool stop;              // GV_STOP_COMMAND behind it
    uint64_t command;       // under way
};

struct gv_kept {
    struct gv_kept_run *runs; // owned; chunk after chunk, ascending
    uint32_t *chunk_runs;     // owned; [chunk_count + 1]: first run of each
    size_t chunk_count;       // chunks from here on do not run
};

void gv_kept_finish(struct gv_kept *kept);

// What is used of resources, in order, as the schedule of the payload has it for all of
// the code; and per frame (up to the last that begins) the uses before it.
struct gv_kept_uses {
    uint32_t *resources;    // owned; [count]
    uint64_t *frame_cursor; // owned; [payload->frame_count + 1]
    size_t count, capacity;
};

bool gv_kept_uses_make(const struct gv_kept *kept, struct gv_payload *payload,
                       struct gv_kept_uses *uses, struct gv_error *err);
// Those of one run, appended.
bool gv_kept_uses_of_run(const struct gv_kept_run *run, const uint8_t *code,
                         struct gv_kept_uses *uses, struct gv_error *err);
void gv_kept_uses_finish(struct gv_kept_uses *uses);

#endif
