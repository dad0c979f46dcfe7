// The system calls that this process may still make. Nobody but this folder uses
// libseccomp.
#ifndef GV_FILTER_H
#define GV_FILTER_H

#include "resources/base/log.h"

#include <stddef.h>
#include <stdint.h>

enum gv_filter_who {
    GV_FILTER_COMPILER, // reads bytes of strangers, writes what is open
    GV_FILTER_DRIVER,   // and what GPU drivers want
};

// Refuses what syscalls.def and filter_rules.c do not name, for all threads and for
// good. A call refused is an error to its caller, and on machines' other architectures
// (x32 among them) every call is. `line` is a socket whose other end hears of them: see
// below.
//
// `listener` becomes what is to be sent there and then closed, or -1 where the kernel
// cannot tell of refusals; NULL: nobody wants to hear of them. False where it has no
// filters.
bool gv_filter_enter(enum gv_filter_who who, int line, int *listener);

// What has been told already.
struct gv_refusals {
    struct {
        uint32_t arch;
        int number;
    } told[128];
    size_t count;
};

// Answers one call that waits at a listener: EPERM, or ENOSYS where its caller would
// then try an older one. Names it in the log when it is met for the first time. False
// when nobody is left to wait.
bool gv_filter_answer(int listener, struct gv_refusals *refusals,
                      const struct gv_log *log);

#endif
