#include "tools/diff/diff_align.h"

#include <stdlib.h>

// The greedy way of Myers (1986): how far each diagonal comes with so many differences.
struct walk {
    const uint64_t *a, *b;
    ptrdiff_t n, m;
    int32_t *reach;  // of all rounds one behind the other; round d has 2 * d + 1
    uint32_t *match; // [n]
};

static int32_t *round_of(const struct walk *w, ptrdiff_t d)
{
    return w->reach + d * d; // the sum of those before
}

// Diagonal `k` of round `d` begins where one of round d - 1 ended.
static ptrdiff_t begin(const struct walk *w, ptrdiff_t d, ptrdiff_t k)
{
    if (d == 0)
        return 0;
    const int32_t *before = round_of(w, d - 1) + (d - 1);
    if (k == -d || (k != d && before[k - 1] < before[k + 1]))
        return before[k + 1];
    return before[k - 1] + 1;
}

// The round in which all is reached, or -1.
static ptrdiff_t go(struct walk *w, ptrdiff_t most)
{
    for (ptrdiff_t d = 0; d <= most; d++) {
        int32_t *reach = round_of(w, d) + d;
        for (ptrdiff_t k = -d; k <= d; k += 2) {
            ptrdiff_t x = begin(w, d, k);
            while (x < w->n && x - k < w->m && x - k >= 0 && w->a[x] == w->b[x - k])
                x++;
            reach[k] = (int32_t)x;
            if (x >= w->n && x - k >= w->m)
                return d;
        }
    }
    return -1;
}

static void trace(const struct walk *w, ptrdiff_t d)
{
    ptrdiff_t x = w->n, y = w->m;
    for (; d >= 0; d--) {
        const ptrdiff_t k = x - y;
        const ptrdiff_t from = begin(w, d, k);
        for (; x > from; x--)
            if (x - 1 < w->n && x - 1 - k < w->m)
                w->match[x - 1] = (uint32_t)(x - 1 - k);
        if (d == 0)
            return;
        const int32_t *before = round_of(w, d - 1) + (d - 1);
        const bool down = k == -d || (k != d && before[k - 1] < before[k + 1]);
        x = down ? from : from - 1;
        y = x - (down ? k + 1 : k - 1);
    }
}

static bool align_rest(struct walk *w)
{
    ptrdiff_t most = w->n + w->m;
    if (most > (ptrdiff_t)GV_ALIGN_MOST)
        most = GV_ALIGN_MOST;
    w->reach = calloc((size_t)((most + 1) * (most + 1)), sizeof *w->reach);
    if (!w->reach)
        return false;
    const ptrdiff_t d = go(w, most);
    if (d >= 0)
        trace(w, d);
    free(w->reach);
    return true;
}

bool gv_diff_align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                   uint32_t *match)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < a_count; i++)
        match[i] = GV_ALIGN_NONE;
    for (; head < a_count && head < b_count && a[head] == b[head]; head++)
        match[head] = (uint32_t)head;
    for (; tail < a_count - head && tail < b_count - head &&
           a[a_count - 1 - tail] == b[b_count - 1 - tail];
         tail++)
        match[a_count - 1 - tail] = (uint32_t)(b_count - 1 - tail);
    struct walk w = { .a = a + head,
                      .b = b + head,
                      .n = (ptrdiff_t)(a_count - head - tail),
                      .m = (ptrdiff_t)(b_count - head - tail),
                      .match = match + head };
    if (!w.n || !w.m)
        return true;
    if (w.n > INT32_MAX || w.m > INT32_MAX || !align_rest(&w))
        return false;
    for (ptrdiff_t i = 0; i < w.n; i++)
        if (w.match[i] != GV_ALIGN_NONE)
            w.match[i] += (uint32_t)head;
    return true;
}
