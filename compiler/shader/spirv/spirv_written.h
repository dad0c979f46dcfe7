// Which buffers and images of a module its functions write: for who must know before
// the device does.
#ifndef GV_SPIRV_WRITTEN_H
#define GV_SPIRV_WRITTEN_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// The module with NonWritable on each variable of a storage block or storage image that
// no function stores to, counts in, or hands on to another function. `*out` is `words`
// where there is nothing to say; else it is of `arena`. It takes what glslang makes.
bool gv_spirv_say_read_only(const uint32_t *words, size_t count, struct gv_arena *arena,
                            const uint32_t **out, size_t *out_count,
                            struct gv_error *err);

#endif
