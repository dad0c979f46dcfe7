#include "tools/verdict/flip.h"

#include <math.h>
#include <stdlib.h>

#include "tools/verdict/flip_color.h"
#include "tools/verdict/flip_filter.h"
#include "tools/verdict/pixel_difference.h"

#define ROWS 32 // of pixels at a time
#define BAND_ROWS (ROWS + 2 * GV_FLIP_RADIUS)
#define BINS 65535 // of differences from 0 to 1

// A picture on its way: its rows filtered from left to right, for what is filtered from
// top to bottom of them.
struct band {
    const struct gv_pixels *pixels;
    float *planes[GV_FLIP_PLANES]; // [BAND_ROWS][width]
};

struct flip {
    const struct gv_pixels *expected, *mask;
    struct gv_flip_filters filters;
    struct gv_flip_colors colors;
    struct band bands[2]; // of what is expected, and of the other
    float *memory;        // owned: of the bands, and of a row
    float *row[3];        // YyCxCz, with a margin on both sides
    uint64_t bins[BINS + 1];
    uint64_t count;
    double sum;
};

static uint32_t clamp(int64_t at, uint32_t size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : (uint32_t)at;
}

// A row of a picture in opponent colors. Masked pixels are those that are expected.
static void read_row(struct flip *f, const struct band *band, uint32_t y)
{
    const uint32_t width = f->expected->width;
    for (uint32_t i = 0; i < width + 2 * GV_FLIP_RADIUS; i++) {
        const size_t at =
            ((size_t)y * width + clamp((int64_t)i - GV_FLIP_RADIUS, width)) * 4;
        const bool masked = gv_pixel_masked(f->mask, at);
        float color[3];
        gv_flip_opponent(&f->colors, (masked ? f->expected : band->pixels)->rgba + at,
                         color);
        for (int c = 0; c < 3; c++)
            f->row[c][i] = color[c];
    }
}

static void filter_across(struct flip *f, const struct band *band, uint32_t band_row)
{
    static const int channels[GV_FLIP_PLANES] = {
        [GV_FLIP_A] = 0,       [GV_FLIP_RG] = 1,     [GV_FLIP_BY] = 2,
        [GV_FLIP_BY_WIDE] = 2, [GV_FLIP_SMOOTH] = 0, [GV_FLIP_EDGE] = 0,
        [GV_FLIP_POINT] = 0,
    };
    const uint32_t width = f->expected->width;
    for (int p = 0; p < GV_FLIP_PLANES; p++) {
        const float *from = f->row[channels[p]], *weights = f->filters.weights[p];
        float *to = band->planes[p] + (size_t)band_row * width;
        for (uint32_t x = 0; x < width; x++) {
            float sum = 0;
            for (uint32_t i = 0; i < GV_FLIP_TAPS; i++)
                sum += weights[i] * from[x + i];
            to[x] = sum;
        }
    }
}

// A plane filtered from top to bottom by the weights of `by`, at column x.
static float filter_down(const struct flip *f, const struct band *band, int plane,
                         int by, size_t at)
{
    const float *from = band->planes[plane] + at, *weights = f->filters.weights[by];
    float sum = 0;
    for (int i = 0; i < GV_FLIP_TAPS; i++)
        sum += weights[i] * from[(size_t)i * f->expected->width];
    return sum;
}

// What is seen at a pixel.
struct seen {
    float lab[3];
    float edge, point; // how strong an edge, a point
};

