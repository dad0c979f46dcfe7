#include "tools/verdict/flip_filter.h"

#include <math.h>

#define PI 3.14159265358979323846
#define FEATURE_WIDTH 0.082 // degrees: twice the deviation of the edge detector

// Table 1 of the paper: contrast sensitivity as sums of Gaussians.
#define B_A 0.0047
#define B_RG 0.0053
#define A_BY 34.1
#define B_BY 0.04
#define A_BY_WIDE 13.5
#define B_BY_WIDE 0.025

// Weights of exp(-pi^2 d^2 / b), d in degrees, of sum 1. Returns the sum before.
static double gaussian(float weights[GV_FLIP_TAPS], double b)
{
    double values[GV_FLIP_TAPS], sum = 0;
    for (int i = 0; i < GV_FLIP_TAPS; i++) {
        const double d = (i - GV_FLIP_RADIUS) / GV_FLIP_PIXELS_PER_DEGREE;
        values[i] = exp(-PI * PI * d * d / b);
        sum += values[i];
    }
    for (int i = 0; i < GV_FLIP_TAPS; i++)
        weights[i] = (float)(values[i] / sum);
    return sum;
}

// Positive values become weights of sum 1, negative ones of sum -1.
static void balance(float weights[GV_FLIP_TAPS], const double values[GV_FLIP_TAPS])
{
    double above = 0, below = 0;
    for (int i = 0; i < GV_FLIP_TAPS; i++) {
        above += values[i] > 0 ? values[i] : 0;
        below -= values[i] < 0 ? values[i] : 0;
    }
    for (int i = 0; i < GV_FLIP_TAPS; i++)
        weights[i] = (float)(values[i] < 0 ? values[i] / below : values[i] / above);
}

static void features(struct gv_flip_filters *filters)
{
    const double deviation = 0.5 * FEATURE_WIDTH * GV_FLIP_PIXELS_PER_DEGREE;
    const int radius = (int)ceil(3 * deviation);
    double smooth[GV_FLIP_TAPS] = { 0 }, edge[GV_FLIP_TAPS] = { 0 };
    double point[GV_FLIP_TAPS] = { 0 };
    for (int x = -radius; x <= radius; x++) {
        const double steps = x / deviation, g = exp(-steps * steps / 2);
        smooth[x + GV_FLIP_RADIUS] = g;
        edge[x + GV_FLIP_RADIUS] = -x * g;
        point[x + GV_FLIP_RADIUS] = (steps * steps - 1) * g;
    }
    balance(filters->weights[GV_FLIP_SMOOTH], smooth);
    balance(filters->weights[GV_FLIP_EDGE], edge);
    balance(filters->weights[GV_FLIP_POINT], point);
}

void gv_flip_filters_init(struct gv_flip_filters *filters)
{
    gaussian(filters->weights[GV_FLIP_A], B_A);
    gaussian(filters->weights[GV_FLIP_RG], B_RG);
    const double narrow = gaussian(filters->weights[GV_FLIP_BY], B_BY);
    const double wide = gaussian(filters->weights[GV_FLIP_BY_WIDE], B_BY_WIDE);
    const double by = A_BY * sqrt(PI / B_BY) * narrow * narrow;
    const double by_wide = A_BY_WIDE * sqrt(PI / B_BY_WIDE) * wide * wide;
    filters->share_by = (float)(by / (by + by_wide));
    filters->share_by_wide = (float)(by_wide / (by + by_wide));
    features(filters);
}
