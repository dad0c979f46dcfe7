// The front-end of AGI's and GAPID's captures, by what people ask of it.
#ifndef GV_AGI_H
#define GV_AGI_H

#include "compiler/frontend.h"

bool gv_agi_compile(struct gv_cursor input, const struct gv_compile_params *params,
                    struct gv_arena *arena, struct gv_builder *out,
                    struct gv_error *err);
bool gv_agi_info(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_describe *out, struct gv_error *err);
bool gv_agi_dump(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_text_sink *out, struct gv_error *err);

#endif