static struct seen see(const struct flip *f, const struct band *band, size_t at)
{
    const struct gv_flip_filters *by = &f->filters;
    const float opponent[3] = {
        filter_down(f, band, GV_FLIP_A, GV_FLIP_A, at),
        filter_down(f, band, GV_FLIP_RG, GV_FLIP_RG, at),
        by->share_by * filter_down(f, band, GV_FLIP_BY, GV_FLIP_BY, at) +
            by->share_by_wide *
                filter_down(f, band, GV_FLIP_BY_WIDE, GV_FLIP_BY_WIDE, at),
    };
    struct seen seen = {
        .edge = hypotf(filter_down(f, band, GV_FLIP_EDGE, GV_FLIP_SMOOTH, at),
                       filter_down(f, band, GV_FLIP_SMOOTH, GV_FLIP_EDGE, at)),
        .point = hypotf(filter_down(f, band, GV_FLIP_POINT, GV_FLIP_SMOOTH, at),
                        filter_down(f, band, GV_FLIP_SMOOTH, GV_FLIP_POINT, at)),
    };
    gv_flip_lab(opponent, seen.lab);
    // Weights are those of luminance, the planes hold 116 times as much.
    seen.edge /= 116;
    seen.point /= 116;
    return seen;
}

static float difference(const struct flip *f, size_t at)
{
    const struct seen a = see(f, &f->bands[0], at), b = see(f, &f->bands[1], at);
    const float color = gv_flip_color_difference(&f->colors, a.lab, b.lab);
    const float edge = fabsf(a.edge - b.edge), point = fabsf(a.point - b.point);
    const float feature = fminf(sqrtf(fmaxf(edge, point) / sqrtf(2)), 1);
    return powf(color, 1 - feature);
}

static void look(struct flip *f, uint32_t first)
{
    const uint32_t width = f->expected->width, height = f->expected->height;
    const uint32_t rows = height - first < ROWS ? height - first : ROWS;
    for (uint32_t row = 0; row < rows + 2 * GV_FLIP_RADIUS; row++)
        for (int i = 0; i < 2; i++) {
            read_row(f, &f->bands[i],
                     clamp((int64_t)first + row - GV_FLIP_RADIUS, height));
            filter_across(f, &f->bands[i], row);
        }
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < width; x++) {
            if (gv_pixel_masked(f->mask, ((size_t)(first + y) * width + x) * 4))
                continue;
            const float off = difference(f, (size_t)y * width + x);
            f->bins[lroundf(off * BINS)]++;
            f->sum += off;
            f->count++;
        }
}

static double percentile99(const struct flip *f)
{
    const uint64_t wanted = f->count - f->count / 100;
    uint64_t met = 0;
    for (int i = 0; i < BINS; i++) {
        met += f->bins[i];
        if (met >= wanted)
            return (double)i / BINS;
    }
    return 1;
}

static bool take_memory(struct flip *f)
{
    const size_t width = f->expected->width, plane = width * BAND_ROWS;
    const size_t row = width + (size_t)2 * GV_FLIP_RADIUS;
    f->memory = malloc((plane * 2 * GV_FLIP_PLANES + row * 3) * sizeof *f->memory);
    if (!f->memory)
        return false;
    float *at = f->memory;
    for (int i = 0; i < 2; i++)
        for (int p = 0; p < GV_FLIP_PLANES; p++, at += plane)
            f->bands[i].planes[p] = at;
    for (int c = 0; c < 3; c++, at += row)
        f->row[c] = at;
    return true;
}

bool gv_flip(const struct gv_pixels *expected, const struct gv_pixels *actual,
             const struct gv_pixels *mask, double *mean, double *p99)
{
    struct flip *f = calloc(1, sizeof *f);
    if (!f)
        return false;
    f->expected = expected;
    f->mask = mask;
    f->bands[0].pixels = expected;
    f->bands[1].pixels = actual;
    const bool ok = take_memory(f);
    if (ok) {
        gv_flip_filters_init(&f->filters);
        gv_flip_colors_init(&f->colors);
        for (uint32_t y = 0; y < expected->height; y += ROWS)
            look(f, y);
        *mean = f->count ? f->sum / (double)f->count : 0;
        *p99 = f->count ? percentile99(f) : 0;
    }
    free(f->memory);
    free(f);
    return ok;
}
