#define _GNU_SOURCE // nftw
#include "tools/check/check_goldens.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".tsv"
#define OPEN_FOLDERS 16

// nftw has no context.
static struct walk {
    struct gv_arena *arena;
    size_t begin; // of names in paths
    const char **names;
    size_t count, capacity;
    bool failed;
} walk;

static bool add_name(const char *name, size_t length)
{
    if (walk.count == walk.capacity) {
        const size_t capacity = walk.capacity ? 2 * walk.capacity : 64;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
        void *grown = realloc(walk.names, capacity * sizeof *walk.names);
        if (!grown)
            return false;
        walk.names = grown;
        walk.capacity = capacity;
    }
    const char *copy = gv_arena_copy(walk.arena, name, length);
    if (copy)
        walk.names[walk.count++] = copy;
    return copy;
}

static bool is_of_the_folder(const char *name)
{
    return strcmp(name, "devices" ENDING) == 0 || strcmp(name, "times" ENDING) == 0;
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    const char *name = path + walk.begin;
    const size_t length = strlen(path), ending = strlen(ENDING);
    (void)st;
    (void)where;
    if (kind != FTW_F || length < walk.begin + ending + 1 ||
        strcmp(path + length - ending, ENDING) != 0 || is_of_the_folder(name))
        return 0;
    walk.failed = !add_name(name, strlen(name) - ending);
    return walk.failed;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool lists(const char *const *names, size_t count, const char *name)
{
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    return count && bsearch(&name, names, count, sizeof *names, by_bytes);
}

// Whether the name without its last part, that of a device, is another's.
static bool is_of_device(const char *name, const char *const *items, size_t count)
{
    char base[4096];
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || strchr(dot, '/') || (size_t)(dot - name) >= sizeof base)
        return false;
    memcpy(base, name, (size_t)(dot - name));
    base[dot - name] = '\0';
    return lists(items, count, base) || lists(walk.names, walk.count, base);
}

static bool add_missing(struct gv_check_items *items, const char *name)
{
    struct gv_check_item *grown =
        realloc(items->items, (items->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    items->items = grown;
    items->capacity = items->count + 1;
    grown[items->count++] = (struct gv_check_item){ .file = name, .name = name };
    return true;
}

static bool add_all(struct gv_check_items *items)
{
    const size_t count = items->count;
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    const char **there = malloc((count + 1) * sizeof *there);
    bool ok = there;
    for (size_t i = 0; ok && i < count; i++)
        there[i] = items->items[i].name;
    if (ok && count)
        qsort(there, count, sizeof *there,
              by_bytes); // NOLINT(bugprone-sizeof-expression)
    if (ok && walk.count)
        // NOLINTNEXTLINE(bugprone-sizeof-expression)
        qsort(walk.names, walk.count, sizeof *walk.names, by_bytes);
    for (size_t i = 0; ok && i < walk.count; i++)
        ok = lists(there, count, walk.names[i]) ||
             is_of_device(walk.names[i], there, count) ||
             add_missing(items, walk.names[i]);
    free(there);
    return ok;
}

bool gv_check_goldens_add(struct gv_check_items *items, const char *folder,
                          struct gv_error *err)
{
    const size_t length = strlen(folder);
    walk = (struct walk){ .arena = &items->arena,
                          .begin = length + (folder[length - 1] != '/') };
    const bool walked = nftw(folder, visit, OPEN_FOLDERS, 0) == 0;
    const int error = errno;
    const bool ok = walked && add_all(items);
    free(walk.names);
    if (ok)
        return true;
    return walked || walk.failed
               ? gv_out_of_memory(err)
               : gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "cannot read %.100s: %s",
                         folder, strerror(error));
}
