// Structures that hold samplers or images: Vulkan has no such uniforms. Each such
// member becomes a uniform of its own, an array of as many elements as there are
// structures.
#ifndef GV_GLSL_OPAQUE_H
#define GV_GLSL_OPAQUE_H

#include "compiler/shader/glsl/glsl_unit.h"

#define GLSL_OPAQUE_LEVELS 8 // of structures in structures, of arrays in arrays

// One sampler or image of a structure: `s[2].inner.t[3]`.
struct glsl_opaque {
    const char *name; // in the upgraded text
    struct {
        const char *name; // NULL: of the array that the level before is an array of
        unsigned size;    // 0: not an array
        unsigned stride;  // locations of an element
    } levels[GLSL_OPAQUE_LEVELS];
    unsigned count;
    unsigned location; // behind the variable's own
    struct glsl_opaque *next;
};

// Where in a structure that held samplers a member is, by locations; that of "" is
// behind all of them.
struct glsl_opaque_member {
    const char *structure, *member;
    unsigned location;
    struct glsl_opaque_member *next;
};

// Declarations are read, names are not upgraded. Structures with samplers that are
// passed to functions are unsupported.
bool glsl_flatten_opaque(struct glsl_unit *u);

// Buffer textures of an array by a number that is computed: few devices let a shader do
// so, thus functions choose among all of them where texels and sizes are asked for.
bool glsl_choose_buffers(struct glsl_unit *u);

// What a variable of the upgraded text stands for; NULL: for itself.
const struct glsl_opaque *glsl_find_opaque(const struct glsl_stage *s,
                                           const char *name);
// NULL: the structure held none, or has no such member.
const struct glsl_opaque_member *glsl_find_opaque_member(const struct glsl_stage *s,
                                                         const char *structure,
                                                         const char *member);

#endif
