// Content ids: known values, hexadecimal form.
#include "resources/hash.h"
#include "tests/test.h"

// XXH3-128 with seed 0, canonical order, as `xxhsum -H2` prints them.
static const struct {
    const char *name, *text, *hex;
} known[] = {
    { "empty", "", "99aa06d3014798d86001c324468d497f" },
    { "a", "a", "a96faf705af16834e6c632b61e964e1f" },
    { "abc", "abc", "06b05ab6733a618578af5f94892f3950" },
};

static void test_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char hex[GV_HASH_HEX];
        struct gv_hash hash = gv_hash_bytes(known[i].text, strlen(known[i].text)), back;
        gv_hash_to_hex(&hash, hex);
        CHECK_ROW(known[i].name, strcmp(hex, known[i].hex) == 0);
        CHECK_ROW(known[i].name, gv_hash_from_hex(hex, &back));
        CHECK_ROW(known[i].name, gv_hash_equal(&hash, &back));
    }
}

static const struct {
    const char *name, *hex;
    bool good;
} forms[] = {
    { "upper_case", "99AA06D3014798D86001C324468D497F", true },
    { "short", "99aa06d3014798d86001c324468d497", false },
    { "long", "99aa06d3014798d86001c324468d497f0", false },
    { "no_digit", "99aa06d3014798d86001c324468d497g", false },
    { "space", "99aa06d3014798d86001c324468d497 ", false },
    { "empty", "", false },
};

static void test_forms(void)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct gv_hash hash;
        CHECK_ROW(forms[i].name,
                  gv_hash_from_hex(forms[i].hex, &hash) == forms[i].good);
    }
}

// Bytes in one piece, by whatever vectors the processor has, and one after another.
static void test_ways(void)
{
    static uint8_t bytes[5000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i >> 3 ^ i);
    for (size_t size = 200; size <= sizeof bytes; size += size < 300 ? 1 : 97) {
        struct gv_hash_stream *stream = gv_hash_stream_create();
        const struct gv_hash whole = gv_hash_bytes(bytes + 1, size - 1);
        gv_hash_stream_add(stream, bytes + 1, size / 3);
        gv_hash_stream_add(stream, bytes + 1 + size / 3, size - 1 - size / 3);
        const struct gv_hash parts = gv_hash_stream_result(stream);
        CHECK(gv_hash_equal(&whole, &parts));
        gv_hash_stream_destroy(stream);
    }
}

int main(void)
{
    test_known();
    test_ways();
    test_forms();
    return TEST_RESULT();
}
