#include "resources/packfile.h"

#include "resources/base/checked.h"
#include "resources/base/write_all.h"
#include "resources/codec.h"
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
    struct gv_pack_row *rows;     // owned; sorted up to `sorted`
    size_t count, sorted, capacity;
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
    if (pack->count == pack->capacity) {
        size_t capacity = pack->capacity ? 2 * pack->capacity : 64;
        void *grown = realloc(pack->rows, capacity * sizeof *pack->rows);
        if (!grown)
            return gv_out_of_memory(err);
        pack->rows = grown;
        pack->capacity = capacity;
    }
    pack->rows[pack->count++] = *row;
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
    if (pack->count)
        qsort(pack->rows, pack->count, sizeof *pack->rows, compare_rows);
    for (size_t i = 0; i < pack->count; i++)
        if (!kept || !gv_hash_equal(&pack->rows[kept - 1].hash, &pack->rows[i].hash))
            pack->rows[kept++] = pack->rows[i];
    pack->count = pack->sorted = kept;
}

// ---- opening ----

static bool read_index(struct gv_packfile *pack, const struct gv_pack_trailer *trailer)
{
    const size_t size = (size_t)trailer->rows * GV_PACKFILE_ROW_BYTES;
    uint8_t *bytes = malloc(size + 1);
    pack->rows = calloc((size_t)trailer->rows + 1, sizeof *pack->rows);
    bool ok =
        bytes && pack->rows &&
        read_at(pack->fd, trailer->index + GV_PACKFILE_RECORD_BYTES, bytes, size) &&
        gv_pack_read_rows(bytes, trailer, pack->rows, NULL);
    free(bytes);
    if (!ok) {
        free(pack->rows);
        pack->rows = NULL;
        return false;
    }
    pack->count = pack->sorted = (size_t)trailer->rows;
    pack->capacity = pack->count + 1;
    return true;
}

static bool find_index(struct gv_packfile *pack)
{
    uint8_t bytes[GV_PACKFILE_TRAILER_BYTES];
    struct gv_pack_trailer trailer;
    return pack->size >= GV_PACKFILE_HEADER_BYTES + sizeof bytes &&
           read_at(pack->fd, pack->size - sizeof bytes, bytes, sizeof bytes) &&
           gv_pack_read_trailer(bytes, &trailer) && trailer.file_size == pack->size &&
           read_index(pack, &trailer);
}

