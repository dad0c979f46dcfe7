#include "tools/results/result_against.h"

#include <stdlib.h>
#include <string.h>

#define SLOWER 1.5
#define SLOWER_NS 1e8

static int by_name(const void *a, const void *b)
{
    const struct gv_result *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct earlier {
    const struct gv_result **sorted; // owned
    size_t count;
    double middle; // of the ratios of times
};

static const struct gv_result *find(const struct earlier *e, const struct gv_result *r)
{
    const struct gv_result *const *found =
        // NOLINTNEXTLINE(bugprone-sizeof-expression)
        bsearch(&r, e->sorted, e->count, sizeof *e->sorted, by_name);
    return found ? *found : NULL;
}

static double ratio(const struct gv_result *now, const struct gv_result *then)
{
    return now->ns && then && then->ns ? (double)now->ns / (double)then->ns : 0;
}

// Machines differ, and what else they do: the ratio in the middle is their share.
static bool find_middle(struct earlier *e, const struct gv_results *results,
                        struct gv_error *err)
{
    double *ratios = malloc((results->count + 1) * sizeof *ratios);
    if (!ratios)
        return gv_out_of_memory(err);
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct gv_result *r = &results->items[i];
        ratios[count] = ratio(r, find(e, r));
        count += ratios[count] > 0;
    }
    qsort(ratios, count, sizeof *ratios, by_size);
    e->middle = count ? ratios[count / 2] : 1;
    free(ratios);
    return true;
}

// What is expected to fail, or was skipped, does not pass for that.
static bool passes(enum gv_word word)
{
    return word == GV_WORD_PASS || word == GV_WORD_UNEXPECTED_PASS;
}

static enum gv_change judge(const struct earlier *e, const struct gv_result *now)
{
    const struct gv_result *then = find(e, now);
    if (!then)
        return GV_CHANGE_NEW;
    const bool good = gv_word_is_expected(now->word);
    if (good && passes(now->word) && !passes(then->word))
        return GV_CHANGE_PASSES;
    if (!good && gv_word_is_expected(then->word))
        return GV_CHANGE_FAILS;
    const double expected = (double)then->ns * e->middle;
    const double more = (double)now->ns - expected;
    return good && ratio(now, then) > SLOWER * e->middle && more > SLOWER_NS
               ? GV_CHANGE_SLOWER
               : GV_CHANGE_NONE;
}

bool gv_result_against(struct gv_results *results, const struct gv_results *earlier,
                       struct gv_error *err)
{
    struct earlier e = { .count = earlier->count };
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    e.sorted = malloc((e.count + 1) * sizeof *e.sorted);
    if (!e.sorted)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < e.count; i++)
        e.sorted[i] = &earlier->items[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    qsort(e.sorted, e.count, sizeof *e.sorted, by_name);
    const bool ok = find_middle(&e, results, err);
    for (size_t i = 0; ok && i < results->count; i++)
        results->items[i].change = judge(&e, &results->items[i]);
    free(e.sorted);
    return ok;
}
