// What people and scripts are told: errors on stderr, in JSON, and how a program ends.
#ifndef GV_REPORT_H
#define GV_REPORT_H

#include "resources/base/error.h"
#include "resources/base/log.h"
#include "tools/base/exit_code.h"

#include <stddef.h>
#include <stdio.h>

// Prints "PROGRAM: SUBJECT: message (byte N, command N)" to stderr and, with `json`, an
// object with "status" and "error" to stdout. `subject` may be NULL. Returns the exit
// code.
enum gv_exit gv_report_error(const char *subject, const struct gv_error *err,
                             enum gv_phase phase, bool json);

// One line to stderr, masked: "gpuvm: ...", or the name of the program that speaks.
void gv_say(const char *format, ...) GV_PRINTF(1, 2);

// Who speaks from now on; `name` stays. gv_who is that name.
void gv_say_as(const char *name);
const char *gv_who(void);

// What gv_say says goes there as well, without the name; NULL: nowhere else.
void gv_say_also(void (*tell)(void *context, const char *line), void *context);

// Foreign text to a stream, masked: names and messages out of files and drivers. All
// that is printed of such goes through here, gv_say or JSON.
void gv_print_foreign(FILE *to, const char *text);

// "s" behind a word of which there are so many, or "".
const char *gv_plural(uint64_t number);

// A log that writes to stderr: warnings, and with `verbose` everything.
struct gv_log gv_stderr_log(bool verbose);

// Standard output cannot be written, of which `errno` has the cause: GV_ERR_OUTPUT.
// Where a pipe's reader has gone that is all: `head` has what it wanted, and
// gv_report_error says nothing of an error without words. Returns false.
bool gv_fail_stdout(struct gv_error *err);

// Finishes stdout: what was printed must have arrived. Returns `code`, or
// GV_EXIT_OUTPUT with a message if it has not; without one if a pipe's reader has gone.
enum gv_exit gv_finish_stdout(enum gv_exit code);

#endif
