#include "resources/keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/base/own_folder.h"

// ---- one file: bytes, then their hash ----

struct path {
    char text[4096];
};

static struct path path_of(const struct gv_folder_keeper *k, const struct gv_hash *key)
{
    struct gv_hash both[2] = { k->maker, *key }, name;
    char hex[GV_HASH_HEX];
    struct path path;
    name = gv_hash_bytes(both, sizeof both);
    gv_hash_to_hex(&name, hex);
    snprintf(path.text, sizeof path.text, "%s/%s", k->folder, hex);
    return path;
}

static bool recall(void *context, const struct gv_hash *key, struct gv_bytes *out)
{
    const struct path path = path_of(context, key);
    struct gv_file file = { 0 };
    if (!gv_file_load_regular(&file, path.text, GV_KEEPER_MOST, NULL))
        return false;
    struct gv_hash want, got;
    bool ok = file.size >= sizeof want;
    if (ok) {
        const size_t size = file.size - sizeof want;
        memcpy(&want, file.data + size, sizeof want);
        got = gv_hash_bytes(file.data, size);
        ok = gv_hash_equal(&want, &got);
        if (ok)
            gv_bytes_put(out, file.data, size);
    }
    gv_file_close(&file);
    return ok && !out->failed;
}

// Old files go when a run ends: until then it is to write no more than may be there.
static bool may_write(struct gv_folder_keeper *k, size_t size)
{
    const uint64_t whole = size + sizeof(struct gv_hash);
    const uint64_t before = atomic_fetch_add(&k->written, whole);
    return before < k->limit && whole <= k->limit - before;
}

static void keep(void *context, const struct gv_hash *key, struct gv_span bytes)
{
    struct gv_folder_keeper *k = context;
    const struct path path = path_of(k, key);
    struct gv_bytes whole = { 0 };
    if (bytes.size > GV_KEEPER_MOST - sizeof(struct gv_hash) ||
        !may_write(k, bytes.size))
        return;
    const struct gv_hash hash = gv_hash_bytes(bytes.data, bytes.size);
    gv_bytes_put(&whole, bytes.data, bytes.size);
    gv_bytes_put(&whole, &hash, sizeof hash);
    if (!whole.failed)
        gv_file_keep(path.text, whole.data, whole.size, NULL);
    gv_bytes_finish(&whole);
}

// ---- the folder ----

bool gv_folder_keeper_open(struct gv_folder_keeper *k, const char *folder,
                           const struct gv_hash *maker, uint64_t limit)
{
    *k = (struct gv_folder_keeper){ .maker = *maker, .limit = limit };
    k->keeper = (struct gv_keeper){ recall, keep, k };
    if (strlen(folder) >= sizeof k->folder || !gv_own_folder(folder))
        return false;
    memcpy(k->folder, folder, strlen(folder) + 1);
    return true;
}

struct entry {
    char name[2 * GV_HASH_HEX];
    uint64_t size;
    struct timespec written;
};

struct entries {
    struct entry *list; // owned
    size_t count, capacity;
    uint64_t size; // bytes of all
};

static bool add_entry(struct entries *all, const char *name, const struct stat *st)
{
    if (all->count == all->capacity) {
        const size_t capacity = all->capacity ? 2 * all->capacity : 256;
        struct entry *list = realloc(all->list, capacity * sizeof *list);
        if (!list)
            return false;
        all->list = list;
        all->capacity = capacity;
    }
    struct entry *e = &all->list[all->count++];
    memcpy(e->name, name, strlen(name) + 1); // is_entry
    e->size = (uint64_t)st->st_size;
    e->written = st->st_mtim;
    all->size += e->size;
    return true;
}

// Files of others have other names. Behind the hash is what gv_file_keep adds until all
// is written.
static bool is_entry(const char *name)
{
    struct gv_hash unused;
    char hex[GV_HASH_HEX];
    snprintf(hex, sizeof hex, "%.*s", GV_HASH_HEX - 1, name);
    return gv_hash_from_hex(hex, &unused) &&
           strlen(name) < sizeof((struct entry *)0)->name &&
           (!name[strlen(hex)] || name[strlen(hex)] == '.');
}

static void list_entries(DIR *dir, struct entries *all)
{
    struct stat st;
    for (const struct dirent *d; (d = readdir(dir));)
        if (is_entry(d->d_name) &&
            fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode) && !add_entry(all, d->d_name, &st))
            return;
}

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->written;
    const struct timespec *y = &((const struct entry *)b)->written;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void gv_folder_keeper_close(struct gv_folder_keeper *k)
{
    struct entries all = { 0 };
    DIR *dir = atomic_load(&k->written) ? opendir(k->folder) : NULL;
    if (!dir)
        return;
    list_entries(dir, &all);
    if (all.size > k->limit) {
        qsort(all.list, all.count, sizeof *all.list, by_age);
        for (size_t i = 0; i < all.count && all.size > k->limit / 2; i++) {
            all.size -= all.list[i].size;
            unlinkat(dirfd(dir), all.list[i].name, 0);
        }
    }
    closedir(dir);
    free(all.list);
}
