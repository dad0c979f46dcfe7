// Bytecode being written: the canonical form of every instruction (vm/ops.def), the
// chunk under construction, and the places whose bytes are known only later.
#ifndef GV_CODE_H
#define GV_CODE_H

#include "resources/base/bytes.h"
#include "vm/ops.h"

#include <string.h>

// A chunk is cut at the next call once it is longer.
#define GV_CHUNK_BYTES ((size_t)256 * 1024)
// Code of a window that waits for its islands or for a place; then the window closes.
#define GV_WINDOW_CODE ((size_t)16 << 20)
// No call, with its command marker and result, encodes to more: GV_MAX_ARGS pushes of
// at most 11 bytes and four instructions around them.
#define GV_CALL_BYTES 512

// What the bytes at a place depend on.
enum gv_patch_kind {
    GV_PATCH_RESOURCE,    // push resource `index` (RES or RES_NEXT)
    GV_PATCH_OBSERVED,    // push the address `offset` bytes into observation `index`
    GV_PATCH_OBSERVATION, // bring observation `index` into memory
    GV_PATCH_FETCH,       // FETCH or FETCH_NEXT of resource `index`
    GV_PATCH_CUT,         // a chunk ends; the next starts at command `offset`
    GV_PATCH_SKIP,        // what follows runs in branch `index` alone (builder.h)
    GV_PATCH_SKIP_END,    // ... up to here
    GV_PATCH_PLACE,       // what was put there later (builder.h)
};

struct gv_patch {
    size_t at; // byte in `bytes` before which it belongs
    uint32_t kind, index;
    uint64_t offset;
};

struct gv_code {
    struct gv_bytes bytes; // of the open chunk, or of a window's chunks when deferred
    size_t chunk_start;    // where the open chunk begins in `bytes`
    bool open;             // the chunk has a first command
    uint64_t command;      // marked last
    bool deferred;         // resource numbers and addresses wait in `patches`
    struct gv_patch *patches; // owned, ascending `at`
    size_t patch_count, patch_capacity;
    // Of the chunk under final encoding: first command, and the delta state of
    // RES_NEXT.
    uint64_t first_command;
    bool resource_named;
    uint32_t first_resource, next_resource;
    uint64_t instructions;
    uint32_t stack; // deepest so far, in cells
};

void gv_code_finish(struct gv_code *code);

// Room for `n` more bytes: where they go, or NULL (memory ran out). The writer tells
// how far it came with gv_code_advance.
static inline uint8_t *gv_code_room(struct gv_bytes *bytes, size_t n)
{
    if (bytes->capacity - bytes->size < n) {
        if (!gv_bytes_grow(bytes, n))
            return NULL;
        bytes->size -= n;
    }
    return bytes->data + bytes->size;
}
static inline void gv_code_advance(struct gv_bytes *bytes, const uint8_t *end)
{
    bytes->size = (size_t)(end - bytes->data);
}

// Each writes one instruction, or operand, at `p` and returns where it ends.
static inline uint8_t *gv_put_uleb(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

static inline uint8_t *gv_put_sleb(uint8_t *p, int64_t v)
{
    while (v < -64 || v > 63) {
        *p++ = (uint8_t)((uint64_t)v | 0x80);
        v = v < 0 ? ~(int64_t)(~(uint64_t)v >> 7) : v >> 7;
    }
    *p++ = (uint8_t)((uint64_t)v & 0x7f);
    return p;
}

static inline uint8_t *gv_put_op(uint8_t *p, enum gv_op op, uint64_t operand)
{
    *p++ = (uint8_t)op;
    return gv_put_uleb(p, operand);
}

static inline uint8_t *gv_put_push(uint8_t *p, uint64_t cell)
{
    if (cell < 128) {
        *p++ = (uint8_t)(GV_OP_PUSH_0 + cell);
        return p;
    }
    *p++ = GV_OP_PUSH;
    return gv_put_sleb(p, (int64_t)cell);
}

// The bits of a float: PUSH_0 for +0.0, five bytes for all others.
static inline uint8_t *gv_put_f32(uint8_t *p, uint32_t bits)
{
    if (bits == 0) {
        *p++ = (uint8_t)GV_OP_PUSH_0;
        return p;
    }
    *p++ = GV_OP_PUSH_F32;
    *p++ = (uint8_t)bits;
    *p++ = (uint8_t)(bits >> 8);
    *p++ = (uint8_t)(bits >> 16);
    *p++ = (uint8_t)(bits >> 24);
    return p;
}

static inline uint8_t *gv_put_call(uint8_t *p, uint32_t import)
{
    if (import < GV_OP_PUSH_0 - GV_OP_CALL_0) {
        *p++ = (uint8_t)(GV_OP_CALL_0 + import);
        return p;
    }
    return gv_put_op(p, GV_OP_CALL, import);
}

// RES or FETCH of a resource, in the short form where it follows the last one named.
uint8_t *gv_put_resource(struct gv_code *code, uint8_t *p, enum gv_op op,
                         uint32_t resource);

// Notes that something belongs before byte `at` of `bytes`. False: out of memory.
bool gv_code_patch(struct gv_code *code, struct gv_patch patch);

#endif
