// What the shaders of the payload under construction ask of a pipeline.
#ifndef GV_MODULES_H
#define GV_MODULES_H

#include "vm/spirv/spirv_module.h"

// Zero-initialise before use.
struct gv_modules {
    struct gv_shader_module *items; // owned; by ascending object
    size_t count, capacity;
};

void gv_modules_finish(struct gv_modules *modules);

// Keeps what a module is that was read for `object`, the last one made, and owns it.
// False: out of memory, and it is finished.
bool gv_modules_add(struct gv_modules *modules, uint32_t object,
                    struct gv_spirv_module *module);
// `object` is not that module alone any more.
void gv_modules_forget(struct gv_modules *modules, uint32_t object);
// NULL: not known.
const struct gv_spirv_module *gv_modules_find(const struct gv_modules *modules,
                                              uint32_t object);

#endif
