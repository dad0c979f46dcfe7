#include "resources/base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool gv_fail(struct gv_error *err, enum gv_status status, uint64_t offset,
             const char *format, ...)
{
    if (!err || err->status != GV_OK)
        return false;
    err->status = status;
    err->offset = offset;
    err->command = GV_NO_COMMAND;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return false;
}

bool gv_out_of_memory(struct gv_error *err)
{
    return gv_fail(err, GV_ERR_MEMORY, GV_NO_OFFSET, "out of memory");
}

bool gv_error_at_command(struct gv_error *err, uint64_t command)
{
    if (err && err->status != GV_OK && err->command == GV_NO_COMMAND)
        err->command = command;
    return false;
}

void gv_error_clear(struct gv_error *err)
{
    *err = (struct gv_error)GV_ERROR_INIT;
}

const char *gv_status_name(enum gv_status status)
{
    switch (status) {
    case GV_OK:
        return "ok";
    case GV_ERR_USAGE:
        return "usage";
    case GV_ERR_FORMAT:
        return "format";
    case GV_ERR_UNSUPPORTED:
        return "unsupported";
    case GV_ERR_NOT_FOUND:
        return "not-found";
    case GV_ERR_FETCH:
        return "fetch";
    case GV_ERR_SYSTEM:
        return "system";
    case GV_ERR_LIMIT:
        return "limit";
    case GV_ERR_MEMORY:
        return "memory";
    case GV_ERR_DEVICE:
        return "device";
    case GV_ERR_LOST:
        return "lost";
    case GV_ERR_OUTPUT:
        return "output";
    }
    return "unknown";
}
