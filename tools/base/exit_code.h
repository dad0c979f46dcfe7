// Exit codes and their words, and errors as sentences: the same in programs and the
// library.
#ifndef GV_EXIT_CODE_H
#define GV_EXIT_CODE_H

#include "resources/base/error.h"

#include <stddef.h>

// docs/cli.md, "Exit codes". The words are the JSON "status".
enum gv_exit {
    GV_EXIT_OK,
    GV_EXIT_DIFFER,
    GV_EXIT_USAGE,
    GV_EXIT_REJECTED,
    GV_EXIT_FETCH,
    GV_EXIT_DEVICE,
    GV_EXIT_LOST,
    GV_EXIT_OUTPUT,
};

const char *gv_exit_word(enum gv_exit code);

// What was being done when an error came up: it decides what a limit or an error of the
// system means, and what an offset counts.
enum gv_phase {
    GV_PHASE_OPEN, // finding and opening what the user named
    GV_PHASE_LOAD, // reading or compiling it: offsets are bytes of the file
    GV_PHASE_CODE, // verifying: offsets are bytes of code
    GV_PHASE_RUN,  // running: the same
};

enum gv_exit gv_exit_of(enum gv_status status, enum gv_phase phase);

// "SUBJECT: message (byte N, command N)" into `text`. `subject` may be NULL.
void gv_error_describe(char *text, size_t size, const char *subject,
                       const struct gv_error *err, enum gv_phase phase);

#endif
