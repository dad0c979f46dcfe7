// Files that this process may still write, by Linux' Landlock (5.13 and later).
#ifndef GV_LANDLOCK_H
#define GV_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>

// Nothing is to be written, made, renamed or removed any more, by this thread and those
// it will start, but what is open, `paths` (files, or folders and what is below; NULL
// and what is missing are left out) and, with `devices`, device nodes of GPUs; and no
// other device that is opened from now on takes an ioctl of its own (6.10). Signals
// stay within where the kernel has it (6.12), and processes outside cannot be looked
// into. False, changing nothing, where the kernel has no Landlock or does not use it.
bool gv_landlock_enter(const char *const *paths, size_t count, bool devices);

#endif
