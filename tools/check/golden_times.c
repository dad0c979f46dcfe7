#include "tools/check/golden_times.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

#define SECONDS_MOST 1e7

static int by_name(const void *a, const void *b)
{
    const struct gv_golden_time *x = a, *y = b;
    return strcmp(x->name, y->name);
}

void gv_golden_times_sort(struct gv_golden_time *times, size_t count)
{
    qsort(times, count, sizeof *times, by_name);
}

struct gv_golden_time *gv_golden_times_find(struct gv_golden_time *times, size_t count,
                                            const char *name)
{
    const struct gv_golden_time key = { .name = name };
    return count ? bsearch(&key, times, count, sizeof *times, by_name) : NULL;
}

// "NAME<TAB>SECONDS"
static bool read_line(struct gv_golden_time *times, size_t count, char *line)
{
    char *tab = strrchr(line, '\t'), *end;
    if (!tab || !isdigit((unsigned char)tab[1]))
        return false;
    *tab = '\0';
    const double seconds = strtod(tab + 1, &end);
    if (*end || !(seconds >= 0 && seconds < SECONDS_MOST))
        return false;
    struct gv_golden_time *found = gv_golden_times_find(times, count, line);
    if (found)
        found->ns = (uint64_t)(seconds * 1e9);
    return true;
}

static bool put_path(char path[4096], const char *folder, struct gv_error *err)
{
    return snprintf(path, 4096, "%s/times.tsv", folder) < 4096 ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the folder's name is too long");
}

static bool read_lines(struct gv_golden_time *times, size_t count, const char *path,
                       const struct gv_file *file, struct gv_error *err)
{
    const char *at = (const char *)file->data, *stop = at + file->size;
    for (size_t number = 1; at < stop; number++) {
        char line[4096];
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        const char *end = newline ? newline : stop;
        size_t length = (size_t)(end - at);
        if (length && at[length - 1] == '\r')
            length--;
        const bool fits = length < sizeof line && !memchr(at, '\0', length);
        if (fits) {
            memcpy(line, at, length);
            line[length] = '\0';
        }
        at = end + (newline != NULL);
        if (fits && (!length || line[0] == '#'))
            continue;
        if (!fits || !read_line(times, count, line))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "%.100s: line %zu: not NAME, a tab and SECONDS", path,
                           number);
    }
    return true;
}

bool gv_golden_times_read(struct gv_golden_time *times, size_t count,
                          const char *folder, struct gv_error *err)
{
    char path[4096];
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    if (!put_path(path, folder, err))
        return false;
    if (!gv_file_load_regular(&file, path, GV_FILE_TEXT_MAX, &mine))
        return mine.status == GV_ERR_NOT_FOUND || gv_file_fail(&mine, path, err);
    const bool ok = read_lines(times, count, path, &file, err);
    gv_file_close(&file);
    return ok;
}

// Appends those that the file has no time of. A name that its lines cannot hold has
// none.
static void put_new(const struct gv_golden_time *times,
                    const struct gv_golden_time *old, size_t count,
                    struct gv_bytes *out)
{
    for (size_t i = 0; i < count; i++)
        if (!old[i].ns && times[i].ns && times[i].name[0] != '#' &&
            !strpbrk(times[i].name, "\t\n"))
            gv_bytes_printf(out, "%s\t%.3f\n", times[i].name,
                            (double)times[i].ns / 1e9);
}

static bool put_old(const char *path, struct gv_bytes *out, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    if (!gv_file_load_regular(&file, path, GV_FILE_TEXT_MAX, &mine))
        return mine.status == GV_ERR_NOT_FOUND ||
               gv_fail(err, mine.status, GV_NO_OFFSET, "%s", mine.message);
    gv_bytes_put(out, file.data, file.size);
    if (file.size && file.data[file.size - 1] != '\n')
        gv_bytes_u8(out, '\n');
    gv_file_close(&file);
    return true;
}

bool gv_golden_times_write(const struct gv_golden_time *times, size_t count,
                           const char *folder, struct gv_error *err)
{
    char path[4096];
    struct gv_bytes out = { 0 };
    struct gv_golden_time *old = malloc((count + 1) * sizeof *old);
    if (!old)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        old[i] = (struct gv_golden_time){ .name = times[i].name };
    bool ok = put_path(path, folder, err) &&
              gv_golden_times_read(old, count, folder, err) && put_old(path, &out, err);
    const size_t before = out.size;
    if (ok)
        put_new(times, old, count, &out);
    if (ok && out.size > before)
        ok = out.failed ? gv_out_of_memory(err)
                        : gv_file_write(path, out.data, out.size, err);
    gv_bytes_finish(&out);
    free(old);
    return ok;
}
