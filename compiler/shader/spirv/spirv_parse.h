// Whether words are SPIR-V at all: a wrapper of SPIRV-Tools' parser.
#ifndef GV_SPIRV_PARSE_H
#define GV_SPIRV_PARSE_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// Reads every instruction of a module, functions included: known opcodes, operands that
// fill their length, ids within the bound. For what a generator made: an instruction's
// length has 16 bits, and glslang lets longer ones (a switch of 33000 cases) wrap.
//
// Errors: GV_ERR_LIMIT, its offset from the module's start. Any thread.
bool gv_spirv_parse(const uint32_t *words, size_t count, struct gv_error *err);

#endif
