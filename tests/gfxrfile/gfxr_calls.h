// Calls with any arguments, and how gfxreconstruct's recorder writes them.
#ifndef GFXR_CALLS_H
#define GFXR_CALLS_H

#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/bytes.h"

// A call of `function` with arguments that `seed` chooses: arrays as long as others
// say, chains, strings, nothing null that must not be.
const struct gv_vk_call *gfxr_make_call(enum gv_vk_function function, uint32_t seed,
                                        struct gv_arena *arena);

// The same without objects: each handle is 0.
const struct gv_vk_call *gfxr_make_bare_call(enum gv_vk_function function,
                                             uint32_t seed, struct gv_arena *arena);

// Its parameters and result.
void gfxr_encode_call(struct gv_bytes *out, const struct gv_vk_call *call);

#endif
