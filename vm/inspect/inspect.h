// State at a place of a verified payload, without a GPU: which call set each value,
// with all its arguments, and which source command that was of.
#ifndef GV_INSPECT_H
#define GV_INSPECT_H

#include "resources/base/bytes.h"
#include "vm/inspect/path.h"
#include "vm/track/tracker.h"

// Set up by gv_inspect_go; others read. Finish it.
struct gv_inspect {
    struct gv_payload *payload; // borrowed
    struct gv_track *track;     // owned; its state is that at the place
    uint32_t done;              // units in front of the place
};

// Goes to the place. `memory_limit`: private bytes; 0: none. GV_ERR_USAGE: there is no
// such place, and which is the last. GV_ERR_UNSUPPORTED: it is not known what state is
// there, or the place lies within a loop.
bool gv_inspect_go(struct gv_inspect *inspect, struct gv_payload *payload,
                   const struct gv_place *place, uint64_t memory_limit,
                   struct gv_error *err);
void gv_inspect_finish(struct gv_inspect *inspect);

// ---- objects ----

// An object that lives at the place; `number` counts what was made, from 0.
typedef bool gv_inspect_object(void *context, uint64_t number, uint64_t command,
                               const struct gv_track_object *object,
                               struct gv_error *err);
bool gv_inspect_each_object(struct gv_inspect *inspect, gv_inspect_object *visit,
                            void *context, struct gv_error *err);

// ---- state ----

#define GV_STATE_NAME 32 // bytes

// One value of the state.
struct gv_state_row {
    char name[GV_STATE_NAME];        // "vb0", "tex.0.1.0", as docs/paths.md lists them
    const struct gv_call_info *call; // that set it
    uint64_t command;                // of the source
    bool maybe; // set in a skip, which may or may not have run: others of its name may
                // stand
    union gv_arg args[GV_MAX_ARGS + 1]; // handles: an object's number + 1, or 0
    const uint8_t *bytes;               // of its BYTES argument; NULL: not constant
    uint32_t resource; // that these are of; GV_TRACK_NONE: none, or from its middle on
    uint32_t unit, op; // where that call stands: an operation of a unit of the track
};

typedef bool gv_inspect_row(void *context, const struct gv_state_row *row,
                            struct gv_error *err);
// All that is set, each once but for those that `maybe`.
bool gv_inspect_each_row(struct gv_inspect *inspect, gv_inspect_row *visit,
                         void *context, struct gv_error *err);

// The call that made an object, which is one of the tracker's.
bool gv_inspect_maker(struct gv_inspect *inspect, uint32_t object,
                      struct gv_state_row *row, struct gv_error *err);

// Whether some state has that name, set or not.
bool gv_state_is_known(const char *name);

// Draws and dispatches of a frame, in order, by names "d0", "d1"; once those in a loop.
// `inspect` went to the frame's end.
bool gv_inspect_each_work(struct gv_inspect *inspect, uint64_t frame,
                          gv_inspect_row *visit, void *context, struct gv_error *err);

// Appends argument `i` of a row as text: "o7", "D32_SFLOAT", "0.5", "[64]:0000803f",
// with `most` bytes of those it has.
void gv_state_value(const struct gv_state_row *row, size_t i, uint64_t most,
                    struct gv_bytes *out);
// The same of an argument that is not of bytes.
void gv_inspect_value(const struct gv_arg_info *info, const union gv_arg *arg,
                      struct gv_bytes *out);

#endif
