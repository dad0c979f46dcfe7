// Where libraries say things that are not errors. NULL is silence.
#ifndef GV_LOG_H
#define GV_LOG_H

#include "resources/base/error.h"

enum gv_log_level { GV_LOG_DEBUG, GV_LOG_INFO, GV_LOG_WARNING };

struct gv_log {
    // `text` is one line without its newline, borrowed for the call.
    void (*write)(void *context, enum gv_log_level level, const char *text);
    void *context; // borrowed
};

// Formats one line. `log` may be NULL.
void gv_log(const struct gv_log *log, enum gv_log_level level, const char *format, ...)
    GV_PRINTF(3, 4);

#endif
