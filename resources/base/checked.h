// Overflow-checked arithmetic for sizes that come from a file.
// Each returns false, leaving `*out` untouched, where the true result does not fit.
#ifndef GV_CHECKED_H
#define GV_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool gv_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b)
        return false;
    *out = a + b;
    return true;
}

static inline bool gv_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b && a > UINT64_MAX / b)
        return false;
    *out = a * b;
    return true;
}

static inline bool gv_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

static inline bool gv_mul_size(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

// Rounds up to a multiple of `alignment`, a power of two.
static inline bool gv_align_u64(uint64_t a, uint64_t alignment, uint64_t *out)
{
    if (a > UINT64_MAX - (alignment - 1))
        return false;
    *out = (a + alignment - 1) & ~(alignment - 1);
    return true;
}

static inline bool gv_narrow_u32(uint64_t a, uint32_t *out)
{
    if (a > UINT32_MAX)
        return false;
    *out = (uint32_t)a;
    return true;
}

// Whether [offset, offset + size) lies inside `total` bytes. Never wraps.
static inline bool gv_range_inside(uint64_t offset, uint64_t size, uint64_t total)
{
    return offset <= total && size <= total - offset;
}

#endif
