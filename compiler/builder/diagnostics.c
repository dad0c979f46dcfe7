#include "compiler/builder/diagnostics.h"

#include <stdlib.h>
#include <string.h>

void gv_diagnostics_finish(struct gv_diagnostics *d)
{
    free(d->list);
    gv_arena_finish(&d->strings);
    *d = (struct gv_diagnostics){ 0 };
}

bool gv_diagnostics_add(struct gv_diagnostics *d, enum gv_severity severity,
                        const char *code, const char *text, uint64_t command,
                        uint64_t offset)
{
    d->unsupported += severity == GV_UNSUPPORTED;
    if (d->count >= GV_DIAGNOSTIC_KINDS) {
        code = "more";
        text = "further kinds of diagnostics";
        severity = GV_NOTE;
    }
    // The latest kinds are the likeliest to repeat.
    for (size_t i = d->count; i-- > 0;) {
        struct gv_diagnostic *known = &d->list[i];
        if (known->severity == severity && strcmp(known->code, code) == 0 &&
            strcmp(known->text, text) == 0) {
            known->count++;
            return true;
        }
    }
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 16;
        struct gv_diagnostic *grown = realloc(d->list, capacity * sizeof *grown);
        if (!grown)
            return false;
        d->list = grown;
        d->capacity = capacity;
    }
    struct gv_diagnostic row = {
        .severity = (uint8_t)severity,
        .code = gv_arena_copy(&d->strings, code, strlen(code)),
        .text = gv_arena_copy(&d->strings, text, strlen(text)),
        .command = command,
        .offset = offset,
        .count = 1,
    };
    if (!row.code || !row.text)
        return false;
    d->list[d->count++] = row;
    return true;
}
