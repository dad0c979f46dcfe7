// Pack files: what is put is there again, whatever was cut off or killed; bytes that
// break the format cost what they hold and nothing else.
#include "resources/base/file.h"
#include "resources/codec.h"
#include "resources/packfile.h"
#include "resources/source_open.h"
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

#define OBJECTS 40

static char folder[] = "/tmp/gpuvm-test-pack-XXXXXX";
static char path[64];
static struct gv_codec_state *codec;

// Object `i`: so many bytes of its own.
static struct gv_span object(unsigned i, uint8_t bytes[1024])
{
    for (unsigned k = 0; k < 1024; k++)
        bytes[k] = (uint8_t)(i * 31 + k * (i % 7));
    return (struct gv_span){ bytes, 1 + i * 23 };
}

static bool put(struct gv_packfile *pack, unsigned i, struct gv_error *err)
{
    uint8_t bytes[1024];
    struct gv_span raw = object(i, bytes);
    struct gv_bytes frame = { 0 };
    bool ok = gv_codec_compress(codec, 3, raw, &frame, err);
    const struct gv_pack_object object = { .hash = gv_hash_bytes(raw.data, raw.size),
                                           .raw = raw,
                                           .frame = { frame.data, frame.size } };
    ok = ok && gv_packfile_put(pack, &object, err);
    gv_bytes_finish(&frame);
    return ok;
}

// Whether object `i` is there, and right.
static bool has(struct gv_packfile *pack, unsigned i)
{
    uint8_t bytes[1024], back[1024];
    struct gv_span raw = object(i, bytes);
    struct gv_fetch item = { gv_hash_bytes(raw.data, raw.size), raw.size, back, false };
    return gv_packfile_get(pack, &item, NULL) && item.found &&
           memcmp(back, bytes, raw.size) == 0;
}

static unsigned count_of(const char *of, bool *torn)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_packfile *pack = gv_packfile_open(of, &err);
    unsigned count = 0;
    size_t rows = 0;
    CHECK(pack != NULL);
    if (!pack)
        return 0;
    *torn = gv_packfile_torn(pack);
    gv_packfile_rows(pack, &rows);
    for (unsigned i = 0; i < OBJECTS; i++)
        count += has(pack, i);
    CHECK(rows == count);
    gv_packfile_destroy(pack);
    return count;
}

static void add(unsigned first, unsigned last, bool closed)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_packfile *pack = gv_packfile_append(path, &err);
    CHECK(pack != NULL);
    for (unsigned i = first; pack && i < last; i++)
        CHECK(put(pack, i, &err));
    CHECK(!closed || gv_packfile_close(pack, &err));
    CHECK(err.status == GV_OK);
    gv_packfile_destroy(pack);
}

static void test_append(void)
{
    bool torn = true;
    struct stat before, after;
    add(0, 10, true);
    CHECK(count_of(path, &torn) == 10 && !torn);
    add(5, 20, true); // five of them again
    CHECK(count_of(path, &torn) == 20 && !torn);
    CHECK(stat(path, &before) == 0);
    add(0, 20, true); // nothing new
    CHECK(stat(path, &after) == 0 && after.st_size == before.st_size);
    add(20, 30, false); // killed before it closed
    CHECK(count_of(path, &torn) == 30 && torn);
    add(30, OBJECTS, true); // mends it
    CHECK(count_of(path, &torn) == OBJECTS && !torn);
    gv_packfile_destroy(NULL);
}

// Every length that a copy can be cut at: what is whole is there.
static void test_cut(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_file whole;
    char cut[80];
    bool torn;
    unsigned last = 0;
    snprintf(cut, sizeof cut, "%s/cut", folder);
    CHECK(gv_file_open(&whole, path, &err));
    for (size_t size = 0; size < whole.size; size += size < 2048 ? 1 : 61) {
        CHECK(gv_file_write(cut, whole.data, size, &err));
        if (size < GV_PACKFILE_HEADER_BYTES) {
            CHECK(!gv_packfile_open(cut, NULL));
            continue;
        }
        unsigned count = count_of(cut, &torn);
        CHECK(count >= last);
        last = count;
    }
    CHECK(last == OBJECTS);
    gv_file_close(&whole);
}

// A beginning of the header is what a killed writer left; anything else is no pack.
static void test_begun(void)
{
    struct gv_error err = GV_ERROR_INIT;
    char begun[80];
    snprintf(begun, sizeof begun, "%s/begun", folder);
    CHECK(gv_file_write(begun, GV_PACKFILE_MAGIC, 5, &err));
    struct gv_packfile *pack = gv_packfile_append(begun, &err);
    CHECK(pack && put(pack, 1, &err) && gv_packfile_close(pack, &err));
    gv_packfile_destroy(pack);
    bool torn;
    CHECK(count_of(begun, &torn) == 1 && !torn);
    CHECK(gv_file_write(begun, "some text", 9, &err));
    CHECK(!gv_packfile_append(begun, &err) && err.status == GV_ERR_FORMAT);
    gv_error_clear(&err);
    CHECK(!gv_packfile_append(folder, &err) && err.status == GV_ERR_OUTPUT);
    gv_error_clear(&err);
    CHECK(!gv_packfile_open("/nonexistent/pack", &err));
    CHECK(err.status == GV_ERR_NOT_FOUND);
}

