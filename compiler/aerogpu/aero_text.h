// What people see of a capture: facts for `gpuvm info`, records for `gpuvm dump`.
#ifndef GV_AERO_TEXT_H
#define GV_AERO_TEXT_H

#include "compiler/frontend.h"

bool gv_aero_info(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_describe *out, struct gv_error *err);
bool gv_aero_dump(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_text_sink *out, struct gv_error *err);

#endif
