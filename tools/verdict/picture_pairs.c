#include "tools/verdict/picture_pairs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "resources/base/path_kind.h"
#include "tools/verdict/pixels.h"

#define DEPTH_MOST 16 // folders in folders

// Names of a folder's pictures, and of those in folders below it, sorted.
struct names {
    char **items; // owned, and each of them
    size_t count, capacity;
};

static void finish(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free((void *)names->items);
    *names = (struct names){ 0 };
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity ? 2 * names->capacity : 64;
        char **grown = realloc((void *)names->items, capacity * sizeof(char *));
        if (!grown)
            return false;
        names->items = grown;
        names->capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy)
        names->items[names->count++] = copy;
    return copy;
}

static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

// A folder whose pictures are listed, and how deep it lies below the first.
struct place {
    const char *path;
    size_t begin; // of names in paths
    int depth;
};

static bool list_folder(struct names *names, const struct place *place,
                        struct gv_error *err);

// Links to folders are passed over: they may lead round and round.
static bool list_entry(struct names *names, const struct place *place, const char *name,
                       struct gv_error *err)
{
    struct stat st;
    char *path = join(place->path, name);
    if (!path)
        return gv_out_of_memory(err);
    bool ok = true;
    if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
        ok = list_folder(names, &(struct place){ path, place->begin, place->depth + 1 },
                         err);
    else if (gv_pixels_named(name))
        ok = add_name(names, path + place->begin) || gv_out_of_memory(err);
    free(path);
    return ok;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as DEPTH_MOST
static bool list_folder(struct names *names, const struct place *place,
                        struct gv_error *err)
{
    if (place->depth == DEPTH_MOST)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%.100s: more than %d folders in each other", place->path,
                       DEPTH_MOST);
    DIR *dir = opendir(place->path);
    if (!dir)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "cannot read %.100s: %s",
                       place->path, strerror(errno));
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            ok = list_entry(names, place, entry->d_name, err);
    closedir(dir);
    return ok;
}

static bool list(struct names *names, const char *folder, struct gv_error *err)
{
    const bool ok =
        list_folder(names, &(struct place){ folder, strlen(folder) + 1, 0 }, err);
    if (names->count)
        qsort((void *)names->items, names->count, sizeof(char *), by_text);
    return ok;
}

// Folders: a name that one of them lacks is a pair of one.
static bool match(struct gv_picture_pairs *pairs, const char *const folders[2],
                  const struct names names[2], struct gv_error *err)
{
    size_t at[2] = { 0, 0 };
    pairs->items = calloc(names[0].count + names[1].count, sizeof *pairs->items);
    if (!pairs->items)
        return gv_out_of_memory(err);
    while (at[0] < names[0].count || at[1] < names[1].count) {
        const int order = at[0] == names[0].count ? 1
                          : at[1] == names[1].count
                              ? -1
                              : strcmp(names[0].items[at[0]], names[1].items[at[1]]);
        const bool in[2] = { order <= 0, order >= 0 };
        const char *name = in[0] ? names[0].items[at[0]] : names[1].items[at[1]];
        struct gv_picture_pair *pair = &pairs->items[pairs->count++];
        pair->name = strdup(name);
        pair->expected = in[0] ? join(folders[0], name) : NULL;
        pair->actual = in[1] ? join(folders[1], name) : NULL;
        if (!pair->name || !pair->expected != !in[0] || !pair->actual != !in[1])
            return gv_out_of_memory(err);
        at[0] += in[0];
        at[1] += in[1];
    }
    return true;
}

static bool find_in_folders(struct gv_picture_pairs *pairs,
                            const char *const folders[2], struct gv_error *err)
{
    struct names names[2] = { 0 };
    bool ok = list(&names[0], folders[0], err) && list(&names[1], folders[1], err);
    if (ok && !names[0].count && !names[1].count)
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                     "no picture in %.64s, and none in %.64s", folders[0], folders[1]);
    ok = ok && match(pairs, folders, names, err);
    finish(&names[0]);
    finish(&names[1]);
    return ok;
}

static bool take_two(struct gv_picture_pairs *pairs, const char *const paths[2],
                     struct gv_error *err)
{
    pairs->items = calloc(1, sizeof *pairs->items);
    if (!pairs->items)
        return gv_out_of_memory(err);
    pairs->count = 1;
    *pairs->items = (struct gv_picture_pair){ strdup(paths[1]), strdup(paths[0]),
                                              strdup(paths[1]) };
    return (pairs->items->name && pairs->items->expected && pairs->items->actual) ||
           gv_out_of_memory(err);
}

bool gv_picture_pairs_find(struct gv_picture_pairs *pairs, const char *expected,
                           const char *actual, struct gv_error *err)
{
    const char *const paths[2] = { expected, actual };
    const bool folder[2] = { gv_path_kind(expected) == GV_PATH_FOLDER,
                             gv_path_kind(actual) == GV_PATH_FOLDER };
    *pairs = (struct gv_picture_pairs){ .folders = folder[0] };
    if (folder[0] != folder[1])
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%.64s is a folder, and %.64s is none", paths[folder[0] ? 0 : 1],
                       paths[folder[0] ? 1 : 0]);
    return folder[0] ? find_in_folders(pairs, paths, err) : take_two(pairs, paths, err);
}

void gv_picture_pairs_finish(struct gv_picture_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->items[i].name);
        free(pairs->items[i].expected);
        free(pairs->items[i].actual);
    }
    free(pairs->items);
    *pairs = (struct gv_picture_pairs){ 0 };
}