// ---- hostile packs: their hashes made right ----

// A pack of one object whose parts a row of the table breaks.
struct made {
    struct gv_record record;
    struct gv_pack_row row;
    size_t rows; // of the index, all of them this one
    struct gv_bytes frame;
};

static void two_rows(struct made *m)
{
    m->rows = 2;
}
static void row_beyond(struct made *m)
{
    m->row.offset = UINT64_MAX - 15;
}
static void row_into_index(struct made *m)
{
    m->row.stored += 64;
}
static void row_wraps(struct made *m)
{
    m->row.stored = UINT64_MAX - 8;
}
static void row_in_header(struct made *m)
{
    m->row.offset = 0;
}
static void row_askew(struct made *m)
{
    m->row.offset += 8;
}
static void size_differs(struct made *m)
{
    m->row.raw_size++;
}
static void sizes_huge(struct made *m)
{
    m->row.raw_size = m->record.raw_size = UINT64_MAX;
}
static void id_differs(struct made *m)
{
    m->row.hash.bytes[3] ^= 1;
}
static void id_of_others(struct made *m)
{
    m->row.hash.bytes[3] ^= 1;
    m->record.hash = m->row.hash;
}
static void kind_unknown(struct made *m)
{
    m->record.kind = 3;
}
static void record_too_long(struct made *m)
{
    m->record.size = UINT64_MAX - 63;
}
static void frame_broken(struct made *m)
{
    m->frame.data[m->frame.size / 2] ^= 4;
}

static const struct {
    const char *name;
    void (*breaks)(struct made *m);
    bool torn;    // its index is not believed
    size_t count; // objects it is then thought to have
    bool gets;    // the object is had all the same
} hostile[] = {
    { "whole", NULL, false, 1, true },
    { "two_rows", two_rows, true, 1, true },
    { "row_beyond", row_beyond, true, 1, true },
    { "row_into_index", row_into_index, true, 1, true },
    { "row_wraps", row_wraps, true, 1, true },
    { "row_in_header", row_in_header, true, 1, true },
    { "row_askew", row_askew, true, 1, true },
    { "size_differs", size_differs, false, 1, false },
    { "sizes_huge", sizes_huge, false, 1, false },
    { "id_differs", id_differs, false, 1, false },
    { "id_of_others", id_of_others, false, 1, false },
    { "kind_unknown", kind_unknown, false, 1, false },
    { "record_too_long", record_too_long, false, 1, false },
    { "frame_broken", frame_broken, false, 1, false },
};

static void write_made(const struct made *m, const char *to)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes all = { 0 };
    struct gv_pack_row rows[] = { m->row, m->row };
    const struct gv_pack_index index = { .version = GV_PACKFILE_PLAIN,
                                         .rows = rows,
                                         .count = m->rows };
    gv_pack_put_header(&all, index.version);
    gv_pack_put_record(&all, &m->record);
    gv_bytes_put(&all, m->frame.data, m->frame.size);
    gv_bytes_zero_to(&all, GV_PACKFILE_ALIGNMENT);
    gv_pack_put_index(&all, &index, all.size);
    CHECK(gv_file_write(to, all.data, all.size, &err));
    gv_bytes_finish(&all);
}

static void check_hostile(size_t i)
{
    const char *name = hostile[i].name;
    struct gv_error err = GV_ERROR_INIT;
    uint8_t bytes[1024], back[1024];
    char to[80];
    struct gv_span raw = object(9, bytes);
    struct made m = { .rows = 1 };
    struct gv_hash hash = gv_hash_bytes(raw.data, raw.size);
    CHECK(gv_codec_compress(codec, 3, raw, &m.frame, &err));
    m.record = (struct gv_record){ .kind = GV_RECORD_OBJECT,
                                   .size = m.frame.size,
                                   .raw_size = raw.size,
                                   .hash = hash };
    m.row = (struct gv_pack_row){ .hash = hash,
                                  .offset = GV_PACKFILE_HEADER_BYTES,
                                  .stored = m.frame.size,
                                  .raw_size = raw.size };
    if (hostile[i].breaks)
        hostile[i].breaks(&m);
    snprintf(to, sizeof to, "%s/hostile", folder);
    write_made(&m, to);
    struct gv_packfile *pack = gv_packfile_open(to, &err);
    size_t count = 0;
    CHECK_ROW(name, pack != NULL);
    if (pack) {
        gv_packfile_rows(pack, &count);
        CHECK_ROW(name, gv_packfile_torn(pack) == hostile[i].torn);
        CHECK_ROW(name, count == hostile[i].count);
        struct gv_fetch item = { m.row.hash, raw.size, back, false };
        bool got = gv_packfile_get(pack, &item, &err);
        CHECK_ROW(name, (got && item.found) == hostile[i].gets);
        CHECK_ROW(name, got || (err.status == GV_ERR_FETCH &&
                                strstr(err.message, "is damaged") != NULL));
    }
    gv_packfile_destroy(pack);
    gv_bytes_finish(&m.frame);
}

