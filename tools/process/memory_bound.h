// How much memory commands may have unless told otherwise, and the kernel's bound on
// it.
#ifndef GV_MEMORY_BOUND_H
#define GV_MEMORY_BOUND_H

#include <stdint.h>

// MiB. What a payload may declare and a run have.
#define GV_RUN_MEM_MB 4096
// Commands that only look are for files that nobody trusts yet. A payload is mapped and
// needs little, but a compressed capture is unpacked whole, and 0.7 MB may stand for 4
// GB. This is half of a machine with 2 GiB, and 30 times what the largest capture of
// the tests takes.
#define GV_LOOK_MEM_MB 1024

// What --mem-mb stands for in commands that look at payloads and judge what these
// declare: 0, not given, is GV_LOOK_MEM_MB for the command, and GV_RUN_MEM_MB for the
// payload.
uint64_t gv_look_bytes(uint64_t mem_mb);
uint64_t gv_declared_bytes(uint64_t mem_mb);

// Everything is allocated within budgets but what libraries need: beyond `mem_mb` and
// 64 MiB of private memory the kernel refuses. A lower bound stays in force.
void gv_bound_memory(uint64_t mem_mb);

// The same for what comes on top of what the process has now, drivers included: three
// times `bytes`, as drivers reserve more addresses than they touch, 128 MiB for what
// they need beside all that is accounted for, and GV_HEAP_AHEAD. What is resident, the
// budgets bound.
void gv_bound_memory_further(uint64_t bytes);

#endif
