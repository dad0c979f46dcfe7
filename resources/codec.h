// The one wrapper around zstd: whole buffers in, whole buffers out, sizes known before;
// foreign frames also in pieces.
#ifndef GV_CODEC_H
#define GV_CODEC_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/base/step.h"

#define GV_CODEC_MIN_LEVEL 1
#define GV_CODEC_MAX_LEVEL 19
#define GV_CODEC_DEFAULT_LEVEL 3

// Compression and decompression state, made when first needed and reused. One thread at
// a time.
struct gv_codec_state;

struct gv_codec_state *gv_codec_create(void); // NULL when memory runs out
void gv_codec_destroy(struct gv_codec_state *codec);

// Appends `raw` as one zstd frame that states its content size, at `level` 1..19. Equal
// input, level and libzstd give equal bytes. GV_ERR_LIMIT (memory), GV_ERR_USAGE
// (level).
bool gv_codec_compress(struct gv_codec_state *codec, int level, struct gv_span raw,
                       struct gv_bytes *out, struct gv_error *err);

// Decompresses exactly one frame, which must fill `stored` and hold exactly `raw_size`
// bytes, into `raw`. Damage is GV_ERR_FORMAT; then what `raw` holds is undefined.
bool gv_codec_decompress(struct gv_codec_state *codec, struct gv_span stored, void *raw,
                         size_t raw_size, struct gv_error *err);

// Bytes that others are likely to repeat, for compressing them at `level`: prepared
// when first used. What they are is never looked at: any bytes will do. Several threads
// may use one.
struct gv_codec_dictionary;

// The bytes are copied. NULL: GV_ERR_LIMIT (memory), GV_ERR_USAGE (level).
struct gv_codec_dictionary *gv_codec_dictionary_create(int level, struct gv_span bytes,
                                                       struct gv_error *err);
void gv_codec_dictionary_destroy(
    struct gv_codec_dictionary *dictionary); // NULL is fine

// As gv_codec_compress, for who has the dictionary's bytes when it decompresses.
bool gv_codec_compress_with(struct gv_codec_state *codec,
                            struct gv_codec_dictionary *dictionary, struct gv_span raw,
                            struct gv_bytes *out, struct gv_error *err);
// As gv_codec_decompress, of what was compressed with the dictionary of these bytes.
struct gv_codec_frame {
    struct gv_span stored, dictionary;
};
bool gv_codec_decompress_with(struct gv_codec_state *codec,
                              const struct gv_codec_frame *frame, void *raw,
                              size_t raw_size, struct gv_error *err);

// How far foreign bytes are decompressed.
struct gv_decompress_params {
    uint64_t limit; // bytes to come out at most
    bool head_only; // stop at the limit rather than fail
    bool allow_cut; // what ends early is taken as far as it goes, and is no error
};

// What came out of them. Zero-initialise; the caller finishes `bytes`.
struct gv_decompressed {
    struct gv_bytes bytes; // owned
    bool cut;              // they ended early
};

// Appends what any number of zstd frames, filling `stored`, decompress to: foreign
// frames, which may state no size. GV_ERR_LIMIT beyond the limit. Damage is
// GV_ERR_FORMAT with the offset in `stored`. `allow_cut` is for who looks at `cut`.
bool gv_codec_decompress_frames(struct gv_codec_state *codec, struct gv_span stored,
                                const struct gv_decompress_params *params,
                                struct gv_decompressed *out, struct gv_error *err);

// A piece of foreign frames, whatever their number. The first step after
// gv_codec_create, or after GV_STEP_ENDED, begins a frame.
enum gv_step gv_codec_step(struct gv_codec_state *codec, struct gv_step_io *io);

// The content size that the one frame filling `stored` states. GV_ERR_FORMAT if it is
// no single frame, states none, or states more than `limit`.
bool gv_codec_raw_size(const void *stored, size_t stored_size, uint64_t limit,
                       uint64_t *raw_size, struct gv_error *err);

// The same of a frame whose first bytes alone are here: what it states, true or not.
// `size` of 18 is enough for any. GV_ERR_FORMAT if it states none.
bool gv_codec_stated_size(const void *head, size_t size, uint64_t *raw_size,
                          struct gv_error *err);

// Whether compression gains enough (3 %) to be worth a decompression.
bool gv_codec_worth(uint64_t raw_size, uint64_t stored_size);

// "1.5.4": part of what makes two compiles equal.
const char *gv_codec_version(void);

#endif
