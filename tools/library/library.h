// What the files of the library share: its objects, and errors as its callers see them.
#ifndef GV_LIBRARY_H
#define GV_LIBRARY_H

#include <stdatomic.h>

#include "resources/base/bytes.h"
#include "resources/base/cancel.h"
#include "runtime/runtime.h"
#include "tools/base/exit_code.h"
#include "tools/library/gpuvm.h"

#define GV_LIBRARY_MEMORY ((uint64_t)4 << 30) // where callers name none

struct gpuvm_cancel {
    atomic_bool flag;
};

struct gpuvm_payload {
    struct gv_payload payload; // verified
    uint64_t memory;           // bytes it was opened with
    struct gv_bytes body;      // what came from the web, or nothing
};

// The status of `err`, which is written to `error` (may be NULL) as the command line
// would tell it. Whatever fails once `cancel` (may be NULL) is up was cancelled, but
// for losses.
int gv_library_fail(struct gpuvm_error *error, const struct gv_error *err,
                    enum gv_phase phase, const struct gpuvm_cancel *cancel);
// The same of what failed in a frame, which is told.
int gv_library_fail_in(struct gpuvm_error *error, const struct gv_error *err,
                       enum gv_phase phase, const struct gpuvm_cancel *cancel,
                       uint64_t frame);
// GPUVM_OK, also in `error`.
int gv_library_ok(struct gpuvm_error *error);
// GPUVM_USAGE, "the caller gave WHAT".
int gv_library_misuse(struct gpuvm_error *error, const char *what);

struct gv_progress;
struct gv_spawned;

// Copies what the caller set, or what stands for it. NULL, or what is wrong with it.
const char *gv_library_settings(struct gpuvm_settings *own,
                                const struct gpuvm_settings *given);
// gpuvm_replay_create; `progress` hears of positions, is borrowed and may be NULL.
gpuvm_replay *gv_library_replay(gpuvm_payload *payload,
                                const struct gpuvm_settings *settings,
                                struct gv_progress *progress,
                                struct gpuvm_error *error);
// One whose work a child does, which it takes over.
gpuvm_replay *gv_library_replay_in(struct gv_spawned *spawned, struct gv_error *err);

// The flag of `cancel`, or NULL.
const atomic_bool *gv_library_flag(const struct gpuvm_cancel *cancel);

// Sources of the caller as the VM takes them.
struct gv_source *gv_library_source(struct gpuvm_source *source);

// NULL, or what is wrong with a host's device; `made`: not only its physical device is
// looked at.
const char *gv_library_vulkan_fault(const struct gpuvm_vulkan *vulkan, bool made);

// A store on a web server; `cancel` may be NULL, and is borrowed.
struct gv_source *gv_library_web_source(const char *url, const char *token_file,
                                        const gpuvm_cancel *cancel,
                                        struct gv_error *err);

struct gv_web_payload {
    const char *url, *token_file; // the latter may be NULL
    uint64_t most;                // bytes; more is an error
    const gpuvm_cancel *cancel;   // may be NULL
};

// Fetches a payload's bytes into `body`, which the caller finishes in any case.
bool gv_library_web_payload(const struct gv_web_payload *wanted, struct gv_bytes *body,
                            struct gv_error *err);

// A host's device as the runtime takes it.
struct gv_runtime_vulkan gv_library_vulkan(const struct gpuvm_vulkan *vulkan);

#endif
