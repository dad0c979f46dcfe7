// Packs whose objects need others: what is put is there again, whatever was cut off;
// what cannot be a dictionary costs who needs it, and says where.
#include "resources/base/file.h"
#include "resources/codec.h"
#include "resources/packfile.h"
#include "tests/test.h"

#include <unistd.h>

#define LEVEL 3
#define USERS 6
#define BYTES 4000

static char folder[] = "/tmp/gpuvm-test-needs-XXXXXX";
static char path[64];
static struct gv_codec_state *codec;

// Object 0 does not compress; the others are most of it, and bytes of their own.
static struct gv_span object(unsigned i, uint8_t bytes[BYTES])
{
    uint32_t seed = 7;
    for (unsigned k = 0; k < BYTES; k++) {
        seed = seed * 1664525 + 1013904223;
        bytes[k] = (uint8_t)(seed >> 24);
    }
    for (unsigned k = 0; i && k < 200; k++)
        bytes[k] = (uint8_t)(i * k);
    return (struct gv_span){ bytes, BYTES - i };
}

static struct gv_hash id_of(unsigned i)
{
    uint8_t bytes[BYTES];
    struct gv_span raw = object(i, bytes);
    return gv_hash_bytes(raw.data, raw.size);
}

static void compress(unsigned i, bool with, struct gv_bytes *frame)
{
    uint8_t bytes[BYTES], first[BYTES];
    struct gv_span raw = object(i, bytes);
    struct gv_codec_dictionary *d =
        gv_codec_dictionary_create(LEVEL, gv_dictionary_of(object(0, first)), NULL);
    CHECK(d && (with ? gv_codec_compress_with(codec, d, raw, frame, NULL)
                     : gv_codec_compress(codec, LEVEL, raw, frame, NULL)));
    gv_codec_dictionary_destroy(d);
}

// Puts object `i`, which may have object 0's end; `made` with it.
static bool put(struct gv_packfile *pack, unsigned i, bool made, struct gv_error *err)
{
    uint8_t bytes[BYTES];
    const struct gv_hash first = id_of(0);
    struct gv_bytes frame = { 0 };
    compress(i, made, &frame);
    const struct gv_pack_object o = { .hash = id_of(i),
                                      .raw = object(i, bytes),
                                      .frame = { frame.data, frame.size },
                                      .dictionary = &first,
                                      .made_with = made,
                                      .level = LEVEL };
    bool ok = gv_packfile_put(pack, &o, err);
    gv_bytes_finish(&frame);
    return ok;
}

static bool get(struct gv_packfile *pack, unsigned i, struct gv_error *err)
{
    uint8_t bytes[BYTES], back[BYTES];
    struct gv_span raw = object(i, bytes);
    struct gv_fetch item = { id_of(i), raw.size, back, false };
    return gv_packfile_get(pack, &item, err) && item.found &&
           memcmp(back, bytes, raw.size) == 0;
}

static bool needs(const struct gv_packfile *pack, unsigned i)
{
    const struct gv_hash id = id_of(i), first = id_of(0);
    const struct gv_pack_row *row = gv_packfile_find(pack, &id);
    const struct gv_hash *needed = row ? gv_packfile_needs(pack, row) : NULL;
    return needed && gv_hash_equal(needed, &first);
}

// Objects `first` to `last`, and whether those but 0 are to need it.
static void add(unsigned first, unsigned last, bool dependent)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_packfile *pack = gv_packfile_append(path, &err);
    CHECK(pack != NULL);
    for (unsigned i = first; pack && i < last; i++) {
        CHECK(put(pack, i, i % 2, &err));
        CHECK(needs(pack, i) == (dependent && i > 0));
        CHECK(get(pack, i, &err));
    }
    CHECK(pack && gv_packfile_close(pack, &err) && err.status == GV_OK);
    gv_packfile_destroy(pack);
}

static unsigned count_of(const char *of, bool *torn)
{
    struct gv_packfile *pack = gv_packfile_open(of, NULL);
    unsigned count = 0;
    CHECK(pack != NULL);
    for (unsigned i = 0; pack && i < USERS; i++)
        count += get(pack, i, NULL);
    *torn = pack && gv_packfile_torn(pack);
    gv_packfile_destroy(pack);
    return count;
}

static void test_append(void)
{
    bool torn = true;
    add(0, 3, true);
    CHECK(count_of(path, &torn) == 3 && !torn);
    add(2, USERS, true); // one of them again
    CHECK(count_of(path, &torn) == USERS && !torn);
}

