// A payload written again as it is, with resources and keyframes behind it.
#ifndef GV_PAYLOAD_APPEND_H
#define GV_PAYLOAD_APPEND_H

#include "vm/payload/payload_writer.h"

struct gv_append_params {
    gv_write_fn write;
    void *context; // of `write`
    // Of a thin payload: takes the new groups, as zstd frame and raw.
    bool (*take)(void *taker, const struct gv_hash *hash, struct gv_span raw,
                 struct gv_span frame, struct gv_error *err);
    void *taker;
};

struct gv_append;

// Writes all segments but keyframes, which come with the new ones. The payload is
// borrowed. NULL: `err`.
struct gv_append *gv_append_create(const struct gv_payload *payload,
                                   const struct gv_append_params *params,
                                   struct gv_error *err);
void gv_append_destroy(struct gv_append *append); // NULL is fine

// Makes what the payload's own resources hold known, so that it is not stored again:
// reads all groups that one of the sources has.
bool gv_append_know(struct gv_append *append, struct gv_source *const *sources,
                    size_t source_count, struct gv_error *err);

// The number of an import that there was or will be.
uint32_t gv_append_import(struct gv_append *append, enum gv_call call);

// A resource of these bytes: one that there is, or a new one.
bool gv_append_resource(struct gv_append *append, const void *data, size_t size,
                        uint32_t *number, struct gv_error *err);

// A keyframe whose resources and imports have been added. `instructions` that it
// executes. Keyframes ascend, and are of frames of which the payload has none.
bool gv_append_keyframe(struct gv_append *append, const struct gv_keyframe *keyframe,
                        uint64_t instructions, struct gv_error *err);

// Bytes of new resources so far, and of those as stored.
void gv_append_count(const struct gv_append *append, uint64_t *raw, uint64_t *stored);

// Directory and trailer.
bool gv_append_close(struct gv_append *append, struct gv_error *err);

#endif
