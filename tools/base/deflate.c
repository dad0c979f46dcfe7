#include "tools/base/deflate.h"

#include <libdeflate.h>

// Levels above cost more time than the replay of what they compress (docs/figures.md).
#define LEVEL 1

// libdeflate's compressor under our own name.
static struct libdeflate_compressor *compressor(struct gv_deflate *d)
{
    return (struct libdeflate_compressor *)d;
}

struct gv_deflate *gv_deflate_create(void)
{
    return (struct gv_deflate *)libdeflate_alloc_compressor(LEVEL);
}

void gv_deflate_destroy(struct gv_deflate *d)
{
    if (d)
        libdeflate_free_compressor(compressor(d));
}

bool gv_deflate(struct gv_deflate *d, const void *data, size_t size,
                struct gv_bytes *out)
{
    size_t bound = libdeflate_zlib_compress_bound(compressor(d), size);
    uint8_t *to = gv_bytes_grow(out, bound);
    if (!to)
        return false;
    size_t made = libdeflate_zlib_compress(compressor(d), data, size, to, bound);
    out->size -= bound - made;
    return made != 0;
}

bool gv_deflate_undo(const void *stream, size_t stream_size, void *out, size_t size)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    const bool ok = d && libdeflate_zlib_decompress(d, stream, stream_size, out, size,
                                                    NULL) == LIBDEFLATE_SUCCESS;
    if (d)
        libdeflate_free_decompressor(d);
    return ok;
}

uint32_t gv_deflate_crc32(const void *data, size_t size)
{
    return libdeflate_crc32(0, data, size);
}
