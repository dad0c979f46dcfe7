#include "tools/diagnostics_text.h"

#include <inttypes.h>

static const char *severity_name(uint8_t severity)
{
    static const char *const names[] = { "note", "warning", "unsupported" };
    return severity < sizeof names / sizeof *names ? names[severity] : "other";
}

static void print_position(uint64_t position, FILE *to)
{
    if (position == UINT64_MAX)
        fprintf(to, " -");
    else
        fprintf(to, " %" PRIu64, position);
}

void gv_diagnostics_print(const struct gv_diagnostic *list, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++) {
        const struct gv_diagnostic *d = &list[i];
        fprintf(to, "%s ", severity_name(d->severity));
        gv_print_foreign(to, d->code);
        print_position(d->command, to);
        print_position(d->offset, to);
        fputc(' ', to);
        gv_print_foreign(to, d->text);
        if (d->count > 1)
            fprintf(to, " (x%" PRIu64 ")", d->count);
        fputc('\n', to);
    }
}

void gv_diagnostics_json(const char *key, const struct gv_diagnostic *list,
                         size_t count, struct gv_json *out)
{
    gv_json_array(out, key);
    for (size_t i = 0; i < count; i++) {
        const struct gv_diagnostic *d = &list[i];
        gv_json_begin(out, NULL);
        gv_json_text(out, "severity", severity_name(d->severity));
        gv_json_text(out, "code", d->code);
        gv_json_text(out, "text", d->text);
        if (d->command != UINT64_MAX)
            gv_json_number(out, "command", d->command);
        if (d->offset != UINT64_MAX)
            gv_json_number(out, "offset", d->offset);
        gv_json_number(out, "count", d->count);
        gv_json_end(out);
    }
    gv_json_array_end(out);
}
