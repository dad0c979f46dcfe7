#include "compiler/shader/glsl/glsl_unit.h"

#include <stdio.h>
#include <string.h>

const struct glsl_variable_row glsl_variables[GLSL_VARIABLE_COUNT] = {
#define GLSL_VARIABLE(id, kind, name, type, array) \
    { name, type, array, GLSL_KIND_##kind },
#include "compiler/shader/glsl/glsl_variables.def"
#undef GLSL_VARIABLE
};

struct glsl_token *glsl_unit_token(struct glsl_unit *u, size_t i)
{
    return &u->code.tokens[i];
}

void glsl_unit_erase(struct glsl_unit *u, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < u->code.count; i++) {
        struct glsl_token *t = &u->code.tokens[i];
        if (t->kind != GLSL_SPACE || !memchr(t->text, '\n', t->size))
            t->replacement = "";
    }
}

bool glsl_unit_unsupported(struct glsl_unit *u, const char *name)
{
    return gv_fail(u->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: glsl %s",
                   name);
}

const char *glsl_unit_prefixed(struct glsl_unit *u, const char *prefix,
                               const struct glsl_token *t)
{
    size_t n = strlen(prefix);
    char *text = gv_arena_alloc(u->arena, n + t->size + 1);
    if (!text) {
        gv_out_of_memory(u->err);
        return NULL;
    }
    snprintf(text, n + t->size + 1, "%s%.*s", prefix, (int)t->size, t->text);
    return text;
}

const char *glsl_unit_text(struct glsl_unit *u, size_t i)
{
    return i == GLSL_NO_TOKEN ? "" : glsl_unit_prefixed(u, "", &u->code.tokens[i]);
}