// Every length that a copy can be cut at: who needs another finds it.
static void test_cut(void)
{
    struct gv_file whole;
    char cut[80];
    bool torn;
    unsigned last = 0;
    snprintf(cut, sizeof cut, "%s/cut", folder);
    CHECK(gv_file_open(&whole, path, NULL));
    for (size_t size = GV_PACKFILE_HEADER_BYTES; size < whole.size; size += 7) {
        CHECK(gv_file_write(cut, whole.data, size, NULL));
        unsigned count = count_of(cut, &torn);
        CHECK(count >= last);
        last = count;
    }
    CHECK(last == USERS);
    gv_file_close(&whole);
}

// A pack of version 1 stays one.
static void test_plain(void)
{
    struct gv_bytes all = { 0 };
    struct gv_file file;
    bool torn = true;
    CHECK(unlink(path) == 0);
    gv_pack_put_header(&all, GV_PACKFILE_PLAIN);
    CHECK(gv_file_write(path, all.data, all.size, NULL));
    gv_bytes_finish(&all);
    add(0, USERS, false);
    CHECK(count_of(path, &torn) == USERS && !torn);
    CHECK(gv_file_open(&file, path, NULL) && file.data[8] == GV_PACKFILE_PLAIN);
    gv_file_close(&file);
}

// Without its dictionary an object is compressed anew.
static void test_alone(void)
{
    CHECK(unlink(path) == 0);
    add(1, USERS, false);
}

// The dictionary's object is damaged and put once more, behind those that need it: the
// index does without them, and they are put again.
static void test_mend(void)
{
    struct gv_file file;
    bool torn;
    CHECK(unlink(path) == 0);
    add(0, 3, true);
    CHECK(gv_file_load(&file, path, SIZE_MAX, NULL));
    uint8_t *data = (uint8_t *)(uintptr_t)file.data;
    data[GV_PACKFILE_HEADER_BYTES + GV_PACKFILE_RECORD_BYTES + 99] ^= 255;
    CHECK(gv_file_write(path, data, file.size, NULL));
    gv_file_close(&file);
    CHECK(count_of(path, &torn) == 0 && !torn);
    add(0, 1, true);
    CHECK(count_of(path, &torn) == 1 && !torn);
    add(0, 3, true);
    CHECK(count_of(path, &torn) == 3 && !torn);
}

// ---- hostile packs: their hashes made right ----

// Objects 0 to 2 in this order, each with the one it names.
struct made {
    unsigned order[3];
    int named[3];      // by object; -1: none, USERS: one that is not there
    uint64_t raw_size; // of object 0
};

static const struct {
    const char *name;
    struct made made;
    int faulty;   // object
    size_t where; // which record it is
    const char *says;
} hostile[] = {
    { "whole", { { 0, 1, 2 }, { -1, 0, 0 }, BYTES }, -1, 0, "" },
    { "itself", { { 0, 1, 2 }, { -1, 1, 0 }, BYTES }, 1, 1, "needs one itself" },
    { "cycle", { { 0, 1, 2 }, { -1, 2, 1 }, BYTES }, 2, 2, "needs one itself" },
    { "chain", { { 0, 1, 2 }, { -1, 0, 1 }, BYTES }, 2, 2, "needs one itself" },
    { "behind", { { 2, 0, 1 }, { -1, 0, 0 }, BYTES }, 2, 0, "is behind it" },
    { "absent", { { 0, 1, 2 }, { -1, 0, USERS }, BYTES }, 2, 2, "is not there" },
    { "large", { { 0, 1, 2 }, { -1, 0, -1 }, 8u << 20 | 1 }, 1, 1, "is too large" },
};

static void make(const struct made *m, struct gv_bytes *all, size_t offsets[3],
                 struct gv_pack_row rows[3])
{
    gv_pack_put_header(all, GV_PACKFILE_MAJOR);
    for (size_t k = 0; k < 3; k++) {
        const unsigned i = m->order[k];
        const bool with = m->named[i] >= 0;
        struct gv_bytes frame = { 0 };
        compress(i, with, &frame);
        struct gv_record record = { .kind =
                                        with ? GV_RECORD_DEPENDENT : GV_RECORD_OBJECT,
                                    .size = frame.size,
                                    .raw_size = i ? BYTES - i : m->raw_size,
                                    .hash = id_of(i) };
        if (with) {
            record.size += GV_PACKFILE_NAME_BYTES;
            record.dictionary = id_of((unsigned)m->named[i]);
        }
        offsets[k] = all->size;
        rows[i] = (struct gv_pack_row){ .hash = record.hash,
                                        .offset = all->size,
                                        .stored = frame.size,
                                        .raw_size = record.raw_size };
        gv_pack_put_record(all, &record);
        gv_bytes_put(all, frame.data, frame.size);
        gv_bytes_zero_to(all, GV_PACKFILE_ALIGNMENT);
        gv_bytes_finish(&frame);
    }
}

