// A whole GLSL program of any dialect -> SPIR-V stages that fit together: upgraded,
// compiled, linked by name as OpenGL links, validated.
//
// Where things are bound (sets as in vm/descs.h): loose uniforms and uniform blocks in
// set 0 (fragment stage: set 1), textures in set 2, storage buffers and images in
// set 3. Bindings are numbered per set, one number per name in all stages.
#ifndef GV_GLSL_PROGRAM_H
#define GV_GLSL_PROGRAM_H

#include "compiler/shader/glsl/glsl_reflect.h" // IWYU pragma: export
#include "compiler/shader/glsl/upgrade.h"

// An attribute of the vertex stage, or (of params) an output of the fragment stage.
struct gv_glsl_attribute {
    const char *name;  // GL's: gl_Vertex too
    uint32_t location; // Vulkan's; in params GL's
    uint32_t index;    // of outputs in params: glBindFragDataLocationIndexed
    // Of what came out alone:
    struct gv_glsl_type type;
    uint32_t array_size; // 0: not an array
    uint32_t id;         // of the variable in the module
    uint32_t number;     // GL's location
    // Locations that hold one of GL's, of two doubles each; 0: it is none of doubles.
    uint32_t in_column;
};

struct gv_glsl_program_params {
    const struct gv_glsl_text *texts; // any dialect; several of a stage are joined
    size_t count;                     // 1..64
    struct gv_upgrade_options upgrade;
    // Locations by name, where the text itself has none (glBindAttribLocation,
    // glBindFragDataLocation).
    const struct gv_glsl_attribute *attributes, *outputs;
    size_t attribute_count, output_count;
    // What OpenGL's linker does besides: what no stage uses is not there; attributes
    // and outputs without a location get one as Mesa gives them; what is read and never
    // written is an error.
    bool gl_rules;
    // Stages that are linked apart may meet (separate programs): locations of varyings
    // follow from their names, where the text gives none. What is read and never
    // written is no error then.
    bool separable;
};

// A resource that stages share by name.
struct gv_glsl_resource {
    const char *name; // of the variable, of the block where that is what has a name
    uint32_t set_vertex, set_fragment; // GV_SPIRV_UNSET where not used
    uint32_t binding, type, count;
};

// A buffer that transform feedback writes: bytes from vertex to vertex, 0: it is not
// written.
struct gv_glsl_capture_buffer {
    uint32_t stride, stream;
};

// What stages between vertices and fragments make of primitives.
struct gv_glsl_reshaping {
    bool patches;      // it tessellates
    uint32_t vertices; // of a primitive that a geometry shader takes: 1, 2, 3, with
                       // adjacency 4, 6; 0: there is none
    uint32_t made;     // of a primitive that comes out, 1 to 3; 0: as they go in
};

// A subroutine of a stage, or a uniform that chooses one: the integer uniform
// "gv_subroutine_STAGE_NAME" has the number of the one that is chosen.
struct gv_glsl_subroutine {
    const char *name;
    uint32_t stage;  // GV_STAGE_*
    uint32_t number; // of a subroutine, as that uniform has it
    bool uniform;
    int placed;        // index or location of the text's own; -1: none
    uint32_t elements; // of a uniform; 0: not an array
};

struct gv_glsl_program {
    struct gv_shader_stage stages[GV_MAX_GLSL_STAGES]; // as `texts` first names them
    const char *texts[GV_MAX_GLSL_STAGES];             // GLSL 4.60
    size_t count;
    struct gv_glsl_attribute *attributes; // of the vertex stage, by location
    size_t attribute_count;
    struct gv_glsl_resource *resources;
    size_t resource_count;
    struct gv_glsl_capture_buffer captured[GV_MAX_GLSL_CAPTURE_BUFFERS];
    struct gv_glsl_reshaping reshaping;
    bool flat;          // fragments have an input that is not interpolated
    bool fixed_place;   // vertices lie where the fixed function has them: ftransform
    bool filters_depth; // where GV_SPIRV_WRAP_FOUR asks for it
    struct gv_glsl_subroutine *subroutines;
    size_t subroutine_count;
    unsigned blend_support; // bits 1 << enum gv_glsl_blend
    struct gv_glsl_reflection reflection;
};

// Everything of `out` lives in `arena`. GV_ERR_FORMAT (with the stage, the line and its
// text where one is at fault), GV_ERR_UNSUPPORTED by name, GV_ERR_LIMIT (locations,
// bindings), GV_ERR_SYSTEM. Any thread.
bool gv_glsl_program(const struct gv_glsl_program_params *params,
                     struct gv_arena *arena, struct gv_glsl_program *out,
                     struct gv_error *err);

#endif
