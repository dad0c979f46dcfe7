// Uniform bytes at a place that the code computes: the machine runs to it over a host
// without a device.
#ifndef GV_UNIFORM_BYTES_H
#define GV_UNIFORM_BYTES_H

#include "resources/base/bytes.h"
#include "vm/inspect/path.h"
#include "vm/payload/payload.h"

struct gv_uniform {
    uint64_t set, binding;
    uint64_t command; // of the source, that set them
    struct gv_bytes bytes;
};

// Zero-initialise.
struct gv_uniforms {
    struct gv_uniform *items; // owned
    size_t count, capacity;
};

// Fills in what is bound at the place, of a verified payload. `memory_limit`: private
// bytes; 0: none. What ends the run, or keeps it from beginning where it would be long:
// GV_ERR_LIMIT; or GV_ERR_FETCH and GV_ERR_NOT_FOUND where resources are elsewhere.
// What was found then is no answer.
bool gv_uniforms_find(struct gv_uniforms *uniforms, struct gv_payload *payload,
                      const struct gv_place *place, uint64_t memory_limit,
                      struct gv_error *err);
void gv_uniforms_finish(struct gv_uniforms *uniforms);

// NULL: nothing is bound there.
const struct gv_uniform *gv_uniforms_at(const struct gv_uniforms *uniforms,
                                        uint64_t set, uint64_t binding);

#endif
