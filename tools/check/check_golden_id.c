#include "tools/check/check_golden_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "resources/base/file.h"
#include "tools/verdict/pixels.h"

// A file that is not there is other than an empty one.
static void put_file(struct gv_bytes *all, const char *path, size_t most)
{
    struct gv_file file;
    if (!gv_file_load_regular(&file, path, most, NULL)) {
        gv_bytes_printf(all, "none\n");
        return;
    }
    gv_bytes_printf(all, "%zu\n", file.size);
    gv_bytes_put(all, file.data, file.size);
    gv_file_close(&file);
}

static bool put_lines(const struct gv_check_job *job, const char *device,
                      struct gv_bytes *all, struct gv_error *err)
{
    char path[GV_GOLDEN_PATH];
    if (!gv_golden_path(path, job->shared->params->golden, job->item->name, device,
                        err))
        return false;
    put_file(all, path, GV_FILE_TEXT_MAX);
    return true;
}

static void put_mask(const struct gv_check_job *job, struct gv_bytes *all)
{
    char path[GV_GOLDEN_PATH];
    if (job->golden.mask[0] &&
        snprintf(path, sizeof path, "%s/%s", job->shared->params->golden,
                 job->golden.mask) < (int)sizeof path)
        put_file(all, path, GV_PIXELS_FILE_MOST);
}

// Pictures are large, and who replaces one changes its time.
static void put_picture(const struct gv_check_job *job, const char *frame,
                        struct gv_bytes *all)
{
    char path[GV_GOLDEN_PATH];
    struct stat st;
    if (gv_golden_picture(path, job->shared->params->golden, job->item->name, frame,
                          NULL) &&
        stat(path, &st) == 0)
        gv_bytes_printf(all, "%s %jd %jd.%09ld\n", frame, (intmax_t)st.st_size,
                        (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static void put_fails(const struct gv_check_job *job, struct gv_bytes *all)
{
    const struct gv_check_fails *fails = &job->shared->fails;
    for (int word = 0; word < GV_WORD_COUNT; word++)
        if (gv_check_fails_expects(fails, job->item->name, (enum gv_word)word))
            gv_bytes_printf(all, "%s\n", gv_word_name((enum gv_word)word));
}

bool gv_check_golden_id(const struct gv_check_job *job, char id[GV_HASH_HEX],
                        struct gv_error *err)
{
    struct gv_bytes all = { 0 };
    bool ok = put_lines(job, "", &all, err) &&
              (!job->device[0] || put_lines(job, job->device, &all, err));
    put_mask(job, &all);
    if (job->golden.tolerance_text[0] || job->golden.mask[0])
        for (size_t i = 0; i < job->golden.count; i++)
            put_picture(job, job->golden.lines[i].frame, &all);
    put_fails(job, &all);
    ok = ok && (!all.failed || gv_out_of_memory(err));
    if (ok) {
        const struct gv_hash hash = gv_hash_bytes(all.data, all.size);
        gv_hash_to_hex(&hash, id);
    }
    gv_bytes_finish(&all);
    return ok;
}
