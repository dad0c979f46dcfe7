// Makes a SPIR-V module safe where robust buffer access does not reach: every index
// into memory without guaranteed bounds is below its length, and nothing is read before
// it is written. Results in range stay as they are.
#ifndef GV_SPIRV_ROBUST_H
#define GV_SPIRV_ROBUST_H

#include "vm/spirv/spirv_module.h"

// A module for the driver.
struct gv_spirv_safe {
    uint32_t *words; // owned
    size_t count;
    // Specialisation constants that pipelines must give, GV_SPIRV_UNSET = not used: the
    // vertices of an input patch, and the samples of the attachments.
    uint32_t vertices_spec, samples_spec;
};

// Rewrites a module that the validator has accepted and that `module` is the scan of,
// with default specialisation. The result is valid again and holds for every
// specialisation that passes gv_spirv_module_read.
//
// GV_ERR_UNSUPPORTED names what cannot be made safe. `out` needs gv_spirv_safe_finish
// after success.
bool gv_spirv_make_safe(const uint32_t *words, size_t count,
                        const struct gv_spirv_module *module,
                        const struct gv_spirv_limits *limits, struct gv_spirv_safe *out,
                        struct gv_error *err);
void gv_spirv_safe_finish(struct gv_spirv_safe *safe);

#endif
