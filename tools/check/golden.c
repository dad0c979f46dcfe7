#include "tools/check/golden.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

#define LINES_MOST ((size_t)1 << 20) // lines of frames in a file

// What is being read: for messages, the file and the number of the line.
struct reader {
    struct gv_golden *golden;
    const char *path;
    size_t number;
    const char *at, *end; // what is left of the line
    struct gv_error *err;
};

static bool fail_line(const struct reader *r, const char *why)
{
    return gv_fail(r->err, GV_ERR_USAGE, GV_NO_OFFSET, "%.100s: line %zu: %s", r->path,
                   r->number, why);
}

// ---- fields ----

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

// Copies the next field. False: there is none, or no room for it.
static bool take_field(struct reader *r, char *out, size_t size)
{
    skip_blanks(r);
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at))
        r->at++;
    const size_t length = (size_t)(r->at - start);
    if (!length || length >= size || *start == '#' || memchr(start, '\0', length))
        return false;
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

// All that is left, without the blanks around it.
static bool take_rest(struct reader *r, char out[GV_GOLDEN_TEXT])
{
    skip_blanks(r);
    while (r->end > r->at && is_blank(r->end[-1]))
        r->end--;
    const size_t length = (size_t)(r->end - r->at);
    if (!length || length >= GV_GOLDEN_TEXT || memchr(r->at, '\0', length))
        return false;
    memcpy(out, r->at, length);
    out[length] = '\0';
    return true;
}

// ---- a line of a frame ----

static bool is_frame(const char *text)
{
    return strcmp(text, "end") == 0 || gv_hash_is_number(text);
}

// Digits without a form are those of manifests: Mesa's are MD5 of what its pictures
// hold, with or without alpha, FifoCI's are SHA-1 without.
static unsigned forms_of_bare(size_t digits)
{
    return digits == 32   ? 1u << GV_HASH_MD5_RGB | 1u << GV_HASH_MD5_RGBA
           : digits == 40 ? 1u << GV_HASH_SHA1_RGB
                          : 0;
}

static bool check_hash(struct gv_golden_line *line, const struct reader *r)
{
    char *digits = strchr(line->hash, ':');
    enum gv_hash_form form = GV_HASH_SHA256_RGBA;
    if (digits && !gv_hash_form_find(line->hash, (size_t)(digits - line->hash), &form))
        return fail_line(r, "a form of hash that run --hash does not know");
    const char *first = digits ? digits + 1 : line->hash;
    for (char *c = line->hash + (first - line->hash); *c; c++) {
        if (!isxdigit((unsigned char)*c))
            return fail_line(r, "a hash with what is no hexadecimal digit");
        *c = (char)tolower((unsigned char)*c);
    }
    const size_t count = strlen(first);
    line->forms = digits ? 1u << form : forms_of_bare(count);
    if (line->forms && (!digits || count == gv_hash_form_digits(form)))
        return true;
    return fail_line(r, digits ? "a hash of the wrong length for its form"
                               : "bare digits that are neither MD5 nor SHA-1");
}

static bool parse_frame(struct gv_golden_line *line, struct reader *r)
{
    if (!take_field(r, line->frame, sizeof line->frame) || !is_frame(line->frame))
        return fail_line(r, "no frame: a number or end");
    if (!take_field(r, line->size, sizeof line->size))
        return fail_line(r, "no size: WxH, - or none");
    if (!take_field(r, line->hash, sizeof line->hash))
        return fail_line(r, "no hash: FORM:hex, an MD5, a SHA-1 or none");
    skip_blanks(r);
    if (r->at < r->end && *r->at != '#')
        return fail_line(r, "more than a frame's line has");
    if (strcmp(line->hash, "none") == 0)
        return strcmp(line->size, "none") == 0 || fail_line(r, "a size without a hash");
    return gv_hash_is_size(line->size) ? check_hash(line, r)
                                       : fail_line(r, "no size: WxH, - or none");
}

