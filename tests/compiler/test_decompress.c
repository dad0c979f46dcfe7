// The outer layer: gzip, zstd and xz, whole, in pieces, cut off, damaged, too large.
#include "compiler/decompress.h"
#include "resources/codec.h"
#include "tests/test.h"

#include <lzma.h>
#include <zlib.h>

#define RAW_BYTES ((size_t)300000)

static uint8_t raw[RAW_BYTES];

static void fill_raw(void)
{
    uint32_t seed = 5;
    for (size_t i = 0; i < RAW_BYTES; i++) {
        seed = seed * 1664525u + 1013904223u;
        raw[i] = (uint8_t)(seed >> 30 ? i : seed >> 24);
    }
}

// Appends one layer around [data, data + size).
static void wrap(enum gv_layer layer, const uint8_t *data, size_t size,
                 struct gv_bytes *out)
{
    size_t room = size + size / 2 + 1024, used = 0;
    if (layer == GV_LAYER_ZSTD) {
        struct gv_codec_state *codec = gv_codec_create();
        CHECK(gv_codec_compress(codec, 3, (struct gv_span){ data, size }, out, NULL));
        gv_codec_destroy(codec);
        return;
    }
    uint8_t *to = gv_bytes_grow(out, room);
    if (layer == GV_LAYER_GZIP) {
        z_stream z = { .next_in = (z_const Bytef *)data,
                       .avail_in = (uInt)size,
                       .next_out = to,
                       .avail_out = (uInt)room };
        CHECK(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
              Z_OK);
        CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
        used = room - z.avail_out;
        deflateEnd(&z);
    } else {
        CHECK(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, data, size, to, &used,
                                      room) == LZMA_OK);
    }
    out->size -= room - used;
}

static const enum gv_layer layers[] = { GV_LAYER_GZIP, GV_LAYER_ZSTD, GV_LAYER_XZ };
#define LAYERS (sizeof layers / sizeof layers[0])

struct outcome {
    bool done;
    struct gv_decompressed out;
    struct gv_error err;
};

static struct outcome peel(enum gv_layer layer, const void *data, size_t size,
                           uint64_t limit, bool head_only)
{
    struct outcome o = { .err = GV_ERROR_INIT };
    const struct gv_decompress_params params = { .limit = limit,
                                                 .head_only = head_only };
    o.done =
        gv_decompress(layer, (struct gv_span){ data, size }, &params, &o.out, &o.err);
    return o;
}

// A layer cut off anywhere gives what came out so far, if the caller wants that.
static void test_cut(enum gv_layer layer, const struct gv_bytes *one)
{
    const char *name = gv_layer_name(layer);
    const struct gv_decompress_params params = { .limit = RAW_BYTES,
                                                 .allow_cut = true };
    size_t most = 0;
    for (size_t cut = 1; cut < one->size; cut += 1 + one->size / 100) {
        struct outcome o = { .err = GV_ERROR_INIT };
        o.done = gv_decompress(layer, (struct gv_span){ one->data, cut }, &params,
                               &o.out, &o.err);
        CHECK_ROW(name, o.out.cut && o.done == (o.out.bytes.size > 0));
        CHECK_ROW(name, o.done || o.err.status == GV_ERR_FORMAT);
        CHECK_ROW(name, o.out.bytes.size >= most && o.out.bytes.size <= RAW_BYTES);
        CHECK_ROW(name,
                  !o.done || memcmp(o.out.bytes.data, raw, o.out.bytes.size) == 0);
        most = o.out.bytes.size;
        gv_bytes_finish(&o.out.bytes);
    }
    CHECK_ROW(name, most > RAW_BYTES / 2);
}

static void test_layer(enum gv_layer layer)
{
    const char *name = gv_layer_name(layer);
    struct gv_bytes one = { 0 }, two = { 0 };
    wrap(layer, raw, RAW_BYTES, &one);
    wrap(layer, raw, 1000, &two);
    wrap(layer, raw + 1000, RAW_BYTES - 1000, &two);
    CHECK_ROW(name, gv_layer_detect(one.data, one.size) == layer);

    struct outcome o = peel(layer, one.data, one.size, RAW_BYTES, false);
    CHECK_ROW(name, o.done && o.out.bytes.size == RAW_BYTES);
    CHECK_ROW(name, o.done && memcmp(o.out.bytes.data, raw, RAW_BYTES) == 0);
    gv_bytes_finish(&o.out.bytes);

    o = peel(layer, two.data, two.size, UINT64_MAX / 2, false); // several in a row
    CHECK_ROW(name, o.done && o.out.bytes.size == RAW_BYTES);
    CHECK_ROW(name, o.done && memcmp(o.out.bytes.data, raw, RAW_BYTES) == 0);
    gv_bytes_finish(&o.out.bytes);

    o = peel(layer, one.data, one.size, RAW_BYTES - 1, false);
    CHECK_ROW(name, !o.done && o.err.status == GV_ERR_LIMIT);
    gv_bytes_finish(&o.out.bytes);

    o = peel(layer, one.data, one.size, 4096, true);
    CHECK_ROW(name, o.done && o.out.bytes.size == 4096);
    gv_bytes_finish(&o.out.bytes);

    for (size_t cut = one.size - 1; cut > 0; cut -= cut / 3 + 1) {
        o = peel(layer, one.data, cut, RAW_BYTES, false);
        CHECK_ROW(name, !o.done && o.err.status == GV_ERR_FORMAT);
        CHECK_ROW(name, o.err.offset <= cut);
        gv_bytes_finish(&o.out.bytes);
    }

    test_cut(layer, &one);

    one.data[one.size / 2] ^= 0x55;
    o = peel(layer, one.data, one.size, RAW_BYTES, false);
    // Without a check of its own, zstd may not notice: then other bytes come out.
    CHECK_ROW(name, !o.done || memcmp(o.out.bytes.data, raw, RAW_BYTES) != 0);
    CHECK_ROW(name, o.done || o.err.status == GV_ERR_FORMAT);
    gv_bytes_finish(&o.out.bytes);
    gv_bytes_finish(&one);
    gv_bytes_finish(&two);
}

static const struct {
    const char *name, *bytes;
    size_t size;
    enum gv_layer layer;
} heads[] = {
    { "empty", "", 0, GV_LAYER_NONE },
    { "gzip", "\x1f\x8b\x08", 3, GV_LAYER_GZIP },
    { "gzip_cut", "\x1f\x8b", 2, GV_LAYER_NONE },
    { "compress", "\x1f\x9d\x90", 3, GV_LAYER_NONE },
    { "zstd", "\x28\xb5\x2f\xfd", 4, GV_LAYER_ZSTD },
    { "xz",
      "\xfd"
      "7zXZ\0",
      6, GV_LAYER_XZ },
    { "xz_cut",
      "\xfd"
      "7zXZ",
      5, GV_LAYER_NONE },
    { "text", "hello", 5, GV_LAYER_NONE },
};

int main(void)
{
    fill_raw();
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        CHECK_ROW(heads[i].name,
                  gv_layer_detect(heads[i].bytes, heads[i].size) == heads[i].layer);
    for (size_t i = 0; i < LAYERS; i++)
        test_layer(layers[i]);
    return TEST_RESULT();
}
