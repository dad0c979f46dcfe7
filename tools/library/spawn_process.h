// The process of a child that replays: gpuvm-player, started by posix_spawn, which is
// fine in a program with threads. It has no descriptor of this one but its line, and
// ends by itself when that does.
#ifndef GV_SPAWN_PROCESS_H
#define GV_SPAWN_PROCESS_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <sys/types.h>

// `player`: as in gpuvm_spawn_params. `line` becomes its standard input; its other
// streams lead nowhere. GV_ERR_USAGE: there is no such program.
bool gv_spawn_process_start(const char *player, int line, pid_t *pid,
                            struct gv_error *err);

// The program's name, for messages.
const char *gv_spawn_process_name(const char *player);

// Kills it, if it has not ended, and waits. The status of waitpid; -1: somebody else
// has taken note of its end. `*killed`: this process has ended it, and nobody else.
int gv_spawn_process_end(pid_t pid, bool *killed);

#endif
