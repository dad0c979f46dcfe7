#include "tools/store/place.h"

#include "resources/object.h"
#include "resources/source_open.h"

#include <string.h>

bool gv_place_open(struct gv_place *place, const char *location, bool writes,
                   struct gv_error *err)
{
    const char *path;
    *place = (struct gv_place){ .location = location, .codec = gv_codec_create() };
    if (!place->codec)
        return gv_out_of_memory(err);
    switch (gv_location_of(location, &path)) {
    case GV_LOCATION_FOLDER:
        place->folder = writes ? gv_store_create(path, err) : gv_store_open(path, err);
        return place->folder != NULL;
    case GV_LOCATION_PACK:
        place->pack =
            writes ? gv_packfile_append(path, err) : gv_packfile_open(path, err);
        return place->pack != NULL;
    case GV_LOCATION_URL:
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: http store");
    }
    return false;
}

bool gv_place_close(struct gv_place *place, struct gv_error *err)
{
    return !place->pack || gv_packfile_close(place->pack, err);
}

void gv_place_finish(struct gv_place *place)
{
    gv_store_destroy(place->folder);
    gv_packfile_destroy(place->pack);
    gv_codec_destroy(place->codec);
    *place = (struct gv_place){ 0 };
}

// ---- walking ----

struct folder_visit {
    gv_place_visit visit;
    void *context;
};

static bool visit_entry(void *context, const struct gv_store_entry *entry,
                        struct gv_error *err)
{
    const struct folder_visit *v = context;
    const struct gv_stored object = {
        .hash = entry->hash,
        .raw_size = entry->leftover ? 0 : gv_store_stated_size(entry->path),
        .stored = entry->stored,
        .leftover = entry->leftover,
    };
    return v->visit(v->context, &object, err);
}

bool gv_place_walk(struct gv_place *place, gv_place_visit visit, void *context,
                   struct gv_error *err)
{
    struct folder_visit v = { visit, context };
    if (place->folder)
        return gv_store_walk(place->folder, visit_entry, &v, err);
    size_t count;
    const struct gv_pack_row *rows = gv_packfile_rows(place->pack, &count);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        const struct gv_stored object = { rows[i].hash, rows[i].raw_size,
                                          rows[i].stored, false };
        ok = visit(context, &object, err);
    }
    return ok;
}

// ---- objects ----

// An object as it is stored.
struct read {
    struct gv_bytes frame, raw;
    struct gv_span dictionary;
    const struct gv_hash *needs; // id of the dictionary's object; NULL: none
};

static void read_finish(struct read *r)
{
    gv_bytes_finish(&r->frame);
    gv_bytes_finish(&r->raw);
}

static bool read_frame(struct gv_place *place, const struct gv_hash *hash,
                       struct read *r, struct gv_error *err)
{
    if (place->folder) {
        struct gv_error mine = GV_ERROR_INIT;
        if (gv_store_get_frame(place->folder, hash, &r->frame, &mine))
            return true;
        if (mine.status == GV_ERR_LIMIT)
            return gv_object_damaged(hash, mine.message, err);
        if (mine.status != GV_ERR_NOT_FOUND)
            return gv_fail(err, mine.status, GV_NO_OFFSET, "%s", mine.message);
    } else {
        const struct gv_pack_row *row = gv_packfile_find(place->pack, hash);
        if (row) {
            r->needs = gv_packfile_needs(place->pack, row);
            return gv_packfile_dictionary(place->pack, row, &r->dictionary, err) &&
                   gv_packfile_get_frame(place->pack, row, &r->frame, err);
        }
    }
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    return gv_fail(err, GV_ERR_NOT_FOUND, GV_NO_OFFSET, "there is no object %s", hex);
}

static bool read_both(struct gv_place *place, const struct gv_hash *hash,
                      struct read *r, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    uint64_t size = 0;
    *r = (struct read){ 0 };
    if (!read_frame(place, hash, r, err))
        return false;
    const struct gv_codec_frame frame = { { r->frame.data, r->frame.size },
                                          r->dictionary };
    if (!gv_codec_raw_size(frame.stored.data, frame.stored.size, GV_STORE_MAX_OBJECT,
                           &size, &why))
        return gv_object_damaged(hash, why.message, err);
    uint8_t *to = gv_bytes_grow(&r->raw, size ? (size_t)size : 1);
    if (!to)
        return gv_out_of_memory(err);
    r->raw.size -= size ? 0 : 1;
    const struct gv_fetch item = { *hash, size, to, false };
    return gv_object_decode_with(place->codec, &item, &frame, err);
}

bool gv_place_read(struct gv_place *place, const struct gv_hash *hash,
                   struct gv_bytes *raw, struct gv_error *err)
{
    struct read r;
    bool ok = read_both(place, hash, &r, err);
    gv_bytes_finish(&r.frame);
    *raw = r.raw;
    return ok;
}

// In a folder everything is without a dictionary.
bool gv_place_put(struct gv_place *place, const struct gv_pack_object *object,
                  struct gv_error *err)
{
    struct gv_bytes frame = { 0 };
    struct gv_pack_object plain = *object;
    const bool missing = !object->frame.size || (place->folder && object->made_with);
    bool ok = !missing ||
              gv_codec_compress(place->codec, object->level, object->raw, &frame, err);
    if (missing) {
        plain.frame = (struct gv_span){ frame.data, frame.size };
        plain.made_with = false;
    }
    ok = ok && (place->folder ? gv_store_put_frame(place->folder, &plain.hash,
                                                   plain.raw, plain.frame, err)
                              : gv_packfile_put(place->pack, &plain, err));
    gv_bytes_finish(&frame);
    return ok;
}

bool gv_place_add(struct gv_place *place, struct gv_span raw, int level,
                  struct gv_hash *hash, struct gv_error *err)
{
    *hash = gv_hash_bytes(raw.data, raw.size);
    const struct gv_pack_object object = { .hash = *hash, .raw = raw, .level = level };
    return gv_place_put(place, &object, err);
}

bool gv_place_copy(struct gv_place *place, struct gv_place *from,
                   struct gv_pack_object *object, struct gv_error *err)
{
    struct read r;
    bool ok = read_both(from, &object->hash, &r, err);
    if (ok) {
        object->raw = (struct gv_span){ r.raw.data, r.raw.size };
        object->frame = (struct gv_span){ r.frame.data, r.frame.size };
        object->made_with = r.needs != NULL;
        object->dictionary = r.needs ? r.needs : object->dictionary;
        ok = gv_place_put(place, object, err);
    }
    read_finish(&r);
    return ok;
}

bool gv_place_missing(struct gv_error *err)
{
    if (err->status == GV_ERR_NOT_FOUND)
        err->status = GV_ERR_FETCH;
    return false;
}

bool gv_place_vanished(struct gv_error *err)
{
    if (err->status != GV_ERR_NOT_FOUND)
        return false;
    gv_error_clear(err);
    return true;
}