// Takes the objects of one record after the other, up to the first that is not whole.
static bool search(struct gv_packfile *pack, struct gv_error *err)
{
    uint64_t at = GV_PACKFILE_HEADER_BYTES, file_size = pack->size;
    uint8_t bytes[GV_PACKFILE_RECORD_BYTES];
    struct gv_record record;
    pack->torn = true;
    while (read_at(pack->fd, at, bytes, sizeof bytes) &&
           gv_pack_read_record(bytes, &record)) {
        uint64_t stride = gv_record_stride(record.size);
        if (!stride || !gv_range_inside(at, stride, file_size))
            break;
        const struct gv_pack_row row = { .hash = record.hash,
                                         .offset = at,
                                         .stored = record.size,
                                         .raw_size = record.raw_size };
        if (record.kind == GV_RECORD_OBJECT && !add_row(pack, &row, err))
            return false;
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
    return gv_pack_check_header(header, err) && (find_index(pack) || search(pack, err));
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
    gv_pack_put_header(&header);
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
    gv_pack_put_header(&whole);
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
    free(pack->rows);
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
    return pack->rows;
}

static int compare_id(const void *hash, const void *row)
{
    return gv_hash_compare(hash, &((const struct gv_pack_row *)row)->hash);
}

const struct gv_pack_row *gv_packfile_find(const struct gv_packfile *pack,
                                           const struct gv_hash *hash)
{
    // What was added is not sorted in yet: the last comes first.
    for (size_t i = pack->count; i-- > pack->sorted;)
        if (gv_hash_equal(&pack->rows[i].hash, hash))
            return &pack->rows[i];
    return pack->sorted
               ? bsearch(hash, pack->rows, pack->sorted, sizeof *pack->rows, compare_id)
               : NULL;
}

bool gv_packfile_get_frame(const struct gv_packfile *pack,
                           const struct gv_pack_row *row, struct gv_bytes *out,
                           struct gv_error *err)
{
    uint8_t bytes[GV_PACKFILE_RECORD_BYTES];
    struct gv_record record;
    bool whole = read_at(pack->fd, row->offset, bytes, sizeof bytes) &&
                 gv_pack_read_record(bytes, &record) &&
                 record.kind == GV_RECORD_OBJECT && record.size == row->stored &&
                 record.raw_size == row->raw_size &&
                 gv_hash_equal(&record.hash, &row->hash);
    if (!whole || row->stored > gv_object_most_stored(row->raw_size))
        return gv_object_damaged(&row->hash, "its record differs", err);
    uint8_t *to = gv_bytes_grow(out, (size_t)row->stored);
    if (!to)
        return gv_out_of_memory(err);
    return read_at(pack->fd, row->offset + sizeof bytes, to, (size_t)row->stored) ||
           gv_object_damaged(&row->hash, "the pack ends before it", err);
}

bool gv_packfile_get(struct gv_packfile *pack, struct gv_fetch *item,
                     struct gv_error *err)
{
    const struct gv_pack_row *row = gv_packfile_find(pack, &item->hash);
    item->found = row != NULL;
    if (!row)
        return true;
    if (row->raw_size != item->raw_size)
        return gv_object_damaged(&item->hash, "it has another size", err);
    struct gv_bytes frame = { 0 };
    bool ok = gv_packfile_get_frame(pack, row, &frame, err) &&
              gv_object_decode(pack->codec, item,
                               (struct gv_span){ frame.data, frame.size }, err);
    gv_bytes_finish(&frame);
    return ok;
}

// ---- adding ----

#define SORT_AT 256 // rows that are searched one by one at most

static enum gv_object_state compare(struct gv_packfile *pack,
                                    const struct gv_hash *hash, struct gv_span raw)
{
    const struct gv_pack_row *row = gv_packfile_find(pack, hash);
    struct gv_bytes frame = { 0 };
    if (!row)
        return GV_OBJECT_ABSENT;
    enum gv_object_state state = GV_OBJECT_BROKEN;
    if (gv_packfile_get_frame(pack, row, &frame, NULL))
        state = gv_object_compare(pack->codec, hash, raw,
                                  (struct gv_span){ frame.data, frame.size });
    gv_bytes_finish(&frame);
    return state;
}

bool gv_packfile_put_frame(struct gv_packfile *pack, const struct gv_hash *hash,
                           struct gv_span raw, struct gv_span frame,
                           struct gv_error *err)
{
    enum gv_object_state state = compare(pack, hash, raw);
    if (state == GV_OBJECT_SAME)
        return true;
    if (state == GV_OBJECT_OTHER)
        return gv_object_collides(hash, err);
    const struct gv_record record = { GV_RECORD_OBJECT, frame.size, raw.size, *hash };
    const struct gv_pack_row row = {
        .hash = *hash, .offset = pack->size, .stored = frame.size, .raw_size = raw.size
    };
    struct gv_bytes bytes = { 0 };
    gv_pack_put_record(&bytes, &record);
    gv_bytes_put(&bytes, frame.data, frame.size);
    gv_bytes_zero_to(&bytes, GV_PACKFILE_ALIGNMENT);
    bool written = write_at_end(pack, &bytes, err);
    bool ok = written && add_row(pack, &row, err);
    gv_bytes_finish(&bytes);
    pack->changed = pack->changed || written;
    if (pack->count - pack->sorted >= SORT_AT + pack->sorted / 16)
        sort_rows(pack);
    return ok;
}

bool gv_packfile_close(struct gv_packfile *pack, struct gv_error *err)
{
    if (!pack->writable || !pack->changed)
        return true;
    sort_rows(pack);
    struct gv_bytes index = { 0 };
    gv_pack_put_index(&index, pack->rows, pack->count, pack->size);
    bool ok = write_at_end(pack, &index, err);
    gv_bytes_finish(&index);
    // An index that is on the disk before the objects would lie after a power cut.
    if (ok && fdatasync(pack->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        ok = fail_write(pack, err);
    pack->changed = !ok;
    return ok;
}
