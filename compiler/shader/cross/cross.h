// SPIR-V that OpenGL was given -> GLSL 4.50 text, which is compiled as any other: the
// one wrapper around SPIRV-Cross.
//
// Names mean nothing to such programs, places do. What stages share has the place's
// name: uniform_LOCATION, sampler_BINDING, image_BINDING, counter_BINDING_OFFSET,
// block_BINDING, storage_BINDING.
#ifndef GV_CROSS_H
#define GV_CROSS_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"

#define GV_CROSS_MAX_CONSTANTS 4096u // that are specialised
#define GV_CROSS_MAX_TEXT_BYTES (4u << 20)

struct gv_cross_params {
    const uint32_t *words;
    size_t count;
    uint32_t stage;    // one GV_STAGE_* bit
    const char *entry; // of the function that begins the stage
    // Constants by their SpecId, with their bits.
    const uint32_t *constants, *values;
    size_t constant_count;
};

// The text in `arena`. GV_ERR_USAGE: the module has no such entry, or no such constant;
// GV_ERR_UNSUPPORTED: it is none that OpenGL takes, or GLSL has no words for it;
// GV_ERR_LIMIT, GV_ERR_MEMORY. Any thread.
bool gv_cross_glsl(const struct gv_cross_params *params, struct gv_arena *arena,
                   const char **out, struct gv_error *err);

#endif
