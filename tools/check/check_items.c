#include "tools/check/check_items.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/input.h"
#include "tools/playable.h"

#define DEPTH_MOST 16 // folders in folders
#define PATH_BYTES 4096

// What is being listed.
struct listing {
    struct gv_check_items *items;
    const struct gv_captures *captures;
    const regex_t *filter; // NULL: all
    size_t begin;          // of names in paths: behind the operand
    struct gv_error *err;
};

// Where the ending begins within the first `length` bytes; `length`: there is none.
static size_t find_ending(const char *name, size_t length)
{
    size_t dot = length;
    while (dot && name[dot - 1] != '.' && name[dot - 1] != '/')
        dot--;
    return dot > 1 && name[dot - 1] == '.' && name[dot - 2] != '/' ? dot - 1 : length;
}

static bool is_ending(const char *text, size_t length, const char *ending)
{
    return strlen(ending) == length && memcmp(text, ending, length) == 0;
}

// Up to the ending, if it has one: of the last part alone. A compile without -o puts
// ".gvp" behind the capture's own ending, and the payload passes as its capture does.
static size_t name_length(const char *name)
{
    static const char *const of_captures[] = { ".aerogputrace", ".gfxr",  ".gfxtrace",
                                               ".psxgpu",       ".trace", ".zst" };
    const size_t length = strlen(name), end = find_ending(name, length);
    if (!is_ending(name + end, length - end, ".gvp"))
        return end;
    const size_t own = find_ending(name, end);
    for (size_t i = 0; i < sizeof of_captures / sizeof *of_captures; i++)
        if (is_ending(name + own, end - own, of_captures[i]))
            return own;
    return end;
}

static bool add(struct listing *l, const char *path, const char *named, bool there)
{
    struct gv_check_items *items = l->items;
    const char *name = gv_arena_copy(&items->arena, named, name_length(named));
    if (!name)
        return gv_out_of_memory(l->err);
    if (l->filter && regexec(l->filter, name, 0, NULL, 0) != 0)
        return true;
    if (items->count == GV_CHECK_ITEMS_MOST)
        return gv_fail(l->err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %zu captures",
                       GV_CHECK_ITEMS_MOST);
    if (items->count == items->capacity) {
        const size_t capacity = items->capacity ? 2 * items->capacity : 64;
        void *grown = realloc(items->items, capacity * sizeof *items->items);
        if (!grown)
            return gv_out_of_memory(l->err);
        items->items = grown;
        items->capacity = capacity;
    }
    const char *file = gv_arena_copy(&items->arena, path, strlen(path));
    if (!file)
        return gv_out_of_memory(l->err);
    items->items[items->count++] =
        (struct gv_check_item){ .file = file, .name = name, .there = there };
    return true;
}

// ---- a folder ----

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct listing *l, const char *path, int depth);

// What cannot be replayed is passed over: folders of captures hold other things too.
static bool add_entry(struct listing *l, const char *folder, const char *name,
                      int depth)
{
    char path[PATH_BYTES];
    struct stat st;
    struct gv_error ignored = GV_ERROR_INIT;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (snprintf(path, sizeof path, "%s%s%s", folder, slash, name) >= (int)sizeof path)
        return gv_fail(l->err, GV_ERR_USAGE, GV_NO_OFFSET, "a path is too long");
    if (lstat(path, &st) != 0)
        return true; // it has gone meanwhile
    if (S_ISDIR(st.st_mode))
        return add_folder(l, path, depth + 1);
    return !gv_is_playable(path, l->captures, &ignored) ||
           add(l, path, path + l->begin, true);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as DEPTH_MOST
static bool add_folder(struct listing *l, const char *path, int depth)
{
    struct dirent **entries = NULL;
    if (depth == DEPTH_MOST)
        return gv_fail(l->err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%.100s: more than %d folders in each other", path, DEPTH_MOST);
    const int count = scandir(path, &entries, visible, by_bytes);
    if (count < 0)
        return gv_fail(l->err, GV_ERR_USAGE, GV_NO_OFFSET, "cannot read %.100s: %s",
                       path, strerror(errno));
    bool ok = true;
    for (int i = 0; i < count; i++) {
        ok = ok && add_entry(l, path, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

// ---- all ----

static bool add_operand(struct listing *l, const char *path)
{
    struct stat st;
    const size_t length = strlen(path);
    const bool there = stat(path, &st) == 0;
    if (strcmp(path, "-") == 0 || !length)
        return gv_fail(l->err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "a file or a folder, not standard input");
    if (there && S_ISDIR(st.st_mode)) {
        l->begin = length + (path[length - 1] != '/');
        return add_folder(l, path, 0);
    }
    l->items->folders = false;
    const char *slash = strrchr(path, '/');
    return add(l, path, slash && slash[1] ? slash + 1 : path,
               there || gv_input_is_url(path));
}

static bool list(struct listing *l, const struct gv_check_wish *wish)
{
    l->items->folders = true;
    for (size_t i = 0; i < wish->count; i++)
        if (!add_operand(l, wish->paths[i]))
            return false;
    if (!l->items->count)
        return gv_fail(l->err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "there is nothing to check%s",
                       wish->filter ? " that fits --filter" : "");
    return true;
}

bool gv_check_items_list(struct gv_check_items *items, const struct gv_check_wish *wish,
                         const struct gv_captures *captures, struct gv_error *err)
{
    regex_t filter;
    struct listing l = { .items = items, .captures = captures, .err = err };
    if (wish->filter) {
        const int wrong = regcomp(&filter, wish->filter, REG_EXTENDED | REG_NOSUB);
        if (wrong) {
            char why[80];
            regerror(wrong, &filter, why, sizeof why);
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--filter: %s", why);
        }
        l.filter = &filter;
    }
    const bool ok = list(&l, wish);
    if (wish->filter)
        regfree(&filter);
    return ok;
}

void gv_check_items_finish(struct gv_check_items *items)
{
    free(items->items);
    gv_arena_finish(&items->arena);
    *items = (struct gv_check_items){ 0 };
}

// An index, and what it is sorted by.
struct place {
    uint64_t ns;
    size_t index;
};

static int longest_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : x->index < y->index ? -1 : 1;
}

size_t *gv_check_items_order(const struct gv_check_items *items)
{
    struct place *places = malloc((items->count + 1) * sizeof *places);
    size_t *order = malloc((items->count + 1) * sizeof *order);
    for (size_t i = 0; places && order && i < items->count; i++)
        places[i] = (struct place){ items->items[i].ns, i };
    if (places && order) {
        qsort(places, items->count, sizeof *places, longest_first);
        for (size_t i = 0; i < items->count; i++)
            order[i] = places[i].index;
    } else {
        free(order);
        order = NULL;
    }
    free(places);
    return order;
}
