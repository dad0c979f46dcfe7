// A whole GLSL program of any dialect -> SPIR-V stages that fit together: upgraded,
// compiled and linked by name, as OpenGL links.
//
// Where things are bound (sets as in vm/descs.h): loose uniforms and uniform blocks in
// set 0 (fragment stage: set 1), textures in set 2, storage buffers and images in
// set 3. Bindings are numbered per set, one number per name in all stages.
#ifndef GV_GLSL_PROGRAM_H
#define GV_GLSL_PROGRAM_H

#include "compiler/shader/glsl/upgrade.h"

// A vertex attribute's location by name, where the text itself has none.
struct gv_glsl_attribute {
    const char *name;
    uint32_t location;
};

struct gv_glsl_program_params {
    const struct gv_glsl_text *texts; // any dialect
    size_t count;                     // 1..GV_MAX_GLSL_STAGES
    struct gv_upgrade_options upgrade;
    const struct gv_glsl_attribute *attributes;
    size_t attribute_count;
};

// A resource that stages share by name.
struct gv_glsl_resource {
    const char *name; // of the variable, of the block where that is what has a name
    uint32_t set_vertex, set_fragment; // GV_SPIRV_UNSET where not used
    uint32_t binding, type, count;
};

struct gv_glsl_program {
    struct gv_shader_stage stages[GV_MAX_GLSL_STAGES]; // in the order of `texts`
    const char *texts[GV_MAX_GLSL_STAGES];             // GLSL 4.60
    size_t count;
    struct gv_glsl_attribute *attributes; // of the vertex stage, by location
    size_t attribute_count;
    struct gv_glsl_resource *resources;
    size_t resource_count;
};

// Everything of `out` lives in `arena`. GV_ERR_FORMAT, GV_ERR_UNSUPPORTED by name,
// GV_ERR_LIMIT (locations, bindings), GV_ERR_SYSTEM.
bool gv_glsl_program(const struct gv_glsl_program_params *params,
                     struct gv_arena *arena, struct gv_glsl_program *out,
                     struct gv_error *err);

#endif
