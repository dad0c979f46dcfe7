// What the members of uniform blocks are, computed from state.
#ifndef GV_FIXED_VALUES_H
#define GV_FIXED_VALUES_H

#include "compiler/gl/fixed/fixed_block.h"
#include "compiler/gl/fixed/fixed_inputs.h"

// Writes all members of a block: `rows` of it times 16 bytes.
void gv_fixed_values(const struct gv_fixed_block *b,
                     const struct gv_gl_fixed_inputs *in, uint8_t *out);

#endif
