#define _GNU_SOURCE // nftw
#include "tools/results/result_folder.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tools/results/result_junit.h"
#include "tools/results/result_lines.h"
#include "tools/results/result_page.h"
#include "tools/results/result_table.h"

static void put_table(const struct gv_results *results, struct gv_bytes *out)
{
    gv_result_table(results, false, out);
}

static void put_failures(const struct gv_results *results, struct gv_bytes *out)
{
    gv_result_table(results, true, out);
}

static const struct {
    const char *name;
    void (*put)(const struct gv_results *results, struct gv_bytes *out);
} files[] = {
    { "results.csv", put_table },
    { "failures.csv", put_failures },
    { "junit.xml", gv_result_junit },
    { "index.html", gv_result_page },
};

const char *gv_result_file_name(size_t i)
{
    const size_t count = sizeof files / sizeof *files;
    return i < count ? files[i].name : i == count ? GV_RESULT_LINES : NULL;
}

bool gv_result_folder_write(const struct gv_results *results, const char *folder,
                            struct gv_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
        char path[4096];
        struct gv_bytes bytes = { 0 };
        files[i].put(results, &bytes);
        ok = snprintf(path, sizeof path, "%s/%s", folder, files[i].name) <
                 (int)sizeof path ||
             gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the folder's name is too long");
        ok = ok && (bytes.failed ? gv_out_of_memory(err)
                                 : gv_file_write(path, bytes.data, bytes.size, err));
        gv_bytes_finish(&bytes);
    }
    return ok;
}

// Nothing but pictures of ours, and folders that are empty without them.
static int forget(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    static const enum gv_result_picture kinds[] = { GV_RESULT_ACTUAL,
                                                    GV_RESULT_EXPECTED,
                                                    GV_RESULT_DIFF };
    (void)st;
    if (kind == FTW_DP)
        rmdir(path);
    for (size_t i = 0; kind == FTW_F && i < sizeof kinds / sizeof *kinds; i++) {
        const char *ending = gv_result_picture_ending(kinds[i]);
        const char *name = path + where->base, *dot = strchr(name, '.');
        if (dot && strcmp(dot + 1, ending) == 0 && strncmp(name, "frame_", 6) == 0)
            unlink(path);
    }
    return 0;
}

void gv_result_pictures_forget(const char *folder)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/pictures", folder) < (int)sizeof path)
        nftw(path, forget, 16, FTW_DEPTH | FTW_PHYS);
}
