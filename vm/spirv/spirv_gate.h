// What a SPIR-V module may cost those who walk it: read before the validator, whose
// time grows with the types written out, over words that nothing has accepted yet.
#ifndef GV_SPIRV_GATE_H
#define GV_SPIRV_GATE_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

#define GV_MAX_SPIRV_WORDS (1u << 20)
#define GV_MAX_SPIRV_IDS (1u << 20)
#define GV_MAX_SPIRV_TYPE_DEPTH 64 // types within types
// Scalars, vectors, arrays and structs that one type holds, an array's element once.
#define GV_MAX_SPIRV_TYPE_PARTS (1u << 16)
// The same over the types of all instructions: the validator walks each.
#define GV_MAX_SPIRV_WALKED_PARTS (1u << 22)

// The header: magic number, length, id bound. GV_ERR_FORMAT, GV_ERR_UNSUPPORTED.
bool gv_spirv_gate_header(const uint32_t *words, size_t count, struct gv_error *err);

// The header, the limits above, and that no decoration is applied in a way our own
// reading does not follow (groups, ids): GV_ERR_UNSUPPORTED by name.
bool gv_spirv_gate(const uint32_t *words, size_t count, struct gv_error *err);

#endif
