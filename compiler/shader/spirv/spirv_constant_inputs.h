// Varyings that always have one value: Mesa's linker gives fragments the constant, and
// what is interpolated of it may be a last bit off.
#ifndef GV_SPIRV_CONSTANT_INPUTS_H
#define GV_SPIRV_CONSTANT_INPUTS_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

// Rewrites `reader` (`*count` words, in `arena`), a linked fragment stage: where
// `writer`, the stage in front of it, stores but a constant in a component of an output
// of floats, the input at its location has the constant there. Modules as they are
// linked; others stay. GV_ERR_SYSTEM without memory.
bool gv_spirv_constant_inputs(const uint32_t *writer, size_t writer_count,
                              struct gv_arena *arena, uint32_t **reader, size_t *count,
                              struct gv_error *err);

#endif
