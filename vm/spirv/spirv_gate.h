// What a SPIR-V module may cost those who walk it: read before the validator, whose
// time grows with the types written out, over words that nothing has accepted yet.
#ifndef GV_SPIRV_GATE_H
#define GV_SPIRV_GATE_H

#include "resources/base/error.h"
#include "vm/spirv/spirv_bounds.h"

#include <stddef.h>
#include <stdint.h>

// The header: magic number, length, id bound. GV_ERR_FORMAT, GV_ERR_UNSUPPORTED.
bool gv_spirv_gate_header(const uint32_t *words, size_t count, struct gv_error *err);

// The header, the bounds of words and types (spirv_bounds.def), and that no decoration
// is applied in a way our own reading does not follow (groups, ids): GV_ERR_UNSUPPORTED
// by name.
bool gv_spirv_gate(const uint32_t *words, size_t count, struct gv_error *err);

#endif
