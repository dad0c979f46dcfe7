// Writes captures as gfxreconstruct's recorder does, block by block, with any codec.
#ifndef GFXR_WRITER_H
#define GFXR_WRITER_H

#include "resources/base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

enum gfxr_codec { GFXR_NONE, GFXR_LZ4, GFXR_ZLIB, GFXR_ZSTD };

struct gfxr_writer {
    struct gv_bytes out; // the file; owned
    enum gfxr_codec codec;
};

void gfxr_begin(struct gfxr_writer *w, enum gfxr_codec codec, uint32_t minor);
void gfxr_finish(struct gfxr_writer *w);

// A block of any type, as it is.
void gfxr_put_block(struct gfxr_writer *w, uint32_t type, const void *body,
                    size_t size);
// A call of thread 1, its parameters compressed where that is shorter.
void gfxr_put_call(struct gfxr_writer *w, uint32_t id,
                   const struct gv_bytes *parameters);
// Meta-data, of Vulkan from 0x10000 on: `head` stands before the bulk, which may be
// compressed.
void gfxr_put_meta(struct gfxr_writer *w, uint32_t id, const struct gv_bytes *head,
                   const void *bulk, size_t size);
void gfxr_put_marker(struct gfxr_writer *w, uint32_t type, uint32_t kind,
                     uint64_t frame);

#endif
