#define _GNU_SOURCE // syscall
#include "tests/cli/ways_list.h"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

char gv_ways_folder[512], gv_ways_victim[600], gv_ways_fresh[600];

void gv_ways_out_aim(const char *path)
{
    snprintf(gv_ways_folder, sizeof gv_ways_folder, "%s", path);
    snprintf(gv_ways_victim, sizeof gv_ways_victim, "%s/victim", gv_ways_folder);
    snprintf(gv_ways_fresh, sizeof gv_ways_fresh, "%s/fresh", gv_ways_folder);
}

unsigned gv_way_out_surroundings(void)
{
    unsigned have = SANITIZED ? 0 : GV_WAY_RELEASE;
    uint32_t action = SECCOMP_RET_ERRNO;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        have |= GV_WAY_CALLS;
    long landlock =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (landlock > 0)
        have |= GV_WAY_FILES;
    if (landlock >= 5)
        have |= GV_WAY_DEVICES;
    return have;
}

const struct gv_way_out *gv_way_out_at(size_t number)
{
    const struct gv_ways lists[] = { gv_ways_to_processes, gv_ways_to_kernel,
                                     gv_ways_to_files };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (number < lists[i].count)
            return &lists[i].ways[number];
        number -= lists[i].count;
    }
    return NULL;
}
