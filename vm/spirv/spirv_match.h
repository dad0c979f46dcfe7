// Whether modules fit the pipeline they are to become part of.
#ifndef GV_SPIRV_MATCH_H
#define GV_SPIRV_MATCH_H

#include "vm/spirv/spirv_module.h"

// Every descriptor of the module must be in the pipeline's list: equal type (a uniform
// buffer may be dynamic), at least as many elements, and the module's stage. A sampler
// is used one way.
bool gv_spirv_match_bindings(const struct gv_spirv_module *module,
                             const struct gv_interface_desc *desc,
                             struct gv_error *err);

// What two stages do with one binding, or one stage with itself: a sampler either
// compares or does not.
bool gv_spirv_match_uses(const struct gv_spirv_binding *a,
                         const struct gv_spirv_binding *b, struct gv_error *err);

// Everything the later stage reads must be written by the earlier one, with one type.
bool gv_spirv_match_stages(const struct gv_spirv_module *earlier,
                           const struct gv_spirv_module *later, struct gv_error *err);

// A module that is given for a stage must be of it.
bool gv_spirv_match_stage(const struct gv_spirv_module *module, uint32_t stage,
                          struct gv_error *err);

// A module as the pipeline specialises it, read anew where sizes and array lengths may
// differ from those of `plain`: its bindings must be in the pipeline's list. `out`
// (with no bindings) is what else is known of it. `words` are those of `plain`.
struct gv_spirv_code {
    const uint32_t *words;
    size_t count;
    const struct gv_spirv_module *plain;
};
// Whether that means reading all its words again.
bool gv_spirv_rereads(const struct gv_spirv_module *plain,
                      const struct gv_interface_desc *desc);
bool gv_spirv_match_specialized(const struct gv_spirv_code *code,
                                const struct gv_interface_desc *desc,
                                const struct gv_spirv_limits *limits,
                                struct gv_spirv_module *out, struct gv_error *err);

// spirv_match_graphics.c: whether the stages of a pipeline and its description go
// together, on whatever device. `modules` by stage: vertex, tessellation control,
// evaluation, geometry, fragment; NULL: none.
bool gv_spirv_match_graphics(const struct gv_graphics_desc *desc,
                             const struct gv_spirv_module *const modules[5],
                             struct gv_error *err);

// Points have the size their shader says; Vulkan knows no default. `late_sizes`: the
// device takes sizes of stages behind the vertex shader.
bool gv_spirv_match_point_size(const struct gv_graphics_desc *desc,
                               const struct gv_spirv_module *const modules[5],
                               bool late_sizes, struct gv_error *err);

#endif
