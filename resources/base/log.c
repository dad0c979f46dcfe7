#include "resources/base/log.h"

#include <stdarg.h>
#include <stdio.h>

void gv_log(const struct gv_log *log, enum gv_log_level level, const char *format, ...)
{
    if (!log || !log->write)
        return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log->write(log->context, level, text);
}
