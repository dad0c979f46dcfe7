// Structures that hold samplers or images: Vulkan has no such uniforms. Each such
// member becomes a uniform of its own, an array of as many elements as there are
// structures.
#ifndef GV_GLSL_OPAQUE_H
#define GV_GLSL_OPAQUE_H

#include "compiler/shader/glsl/glsl_unit.h"

#define GLSL_OPAQUE_LEVELS 6 // of structures in structures

// One sampler or image of a structure: `s[2].inner.t[3]`.
struct glsl_opaque {
    const char *name; // in the upgraded text
    struct {
        const char *name;
        unsigned size; // 0: not an array
    } levels[GLSL_OPAQUE_LEVELS];
    unsigned count;
    struct glsl_opaque *next;
};

// Declarations are read, names are not upgraded. Structures with samplers that are
// passed to functions or stand in arrays of arrays are unsupported.
bool glsl_flatten_opaque(struct glsl_unit *u);

// What a variable of the upgraded text stands for; NULL: for itself.
const struct glsl_opaque *glsl_find_opaque(const struct glsl_stage *s,
                                           const char *name);

#endif
