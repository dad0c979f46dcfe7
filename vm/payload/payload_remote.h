// Payloads that are somewhere else, of which the resources stay there: which bytes a
// reader needs at once.
#ifndef GV_PAYLOAD_REMOTE_H
#define GV_PAYLOAD_REMOTE_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_PAYLOAD_REMOTE_TRAILER 64 // bytes at the end of the file

// Where the directory is: from there to the end of the file, of `file_size` bytes.
// GV_ERR_FORMAT: `trailer` is none, or that of another file.
bool gv_payload_remote_directory(const uint8_t *trailer, uint64_t file_size,
                                 uint64_t *from, struct gv_error *err);

// Bytes [from, from + size) of the file.
struct gv_payload_range {
    uint64_t from, size;
};

// What is needed of the file before its directory, ascending: all but the bytes of
// resources. `end` are the bytes from the directory to the end of the file. The caller
// frees `*ranges`. GV_ERR_FORMAT, GV_ERR_LIMIT.
bool gv_payload_remote_ranges(const uint8_t *end, uint64_t from, uint64_t file_size,
                              struct gv_payload_range **ranges, size_t *count,
                              struct gv_error *err);

#endif
