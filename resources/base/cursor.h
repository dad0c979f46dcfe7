// Checked little-endian reads over bytes nobody vouches for.
#ifndef GV_CURSOR_H
#define GV_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A read position over untrusted bytes. The first read past the end marks the cursor
// bad; from then on reads yield zero. Read a whole record, test `bad`, then act on it.
struct gv_cursor {
    const uint8_t *data; // borrowed
    size_t size;         // bytes
    size_t pos;          // bytes; pos <= size always holds
    bool bad;
};

// A cursor at the start of `size` bytes. `data` is borrowed and may be NULL if size is
// 0.
struct gv_cursor gv_cursor_make(const void *data, size_t size);

// A cursor over `n` bytes from `offset` of `c` (positions restart at 0). Marks the
// result, not `c`, bad if the range leaves `c`.
struct gv_cursor gv_cursor_slice(const struct gv_cursor *c, size_t offset, size_t n);

size_t gv_cursor_left(const struct gv_cursor *c);

// Steps over `n` bytes. Returns where they start, or NULL if fewer remain.
const uint8_t *gv_cursor_take(struct gv_cursor *c, size_t n);

// Moves to an absolute position; one past `size` marks the cursor bad.
void gv_cursor_seek(struct gv_cursor *c, size_t pos);

uint8_t gv_cursor_u8(struct gv_cursor *c);
uint16_t gv_cursor_u16(struct gv_cursor *c);
uint32_t gv_cursor_u32(struct gv_cursor *c);
uint64_t gv_cursor_u64(struct gv_cursor *c);
float gv_cursor_f32(struct gv_cursor *c);

// LEB128 in shortest form only: a padded form, or one over 64 bits, marks the cursor
// bad. The signed form is plain two's-complement SLEB128, shortest form.
uint64_t gv_cursor_uleb(struct gv_cursor *c);
int64_t gv_cursor_sleb(struct gv_cursor *c);

// Reads a u32 count of elements of at least `element_size` (> 0) bytes, refusing one
// the rest cannot hold: twelve bytes must not make us allocate four gigabytes.
uint32_t gv_cursor_count(struct gv_cursor *c, size_t element_size);

// Unchecked little-endian loads from bytes already taken.
uint16_t gv_load_u16(const uint8_t *p);
uint32_t gv_load_u32(const uint8_t *p);
uint64_t gv_load_u64(const uint8_t *p);

#endif
