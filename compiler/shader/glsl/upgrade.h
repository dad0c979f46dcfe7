// Any GLSL dialect (desktop 1.10 to 4.60, ES 1.00 to 3.20) -> GLSL 4.60 for Vulkan,
// token by token: no grammar, only "a statement at global scope".
//
// The steps: dialect from #version; preprocessing at that version (so that __VERSION__,
// GL_ES and #if mean what they meant); one pass over the tokens. What is not translated
// is unsupported by name.
#ifndef GV_UPGRADE_H
#define GV_UPGRADE_H

#include "compiler/shader/glsl/glsl.h"

// What a program becomes when one of its names has become a keyword or a built-in.
#define GV_UPGRADE_PREFIX "gv_"

struct gv_upgrade_options {
    bool es; // the context is OpenGL ES: text without #version is ES 1.00, not 1.10
};

struct gv_glsl_dialect {
    int version; // 110, 300, ...
    bool es;
    bool compatibility;
};

// Reads `#version`. GV_ERR_FORMAT (a number that no version has).
bool gv_glsl_dialect(const char *text, const struct gv_upgrade_options *options,
                     struct gv_glsl_dialect *out, struct gv_error *err);

// Rewrites one stage; `text` may be any size, `out` lives in `arena`.
// GV_ERR_FORMAT, GV_ERR_UNSUPPORTED ("unsupported: gl_Vertex"), GV_ERR_LIMIT.
bool gv_glsl_upgrade(const struct gv_glsl_text *text,
                     const struct gv_upgrade_options *options, struct gv_arena *arena,
                     const char **out, struct gv_error *err);

#endif
