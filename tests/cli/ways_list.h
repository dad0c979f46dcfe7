// What the lists of ways out share, one list for each idea.
#ifndef GV_WAYS_LIST_H
#define GV_WAYS_LIST_H

#include "tests/cli/ways_out.h"

#include <errno.h>

struct gv_ways {
    const struct gv_way_out *ways;
    size_t count;
};

extern const struct gv_ways gv_ways_to_processes, gv_ways_to_kernel, gv_ways_to_files;

// Aimed at: a folder, a file in it, and the name of one that is not there.
extern char gv_ways_folder[512], gv_ways_victim[600], gv_ways_fresh[600];

// A call that came as far as its arguments says so by another error.
static inline bool refused(long result)
{
    return result == -1 && (errno == EPERM || errno == ENOSYS || errno == EACCES);
}

// Rows of a list, by what shuts the way.
#define CALL(name, function)         \
    {                                \
        name, function, GV_WAY_CALLS \
    }
#define OWN_CALL(name, function)                      \
    {                                                 \
        name, function, GV_WAY_CALLS | GV_WAY_RELEASE \
    }
#define FILE_WAY(name, function)     \
    {                                \
        name, function, GV_WAY_FILES \
    }
#define DEVICE_WAY(name, function)     \
    {                                  \
        name, function, GV_WAY_DEVICES \
    }

#endif
