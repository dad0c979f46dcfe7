#include "tests/apitrace/trace_pack.h"

#include "resources/codec.h"

#include <brotli/encode.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_snappy(const void *stream, size_t size, struct gv_bytes *out)
{
    size_t room = snappy_max_compressed_length(size), at = out->size;
    gv_bytes_u32(out, 0);
    uint8_t *to = gv_bytes_grow(out, room);
    if (!to || snappy_compress(stream, size, (char *)to, &room) != SNAPPY_OK)
        abort();
    out->size = at + 4 + room;
    for (unsigned i = 0; i < 4; i++)
        out->data[at + i] = (uint8_t)(room >> (8 * i));
}

static void put_gzip(const void *stream, size_t size, struct gv_bytes *out)
{
    z_stream z = { 0 };
    if (deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    uLong room = deflateBound(&z, size);
    uint8_t *to = gv_bytes_grow(out, room);
    z.next_in = (z_const Bytef *)stream;
    z.avail_in = (uInt)size;
    z.next_out = to;
    z.avail_out = (uInt)room;
    if (!to || deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    out->size -= z.avail_out;
    deflateEnd(&z);
}

static void put_brotli(const void *stream, size_t size, struct gv_bytes *out)
{
    size_t room = BrotliEncoderMaxCompressedSize(size), at = out->size;
    uint8_t *to = gv_bytes_grow(out, room);
    if (!to || !BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC,
                                      size, stream, &room, to))
        abort();
    out->size = at + room;
}

static void put_zstd(struct trace_packer *p, const void *stream, size_t size,
                     struct gv_bytes *out)
{
    struct gv_codec_state *codec = gv_codec_create();
    size_t at = out->size;
    if (!codec ||
        !gv_codec_compress(codec, 3, (struct gv_span){ stream, size }, out, NULL))
        abort();
    gv_codec_destroy(codec);
    gv_bytes_u32(&p->table, (uint32_t)(out->size - at));
    gv_bytes_u32(&p->table, (uint32_t)size);
}

void trace_pack_part(struct trace_packer *p, const void *stream, size_t size,
                     struct gv_bytes *out)
{
    if (p->container == GV_TRACE_SNAPPY && !p->begun)
        gv_bytes_put(out, "at", 2);
    p->begun = true;
    switch (p->container) {
    case GV_TRACE_RAW:
        gv_bytes_put(out, stream, size);
        break;
    case GV_TRACE_SNAPPY:
        put_snappy(stream, size, out);
        break;
    case GV_TRACE_GZIP:
        put_gzip(stream, size, out);
        break;
    case GV_TRACE_BROTLI:
        put_brotli(stream, size, out);
        break;
    case GV_TRACE_ZSTD:
    case GV_TRACE_ZSTD_SEEKABLE:
        put_zstd(p, stream, size, out);
        break;
    }
}

// "Zstandard Seekable Format", version 0.1.0: a skippable frame with a table.
void trace_pack_end(struct trace_packer *p, struct gv_bytes *out)
{
    if (p->container == GV_TRACE_ZSTD_SEEKABLE) {
        gv_bytes_u32(out, 0x184D2A5E);
        gv_bytes_u32(out, (uint32_t)p->table.size + 9);
        gv_bytes_put(out, p->table.data, p->table.size);
        gv_bytes_u32(out, (uint32_t)(p->table.size / 8));
        gv_bytes_u8(out, 0);
        gv_bytes_u32(out, 0x8F92EAB1);
    }
    gv_bytes_finish(&p->table);
}

void trace_pack(enum gv_trace_container container, const struct gv_bytes *stream,
                size_t part, struct gv_bytes *out)
{
    struct trace_packer p = { .container = container };
    if (container == GV_TRACE_BROTLI)
        part = stream->size;
    for (size_t at = 0; at < stream->size; at += part) {
        size_t left = stream->size - at;
        trace_pack_part(&p, stream->data + at, left < part ? left : part, out);
    }
    trace_pack_end(&p, out);
}
