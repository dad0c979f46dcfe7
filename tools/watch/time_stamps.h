// A host around the runtime's that has the device tell the time behind each part of
// frames, and counts what the CPU did meanwhile. A part lasts from the stamp in front
// of its own, so that the parts of a frame sum up to its span.
#ifndef GV_TIME_STAMPS_H
#define GV_TIME_STAMPS_H

#include "runtime/runtime.h"
#include "tools/watch/watch_host.h"

enum gv_stamp_by { GV_STAMP_FRAME, GV_STAMP_PASS, GV_STAMP_DRAW };

enum gv_stamp_kind {
    GV_STAMP_BEGIN,    // of a frame: no part ends here
    GV_STAMP_OF_WORK,  // behind a draw or dispatch
    GV_STAMP_OF_PASS,  // behind a pass, or what is left of it
    GV_STAMP_TRANSFER, // uploads, copies and clears in front of work or a pass
    GV_STAMP_REST,     // what is left of the frame
};

struct gv_stamp {
    uint64_t ticks;   // of the device
    uint64_t frame;   // of the payload
    uint64_t command; // of the source, that was under way
    uint64_t cpu_ns;  // when it was recorded (gv_now_ns)
    uint32_t number;  // of the work, or of the pass, in its frame
    uint8_t kind;     // enum gv_stamp_kind
    bool of_pass;     // what `number` counts, of a TRANSFER
};

// What the CPU did in one frame: nanoseconds, which sum up to the first, and bytes.
enum gv_cost {
    GV_COST_WALL,
    GV_COST_VM,        // the bytecode
    GV_COST_RECORDING, // calls, but for what follows
    GV_COST_DRIVER,    // making pipelines, and handing work to the queue
    GV_COST_WAITING,   // for the device
    GV_COST_UPLOADS,   // calls that hand bytes over
    GV_COST_UPLOAD_BYTES,
    GV_COST_COUNT,
};

struct gv_frame_cost {
    uint64_t frame, began_ns;
    uint64_t of[GV_COST_COUNT];
};

struct gv_stamps_params {
    struct gv_runtime *runtime;
    enum gv_stamp_by by;
    const bool *frames; // those wanted, by number; NULL: all
    uint64_t frame_count;
    uint64_t first_frame; // that runs
};

struct gv_stamps;

// NULL: GV_ERR_MEMORY. The params' members are borrowed.
struct gv_stamps *gv_stamps_create(const struct gv_stamps_params *params,
                                   struct gv_error *err);
void gv_stamps_destroy(struct gv_stamps *stamps); // NULL is fine

// For gv_vm_params.host. Valid until destroy.
const struct gv_host *gv_stamps_host(const struct gv_stamps *stamps);

// A pass over the payload begins; with or without stamps. Costs are noted of either.
// In a stamped one the first call fails with GV_ERR_DEVICE where there are no
// timestamps.
void gv_stamps_begin(struct gv_stamps *stamps, bool stamped);
// It has ended: waits for the device, and has all of its stamps.
bool gv_stamps_end(struct gv_stamps *stamps, struct gv_error *err);

// Of the last pass, until the next one begins.
const struct gv_stamp *gv_stamps_all(const struct gv_stamps *stamps, size_t *count);
const struct gv_frame_cost *gv_stamps_costs(const struct gv_stamps *stamps,
                                            size_t *count);
// Parts that are told with the one behind them, since a pass had too many.
uint64_t gv_stamps_joined(const struct gv_stamps *stamps);

#endif
