#include "tools/verdict/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/verdict/flip.h"
#include "tools/verdict/pixel_difference.h"

const unsigned gv_verdict_steps[GV_VERDICT_STEPS] = { 0, 1, 2, 8 };

bool gv_verdict_same_size(const struct gv_verdict *verdict)
{
    return verdict->width == verdict->actual_width &&
           verdict->height == verdict->actual_height;
}

double gv_verdict_share(const struct gv_verdict *verdict, uint64_t count)
{
    return verdict->pixels ? 100.0 * (double)count / (double)verdict->pixels : 0;
}

static double share_of_drawn(const struct gv_verdict *v)
{
    return v->drawn ? 100.0 * (double)v->drawn_beyond / (double)v->drawn : 0;
}

// What a row of pixels adds to the figures.
struct sums {
    struct gv_verdict *v;
    const struct gv_verdict_params *params;
    double squares;
};

static void meet(struct sums *s, uint32_t x, uint32_t y, unsigned off)
{
    struct gv_verdict *v = s->v;
    v->pixels++;
    v->beyond += off > s->params->tolerance.levels;
    if (off == 0)
        return;
    if (v->off[0] == 0) {
        v->left = v->right = x;
        v->top = y;
    }
    v->left = x < v->left ? x : v->left;
    v->right = x > v->right ? x : v->right;
    v->bottom = y;
    for (int i = 0; i < GV_VERDICT_STEPS; i++)
        v->off[i] += off > gv_verdict_steps[i];
    if (off > v->largest) {
        v->largest = off;
        v->largest_x = x;
        v->largest_y = y;
    }
}

static void look(struct sums *s, const struct gv_pixels *expected,
                 const struct gv_pixels *actual)
{
    const struct gv_pixels *mask = s->params->mask;
    const int channels = gv_pixel_channels(s->params->alpha);
    for (uint32_t y = 0; y < expected->height; y++)
        for (uint32_t x = 0; x < expected->width; x++) {
            const size_t at = ((size_t)y * expected->width + x) * 4;
            if (gv_pixel_masked(mask, at))
                continue;
            const uint8_t *a = expected->rgba + at, *b = actual->rgba + at;
            for (int c = 0; c < channels; c++)
                s->squares += (double)((a[c] - b[c]) * (a[c] - b[c]));
            meet(s, x, y, gv_pixel_off(a, b, channels));
        }
    const double count = (double)s->v->pixels * channels;
    s->v->psnr = s->squares > 0 ? 10 * log10(255.0 * 255.0 * count / s->squares)
                                : (double)INFINITY;
}

// Which pixels are drawn: asked where some pixel is beyond the tolerance's levels.
static bool look_at_drawn(struct sums *s, const struct gv_pixels *expected,
                          const struct gv_pixels *actual, struct gv_error *err)
{
    const struct gv_pixels *mask = s->params->mask;
    const size_t count = (size_t)expected->width * expected->height;
    uint32_t common;
    if (!gv_pixel_commonest(expected, mask, &common))
        return gv_out_of_memory(err);
    for (size_t at = 0; at < 4 * count; at += 4) {
        const uint8_t *a = expected->rgba + at;
        if (gv_pixel_masked(mask, at) || gv_pixel_color(a) == common)
            continue;
        s->v->drawn++;
        s->v->drawn_beyond +=
            gv_pixel_off(a, actual->rgba + at, gv_pixel_channels(s->params->alpha)) >
            s->params->tolerance.levels;
    }
    return true;
}

// Says why not, the first reason alone.
static void decide_levels(struct gv_verdict *v, const struct gv_tolerance *t)
{
    if (gv_verdict_share(v, v->beyond) > t->share)
        snprintf(v->why, sizeof v->why,
                 "%" PRIu64 " of %" PRIu64
                 " pixels are off by more than %u levels (at most %g %%)",
                 v->beyond, v->pixels, t->levels, t->share);
    else if (share_of_drawn(v) > t->share_of_drawn && t->share > 0)
        snprintf(v->why, sizeof v->why,
                 "%" PRIu64 " of %" PRIu64
                 " drawn pixels are off by more than %u levels (at most %g %%)",
                 v->drawn_beyond, v->drawn, t->levels, t->share_of_drawn);
}

static void decide_perceptual(struct gv_verdict *v, const struct gv_tolerance *t)
{
    if (v->flip_mean > t->mean)
        snprintf(v->why, sizeof v->why, "the mean FLIP difference is %.4f (at most %g)",
                 v->flip_mean, t->mean);
    else if (v->flip_p99 > t->p99)
        snprintf(v->why, sizeof v->why,
                 "the 99th percentile of FLIP differences is %.4f (at most %g)",
                 v->flip_p99, t->p99);
}

bool gv_verdict_make(struct gv_verdict *verdict, const struct gv_pixels *expected,
                     const struct gv_pixels *actual,
                     const struct gv_verdict_params *params, struct gv_error *err)
{
    const struct gv_pixels *mask = params->mask;
    const struct gv_tolerance *t = &params->tolerance;
    *verdict = (struct gv_verdict){ .width = expected->width,
                                    .height = expected->height,
                                    .actual_width = actual->width,
                                    .actual_height = actual->height };
    if (mask && (mask->width != expected->width || mask->height != expected->height))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "the mask is %ux%u, the picture %ux%u", mask->width,
                       mask->height, expected->width, expected->height);
    if (!gv_verdict_same_size(verdict)) {
        snprintf(verdict->why, sizeof verdict->why, "%ux%u, not %ux%u", actual->width,
                 actual->height, expected->width, expected->height);
        return true;
    }
    struct sums sums = { .v = verdict, .params = params };
    look(&sums, expected, actual);
    if (verdict->beyond && !look_at_drawn(&sums, expected, actual, err))
        return false;
    verdict->perceptual = params->perceptual || t->kind == GV_TOLERANCE_PERCEPTUAL;
    if (verdict->perceptual && verdict->off[0] &&
        !gv_flip(expected, actual, mask, &verdict->flip_mean, &verdict->flip_p99))
        return gv_out_of_memory(err);
    if (t->kind == GV_TOLERANCE_PERCEPTUAL)
        decide_perceptual(verdict, t);
    else
        decide_levels(verdict, t);
    verdict->pass = !verdict->why[0];
    return true;
}
