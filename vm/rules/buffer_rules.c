#include "vm/rules/buffer_rules.h"

#include "resources/base/checked.h"

#include <inttypes.h>

bool gv_rule_buffer_range(uint64_t whole, uint64_t offset, uint64_t size,
                          const char *argument, struct gv_error *err)
{
    return (size && gv_range_inside(offset, size, whole)) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: %" PRIu64 " bytes at %" PRIu64 " of a buffer of %" PRIu64,
                   argument, size, offset, whole);
}

bool gv_rule_fill(uint64_t offset, uint64_t size, struct gv_error *err)
{
    return (offset % 4 == 0 && size % 4 == 0) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "offset: offset and size must be multiples of 4");
}

uint64_t gv_byte_rows_span(const struct gv_byte_rows *r)
{
    return (uint64_t)(r->rows - 1) * r->stride +
           r->row_bytes; // below 2^64: 32-bit factors
}

bool gv_rule_byte_rows(uint64_t whole, const struct gv_byte_rows *r,
                       const char *argument, struct gv_error *err)
{
    if (!r->rows || !r->row_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: an empty rectangle",
                       argument);
    if (r->rows > 1 && r->stride < r->row_bytes)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "%s: rows of %" PRIu64 " bytes overlap at stride %" PRIu64,
                       argument, r->row_bytes, r->stride);
    return gv_rule_buffer_range(whole, r->offset, gv_byte_rows_span(r), argument, err);
}

bool gv_rule_buffer_apart(uint64_t dst, uint64_t src, uint64_t size,
                          struct gv_error *err)
{
    return dst >= src + size || src >= dst + size ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "dst_offset: source and destination overlap");
}
