// The gate before the driver: no SPIR-V passes that the validator, or our own reading
// of what the validator leaves to the application, refuses; and what passes is
// rewritten so that no index leaves its array.
#ifndef GV_SPIRV_CHECK_H
#define GV_SPIRV_CHECK_H

#include "runtime/spirv/spirv_robust.h"

#define GV_MAX_SPIRV_CACHE_BYTES (256u << 20) // of distinct modules seen in one run

// Verdicts so far, by content: compared byte for byte, since XXH3 is no defence against
// forgers. Verdicts never leave the process.
struct gv_spirv_checker;

// A module that passed. Lives as long as its checker.
struct gv_spirv_checked {
    const uint32_t *words; // as the payload has them
    size_t count;
    const uint32_t *code; // as the driver takes them: adapted, then made safe
    size_t code_count;
    struct gv_spirv_safe safe;     // owns `code`
    bool pushes_draw_parameters;   // spirv_rewrite.h
    struct gv_spirv_module module; // with default specialisation
};

// `limits` is copied; its context is borrowed. `draw_parameters`: whether the device
// has them; else they are rewritten. The draw's number always is. NULL when memory runs
// out.
struct gv_spirv_checker *gv_spirv_checker_create(const struct gv_spirv_limits *limits,
                                                 bool draw_parameters,
                                                 struct gv_error *err);
// What it keeps of the modules that it has seen, in bytes.
uint64_t gv_spirv_checker_bytes(const struct gv_spirv_checker *checker);

void gv_spirv_checker_destroy(struct gv_spirv_checker *checker);

// Validates `size` bytes for Vulkan 1.3 and scans them. NULL: GV_ERR_FORMAT (not
// SPIR-V, or invalid: the validator's words), GV_ERR_UNSUPPORTED (by name, or beyond
// what this program takes), GV_ERR_LIMIT (beyond the limits given). `err->offset` is a
// byte offset into the module.
const struct gv_spirv_checked *gv_spirv_check(struct gv_spirv_checker *checker,
                                              const void *bytes, size_t size,
                                              struct gv_error *err);

// The limits given at creation.
const struct gv_spirv_limits *
gv_spirv_checker_limits(const struct gv_spirv_checker *checker);

#endif
