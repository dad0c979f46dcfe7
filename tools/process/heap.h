// The heap of a process that takes memory once and ends: a compile.
#ifndef GV_HEAP_H
#define GV_HEAP_H

// Takes addresses for what a common compile needs at once, in huge pages where the
// kernel has them (transparent_hugepage is `madvise` or `always`), and gives nothing
// back before the process ends: a fifth of a compile would be faults of small pages.
// Where a limit forbids it the heap grows as it did. For a process that has one thread
// yet.
void gv_heap_prepare(void);

#endif
