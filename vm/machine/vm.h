// Running a verified payload against a host: the machine without any GPU knowledge.
#ifndef GV_VM_H
#define GV_VM_H

#include "resources/base/error.h"
#include "resources/base/log.h"
#include "resources/source.h"
#include "vm/calls.h"
#include "vm/payload/kept.h"
#include "vm/payload/payload.h"

#include <stdatomic.h>

// Performs one call. `args` has one entry per argument of its row (cast it to
// `struct gv_args_<name>`) and is borrowed. BYTES arguments are readable for their SIZE
// until the call returns. A call with a result stores a non-zero handle in `*result`.
// Numbers have been range-checked against their kind and enumeration, descriptions
// have not been decoded. Returns false and fills `err` if the GPU or the arguments
// refuse.
typedef bool (*gv_host_call_fn)(void *context, const union gv_arg *args,
                                uint64_t *result, struct gv_error *err);

// The VM's whole view of a GPU.
struct gv_host {
    void *context; // borrowed by the VM for its lifetime
    gv_host_call_fn
        calls[GV_CALL_LIMIT]; // NULL = not implemented; refused at load by name
    // The shadow memory of a map: its base and size, or NULL if the handle is not live.
    uint8_t *(*map_memory)(void *context, uint64_t map, uint64_t *size);
    // Whether the device meets the payload's requirement of that number. NULL: none, so
    // that the payload takes every other way it has.
    bool (*meets)(void *context, uint32_t requirement);
    // Told of every source command before its calls run; may be NULL.
    void (*command)(void *context, uint64_t command);
};

enum gv_stop {
    GV_STOP_FRAME,   // frame_end was called: `frame` is complete
    GV_STOP_COMMAND, // the next of stop_commands is complete (its last call has run)
    GV_STOP_END,     // the code has run to its end, tail included
};

struct gv_vm_params {
    struct gv_payload *payload;       // verified; borrowed
    const struct gv_host *host;       // borrowed
    struct gv_source *const *sources; // tried in order; the payload's own comes first
    size_t source_count;
    uint64_t memory_limit; // private bytes; 0 = no limit
    uint64_t cache_limit;  // of which for fetched resources; 0 = a part of it
    // What a thin payload uses is fetched ahead by a thread of the VM's own, which then
    // alone uses the sources, for the first so many frames (UINT64_MAX: to the end; 0:
    // there is no thread). With `kept`, all that this uses. Of a stream: as far as it
    // has come.
    uint64_t frames_ahead;
    bool once; // gv_vm_restart is not called: what has had its last use is given up
    const struct gv_log *log;     // may be NULL
    struct gv_progress *progress; // vm/machine/progress.h; may be NULL
    // Ascending; one GV_STOP_COMMAND for each, in turn, before the first command after
    // it that left code, or at the end. May be NULL.
    const uint64_t *stop_commands;
    size_t stop_command_count;
    const struct gv_kept *kept; // what to run of the code; borrowed; NULL: all of it
    const atomic_bool *cancel;  // looked at by loops and chunks; may be NULL
};

struct gv_vm_stats {
    uint64_t instructions, calls, commands;
    uint64_t fetched_items, fetched_bytes, cache_hits, requests, kept_items, stalls,
        stall_ns;
};

struct gv_vm;

// NULL on failure: GV_ERR_UNSUPPORTED (a call the host lacks, by name), GV_ERR_LIMIT.
struct gv_vm *gv_vm_create(const struct gv_vm_params *params, struct gv_error *err);
void gv_vm_destroy(struct gv_vm *vm);

// The payload, which is streamed, has run and has more now: tables have grown, limits
// were raised, and its chunks are new ones. gv_vm_memory may be more than before.
// GV_ERR_UNSUPPORTED, GV_ERR_LIMIT.
bool gv_vm_go_on(struct gv_vm *vm, struct gv_error *err);

// The private memory that it takes at most, in bytes.
uint64_t gv_vm_memory(const struct gv_vm *vm);

// The next GV_STOP_COMMAND is that of `command`, in place of all stop_commands; at
// once, if a later command is under way.
void gv_vm_stop_at(struct gv_vm *vm, uint64_t command);

// Runs on to the next stop. Errors carry code offset and source command.
bool gv_vm_run(struct gv_vm *vm, enum gv_stop *stop, struct gv_error *err);

// The bytes of a resource, whatever runs: borrowed until the VM runs on or is asked
// again. NULL: as for gv_vm_run.
const uint8_t *gv_vm_resource_bytes(struct gv_vm *vm, uint32_t resource,
                                    struct gv_error *err);

// The frame that runs or, after GV_STOP_FRAME, has just ended; the current command.
uint32_t gv_vm_frame(const struct gv_vm *vm);
uint64_t gv_vm_command(const struct gv_vm *vm);

// Back to the first chunk with zeroed memory; the host is told nothing.
void gv_vm_restart(struct gv_vm *vm);

// To the beginning of the payload that it was made for, or of a view of it
// (vm/payload/payload.h), or of what is kept of either (NULL: all of it); both are
// borrowed. After false the VM can only be destroyed.
bool gv_vm_enter(struct gv_vm *vm, struct gv_payload *payload,
                 const struct gv_kept *kept, struct gv_error *err);

// Between stops, for who looks at what there is: the handle in a slot, 0 for none yet;
// volatile memory, NULL before the first run.
uint64_t gv_vm_slot(const struct gv_vm *vm, uint32_t slot);
const uint8_t *gv_vm_volatile(const struct gv_vm *vm);

void gv_vm_get_stats(const struct gv_vm *vm, struct gv_vm_stats *stats);

#endif
