#include "tools/process/memory_bound.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/process/heap.h"

// The compiler's own budgets add up to less than this.
#define BASE_MB 64u
// Compiling shaders, threads' stacks and pieces that allocators keep.
#define DRIVER_MB 128u
// lavapipe takes so many times the addresses of what pipelines take in memory: 576 KiB
// for the smallest, charged as 192 (runtime/vk/pipelines/pipeline.c).
#define ADDRESSES 3u

uint64_t gv_look_bytes(uint64_t mem_mb)
{
    return (mem_mb ? mem_mb : GV_LOOK_MEM_MB) << 20;
}

uint64_t gv_declared_bytes(uint64_t mem_mb)
{
    return (mem_mb ? mem_mb : GV_RUN_MEM_MB) << 20;
}

static void bound(uint64_t bytes)
{
#if !defined __SANITIZE_ADDRESS__ // shadow memory is private too
    setrlimit(RLIMIT_DATA, &(struct rlimit){ bytes, bytes });
#else
    (void)bytes;
#endif
}

void gv_bound_memory(uint64_t mem_mb)
{
    bound((mem_mb + BASE_MB) << 20);
}

// Private memory that can be written, in bytes; 0 where the kernel does not tell.
static uint64_t data_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void gv_bound_memory_further(uint64_t bytes)
{
    uint64_t now = data_bytes();
    if (now)
        bound(now + bytes * ADDRESSES + ((uint64_t)DRIVER_MB << 20) + GV_HEAP_AHEAD);
}
