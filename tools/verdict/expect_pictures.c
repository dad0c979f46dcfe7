#include "tools/verdict/expect_pictures.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/verdict/verdict.h"

// "000012" of "frame_000012.png" as "12". False: it is another name.
static bool frame_of(const char *name, const char *prefix, char frame[12])
{
    const size_t length = strlen(prefix);
    const char *end = strrchr(name, '.');
    if (strncmp(name, prefix, length) != 0 || !end || !gv_pixels_named(name))
        return false;
    const char *from = name + length;
    const size_t size = from < end ? (size_t)(end - from) : 0;
    const size_t digits = strspn(from, "0123456789");
    const bool last = size == 3 && memcmp(from, "end", 3) == 0;
    if (!last && (size == 0 || digits != size))
        return false;
    while (from + 1 < end && *from == '0')
        from++;
    return snprintf(frame, 12, "%.*s", (int)(end - from), from) < 12;
}

static bool add(struct gv_expect *expect, const char *folder, const char *name,
                const char *frame)
{
    struct gv_expect_line *line = gv_expect_add(expect);
    const size_t size = strlen(folder) + strlen(name) + 2;
    if (!line)
        return false;
    line->number = expect->count;
    line->picture = malloc(size);
    if (!line->picture)
        return false;
    snprintf(line->picture, size, "%s/%s", folder, name);
    snprintf(line->frame, sizeof line->frame, "%s", frame);
    snprintf(line->size, sizeof line->size, "-");
    snprintf(line->hash, sizeof line->hash, "picture");
    return true;
}

// Behind sorting.
static bool are_apart(const struct gv_expect *expect, struct gv_error *err)
{
    for (size_t i = 1; i < expect->count; i++)
        if (strcmp(expect->lines[i - 1].frame, expect->lines[i].frame) == 0)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--expect: %.80s and %.80s are both frame %s",
                           expect->lines[i - 1].picture, expect->lines[i].picture,
                           expect->lines[i].frame);
    return true;
}

static bool list(struct gv_expect *expect, const char *folder, const char *prefix,
                 struct gv_error *err)
{
    DIR *dir = opendir(folder);
    char frame[12];
    bool ok = true;
    if (!dir)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "cannot read %.100s: %s",
                       folder, strerror(errno));
    for (const struct dirent *entry; ok && (entry = readdir(dir));)
        if (frame_of(entry->d_name, prefix, frame))
            ok = add(expect, folder, entry->d_name, frame) || gv_out_of_memory(err);
    closedir(dir);
    gv_expect_sort(expect);
    if (ok && !expect->count)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--expect: no picture %.32sN.png in %.64s", prefix, folder);
    return ok && are_apart(expect, err);
}

static bool read_folder(struct gv_expect *expect, const char *folder,
                        const char *prefix, const char *tolerance, struct gv_error *err)
{
    struct gv_tolerance t;
    return gv_tolerance_parse(tolerance, &t, err) && list(expect, folder, prefix, err);
}

static bool judge(const struct gv_expect_line *line, const char *tolerance,
                  const uint8_t *rgba, uint32_t width, uint32_t height, bool *pass,
                  char why[GV_EXPECT_WHY], struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_pixels expected;
    const struct gv_pixels actual = { width, height, (uint8_t *)rgba };
    struct gv_verdict_params params = { 0 };
    struct gv_verdict verdict = { 0 };
    if (!gv_pixels_load(&expected, line->picture, &mine))
        return gv_fail(err, mine.status, GV_NO_OFFSET, "%.80s: %.100s", line->picture,
                       mine.message);
    const bool ok = gv_tolerance_parse(tolerance, &params.tolerance, err) &&
                    gv_verdict_make(&verdict, &expected, &actual, &params, err);
    *pass = verdict.pass;
    snprintf(why, GV_EXPECT_WHY, "%s", verdict.why);
    gv_pixels_finish(&expected);
    return ok;
}

const struct gv_expect_pictures gv_expect_pictures = { read_folder, judge };
