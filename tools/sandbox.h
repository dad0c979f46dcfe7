// What the child that runs a payload gives up before the payload's first instruction.
#ifndef GV_SANDBOX_H
#define GV_SANDBOX_H

#include <stdbool.h>

// No core dumps. To be called first in the child.
void gv_sandbox_prepare(void);

// Refuses (EPERM) system calls that replaying never needs: starting programs, tracing
// and reading other processes, new sockets, mounting, loading kernel code. Covers all
// threads. To be called once the driver is up: some start helpers while they load.
// False where the kernel has no seccomp, or in sanitizer builds, whose leak checker
// traces.
bool gv_sandbox_enter(void);

#endif