static void check_torn(size_t i)
{
    const char *name = hostile[i].name;
    struct gv_bytes all = { 0 };
    struct gv_pack_row rows[3];
    size_t offsets[3];
    make(&hostile[i].made, &all, offsets, rows);
    CHECK(gv_file_write(path, all.data, all.size, NULL));
    struct gv_packfile *pack = gv_packfile_open(path, NULL);
    CHECK_ROW(name, pack && gv_packfile_torn(pack));
    for (unsigned k = 0; pack && k < 3; k++) {
        struct gv_error err = GV_ERROR_INIT;
        bool got = get(pack, k, &err);
        if (hostile[i].faulty < 0)
            CHECK_ROW(name, got);
        if (hostile[i].faulty != (int)k)
            continue;
        CHECK_ROW(name, !got && err.status == GV_ERR_FETCH);
        CHECK_ROW(name, err.offset == offsets[hostile[i].where]);
        CHECK_ROW(name, strstr(err.message, hostile[i].says) != NULL);
    }
    gv_packfile_destroy(pack);
    gv_bytes_finish(&all);
}

static int compare_rows(const void *a, const void *b)
{
    const struct gv_pack_row *x = a, *y = b;
    return gv_hash_compare(&x->hash, &y->hash);
}

// The same by an index, whose rows name numbers: refused as a whole, by what reads it.
static void check_index(size_t i)
{
    const char *name = hostile[i].name;
    const struct made *m = &hostile[i].made;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes all = { 0 };
    struct gv_pack_row rows[3], back[3];
    struct gv_pack_trailer trailer;
    size_t offsets[3];
    struct gv_pack_index index = { .version = GV_PACKFILE_MAJOR,
                                   .rows = rows,
                                   .count = 3 };
    make(m, &all, offsets, rows);
    for (unsigned k = 0; k < 3; k++)
        if (m->named[k] >= 0) {
            struct gv_hash other = id_of((unsigned)m->named[k]);
            rows[k].dictionary = gv_pack_dictionary_place(&index, &other);
        }
    qsort(rows, 3, sizeof *rows, compare_rows);
    size_t at = all.size;
    gv_pack_put_index(&all, &index, at);
    struct gv_pack_index read = { .rows = back };
    CHECK(gv_pack_read_trailer(all.data + all.size - GV_PACKFILE_TRAILER_BYTES,
                               &trailer));
    bool ok = gv_pack_read_rows(all.data + at + GV_PACKFILE_RECORD_BYTES, &trailer,
                                &read, &err);
    // An index cannot name what is not there: its row says that it needs nothing.
    bool absent = strcmp(name, "absent") == 0;
    CHECK_ROW(name, ok == (absent || hostile[i].faulty < 0));
    CHECK_ROW(name, ok || (err.offset > at && err.offset < all.size &&
                           err.status == GV_ERR_FORMAT &&
                           strstr(err.message, hostile[i].says) != NULL));
    gv_bytes_finish(&all);
}

// More different dictionaries than there may be: the last is refused.
static void test_most(void)
{
    struct gv_pack_index index = { 0 };
    for (unsigned i = 0; i < GV_DICTIONARY_MOST; i++) {
        struct gv_hash id = gv_hash_bytes(&i, sizeof i);
        CHECK(gv_pack_dictionary_place(&index, &id) == i + 1);
        CHECK(gv_pack_dictionary_place(&index, &id) == i + 1);
    }
    struct gv_hash one_more = id_of(0);
    struct gv_pack_row row = { .hash = one_more };
    row.dictionary = gv_pack_dictionary_place(&index, &one_more);
    CHECK(row.dictionary == GV_PACK_BEYOND);
    CHECK(strcmp(gv_pack_dictionary_fault(&row, NULL), "too many dictionaries") == 0);
}

int main(void)
{
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/pack", folder);
    codec = gv_codec_create();
    test_append();
    test_cut();
    test_plain();
    test_alone();
    test_mend();
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        check_torn(i);
        check_index(i);
    }
    test_most();
    gv_codec_destroy(codec);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
