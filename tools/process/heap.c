#define _GNU_SOURCE // madvise, sbrk
#include "tools/process/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define AHEAD (16 << 20)
#define NOTES 4096 // a small page
#define HUGE_PAGE ((uintptr_t)2 << 20)
#define MAPPED (512 << 10) // larger blocks are mappings, where the heap has no room
#define PAD (128 << 10)    // glibc's own: a limit that forbids more would refuse all
#define NEVER (1 << 30)
#define MOST_MAPPED (32 << 20) // glibc's
#define ARENAS 4               // threads take turns; each may be an arena's size ahead
#define ARENA (64 << 20)       // glibc's: a thread's heap with so much ahead is kept
#define FRAME_MAPPED (4 << 20) // larger blocks are not what frames take and give back

#if !defined __SANITIZE_ADDRESS__ // it has its own heap
// Of a huge page no small one may be there yet: malloc's notes of one block of all of
// it stand in front of the first huge one and behind the last.
static void take_ahead(void)
{
    const uintptr_t end = (uintptr_t)sbrk(0);
    const uintptr_t first = (end + NOTES + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    if (sbrk((intptr_t)(first - NOTES - end)) == (void *)-1)
        return;
    void *volatile all = malloc(NOTES + AHEAD);
    const uintptr_t last = (uintptr_t)sbrk(0) & ~(HUGE_PAGE - 1);
    if (all && last > first)
        madvise((void *)first, last - first, MADV_HUGEPAGE);
    free(all);
}
#endif

void gv_heap_prepare(void)
{
#if !defined __SANITIZE_ADDRESS__
    mallopt(M_MMAP_THRESHOLD, MOST_MAPPED);
    mallopt(M_TRIM_THRESHOLD, NEVER);
    mallopt(M_TOP_PAD, PAD);
    take_ahead();
    mallopt(M_MMAP_THRESHOLD, MAPPED);
#endif
}

void gv_heap_keep(void)
{
#if !defined __SANITIZE_ADDRESS__
    struct rlimit data, addresses;
    if (getrlimit(RLIMIT_DATA, &data) || data.rlim_cur != RLIM_INFINITY ||
        getrlimit(RLIMIT_AS, &addresses) || addresses.rlim_cur != RLIM_INFINITY)
        return;
    mallopt(M_ARENA_MAX, ARENAS);
    mallopt(M_MMAP_THRESHOLD, FRAME_MAPPED);
    mallopt(M_TRIM_THRESHOLD, NEVER);
    mallopt(M_TOP_PAD, ARENA);
#endif
}
