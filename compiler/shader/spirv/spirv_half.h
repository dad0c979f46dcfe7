// Medium precision as 16 bits: Mesa's llvmpipe computes what GLSL ES declares `mediump`
// or `lowp` in half floats, and so do devices; SPIR-V's RelaxedPrecision alone lets a
// driver choose.
#ifndef GV_SPIRV_HALF_H
#define GV_SPIRV_HALF_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"
#include "resources/base/error.h"

// Fills `out->words` and `word_count`: the module with what goes into and comes out of
// arithmetic of 32-bit floats rounded to the nearest half float where the result is
// decorated RelaxedPrecision, the same on every device; a copy where there is none.
// With `steps` what has no such decoration and takes several steps (products of
// matrices, `normalize`, `mix`, `asin`) is spelled out, too, in the order that Mesa's
// GLSL compiler takes: SPIR-V leaves the order to the driver, and pictures differ in
// last bits. Everything lives in `arena`. It takes what the front end has made.
// GV_ERR_SYSTEM without memory.
bool gv_spirv_halve(const uint32_t *words, size_t count, bool steps,
                    struct gv_arena *arena, struct gv_shader_stage *out,
                    struct gv_error *err);

#endif
