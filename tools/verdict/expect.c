#include "tools/verdict/expect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

// What is being read: for messages, the file and the number of the line.
struct reader {
    const char *path;
    size_t number;
    const char *at, *end; // what is left of the line
    struct gv_error *err;
};

static bool fail_line(const struct reader *r, const char *why)
{
    return gv_fail(r->err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: line %zu: %s", r->path,
                   r->number, why);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// Steps over blanks and a comment. False at the end of the line.
static bool more(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    if (r->at < r->end && *r->at == '#')
        r->at = r->end;
    return r->at < r->end;
}

// Copies the next field into `out`. False if there is none, or it is longer.
static bool take_field(struct reader *r, char *out, size_t size)
{
    if (!more(r))
        return false;
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at))
        r->at++;
    size_t length = (size_t)(r->at - start);
    if (length >= size || memchr(start, '\0', length))
        return false;
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

// A number as --hash prints it. Returns what follows, or NULL.
static const char *skip_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits == 0 || (text[0] == '0' && digits > 1) ? NULL : text + digits;
}

static bool is_frame(const char *text)
{
    const char *rest = skip_number(text);
    return strcmp(text, "end") == 0 || (rest && !*rest);
}

static bool is_size(const char *text)
{
    const char *rest = skip_number(text);
    rest = rest && *rest == 'x' ? skip_number(rest + 1) : NULL;
    return rest && !*rest;
}

// "FORM:hex": the form is that of the first line with a hash, the digits are all there,
// and become lower case.
static bool check_hash(struct gv_expect *expect, struct reader *r, char *hash)
{
    char *digit = strchr(hash, ':');
    enum gv_hash_form form;
    if (!digit || !gv_hash_form_find(hash, (size_t)(digit - hash), &form))
        return fail_line(r, "no hash that --hash prints");
    if (expect->hashed && form != expect->form)
        return fail_line(r, "another form of hash than before");
    expect->hashed = true;
    expect->form = form;
    size_t count = 0, wanted = gv_hash_form_digits(form);
    for (digit++; *digit; digit++, count++) {
        if (!isxdigit((unsigned char)*digit))
            return fail_line(r, "the hash has what is no hexadecimal digit");
        *digit = (char)tolower((unsigned char)*digit);
    }
    if (count == wanted)
        return true;
    return gv_fail(r->err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "%.64s: line %zu: %s takes %zu digits, not %zu", r->path, r->number,
                   gv_hash_form_name(form), wanted, count);
}

// "frame N WxH FORM:hex" or "frame N none none".
static bool parse_line(struct gv_expect *expect, struct gv_expect_line *line,
                       struct reader *r)
{
    char word[8];
    if (!take_field(r, word, sizeof word) || strcmp(word, "frame") != 0 ||
        !take_field(r, line->frame, sizeof line->frame) || !is_frame(line->frame) ||
        !take_field(r, line->size, sizeof line->size))
        return fail_line(r, "not one that --hash prints");
    if (!take_field(r, line->hash, sizeof line->hash))
        return fail_line(r, "no hash that --hash prints");
    if (more(r))
        return fail_line(r, "more than --hash prints");
    if (strcmp(line->size, "none") == 0 && strcmp(line->hash, "none") == 0)
        return true;
    if (!is_size(line->size))
        return fail_line(r, "no size that --hash prints");
    return check_hash(expect, r, line->hash);
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

// What some editors begin a file with.
static bool has_byte_order_mark(const struct gv_file *file)
{
    return file->size >= 3 && memcmp(file->data, "\xef\xbb\xbf", 3) == 0;
}

static bool parse_file(struct gv_expect *expect, const char *path,
                       const struct gv_file *file, struct gv_error *err)
{
    const char *at = (const char *)file->data, *stop = at + file->size;
    if (has_byte_order_mark(file))
        at += 3;
    for (size_t number = 1; at < stop; number++) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        struct reader r = { path, number, at, newline ? newline : stop, err };
        at = newline ? newline + 1 : stop;
        if (!more(&r))
            continue;
        struct gv_expect_line *line = add_line(expect);
        if (!line)
            return gv_out_of_memory(err);
        line->number = number;
        if (!parse_line(expect, line, &r))
            return false;
    }
    return true;
}

// A frame, and the line that it stands in.
struct frame_line {
    const char *frame; // borrowed
    size_t number;
};

static int by_frame(const void *a, const void *b)
{
    const struct frame_line *x = a, *y = b;
    int order = strcmp(x->frame, y->frame);
    return order ? order : x->number < y->number ? -1 : 1;
}

// Of two lines of one frame the second would be told as a frame that is missing.
static bool check_twice(const struct gv_expect *expect, const char *path,
                        struct gv_error *err)
{
    struct frame_line *sorted = malloc((expect->count + 1) * sizeof *sorted);
    if (!sorted)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < expect->count; i++)
        sorted[i] =
            (struct frame_line){ expect->lines[i].frame, expect->lines[i].number };
    qsort(sorted, expect->count, sizeof *sorted, by_frame);
    bool ok = true;
    for (size_t i = 1; ok && i < expect->count; i++)
        if (strcmp(sorted[i - 1].frame, sorted[i].frame) == 0)
            ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                         "%.64s: line %zu: frame %s stands in line %zu too", path,
                         sorted[i].number, sorted[i].frame, sorted[i - 1].number);
    free(sorted);
    return ok;
}

bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    // It is not what the command is about.
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_fail(err, mine.status == GV_ERR_SYSTEM ? GV_ERR_USAGE : mine.status,
                       GV_NO_OFFSET, "%.64s: %.80s", path, mine.message);
    bool ok = parse_file(expect, path, &file, err) && check_twice(expect, path, err);
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
