// Raw snappy, as it lies in the chunks of a trace. The only user of libsnappy.
#ifndef GV_TRACE_SNAPPY_H
#define GV_TRACE_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// No element of snappy makes more of its bytes: a copy of three makes 64.
#define GV_SNAPPY_MAX_RATIO 22u

// How many bytes the chunk says it unpacks to. False: it does not say.
bool gv_snappy_stated(const uint8_t *packed, size_t size, size_t *unpacked);

// Unpacks a whole chunk into exactly `unpacked` bytes. False: damaged.
bool gv_snappy_unpack(const uint8_t *packed, size_t size, uint8_t *out,
                      size_t unpacked);

// Unpacks as much of a cut chunk as is there, at most `room` bytes. Returns how many.
size_t gv_snappy_salvage(const uint8_t *packed, size_t size, uint8_t *out, size_t room);

#endif
