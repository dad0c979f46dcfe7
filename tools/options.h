// Command lines: one table per subcommand gives parsing, GPUVM_* variables and --help.
#ifndef GV_OPTIONS_H
#define GV_OPTIONS_H

#include "tools/base/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_program;

enum gv_option_kind {
    GV_OPTION_FLAG,    // bool
    GV_OPTION_TEXT,    // const char *
    GV_OPTION_NUMBER,  // uint64_t within [minimum, maximum]
    GV_OPTION_LIST,    // struct gv_option_list; may be repeated
    GV_OPTION_REFUSED, // known, but not in this version: "unsupported: --NAME"
};

#define GV_OPTION_LIST_MAX 32
struct gv_option_list {
    const char *items[GV_OPTION_LIST_MAX + 1]; // ends with a NULL
    size_t count;
};

struct gv_option {
    const char *name; // without the dashes; NULL ends a table
    char letter;      // short form, or 0
    enum gv_option_kind kind;
    const char *argument; // what --help calls the argument; NULL for flags
    const char *choices;  // words that it takes, for completions; NULL: others as well
    size_t offset;        // of the value in the command's options struct
    uint64_t minimum, maximum;
    const char *help;
    // Names of options of the same table, divided by blanks: without any of them this
    // one has no effect. Or GV_NEEDS_URL. NULL: it always has one.
    const char *needs;
};

#define GV_NEEDS_URL "URL" // something that is elsewhere: an argument with "://"

// Where an option's value goes.
#define GV_OPTION_AT(type, member) offsetof(struct type, member)

#define GV_MEM_MB_LEAST 16u // that a process can do something with

// Rows that several commands have, for the members `mem_mb`, `json` and `verbose`.
// clang-format off
#define GV_OPTION_MEM_MB(type, what, standard)                                       \
    { .name = "mem-mb", .kind = GV_OPTION_NUMBER, .argument = "N",                   \
      .minimum = GV_MEM_MB_LEAST,                                                    \
      .maximum = (uint64_t)1 << 24, .offset = GV_OPTION_AT(type, mem_mb),            \
      .help = "bound on " what " memory in MiB (" standard ")" }
// Of what comes through a pipe, so many MiB.
#define GV_SPILL_MB ((uint64_t)16 << 10)
#define GV_OPTION_SPILL_MB(type)                                                     \
    { .name = "spill-mb", .kind = GV_OPTION_NUMBER, .argument = "N", .minimum = 1,   \
      .maximum = (uint64_t)1 << 30, .offset = GV_OPTION_AT(type, spill_mb),          \
      .help = "most of a pipe that waits in a file of TMPDIR, in MiB (16384)" }
#define GV_OPTION_JSON(type, what)                                                   \
    { .name = "json", .kind = GV_OPTION_FLAG, .offset = GV_OPTION_AT(type, json),    \
      .help = what }
#define GV_OPTION_VERBOSE(type)                                                      \
    { .name = "verbose", .letter = 'v', .kind = GV_OPTION_FLAG,                      \
      .offset = GV_OPTION_AT(type, verbose), .help = "log more" }
#define GV_OPTION_QUIET(type)                                                        \
    { .name = "quiet", .letter = 'q', .kind = GV_OPTION_FLAG,                        \
      .offset = GV_OPTION_AT(type, quiet),                                           \
      .help = "no progress bar, and no last line of what was done" }
#define GV_OPTION_NO_CHILD(type)                                                     \
    { .name = "no-child", .kind = GV_OPTION_FLAG,                                    \
      .offset = GV_OPTION_AT(type, no_child),                                        \
      .help = "work in this process, for debuggers" }
// clang-format on

struct gv_command {
    const char *name;
    const char *operands; // "PAYLOAD", "[FILE]"
    size_t operand_min, operand_max;
    const char *what; // one line
    // argv[0] is the command's name.
    enum gv_exit (*run)(const struct gv_program *program, int argc, char **argv);
    const struct gv_option *options;
    const char *notes; // printed after the options; may be NULL
    // Command lines behind the name of the program, each ends with a newline.
    const char *examples;
    // Its verbs in order, as "store add", then NULL; NULL: a command without verbs.
    const struct gv_command *(*verb)(size_t index);
};

// Rows that every command has behind its own.
extern const struct gv_option gv_common_options[];

// What stood on a command line.
struct gv_given {
    const struct gv_command *command;
    uint64_t options; // bits of rows
    uint64_t known;   // these, and rows that variables set
    uint64_t twice;   // whose first value another one replaced
    bool urls, pedantic, json;
};

#define GV_OPERANDS_MAX 4096
struct gv_operands {
    const char *items[GV_OPERANDS_MAX];
    size_t count;
    struct gv_given given;
};

// Reads GPUVM_* variables, then the arguments, into the struct at `values` (which holds
// the defaults). False when there is nothing more to do: `*code` is the exit code
// (--help was printed, or the usage error).
bool gv_options_parse(const struct gv_program *program,
                      const struct gv_command *command, int argc, char **argv,
                      void *values, struct gv_operands *operands, enum gv_exit *code);

// Says that of the options given those of `names` (divided by blanks) have no effect,
// and why: "run: --target has no effect: a payload is compiled already". With
// --pedantic false, and `*code` is the exit code.
bool gv_options_idle(const struct gv_given *given, const char *names, const char *why,
                     enum gv_exit *code);

// What is given without what it needs, and GPUVM_* variables that no command knows, are
// told in the same way.
bool gv_options_used(const struct gv_program *program, const struct gv_given *given,
                     enum gv_exit *code);

// Whether the arguments or GPUVM_JSON ask for JSON: known before the options are, for
// their errors.
bool gv_options_json(int argc, char **argv);

// Prints a usage error (with JSON when asked for) and returns its code.
enum gv_exit gv_usage(const struct gv_command *command, bool json, const char *format,
                      ...) GV_PRINTF(3, 4);

#endif
