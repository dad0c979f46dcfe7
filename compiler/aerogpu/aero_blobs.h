// The blobs of a capture by id; a later blob with an id replaces the earlier one.
#ifndef GV_AERO_BLOBS_H
#define GV_AERO_BLOBS_H

#include "compiler/aerogpu/trace/gpu_trace.h"

struct gv_aero_blob {
    uint64_t id;
    uint32_t kind; // enum gv_trace_blob_kind; 0 = empty entry
    uint32_t size;
    uint64_t offset; // of the data, in the file
    const uint8_t *data;
};

// Zero-initialise before use.
struct gv_aero_blob_map {
    struct gv_aero_blob *entries; // open addressing, from an arena
    size_t capacity, count;
};

bool gv_aero_blob_put(struct gv_aero_blob_map *map, struct gv_arena *arena,
                      const struct gv_trace_blob *blob, struct gv_error *err);

// The blob of that id and kind, or NULL: MissingBlob or WrongBlobKind at `offset`.
const struct gv_aero_blob *gv_aero_blob_get(const struct gv_aero_blob_map *map,
                                            uint64_t id, uint32_t kind, uint64_t offset,
                                            struct gv_error *err);

#endif
