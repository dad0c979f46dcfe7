// The preprocessor: a source as the recorded OpenGL takes it (Mesa's own preprocessor,
// which follows C further than the specification asks: `##`, macros within macros,
// joined lines in every version), without a directive left.
#ifndef GV_GLSL_PREPROCESS_H
#define GV_GLSL_PREPROCESS_H

#include "compiler/shader/glsl/text/glsl_dialect.h"

#define GV_MAX_GLSL_EXPANSION (1u << 21) // tokens that the macros of a stage make
#define GV_MAX_MACRO_DEPTH 128           // of macros in arguments
#define GV_MAX_MACRO_PARAMS 128          // of one macro
#define GV_MAX_GLSL_CONDITIONS 1024      // of #if in #if
#define GV_MAX_MACRO_NESTING 256         // of operators in a condition

// Reads `#version`; without one it is ES 1.00 (`es`) or 1.10. GV_ERR_FORMAT (a number
// that no version has, a profile that it has not).
bool gv_glsl_dialect(const char *text, bool es, struct gv_glsl_dialect *out,
                     struct gv_error *err);

struct glsl_source {
    const char *text;       // every line is where it was
    const char *extensions; // lines for what it enables and text for Vulkan must, too
    const char *asked;      // " NAME NAME ": all that it enables and that is offered
};

// Directives are obeyed, macros expanded, comments gone. `text` is borrowed during the
// call, `out` lives in `arena`. GV_ERR_FORMAT with the line and the byte in `text`
// (#error, a condition that cannot be read, an extension that is required and not
// offered), GV_ERR_LIMIT, GV_ERR_SYSTEM.
bool glsl_preprocess(const char *text, const struct gv_glsl_dialect *dialect,
                     struct gv_arena *arena, struct glsl_source *out,
                     struct gv_error *err);

#endif
