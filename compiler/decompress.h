// The one outer layer that any capture may wear: gzip, zstd or xz.
#ifndef GV_DECOMPRESS_H
#define GV_DECOMPRESS_H

#include "resources/base/error.h"
#include "resources/codec.h"

enum gv_layer { GV_LAYER_NONE, GV_LAYER_GZIP, GV_LAYER_ZSTD, GV_LAYER_XZ };

// By the first bytes.
enum gv_layer gv_layer_detect(const void *data, size_t size);
const char *gv_layer_name(enum gv_layer layer); // "none", "gzip", "zstd", "xz"

// Appends to `out` what the whole of `stored` decompresses to. Where it ends early and
// is taken nevertheless, something must have come out.
// GV_ERR_FORMAT with the offset in the compressed bytes; GV_ERR_LIMIT beyond the limit
// (or out of memory).
bool gv_decompress(enum gv_layer layer, struct gv_span stored,
                   const struct gv_decompress_params *params,
                   struct gv_decompressed *out, struct gv_error *err);

#endif
