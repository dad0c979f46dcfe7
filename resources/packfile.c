#include "resources/packfile.h"

#include "resources/base/checked.h"
#include "resources/base/write_all.h"
#include "resources/codec.h"
#include "resources/dictionary_offers.h"
#include "resources/object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct gv_packfile {
    char *path; // owned
    int fd;
    struct gv_codec_state *codec; // owned
    struct gv_pack_index index;   // its rows are owned; sorted up to `sorted`
    size_t sorted, capacity;
    struct gv_dictionaries dictionaries; // that were needed, by place
    struct gv_dictionary_offers offers;  // the same, to compress with
    uint64_t size; // of the file; of one that is appended to, where the next record is
    bool torn, writable, changed;
};

// ---- bytes ----

// False where the file has no such bytes.
static bool read_at(int fd, uint64_t offset, void *to, size_t size)
{
    uint8_t *bytes = to;
    while (size) {
        ssize_t n = pread(fd, bytes, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

static bool fail_write(const struct gv_packfile *pack, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot write %s: %s", pack->path,
                   strerror(errno));
}

static bool write_at_end(struct gv_packfile *pack, const struct gv_bytes *bytes,
                         struct gv_error *err)
{
    if (bytes->failed)
        return gv_out_of_memory(err);
    if (lseek(pack->fd, (off_t)pack->size, SEEK_SET) < 0 ||
        !gv_write_all(pack->fd, bytes->data, bytes->size)) {
        fail_write(pack, err);
        // Behind an index, half a record would hide it.
        if (ftruncate(pack->fd, (off_t)pack->size) != 0)
            pack->torn = true;
        return false;
    }
    pack->size += bytes->size;
    return true;
}

// ---- rows ----

static bool add_row(struct gv_packfile *pack, const struct gv_pack_row *row,
                    struct gv_error *err)
{
    if (pack->index.count == pack->capacity) {
        size_t capacity = pack->capacity ? 2 * pack->capacity : 64;
        void *grown = realloc(pack->index.rows, capacity * sizeof *pack->index.rows);
        if (!grown)
            return gv_out_of_memory(err);
        pack->index.rows = grown;
        pack->capacity = capacity;
    }
    pack->index.rows[pack->index.count++] = *row;
    return true;
}

// Of equal ids the later one first: it replaced a damaged one.
static int compare_rows(const void *a, const void *b)
{
    const struct gv_pack_row *x = a, *y = b;
    int order = gv_hash_compare(&x->hash, &y->hash);
    return order ? order : (x->offset < y->offset) - (x->offset > y->offset);
}

static void sort_rows(struct gv_packfile *pack)
{
    size_t kept = 0;
    if (pack->index.count)
        qsort(pack->index.rows, pack->index.count, sizeof *pack->index.rows,
              compare_rows);
    for (size_t i = 0; i < pack->index.count; i++)
        if (!kept ||
            !gv_hash_equal(&pack->index.rows[kept - 1].hash, &pack->index.rows[i].hash))
            pack->index.rows[kept++] = pack->index.rows[i];
    pack->index.count = pack->sorted = kept;
}

// ---- opening ----

static bool read_index(struct gv_packfile *pack, const struct gv_pack_trailer *trailer)
{
    const size_t size = (size_t)gv_pack_rows_size(trailer);
    uint8_t *bytes = malloc(size + 1);
    struct gv_pack_index index = { 0 };
    index.rows = calloc((size_t)trailer->rows + 1, sizeof *index.rows);
    bool ok =
        bytes && index.rows &&
        read_at(pack->fd, trailer->index + GV_PACKFILE_RECORD_BYTES, bytes, size) &&
        gv_pack_read_rows(bytes, trailer, &index, NULL);
    free(bytes);
    if (!ok) {
        free(index.rows);
        return false;
    }
    pack->index = index;
    pack->sorted = index.count;
    pack->capacity = index.count + 1;
    return true;
}

static bool find_index(struct gv_packfile *pack)
{
    uint8_t bytes[GV_PACKFILE_TRAILER_BYTES];
    struct gv_pack_trailer trailer;
    return pack->size >= GV_PACKFILE_HEADER_BYTES + sizeof bytes &&
           read_at(pack->fd, pack->size - sizeof bytes, bytes, sizeof bytes) &&
           gv_pack_read_trailer(bytes, &trailer) && trailer.file_size == pack->size &&
           trailer.version == pack->index.version && read_index(pack, &trailer);
}

// What the record at `at` says of its object. False: it is none that is whole.
static bool read_record(const struct gv_packfile *pack, uint64_t at,
                        struct gv_record *record)
{
    uint8_t bytes[GV_PACKFILE_RECORD_BYTES];
    if (!read_at(pack->fd, at, bytes, sizeof bytes) ||
        !gv_pack_read_record(bytes, record))
        return false;
    return record->kind != GV_RECORD_DEPENDENT ||
           (pack->index.version != GV_PACKFILE_PLAIN &&
            read_at(pack->fd, at + sizeof bytes, record->dictionary.bytes,
                    sizeof record->dictionary.bytes));
}

static struct gv_pack_row row_of(struct gv_pack_index *index,
                                 const struct gv_record *record, uint64_t at)
{
    struct gv_pack_row row = { .hash = record->hash,
                               .offset = at,
                               .raw_size = record->raw_size };
    if (record->kind == GV_RECORD_DEPENDENT)
        row.dictionary = gv_pack_dictionary_place(index, &record->dictionary);
    row.stored = record->size - gv_pack_lead(&row);
    return row;
}

// Takes the objects of one record after the other, up to the first that is not whole.
static bool search(struct gv_packfile *pack, struct gv_error *err)
{
    uint64_t at = GV_PACKFILE_HEADER_BYTES, file_size = pack->size;
    struct gv_record record;
    pack->torn = true;
    while (read_record(pack, at, &record)) {
        uint64_t stride = gv_record_stride(record.size);
        if (!stride || !gv_range_inside(at, stride, file_size))
            break;
        if (record.kind != GV_RECORD_INDEX) {
            const struct gv_pack_row row = row_of(&pack->index, &record, at);
            if (!add_row(pack, &row, err))
                return false;
        }
        at += stride;
    }
    pack->size = at; // whoever appends begins here
    sort_rows(pack);
    return true;
}

static bool load(struct gv_packfile *pack, struct gv_error *err)
{
    uint8_t header[GV_PACKFILE_HEADER_BYTES];
    struct stat st;
    if (fstat(pack->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s is no regular file",
                       pack->path);
    pack->size = (uint64_t)st.st_size;
    if (!read_at(pack->fd, 0, header, sizeof header))
        return gv_fail(err, GV_ERR_FORMAT, 0, "not a pack file");
    return gv_pack_check_header(header, &pack->index.version, err) &&
           (find_index(pack) || search(pack, err));
}

static struct gv_packfile *make(const char *path, struct gv_error *err)
{
    struct gv_packfile *pack = calloc(1, sizeof *pack);
    if (pack) {
        pack->fd = -1;
        pack->path = strdup(path);
        pack->codec = gv_codec_create();
    }
    if (pack && pack->path && pack->codec)
        return pack;
    gv_packfile_destroy(pack);
    gv_out_of_memory(err);
    return NULL;
}

struct gv_packfile *gv_packfile_open(const char *path, struct gv_error *err)
{
    struct gv_packfile *pack = make(path, err);
    if (!pack)
        return NULL;
    // A pipe would wait for a writer.
    pack->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool ok = pack->fd >= 0;
    if (!ok && errno == ENXIO) // a socket
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s is no regular file", path);
    else if (!ok)
        gv_fail(err, errno == ENOENT ? GV_ERR_NOT_FOUND : GV_ERR_SYSTEM, GV_NO_OFFSET,
                "cannot open %s: %s", path, strerror(errno));
    if (ok && load(pack, err))
        return pack;
    gv_packfile_destroy(pack);
    return NULL;
}

// Whether `path` still names the file: while this process waited for the lock another
// may have put a new pack in its place.
static bool still_there(const struct gv_packfile *pack)
{
    struct stat mine, named;
    return fstat(pack->fd, &mine) == 0 && stat(pack->path, &named) == 0 &&
           mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

static bool lock(struct gv_packfile *pack, struct gv_error *err)
{
    do {
        if (pack->fd >= 0)
            close(pack->fd);
        pack->fd = open(pack->path,
                        O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
        if (pack->fd < 0)
            return fail_write(pack, err);
        while (flock(pack->fd, LOCK_EX) != 0)
            if (errno != EINTR)
                return fail_write(pack, err);
    } while (!still_there(pack));
    return true;
}

// A new pack is its header; what a killed writer left of one counts as nothing.
static bool begin(struct gv_packfile *pack, struct gv_error *err)
{
    struct gv_bytes header = { 0 };
    pack->index.version = GV_PACKFILE_MAJOR;
    gv_pack_put_header(&header, pack->index.version);
    bool ok = write_at_end(pack, &header, err);
    gv_bytes_finish(&header);
    pack->changed = true;
    return ok;
}

static bool is_begun(int fd)
{
    struct gv_bytes whole = { 0 };
    uint8_t there[GV_PACKFILE_HEADER_BYTES];
    struct stat st;
    gv_pack_put_header(&whole, GV_PACKFILE_MAJOR);
    bool cut = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !whole.failed &&
               (uint64_t)st.st_size < whole.size &&
               read_at(fd, 0, there, (size_t)st.st_size) &&
               memcmp(there, whole.data, (size_t)st.st_size) == 0;
    gv_bytes_finish(&whole);
    return !cut;
}

struct gv_packfile *gv_packfile_append(const char *path, struct gv_error *err)
{
    struct gv_packfile *pack = make(path, err);
    if (!pack)
        return NULL;
    pack->writable = true;
    bool ok =
        lock(pack, err) && (is_begun(pack->fd) ? load(pack, err) : begin(pack, err));
    if (ok && pack->torn && ftruncate(pack->fd, (off_t)pack->size) != 0)
        ok = fail_write(pack, err);
    pack->changed = pack->changed || pack->torn;
    if (ok)
        return pack;
    gv_packfile_destroy(pack);
    return NULL;
}

void gv_packfile_destroy(struct gv_packfile *pack)
{
    if (!pack)
        return;
    if (pack->fd >= 0)
        close(pack->fd);
    gv_codec_destroy(pack->codec);
    gv_dictionaries_finish(&pack->dictionaries);
    gv_dictionary_offers_finish(&pack->offers);
    free(pack->index.rows);
    free(pack->path);
    free(pack);
}

// ---- looking ----

const char *gv_packfile_path(const struct gv_packfile *pack)
{
    return pack->path;
}

bool gv_packfile_torn(const struct gv_packfile *pack)
{
    return pack->torn;
}

const struct gv_pack_row *gv_packfile_rows(const struct gv_packfile *pack,
                                           size_t *count)
{
    *count = pack->sorted;
    return pack->index.rows;
}

const struct gv_pack_row *gv_packfile_find(const struct gv_packfile *pack,
                                           const struct gv_hash *hash)
{
    // What was added is not sorted in yet: the last comes first.
    for (size_t i = pack->index.count; i-- > pack->sorted;)
        if (gv_hash_equal(&pack->index.rows[i].hash, hash))
            return &pack->index.rows[i];
    return gv_pack_find(pack->index.rows, pack->sorted, hash);
}

// Whether the record is there that the row tells of.
static bool holds(const struct gv_packfile *pack, const struct gv_pack_row *row)
{
    struct gv_record record;
    const bool dependent = row->dictionary != 0;
    return read_record(pack, row->offset, &record) &&
           record.kind == (dependent ? GV_RECORD_DEPENDENT : GV_RECORD_OBJECT) &&
           record.size == row->stored + gv_pack_lead(row) &&
           record.raw_size == row->raw_size &&
           gv_hash_equal(&record.hash, &row->hash) &&
           (!dependent || row->dictionary == GV_PACK_BEYOND ||
            gv_hash_equal(&record.dictionary,
                          &pack->index.dictionaries[row->dictionary - 1]));
}

bool gv_packfile_get_frame(const struct gv_packfile *pack,
                           const struct gv_pack_row *row, struct gv_bytes *out,
                           struct gv_error *err)
{
    if (!holds(pack, row) || row->stored > gv_object_most_stored(row->raw_size))
        return gv_object_damaged(&row->hash, "its record differs", err);
    uint8_t *to = gv_bytes_grow(out, (size_t)row->stored);
    if (!to)
        return gv_out_of_memory(err);
    return read_at(pack->fd, gv_pack_frame_at(row), to, (size_t)row->stored) ||
           gv_object_damaged(&row->hash, "the pack ends before it", err);
}

static bool get_with(struct gv_packfile *pack, const struct gv_pack_row *row,
                     struct gv_span dictionary, struct gv_fetch *item,
                     struct gv_error *err)
{
    struct gv_bytes bytes = { 0 };
    if (row->raw_size != item->raw_size)
        return gv_object_damaged(&item->hash, "it has another size", err);
    bool ok = gv_packfile_get_frame(pack, row, &bytes, err);
    const struct gv_codec_frame frame = { { bytes.data, bytes.size }, dictionary };
    ok = ok && gv_object_decode_with(pack->codec, item, &frame, err);
    gv_bytes_finish(&bytes);
    return ok;
}

const struct gv_hash *gv_packfile_needs(const struct gv_packfile *pack,
                                        const struct gv_pack_row *row)
{
    return row->dictionary && row->dictionary != GV_PACK_BEYOND
               ? &pack->index.dictionaries[row->dictionary - 1]
               : NULL;
}

static const char *fault_of(const struct gv_packfile *pack,
                            const struct gv_pack_row *row)
{
    const struct gv_hash *id = gv_packfile_needs(pack, row);
    return row->dictionary
               ? gv_pack_dictionary_fault(row, id ? gv_packfile_find(pack, id) : NULL)
               : NULL;
}

bool gv_packfile_dictionary(struct gv_packfile *pack, const struct gv_pack_row *row,
                            struct gv_span *bytes, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    const char *fault = fault_of(pack, row);
    *bytes = (struct gv_span){ 0 };
    gv_hash_to_hex(&row->hash, hex);
    if (fault)
        return gv_fail(err, GV_ERR_FETCH, row->offset, "object %s is damaged: %s", hex,
                       fault);
    const uint32_t place = row->dictionary - 1;
    if (row->dictionary)
        *bytes = gv_dictionaries_find(&pack->dictionaries, place);
    if (!row->dictionary || bytes->data)
        return true;
    const struct gv_pack_row *other =
        gv_packfile_find(pack, &pack->index.dictionaries[place]);
    struct gv_fetch item = { .hash = other->hash, .raw_size = other->raw_size };
    item.data = malloc((size_t)item.raw_size + 1);
    bool ok = item.data || gv_out_of_memory(err);
    ok =
        ok && get_with(pack, other, *bytes, &item, err) &&
        gv_dictionaries_keep(&pack->dictionaries, place,
                             (struct gv_span){ item.data, (size_t)item.raw_size }, err);
    free(item.data);
    *bytes = gv_dictionaries_find(&pack->dictionaries, place);
    return ok;
}

bool gv_packfile_get(struct gv_packfile *pack, struct gv_fetch *item,
                     struct gv_error *err)
{
    const struct gv_pack_row *row = gv_packfile_find(pack, &item->hash);
    struct gv_span dictionary;
    item->found = row != NULL;
    return !row || (gv_packfile_dictionary(pack, row, &dictionary, err) &&
                    get_with(pack, row, dictionary, item, err));
}

// ---- adding ----

#define SORT_AT 256 // rows that are searched one by one at most
// Saves less than this part: not worth that a second object has to be fetched.
#define DICTIONARY_WORTH 20

static enum gv_object_state compare(struct gv_packfile *pack,
                                    const struct gv_pack_object *object)
{
    const struct gv_pack_row *row = gv_packfile_find(pack, &object->hash);
    struct gv_codec_frame frame;
    struct gv_bytes bytes = { 0 };
    if (!row)
        return GV_OBJECT_ABSENT;
    enum gv_object_state state = GV_OBJECT_BROKEN;
    if (gv_packfile_dictionary(pack, row, &frame.dictionary, NULL) &&
        gv_packfile_get_frame(pack, row, &bytes, NULL)) {
        frame.stored = (struct gv_span){ bytes.data, bytes.size };
        state = gv_object_compare(pack->codec, &object->hash, object->raw, &frame);
    }
    gv_bytes_finish(&bytes);
    return state;
}

// The place + 1 of the dictionary that an object added now may have, and its bytes.
static uint32_t usable(struct gv_packfile *pack, const struct gv_pack_object *object,
                       struct gv_span *bytes)
{
    const struct gv_hash *id = object->dictionary;
    struct gv_pack_row row = { .hash = object->hash, .offset = pack->size };
    const struct gv_pack_row *other = id ? gv_packfile_find(pack, id) : NULL;
    row.dictionary = 1;
    if (!other || pack->index.version == GV_PACKFILE_PLAIN ||
        gv_hash_equal(id, &object->hash) || gv_pack_dictionary_fault(&row, other))
        return 0;
    row.dictionary = gv_pack_dictionary_place(&pack->index, id);
    return gv_packfile_dictionary(pack, &row, bytes, NULL) ? row.dictionary : 0;
}

// Which of the offers the dictionary is, made when it is needed first.
static bool offer(struct gv_packfile *pack, int level, uint32_t place,
                  struct gv_span bytes, size_t *which, struct gv_error *err)
{
    struct gv_dictionary_offers *o = &pack->offers;
    if (o->level != level)
        gv_dictionary_offers_finish(o);
    o->level = level;
    for (*which = 0; *which < o->count; ++*which)
        if (o->items[*which].number == place)
            return true;
    return gv_dictionary_offers_add(o, place, bytes, err);
}

// What is written of an object.
struct form {
    struct gv_span frame;
    uint32_t dictionary; // as in its row
    struct gv_bytes own; // of `frame`, if it was made here
};

static bool compress_with(struct gv_packfile *pack, const struct gv_pack_object *object,
                          struct gv_span bytes, struct form *form, struct gv_error *err)
{
    struct gv_dictionary_trial trial = { .offers = &pack->offers };
    const size_t plain = form->frame.size;
    trial.least = plain / DICTIONARY_WORTH;
    if (!offer(pack, object->level, form->dictionary, bytes, &trial.first, err))
        return false;
    trial.end = trial.first + 1;
    if (!gv_dictionary_try(&trial, pack->codec, object->raw, plain, err))
        return false;
    if (!trial.frame.size) {
        form->dictionary = 0;
        return true;
    }
    gv_bytes_finish(&form->own);
    form->own = trial.frame;
    form->frame = (struct gv_span){ form->own.data, form->own.size };
    return true;
}

static bool choose(struct gv_packfile *pack, const struct gv_pack_object *object,
                   struct form *form, struct gv_error *err)
{
    struct gv_span bytes = { 0 };
    *form = (struct form){ .frame = object->frame };
    form->dictionary = usable(pack, object, &bytes);
    if (object->made_with && form->dictionary)
        return true;
    if (object->made_with) {
        if (!gv_codec_compress(pack->codec, object->level, object->raw, &form->own,
                               err))
            return false;
        form->frame = (struct gv_span){ form->own.data, form->own.size };
    }
    return !form->dictionary || compress_with(pack, object, bytes, form, err);
}

static bool append(struct gv_packfile *pack, const struct gv_pack_object *object,
                   const struct form *form, struct gv_error *err)
{
    const struct gv_pack_row row = { .hash = object->hash,
                                     .offset = pack->size,
                                     .stored = form->frame.size,
                                     .raw_size = object->raw.size,
                                     .dictionary = form->dictionary };
    struct gv_record record = { .kind = GV_RECORD_OBJECT,
                                .size = row.stored + gv_pack_lead(&row),
                                .raw_size = row.raw_size,
                                .hash = row.hash };
    if (row.dictionary) {
        record.kind = GV_RECORD_DEPENDENT;
        record.dictionary = pack->index.dictionaries[row.dictionary - 1];
    }
    struct gv_bytes bytes = { 0 };
    gv_pack_put_record(&bytes, &record);
    gv_bytes_put(&bytes, form->frame.data, form->frame.size);
    gv_bytes_zero_to(&bytes, GV_PACKFILE_ALIGNMENT);
    bool written = write_at_end(pack, &bytes, err);
    gv_bytes_finish(&bytes);
    pack->changed = pack->changed || written;
    return written && add_row(pack, &row, err);
}

bool gv_packfile_put(struct gv_packfile *pack, const struct gv_pack_object *object,
                     struct gv_error *err)
{
    struct form form;
    enum gv_object_state state = compare(pack, object);
    if (state == GV_OBJECT_SAME)
        return true;
    if (state == GV_OBJECT_OTHER)
        return gv_object_collides(&object->hash, err);
    bool ok = choose(pack, object, &form, err) && append(pack, object, &form, err);
    gv_bytes_finish(&form.own);
    if (pack->index.count - pack->sorted >= SORT_AT + pack->sorted / 16)
        sort_rows(pack);
    return ok;
}

// An index names no object whose dictionary cannot be had: one was put once more since
// it was damaged, and is behind those that needed it.
static void drop_faulty(struct gv_packfile *pack)
{
    struct gv_pack_row *const rows = pack->index.rows;
    size_t kept = 0;
    for (size_t i = 0; i < pack->index.count; i++)
        if (fault_of(pack, &rows[i]))
            rows[i].dictionary = GV_PACK_BEYOND;
    for (size_t i = 0; i < pack->index.count; i++)
        if (rows[i].dictionary != GV_PACK_BEYOND)
            rows[kept++] = rows[i];
    pack->index.count = pack->sorted = kept;
}

bool gv_packfile_close(struct gv_packfile *pack, struct gv_error *err)
{
    if (!pack->writable || !pack->changed)
        return true;
    sort_rows(pack);
    drop_faulty(pack);
    struct gv_bytes index = { 0 };
    gv_pack_put_index(&index, &pack->index, pack->size);
    bool ok = write_at_end(pack, &index, err);
    gv_bytes_finish(&index);
    // An index that is on the disk before the objects would lie after a power cut.
    if (ok && fdatasync(pack->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        ok = fail_write(pack, err);
    pack->changed = !ok;
    return ok;
}
