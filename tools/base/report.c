#include "tools/base/report.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/foreign.h"
#include "tools/base/json.h"

enum gv_exit gv_report_error(const char *subject, const struct gv_error *err,
                             enum gv_phase phase, bool json)
{
    struct gv_error told = *err;
    // What failed without saying why is a mistake of this program, and no success.
    if (told.status == GV_OK)
        gv_fail(&told, GV_ERR_SYSTEM, told.offset, "failed, and said no cause");
    if (told.status == GV_ERR_OUTPUT && !*told.message)
        return GV_EXIT_OUTPUT; // gv_fail_stdout
    const enum gv_exit code = gv_exit_of(told.status, phase);
    char text[1024];
    gv_error_describe(text, sizeof text, subject, &told, phase);
    gv_say("%s", text);
    if (json) {
        struct gv_json out = { 0 };
        gv_json_result(&out);
        gv_json_error(&out, subject, &told, code);
        gv_json_end(&out);
        gv_json_print(&out);
    }
    return code;
}

// Of the process, as standard error is.
static struct {
    void (*tell)(void *context, const char *line);
    void *context;
} also;

void gv_say_also(void (*tell)(void *context, const char *line), void *context)
{
    also.tell = tell;
    also.context = context;
}

static const char *who = "gpuvm"; // of the process, too

void gv_say_as(const char *name)
{
    who = name;
}

const char *gv_who(void)
{
    return who;
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
    fprintf(stderr, "%s: %s\n", who, line);
    if (also.tell)
        also.tell(also.context, line);
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

// Of a pipe.
static bool reader_is_gone(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO };
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

bool gv_fail_stdout(struct gv_error *err)
{
    const char *why = strerror(errno);
    if (reader_is_gone())
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "%s", "");
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write standard output: %s",
                   why);
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
    if (!reader_is_gone())
        gv_say("cannot write standard output: %s", why);
    return code == GV_EXIT_OK ? GV_EXIT_OUTPUT : code;
}

const char *gv_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}
