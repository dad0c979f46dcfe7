// Direct3D shader blobs -> SPIR-V: DXBC containers with SM4/SM5 tokens (official and
// the Aero dialect) or D3D9 tokens, and bare D3D9 token streams.
#ifndef GV_DXBC_H
#define GV_DXBC_H

#include "compiler/shader/d3d/dxbc_types.h"
#include "resources/base/arena.h"

#define GV_DXBC_MAX_BLOB (16u << 20) // bytes of one blob

// Translates one blob of `size` bytes. `offset` is the blob's first byte in the
// capture: errors tell capture offsets. `options` may be NULL. Everything in `out`
// lives in `arena`.
//
// GV_ERR_FORMAT (malformed, with offset), GV_ERR_UNSUPPORTED ("unsupported: NAME", with
// offset), GV_ERR_LIMIT, GV_ERR_SYSTEM. Any thread.
bool gv_dxbc_translate(const void *blob, size_t size, uint64_t offset,
                       const struct gv_dxbc_options *options, struct gv_arena *arena,
                       struct gv_dxbc_shader *out, struct gv_error *err);

// Whether the first bytes say that a blob is D3D9 (bare tokens or in a container),
// which switches a whole context to D3D9 rules. False for what cannot be read.
bool gv_dxbc_is_d3d9(const void *blob, size_t size);

#endif
