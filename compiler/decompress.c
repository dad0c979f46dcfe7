// The only user of zlib and liblzma.
#include "compiler/decompress.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>

#define STEP_BYTES ((size_t)256 * 1024)
#define XZ_MEMORY ((uint64_t)1 << 30) // "xz -9" needs 65 MiB

enum gv_layer gv_layer_detect(const void *data, size_t size)
{
    static const struct {
        enum gv_layer layer;
        size_t size;
        const char *magic;
    } magics[] = {
        { GV_LAYER_GZIP, 3, "\x1f\x8b\x08" },         // RFC 1952, 2.3.1: deflate
        { GV_LAYER_ZSTD, 4, "\x28\xb5\x2f\xfd" },     // RFC 8878, 3.1.1
        { GV_LAYER_XZ, 6, "\xfd\x37\x7a\x58\x5a\0" }, // xz file format, 2.1.1.1
    };
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (size >= magics[i].size && !memcmp(data, magics[i].magic, magics[i].size))
            return magics[i].layer;
    return GV_LAYER_NONE;
}

const char *gv_layer_name(enum gv_layer layer)
{
    switch (layer) {
    case GV_LAYER_GZIP:
        return "gzip";
    case GV_LAYER_ZSTD:
        return "zstd";
    case GV_LAYER_XZ:
        return "xz";
    case GV_LAYER_NONE:
        break;
    }
    return "none";
}

// A streaming decompressor reduced to one step. Shared state of one run.
struct run {
    const uint8_t *data;
    size_t size, pos; // of the compressed bytes
    uint8_t *to;      // where to write
    size_t room;      // there
    bool ended;       // the stream, or member, is complete
};

enum step { STEP_GOOD, STEP_DAMAGED, STEP_MEMORY };

// A library's stream and what moves it on.
struct layer_stream {
    const char *name;
    enum step (*step)(void *state, struct run *run);
    void *state;
};

// zlib counts in `uInt`.
static uInt clamp(size_t n)
{
    return n > STEP_BYTES ? (uInt)STEP_BYTES : (uInt)n;
}

static enum step step_gzip(void *stream, struct run *run)
{
    z_stream *z = stream;
    if (run->ended) { // "A gzip file consists of a series of members", RFC 1952, 2.2
        inflateReset(z);
        run->ended = false;
    }
    uInt give = clamp(run->size - run->pos), room = clamp(run->room);
    z->next_in = (z_const Bytef *)(run->data + run->pos);
    z->avail_in = give;
    z->next_out = run->to;
    z->avail_out = room;
    int result = inflate(z, Z_NO_FLUSH);
    run->pos += give - z->avail_in;
    run->room -= room - z->avail_out;
    run->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return STEP_MEMORY;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR
               ? STEP_GOOD
               : STEP_DAMAGED;
}

static enum step step_xz(void *stream, struct run *run)
{
    lzma_stream *x = stream;
    x->next_in = run->data + run->pos;
    x->avail_in = run->size - run->pos;
    x->next_out = run->to;
    x->avail_out = run->room;
    lzma_ret result = lzma_code(x, LZMA_FINISH);
    run->pos = run->size - x->avail_in;
    run->room = x->avail_out;
    run->ended = result == LZMA_STREAM_END;
    if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR)
        return STEP_MEMORY;
    return result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR
               ? STEP_GOOD
               : STEP_DAMAGED;
}

static bool run_stream(const struct layer_stream *stream, struct gv_span stored,
                       const struct gv_decompress_params *params,
                       struct gv_decompressed *out, struct gv_error *err)
{
    struct run all = { .data = stored.data, .size = stored.size }, *run = &all;
    const char *name = stream->name;
    uint64_t limit = params->limit;
    while (!run->ended || run->pos < run->size) {
        // One byte beyond the limit tells whether there is more.
        uint64_t left = params->head_only ? limit : limit + 1;
        size_t room = left < STEP_BYTES ? (size_t)left : STEP_BYTES, before = run->pos;
        if (room == 0)
            return true;
        run->to = gv_bytes_grow(&out->bytes, room);
        run->room = room;
        if (!run->to)
            return gv_out_of_memory(err);
        enum step result = stream->step(stream->state, run);
        size_t written = room - run->room;
        out->bytes.size -= run->room;
        if (result == STEP_MEMORY)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "%s: out of memory", name);
        if (result == STEP_DAMAGED)
            return gv_fail(err, GV_ERR_FORMAT, run->pos, "the %s layer is damaged",
                           name);
        if (written > limit)
            return gv_fail(err, GV_ERR_LIMIT, run->pos,
                           "the %s layer decompresses to more than %llu bytes", name,
                           (unsigned long long)params->limit);
        limit -= written;
        out->cut = !run->ended && written == 0 && run->pos == before;
        if (out->cut && params->allow_cut)
            return true;
        if (out->cut)
            return gv_fail(err, GV_ERR_FORMAT, run->pos, "the %s layer ends early",
                           name);
    }
    return true;
}

static bool run_gzip(struct gv_span stored, const struct gv_decompress_params *params,
                     struct gv_decompressed *out, struct gv_error *err)
{
    z_stream z = { 0 };
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) // 16: gzip alone
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "gzip: out of memory");
    const struct layer_stream stream = { "gzip", step_gzip, &z };
    bool done = run_stream(&stream, stored, params, out, err);
    inflateEnd(&z);
    return done;
}

static bool run_xz(struct gv_span stored, const struct gv_decompress_params *params,
                   struct gv_decompressed *out, struct gv_error *err)
{
    lzma_stream x = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&x, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "xz: out of memory");
    const struct layer_stream stream = { "xz", step_xz, &x };
    bool done = run_stream(&stream, stored, params, out, err);
    lzma_end(&x);
    return done;
}

static bool run_zstd(struct gv_span stored, const struct gv_decompress_params *params,
                     struct gv_decompressed *out, struct gv_error *err)
{
    struct gv_codec_state *codec = gv_codec_create();
    if (!codec)
        return gv_out_of_memory(err);
    bool done = gv_codec_decompress_frames(codec, stored, params, out, err);
    gv_codec_destroy(codec);
    return done;
}

static bool run_layer(enum gv_layer layer, struct gv_span stored,
                      const struct gv_decompress_params *params,
                      struct gv_decompressed *out, struct gv_error *err)
{
    switch (layer) {
    case GV_LAYER_GZIP:
        return run_gzip(stored, params, out, err);
    case GV_LAYER_XZ:
        return run_xz(stored, params, out, err);
    case GV_LAYER_ZSTD:
        return run_zstd(stored, params, out, err);
    case GV_LAYER_NONE:
        break;
    }
    gv_bytes_put(&out->bytes, stored.data, stored.size);
    return !out->bytes.failed || gv_out_of_memory(err);
}

bool gv_decompress(enum gv_layer layer, struct gv_span stored,
                   const struct gv_decompress_params *params,
                   struct gv_decompressed *out, struct gv_error *err)
{
    size_t before = out->bytes.size;
    out->cut = false;
    bool done = run_layer(layer, stored, params, out, err);
    if (done && out->cut && out->bytes.size == before)
        return gv_fail(err, GV_ERR_FORMAT, stored.size,
                       "the %s layer ends before anything comes out of it",
                       gv_layer_name(layer));
    return done;
}
