// The heap of a compile: room for what it takes, given by the kernel once; and a limit
// that leaves no such room. That of a run: what a frame gave back serves the next one.
#define _GNU_SOURCE // sbrk, RUSAGE_THREAD
#include "tests/test.h"
#include "tools/process/heap.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK ((size_t)64 << 10)
#define BLOCKS 64u          // 4 MiB
#define AHEAD (16 << 20)    // of a compile
#define HUGE_PAGE (2 << 20) // on x86-64
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

// ---- frame after frame ----

#define FRAMES 6
#define FRAME_BLOCKS 1200u // 77 MB, more than a thread's heap is long

static long faults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt : -1;
}

// What a frame after the first few faults in, in pages.
static void *draw_frames(void *later)
{
    static void *blocks[FRAME_BLOCKS];
    long before = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame == 2)
            before = faults();
        for (uint32_t i = 0; i < FRAME_BLOCKS; i++)
            if ((blocks[i] = malloc(BLOCK + 16)))
                memset(blocks[i], 1, BLOCK);
        for (uint32_t i = 0; i < FRAME_BLOCKS; i++)
            free(blocks[i]);
    }
    *(long *)later = (faults() - before) / (FRAMES - 2);
    return later;
}

// 0 if frames on a thread of their own and on this one find their memory again.
static int keeps(void)
{
    const pid_t child = fork();
    if (!child) {
        pthread_t thread;
        long of_thread = -1, of_main = -1;
        gv_heap_keep();
        if (pthread_create(&thread, NULL, draw_frames, &of_thread) == 0)
            pthread_join(thread, NULL);
        draw_frames(&of_main);
        _exit(of_thread >= 0 && of_thread < FRAME_BLOCKS && of_main >= 0 &&
                      of_main < FRAME_BLOCKS
                  ? 0
                  : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

// 0 if no small page is there yet of what is to be huge ones.
static int is_untouched(void)
{
    const pid_t child = fork();
    if (!child) {
        static unsigned char pages[AHEAD / 4096];
        gv_heap_prepare();
        uint8_t *ahead =
            (uint8_t *)((uintptr_t)sbrk(0) & ~(uintptr_t)(HUGE_PAGE - 1)) - AHEAD;
        bool there = mincore(ahead, AHEAD, pages) != 0;
        for (size_t i = 0; i < sizeof pages; i++)
            there = there || (pages[i] & 1);
        _exit(there);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    CHECK(OWN_HEAP || is_untouched() == 0);
    CHECK(in_process(0, OWN_HEAP) == 0);
    CHECK(in_process(OWN_HEAP ? 0 : LEAST, true) == 0);
    CHECK(OWN_HEAP || keeps() == 0);
    return TEST_RESULT();
}
