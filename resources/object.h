// One object of a store, as it is stored everywhere: a zstd frame of bytes whose hash
// is its id.
#ifndef GV_OBJECT_H
#define GV_OBJECT_H

#include "resources/base/bytes.h"
#include "resources/codec.h"
#include "resources/source.h"

// A larger object is refused, so that a file cannot make us allocate at will.
#define GV_STORE_MAX_OBJECT ((uint64_t)4 << 30)

// What an object of `raw_size` bytes takes as a frame at most, with room for frames of
// other writers.
uint64_t gv_object_most_stored(uint64_t raw_size);

// Decompresses into `item` and checks size and hash: gv_object_damaged.
bool gv_object_decode(struct gv_codec_state *codec, const struct gv_fetch *item,
                      struct gv_span frame, struct gv_error *err);

// The same of a frame that may need a dictionary.
bool gv_object_decode_with(struct gv_codec_state *codec, const struct gv_fetch *item,
                           const struct gv_codec_frame *frame, struct gv_error *err);

// What is stored already under the id of bytes that are to be stored.
enum gv_object_state {
    GV_OBJECT_ABSENT,
    GV_OBJECT_SAME,
    GV_OBJECT_OTHER, // whole, and other bytes
    GV_OBJECT_BROKEN,
};
enum gv_object_state gv_object_compare(struct gv_codec_state *codec,
                                       const struct gv_hash *hash, struct gv_span raw,
                                       const struct gv_codec_frame *frame);

// GV_ERR_FETCH "object ID is damaged: WHY". False, for tail calls.
bool gv_object_damaged(const struct gv_hash *hash, const char *why,
                       struct gv_error *err);
// GV_ERR_FORMAT "content id collision: ID". Likewise.
bool gv_object_collides(const struct gv_hash *hash, struct gv_error *err);

#endif
