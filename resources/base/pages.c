#define _GNU_SOURCE // MAP_ANONYMOUS
#include "resources/base/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

#if defined __SANITIZE_ADDRESS__ // whose heap knows the ends of what it gave
void *gv_pages_take(size_t size)
{
    return calloc(1, size);
}

void gv_pages_give(void *at, size_t size)
{
    (void)size;
    free(at);
}
#else
void *gv_pages_take(size_t size)
{
    void *at =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void gv_pages_give(void *at, size_t size)
{
    if (at)
        munmap(at, size);
}
#endif
