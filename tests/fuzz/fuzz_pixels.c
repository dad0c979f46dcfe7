// Any bytes as a picture, which is a mask as well: read, compared with itself and with
// a neighbour, shown as what differs. Checksums of PNG chunks are made right in the
// second run, so that mutants reach what is behind them.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/promise.h"
#include "tools/base/deflate.h"
#include "tools/verdict/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_PIXELS 600 // that are compared: FLIP takes its time

static void mend(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        const uint8_t *p = data + at;
        const size_t length =
            (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
        if (length > size - at - 12)
            return;
        const uint32_t sum = gv_deflate_crc32(p + 4, length + 4);
        for (size_t i = 0; i < 4; i++)
            data[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

static void compare(const struct gv_pixels *a)
{
    const size_t count = (size_t)a->width * a->height;
    struct gv_pixels b = { 0 }, diff = { 0 };
    struct gv_verdict v;
    struct gv_verdict_params params = { .perceptual = true, .alpha = true };
    if (count > MOST_PIXELS || !gv_pixels_make(&b, a->width, a->height, 0, NULL))
        return;
    memcpy(b.rgba, a->rgba, 4 * count);
    gv_must(gv_verdict_make(&v, a, &b, &params, NULL) && v.pass && v.pixels == count);
    b.rgba[4 * (count / 2)] ^= 255;
    gv_must(gv_verdict_make(&v, a, &b, &params, NULL) && !v.pass && v.off[0] == 1);
    gv_must(v.flip_mean >= 0 && v.flip_mean <= 1 && v.flip_p99 >= 0 && v.flip_p99 <= 1);
    params.mask = a;
    gv_must(gv_verdict_make(&v, a, &b, &params, NULL) && v.pixels <= count);
    gv_must(gv_verdict_diff(&diff, a, &b, &params, NULL));
    gv_pixels_finish(&diff);
    gv_pixels_finish(&b);
}

static void try_bytes(const uint8_t *data, size_t size)
{
    struct gv_pixels pixels;
    struct gv_error err = GV_ERROR_INIT;
    const bool ok = gv_pixels_read(&pixels, (struct gv_span){ data, size }, &err);
    gv_must(ok == (err.status == GV_OK) && ok == (pixels.rgba != NULL));
    gv_must(ok || err.offset == GV_NO_OFFSET || err.offset <= size);
    if (ok)
        compare(&pixels);
    gv_pixels_finish(&pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    try_bytes(copy, size);
    mend(copy, size);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
