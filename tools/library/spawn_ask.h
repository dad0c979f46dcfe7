// A child that replays, as this process has it: what is asked of it, and all it may say
// before it answers.
#ifndef GV_SPAWN_ASK_H
#define GV_SPAWN_ASK_H

#include "tools/base/shared_memory.h"
#include "tools/library/library.h"
#include "tools/library/spawn_line.h"
#include "tools/library/spawned.h"

#include <sys/types.h>

struct gv_spawned {
    struct gpuvm_settings settings; // with its cancel's flag, or `own_cancel`
    struct gpuvm_cancel own_cancel;
    pid_t pid;
    int line;
    struct gv_shared_memory flag;    // cancels there
    bool whole_file;                 // the payload's descriptor is of one
    int position;                    // its progress file, in memory
    struct gv_shared_memory results; // what it has handed over last
    struct gpuvm_payload facts;      // frames, commands and exports alone
    char *names;                     // of exports
    char device[256];
    struct gpuvm_stats stats;
    bool open, running, lost; // it has a device; has been told to run; is no more
    bool left; // it is no more since it ended its line by itself: no signal, no silence
    struct gpuvm_error fetch_error; // why an object could not be had, or GPUVM_OK
    struct gv_bytes object;         // that was asked for last
    char object_name[GV_HASH_HEX];
    struct gv_spawn_message m; // what is asked, then what is answered
};

// Asks what `s->m` says; `passed` is a descriptor that goes along, or -1. GPUVM_OK: the
// answer is in `s->m`, and what it has in memory in `s->results`.
int gv_spawn_ask(struct gv_spawned *s, int passed, struct gpuvm_error *error);

// Waits for the first message of one that was just started. False: it is lost, `error`
// says how.
bool gv_spawn_hear_first(struct gv_spawned *s, int *passed, struct gpuvm_error *error);

// Ends the child. GPUVM_LOST; `why` or, if that is NULL, how it has ended.
int gv_spawn_lose(struct gv_spawned *s, const char *why, struct gpuvm_error *error);

#endif
