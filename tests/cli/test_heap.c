// The heap of a compile: room for what it takes, given by the kernel once; and a limit
// that leaves no such room.
#define _GNU_SOURCE // sbrk
#include "tests/test.h"
#include "tools/process/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK ((size_t)64 << 10)
#define BLOCKS 64u // 4 MiB
#define LEAST ((rlim_t)12 << 20)
#if defined __SANITIZE_ADDRESS__ // whose heap is not the one that is prepared
#define OWN_HEAP true
#else
#define OWN_HEAP false
#endif

// Blocks that are held at once, written to; false: one was not given.
static bool take_blocks(void)
{
    void *blocks[BLOCKS];
    bool given = true;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        given = given && blocks[i];
        if (blocks[i])
            memset(blocks[i], 1, BLOCK);
    }
    for (uint32_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return given;
}

// A process of its own: 0 if `limit` (0: none) lets it take what it needs, and as many
// grown heaps as `grows` says.
static int in_process(rlim_t limit, bool grows)
{
    const pid_t child = fork();
    if (!child) {
        if (limit)
            setrlimit(RLIMIT_DATA, &(struct rlimit){ limit, limit });
        gv_heap_prepare();
        const char *end = sbrk(0);
        const bool given = take_blocks();
        const bool grown = (const char *)sbrk(0) != end;
        _exit(!given ? 1 : grown && !grows ? 2 : 0);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    CHECK(in_process(0, OWN_HEAP) == 0);
    CHECK(in_process(OWN_HEAP ? 0 : LEAST, true) == 0);
    return TEST_RESULT();
}
