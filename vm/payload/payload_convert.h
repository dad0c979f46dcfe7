// Thin payloads into fat ones and back, without compiling: the resources move, the rest
// stays as it is.
#ifndef GV_PAYLOAD_CONVERT_H
#define GV_PAYLOAD_CONVERT_H

#include "vm/payload/payload_writer.h"

struct gv_convert_params {
    gv_write_fn write;
    void *context; // of `write`
    // Thin: takes each group; `frame` is the zstd frame of `raw` that the payload has,
    // or empty.
    bool (*take)(void *taker, const struct gv_hash *hash, struct gv_span raw,
                 struct gv_span frame, struct gv_error *err);
    void *taker;
    // Fat: where the groups are.
    struct gv_source *const *sources; // [source_count]
    size_t source_count;
};

// Writes the payload with its resources elsewhere. GV_ERR_USAGE: they are already.
bool gv_payload_thin(const struct gv_payload *payload,
                     const struct gv_convert_params *params, struct gv_error *err);

// Writes the payload with its resources in it, compressed as `compile` does at the
// payload's level. With the libzstd that made it, what was thinned is again what it
// was, to the byte. GV_ERR_USAGE: they are already; GV_ERR_FETCH.
bool gv_payload_fatten(const struct gv_payload *payload,
                       const struct gv_convert_params *params, struct gv_error *err);

#endif
