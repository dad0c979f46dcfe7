#include "tools/results/result_table.h"

#include <string.h>

static void put_field(struct gv_bytes *out, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n#")]) {
        gv_bytes_put(out, text, strlen(text));
        return;
    }
    gv_bytes_u8(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            gv_bytes_u8(out, '"');
        gv_bytes_u8(out, (uint8_t)*c);
    }
    gv_bytes_u8(out, '"');
}

void gv_result_table(const struct gv_results *results, bool failures,
                     struct gv_bytes *out)
{
    char label[64];
    for (size_t i = 0; i < results->count; i++) {
        const struct gv_result *r = &results->items[i];
        if (failures && gv_word_is_expected(r->word))
            continue;
        put_field(out, r->name);
        gv_result_label(r, label, sizeof label);
        gv_bytes_printf(out, ",%s", failures ? gv_word_name(r->word) : label);
        if (!failures)
            gv_bytes_printf(out, ",%.3f", (double)r->ns / 1e9);
        gv_bytes_u8(out, '\n');
    }
}

// Ends the field at `at`; what follows it, or NULL: a quote is left open, or
// something stands behind it.
static char *end_field(char *at, char **field, bool *more)
{
    *field = at;
    if (*at != '"') {
        char *comma = strchr(at, ',');
        *more = comma != NULL;
        if (comma)
            *comma = '\0';
        return comma ? comma + 1 : at;
    }
    char *to = at;
    for (at++; *at != '"' || at[1] == '"'; at++) {
        if (!*at)
            return NULL;
        at += *at == '"';
        *to++ = *at;
    }
    if (at[1] && at[1] != ',')
        return NULL;
    *more = at[1] == ',';
    *to = '\0';
    return at + 1 + *more;
}

bool gv_result_table_fields(char *line, char **name, char **word)
{
    bool more = false;
    *word = NULL;
    char *rest = end_field(line, name, &more);
    return rest && (!more || end_field(rest, word, &more));
}
