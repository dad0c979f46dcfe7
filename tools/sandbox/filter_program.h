// The filter of system calls as a program of the kernel's. There are two ways to it
// that give the same: libseccomp, which takes half a millisecond to make one of the
// rules (filter_rules.c), and a table of what it made, for the machines that have one.
#ifndef GV_FILTER_PROGRAM_H
#define GV_FILTER_PROGRAM_H

#include "tools/sandbox/filter.h"

#include <linux/filter.h>
#include <stdbool.h>

struct gv_filter_params {
    enum gv_filter_who who;
    uint32_t self;   // the process that is to be confined
    uint32_t line;   // the socket that it may send descriptors through
    uint32_t refuse; // what the kernel does about what is not allowed: SECCOMP_RET_*
};

#define GV_FILTER_MOST 1024

struct gv_filter_program {
    struct sock_filter rows[GV_FILTER_MOST];
    size_t count;
};

// From the rules. False where libseccomp cannot.
bool gv_filter_make(const struct gv_filter_params *params,
                    struct gv_filter_program *out);

// From the table. False where there is none: other machines, and sanitizers, which call
// for more.
bool gv_filter_recall(const struct gv_filter_params *params,
                      struct gv_filter_program *out);

// What stands in the table for a number that is known when it is used.
enum gv_filter_value { GV_VALUE_NUMBER, GV_VALUE_SELF, GV_VALUE_LINE, GV_VALUE_REFUSE };

#endif
