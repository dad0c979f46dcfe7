// FILE arguments: a payload, a capture (where the program has the compiler) or a
// progress file, told apart by content.
#ifndef GV_INPUT_H
#define GV_INPUT_H

#include "resources/base/bytes.h"
#include "resources/inflow.h"
#include "tools/input_guard.h"
#include "tools/program.h"
#include "vm/machine/progress.h"
#include "vm/payload/payload.h"

enum gv_input_kind { GV_INPUT_PAYLOAD, GV_INPUT_CAPTURE, GV_INPUT_PROGRESS };

#define GV_INPUT_HEAD 8 // bytes of a pipe that tell a payload

struct gv_input {
    const char *path; // "-" is standard input
    enum gv_input_kind kind;
    struct gv_file file;
    bool remote;                       // of the file, the resources are elsewhere
    struct gv_progress_state progress; // if it is one
    int pipe;                    // it comes through this, and is no file; -1: none
    uint8_t head[GV_INPUT_HEAD]; // what was read of it
    size_t head_size;
    struct gv_inflow *inflow;    // owned; what comes; NULL: none was made
    struct gv_input_guard guard; // knows the input
};

// Opens and recognises. A capture is only recognised as "not a payload"; the compiler
// has the last word. Of a pipe or device at most `memory_limit` bytes are read.
// One that is cut short later ends the process (cut_file.h), with `json` in JSON.
// GV_ERR_USAGE also if standard output is this very file.
bool gv_input_open(struct gv_input *input, const char *path, uint64_t memory_limit,
                   bool json, struct gv_error *err);
// The same; a payload on standard input or from a pipe is a stream, of which only the
// head is read. With `alone` nothing else is taken from there.
bool gv_input_open_stream(struct gv_input *input, const char *path,
                          uint64_t memory_limit, bool alone, bool json,
                          struct gv_error *err);
// The same of captures, too: what it is tells `kind`, and nothing else has been read.
bool gv_input_open_coming(struct gv_input *input, const char *path,
                          uint64_t memory_limit, bool json, struct gv_error *err);
// What is still coming, as memory that grows (resources/inflow.h), which is closed with
// the input: at most `spill_mb` MiB of it wait at a time.
bool gv_input_inflow(struct gv_input *input, uint64_t spill_mb, struct gv_error *err);
// Of that, all. GV_ERR_LIMIT, GV_ERR_SYSTEM.
bool gv_input_await(struct gv_input *input, struct gv_error *err);
// Whether bytes begin as a payload's do.
bool gv_input_is_payload(const struct gv_file *file);
// Whether it is a payload; else GV_ERR_FORMAT says what it is and which command takes
// it.
bool gv_input_want_payload(const struct gv_input *input,
                           const struct gv_program *program, struct gv_error *err);
// Whether `path` is the URL of a payload; then who can opens it (tools/store).
bool gv_input_is_url(const char *path);
// A payload that is elsewhere but for its tables (gv_payload.remote), which become the
// input's.
void gv_input_adopt(struct gv_input *input, const char *path, struct gv_file tables);
void gv_input_close(struct gv_input *input);

// A capture becomes the payload made of it, which is the input's from now on.
void gv_input_become(struct gv_input *input, struct gv_file payload);

// What comes is a payload, through this pipe, from now on.
void gv_input_become_pipe(struct gv_input *input, int pipe);

// What of `memory_limit` is left beside an input that is in memory; at least 1.
uint64_t gv_input_memory_left(const struct gv_input *input, uint64_t memory_limit);

// A payload to work with: the input itself, or what the input compiles to.
struct gv_loaded {
    struct gv_payload payload;
    struct gv_bytes compiled; // the bytes behind it, if it was compiled
    struct gv_compile_stats stats;
};

// `params` may be NULL: compiled with defaults. `memory_limit` covers an input that is
// in memory. Fails in GV_PHASE_LOAD.
bool gv_loaded_init(struct gv_loaded *loaded, const struct gv_program *program,
                    const struct gv_input *input, uint64_t memory_limit,
                    const struct gv_compile_params *params, struct gv_error *err);
// What of `memory_limit` is left beside the input, what was compiled into memory and
// the payload's tables; at least 1.
uint64_t gv_loaded_memory_left(const struct gv_loaded *loaded,
                               const struct gv_input *input, uint64_t memory_limit);
void gv_loaded_finish(struct gv_loaded *loaded);

// For gv_compile: appends to a gv_bytes of at most gv_collect.limit bytes.
struct gv_collect {
    struct gv_bytes *out;
    uint64_t limit;
};
bool gv_collect_write(void *collect, const void *data, size_t size,
                      struct gv_error *err);

#endif
