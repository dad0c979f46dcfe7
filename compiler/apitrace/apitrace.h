// The front-end of apitrace's traces, by what people ask of it.
#ifndef GV_APITRACE_H
#define GV_APITRACE_H

#include "compiler/apitrace/trace/trace_reader.h"
#include "compiler/frontend.h"

// Option of compile: work that calls may ask for, in units of 2^20 (compiler/gl/gl.h).
#define GV_APITRACE_WORK "gl.work"
#define GV_APITRACE_VISUAL "gl.visual" // option: glretrace, recorded

// Opens a capture with what `params` says of it; for text with the names of enumerants.
struct gv_trace_reader *gv_apitrace_open(struct gv_cursor input,
                                         const struct gv_compile_params *params,
                                         bool for_text, struct gv_error *err);
// The next call, NULL at the end; tells how far the capture has been read.
bool gv_apitrace_next(struct gv_trace_reader *reader,
                      const struct gv_compile_params *params,
                      const struct gv_trace_call **call, struct gv_error *err);

bool gv_apitrace_compile(struct gv_cursor input, const struct gv_compile_params *params,
                         struct gv_arena *arena, struct gv_builder *out,
                         struct gv_error *err);
bool gv_apitrace_info(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_describe *out, struct gv_error *err);
bool gv_apitrace_dump(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_text_sink *out, struct gv_error *err);

#endif
