// The folder store and its source: whole objects or errors, never damaged bytes.
#include "resources/base/file.h"
#include "resources/codec.h"
#include "resources/source_open.h"
#include "resources/store.h"
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gpuvm-test-store-XXXXXX";
static const char object[] = "an object that is stored under the hash of its bytes";
static const struct gv_span whole = { object, sizeof object };

static const char *path_of(const struct gv_hash *hash)
{
    static char path[256];
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    snprintf(path, sizeof path, "%s/store/cas/%.2s/%s.zst", folder, hex, hex);
    return path;
}

static struct gv_store *open_store(void)
{
    struct gv_error err = GV_ERROR_INIT;
    char path[128];
    snprintf(path, sizeof path, "%s/store", folder);
    struct gv_store *store = gv_store_create(path, &err);
    CHECK(store != NULL);
    return store;
}

static void test_put_and_get(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_store *store = open_store();
    struct gv_hash hash = gv_hash_bytes(object, sizeof object);
    uint8_t back[sizeof object];
    struct stat st;
    struct gv_fetch item = { hash, sizeof back, back, true };
    CHECK(gv_store_get(store, &item, &err) && !item.found);
    CHECK(gv_store_put(store, &hash, whole, 3, &err));
    CHECK(stat(path_of(&hash), &st) == 0);
    CHECK(gv_store_put(store, &hash, whole, 19, &err)); // again
    CHECK(gv_store_get(store, &item, &err) && item.found);
    CHECK(memcmp(back, object, sizeof object) == 0);
    gv_store_destroy(store);
    gv_store_destroy(NULL);
}

// Other bytes under an id that is taken: forged here, since XXH3 collides by chance
// only.
static void test_collision(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_store *store = open_store();
    struct gv_hash hash = gv_hash_bytes(object, sizeof object);
    gv_store_put(store, &hash, whole, 3, &err);
    CHECK(!gv_store_put(store, &hash, (struct gv_span){ "other bytes", 11 }, 3, &err));
    CHECK(err.status == GV_ERR_FORMAT && strstr(err.message, "content id collision"));
    gv_store_destroy(store);
}

static void write_object(const struct gv_hash *hash, const void *raw, size_t size,
                         size_t cut)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_codec_state *codec = gv_codec_create();
    struct gv_bytes frame = { 0 };
    gv_codec_compress(codec, 3, (struct gv_span){ raw, size }, &frame, &err);
    CHECK(gv_file_write(path_of(hash), frame.data, frame.size - cut, &err));
    gv_bytes_finish(&frame);
    gv_codec_destroy(codec);
}

static void test_damage(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_store *store = open_store();
    struct gv_hash hash = gv_hash_bytes(object, sizeof object);
    uint8_t back[sizeof object + 1];
    char other[sizeof object], hex[GV_HASH_HEX];
    struct gv_fetch item = { hash, sizeof object, back, false };
    gv_hash_to_hex(&hash, hex);
    gv_store_put(store, &hash, whole, 3, &err);
    memcpy(other, object, sizeof other);
    other[5] ^= 1;
    for (int damage = 0; damage < 4; damage++) {
        gv_error_clear(&err);
        if (damage == 0)
            write_object(&hash, other, sizeof other, 0); // the hash differs
        else if (damage == 1)
            write_object(&hash, object, sizeof object, 1); // cut off
        else if (damage == 2)
            write_object(&hash, object, sizeof object - 1, 0); // too short
        else
            gv_file_write(path_of(&hash), "not zstd", 8, &err);
        CHECK(!gv_store_get(store, &item, &err));
        CHECK(err.status == GV_ERR_FETCH && strstr(err.message, hex) != NULL);
    }
    gv_error_clear(&err);
    CHECK(gv_store_put(store, &hash, whole, 3, &err)); // mends it
    CHECK(gv_store_get(store, &item, &err) && item.found);
    item.raw_size++;
    CHECK(!gv_store_get(store, &item, &err));
    CHECK(err.status == GV_ERR_FETCH);
    gv_store_destroy(store);
}

// A file that is longer than the frame at its beginning can be is not read.
static void test_long_file(void)
{
    static const off_t sizes[] = { (off_t)1 << 30, (off_t)4 << 30, (off_t)1 << 40 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_store *store = open_store();
    struct gv_hash hash = gv_hash_bytes(object, sizeof object);
    struct gv_bytes frame = { 0 };
    gv_store_put(store, &hash, whole, 3, &err);
    CHECK(gv_store_stated_size(path_of(&hash)) == sizeof object);
    CHECK(gv_store_get_frame(store, &hash, &frame, &err));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gv_error_clear(&err);
        CHECK(truncate(path_of(&hash), sizes[i]) == 0);
        CHECK(!gv_store_get_frame(store, &hash, &frame, &err));
        CHECK(err.status == GV_ERR_LIMIT);
    }
    gv_error_clear(&err);
    CHECK(gv_store_put(store, &hash, whole, 3, &err)); // mends it
    gv_bytes_finish(&frame);
    gv_store_destroy(store);
}

static void test_source(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_store *store = open_store();
    struct gv_hash hash = gv_hash_bytes(object, sizeof object);
    struct gv_hash missing = gv_hash_bytes("x", 1);
    char path[128], one[sizeof object], two[1];
    snprintf(path, sizeof path, "%s/store", folder);
    gv_store_put(store, &hash, whole, 3, &err);
    gv_store_destroy(store);
    struct gv_source *source = gv_source_open(path, &err);
    CHECK(source && strcmp(source->name, path) == 0 && !source->borrow);
    if (!source)
        return;
    struct gv_fetch items[] = { { missing, 1, (uint8_t *)two, false },
                                { hash, sizeof object, (uint8_t *)one, false } };
    CHECK(source->fetch(source, items, 2, &err));
    CHECK(!items[0].found && items[1].found && memcmp(one, object, sizeof one) == 0);
    write_object(&hash, object, sizeof object, 2);
    items[1].found = false;
    CHECK(!source->fetch(source, items, 2, &err) && !items[1].found);
    CHECK(err.status == GV_ERR_FETCH);
    gv_source_destroy(source);
    gv_source_destroy(NULL);
}

static const struct {
    const char *name, *location;
    enum gv_status status;
    const char *message;
} locations[] = {
    { "http", "http://example.org/x", GV_ERR_UNSUPPORTED, "unsupported: http store" },
    { "https", "https://example.org/x", GV_ERR_UNSUPPORTED, "unsupported: http store" },
    { "http_pack", "pack:http://x/y", GV_ERR_UNSUPPORTED, "unsupported: http store" },
    { "pack", "pack:/nonexistent/x", GV_ERR_NOT_FOUND, "/nonexistent/x" },
    { "file", "/proc/self/exe", GV_ERR_FORMAT, "not a pack file" },
    { "missing", "/nonexistent/store", GV_ERR_NOT_FOUND, "is not a folder" },
};

static void test_locations(void)
{
    for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(locations[i].name, !gv_source_open(locations[i].location, &err));
        CHECK_ROW(locations[i].name, err.status == locations[i].status);
        CHECK_ROW(locations[i].name, strstr(err.message, locations[i].message) != NULL);
    }
}

static void test_unwritable(void)
{
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_store_create("/proc/gpuvm/store", &err) && err.status == GV_ERR_OUTPUT);
}

int main(void)
{
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    test_put_and_get();
    test_collision();
    test_damage();
    test_long_file();
    test_source();
    test_locations();
    test_unwritable();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
