#include "tools/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

// Copies the field at `*at`, which ends with a tab or the line. False if it is too long
// or empty.
static bool take_field(const char **at, const char *end, char *out, size_t size)
{
    const char *tab = memchr(*at, '\t', (size_t)(end - *at));
    const char *stop = tab ? tab : end;
    size_t length = (size_t)(stop - *at);
    if (length == 0 || length >= size || memchr(*at, '\0', length))
        return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at = tab ? tab + 1 : end;
    return true;
}

static bool parse_line(struct gv_expect_line *line, const char *at, const char *end)
{
    char word[8];
    return take_field(&at, end, word, sizeof word) && strcmp(word, "frame") == 0 &&
           take_field(&at, end, line->frame, sizeof line->frame) &&
           take_field(&at, end, line->size, sizeof line->size) &&
           take_field(&at, end, line->hash, sizeof line->hash) && at == end;
}

static struct gv_expect_line *add_line(struct gv_expect *expect)
{
    if (expect->count == expect->capacity) {
        size_t capacity = expect->capacity ? 2 * expect->capacity : 64;
        void *grown = realloc(expect->lines, capacity * sizeof *expect->lines);
        if (!grown)
            return NULL;
        expect->lines = grown;
        expect->capacity = capacity;
    }
    expect->lines[expect->count] = (struct gv_expect_line){ 0 };
    return &expect->lines[expect->count++];
}

// The form is that of the first line with a hash; mixtures are refused.
static bool check_form(struct gv_expect *expect, const char *hash, bool *known)
{
    if (strcmp(hash, "none") == 0)
        return true;
    const char *colon = strchr(hash, ':');
    enum gv_hash_form form;
    if (!colon || !gv_hash_form_find(hash, (size_t)(colon - hash), &form))
        return false;
    if (*known && form != expect->form)
        return false;
    *known = true;
    expect->form = form;
    return true;
}

static bool parse_file(struct gv_expect *expect, const char *path,
                       const struct gv_file *file, struct gv_error *err)
{
    const char *at = (const char *)file->data, *stop = at + file->size;
    bool known = false;
    for (int number = 1; at < stop; number++) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        const char *end = newline ? newline : stop;
        struct gv_expect_line *line = end > at ? add_line(expect) : NULL;
        if (end > at && !line)
            return gv_out_of_memory(err);
        if (line &&
            !(parse_line(line, at, end) && check_form(expect, line->hash, &known)))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "%s: line %d is not one that --hash prints", path, number);
        at = newline ? newline + 1 : stop;
    }
    return true;
}

bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err)
{
    struct gv_file file;
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, err))
        return false;
    bool ok = parse_file(expect, path, &file, err);
    gv_file_close(&file);
    return ok;
}

void gv_expect_finish(struct gv_expect *expect)
{
    free(expect->lines);
    *expect = (struct gv_expect){ 0 };
}

const struct gv_expect_line *gv_expect_meet(struct gv_expect *expect, const char *frame)
{
    // Frames mostly come in the order of the lines.
    for (size_t i = 0; i < expect->count; i++) {
        size_t at = (expect->next + i) % expect->count;
        struct gv_expect_line *line = &expect->lines[at];
        if (line->met || strcmp(line->frame, frame) != 0)
            continue;
        line->met = true;
        expect->next = at + 1;
        return line;
    }
    return NULL;
}
