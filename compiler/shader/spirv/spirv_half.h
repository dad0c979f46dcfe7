// Medium precision as 16 bits: Mesa's llvmpipe computes what GLSL ES declares `mediump`
// or `lowp` in half floats, and so do devices; SPIR-V's RelaxedPrecision alone lets a
// driver choose.
#ifndef GV_SPIRV_HALF_H
#define GV_SPIRV_HALF_H

#include "resources/base/arena.h"
#include "resources/base/error.h"
#include "vm/spirv/spirv_words.h"

// The module with OpQuantizeToF16 around every arithmetic of 32-bit floats whose result
// is decorated RelaxedPrecision, in `arena`; the same words where there is none. It
// takes what the front end has made. GV_ERR_SYSTEM without memory.
bool gv_spirv_quantize(const uint32_t *words, size_t count, struct gv_arena *arena,
                       const uint32_t **out, size_t *out_count, struct gv_error *err);

#endif
