#include "resources/store_walk.h"

#include "resources/store_lock.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_DIGITS (GV_HASH_HEX - 1)

// What a name in the fan-out folder `first` says. False: nothing of ours.
static bool parse_name(const char *name, unsigned first, struct gv_store_entry *entry)
{
    char hex[GV_HASH_HEX] = "";
    if (strlen(name) < NAME_DIGITS + 4 || memcmp(name + NAME_DIGITS, ".zst", 4) != 0)
        return false;
    memcpy(hex, name, NAME_DIGITS);
    if (!gv_hash_from_hex(hex, &entry->hash) || entry->hash.bytes[0] != first)
        return false;
    char again[GV_HASH_HEX];
    gv_hash_to_hex(&entry->hash, again);
    const char *rest = name + NAME_DIGITS + 4;
    entry->leftover = *rest != '\0'; // ".PID-NUMBER" of gv_file_keep
    return strcmp(again, hex) == 0 && (*rest == '\0' || *rest == '.');
}

// ---- one folder ----

struct names {
    char **items; // owned, and each of them
    size_t count, capacity;
};

static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 64;
        void *grown = realloc(names->items, capacity * sizeof *names->items);
        if (!grown)
            return false;
        names->items = grown;
        names->capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy)
        names->items[names->count++] = copy;
    return copy != NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void finish_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

static bool list(const char *path, struct names *names, struct gv_error *err)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT || errno == ENOTDIR ||
               gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "cannot list %s: %s", path,
                       strerror(errno));
    bool ok = true;
    for (const struct dirent *e; ok && (e = readdir(folder));)
        ok = e->d_name[0] == '.' || add_name(names, e->d_name);
    closedir(folder);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
    return ok || gv_out_of_memory(err);
}

static uint64_t age_of(const struct stat *st)
{
    time_t now = time(NULL);
    return now > st->st_mtime ? (uint64_t)(now - st->st_mtime) : 0;
}

struct walk {
    gv_store_visit visit;
    void *context;
    char *path; // owned; room for any file's
    size_t room;
};

static bool visit_file(struct walk *walk, const char *folder, unsigned first,
                       const char *name, struct gv_error *err)
{
    struct gv_store_entry entry = { .path = walk->path };
    struct stat st;
    int length =
        snprintf(walk->path, walk->room, "%s/cas/%02x/%s", folder, first, name);
    if ((size_t)length >= walk->room || !parse_name(name, first, &entry))
        return true;
    if (lstat(walk->path, &st) != 0 || !S_ISREG(st.st_mode))
        return true; // removed meanwhile, or no file
    entry.stored = (uint64_t)st.st_size;
    entry.age_s = age_of(&st);
    return walk->visit(walk->context, &entry, err);
}

static bool walk_fan(struct walk *walk, const char *folder, unsigned first,
                     struct gv_error *err)
{
    struct names names = { 0 };
    snprintf(walk->path, walk->room, "%s/cas/%02x", folder, first);
    bool ok = list(walk->path, &names, err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = visit_file(walk, folder, first, names.items[i], err);
    finish_names(&names);
    return ok;
}

bool gv_store_walk(const struct gv_store *store, gv_store_visit visit, void *context,
                   struct gv_error *err)
{
    const char *folder = gv_store_folder(store);
    struct walk walk = { visit, context, NULL, strlen(folder) + 128 };
    walk.path = malloc(walk.room);
    if (!walk.path)
        return gv_out_of_memory(err);
    bool ok = true;
    for (unsigned first = 0; ok && first < 256; first++)
        ok = walk_fan(&walk, folder, first, err);
    free(walk.path);
    return ok;
}

// ---- collecting ----

struct collection {
    const struct gv_collect_params *params;
    struct gv_collected *out;
    const char *folder;
};

// Alone: whoever adds either made the file as new before, or will find it gone.
static bool remove_old(const struct collection *c, const struct gv_store_entry *entry,
                       bool *removed, struct gv_error *err)
{
    struct stat st;
    int lock = gv_store_lock(c->folder, true);
    *removed = lstat(entry->path, &st) == 0 && age_of(&st) >= c->params->age_s;
    bool ok = !*removed || unlink(entry->path) == 0 || errno == ENOENT;
    int error = errno;
    gv_store_unlock(lock);
    return ok || gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot remove %s: %s",
                         entry->path, strerror(error));
}

static bool collect(void *context, const struct gv_store_entry *entry,
                    struct gv_error *err)
{
    struct collection *c = context;
    bool removed =
        entry->age_s >= c->params->age_s &&
        (entry->leftover || !c->params->keeps(c->params->context, &entry->hash));
    if (removed && !c->params->dry && !remove_old(c, entry, &removed, err))
        return false;
    c->out->kept += !removed && !entry->leftover;
    c->out->objects += removed && !entry->leftover;
    c->out->leftovers += removed && entry->leftover;
    c->out->bytes += removed ? entry->stored : 0;
    return true;
}

bool gv_store_collect(struct gv_store *store, const struct gv_collect_params *params,
                      struct gv_collected *out, struct gv_error *err)
{
    *out = (struct gv_collected){ 0 };
    struct collection c = { params, out, gv_store_folder(store) };
    return gv_store_walk(store, collect, &c, err);
}
