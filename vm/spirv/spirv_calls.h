// How large the functions of a SPIR-V module become when every call is written out, as
// drivers do.
#ifndef GV_SPIRV_CALLS_H
#define GV_SPIRV_CALLS_H

#include "vm/spirv/spirv_ids.h"

// Refuses recursion (GV_ERR_FORMAT) and what passes the bounds of constants, calls and
// functions (spirv_bounds.def, GV_ERR_UNSUPPORTED).
bool gv_spirv_check_calls(const struct gv_spirv_ids *ids, struct gv_error *err);

#endif
