#include "resources/codec.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#define ATTACH_DICTIONARY ZSTD_c_experimentalParam4 // zstd.h: ZSTD_c_forceAttachDict
#define LAST_FAST 4                                 // level of the fast strategies

struct gv_codec_state {
    ZSTD_CCtx *compressor;   // owned; NULL until first used
    ZSTD_DCtx *decompressor; // likewise
};

struct gv_codec_dictionary {
    int level;
    pthread_mutex_t mutex;
    struct gv_bytes bytes; // until there is
    ZSTD_CDict *digested;  // owned; NULL until first used
};

struct gv_codec_state *gv_codec_create(void)
{
    return calloc(1, sizeof(struct gv_codec_state));
}

void gv_codec_destroy(struct gv_codec_state *codec)
{
    if (!codec)
        return;
    ZSTD_freeCCtx(codec->compressor);
    ZSTD_freeDCtx(codec->decompressor);
    free(codec);
}

static bool is_level(int level, struct gv_error *err)
{
    return (level >= GV_CODEC_MIN_LEVEL && level <= GV_CODEC_MAX_LEVEL) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "compression level %d is not in 1..19", level);
}

static bool set_level(struct gv_codec_state *codec, int level, struct gv_error *err)
{
    if (!is_level(level, err))
        return false;
    if (!codec->compressor)
        codec->compressor = ZSTD_createCCtx();
    if (!codec->compressor)
        return gv_out_of_memory(err);
    ZSTD_CCtx_setParameter(codec->compressor, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(codec->compressor, ZSTD_c_contentSizeFlag, 1);
    // Of a dictionary the tables are read where they are. By itself libzstd copies them
    // for everything over 16 KiB, which takes a tenth of a compile; high levels search
    // so long that a copy is cheaper.
    ZSTD_CCtx_setParameter(codec->compressor, ATTACH_DICTIONARY, level <= LAST_FAST);
    return true;
}

// `status` unless memory ran out; `offset` as in gv_fail.
static bool fail_in_zstd(size_t code, enum gv_status status, uint64_t offset,
                         struct gv_error *err)
{
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return gv_out_of_memory(err);
    return gv_fail(err, status, offset, "zstd: %s", ZSTD_getErrorName(code));
}

static bool compress(struct gv_codec_state *codec, struct gv_span raw,
                     struct gv_bytes *out, struct gv_error *err)
{
    size_t bound = ZSTD_compressBound(raw.size);
    size_t start = out->size;
    uint8_t *at = ZSTD_isError(bound) ? NULL : gv_bytes_grow(out, bound);
    if (!at)
        return gv_out_of_memory(err);
    size_t n = ZSTD_compress2(codec->compressor, at, bound, raw.data, raw.size);
    if (ZSTD_isError(n)) {
        out->size = start;
        return fail_in_zstd(n, GV_ERR_LIMIT, GV_NO_OFFSET, err);
    }
    out->size = start + n;
    return true;
}

bool gv_codec_compress(struct gv_codec_state *codec, int level, struct gv_span raw,
                       struct gv_bytes *out, struct gv_error *err)
{
    return set_level(codec, level, err) && compress(codec, raw, out, err);
}

#define DIGEST_BYTES ((size_t)8 << 20) // more than libzstd's tables take at any level

// libzstd up to 1.5.4 writes to where memory for a digest should be, but is not: it is
// asked only where there is some.
static ZSTD_CDict *digest(struct gv_span bytes, int level)
{
    void *room = malloc(DIGEST_BYTES + bytes.size);
    if (!room)
        return NULL;
    *(volatile char *)room = 0; // or the compiler leaves both calls out
    free(room);
    return ZSTD_createCDict(bytes.data, bytes.size, level);
}

struct gv_codec_dictionary *gv_codec_dictionary_create(int level, struct gv_span bytes,
                                                       struct gv_error *err)
{
    // Bytes that begin like a dictionary of libzstd's own would be read as one.
    static const uint8_t own[] = { 0x37, 0xa4, 0x30, 0xec };
    if (!is_level(level, err))
        return NULL;
    if (bytes.size >= sizeof own && memcmp(bytes.data, own, sizeof own) == 0)
        bytes = (struct gv_span){ (const char *)bytes.data + 1, bytes.size - 1 };
    struct gv_codec_dictionary *dictionary = calloc(1, sizeof *dictionary);
    if (!dictionary) {
        gv_out_of_memory(err);
        return NULL;
    }
    dictionary->level = level;
    pthread_mutex_init(&dictionary->mutex, NULL);
    gv_bytes_put(&dictionary->bytes, bytes.data, bytes.size);
    if (!dictionary->bytes.failed)
        return dictionary;
    gv_codec_dictionary_destroy(dictionary);
    gv_out_of_memory(err);
    return NULL;
}

void gv_codec_dictionary_destroy(struct gv_codec_dictionary *dictionary)
{
    if (!dictionary)
        return;
    ZSTD_freeCDict(dictionary->digested);
    gv_bytes_finish(&dictionary->bytes);
    pthread_mutex_destroy(&dictionary->mutex);
    free(dictionary);
}

// Digesting takes longer than compressing what it is for, and many that are offered
// meet nothing to compress. NULL: memory.
static const ZSTD_CDict *digested(struct gv_codec_dictionary *dictionary)
{
    pthread_mutex_lock(&dictionary->mutex);
    struct gv_bytes *bytes = &dictionary->bytes;
    if (!dictionary->digested)
        dictionary->digested =
            digest((struct gv_span){ bytes->data, bytes->size }, dictionary->level);
    if (dictionary->digested)
        gv_bytes_finish(bytes);
    pthread_mutex_unlock(&dictionary->mutex);
    return dictionary->digested;
}

bool gv_codec_compress_with(struct gv_codec_state *codec,
                            struct gv_codec_dictionary *dictionary, struct gv_span raw,
                            struct gv_bytes *out, struct gv_error *err)
{
    if (!set_level(codec, dictionary->level, err))
        return false;
    const ZSTD_CDict *with = digested(dictionary);
    if (!with)
        return gv_out_of_memory(err);
    ZSTD_CCtx_refCDict(codec->compressor, with);
    bool ok = compress(codec, raw, out, err);
    ZSTD_CCtx_refCDict(codec->compressor, NULL);
    return ok;
}

bool gv_codec_stated_size(const void *head, size_t size, uint64_t *raw_size,
                          struct gv_error *err)
{
    unsigned long long content = ZSTD_getFrameContentSize(head, size);
    if (content == ZSTD_CONTENTSIZE_ERROR || content == ZSTD_CONTENTSIZE_UNKNOWN)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "no zstd frame with a content size");
    *raw_size = content;
    return true;
}

