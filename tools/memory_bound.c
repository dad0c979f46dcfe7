#include "tools/memory_bound.h"

#include <sys/resource.h>

// The compiler's own budgets add up to less than this.
#define BASE_MB 64u

uint64_t gv_look_bytes(uint64_t mem_mb)
{
    return (mem_mb ? mem_mb : GV_LOOK_MEM_MB) << 20;
}

uint64_t gv_declared_bytes(uint64_t mem_mb)
{
    return (mem_mb ? mem_mb : GV_RUN_MEM_MB) << 20;
}

void gv_bound_memory(uint64_t mem_mb)
{
#if !defined __SANITIZE_ADDRESS__ // shadow memory is private too
    const struct rlimit bound = { (mem_mb + BASE_MB) << 20, (mem_mb + BASE_MB) << 20 };
    setrlimit(RLIMIT_DATA, &bound);
#else
    (void)mem_mb;
#endif
}
