// Blocks of one channel as Mesa's compressor makes them: the best of eight levels
// between the ends, six levels and the type's own ends, and the latter with ends that
// are moved.
#include "compiler/texels/block_encode.h"

#include <string.h>

#define GOOD 32      // summed squares below this are good enough
#define FAIR 96      // and below this the third way is not tried
#define NEAR_ENDS 28 // the 28th part of the range beside an end counts as that end

struct values {
    int v[16];
    uint8_t place[16]; // in the block
    int count;
    int lowest, highest; // of the type
};

// A way to code a block.
struct way {
    int ends[2];
    uint8_t codes[16];
    int64_t error;
    bool tried;
};

// The texel at `at` gets a code that is `off` its value.
static void code(struct way *w, uint8_t at, int number, int off)
{
    w->codes[at] = (uint8_t)number;
    w->error += (int64_t)off * off;
}

// Level `step` of `steps` from `from` to `to`, rounded toward zero.
static int level(int from, int to, int step, int steps)
{
    return (from * (steps - step) + to * step) / steps;
}

// Eight levels, the higher end first; a value above a cut belongs to the level above
// it.
static void eight_levels(const struct values *s, int low, int high, struct way *w)
{
    *w = (struct way){ .ends = { high, low }, .tried = true };
    for (int i = 0; i < s->count; i++) {
        const int v = s->v[i];
        int step = 0;
        while (step < 7 && v <= level(high, low, 2 * step + 1, 14))
            step++;
        code(w, s->place[i],
             step == 0   ? 0
             : step == 7 ? 1
                         : step + 1,
             v - level(high, low, step, 7));
    }
}

// The step of six levels from ends[0] up.
static int six_step(int v, const int ends[2])
{
    int step = 0;
    while (step < 5 && v > level(ends[0], ends[1], 2 * step + 1, 10))
        step++;
    return step;
}

static void six_code(struct way *w, uint8_t at, int v)
{
    const int step = six_step(v, w->ends);
    code(w, at,
         step == 0   ? 0
         : step == 5 ? 1
                     : step + 1,
         v - level(w->ends[0], w->ends[1], step, 5));
}

static void six_levels(const struct values *s, int low, int high, struct way *w)
{
    *w = (struct way){ .ends = { low, high }, .tried = true };
    for (int i = 0; i < s->count; i++) {
        const int v = s->v[i];
        if (v == s->lowest || v == s->highest)
            code(w, s->place[i], v == s->lowest ? 6 : 7, 0);
        else
            six_code(w, s->place[i], v);
    }
}

// ---- ends that are moved ----

static bool at_lowest(const int ends[2], int v)
{
    return v <= ends[0] / 2;
}

static bool at_highest(const struct values *s, const int ends[2], int v)
{
    return v > (s->highest + ends[1]) / 2;
}

// Ends that leave out what is close to the type's own.
static void inner_ends(const struct values *s, int range, int ends[2])
{
    ends[0] = s->highest;
    ends[1] = s->lowest;
    for (int i = 0; i < s->count; i++) {
        const int v = s->v[i];
        if (v > ends[1] && v < s->highest - range / NEAR_ENDS)
            ends[1] = v;
        if (v < ends[0] && v > range / NEAR_ENDS)
            ends[0] = v;
    }
    if (ends[1] <= ends[0]) {
        ends[0] = s->lowest + 1;
        ends[1] = s->highest - 1;
    }
}

// Moves the ends by the mean error of the values that are coded between them.
static void balance(const struct values *s, int ends[2])
{
    int sums[2] = { 0, 0 }, counts[2] = { 0, 0 };
    for (int i = 0; i < s->count; i++) {
        const int v = s->v[i];
        if (at_lowest(ends, v) || at_highest(s, ends, v))
            continue;
        const int step = six_step(v, ends), off = v - level(ends[0], ends[1], step, 5);
        for (int e = 0; e < 2; e++)
            if (step != (e ? 0 : 5)) {
                sums[e] += off;
                counts[e]++;
            }
    }
    ends[0] += sums[0] / (counts[0] ? counts[0] : 1);
    ends[1] += sums[1] / (counts[1] ? counts[1] : 1);
    ends[0] = ends[0] < s->lowest ? s->lowest : ends[0];
    ends[1] = ends[1] > s->highest ? s->highest : ends[1];
}

// The error of what is near the lowest end is its distance from zero, also where the
// type is signed: Mesa's choice between the ways depends on it.
static void moved_levels(const struct values *s, int range, struct way *w)
{
    *w = (struct way){ .tried = true };
    inner_ends(s, range, w->ends);
    balance(s, w->ends);
    for (int i = 0; i < s->count; i++) {
        const int v = s->v[i];
        if (at_lowest(w->ends, v))
            code(w, s->place[i], 6, v);
        else if (at_highest(s, w->ends, v))
            code(w, s->place[i], 7, s->highest - v);
        else
            six_code(w, s->place[i], v);
    }
}

// ---- blocks ----

static void put(const struct way *w, uint8_t block[8])
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 16; i++)
        bits |= (uint64_t)w->codes[i] << 3 * i;
    block[0] = (uint8_t)w->ends[0];
    block[1] = (uint8_t)w->ends[1];
    for (int i = 0; i < 6; i++)
        block[2 + i] = (uint8_t)(bits >> 8 * i);
}

void gv_block_encode_channel(int values[4][4], uint32_t width, uint32_t height,
                             int lowest, int highest, uint8_t block[8])
{
    struct values s = { .lowest = lowest, .highest = highest };
    int low = highest, high = lowest; // of values that are no ends of the type
    bool has_lowest = false, has_highest = false;
    for (uint32_t at = 0; at < 16; at++) {
        if (at % 4 >= width || at / 4 >= height)
            continue;
        const int v = values[at / 4][at % 4];
        s.place[s.count] = (uint8_t)at;
        s.v[s.count++] = v;
        has_lowest = has_lowest || v == lowest;
        has_highest = has_highest || v == highest;
        if (v == lowest || v == highest)
            continue;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    struct way ways[3] = { 0 };
    if (low > high && !(has_lowest && has_highest)) { // one value
        ways[0].ends[0] = values[0][0];
        put(&ways[0], block);
        return;
    }
    eight_levels(&s, has_lowest ? lowest : low, has_highest ? highest : high, &ways[0]);
    if (ways[0].error >= GOOD)
        six_levels(&s, low, high, &ways[1]);
    if (ways[0].error > FAIR && ways[1].error > FAIR)
        moved_levels(&s, high - low, &ways[2]);
    const struct way *best = &ways[0];
    for (int i = 1; i < 3; i++)
        if (ways[i].tried && ways[i].error < best->error)
            best = &ways[i];
    put(best, block);
}
