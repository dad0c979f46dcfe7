// What a shader's outputs hold when they are given away. Of geometry shaders GLSL and
// SPIR-V leave it open behind EmitVertex: drivers of OpenGL keep what was written, and
// programs rely on it (what is the same for all vertices of a primitive is written
// once, ahead of the first), and NVIDIA's driver for Vulkan reads outputs wrong even
// ahead of it. In all stages that driver loses what is stored to one component of a
// vector of 64 bits. lavapipe clips by four of eight distances where a stage loads any
// output.
#ifndef GV_SPIRV_EMITTED_H
#define GV_SPIRV_EMITTED_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// The module with variables of the invocation's own in the place of outputs, which are
// stored to the outputs ahead of each vertex that is emitted, or where a shader of
// vertices or of tessellated ones returns. Of the former are left alone outputs that
// are never read and that code without branches always writes ahead of each vertex, and
// of the built-in block the sizes of points that are never read; of the latter all but
// those of which components of 64 bits are stored one by one, or that are read beside
// eight distances to planes. `*out` is `words` where
// nothing changes; else it is of `arena`. It takes what glslang makes. GV_ERR_FORMAT,
// GV_ERR_SYSTEM.
bool gv_spirv_keep_emitted(const uint32_t *words, size_t count, struct gv_arena *arena,
                           const uint32_t **out, size_t *out_count,
                           struct gv_error *err);

#endif
