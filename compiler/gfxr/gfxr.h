// The front-end of gfxreconstruct's captures, by what people ask of it.
#ifndef GV_GFXR_H
#define GV_GFXR_H

#include "compiler/frontend.h"
#include "compiler/gfxr/gfxr_blocks.h"

// Opens a capture with what `params` says of it; `sizes_only`: gfxr_blocks.h.
struct gv_gfxr_reader *gv_gfxr_start(struct gv_cursor input,
                                     const struct gv_compile_params *params,
                                     bool sizes_only, struct gv_error *err);

bool gv_gfxr_compile(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_arena *arena, struct gv_builder *out,
                     struct gv_error *err);
bool gv_gfxr_info(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_describe *out, struct gv_error *err);
bool gv_gfxr_dump(struct gv_cursor input, const struct gv_compile_params *params,
                  struct gv_text_sink *out, struct gv_error *err);

#endif
