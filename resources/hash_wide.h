// The same hash by instructions that not every processor has.
#ifndef GV_HASH_WIDE_H
#define GV_HASH_WIDE_H

#include <stdbool.h>

#include "resources/hash.h"

// Hashes of fewer bytes take no vectors.
#define GV_HASH_WIDE_LEAST 241u // behind XXH3_MIDSIZE_MAX

// Hashes `size` bytes, GV_HASH_WIDE_LEAST at least, with vectors of 256 bits. False:
// this processor has none.
bool gv_hash_wide(const void *data, size_t size, struct gv_hash *out);

#endif
