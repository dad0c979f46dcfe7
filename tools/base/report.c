#include "tools/base/report.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "tools/base/json.h"

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

enum gv_exit gv_report_error(const char *subject, const struct gv_error *err,
                             enum gv_phase phase, bool json)
{
    enum gv_exit code = gv_exit_of(err->status, phase);
    char text[1024];
    gv_error_describe(text, sizeof text, subject, err, phase);
    gv_say("%s", text);
    if (json) {
        struct gv_json out = { 0 };
        gv_json_begin(&out, NULL);
        gv_json_error(&out, subject, err, code);
        gv_json_end(&out);
        gv_json_print(&out);
    }
    return code;
}

void gv_say(const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    gv_foreign_mask(line);
    // One write: a child and its parent share the terminal.
    fprintf(stderr, "gpuvm: %s\n", line);
}

void gv_print_foreign(FILE *to, const char *text)
{
    char *copy = strdup(text);
    if (copy)
        gv_foreign_mask(copy);
    fputs(copy ? copy : "?", to);
    free(copy);
}

static void write_line(void *context, enum gv_log_level level, const char *text)
{
    (void)context;
    gv_say("%s%s", level == GV_LOG_WARNING ? "warning: " : "", text);
}

static void write_warning(void *context, enum gv_log_level level, const char *text)
{
    if (level == GV_LOG_WARNING)
        write_line(context, level, text);
}

struct gv_log gv_stderr_log(bool verbose)
{
    return (struct gv_log){ .write = verbose ? write_line : write_warning };
}

// What a file system keeps until a file is closed is told by the closing of any copy.
static bool close_copy(int fd)
{
    int copy = dup(fd);
    return copy < 0 || close(copy) == 0; // no copy: nothing is known
}

bool gv_reader_is_gone(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO };
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

enum gv_exit gv_finish_stdout(enum gv_exit code)
{
    bool wrote = fflush(stdout) == 0;
    const char *why = wrote ? "an earlier write failed" : strerror(errno);
    if (wrote && !ferror(stdout)) {
        if (close_copy(STDOUT_FILENO))
            return code;
        why = strerror(errno);
    }
    if (!gv_reader_is_gone())
        gv_say("cannot write standard output: %s", why);
    return code == GV_EXIT_OK ? GV_EXIT_OUTPUT : code;
}

const char *gv_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}
