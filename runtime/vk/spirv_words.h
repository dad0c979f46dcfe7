// Single SPIR-V instructions: what can be told from their first word.
#ifndef GV_SPIRV_WORDS_H
#define GV_SPIRV_WORDS_H

#include <spirv_cross/spirv.h>
#include <stdbool.h>
#include <stdint.h>

uint32_t gv_spirv_op(const uint32_t *instruction);
uint32_t gv_spirv_length(const uint32_t *instruction); // words

bool gv_spirv_is_type(uint32_t op); // defines a type, its id in the second word

// Whether the second word is the result's type, the third the result's id.
bool gv_spirv_has_type(uint32_t op);

#endif