static bool add_line(struct reader *r)
{
    struct gv_golden *g = r->golden;
    if (g->count == LINES_MOST)
        return fail_line(r, "more lines of frames than a file may have");
    if (g->count == g->capacity) {
        const size_t capacity = g->capacity ? 2 * g->capacity : 16;
        void *grown = realloc(g->lines, capacity * sizeof *g->lines);
        if (!grown)
            return gv_out_of_memory(r->err);
        g->lines = grown;
        g->capacity = capacity;
    }
    struct gv_golden_line *line = &g->lines[g->count++];
    *line = (struct gv_golden_line){ .number = r->number };
    return parse_frame(line, r);
}

// ---- other lines ----

static bool take_tolerance(struct reader *r)
{
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_golden *g = r->golden;
    return take_rest(r, g->tolerance_text)
               ? gv_tolerance_parse(g->tolerance_text, &g->tolerance, &mine) ||
                     fail_line(r, mine.message)
               : fail_line(r, "tolerance: " GV_TOLERANCE_FORMS);
}

// Masks lie in the folder, wherever a golden file comes from.
static bool take_mask(struct reader *r)
{
    const char *mask = r->golden->mask;
    if (!take_rest(r, r->golden->mask))
        return fail_line(r, "mask: the name of a picture in this folder");
    return (mask[0] != '/' && !strstr(mask, "..")) ||
           fail_line(r, "mask: not a picture in this folder");
}

static bool take_known_fail(struct reader *r)
{
    return take_rest(r, r->golden->known_fail) ||
           fail_line(r, "known-fail: a reason of 1 to 191 bytes");
}

static bool take_frames(struct reader *r)
{
    const char *frames = r->golden->frames;
    if (!take_rest(r, r->golden->frames))
        return fail_line(r, "frames: a SET of frames, as of run --frames");
    return !strchr(frames, '@') || fail_line(r, "frames: a SET without @FILE");
}

static const struct {
    const char *word;
    bool (*take)(struct reader *r);
} words[] = {
    { "frame", add_line },     { "tolerance", take_tolerance },
    { "mask", take_mask },     { "known-fail", take_known_fail },
    { "frames", take_frames },
};

static bool parse_line(struct reader *r)
{
    char word[16] = "";
    skip_blanks(r);
    if (r->at == r->end || *r->at == '#')
        return true;
    if (take_field(r, word, sizeof word))
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(words[i].word, word) == 0)
                return words[i].take(r);
    return fail_line(r, "none of frame, tolerance, mask, known-fail, frames");
}

// ---- a file ----

// Numbers by their size, and "end" behind them.
int gv_golden_order(const char *a, const char *b)
{
    const size_t x = strlen(a), y = strlen(b);
    const bool last = strcmp(a, "end") == 0, other = strcmp(b, "end") == 0;
    if (last || other)
        return last - other;
    return x != y ? (x < y ? -1 : 1) : strcmp(a, b);
}

static int by_frame(const void *a, const void *b)
{
    const struct gv_golden_line *x = a, *y = b;
    const int order = gv_golden_order(x->frame, y->frame);
    return order ? order : x->number < y->number ? -1 : 1;
}

bool gv_golden_parse(struct gv_golden *golden, const char *path, const char *text,
                     size_t size, struct gv_error *err)
{
    const char *at = text, *stop = text + size;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) // some editors' mark
        at += 3;
    golden->there = true;
    for (size_t number = 1; at < stop; number++) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        struct reader r = { golden, path, number, at, newline ? newline : stop, err };
        at = newline ? newline + 1 : stop;
        if (!parse_line(&r))
            return false;
    }
    if (golden->count)
        qsort(golden->lines, golden->count, sizeof *golden->lines, by_frame);
    return true;
}

