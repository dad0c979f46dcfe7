// Whether words are SPIR-V at all, and what Vulkan takes: the wrapper of SPIRV-Tools.
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

// Whether Vulkan 1.3 takes the module, by SPIRV-Tools' validator: a driver is never
// the first to see what is wrong. GV_ERR_UNSUPPORTED: what a generator made of source
// that it took is none of Vulkan's; the message is the validator's. Any thread.
bool gv_spirv_validate(const uint32_t *words, size_t count, struct gv_error *err);

// The same of a module that a capture holds, without a word on what payloads take.
// `*feature`: what a device must have for the layouts of its blocks, NULL: nothing
// ("uniformBufferStandardLayout", "scalarBlockLayout"). GV_ERR_FORMAT with the byte
// where the module is not valid with any of these.
bool gv_spirv_validate_recorded(const uint32_t *words, size_t count,
                                const char **feature, struct gv_error *err);

// "MultiView" of 4439; the number where SPIRV-Tools has no name for it.
#define GV_SPIRV_CAPABILITY_NAME 64
void gv_spirv_capability_name(uint32_t capability, char name[GV_SPIRV_CAPABILITY_NAME]);

// Whether OpenGL 4.5 takes the module: one that a program gave it. Errors as above.
bool gv_spirv_validate_opengl(const uint32_t *words, size_t count,
                              struct gv_error *err);

#endif
