// A small payload with one of everything the machine knows, for tests that bring their
// own code: written by the payload writer and opened again.
#ifndef GV_VM_FIXTURE_H
#define GV_VM_FIXTURE_H

#include "resources/base/bytes.h"
#include "vm/ops.h"
#include "vm/payload/payload.h"

// Imports by number, as CALL_n takes them.
enum {
    F_BUFFER_CREATE, // (size, usage) -> buffer
    F_UPLOAD,        // (buffer, offset, bytes, size)
    F_MAP,           // (buffer, offset, size) -> map
    F_FLUSH,         // (map, offset, size)
    F_FRAME_END,
    F_DRAW,        // four numbers
    F_SAMPLER,     // (sampler description, size) -> sampler
    F_POST,        // (export, buffer, offset, size, append)
    F_DISPATCH,    // (x, y, z, ranges, size)
    F_BIND_VERTEX, // (slot, buffer or none, offset, size, stride)
    F_BIND_INDEX,  // (buffer, offset, index type)
    F_TEXEL,       // (set, binding, element, buffer or none, offset, size, format)
    F_UNMAP,       // (map)
    F_CLEAR,       // clear_color: (index, x, y, width, height, layer, layers, c0..c3)
    F_IMPORT_COUNT,
};

// Slots.
enum { F_SLOT_BUFFER, F_SLOT_MAP, F_SLOT_SAMPLER, F_SLOT_COUNT };

// Sizes in bytes: constants hold a sampler description at 0 of F_DESC_SIZE bytes.
#define F_CONSTANTS 64
#define F_DESC_SIZE 31
#define F_VOLATILE 128
#define F_MAP_SIZE 64
#define F_RESOURCE_0 16 // bytes 0, 1, 2, ...
#define F_RESOURCE_1 32 // bytes 100, 101, ...
#define F_STACK 16
#define F_REQUIREMENTS 3
#define F_NO_STACK UINT32_MAX // declares 0 cells

// Instructions as bytes, for code arrays; wider operands are written out.
#define P(n) (uint8_t)(GV_OP_PUSH_0 + (n))
#define C(n) (uint8_t)(GV_OP_CALL_0 + (n))
#define OP(name) GV_OP_##name

struct fixture_chunk {
    const uint8_t *code;
    size_t size;
    uint64_t first_command;
    uint32_t first_resource;
    size_t schedule; // uses before it
};

struct fixture_params {
    const struct fixture_chunk *chunks;
    size_t chunk_count;
    size_t frame_count; // the first chunks are a frame each, the others the tail
    const uint32_t *uses;
    size_t use_count;
    uint32_t stack;          // declared cells; 0 = F_STACK
    uint64_t instructions;   // declared; 0 = 1000
    uint64_t volatile_bytes; // 0 = F_VOLATILE
};

struct vm_fixture {
    struct gv_bytes file;
    struct gv_payload payload;
};

// Writes and opens. Exits the test where the writer or reader fails.
void fixture_open(struct vm_fixture *f, const struct fixture_params *params);
void fixture_close(struct vm_fixture *f);

#endif
