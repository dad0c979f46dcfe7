// What a child gives up before bytes of strangers are looked at, and what its parent
// has to do with that. docs/runtime/sandbox.md.
#ifndef GV_SANDBOX_H
#define GV_SANDBOX_H

#include "tools/sandbox/filter.h"

// On both sides, before they are two: nobody without the privilege to may look into
// this process, the other side included.
void gv_sandbox_hide(void);

// First in the child: a process group of its own that a terminal does not stop for what
// it prints, no core dumps, no priority over others, no new privileges and of root's
// own only those over files.
void gv_sandbox_prepare(void);

// Nothing may be written but what is open and `paths`; see landlock.h. To be called
// before the threads that it is for are started: before there is a driver. Says in the
// log what the kernel lacks.
void gv_sandbox_files(const char *const *paths, size_t count, bool devices,
                      const struct gv_log *log);

// Refuses all system calls that the work does not need, for all threads; see filter.h.
// To be called once the driver is up: some start helpers while they load. `line` is the
// child's end of its socket to the parent, which gets the listener. Says in the log
// what the kernel lacks.
void gv_sandbox_calls(enum gv_filter_who who, int line, const struct gv_log *log);

#endif
