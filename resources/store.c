#include "resources/store.h"

#include "resources/base/bytes.h"
#include "resources/base/file.h"
#include "resources/base/path_kind.h"
#include "resources/codec.h"
#include "resources/object.h"
#include "resources/source_open.h"
#include "resources/store_lock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h> // utimensat
#include <unistd.h>

struct gv_store {
    char *folder;                 // owned
    struct gv_codec_state *codec; // owned
    char *path;                   // owned; room for any object's path
    size_t path_size;
    uint8_t made[32]; // bit per fan-out folder known to exist
};

// "/cas/ab/" + 32 digits + ".zst" + NUL
#define SUFFIX_BYTES (sizeof "/cas/ab/" + GV_HASH_HEX + sizeof ".zst")

static struct gv_store *make(const char *folder, struct gv_error *err)
{
    struct gv_store *store = calloc(1, sizeof *store);
    if (store) {
        store->folder = strdup(folder);
        store->codec = gv_codec_create();
        store->path_size = strlen(folder) + SUFFIX_BYTES;
        store->path = malloc(store->path_size);
    }
    if (store && store->folder && store->codec && store->path)
        return store;
    gv_store_destroy(store);
    gv_out_of_memory(err);
    return NULL;
}

struct gv_store *gv_store_create(const char *folder, struct gv_error *err)
{
    return gv_source_is_folder(folder, err) && gv_make_folders(folder, err)
               ? gv_store_open(folder, err)
               : NULL;
}

struct gv_store *gv_store_open(const char *folder, struct gv_error *err)
{
    if (gv_path_kind(folder) != GV_PATH_FOLDER) {
        gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET, "%s is not a folder", folder);
        return NULL;
    }
    return make(folder, err);
}

void gv_store_destroy(struct gv_store *store)
{
    if (!store)
        return;
    gv_codec_destroy(store->codec);
    free(store->folder);
    free(store->path);
    free(store);
}

static const char *object_path(struct gv_store *store, const struct gv_hash *hash)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    snprintf(store->path, store->path_size, "%s/cas/%.2s/%s.zst", store->folder, hex,
             hex);
    return store->path;
}

static bool open_object(struct gv_store *store, struct gv_fetch *item,
                        struct gv_file *file, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    item->found =
        gv_file_load_regular(file, object_path(store, &item->hash),
                             (size_t)gv_object_most_stored(item->raw_size), &mine);
    if (item->found || mine.status == GV_ERR_NOT_FOUND)
        return true;
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%s", mine.message);
}

const char *gv_store_folder(const struct gv_store *store)
{
    return store->folder;
}

#define HEAD_BYTES 18 // of a zstd frame

uint64_t gv_store_stated_size(const char *path)
{
    uint8_t head[HEAD_BYTES];
    uint64_t size = 0;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : 0;
    if (fd >= 0)
        close(fd);
    return n > 0 && gv_codec_stated_size(head, (size_t)n, &size, NULL) ? size : 0;
}

bool gv_store_get_frame(struct gv_store *store, const struct gv_hash *hash,
                        struct gv_bytes *out, struct gv_error *err)
{
    struct gv_file file;
    const char *path = object_path(store, hash);
    // A file may be much larger than all that the frame at its beginning could take.
    const uint64_t most = gv_object_most_stored(gv_store_stated_size(path));
    if (!gv_file_load_regular(&file, path, (size_t)most, err))
        return false;
    gv_bytes_put(out, file.data, file.size);
    gv_file_close(&file);
    return !out->failed || gv_out_of_memory(err);
}

bool gv_store_get(struct gv_store *store, struct gv_fetch *item, struct gv_error *err)
{
    struct gv_file file;
    if (!open_object(store, item, &file, err))
        return false;
    if (!item->found)
        return true;
    const struct gv_span frame = { file.data, file.size };
    bool ok = gv_object_decode(store->codec, item, frame, err);
    gv_file_close(&file);
    return ok;
}

void gv_store_renew(struct gv_store *store, const struct gv_hash *hash)
{
    utimensat(AT_FDCWD, object_path(store, hash), NULL, AT_SYMLINK_NOFOLLOW);
}

static bool make_fan_out(struct gv_store *store, const struct gv_hash *hash,
                         struct gv_error *err)
{
    uint8_t first = hash->bytes[0];
    if (store->made[first / 8] & 1u << first % 8)
        return true;
    snprintf(store->path, store->path_size, "%s/cas/%02x", store->folder, first);
    if (!gv_make_folders(store->path, err))
        return false;
    store->made[first / 8] |= (uint8_t)(1u << first % 8);
    return true;
}

static enum gv_object_state compare(struct gv_store *store, const struct gv_hash *hash,
                                    struct gv_span raw, uint8_t *first)
{
    struct gv_file file;
    struct gv_error why = GV_ERROR_INIT;
    if (!gv_file_load_regular(&file, object_path(store, hash),
                              (size_t)gv_object_most_stored(raw.size), &why))
        return why.status == GV_ERR_NOT_FOUND ? GV_OBJECT_ABSENT : GV_OBJECT_BROKEN;
    const struct gv_codec_frame frame = { .stored = { file.data, file.size } };
    enum gv_object_state state = gv_object_compare(store->codec, hash, raw, &frame);
    *first = file.size ? file.data[0] : 0;
    gv_file_close(&file);
    return state;
}

// Makes an object as new by writing its first byte again: a compile may not set times,
// but it may write here. False if it cannot be written.
static bool renew(const char *path, uint8_t first)
{
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = pwrite(fd, &first, 1, 0) == 1;
    close(fd);
    return ok;
}

bool gv_store_put_frame(struct gv_store *store, const struct gv_hash *hash,
                        struct gv_span raw, struct gv_span frame, struct gv_error *err)
{
    if (!make_fan_out(store, hash, err))
        return false;
    // Whoever collects waits: what is found here stays.
    int lock = gv_store_lock(store->folder, false);
    uint8_t first = 0;
    enum gv_object_state state = compare(store, hash, raw, &first);
    const char *path = object_path(store, hash);
    bool ok = true;
    if (state == GV_OBJECT_OTHER)
        ok = gv_object_collides(hash, err);
    else if (state != GV_OBJECT_SAME)
        ok = gv_file_keep(path, frame.data, frame.size, err);
    else if (!renew(path, first)) // one that nobody may write stays as old as it is
        gv_file_keep(path, frame.data, frame.size, NULL);
    gv_store_unlock(lock);
    return ok;
}

bool gv_store_put(struct gv_store *store, const struct gv_hash *hash,
                  struct gv_span raw, int level, struct gv_error *err)
{
    struct gv_bytes frame = { 0 };
    bool ok = gv_codec_compress(store->codec, level, raw, &frame, err) &&
              gv_store_put_frame(store, hash, raw,
                                 (struct gv_span){ frame.data, frame.size }, err);
    gv_bytes_finish(&frame);
    return ok;
}
