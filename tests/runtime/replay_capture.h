// Compile a capture in memory, run it on the Vulkan device, keep what tests look at.
#ifndef GV_REPLAY_CAPTURE_H
#define GV_REPLAY_CAPTURE_H

#include "compiler/compiler.h"
#include "runtime/runtime.h"

struct gv_replay_result {
    struct gv_picture *pictures; // owned; one for each frame, width 0 = none
    size_t frame_count;
    struct gv_bytes exports[4]; // owned; by export number
    uint64_t validation_messages;
    uint64_t audited;        // dispatches held to their ranges
    struct gv_bytes payload; // owned
};

// Compiles `capture`, verifies and runs the payload. `target` and `options` as in
// gv_compile_params. Pictures are kept where `pictures` is set; exports always.
bool gv_replay_capture_for(const char *target, const void *capture, size_t size,
                           const char *const *options, bool pictures, bool validate,
                           struct gv_replay_result *out, struct gv_error *err);
// For the default target.
bool gv_replay_capture(const void *capture, size_t size, const char *const *options,
                       bool pictures, bool validate, struct gv_replay_result *out,
                       struct gv_error *err);
// With every dispatch held to the ranges it names (tests/runtime/range_audit.h);
// pictures are kept.
bool gv_replay_capture_audited(const void *capture, size_t size,
                               const char *const *options, struct gv_replay_result *out,
                               struct gv_error *err);
// Verifies and runs a payload in memory; pictures are kept.
bool gv_replay_payload(const void *data, size_t size, bool validate,
                       struct gv_replay_result *out, struct gv_error *err);
void gv_replay_result_finish(struct gv_replay_result *result);

// Whether there is a Vulkan device to test with.
bool gv_replay_device_present(void);

#endif
