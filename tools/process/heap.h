// The heaps of processes that do one kind of work.
#ifndef GV_HEAP_H
#define GV_HEAP_H

#include <stdint.h>

// Of a process that takes memory once and ends, a compile: takes addresses for what a
// common one needs at once, in huge pages where the kernel has them
// (transparent_hugepage is `madvise` or `always`), and gives nothing back before the
// process ends: a fifth of a compile would be faults of small pages. Where a limit
// forbids it the heap grows as it did. For a process that has one thread yet.
void gv_heap_prepare(void);

// Of a process that does the same work frame after frame, a run: what a frame has given
// back stays for the next one, in the heaps of the driver's threads too, and is not
// faulted in again. It takes addresses ahead, GV_HEAP_AHEAD at most, and no memory.
// Where the caller has set a limit on addresses nothing changes. For a process that has
// one thread yet.
void gv_heap_keep(void);
#define GV_HEAP_AHEAD (UINT64_C(4) * 64 << 20)

#endif
