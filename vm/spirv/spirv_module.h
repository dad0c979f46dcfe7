// What a SPIR-V module asks of a pipeline, read in one pass over words the validator
// has accepted.
#ifndef GV_SPIRV_MODULE_H
#define GV_SPIRV_MODULE_H

#include "resources/base/error.h"
#include "vm/spirv/spirv_needs.h"

// Reads a module. `words` must have passed the validator: what is checked here is only
// what the validator leaves to the application. Specialisation constants take their
// values from `specs` (those of other stages are ignored), else their defaults.
//
// GV_ERR_UNSUPPORTED names what is missing, or too large for this program; GV_ERR_LIMIT
// is what passes the limits given, a device's; `offset` is the byte offset of the
// instruction. `out` needs gv_spirv_module_finish after success.
bool gv_spirv_module_read(const uint32_t *words, size_t count,
                          const struct gv_spec_constant *specs, size_t spec_count,
                          const struct gv_spirv_limits *limits,
                          struct gv_spirv_module *out, struct gv_error *err);
void gv_spirv_module_finish(struct gv_spirv_module *module);

// More than any device has.
extern const struct gv_spirv_limits gv_spirv_boundless;

// "vertex", "fragment", ... of one GV_STAGE_* bit.
const char *gv_stage_name(uint32_t stage);

#endif
