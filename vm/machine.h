// The bounds of the machine, shared by verifier and interpreter (docs/machine.md).
#ifndef GV_MACHINE_H
#define GV_MACHINE_H

#include <stdint.h>

#define GV_MAX_STACK_CELLS 4096
#define GV_MAX_NESTING 16 // loops and skips inside one another
#define GV_MAX_CHUNK_BYTES (UINT32_C(16) << 20)
#define GV_MAX_SLOTS (UINT32_C(1) << 20)
#define GV_MAX_RESOURCES (UINT32_C(1) << 24)
#define GV_MAX_SPACE_BYTES (UINT64_C(1) << 36) // of one space, map or resource
#define GV_MAX_LOOP_COUNT UINT32_MAX

#endif
