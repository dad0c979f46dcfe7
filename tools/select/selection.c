#include "tools/select/selection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t number;
    bool named;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

// The numbers of an item: [*first, *last] in steps; false if it has none.
static bool item_range(const struct gv_set_item *item, uint64_t total, uint64_t *first,
                       uint64_t *last)
{
    *first = item->kind == GV_SET_RANGE || item->kind == GV_SET_OPEN ? item->first : 0;
    *last = item->kind == GV_SET_RANGE ? item->last : total - 1;
    if (item->kind == GV_SET_LAST)
        *first = *last;
    if (item->kind == GV_SET_END || (item->kind == GV_SET_ALL && total == 0))
        return false;
    return true;
}

static bool check_range(const struct gv_set_item *item, uint64_t total,
                        const char *what, struct gv_error *err)
{
    uint64_t first, last;
    if (!item_range(item, total, &first, &last))
        return true;
    if (total > 0 && first < total && last < total)
        return true;
    if (item->kind == GV_SET_LAST)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "there is no last %s", what);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "%s %" PRIu64 " is out of range: there are %" PRIu64, what,
                   first < total ? last : first, total);
}

// The members that an item of a kind selects are added to `entries`, unless NULL.
static uint64_t fill_members(const struct gv_set *set, const struct gv_set_item *item,
                             uint64_t total, struct entry *entries)
{
    uint64_t first, last, count = 0, met = 0;
    if (!item_range(item, total, &first, &last))
        return 0;
    for (size_t i = 0; i < set->member_count; i++) {
        const struct gv_set_member *m = &set->members[i];
        if (!(m->kinds & item->kinds) || m->number < first || m->number > last ||
            met++ % item->step)
            continue;
        if (entries)
            entries[count] = (struct entry){ m->number, false };
        count++;
    }
    return count;
}

static uint64_t count_item(const struct gv_set *set, const struct gv_set_item *item,
                           uint64_t total)
{
    uint64_t first, last;
    if (item->kinds)
        return fill_members(set, item, total, NULL);
    return item_range(item, total, &first, &last) ? (last - first) / item->step + 1 : 0;
}

static bool count_numbers(const struct gv_set *set, uint64_t total, const char *what,
                          size_t *count, struct gv_error *err)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item any = { .kind = GV_SET_ALL,
                                         .step = 1,
                                         .kinds = set->items[i].kinds };
        if (any.kinds && !fill_members(set, &any, total, NULL))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "no %s is known to be of a kind that the SET names", what);
        if (!check_range(&set->items[i], total, what, err))
            return false;
        uint64_t numbers = count_item(set, &set->items[i], total);
        if (numbers > GV_SET_MAX_NUMBERS || sum + numbers > GV_SET_MAX_NUMBERS)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a SET of over %zu %ss",
                           GV_SET_MAX_NUMBERS, what);
        sum += numbers;
    }
    *count = (size_t)sum;
    return true;
}

static size_t fill_entries(const struct gv_set *set, uint64_t total,
                           struct entry *entries, bool *end)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item *item = &set->items[i];
        uint64_t first, last;
        *end |= item->kind == GV_SET_END;
        if (item->kinds) {
            count += (size_t)fill_members(set, item, total, entries + count);
            continue;
        }
        if (!item_range(item, total, &first, &last))
            continue;
        bool named = item->kind == GV_SET_RANGE || item->kind == GV_SET_LAST;
        uint64_t numbers = (last - first) / item->step + 1;
        for (uint64_t n = 0; n < numbers; n++)
            entries[count++] = (struct entry){ first + n * item->step, named };
    }
    return count;
}

bool gv_set_resolve(const struct gv_set *set, uint64_t total, const char *what,
                    struct gv_selection *out, struct gv_error *err)
{
    *out = (struct gv_selection){ 0 };
    size_t count = 0;
    if (!count_numbers(set, total, what, &count, err))
        return false;
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    out->numbers = malloc((count + 1) * sizeof *out->numbers);
    out->named = malloc((count + 1) * sizeof *out->named);
    if (!entries || !out->numbers || !out->named) {
        free(entries);
        gv_selection_finish(out);
        return gv_out_of_memory(err);
    }
    count = fill_entries(set, total, entries, &out->end);
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        if (out->count && out->numbers[out->count - 1] == entries[i].number) {
            out->named[out->count - 1] |= entries[i].named;
            continue;
        }
        out->numbers[out->count] = entries[i].number;
        out->named[out->count++] = entries[i].named;
    }
    free(entries);
    return true;
}

bool gv_selection_copy(const struct gv_selection *from, struct gv_selection *to,
                       struct gv_error *err)
{
    *to = (struct gv_selection){ .count = from->count, .end = from->end };
    to->numbers = malloc((from->count + 1) * sizeof *to->numbers);
    to->named = calloc(from->count + 1, sizeof *to->named);
    if (!to->numbers || !to->named)
        return gv_out_of_memory(err);
    if (from->count)
        memcpy(to->numbers, from->numbers, from->count * sizeof *to->numbers);
    return true;
}

void gv_selection_finish(struct gv_selection *selection)
{
    free(selection->numbers);
    free(selection->named);
    *selection = (struct gv_selection){ 0 };
}

ptrdiff_t gv_selection_find(const struct gv_selection *selection, uint64_t number)
{
    size_t low = 0, high = selection->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (selection->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool here = low < selection->count && selection->numbers[low] == number;
    return here ? (ptrdiff_t)low : -1;
}
