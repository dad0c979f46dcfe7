#include "compiler/gfxr/gfxr_lz4.h"

#include <limits.h>
#include <lz4.h>

bool gv_gfxr_lz4(const void *stored, size_t stored_size, void *raw, size_t raw_size)
{
    if (stored_size > INT_MAX || raw_size > INT_MAX)
        return false;
    return LZ4_decompress_safe(stored, raw, (int)stored_size, (int)raw_size) ==
           (int)raw_size;
}
