#define _GNU_SOURCE // realpath, readlink
#include "tools/run/run_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 // one after the other, as the kernel has it

// A picture that is a link.
struct link {
    char *end;  // owned; where it leads, without any link
    char *path; // owned; as it will be opened
};

struct links {
    struct link *items; // owned; by `end` once all are there
    size_t count, capacity;
    char *folder, *real; // owned; of the last picture that is none, and where that is
};

// ---- where links lead ----

// Of a folder, before a slash.
static const char *before_slash(const char *folder)
{
    return strcmp(folder, "/") == 0 ? "" : folder;
}

// `path` with its folder free of links. NULL: there is no such folder, or no memory.
static char *real_place(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *folder = parent ? realpath(parent, NULL) : NULL;
    size_t size = folder ? strlen(folder) + strlen(path) + 2 : 0;
    char *place = folder ? malloc(size) : NULL;
    if (place)
        snprintf(place, size, "%s/%s", before_slash(folder), slash ? slash + 1 : path);
    free(parent);
    free(folder);
    return place;
}

// What a link to `target` in the folder of `path` names.
static void follow(char path[GV_RUN_PATH], const char *target)
{
    char next[2 * GV_RUN_PATH];
    const char *slash = strrchr(path, '/');
    int base = slash && target[0] != '/' ? (int)(slash + 1 - path) : 0;
    int length = snprintf(next, sizeof next, "%.*s%s", base, path, target);
    path[0] = '\0';
    if (length > 0 && length < GV_RUN_PATH)
        memcpy(path, next, (size_t)length + 1);
}

// The file that opening a link makes or replaces. NULL: none.
static char *end_of(const char *link)
{
    char path[GV_RUN_PATH], target[GV_RUN_PATH];
    struct stat st;
    if (stat(link, &st) == 0)
        return S_ISREG(st.st_mode) ? realpath(link, NULL) : NULL;
    snprintf(path, sizeof path, "%s", link);
    for (int i = 0; i < MOST_LINKS && path[0]; i++) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0)
            return real_place(path);
        target[length] = '\0';
        follow(path, target);
    }
    return NULL;
}

// ---- all of them ----

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static bool collect(void *context, const char *path, struct gv_error *err)
{
    struct links *all = context;
    char *end = is_link(path) ? end_of(path) : NULL;
    if (!end)
        return true;
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 16;
        void *grown = realloc(all->items, capacity * sizeof *all->items);
        if (!grown) {
            free(end);
            return gv_out_of_memory(err);
        }
        all->items = grown;
        all->capacity = capacity;
    }
    struct link *added = &all->items[all->count++];
    *added = (struct link){ end, strdup(path) };
    return added->path || gv_out_of_memory(err);
}

static int compare(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    return strcmp(x->end, y->end);
}

static bool fail_same(const char *one, const char *other, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "two pictures are one file: %.64s and %.64s", one, other);
}

// Pictures come folder by folder: each is looked up once.
static bool enter_folder(struct links *all, const char *path, size_t length)
{
    if (all->folder && strncmp(all->folder, path, length) == 0 && !all->folder[length])
        return all->real;
    free(all->folder);
    free(all->real);
    all->folder = strndup(path, length);
    all->real = all->folder ? realpath(all->folder, NULL) : NULL;
    return all->real;
}

// Whether a link leads to a picture that is none.
static bool meet(void *context, const char *path, struct gv_error *err)
{
    struct links *all = context;
    char name[2 * GV_RUN_PATH];
    const size_t length = (size_t)(strrchr(path, '/') - path); // a plan's: in a folder
    if (is_link(path) || !enter_folder(all, path, length ? length : 1))
        return true;
    snprintf(name, sizeof name, "%s%s", before_slash(all->real), path + length);
    const struct link key = { .end = name };
    const struct link *same =
        bsearch(&key, all->items, all->count, sizeof *all->items, compare);
    return !same || fail_same(same->path, path, err);
}

bool gv_run_links_check(const struct gv_run_plan *plan,
                        const struct gv_run_options *options, struct gv_error *err)
{
    struct links all = { 0 };
    bool ok = gv_run_plan_each_picture(plan, options, collect, &all, err);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare);
    for (size_t i = 1; ok && i < all.count; i++)
        if (compare(&all.items[i - 1], &all.items[i]) == 0)
            ok = fail_same(all.items[i - 1].path, all.items[i].path, err);
    if (ok && all.count)
        ok = gv_run_plan_each_picture(plan, options, meet, &all, err);
    for (size_t i = 0; i < all.count; i++) {
        free(all.items[i].end);
        free(all.items[i].path);
    }
    free(all.items);
    free(all.folder);
    free(all.real);
    return ok;
}
