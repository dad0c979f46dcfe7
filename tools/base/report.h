// What people and scripts are told: exit codes, their words, and errors on stderr.
#ifndef GV_REPORT_H
#define GV_REPORT_H

#include "resources/base/error.h"
#include "resources/base/log.h"

#include <stddef.h>
#include <stdio.h>

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

// Prints "gpuvm: SUBJECT: message (byte N, command N)" to stderr and, with `json`, an
// object with "status" and "error" to stdout. `subject` may be NULL. Returns the exit
// code.
enum gv_exit gv_report_error(const char *subject, const struct gv_error *err,
                             enum gv_phase phase, bool json);

// The text above without "gpuvm: ", into `text`.
void gv_error_describe(char *text, size_t size, const char *subject,
                       const struct gv_error *err, enum gv_phase phase);

// One line to stderr, masked: "gpuvm: ...".
void gv_say(const char *format, ...) GV_PRINTF(1, 2);

// Foreign text to a stream, masked: names and messages out of files and drivers. All
// that is printed of such goes through here, gv_say or JSON.
void gv_print_foreign(FILE *to, const char *text);

// "s" behind a word of which there are so many, or "".
const char *gv_plural(uint64_t number);

// A log that writes to stderr: warnings, and with `verbose` everything.
struct gv_log gv_stderr_log(bool verbose);

// Finishes stdout: what was printed must have arrived. Returns `code`, or
// GV_EXIT_OUTPUT with a message if it has not; without one if a pipe's reader has gone.
enum gv_exit gv_finish_stdout(enum gv_exit code);
// Whether standard output is a pipe that nobody reads any more: `head` has what it
// wanted, and would not want a message.
bool gv_reader_is_gone(void);

#endif
