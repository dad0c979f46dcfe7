// zlib streams (RFC 1950) in one piece, and the checksum of PNG's chunks: libdeflate.
#ifndef GV_DEFLATE_H
#define GV_DEFLATE_H

#include "resources/base/bytes.h"

struct gv_deflate; // memory used again from stream to stream

// NULL when memory runs out.
struct gv_deflate *gv_deflate_create(void);
void gv_deflate_destroy(struct gv_deflate *d); // NULL is fine

// Appends the stream of `data[size]`, made at the fastest level that looks for
// repetitions. Same data, same bytes, whatever came before. False when memory runs out.
bool gv_deflate(struct gv_deflate *d, const void *data, size_t size,
                struct gv_bytes *out);

// Undoes a stream that is exactly `size` bytes unpacked. False: it is damaged, or of
// another size, or memory runs out.
bool gv_deflate_undo(const void *stream, size_t stream_size, void *out, size_t size);

// CRC-32 of ISO 3309, as PNG wants it.
uint32_t gv_deflate_crc32(const void *data, size_t size);

#endif
