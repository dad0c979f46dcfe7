#include "tools/verdict/expect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static bool is_frame(const char *text)
{
    return strcmp(text, "end") == 0 || strcmp(text, "last") == 0 ||
           gv_hash_is_number(text);
}

static bool fail_digits(const struct reader *r, enum gv_hash_form form, size_t count)
{
    return gv_fail(r->err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "%.64s: line %zu: %s takes %zu digits, not %zu", r->path, r->number,
                   gv_hash_form_name(form), gv_hash_form_digits(form), count);
}

// Of which forms a hash of so many digits may be. The one of width, height and rows is
// gpuvm's own and never bare.
static unsigned forms_of(size_t digits)
{
    switch (digits) {
    case 32:
        return 1u << GV_HASH_MD5_RGB | 1u << GV_HASH_MD5_RGBA;
    case 40:
        return 1u << GV_HASH_SHA1_RGB;
    case 64:
        return 1u << GV_HASH_SHA256_RGB;
    default:
        return 0;
    }
}

// "FORM:hex" or "hex": the digits are all there, and become lower case.
static bool check_hash(struct gv_expect_line *line, const struct reader *r)
{
    char *digit = strchr(line->hash, ':');
    enum gv_hash_form form = GV_HASH_FORM_COUNT;
    if (digit && !gv_hash_form_find(line->hash, (size_t)(digit - line->hash), &form))
        return fail_line(r, "no hash that --hash prints");
    digit = digit ? digit + 1 : line->hash;
    const size_t count = strlen(digit);
    line->forms = form == GV_HASH_FORM_COUNT ? forms_of(count) : 1u << form;
    if (!line->forms)
        return fail_line(r, "no hash that --hash prints");
    for (; *digit; digit++) {
        if (!isxdigit((unsigned char)*digit))
            return fail_line(r, "the hash has what is no hexadecimal digit");
        *digit = (char)tolower((unsigned char)*digit);
    }
    return form == GV_HASH_FORM_COUNT || count == gv_hash_form_digits(form) ||
           fail_digits(r, form, count);
}

// Behind "frame": "N WxH FORM:hex" or "N none none".
static bool parse_frame(struct gv_expect_line *line, struct reader *r)
{
    if (!take_field(r, line->frame, sizeof line->frame) || !is_frame(line->frame) ||
        !take_field(r, line->size, sizeof line->size))
        return fail_line(r, "not one that --hash prints");
    if (!take_field(r, line->hash, sizeof line->hash))
        return fail_line(r, "no hash that --hash prints");
    if (more(r))
        return fail_line(r, "more than --hash prints");
    if (strcmp(line->size, "none") == 0 && strcmp(line->hash, "none") == 0)
        return true;
    if (!gv_hash_is_size(line->size))
        return fail_line(r, "no size that --hash prints");
    return check_hash(line, r);
}

// The line, or a checksum alone, which is that of the last frame.
static bool parse_line(struct gv_expect_line *line, struct reader *r)
{
    const bool read = take_field(r, line->hash, sizeof line->hash);
    if (read && strcmp(line->hash, "frame") == 0)
        return parse_frame(line, r);
    const bool named = read && strcmp(line->hash, "checksum:") == 0;
    if ((named && !take_field(r, line->hash, sizeof line->hash)) ||
        !forms_of(strlen(line->hash)) || more(r))
        return fail_line(r, "not one that --hash prints");
    snprintf(line->frame, sizeof line->frame, "last");
    snprintf(line->size, sizeof line->size, "-");
    return check_hash(line, r);
}

struct gv_expect_line *gv_expect_add(struct gv_expect *expect)
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
        struct gv_expect_line *line = gv_expect_add(expect);
        if (!line)
            return gv_out_of_memory(err);
        line->number = number;
        if (!parse_line(line, &r))
            return false;
    }
    return true;
}

// Numbers as such, then words.
static int by_frame(const char *a, const char *b)
{
    const bool words[2] = { !isdigit((unsigned char)*a), !isdigit((unsigned char)*b) };
    const size_t lengths[2] = { strlen(a), strlen(b) };
    if (words[0] != words[1])
        return words[0] ? 1 : -1;
    if (!words[0] && lengths[0] != lengths[1])
        return lengths[0] > lengths[1] ? 1 : -1;
    return strcmp(a, b);
}

static int by_line(const void *a, const void *b)
{
    const struct gv_expect_line *x = a, *y = b;
    const int order = by_frame(x->frame, y->frame);
    return order ? order : x->number < y->number ? -1 : 1;
}

void gv_expect_sort(struct gv_expect *expect)
{
    if (expect->count)
        qsort(expect->lines, expect->count, sizeof *expect->lines, by_line);
}

static bool load(struct gv_file *file, const char *path, struct gv_error *err)
{
    return strcmp(path, "-") == 0
               ? gv_file_read_fd(file, STDIN_FILENO, GV_FILE_TEXT_MAX, err)
               : gv_file_load(file, path, GV_FILE_TEXT_MAX, err);
}

bool gv_expect_read(struct gv_expect *expect, const char *path, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    // It is not what the command is about.
    if (!load(&file, path, &mine))
        return gv_file_fail(&mine, path, err);
    bool ok = parse_file(expect, path, &file, err);
    gv_file_close(&file);
    gv_expect_sort(expect);
    return ok;
}

void gv_expect_finish(struct gv_expect *expect)
{
    for (size_t i = 0; i < expect->count; i++)
        free(expect->lines[i].picture);
    free(expect->lines);
    *expect = (struct gv_expect){ 0 };
}

struct gv_expect_line *gv_expect_lines(struct gv_expect *expect, const char *frame,
                                       size_t *count)
{
    size_t first = 0, end = expect->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (by_frame(expect->lines[middle].frame, frame) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (end = first; end < expect->count; end++)
        if (strcmp(expect->lines[end].frame, frame) != 0)
            break;
    *count = end - first;
    return *count ? &expect->lines[first] : NULL;
}

void gv_expect_name_last(struct gv_expect *expect, const char *frame)
{
    for (size_t i = 0; i < expect->count; i++)
        if (strcmp(expect->lines[i].frame, "last") == 0)
            snprintf(expect->lines[i].frame, sizeof expect->lines[i].frame, "%s",
                     frame);
    gv_expect_sort(expect);
}
