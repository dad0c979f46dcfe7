// What a check is asked for.
#ifndef GV_CHECK_PARAMS_H
#define GV_CHECK_PARAMS_H

#include "tools/base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_CHECK_JOBS GV_STOP_CHILDREN // at once, at most

struct gv_check_params {
    const char *const *paths; // files and folders
    size_t path_count;
    const char *golden;
    const char *output;          // folder of results; NULL: none
    const char *against;         // folder of earlier ones; NULL: none
    const char *filter;          // NULL: everything
    const char *fails;           // a list of failures that are expected; NULL: none
    const char *device;          // as of `run`; NULL: the best
    const char *const *run_args; // options of `run` that all get, ends with a NULL
    uint64_t jobs;               // at once; 0: as many as suit the device
    uint64_t mem_mb;             // for all of them together; 0: the default of each
    uint64_t timeout;            // seconds for a capture; 0: none
    bool strict, bless, pictures, fail_fast, resume, quiet, json;
};

#endif
