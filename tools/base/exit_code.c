#include "tools/base/exit_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *gv_exit_word(enum gv_exit code)
{
    switch (code) {
    case GV_EXIT_OK:
        return "ok";
    case GV_EXIT_DIFFER:
        return "differ";
    case GV_EXIT_USAGE:
        return "usage";
    case GV_EXIT_REJECTED:
        return "rejected";
    case GV_EXIT_FETCH:
        return "fetch";
    case GV_EXIT_DEVICE:
        return "device";
    case GV_EXIT_LOST:
        return "lost";
    case GV_EXIT_OUTPUT:
        return "output";
    }
    return "unknown";
}

enum gv_exit gv_exit_of(enum gv_status status, enum gv_phase phase)
{
    switch (status) {
    case GV_OK:
        return GV_EXIT_OK;
    case GV_ERR_USAGE:
    case GV_ERR_NOT_FOUND:
        return GV_EXIT_USAGE;
    case GV_ERR_FORMAT:
    case GV_ERR_UNSUPPORTED:
        return GV_EXIT_REJECTED;
    case GV_ERR_LIMIT: // declared over the budget, or exhausted while running
        return phase == GV_PHASE_RUN ? GV_EXIT_DEVICE : GV_EXIT_REJECTED;
    case GV_ERR_SYSTEM:
        return phase == GV_PHASE_OPEN ? GV_EXIT_USAGE : GV_EXIT_DEVICE;
    case GV_ERR_FETCH:
        return GV_EXIT_FETCH;
    case GV_ERR_DEVICE:
    case GV_ERR_MEMORY:
        return GV_EXIT_DEVICE;
    case GV_ERR_LOST:
        return GV_EXIT_LOST;
    case GV_ERR_OUTPUT:
        return GV_EXIT_OUTPUT;
    }
    return GV_EXIT_DEVICE;
}

void gv_error_describe(char *text, size_t size, const char *subject,
                       const struct gv_error *err, enum gv_phase phase)
{
    // Messages about opening a file name it themselves.
    bool named = !subject || strstr(err->message, subject);
    bool code = phase == GV_PHASE_CODE || phase == GV_PHASE_RUN;
    char offset[48] = "", command[48] = "";
    if (err->offset != GV_NO_OFFSET)
        snprintf(offset, sizeof offset, "%sbyte %" PRIu64, code ? "code " : "",
                 err->offset);
    if (err->command != GV_NO_COMMAND)
        snprintf(command, sizeof command, "command %" PRIu64, err->command);
    bool place = offset[0] || command[0];
    snprintf(text, size, "%s%s%s%s%s%s%s%s", named ? "" : subject, named ? "" : ": ",
             err->message, place ? " (" : "", offset,
             offset[0] && command[0] ? ", " : "", command, place ? ")" : "");
}
