// How everything here fails: a status, a place and a sentence, passed up as a value.
#ifndef GV_ERROR_H
#define GV_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GV_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define GV_PRINTF(format_index, first_argument)
#endif

// Why something failed. The command line maps each to an exit code (docs/cli.md).
enum gv_status {
    GV_OK = 0,
    GV_ERR_USAGE,       // the caller asked for something that does not exist
    GV_ERR_FORMAT,      // bytes that break their format, or fail verification
    GV_ERR_UNSUPPORTED, // well-formed, but not implemented; the message names it
    GV_ERR_NOT_FOUND,   // a file, blob or folder is missing
    GV_ERR_FETCH,       // a resource could not be fetched, or arrived damaged
    GV_ERR_SYSTEM,      // the operating system refused (message holds strerror)
    GV_ERR_LIMIT,       // a named limit, or more declared than the memory budget
    GV_ERR_MEMORY,      // memory ran out
    GV_ERR_DEVICE,      // no device, a missing feature, or a refused native call
    GV_ERR_LOST,        // the device was lost, hung or timed out
    GV_ERR_OUTPUT,      // a result could not be written
};

#define GV_NO_OFFSET UINT64_MAX
#define GV_NO_COMMAND UINT64_MAX

struct gv_error {
    enum gv_status status;
    uint64_t offset;  // bytes from the start of the input (or of code), or GV_NO_OFFSET
    uint64_t command; // source command number, or GV_NO_COMMAND
    char message[192]; // lower case, no full stop: "record passes the end of the trace"
};

// The value to start from: GV_OK, no offset, no command, empty message.
#define GV_ERROR_INIT                                                     \
    {                                                                     \
        .status = GV_OK, .offset = GV_NO_OFFSET, .command = GV_NO_COMMAND \
    }

// Records an error and returns false. The first error wins, being nearest the cause.
// `err` may be NULL. `offset` may be GV_NO_OFFSET.
bool gv_fail(struct gv_error *err, enum gv_status status, uint64_t offset,
             const char *format, ...) GV_PRINTF(4, 5);

// The same for memory that ran out: GV_ERR_MEMORY.
bool gv_out_of_memory(struct gv_error *err);

// Adds the source command to an error that has none yet. Returns false, for tail calls.
bool gv_error_at_command(struct gv_error *err, uint64_t command);

// Forgets an error so that `err` can be used again.
void gv_error_clear(struct gv_error *err);

// The status in one lower-case word: "ok", "format", "unsupported", ...
const char *gv_status_name(enum gv_status status);

#endif
