#include "tools/check/check_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/check/golden_devices.h"

// Sorted by name.
struct sorted {
    const struct gv_check_item **items; // owned
    size_t count;
};

static int by_name(const void *a, const void *b)
{
    const struct gv_check_item *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static bool has(const struct sorted *sorted, const char *name)
{
    const struct gv_check_item key = { .name = name }, *wanted = &key;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    return bsearch(&wanted, sorted->items, sorted->count, sizeof *sorted->items,
                   by_name);
}

static bool fail_other_use(const struct gv_check_item *item, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "%.60s: %.60s.tsv of the golden folder has another use", item->file,
                   item->name);
}

// Whether the golden file is that of a device, for another capture.
static bool check_device(const struct gv_check_item *item, const struct sorted *sorted,
                         const char *golden, struct gv_error *err)
{
    char base[4096], path[4096 + 8];
    bool known = false;
    const char *dot = strrchr(item->name, '.');
    if (!dot || dot == item->name || strchr(dot, '/') ||
        (size_t)(dot - item->name) >= sizeof base)
        return true;
    snprintf(base, sizeof base, "%.*s", (int)(dot - item->name), item->name);
    if (!has(sorted, base) &&
        (snprintf(path, sizeof path, "%s/%s.tsv", golden, base) >= (int)sizeof path ||
         access(path, F_OK) != 0))
        return true;
    return gv_golden_device_known(&known, dot + 1, golden, err) &&
           (!known || fail_other_use(item, err));
}

static bool check_all(const struct sorted *sorted, const char *golden,
                      struct gv_error *err)
{
    for (size_t i = 0; i < sorted->count; i++) {
        const struct gv_check_item *item = sorted->items[i];
        if (strcmp(item->name, "devices") == 0 || strcmp(item->name, "times") == 0)
            return fail_other_use(item, err);
        if (i && strcmp(sorted->items[i - 1]->name, item->name) == 0)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "%.60s and %.60s have one name in the golden folder",
                           sorted->items[i - 1]->file, item->file);
        if (!check_device(item, sorted, golden, err))
            return false;
    }
    return true;
}

bool gv_check_names(const struct gv_check_items *items, const char *golden,
                    struct gv_error *err)
{
    struct sorted sorted = { .count = items->count };
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    sorted.items = malloc((items->count + 1) * sizeof *sorted.items);
    if (!sorted.items)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < items->count; i++)
        sorted.items[i] = &items->items[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    qsort(sorted.items, sorted.count, sizeof *sorted.items, by_name);
    const bool ok = check_all(&sorted, golden, err);
    free(sorted.items);
    return ok;
}