// A block holds at most so many bytes, and takes at least these: its header and a byte
// that is repeated.
#define BLOCK_BYTES ((uint64_t)128 << 10)
#define LEAST_BLOCK 4u

bool gv_codec_raw_size(const void *stored, size_t stored_size, uint64_t limit,
                       uint64_t *raw_size, struct gv_error *err)
{
    uint64_t content = 0;
    size_t frame = ZSTD_findFrameCompressedSize(stored, stored_size);
    if (!gv_codec_stated_size(stored, stored_size, &content, err))
        return false;
    if (ZSTD_isError(frame) || frame != stored_size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the zstd frame does not fill its place");
    if (content > limit)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the zstd frame states %" PRIu64 " bytes, over the limit",
                       content);
    if (content / BLOCK_BYTES > stored_size / LEAST_BLOCK)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the zstd frame states %" PRIu64
                       " bytes, more than %zu can hold",
                       content, stored_size);
    *raw_size = content;
    return true;
}

bool gv_codec_decompress_with(struct gv_codec_state *codec,
                              const struct gv_codec_frame *frame, void *raw,
                              size_t raw_size, struct gv_error *err)
{
    const struct gv_span stored = frame->stored;
    uint64_t content = 0;
    if (!gv_codec_raw_size(stored.data, stored.size, SIZE_MAX / 2, &content, err))
        return false;
    if (content != raw_size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the zstd frame holds %llu bytes where %zu were announced",
                       (unsigned long long)content, raw_size);
    if (!codec->decompressor)
        codec->decompressor = ZSTD_createDCtx();
    if (!codec->decompressor)
        return gv_out_of_memory(err);
    // A prefix counts for one frame, and is never read as a dictionary of libzstd's
    // own.
    ZSTD_DCtx_refPrefix(codec->decompressor, frame->dictionary.data,
                        frame->dictionary.size);
    size_t n = ZSTD_decompressDCtx(codec->decompressor, raw, raw_size, stored.data,
                                   stored.size);
    if (ZSTD_isError(n))
        return fail_in_zstd(n, GV_ERR_FORMAT, GV_NO_OFFSET, err);
    if (n != raw_size)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "the zstd frame is short");
    return true;
}

