// The container of gfxreconstruct's files: header, options and blocks, unpacked one by
// one, forward.
#ifndef GV_GFXR_BLOCKS_H
#define GV_GFXR_BLOCKS_H

#include "compiler/input_read.h"
#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/bytes.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

#define GV_GFXR_MAGIC "GFXR"

// "enum BlockType" of the format.
enum gv_gfxr_kind {
    GV_GFXR_FRAME_MARKER = 1,
    GV_GFXR_STATE_MARKER = 2,
    GV_GFXR_META = 3,
    GV_GFXR_CALL = 4,
    GV_GFXR_ANNOTATION = 5,
    GV_GFXR_METHOD = 6,
};

struct gv_gfxr_block {
    uint32_t kind;
    uint32_t id;              // of a call or of meta-data; of a marker, its kind
    struct gv_vk_place place; // thread: of calls and meta-data
    // Of a call its parameters, unpacked. Of meta-data what stands behind the thread,
    // as it is: their bulk is unpacked by who knows its size. Else what the block
    // holds.
    struct gv_cursor body;
    bool packed;           // of meta-data
    uint64_t memory_limit; // bytes that it may decode to
};

struct gv_gfxr_params {
    bool allow_truncated;
    bool sizes_only;            // contents in meta-data stay packed (gv_gfxr_bulk)
    uint64_t memory_limit;      // bytes a block may unpack to
    struct gv_input_read *read; // may be NULL
};

struct gv_gfxr_reader;

// `input` is borrowed. NULL: GV_ERR_FORMAT, GV_ERR_UNSUPPORTED, GV_ERR_MEMORY.
struct gv_gfxr_reader *gv_gfxr_open(struct gv_cursor input,
                                    const struct gv_gfxr_params *params,
                                    struct gv_error *err);
void gv_gfxr_close(struct gv_gfxr_reader *reader); // NULL is fine

// The next block, which lasts until the next is asked for. `*ended`: there is none.
bool gv_gfxr_next(struct gv_gfxr_reader *reader, struct gv_gfxr_block *block,
                  bool *ended, struct gv_error *err);

// The bulk of meta-data: `raw_size` bytes, which the rest of the block's body holds.
// Of a reader with `sizes_only` their data is NULL.
bool gv_gfxr_bulk(struct gv_gfxr_reader *reader, struct gv_gfxr_block *block,
                  uint64_t raw_size, struct gv_span *bytes, struct gv_error *err);

// GV_ERR_FORMAT with the block's number and place.
bool gv_gfxr_bad(const struct gv_vk_place *place, struct gv_error *err,
                 const char *what);

const char *
gv_gfxr_compression(const struct gv_gfxr_reader *reader); // "none", "lz4" ...
uint32_t gv_gfxr_major(const struct gv_gfxr_reader *reader);
uint32_t
gv_gfxr_minor(const struct gv_gfxr_reader *reader); // from 1 on frames are marked
bool gv_gfxr_was_cut(const struct gv_gfxr_reader *reader);
uint64_t gv_gfxr_raw_bytes(const struct gv_gfxr_reader *reader); // so far, unpacked

#endif
