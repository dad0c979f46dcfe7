#include "tools/check/check_pictures.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tools/check/scratch.h"
#include "tools/picture/picture_file.h"
#include "tools/verdict/verdict.h"

static bool judges(const struct gv_check_job *job)
{
    return job->golden.tolerance_text[0] || job->golden.mask[0];
}

static bool is_there(const struct gv_check_job *job, const char *frame)
{
    char path[GV_GOLDEN_PATH];
    return gv_golden_picture(path, job->shared->params->golden, job->item->name, frame,
                             NULL) &&
           access(path, F_OK) == 0;
}

static bool blesses(const struct gv_check_job *job)
{
    const struct gv_check_params *p = job->shared->params;
    return p->bless && p->pictures && !job->golden.known_fail[0];
}

// Puts those of the differing frames into the set that are wanted.
static void put_differing(const struct gv_check_job *job, struct gv_bytes *set)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->difference.count; i++) {
        const struct gv_check_differing *d = &job->difference.items[i];
        if (!d->actual || strcmp(d->actual->size, "none") == 0)
            continue;
        const bool keep = job->shared->params->output && kept < GV_CHECK_PICTURES;
        if (keep || blesses(job) || (judges(job) && is_there(job, d->frame)))
            gv_bytes_printf(set, "%s\n", d->frame);
        kept++;
    }
}

static void put_lacking(const struct gv_check_job *job, struct gv_bytes *set)
{
    for (size_t i = 0; i < job->seen.count; i++) {
        const struct gv_check_frame *f = &job->seen.frames[i];
        if (strcmp(f->size, "none") != 0 && !is_there(job, f->frame))
            gv_bytes_printf(set, "%s\n", f->frame);
    }
}

// The slot's folder, without the pictures of the capture that had it before.
static bool make_scratch(const struct gv_check_job *job, char path[GV_GOLDEN_PATH],
                         struct gv_error *err)
{
    if (!gv_check_job_scratch(job, path, err))
        return false;
    gv_scratch_clear(path);
    return gv_make_folders(path, err);
}

bool gv_check_pictures_want(struct gv_check_job *job, char path[GV_GOLDEN_PATH],
                            bool *want, struct gv_error *err)
{
    struct gv_bytes set = { 0 };
    char folder[GV_GOLDEN_PATH - 16];
    put_differing(job, &set);
    if (blesses(job))
        put_lacking(job, &set);
    *want = set.size > 0;
    bool ok = !*want || make_scratch(job, path, err);
    if (ok && *want) {
        snprintf(folder, sizeof folder, "%s", path);
        snprintf(path, GV_GOLDEN_PATH, "%s/frames.set", folder);
        ok = set.failed ? gv_out_of_memory(err)
                        : gv_file_write(path, set.data, set.size, err);
    }
    gv_bytes_finish(&set);
    return ok;
}

// ---- one frame ----

// Its pictures, and where they are to be kept.
struct frame {
    struct gv_check_job *job;
    struct gv_check_differing *d;
    char actual_path[GV_GOLDEN_PATH], expected_path[GV_GOLDEN_PATH];
    struct gv_pixels actual, expected, mask;
    struct gv_verdict_params params;
};

static bool actual_path(const struct gv_check_job *job, const char *frame,
                        char path[GV_GOLDEN_PATH], struct gv_error *err)
{
    char folder[GV_GOLDEN_PATH];
    return gv_check_job_scratch(job, folder, err) &&
           gv_golden_picture(path, folder, ".", frame, err);
}

static bool keep(const struct frame *f, enum gv_result_picture picture,
                 const void *data, size_t size, struct gv_error *err)
{
    char base[2048], path[GV_GOLDEN_PATH];
    if (!gv_result_picture_base(base, sizeof base, f->job->item->name, f->d->frame) ||
        snprintf(path, sizeof path, "%s/%s.%s", f->job->shared->params->output, base,
                 gv_result_picture_ending(picture)) >= (int)sizeof path)
        return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "file name too long");
    char *slash = strrchr(path, '/');
    *slash = '\0';
    if (!gv_make_folders(path, err))
        return false;
    *slash = '/';
    if (!gv_file_write(path, data, size, err))
        return false;
    f->d->pictures |= (unsigned)picture;
    return true;
}

// A picture that is not there is left out.
static bool keep_copy(const struct frame *f, enum gv_result_picture picture,
                      const char *from, struct gv_error *err)
{
    struct gv_file file;
    if (!gv_file_load_regular(&file, from, GV_PIXELS_FILE_MOST, NULL))
        return true;
    const bool ok = keep(f, picture, file.data, file.size, err);
    gv_file_close(&file);
    return ok;
}