bool gv_codec_decompress(struct gv_codec_state *codec, struct gv_span stored, void *raw,
                         size_t raw_size, struct gv_error *err)
{
    const struct gv_codec_frame frame = { .stored = stored };
    return gv_codec_decompress_with(codec, &frame, raw, raw_size, err);
}

#define STREAM_BYTES ((size_t)1 << 17) // as ZSTD_DStreamOutSize recommends

// A streaming decompression. `hint` is 0 at the end of a frame.
struct frame_stream {
    ZSTD_DCtx *decompressor;
    ZSTD_inBuffer in;
    size_t hint;
};

// One step of it: appends to `out` at most up to `end` bytes.
static bool stream_step(struct frame_stream *s, uint64_t end, struct gv_bytes *out,
                        struct gv_error *err)
{
    size_t room =
        end - out->size < STREAM_BYTES ? (size_t)(end - out->size) : STREAM_BYTES;
    uint8_t *at = gv_bytes_grow(out, room);
    if (!at)
        return gv_out_of_memory(err);
    ZSTD_outBuffer to = { at, room, 0 };
    s->hint = ZSTD_decompressStream(s->decompressor, &to, &s->in);
    out->size -= room - to.pos;
    if (ZSTD_isError(s->hint))
        return fail_in_zstd(s->hint, GV_ERR_FORMAT, s->in.pos, err);
    return true;
}

bool gv_codec_decompress_frames(struct gv_codec_state *codec, struct gv_span stored,
                                const struct gv_decompress_params *params,
                                struct gv_decompressed *out, struct gv_error *err)
{
    struct gv_bytes *bytes = &out->bytes;
    out->cut = false;
    if (!codec->decompressor)
        codec->decompressor = ZSTD_createDCtx();
    if (!codec->decompressor)
        return gv_out_of_memory(err);
    ZSTD_DCtx_reset(codec->decompressor, ZSTD_reset_session_only);
    struct frame_stream s = { codec->decompressor, { stored.data, stored.size, 0 }, 1 };
    uint64_t end = bytes->size + params->limit;
    while (s.hint || s.in.pos < s.in.size) {
        size_t read = s.in.pos, written = bytes->size;
        // One byte beyond the limit tells whether there is more.
        if (!stream_step(&s, params->head_only ? end : end + 1, bytes, err))
            return false;
        if (params->head_only && bytes->size >= end)
            return true;
        if (bytes->size > end)
            return gv_fail(err, GV_ERR_LIMIT, s.in.pos,
                           "decompressed to more than %llu bytes",
                           (unsigned long long)params->limit);
        if (s.in.pos != read || bytes->size != written)
            continue;
        out->cut = true;
        return true;
    }
    return true;
}

enum gv_step gv_codec_step(struct gv_codec_state *codec, struct gv_step_io *io)
{
    if (!codec->decompressor)
        codec->decompressor = ZSTD_createDCtx();
    if (!codec->decompressor)
        return GV_STEP_MEMORY;
    ZSTD_inBuffer from = { io->in, io->in_size, 0 };
    ZSTD_outBuffer to = { io->out, io->out_size, 0 };
    size_t hint = ZSTD_decompressStream(codec->decompressor, &to, &from);
    io->in += from.pos;
    io->in_size -= from.pos;
    io->out += to.pos;
    io->out_size -= to.pos;
    if (!ZSTD_isError(hint))
        return hint ? GV_STEP_MORE : GV_STEP_ENDED;
    return ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation ? GV_STEP_MEMORY
                                                                   : GV_STEP_DAMAGED;
}

bool gv_codec_worth(uint64_t raw_size, uint64_t stored_size)
{
    // raw - stored >= 3 % of raw, without overflow.
    return stored_size < raw_size && raw_size - stored_size >= raw_size / 100 * 3 + 1;
}

const char *gv_codec_version(void)
{
    return ZSTD_versionString();
}
