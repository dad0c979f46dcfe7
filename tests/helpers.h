// What programs of several folders need: a sink in memory, numbers that look random.
#ifndef GV_TESTS_HELPERS_H
#define GV_TESTS_HELPERS_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

// A `write` callback whose context is a struct gv_bytes.
static inline bool gv_test_append(void *context, const void *data, size_t size,
                                  struct gv_error *err)
{
    struct gv_bytes *bytes = context;
    gv_bytes_put(bytes, data, size);
    return !bytes->failed || gv_out_of_memory(err);
}

// The next of the 24-bit numbers that `state` stands for (Numerical Recipes'
// generator).
static inline uint32_t gv_test_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#endif
