// What is done with a mutant, and how it may end.
#ifndef GV_TESTS_MUTANTS_H
#define GV_TESTS_MUTANTS_H

#include "tests/fuzz/mutate/mutate.h"
#include "tools/base/report.h"

#include <stdbool.h>

#define MUTANTS_MEMORY ((uint64_t)256 << 20) // of a payload that is tried

enum verdict {
    VERDICT_DONE,    // all of it ran
    VERDICT_REFUSED, // an error that a stranger's bytes may cause
    VERDICT_SKIPPED, // nothing was tried: it asks for too much work
    VERDICT_LOST,    // the device stood still; the process must begin anew
    VERDICT_WRONG,   // another error, or none although nothing was done
    VERDICT_COUNT,
};

struct mutants_options {
    const char *work;    // a folder for files
    const char *shaders; // what `file "..."` in text is looked for in
    const char *program; // gpuvm
    // Counted up by what gets as far as the interpreter, the device or the program.
    _Atomic uint64_t *reached;
};

// Tries one mutant of a seed of that name. WRONG: `why` says what is.
typedef enum verdict (*mutants_fn)(const struct mutants_options *o, const char *name,
                                   const struct gv_bytes *mutant, char why[256]);

// In this process: read, compiled, verified, interpreted.
enum verdict mutants_read(const struct mutants_options *o, const char *name,
                          const struct gv_bytes *mutant, char why[256]);
// The same and then replayed on the device at hand.
enum verdict mutants_replay(const struct mutants_options *o, const char *name,
                            const struct gv_bytes *mutant, char why[256]);
// Both verified deeply and replayed: WRONG is what one refuses and the other does not,
// but for the device.
enum verdict mutants_agree(const struct mutants_options *o, const char *name,
                           const struct gv_bytes *mutant, char why[256]);
// By the program, for its exit code.
enum verdict mutants_program(const struct mutants_options *o, const char *name,
                             const struct gv_bytes *mutant, char why[256]);

// Pictures and golden files: parts of mutants_read.
enum verdict mutants_picture(const struct mutants_options *o,
                             const struct gv_bytes *mutant, char why[256]);
enum verdict mutants_golden(const struct mutants_options *o,
                            const struct gv_bytes *mutant, char why[256]);

// The payload that a mutant is, or that its text or capture makes. False: REFUSED or
// WRONG is in `verdict`.
bool mutants_payload(const struct mutants_options *o, const char *name,
                     const struct gv_bytes *mutant, struct gv_bytes *out,
                     enum verdict *verdict, char why[256]);

// A payload's replay. Without a driver before, whether it would take minutes.
enum verdict mutants_replay_payload(const struct mutants_options *o,
                                    const struct gv_bytes *bytes, struct gv_error *err,
                                    char why[256]);
bool mutants_too_long(const struct gv_bytes *bytes);

// What an error means that came up in a phase: bytes must not be blamed on the user.
enum verdict mutants_refusal(const struct gv_error *err, enum gv_phase phase,
                             char why[256]);

// By the end of a seed's name.
bool mutants_is(const char *name, const char *ending);

#endif
