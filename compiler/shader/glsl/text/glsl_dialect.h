// What a GLSL text says of itself: its version and the extensions it asks for.
#ifndef GV_GLSL_DIALECT_H
#define GV_GLSL_DIALECT_H

#include "compiler/shader/glsl/text/glsl_tokens.h"

struct gv_glsl_dialect {
    int version; // 110, 300, ...
    bool es;
    bool compatibility;
};

// Reads `#version`; without one it is ES 1.00 (`es`) or 1.10. GV_ERR_FORMAT (a number
// that no version has).
bool gv_glsl_dialect(const char *text, bool es, struct gv_glsl_dialect *out,
                     struct gv_error *err);

// A source without its #version, #extension and #line lines, which are blank, and with
// other names for macros of extensions that are not offered: glslang's list of
// extensions decides nothing.
struct glsl_source {
    const char *text;
    const char *extensions; // lines for what it enables and text for Vulkan must, too
    const char *asked;      // " NAME NAME ": all that it enables and that is offered
};

// An extension that is required and not offered (glsl_extensions.def) becomes an
// #error.
bool glsl_take_directives(const char *text, const struct gv_glsl_dialect *dialect,
                          struct gv_arena *arena, struct glsl_source *out,
                          struct gv_error *err);

// Text in front of a source of this dialect: the macros of the extensions that are
// offered, and what the preprocessor must know of those `asked` for.
const char *glsl_preamble(const struct gv_glsl_dialect *dialect, const char *asked,
                          struct gv_arena *arena, struct gv_error *err);

#endif
