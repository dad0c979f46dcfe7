// Mutants of what a gate reads: pictures, which are masks as well, and golden files.
#include "tests/fuzz/mutants.h"

#include <stdio.h>
#include <string.h>

#include "tools/check/golden.h"
#include "tools/verdict/verdict.h"

#define MOST_PIXELS 4096 // that are compared: FLIP takes its time

static enum verdict wrong(char why[256], const char *what, const struct gv_error *err)
{
    snprintf(why, 256, "%s: status %d: %s", what, (int)err->status, err->message);
    return VERDICT_WRONG;
}

// Equal to itself, not to one with another pixel, whatever it masks.
static enum verdict compare(const struct gv_pixels *a, char why[256])
{
    struct gv_error err = GV_ERROR_INIT;
    const size_t count = (size_t)a->width * a->height;
    struct gv_pixels b = { 0 }, diff = { 0 };
    struct gv_verdict v;
    struct gv_verdict_params params = { .perceptual = true, .alpha = true };
    bool ok = gv_pixels_make(&b, a->width, a->height, 0, &err);
    if (ok) {
        memcpy(b.rgba, a->rgba, 4 * count);
        ok = gv_verdict_make(&v, a, &b, &params, &err) && v.pass && v.pixels == count;
        b.rgba[4 * (count / 2)] ^= 255;
        ok = ok && gv_verdict_make(&v, a, &b, &params, &err) && !v.pass &&
             v.off[0] == 1 && v.flip_mean >= 0 && v.flip_mean <= 1;
        params.mask = a;
        ok = ok && gv_verdict_make(&v, a, &b, &params, &err) && v.pixels <= count;
        ok = ok && gv_verdict_diff(&diff, a, &b, &params, &err);
    }
    gv_pixels_finish(&diff);
    gv_pixels_finish(&b);
    return ok ? VERDICT_DONE : wrong(why, "compared", &err);
}

enum verdict mutants_picture(const struct mutants_options *o,
                             const struct gv_bytes *mutant, char why[256])
{
    struct gv_pixels pixels;
    struct gv_error err = GV_ERROR_INIT;
    const bool ok =
        gv_pixels_read(&pixels, (struct gv_span){ mutant->data, mutant->size }, &err);
    enum verdict verdict = VERDICT_REFUSED;
    if (ok != (pixels.rgba != NULL) || (!ok && !err.message[0]) ||
        (!ok && err.offset != GV_NO_OFFSET && err.offset > mutant->size))
        verdict = wrong(why, "read", &err);
    else if (ok && (uint64_t)pixels.width * pixels.height > MOST_PIXELS)
        verdict = VERDICT_SKIPPED;
    else if (ok) {
        ++*o->reached;
        verdict = compare(&pixels, why);
    }
    gv_pixels_finish(&pixels);
    return verdict;
}

// What it accepts can be found again, and has hashes that a run can make.
enum verdict mutants_golden(const struct mutants_options *o,
                            const struct gv_bytes *mutant, char why[256])
{
    struct gv_golden golden = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    enum verdict verdict = VERDICT_DONE;
    if (!gv_golden_parse(&golden, "x.tsv", (const char *)mutant->data, mutant->size,
                         &err))
        verdict = strncmp(err.message, "x.tsv: line ", 12) == 0
                      ? VERDICT_REFUSED
                      : wrong(why, "no line", &err);
    else
        ++*o->reached;
    for (size_t i = 0; verdict == VERDICT_DONE && i < golden.count; i++) {
        size_t count;
        const struct gv_golden_line *line = &golden.lines[i];
        const struct gv_golden_line *first =
            gv_golden_find(&golden, line->frame, &count);
        const bool none = strcmp(line->hash, "none") == 0;
        if (!first || first > line || first + count <= line || none != !line->forms)
            verdict = wrong(why, line->frame, &err);
    }
    gv_golden_finish(&golden);
    return verdict;
}
