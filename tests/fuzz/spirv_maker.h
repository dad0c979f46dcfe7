// Compute modules drawn from any bytes: types, decorations, variables of all kinds of
// memory, integer arithmetic, and access chains that use what it gives as indices.
#ifndef GV_TESTS_SPIRV_MAKER_H
#define GV_TESTS_SPIRV_MAKER_H

#include <stddef.h>
#include <stdint.h>

#define SPIRV_MAKER_WORDS 16384 // room that every module fits into

// Inputs: `uint x[16]` in the storage buffer at set 3, binding 0; x[1] takes a result.
// Returns the words written.
size_t spirv_make(const uint8_t *data, size_t size, uint32_t words[SPIRV_MAKER_WORDS]);

#endif