static const struct {
    const char *name;
    size_t at; // byte of the header that changes
    bool mend; // its hash is made right
    enum gv_status status;
} headers[] = {
    { "magic", 0, false, GV_ERR_FORMAT },
    { "hash", 50, false, GV_ERR_FORMAT },
    { "major", 8, true, GV_ERR_UNSUPPORTED },
    { "minor", 10, true, GV_OK },
    { "flags", 12, true, GV_ERR_UNSUPPORTED },
    { "reserved", 47, true, GV_ERR_UNSUPPORTED },
};

static void test_headers(void)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes header = { 0 };
        unsigned version;
        gv_pack_put_header(&header, GV_PACKFILE_MAJOR);
        header.data[headers[i].at] ^= 64;
        struct gv_hash hash = gv_hash_bytes(header.data, 48);
        if (headers[i].mend)
            memcpy(header.data + 48, hash.bytes, sizeof hash.bytes);
        gv_pack_check_header(header.data, &version, &err);
        CHECK_ROW(headers[i].name, err.status == headers[i].status);
        gv_bytes_finish(&header);
    }
}

// A damaged object is replaced by the same one, and the damage does not come back when
// the pack has to be searched.
static void test_mend(void)
{
    struct gv_error err = GV_ERROR_INIT;
    bool torn;
    struct gv_file file;
    char to[80];
    snprintf(to, sizeof to, "%s/mend", folder);
    CHECK(gv_file_load(&file, path, SIZE_MAX, &err));
    uint8_t *data = (uint8_t *)(uintptr_t)file.data;
    data[GV_PACKFILE_HEADER_BYTES + GV_PACKFILE_RECORD_BYTES + 4] ^= 255;
    CHECK(gv_file_write(to, data, file.size, &err));
    gv_file_close(&file);
    struct gv_packfile *pack = gv_packfile_append(to, &err);
    CHECK(pack && !has(pack, 0));
    for (int i = 0; i < 2; i++)
        CHECK(pack && put(pack, 0, &err) && has(pack, 0));
    gv_packfile_destroy(pack); // not closed
    CHECK(count_of(to, &torn) == OBJECTS && torn);
}

static void test_source(void)
{
    struct gv_error err = GV_ERROR_INIT;
    uint8_t bytes[1024], back[1024];
    struct gv_span raw = object(3, bytes);
    struct gv_fetch items[] = {
        { gv_hash_bytes("x", 1), 1, back, false },
        { gv_hash_bytes(raw.data, raw.size), raw.size, back, false },
    };
    char location[80];
    snprintf(location, sizeof location, "pack:%s", path);
    for (int i = 0; i < 2; i++) {
        struct gv_source *source = gv_source_open(i ? location : path, &err);
        CHECK(source && strcmp(source->name, path) == 0);
        CHECK(source && source->fetch(source, items, 2, &err));
        CHECK(!items[0].found && items[1].found && memcmp(back, bytes, raw.size) == 0);
        items[1].found = false;
        gv_source_destroy(source);
    }
}

// A file of nearly 2^64 bytes, in which only the count of rows does not fit: their
// bytes wrap to few.
static void test_rows_wrap(void)
{
    struct gv_bytes bytes = { 0 };
    struct gv_pack_trailer trailer;
    const uint64_t rows = UINT64_MAX / 44 + 1, left = rows * 44;
    const uint64_t padded = (left + GV_PACKFILE_ALIGNMENT - 1) / GV_PACKFILE_ALIGNMENT *
                            GV_PACKFILE_ALIGNMENT;
    const uint64_t file_size = UINT64_MAX - GV_PACKFILE_ALIGNMENT + 1;
    gv_bytes_u64(&bytes, file_size - GV_PACKFILE_RECORD_BYTES - padded -
                             GV_PACKFILE_TRAILER_BYTES);
    gv_bytes_u64(&bytes, file_size);
    gv_bytes_u64(&bytes, rows);
    for (int i = 0; i < 2; i++)
        gv_bytes_u64(&bytes, 0); // the hash
    gv_bytes_u64(&bytes, GV_PACKFILE_MAJOR);
    const struct gv_hash check = gv_hash_bytes(bytes.data, bytes.size);
    gv_bytes_put(&bytes, check.bytes, 8);
    gv_bytes_put(&bytes, GV_PACKFILE_END_MAGIC, 8);
    CHECK(bytes.size == GV_PACKFILE_TRAILER_BYTES && left < 44 &&
          !gv_pack_read_trailer(bytes.data, &trailer));
    gv_bytes_finish(&bytes);
}

int main(void)
{
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/pack", folder);
    codec = gv_codec_create();
    test_append();
    test_cut();
    test_begun();
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
        check_hostile(i);
    test_headers();
    test_rows_wrap();
    test_mend();
    test_source();
    gv_codec_destroy(codec);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
