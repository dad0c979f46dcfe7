// What a geometry shader's outputs hold behind EmitVertex: GLSL and SPIR-V leave that
// open, drivers of OpenGL keep what was written, and programs rely on it (what is the
// same for all vertices of a primitive is written once, ahead of the first).
#ifndef GV_SPIRV_EMITTED_H
#define GV_SPIRV_EMITTED_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// The module with variables of the invocation's own in the place of outputs, which are
// stored to the outputs ahead of each vertex that is emitted (not every driver reads
// outputs right); built-ins are loaded ahead of it and stored again behind. Those aside
// that code without branches always writes ahead of each vertex, and parts of built-in
// blocks that are never written as a whole. `*out` is `words`
// where there is nothing to keep; else it is of `arena`. It takes what glslang makes.
// GV_ERR_FORMAT, GV_ERR_SYSTEM.
bool gv_spirv_keep_emitted(const uint32_t *words, size_t count, struct gv_arena *arena,
                           const uint32_t **out, size_t *out_count,
                           struct gv_error *err);

#endif
