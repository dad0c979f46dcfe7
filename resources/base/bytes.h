// Bytes: those of somebody else, and a growable buffer for writers.
#ifndef GV_BYTES_H
#define GV_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that somebody else owns. `data` may be NULL if size is 0.
struct gv_span {
    const void *data;
    size_t size;
};

// Zero-initialise before use. When memory runs out the buffer turns `failed`; further
// writes are ignored, so that a writer tests once, at the end.
struct gv_bytes {
    uint8_t *data; // owned; NULL while empty
    size_t size;   // bytes written
    size_t capacity;
    bool failed;
};

// Frees the storage and zeroes the buffer. Fine on a zeroed one.
void gv_bytes_finish(struct gv_bytes *b);

// Appends `n` uninitialised bytes and returns where they start, or NULL (failed).
uint8_t *gv_bytes_grow(struct gv_bytes *b, size_t n);

void gv_bytes_put(struct gv_bytes *b, const void *data, size_t n);
void gv_bytes_u8(struct gv_bytes *b, uint8_t v);
void gv_bytes_u16(struct gv_bytes *b, uint16_t v);
void gv_bytes_u32(struct gv_bytes *b, uint32_t v);
void gv_bytes_u64(struct gv_bytes *b, uint64_t v);
void gv_bytes_f32(struct gv_bytes *b, float v);
void gv_bytes_uleb(struct gv_bytes *b, uint64_t v);          // shortest form
void gv_bytes_sleb(struct gv_bytes *b, int64_t v);           // shortest form
void gv_bytes_zero_to(struct gv_bytes *b, size_t alignment); // pads to a power of two

// printf-style text, without the terminating NUL.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void gv_bytes_printf(struct gv_bytes *b, const char *format, ...);

#endif
