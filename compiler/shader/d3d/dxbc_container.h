// DXBC containers: chunks, signatures and the token stream inside.
#ifndef GV_DXBC_CONTAINER_H
#define GV_DXBC_CONTAINER_H

#include "compiler/shader/d3d/dxbc_types.h"
#include "resources/base/arena.h"

// A stream of 32-bit tokens at any alignment.
struct dxbc_tokens {
    const uint8_t *data; // borrowed
    size_t count;        // tokens
    uint64_t offset;     // of the first one in the capture
};

// Token `i`, which must be below `count`.
uint32_t dxbc_token(const struct dxbc_tokens *t, size_t i);
// Byte of token `i` in the capture.
uint64_t dxbc_token_offset(const struct dxbc_tokens *t, size_t i);

struct dxbc_signature {
    struct gv_dxbc_element *elements;
    uint32_t count;
    bool present;
};

struct dxbc_container {
    struct dxbc_tokens tokens; // SHEX if there is one, else SHDR; whole chunk
    struct dxbc_signature inputs, outputs, patch;
    bool dxil; // tokens of shader model 6, which is LLVM bitcode
};

// Whether the blob claims to be a container.
bool dxbc_is_container(const uint8_t *data, size_t size);

// Reads the container at `data`; `offset` is its place in the capture. Elements live in
// `arena`. Locations are not assigned, system values of hand-made entries are not
// resolved (dxbc_resolve_signatures).
bool dxbc_container_read(const uint8_t *data, size_t size, uint64_t offset,
                         struct gv_arena *arena, struct dxbc_container *out,
                         struct gv_error *err);

// Replaces missing system values of hand-made entries by what their names mean in
// `stage`.
void dxbc_resolve_signatures(struct dxbc_container *c, enum gv_dxbc_stage stage);

// FNV-1a 32 of `name` in upper case, as input layout blobs hold it.
uint32_t gv_dxbc_semantic_hash(const char *name);

#endif