// One that would be too large, as wide as one picture and as high as the other, is left
// out.
static bool keep_diff(const struct frame *f, struct gv_error *err)
{
    struct gv_pixels diff = { 0 };
    struct gv_picture_encoder encoder = { 0 };
    struct gv_error mine = GV_ERROR_INIT;
    const uint8_t *data;
    size_t size;
    if (!gv_verdict_diff(&diff, &f->expected, &f->actual, &f->params, &mine))
        return mine.status == GV_ERR_LIMIT ||
               gv_fail(err, mine.status, GV_NO_OFFSET, "%s", mine.message);
    const bool ok = gv_picture_encode(&encoder, GV_PICTURE_PNG, diff.rgba, diff.width,
                                      diff.height, &data, &size, err) &&
                    keep(f, GV_RESULT_DIFF, data, size, err);
    gv_picture_encoder_finish(&encoder);
    gv_pixels_finish(&diff);
    return ok;
}

static bool load(struct frame *f, struct gv_error *err)
{
    const struct gv_check_job *job = f->job;
    char mask[GV_GOLDEN_PATH];
    if (!gv_pixels_load(&f->expected, f->expected_path, err) ||
        !gv_pixels_load(&f->actual, f->actual_path, err))
        return false;
    if (!job->golden.mask[0])
        return true;
    snprintf(mask, sizeof mask, "%s/%s", job->shared->params->golden, job->golden.mask);
    f->params.mask = &f->mask;
    return gv_pixels_load(&f->mask, mask, err);
}

// Says why in the frame's words, and whether both pictures are there.
static bool judge(struct frame *f)
{
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_verdict verdict;
    char *why = f->d->why;
    const size_t size = sizeof f->d->why;
    f->params.tolerance = f->job->golden.tolerance;
    if (access(f->expected_path, F_OK) != 0)
        return false;
    if (!load(f, &mine) ||
        !gv_verdict_make(&verdict, &f->expected, &f->actual, &f->params, &mine)) {
        gv_error_describe(why, size, NULL, &mine, GV_PHASE_LOAD);
        return false;
    }
    f->d->passes = judges(f->job) && verdict.pass;
    if (!verdict.pass)
        snprintf(why, size, "%s", verdict.why);
    return true;
}

static bool judge_frame(struct gv_check_job *job, struct gv_check_differing *d,
                        bool kept, struct gv_error *err)
{
    struct frame f = { .job = job, .d = d };
    bool ok = actual_path(job, d->frame, f.actual_path, err) &&
              gv_golden_picture(f.expected_path, job->shared->params->golden,
                                job->item->name, d->frame, err);
    const bool both = ok && d->actual && judge(&f);
    if (ok && kept && !d->passes)
        ok = keep_copy(&f, GV_RESULT_ACTUAL, f.actual_path, err) &&
             keep_copy(&f, GV_RESULT_EXPECTED, f.expected_path, err) &&
             (!both || keep_diff(&f, err));
    gv_pixels_finish(&f.actual);
    gv_pixels_finish(&f.expected);
    gv_pixels_finish(&f.mask);
    return ok;
}

bool gv_check_pictures_judge(struct gv_check_job *job, struct gv_error *err)
{
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < job->difference.count; i++) {
        struct gv_check_differing *d = &job->difference.items[i];
        ok = judge_frame(job, d,
                         job->shared->params->output && kept < GV_CHECK_PICTURES, err);
        kept += !d->passes;
    }
    return ok;
}

// ---- the golden folder's ----

static bool bless_frame(struct gv_check_job *job, const char *frame,
                        struct gv_error *err)
{
    char from[GV_GOLDEN_PATH], to[GV_GOLDEN_PATH];
    struct gv_file file;
    if (!actual_path(job, frame, from, err) ||
        !gv_golden_picture(to, job->shared->params->golden, job->item->name, frame,
                           err))
        return false;
    if (!gv_file_load_regular(&file, from, GV_PIXELS_FILE_MOST, NULL))
        return true; // it was not wanted
    char *slash = strrchr(to, '/');
    *slash = '\0';
    bool ok = gv_make_folders(to, err);
    *slash = '/';
    ok = ok && gv_file_write(to, file.data, file.size, err);
    gv_file_close(&file);
    return ok;
}

bool gv_check_pictures_bless(struct gv_check_job *job, struct gv_error *err)
{
    bool ok = true;
    if (!job->picturing || !blesses(job))
        return true;
    for (size_t i = 0; ok && i < job->difference.count; i++)
        if (!job->difference.items[i].passes)
            ok = bless_frame(job, job->difference.items[i].frame, err);
    for (size_t i = 0; ok && i < job->seen.count; i++)
        if (!is_there(job, job->seen.frames[i].frame))
            ok = bless_frame(job, job->seen.frames[i].frame, err);
    return ok;
}
