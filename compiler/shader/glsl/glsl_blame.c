#include "compiler/shader/glsl/glsl_blame.h"

#include "vm/spirv/spirv_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUOTED 60 // characters of the program's line
#define TOLD 70   // of what is wrong with it

static const char *find_line(const char *text, unsigned long line)
{
    while (--line > 0) {
        text = strchr(text, '\n');
        if (!text)
            return "";
        text++;
    }
    return text + strspn(text, " \t");
}

// "glsl: K:L: what"
bool glsl_blame(const struct gv_glsl_text *texts, size_t count, struct gv_error *err)
{
    char told[sizeof err->message];
    char *end;
    const char *colon = strchr(err->message, ' ');
    unsigned long unit = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || end == colon + 1 || *end != ':' || unit >= count)
        return false;
    const char *number = end + 1;
    unsigned long line = strtoul(number, &end, 10);
    if (end == number || *end != ':' || line < 1)
        return false;
    memcpy(told, err->message, sizeof told);
    const char *what = told + (end - err->message) + 1;
    what += strspn(what, " ");
    const char *quoted = find_line(texts[unit].text, line);
    size_t size = strcspn(quoted, "\r\n");
    snprintf(err->message, sizeof err->message, "glsl: %s line %lu: %.*s: %.*s",
             gv_stage_name(texts[unit].stage), line, TOLD, what,
             size > QUOTED ? QUOTED : (int)size, quoted);
    return false;
}
