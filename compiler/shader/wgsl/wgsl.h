// WGSL -> GLSL 4.60 (glsl.h compiles it): a front end for ordinary vertex, fragment and
// compute shaders. What is beyond it is refused by name (docs/shaders.md lists both).
#ifndef GV_WGSL_H
#define GV_WGSL_H

#include "compiler/shader/shader.h"
#include "resources/base/arena.h"

#define GV_WGSL_MAX_BYTES (2u << 20)    // of the text, and of the GLSL
#define GV_WGSL_MAX_NODES (1u << 18)    // expressions, statements and declarations
#define GV_WGSL_MAX_NESTING 100         // of brackets, blocks and unary operators
#define GV_WGSL_MAX_DEPTH 400           // of one expression's tree
#define GV_WGSL_MAX_RECURSION 1000      // of constants within constants
#define GV_WGSL_MAX_LOCATIONS 32        // of inputs, of outputs
#define GV_WGSL_MAX_ZEROES 4096         // scalars of one zero value or constant
#define GV_WGSL_MAX_VALUES (1u << 20)   // scalars of all constants
#define GV_WGSL_MAX_FUNCTIONS 256       // that an entry point uses
#define GV_WGSL_MAX_CALLERS 2048        // pairs of functions, one calling the other
#define GV_WGSL_MAX_CALLS 64            // of functions within functions
#define GV_WGSL_MAX_SELECTORS 4096      // of a switch
#define GV_WGSL_MAX_ARGUMENTS 4096      // of a call or constructor
#define GV_WGSL_MAX_SCALARS 16384       // of one variable outside buffers
#define GV_WGSL_MAX_PARTS 4096          // members of a structure, theirs included
#define GV_WGSL_MAX_DIMENSIONS 8        // of an array
#define GV_WGSL_MAX_INVOCATIONS 1024    // of a workgroup
#define GV_WGSL_MAX_WORKGROUP_Z 64      // Vulkan's least
#define GV_WGSL_MAX_ELEMENTS (1u << 24) // of an array type

// Where @group(g) @binding(b) goes: the set follows the kind of resource (vm/descs.h),
// the binding is both numbers.
#define GV_WGSL_GROUPS 4
#define GV_WGSL_GROUP_BINDINGS 256
#define GV_WGSL_BINDING(group, binding) ((group)*GV_WGSL_GROUP_BINDINGS + (binding))

enum gv_wgsl_scalar { GV_WGSL_NONE, GV_WGSL_F32, GV_WGSL_I32, GV_WGSL_U32 };

// What a location carries.
struct gv_wgsl_location {
    enum gv_wgsl_scalar scalar; // GV_WGSL_NONE: nothing
    uint8_t components;         // 1..4
};

struct gv_wgsl_shader {
    const char *glsl;  // NUL-terminated
    const char *entry; // the entry point's name
    struct gv_wgsl_location inputs[GV_WGSL_MAX_LOCATIONS],
        outputs[GV_WGSL_MAX_LOCATIONS];
};

struct gv_wgsl_params {
    const char *text; // need not end with NUL
    size_t size;      // bytes
    uint64_t offset;  // of the text in the capture: errors count from there
    uint32_t stage;   // GV_STAGE_VERTEX, _FRAGMENT or _COMPUTE
    const char
        *entry; // taken where the stage has several entry points; NULL: the first
};

// Translates one entry point with what it uses. `out` lives in `arena`.
// GV_ERR_FORMAT (not WGSL), GV_ERR_UNSUPPORTED ("unsupported: WGSL override"),
// GV_ERR_LIMIT, GV_ERR_SYSTEM (memory); offsets are those of the text at fault.
bool gv_wgsl_translate(const struct gv_wgsl_params *params, struct gv_arena *arena,
                       struct gv_wgsl_shader *out, struct gv_error *err);

#endif
