#include "tools/check/check_fails.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "tools/results/result_table.h"

struct gv_check_fail {
    const char *name;
    bool any; // word
    enum gv_word word;
};

static int by_name(const void *a, const void *b)
{
    const struct gv_check_fail *x = a, *y = b;
    return strcmp(x->name, y->name);
}

// NULL, or what is wrong. An empty name: there is nothing in the line.
static const char *read_line(char *line, struct gv_check_fail *fail)
{
    char *name, *word;
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    fail->name = "";
    if (!length || line[0] == '#')
        return NULL;
    if (!gv_result_table_fields(line, &name, &word))
        return "a quote is left open, or something follows it";
    if (!*name)
        return "no name";
    fail->name = name;
    fail->any = !word;
    return !word || gv_word_find(word, strlen(word), &fail->word)
               ? NULL
               : "no word of a result behind the comma";
}

// Where the row ends: a newline between quotes is one of a name. `*lines` is how many
// lines it takes.
static char *end_row(char *text, size_t *lines)
{
    bool quoted = false, begins = true; // of a field
    *lines = 1;
    if (text[0] == '#')
        return strchr(text, '\n');
    for (; *text && (quoted || *text != '\n'); text++) {
        if (*text == '"' && (quoted || begins))
            quoted = !quoted;
        begins = !quoted && (*text == ',' || *text == '"');
        *lines += *text == '\n';
    }
    return *text ? text : NULL;
}

static bool read_lines(struct gv_check_fails *fails, const char *path, char *text,
                       struct gv_error *err)
{
    size_t lines;
    for (size_t number = 1; *text; number += lines) {
        char *newline = end_row(text, &lines), *next = newline ? newline + 1 : NULL;
        if (newline)
            *newline = '\0';
        const char *wrong = read_line(text, &fails->items[fails->count]);
        if (wrong)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.100s: line %zu: %s",
                           path, number, wrong);
        fails->count += fails->items[fails->count].name[0] != '\0';
        if (!next)
            break;
        text = next;
    }
    if (fails->count)
        qsort(fails->items, fails->count, sizeof *fails->items, by_name);
    return true;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

bool gv_check_fails_read(struct gv_check_fails *fails, const char *path,
                         struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_file_fail(&mine, path, err);
    char *text = gv_arena_copy(&fails->arena, file.data, file.size);
    const bool whole = text && strlen(text) == file.size;
    gv_file_close(&file);
    if (text && !whole)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.100s: a NUL: no list", path);
    if (text)
        fails->items =
            gv_arena_array(&fails->arena, count_lines(text), sizeof *fails->items);
    return fails->items ? read_lines(fails, path, text, err) : gv_out_of_memory(err);
}

void gv_check_fails_finish(struct gv_check_fails *fails)
{
    gv_arena_finish(&fails->arena);
    *fails = (struct gv_check_fails){ 0 };
}

static const struct gv_check_fail *find(const struct gv_check_fails *fails,
                                        const char *name)
{
    const struct gv_check_fail key = { .name = name };
    return fails->count ? bsearch(&key, fails->items, fails->count,
                                  sizeof *fails->items, by_name)
                        : NULL;
}

bool gv_check_fails_lists(const struct gv_check_fails *fails, const char *name)
{
    return find(fails, name) != NULL;
}

bool gv_check_fails_expects(const struct gv_check_fails *fails, const char *name,
                            enum gv_word word)
{
    const struct gv_check_fail *found = find(fails, name);
    return found && (found->any || found->word == word);
}
