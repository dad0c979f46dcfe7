#include "tests/gfxrfile/gfxr_writer.h"

#include "resources/codec.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define COMPRESSED (UINT32_C(1) << 31)

void gfxr_begin(struct gfxr_writer *w, enum gfxr_codec codec, uint32_t minor)
{
    *w = (struct gfxr_writer){ .codec = codec };
    gv_bytes_put(&w->out, "GFXR", 4);
    gv_bytes_u32(&w->out, 0);
    gv_bytes_u32(&w->out, minor);
    gv_bytes_u32(&w->out, 1);
    gv_bytes_u32(&w->out, 1); // compression
    gv_bytes_u32(&w->out, codec);
}

void gfxr_finish(struct gfxr_writer *w)
{
    gv_bytes_finish(&w->out);
}

void gfxr_put_block(struct gfxr_writer *w, uint32_t type, const void *body, size_t size)
{
    gv_bytes_u64(&w->out, size);
    gv_bytes_u32(&w->out, type);
    gv_bytes_put(&w->out, body, size);
}

// False: there is no codec, or the bytes are no shorter with it.
static bool pack(enum gfxr_codec codec, const void *raw, size_t size,
                 struct gv_bytes *out)
{
    const size_t most = size + size / 100 + 1024;
    uint8_t *room = malloc(most);
    size_t made = 0;
    uLongf deflated = most;
    if (codec == GFXR_LZ4)
        made = (size_t)LZ4_compress_default(raw, (char *)room, (int)size, (int)most);
    else if (codec == GFXR_ZLIB && compress(room, &deflated, raw, size) == Z_OK)
        made = deflated;
    if (made)
        gv_bytes_put(out, room, made);
    free(room);
    if (codec == GFXR_ZSTD) {
        struct gv_codec_state *zstd = gv_codec_create();
        const struct gv_span span = { raw, size };
        gv_codec_compress(zstd, 3, span, out, NULL);
        gv_codec_destroy(zstd);
    }
    return out->size && out->size < size;
}

void gfxr_put_call(struct gfxr_writer *w, uint32_t id,
                   const struct gv_bytes *parameters)
{
    struct gv_bytes body = { 0 }, packed = { 0 };
    gv_bytes_u32(&body, id);
    gv_bytes_u64(&body, 1);
    const bool smaller =
        parameters->size && pack(w->codec, parameters->data, parameters->size, &packed);
    if (smaller) {
        gv_bytes_u64(&body, parameters->size);
        gv_bytes_put(&body, packed.data, packed.size);
    } else {
        gv_bytes_put(&body, parameters->data, parameters->size);
    }
    gfxr_put_block(w, 4 | (smaller ? COMPRESSED : 0), body.data, body.size);
    gv_bytes_finish(&body);
    gv_bytes_finish(&packed);
}

void gfxr_put_meta(struct gfxr_writer *w, uint32_t id, const struct gv_bytes *head,
                   const void *bulk, size_t size)
{
    struct gv_bytes body = { 0 }, packed = { 0 };
    gv_bytes_u32(&body, id);
    gv_bytes_u64(&body, 1);
    gv_bytes_put(&body, head->data, head->size);
    const bool smaller = size && pack(w->codec, bulk, size, &packed);
    if (smaller)
        gv_bytes_put(&body, packed.data, packed.size);
    else
        gv_bytes_put(&body, bulk, size);
    gfxr_put_block(w, 3 | (smaller ? COMPRESSED : 0), body.data, body.size);
    gv_bytes_finish(&body);
    gv_bytes_finish(&packed);
}

void gfxr_put_marker(struct gfxr_writer *w, uint32_t type, uint32_t kind,
                     uint64_t frame)
{
    struct gv_bytes body = { 0 };
    gv_bytes_u32(&body, kind);
    gv_bytes_u64(&body, frame);
    gfxr_put_block(w, type, body.data, body.size);
    gv_bytes_finish(&body);
}
