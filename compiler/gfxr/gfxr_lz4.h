// Raw blocks of LZ4. The only user of liblz4.
#ifndef GV_GFXR_LZ4_H
#define GV_GFXR_LZ4_H

#include <stdbool.h>
#include <stddef.h>

// Whether `stored` is one block that holds exactly `raw_size` bytes, which `raw` has
// then.
bool gv_gfxr_lz4(const void *stored, size_t stored_size, void *raw, size_t raw_size);

#endif
