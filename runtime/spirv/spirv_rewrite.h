// Shaders that read what a draw's base vertex, base instance and number are out of push
// constants instead of built-ins: all of it on devices that lack shaderDrawParameters,
// the number everywhere, since records may be drawn one by one, and none then knows its
// own.
#ifndef GV_SPIRV_REWRITE_H
#define GV_SPIRV_REWRITE_H

#include "resources/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The push constants of the vertex stage, in this order.
struct gv_draw_parameters {
    int32_t base_vertex, base_instance, draw_index;
};

// Whether the module declares the capability DrawParameters; and has the draw's number.
bool gv_spirv_uses_draw_parameters(const uint32_t *words, size_t count);
bool gv_spirv_uses_draw_index(const uint32_t *words, size_t count);

// Makes a module that gets along without the capability, or only without the number
// (`number_only`). `words` must have passed the validator, which must see the new ones
// too: it refuses them where the built-ins were used in other ways than a load of the
// variable. The caller frees `*out`.
bool gv_spirv_rewrite_draw_parameters(const uint32_t *words, size_t count,
                                      bool number_only, uint32_t **out,
                                      size_t *out_count, struct gv_error *err);

#endif
