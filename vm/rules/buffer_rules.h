// What calls may do with the bytes of buffers: as image_rules.h.
#ifndef GV_BUFFER_RULES_H
#define GV_BUFFER_RULES_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>

// A range lies in a buffer of `whole` bytes and is not empty.
bool gv_rule_buffer_range(uint64_t whole, uint64_t offset, uint64_t size,
                          const char *argument, struct gv_error *err);

bool gv_rule_fill(uint64_t offset, uint64_t size, struct gv_error *err);

// `rows` runs of `row_bytes`, `stride` apart.
struct gv_byte_rows {
    uint64_t offset, stride, row_bytes;
    uint32_t rows;
};
// Bytes from the first to the last one of rows, which are not none.
uint64_t gv_byte_rows_span(const struct gv_byte_rows *rows);
bool gv_rule_byte_rows(uint64_t whole, const struct gv_byte_rows *rows,
                       const char *argument, struct gv_error *err);

// Two ranges of one buffer.
bool gv_rule_buffer_apart(uint64_t dst, uint64_t src, uint64_t size,
                          struct gv_error *err);

#endif
