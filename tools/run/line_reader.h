// Lines that somebody sends on standard input while a run waits for them.
#ifndef GV_LINE_READER_H
#define GV_LINE_READER_H

#include "resources/base/error.h"

#include <stddef.h>

struct gv_progress;

#define GV_LINE_BYTES 1024 // of a line, its end included

// Zero-initialise, then set `progress`, which is told of waiting; it may be NULL.
struct gv_line_reader {
    struct gv_progress *progress; // borrowed
    char bytes[GV_LINE_BYTES];    // read and not handed out yet
    size_t size;
};

// Waits for the next line, without its end. `*ended`: there is none any more; what has
// no end is a line too. GV_ERR_USAGE: it was too long or held a NUL, and is skipped.
// GV_ERR_SYSTEM.
bool gv_line_reader_next(struct gv_line_reader *reader, char line[GV_LINE_BYTES],
                         bool *ended, struct gv_error *err);

#endif
