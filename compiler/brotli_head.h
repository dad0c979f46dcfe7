// The beginning of a brotli stream, which has no magic of its own: to be recognised by
// what comes out.
#ifndef GV_BROTLI_HEAD_H
#define GV_BROTLI_HEAD_H

#include <stddef.h>
#include <stdint.h>

// Decompresses up to `room` bytes of `data` into `out`. Returns how many came before
// the stream ended, broke, or memory ran out.
size_t gv_brotli_head(const uint8_t *data, size_t size, uint8_t *out, size_t room);

#endif
