// One replay of a verified payload: a device, the machine, and how far they are. It
// begins with the first frame, with a keyframe, or with a slice of either, goes on from
// stop to stop, and jumps to frames with as little work as it can. This room alone
// makes machines and runtimes.
#ifndef GV_REPLAY_CORE_H
#define GV_REPLAY_CORE_H

#include "runtime/runtime.h"
#include "tools/replay/replay_start.h"
#include "vm/slice/slice.h"

// What was run to, which is what pictures are of.
enum gv_replay_place {
    GV_REPLAY_AT_START,
    GV_REPLAY_AT_FRAME,
    GV_REPLAY_AT_COMMAND,
    GV_REPLAY_AT_END,
};

// Zero-initialise. Others read, and set nothing.
struct gv_replay {
    struct gv_payload *payload; // verified; borrowed
    struct gv_vm_params common; // what the machine shares with the device
    struct gv_runtime *runtime; // owned; NULL: without a device
    struct gv_vm *vm;           // owned
    struct gv_device_info device;
    struct gv_replay_start start; // what of the payload runs
    struct gv_slice slice;        // what of that; owned
    uint64_t next;                // the frame that runs next
    uint64_t charged;             // of the machine, to the runtime; bytes
    uint64_t slice_ns;            // what to leave out was found in
    uint64_t spent;               // by slices of frames one behind the other
    bool ended;                   // the code has run to its end
    bool within;                  // stopped behind a command, not a frame
    bool partial;                 // what ran is no more than one frame needed
    bool broken;                  // it failed: what comes next begins anew
    bool lost;                    // the device is: nothing comes next
};

// In this order. The device: `params` but for its payload, whose memory limit, log,
// progress and cancel are the machine's too. `exports`: those kept; NULL: none.
// GV_ERR_DEVICE names all that the payload misses.
bool gv_replay_open_device(struct gv_replay *r, struct gv_payload *payload,
                           const struct gv_runtime_params *params, const bool *exports,
                           struct gv_error *err);
// Or none: the machine has a host of its own then, and there are no pictures.
void gv_replay_open_without_device(struct gv_replay *r, struct gv_payload *payload,
                                   uint64_t memory_limit);
// Runs begin with the last keyframe in front of the frame, or the first frame.
bool gv_replay_begin_at(struct gv_replay *r, uint64_t frame, struct gv_error *err);
// No more runs than these outputs need; without, all does. GV_ERR_LIMIT.
bool gv_replay_begin_slice(struct gv_replay *r, const struct gv_slice_params *outputs,
                           struct gv_error *err);
// The machine: of `machine` the host (around the runtime's, or in place of one that is
// not there; NULL: the runtime's own), sources, limits of fetching, `once` (nothing is
// jumped to then) and stop commands count; all else is what was given before.
bool gv_replay_open_machine(struct gv_replay *r, const struct gv_vm_params *machine,
                            struct gv_error *err);
// What is lost is left to the end of the process: waiting for it would hang. NULL
// members are fine.
void gv_replay_close(struct gv_replay *r);

// What others did with its runtime or machine failed.
void gv_replay_failed(struct gv_replay *r, const struct gv_error *err);

// On to the next stop.
bool gv_replay_run(struct gv_replay *r, enum gv_stop *stop, struct gv_error *err);
// Of a stream, which had run to its end: there is more of it.
bool gv_replay_go_on(struct gv_replay *r, struct gv_error *err);

// Back to where the replay begins, with every object of the payload gone.
bool gv_replay_restart(struct gv_replay *r, struct gv_error *err);
// The same with the last keyframe in front of a frame, or the first frame, and all of
// the code from there on.
bool gv_replay_begin_anew(struct gv_replay *r, uint64_t frame, struct gv_error *err);

// Has `frame` be the next that runs or one soon after: goes on if it can and no
// keyframe lies between, else begins anew (`*anew`), with no keyframe behind frame
// `furthest`.
bool gv_replay_near(struct gv_replay *r, uint64_t frame, uint64_t furthest, bool *anew,
                    struct gv_error *err);
// The same where no more than that frame's picture is wanted: with a keyframe or a
// slice of what comes before, whichever is less work.
bool gv_replay_jump(struct gv_replay *r, uint64_t frame, bool *anew,
                    struct gv_error *err);

// The picture at a place; the end shows what was presented last, or else what was drawn
// to. Width 0: there is none.
bool gv_replay_picture(struct gv_replay *r, enum gv_replay_place place,
                       struct gv_picture *picture, struct gv_error *err);
// Whether nothing was left out of what ran, and can go on: no keyframe, no slice, no
// failure.
bool gv_replay_is_whole(const struct gv_replay *r);
// Whether the device has all that the payload prefers, and no contents are another's.
bool gv_replay_is_exact(const struct gv_replay *r);

#endif