bool gv_golden_read(struct gv_golden *golden, const char *path, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_file_load_regular(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_file_fail(&mine, path, err);
    const bool ok =
        gv_golden_parse(golden, path, (const char *)file.data, file.size, err);
    gv_file_close(&file);
    return ok;
}

void gv_golden_finish(struct gv_golden *golden)
{
    free(golden->lines);
    *golden = (struct gv_golden){ 0 };
}

// ---- a device's own lines ----

static void take_words(struct gv_golden *golden, const struct gv_golden *own)
{
    if (own->tolerance_text[0]) {
        memcpy(golden->tolerance_text, own->tolerance_text, GV_GOLDEN_TEXT);
        golden->tolerance = own->tolerance;
    }
    if (own->mask[0])
        memcpy(golden->mask, own->mask, GV_GOLDEN_TEXT);
    if (own->known_fail[0])
        memcpy(golden->known_fail, own->known_fail, GV_GOLDEN_TEXT);
    if (own->frames[0])
        memcpy(golden->frames, own->frames, GV_GOLDEN_TEXT);
}

static bool take_own(struct gv_golden *golden, struct gv_golden *own,
                     struct gv_error *err)
{
    struct gv_golden_line *all = malloc((golden->count + own->count + 1) * sizeof *all);
    if (!all)
        return gv_out_of_memory(err);
    size_t count = 0, lines;
    for (size_t i = 0; i < golden->count; i++)
        if (!gv_golden_find(own, golden->lines[i].frame, &lines))
            all[count++] = golden->lines[i];
    for (size_t i = 0; i < own->count; i++)
        all[count++] = own->lines[i];
    free(golden->lines);
    golden->lines = all;
    golden->count = golden->capacity = count;
    if (count)
        qsort(all, count, sizeof *all, by_frame);
    golden->there = golden->own = true;
    take_words(golden, own);
    return true;
}

// Reads a file that may be absent.
static bool read_if_there(struct gv_golden *golden, const char *path,
                          struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    if (gv_golden_read(golden, path, &mine) || mine.status == GV_ERR_NOT_FOUND)
        return true;
    return gv_fail(err, mine.status, GV_NO_OFFSET, "%s", mine.message);
}

bool gv_golden_load(struct gv_golden *golden, const char *folder, const char *name,
                    const char *device, struct gv_error *err)
{
    char path[GV_GOLDEN_PATH];
    struct gv_golden own = { 0 };
    *golden = (struct gv_golden){ 0 };
    bool ok =
        gv_golden_path(path, folder, name, "", err) && read_if_there(golden, path, err);
    if (ok && device[0])
        ok = gv_golden_path(path, folder, name, device, err) &&
             read_if_there(&own, path, err) &&
             (!own.there || take_own(golden, &own, err));
    gv_golden_finish(&own);
    return ok;
}

// ---- paths ----

static bool check_path(int length, struct gv_error *err)
{
    return (length >= 0 && length < GV_GOLDEN_PATH) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "a name of the golden folder is too long");
}

bool gv_golden_path(char path[GV_GOLDEN_PATH], const char *folder, const char *name,
                    const char *device, struct gv_error *err)
{
    return check_path(snprintf(path, GV_GOLDEN_PATH, "%s/%s%s%s.tsv", folder, name,
                               device[0] ? "." : "", device),
                      err);
}

// As `run --screenshots` names it.
bool gv_golden_picture(char path[GV_GOLDEN_PATH], const char *folder, const char *name,
                       const char *frame, struct gv_error *err)
{
    const char *zeros = "000000";
    const size_t length = strlen(frame);
    const bool pad = isdigit((unsigned char)frame[0]) && length < strlen(zeros);
    return check_path(snprintf(path, GV_GOLDEN_PATH, "%s/%s/frame_%s%s.png", folder,
                               name, pad ? zeros + length : "", frame),
                      err);
}

// ---- comparing ----

struct gv_golden_line *gv_golden_find(const struct gv_golden *golden, const char *frame,
                                      size_t *count)
{
    size_t first = 0, end = golden->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (gv_golden_order(golden->lines[middle].frame, frame) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    *count = 0;
    while (first + *count < golden->count &&
           strcmp(golden->lines[first + *count].frame, frame) == 0)
        ++*count;
    return *count ? &golden->lines[first] : NULL;
}

bool gv_golden_accepts(const struct gv_golden_line *line, const char *size,
                       enum gv_hash_form form, const char *hash)
{
    if (strcmp(line->hash, "none") == 0)
        return strcmp(hash, "none") == 0;
    const char *digits = strchr(hash, ':'), *own = strchr(line->hash, ':');
    return digits && line->forms & 1u << form &&
           strcmp(digits + 1, own ? own + 1 : line->hash) == 0 &&
           (strcmp(line->size, "-") == 0 || strcmp(line->size, size) == 0);
}
