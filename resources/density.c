#include "resources/density.h"

#include <stdint.h>

#define VALUES ((size_t)256)
#define RUN_BYTES ((size_t)256) // neighbours; they come from all over the bytes
#define RUNS ((size_t)16)
#define RUNS_BYTES (RUNS * RUN_BYTES)
// Two of these bytes are equal by a chance of 1 in 256 in noise, and of 1 in 14 and
// more in code and text; pictures have up to 1 in 64 as far as nothing is saved of
// them.
#define MOST_SQUARES ((uint64_t)RUNS_BYTES * RUNS_BYTES / 64)
#define SAMPLE_BYTES ((size_t)32768) // compressed to see
#define SAVED 8                      // less than this part

static bool looks_even(struct gv_span bytes)
{
    const uint8_t *data = bytes.data;
    const size_t step = (bytes.size - RUN_BYTES) / (RUNS - 1);
    uint32_t counts[VALUES] = { 0 };
    uint64_t squares = 0;
    for (size_t run = 0; run < RUNS; run++)
        for (size_t i = 0; i < RUN_BYTES; i++)
            counts[data[run * step + i]]++;
    for (size_t i = 0; i < VALUES; i++)
        squares += (uint64_t)counts[i] * counts[i];
    return squares <= MOST_SQUARES;
}

bool gv_density_look(struct gv_codec_state *codec, struct gv_span bytes, bool *dense,
                     struct gv_error *err)
{
    const size_t size = bytes.size < SAMPLE_BYTES ? bytes.size : SAMPLE_BYTES;
    const uint8_t *middle = (const uint8_t *)bytes.data + (bytes.size - size) / 2;
    struct gv_bytes frame = { 0 };
    *dense = false;
    if (bytes.size < GV_DENSE_BYTES || !looks_even(bytes))
        return true;
    const bool ok = gv_codec_compress(codec, GV_CODEC_MIN_LEVEL,
                                      (struct gv_span){ middle, size }, &frame, err);
    *dense = ok && frame.size > size - size / SAVED;
    gv_bytes_finish(&frame);
    return ok;
}
