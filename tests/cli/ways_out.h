// Ways out of a child: what a payload or a capture that has taken it over would try.
#ifndef GV_WAYS_OUT_H
#define GV_WAYS_OUT_H

#include <stdbool.h>
#include <stddef.h>

// What the surroundings make of a way.
enum gv_way_needs {
    GV_WAY_CALLS = 1,   // the kernel filters system calls
    GV_WAY_FILES = 2,   // it has Landlock
    GV_WAY_RELEASE = 4, // sanitizers need this way themselves
    GV_WAY_DEVICES = 8, // Landlock knows of devices' ioctls
};

struct gv_way_out {
    const char *name;
    bool (*is_shut)(void);
    unsigned needs;
};

// By number, from 0; NULL behind the last.
const struct gv_way_out *gv_way_out_at(size_t number);

// What this kernel and this program have, of the above. Asked before there is a
// sandbox.
unsigned gv_way_out_surroundings(void);

// A folder that the child may not write, with a file `victim` in it. Before any is
// tried.
void gv_ways_out_aim(const char *folder);

#endif
