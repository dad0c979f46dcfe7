// The only user of liblzma.
#include "compiler/decompress.h"

#include "resources/base/cut_hint.h"
#include "resources/inflate.h"

#include <lzma.h>
#include <string.h>

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

// Where a run is.
struct run {
    const uint8_t *data;
    size_t size, pos; // of the compressed bytes
    bool ended;       // the stream, or member, is complete
};

// A library's stream and what moves it on.
struct layer_stream {
    const char *name;
    enum gv_step (*step)(void *state, struct gv_step_io *io);
    void *state;
};

static enum gv_step step_gzip(void *stream, struct gv_step_io *io)
{
    return gv_inflate_step(stream, io);
}

static enum gv_step step_xz(void *stream, struct gv_step_io *io)
{
    lzma_stream *x = stream;
    x->next_in = io->in;
    x->avail_in = io->in_size;
    x->next_out = io->out;
    x->avail_out = io->out_size;
    lzma_ret result = lzma_code(x, LZMA_FINISH);
    *io = (struct gv_step_io){ x->next_in, x->avail_in, x->next_out, x->avail_out };
    if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR)
        return GV_STEP_MEMORY;
    if (result == LZMA_STREAM_END)
        return GV_STEP_ENDED;
    return result == LZMA_OK || result == LZMA_BUF_ERROR ? GV_STEP_MORE
                                                         : GV_STEP_DAMAGED;
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
        struct gv_step_io io = { run->data + run->pos, run->size - run->pos,
                                 gv_bytes_grow(&out->bytes, room), room };
        if (!io.out)
            return gv_out_of_memory(err);
        enum gv_step result = stream->step(stream->state, &io);
        size_t written = room - io.out_size;
        out->bytes.size -= io.out_size;
        run->pos = run->size - io.in_size;
        run->ended = result == GV_STEP_ENDED;
        if (result == GV_STEP_MEMORY)
            return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "%s: out of memory", name);
        if (result == GV_STEP_DAMAGED)
            return gv_fail(err, GV_ERR_FORMAT, run->pos, "the %s layer is damaged",
                           name);
        if (written > limit)
            return gv_fail(err, GV_ERR_LIMIT, run->pos,
                           "the %s layer decompresses to more than %llu bytes", name,
                           (unsigned long long)params->limit);
        limit -= written;
        out->cut = !run->ended && written == 0 && run->pos == before;
        if (out->cut)
            return true;
    }
    return true;
}

static bool run_gzip(struct gv_span stored, const struct gv_decompress_params *params,
                     struct gv_decompressed *out, struct gv_error *err)
{
    struct gv_inflate *inflate = gv_inflate_create();
    if (!inflate)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "gzip: out of memory");
    const struct layer_stream stream = { "gzip", step_gzip, inflate };
    bool done = run_stream(&stream, stored, params, out, err);
    gv_inflate_destroy(inflate);
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
    if (done && out->cut && !params->allow_cut)
        return gv_fail(err, GV_ERR_FORMAT, stored.size,
                       "the %s layer ends early" GV_CUT_HINT, gv_layer_name(layer));
    if (done && out->cut && out->bytes.size == before)
        return gv_fail(err, GV_ERR_FORMAT, stored.size,
                       "the %s layer ends before anything comes out of it",
                       gv_layer_name(layer));
    return done;
}
