// Whether modules fit the pipeline they are to become part of.
#ifndef GV_SPIRV_MATCH_H
#define GV_SPIRV_MATCH_H

#include "vm/spirv/spirv_module.h"

// Every descriptor of the module must be in the pipeline's list: equal type (a uniform
// buffer may be dynamic), at least as many elements, and the module's stage.
bool gv_spirv_match_bindings(const struct gv_spirv_module *module,
                             const struct gv_interface_desc *desc,
                             struct gv_error *err);

// Everything the later stage reads must be written by the earlier one, with one type.
bool gv_spirv_match_stages(const struct gv_spirv_module *earlier,
                           const struct gv_spirv_module *later, struct gv_error *err);

#endif
