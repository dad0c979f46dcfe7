// Buffers whose content is known while compiling as long as the source itself writes
// it: draws can carry such bytes, and no upload breaks a pass until the device needs
// the buffer. And copies of parts of buffers at offsets that every device accepts.
#ifndef GV_LOWER_BUFFER_H
#define GV_LOWER_BUFFER_H

#include "compiler/lower/lower_pass.h"
#include "compiler/lower/lower_source.h"
#include "resources/base/arena.h"

#define GV_LOWER_KNOWN_BYTES 65536u    // largest buffer whose content is tracked
#define GV_LOWER_MAX_KNOWN (32u << 20) // bytes of all tracked content
#define GV_LOWER_KNOWN_CLASSES 17u     // sizes 1 to 2^16
#define GV_LOWER_BUFFER_ALIGN 256u     // what every device accepts as an offset

struct gv_lower_buffer {
    struct gv_buffer gpu;            // made when first needed: ask gv_lower_buffer_gpu
    uint64_t size;                   // bytes
    uint64_t serial;                 // unique over all buffers of the source
    uint32_t version;                // counts writes
    uint8_t *known;                  // its content; NULL: not tracked (any more)
    uint64_t dirty_begin, dirty_end; // of `known`, not yet in `gpu`
    // Its vertices at aligned places, as the last draw asked for them (lower_input).
    struct {
        struct gv_buffer gpu;
        uint32_t version, offset, stride;
    } packed;
};

// Set the first two; zero the rest.
struct gv_lower_buffers {
    struct gv_lower_pass *pass;
    struct gv_arena *arena;

    size_t known_bytes;
    void *free_known[GV_LOWER_KNOWN_CLASSES]; // by power of two, linked
    struct gv_buffer zeros;
};

// Makes a buffer of zeros. With `track` its content is known unless it is too large or
// too many are. GV_ERR_SYSTEM.
bool gv_lower_buffer_init(struct gv_lower_buffers *bs, struct gv_lower_buffer *b,
                          uint64_t size, uint64_t serial, bool track,
                          struct gv_error *err);
void gv_lower_buffer_finish(struct gv_lower_buffers *bs, struct gv_lower_buffer *b);

// Writes [offset, offset + size), which must be inside.
void gv_lower_buffer_write(struct gv_lower_buffers *bs, struct gv_lower_buffer *b,
                           uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source);

// The buffer on the device with everything written so far; may close the pass.
struct gv_buffer gv_lower_buffer_gpu(struct gv_lower_buffers *bs,
                                     struct gv_lower_buffer *b);

// The same for who writes it there: its content is no longer known. May close the pass.
struct gv_buffer gv_lower_buffer_target(struct gv_lower_buffers *bs,
                                        struct gv_lower_buffer *b);

struct gv_lower_buffer_range {
    struct gv_lower_buffer *buffer;
    uint64_t offset;
};

// Copies `size` bytes between two buffers; what is known of both stays so, unless the
// copy is wanted `on_device`.
void gv_lower_buffer_copy(struct gv_lower_buffers *bs,
                          const struct gv_lower_buffer_range *to,
                          const struct gv_lower_buffer_range *from, uint64_t size,
                          bool on_device);

// ---- copies at offset 0 ----

struct gv_lower_copy {
    struct gv_buffer gpu;
    uint64_t source; // serial of the buffer
    uint32_t version;
    uint64_t offset, size, copied;
    bool written; // by work that is being prepared
};

// `copied` bytes of a buffer, then zeros, in a buffer of `size` bytes; made again where
// it is not that yet. May close the pass.
struct gv_buffer gv_lower_copy_aligned(struct gv_lower_buffers *bs,
                                       struct gv_lower_copy *copy,
                                       const struct gv_lower_buffer_range *from,
                                       uint64_t size, uint64_t copied);

// The device wrote a copy marked `written`: its bytes go back into the buffer.
void gv_lower_copy_back(struct gv_lower_buffers *bs, struct gv_lower_copy *copy,
                        struct gv_lower_buffer *b);

// GV_LOWER_KNOWN_BYTES zeros, for what is not bound. May close the pass.
struct gv_buffer gv_lower_zeros(struct gv_lower_buffers *bs);

#endif
