#include "tests/fuzz/mutate/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/deflate.h"

#define SIGNATURE 8
#define HEADER_END 33 // behind IHDR
#define MOST_ROWS ((size_t)1 << 20)

static uint32_t load_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_big(struct gv_bytes *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        gv_bytes_u8(out, (uint8_t)(value >> shift));
}

static void put_chunk(struct gv_bytes *out, const char *kind, const uint8_t *data,
                      size_t size)
{
    put_big(out, (uint32_t)size);
    const size_t at = out->size;
    gv_bytes_put(out, kind, 4);
    gv_bytes_put(out, data, size);
    put_big(out, out->failed ? 0 : gv_deflate_crc32(out->data + at, size + 4));
}

// Checksums of whole chunks are made right.
static void mend(uint8_t *data, size_t size)
{
    for (size_t at = SIGNATURE; at + 12 <= size;) {
        const size_t length = load_big(data + at);
        if (length > size - at - 12)
            return;
        const uint32_t sum = gv_deflate_crc32(data + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++)
            data[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

// Bytes of all rows with their filters, as the header has them; 0: too many.
static size_t rows_size(const uint8_t *header)
{
    static const uint8_t samples[] = { 1, 0, 3, 1, 2, 0, 4 };
    const uint64_t width = load_big(header), height = load_big(header + 4);
    const uint8_t kind = header[9];
    if (kind >= sizeof samples || width > MOST_ROWS || height > MOST_ROWS)
        return 0;
    const uint64_t all = ((width * samples[kind] * header[8] + 7) / 8 + 1) * height;
    return all <= MOST_ROWS ? (size_t)all : 0;
}

// What the one IDAT of a seed holds, changed and packed again.
static bool mutate_rows(struct gv_dice *d, const struct gv_seed *seed,
                        struct gv_bytes *out)
{
    const size_t size = rows_size(seed->data + SIGNATURE + 8);
    uint8_t *rows = malloc(size + 1);
    struct gv_deflate *deflate = gv_deflate_create();
    struct gv_bytes packed = { 0 };
    bool ok = false;
    for (size_t at = SIGNATURE; rows && deflate && at + 12 <= seed->size;) {
        const uint8_t *chunk = seed->data + at;
        const size_t length = load_big(chunk);
        if (length > seed->size - at - 12)
            break;
        if (memcmp(chunk + 4, "IDAT", 4) == 0 &&
            gv_deflate_undo(chunk + 8, length, rows, size)) {
            for (uint64_t n = gv_dice_below(d, 6) + 1; n > 0; n--)
                gv_mutate_in_place(d, rows, size);
            ok = gv_deflate(deflate, rows, size, &packed);
            gv_bytes_put(out, seed->data, at);
            put_chunk(out, "IDAT", packed.data, packed.size);
            gv_bytes_put(out, chunk + length + 12, seed->size - at - length - 12);
            break;
        }
        at += length + 12;
    }
    gv_bytes_finish(&packed);
    gv_deflate_destroy(deflate);
    free(rows);
    return ok;
}

void gv_mutate_picture(struct gv_dice *d, const struct gv_seed *seed,
                       const struct gv_seed *other, struct gv_bytes *out)
{
    const size_t begin = out->size;
    const uint64_t how = gv_dice_below(d, 4);
    if (how == 0 && seed->size > HEADER_END && mutate_rows(d, seed, out))
        return;
    out->size = begin;
    gv_mutate_bytes(d, seed, other, out);
    if (how > 1 && !out->failed)
        mend(out->data + begin, out->size - begin);
}
