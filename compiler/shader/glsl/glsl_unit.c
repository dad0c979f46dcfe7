#include "compiler/shader/glsl/glsl_unit.h"

#include "compiler/shader/glsl/upgrade_program.h"

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

// ---- names from outside ----

// The row of `gv_X`.
static const struct glsl_variable_row *find_row(const char *name)
{
    for (size_t i = 0; i < GLSL_VARIABLE_COUNT; i++)
        if (!strcmp(glsl_variables[i].name + 3, name + 3))
            return &glsl_variables[i];
    return NULL;
}

const char *glsl_own_name(const char *name)
{
    static const char *const outputs[] = { "gl_FragColor", "gl_FragData",
                                           "gl_SecondaryFragColorEXT",
                                           "gl_SecondaryFragDataEXT" };
    if (strncmp(name, GV_UPGRADE_PREFIX, 3) != 0)
        return name;
    const struct glsl_variable_row *row = find_row(name);
    if (row)
        return row->name;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (!strncmp(outputs[i] + 3, name + 3, strlen(name + 3)) && name[3])
            return outputs[i];
    return name + 3;
}

bool glsl_is_state(const char *name)
{
    const struct glsl_variable_row *row =
        strncmp(name, GV_UPGRADE_PREFIX, 3) ? NULL : find_row(name);
    return row && row->kind == GLSL_KIND_STATE;
}

const struct glsl_note *glsl_find_note(const struct glsl_stage *s, const char *name)
{
    for (size_t i = 0; i < s->note_count; i++)
        if (!strcmp(s->notes[i].name, name))
            return &s->notes[i];
    return NULL;
}

const struct glsl_note *glsl_find_any_note(const struct glsl_upgraded *p,
                                           const char *name)
{
    const struct glsl_note *note = NULL;
    for (size_t i = 0; i < p->count; i++) {
        const struct glsl_note *n = glsl_find_note(&p->stages[i], name);
        if (n && (!note || (n->value && !note->value)))
            note = n;
    }
    return note;
}
