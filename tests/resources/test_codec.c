// The zstd wrapper: exact sizes or an error, one frame and nothing behind it.
#include "resources/codec.h"
#include "tests/test.h"

static char text[20000];
static struct gv_codec_state *codec;

static struct gv_span span(const void *data, size_t size)
{
    return (struct gv_span){ data, size };
}

static void test_round_trip(void)
{
    static const size_t sizes[] = { 0, 1, 100, sizeof text };
    for (int level = 1; level <= 19; level += 6)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct gv_error err = GV_ERROR_INIT;
            struct gv_bytes frame = { 0 }, again = { 0 };
            static char back[sizeof text];
            uint64_t raw = 7;
            CHECK(gv_codec_compress(codec, level, span(text, sizes[i]), &frame, &err));
            CHECK(gv_codec_compress(codec, level, span(text, sizes[i]), &again, &err));
            CHECK(frame.size == again.size &&
                  memcmp(frame.data, again.data, frame.size) == 0);
            CHECK(gv_codec_raw_size(frame.data, frame.size, sizeof text, &raw, &err));
            CHECK(raw == sizes[i]);
            CHECK(gv_codec_decompress(codec, span(frame.data, frame.size), back,
                                      sizes[i], &err));
            CHECK(memcmp(back, text, sizes[i]) == 0);
            gv_bytes_finish(&frame);
            gv_bytes_finish(&again);
        }
}

static void test_damage(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes frame = { 0 };
    static char back[sizeof text + 1];
    uint64_t raw;
    gv_codec_compress(codec, 3, span(text, sizeof text), &frame, &err);
    CHECK(!gv_codec_decompress(codec, span(frame.data, frame.size), back,
                               sizeof text - 1, &err));
    CHECK(err.status == GV_ERR_FORMAT && strstr(err.message, "announced"));
    gv_error_clear(&err);
    CHECK(!gv_codec_decompress(codec, span(frame.data, frame.size), back,
                               sizeof text + 1, &err));
    gv_error_clear(&err);
    CHECK(!gv_codec_raw_size(frame.data, frame.size, sizeof text - 1, &raw, &err));
    CHECK(err.status == GV_ERR_FORMAT && strstr(err.message, "limit"));
    for (size_t size = 0; size < frame.size; size++) {
        gv_error_clear(&err);
        CHECK(!gv_codec_decompress(codec, span(frame.data, size), back, sizeof text,
                                   &err));
        CHECK(err.status == GV_ERR_FORMAT);
    }
    gv_bytes_u8(&frame, 0); // a byte behind the frame
    gv_error_clear(&err);
    CHECK(!gv_codec_decompress(codec, span(frame.data, frame.size), back, sizeof text,
                               &err));
    frame.size--;
    struct gv_bytes two = { 0 }; // two frames of half the size
    gv_error_clear(&err);
    gv_codec_compress(codec, 3, span(text, sizeof text / 2), &two, &err);
    gv_codec_compress(codec, 3, span(text, sizeof text / 2), &two, &err);
    CHECK(
        !gv_codec_decompress(codec, span(two.data, two.size), back, sizeof text, &err));
    CHECK(err.status == GV_ERR_FORMAT);
    gv_bytes_finish(&two);
    gv_bytes_finish(&frame);
}

// Eleven bytes of a header that states 4 GiB, and a block of nothing: refused before
// somebody makes room for them.
static void test_stated_too_much(void)
{
    const uint8_t few[] = { 0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x58, 0, 0, 0,
                            0,    1,    0,    0,    0,    1,    0, 0 };
    struct gv_error err = GV_ERROR_INIT;
    uint64_t raw = 0;
    CHECK(gv_codec_stated_size(few, sizeof few, &raw, &err) && raw == 1ull << 32);
    CHECK(!gv_codec_raw_size(few, sizeof few, UINT64_MAX, &raw, &err));
    CHECK(err.status == GV_ERR_FORMAT && strstr(err.message, "can hold"));
    // As many as there can be are fine: zeros compress to a 32768th.
    struct gv_bytes zeros = { 0 }, frame = { 0 };
    gv_error_clear(&err);
    uint8_t *bytes = gv_bytes_grow(&zeros, 64u << 20);
    if (bytes)
        memset(bytes, 0, 64u << 20);
    CHECK(gv_codec_compress(codec, 19, span(zeros.data, zeros.size), &frame, &err));
    CHECK(gv_codec_raw_size(frame.data, frame.size, UINT64_MAX, &raw, &err));
    gv_bytes_finish(&zeros);
    gv_bytes_finish(&frame);
}

static void test_policy(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes frame = { 0 };
    CHECK(gv_codec_worth(1000, 969) && !gv_codec_worth(1000, 970));
    CHECK(!gv_codec_worth(10, 10) && !gv_codec_worth(10, 11) && gv_codec_worth(10, 9));
    CHECK(gv_codec_worth(UINT64_MAX, 1) && !gv_codec_worth(UINT64_MAX, UINT64_MAX));
    CHECK(!gv_codec_compress(codec, 0, span(text, 1), &frame, &err));
    CHECK(err.status == GV_ERR_USAGE);
    CHECK(gv_codec_version()[0] == '1');
}

int main(void)
{
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 17 * (i / 256) % 26);
    codec = gv_codec_create();
    test_round_trip();
    test_damage();
    test_stated_too_much();
    test_policy();
    gv_codec_destroy(codec);
    return TEST_RESULT();
}
