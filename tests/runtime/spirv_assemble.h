// SPIR-V assembly to words, for tests of what is done to modules.
#ifndef GV_TESTS_SPIRV_ASSEMBLE_H
#define GV_TESTS_SPIRV_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

struct spv_binary_t; // of libspirv.h, which defines a constant wherever it is included

// The module of `size` bytes of text for Vulkan 1.3; what is wrong goes to stderr. The
// caller destroys it (spvBinaryDestroy).
bool gv_test_assemble(const char *text, size_t size, struct spv_binary_t **binary);

#endif
