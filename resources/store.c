#include "resources/store.h"

#include "resources/base/bytes.h"
#include "resources/base/file.h"
#include "resources/codec.h"
#include "resources/source_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    struct stat st;
    if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
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

static bool damaged(const struct gv_hash *hash, const char *why, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "object %s is damaged: %s", hex,
                   why);
}

// What an object of `raw_size` bytes takes as a frame at most, with room for frames of
// other writers.
static size_t most_stored(size_t raw_size)
{
    return raw_size + raw_size / 64 + 65536;
}

static bool open_object(struct gv_store *store, struct gv_fetch *item,
                        struct gv_file *file, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    item->found = gv_file_load_regular(file, object_path(store, &item->hash),
                                       most_stored((size_t)item->raw_size), &mine);
    if (item->found || mine.status == GV_ERR_NOT_FOUND)
        return true;
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%s", mine.message);
}

static bool decode_object(struct gv_store *store, const struct gv_fetch *item,
                          const struct gv_file *file, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    const struct gv_span frame = { file->data, file->size };
    if (!gv_codec_decompress(store->codec, frame, item->data, (size_t)item->raw_size,
                             &mine))
        return damaged(&item->hash, mine.message, err);
    struct gv_hash actual = gv_hash_bytes(item->data, (size_t)item->raw_size);
    return gv_hash_equal(&actual, &item->hash) ||
           damaged(&item->hash, "its bytes have another hash", err);
}

bool gv_store_get(struct gv_store *store, struct gv_fetch *item, struct gv_error *err)
{
    struct gv_file file;
    if (!open_object(store, item, &file, err))
        return false;
    if (!item->found)
        return true;
    bool ok = decode_object(store, item, &file, err);
    gv_file_close(&file);
    return ok;
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

// What an existing file says about bytes that are to be stored under its name.
enum existing { ABSENT, SAME, OTHER, BROKEN };

static enum existing compare(struct gv_store *store, const struct gv_hash *hash,
                             struct gv_span raw)
{
    struct gv_file file;
    struct gv_fetch there = { .hash = *hash };
    enum existing result = BROKEN;
    struct gv_error why = GV_ERROR_INIT;
    if (!gv_file_load_regular(&file, object_path(store, hash), most_stored(raw.size),
                              &why))
        return why.status == GV_ERR_NOT_FOUND ? ABSENT : BROKEN;
    if (gv_codec_raw_size(file.data, file.size, GV_STORE_MAX_OBJECT, &there.raw_size,
                          NULL))
        there.data = malloc(there.raw_size ? (size_t)there.raw_size : 1);
    if (there.data && decode_object(store, &there, &file, NULL))
        result =
            there.raw_size == raw.size && memcmp(there.data, raw.data, raw.size) == 0
                ? SAME
                : OTHER;
    free(there.data);
    gv_file_close(&file);
    return result;
}

bool gv_store_put_frame(struct gv_store *store, const struct gv_hash *hash,
                        struct gv_span raw, struct gv_span frame, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    switch (compare(store, hash, raw)) {
    case SAME:
        return true;
    case OTHER:
        gv_hash_to_hex(hash, hex);
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "content id collision: %s",
                       hex);
    case ABSENT:
    case BROKEN:
        break;
    }
    return make_fan_out(store, hash, err) &&
           gv_file_keep(object_path(store, hash), frame.data, frame.size, err);
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
