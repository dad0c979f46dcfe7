// Signals that end or pause the program: nothing half made is left behind, and the
// child goes along, being in a process group of its own that a terminal's keys do not
// reach.
#ifndef GV_STOP_H
#define GV_STOP_H

#include <sys/types.h>

// At the start of a program. SIGINT, SIGTERM, SIGHUP, SIGQUIT, and what else ends a
// process from outside (SIGXCPU, SIGALRM, SIGUSR1 and the like), remove what is not
// whole and then end it as ever; what its caller has it ignore stays ignored. A file
// that grows over its limit (SIGXFSZ) or a pipe nobody reads (SIGPIPE) is an error of
// the write.
void gv_stop_catch(void);

// From now on there is a child that ends and pauses with this process, and no more.
// Both with signals blocked, or a signal would find the number of another process. Of
// more children than GV_STOP_CHILDREN the rest is on its own.
#define GV_STOP_CHILDREN 64
void gv_stop_with_child(pid_t child);
void gv_stop_without_child(pid_t child);

#endif
