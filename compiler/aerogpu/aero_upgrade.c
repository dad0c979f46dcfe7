// GLSL ES 3.00 of appendix A for the shader compiler.
#include "compiler/aerogpu/aero.h"

#include <string.h>

bool gv_aero_upgrade(struct gv_aero *a, const char *text, uint64_t offset,
                     uint32_t stage, const char **out, struct gv_error *err)
{
    (void)stage;
    static const char es[] = "#version 300 es", desktop[] = "#version 460   ";
    char *copy = gv_arena_copy(a->arena, text, strlen(text));
    if (!copy)
        return gv_aero_out_of_memory(err);
    if (strncmp(copy, es, sizeof es - 1) != 0)
        return gv_fail(err, GV_ERR_UNSUPPORTED, offset,
                       "unsupported: a minimal shader that is not GLSL ES 3.00");
    memcpy(copy, desktop, sizeof desktop - 1);
    *out = copy;
    return true;
}
