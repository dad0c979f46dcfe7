// Any GLSL dialect (desktop 1.10 to 4.60, core and compatibility, ES 1.00 to 3.20) ->
// GLSL 4.60 for Vulkan, token by token: no grammar but declarations at global scope.
//
// The steps: dialect from #version; preprocessing at that version (so that __VERSION__,
// GL_ES and #if mean what they meant) with the macros of the recorded OpenGL's
// extensions; declarations, then names; declarations of what the text uses and GLSL
// 4.60 lacks in front. What is not translated is unsupported by name.
#ifndef GV_UPGRADE_H
#define GV_UPGRADE_H

#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/glsl/upgrade_options.h" // IWYU pragma: export

// Rewrites one stage alone; `text` may be any size, `out` lives in `arena`.
// GV_ERR_FORMAT, GV_ERR_UNSUPPORTED ("unsupported: glsl subroutine"), GV_ERR_LIMIT.
bool gv_glsl_upgrade(const struct gv_glsl_text *text,
                     const struct gv_upgrade_options *options, struct gv_arena *arena,
                     const char **out, struct gv_error *err);

#endif
