#include "compiler/shader/cross/cross_text.h"

#include <stdio.h>
#include <string.h>

// Counters are declared as numbers, and all but increments are called as those of
// storage are.
static void write_counters(struct gv_bytes *to, const char *text)
{
    static const struct {
        const char *from, *to;
    } rows[] = {
        { ") uint counter_", ") uniform atomic_uint counter_" },
        { "atomicAdd(counter_", "atomicCounterAdd(counter_" },
        { "atomicMin(counter_", "atomicCounterMin(counter_" },
        { "atomicMax(counter_", "atomicCounterMax(counter_" },
        { "atomicAnd(counter_", "atomicCounterAnd(counter_" },
        { "atomicOr(counter_", "atomicCounterOr(counter_" },
        { "atomicXor(counter_", "atomicCounterXor(counter_" },
        { "atomicExchange(counter_", "atomicCounterExchange(counter_" },
        { "atomicCompSwap(counter_", "atomicCounterCompSwap(counter_" },
    };
    while (*text) {
        size_t i = 0, plain = strcspn(text + 1, "a)") + 1;
        while (i < sizeof rows / sizeof *rows &&
               strncmp(text, rows[i].from, strlen(rows[i].from)) != 0)
            i++;
        if (i < sizeof rows / sizeof *rows) {
            gv_bytes_put(to, rows[i].to, strlen(rows[i].to));
            plain = strlen(rows[i].from);
        } else {
            gv_bytes_put(to, text, plain);
        }
        text += plain;
    }
}

// How many invocations a workgroup has is said in front of what is computed of it.
static void write_size(struct gv_bytes *to, const char *text)
{
    const char *line = strstr(text, "\nlayout(local_size_x"),
               *body = strchr(text, '\n'); // behind the version
    if (!line || !body) {
        gv_bytes_put(to, text, strlen(text));
        return;
    }
    const size_t size = strcspn(line + 1, "\n") + 1;
    gv_bytes_put(to, text, (size_t)(body - text));
    gv_bytes_put(to, line, size);
    gv_bytes_put(to, body, (size_t)(line - body));
    gv_bytes_put(to, line + size, strlen(line + size));
}

void cross_write(struct gv_bytes *to, const char *text)
{
    struct gv_bytes sized = { 0 };
    write_size(&sized, text);
    gv_bytes_u8(&sized, 0);
    if (sized.failed)
        to->failed = true;
    else
        write_counters(to, (const char *)sized.data);
    gv_bytes_u8(to, 0);
    gv_bytes_finish(&sized);
}

bool cross_is_std140(const char *text, const char *name)
{
    char end[CROSS_NAME_BYTES + 2];
    snprintf(end, sizeof end, " %s\n", name);
    const char *at = strstr(text, end);
    const char *line = at;
    while (line && line > text && line[-1] != '\n')
        line--;
    for (; at && line < at; line++)
        if (!strncmp(line, "std140", strlen("std140")))
            return true;
    return false;
}
