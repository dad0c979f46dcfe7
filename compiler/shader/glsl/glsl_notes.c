#include "compiler/shader/glsl/glsl_notes.h"

#include <string.h>

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
        if (name[3] && strstr(outputs[i] + 3, name + 3) == outputs[i] + 3)
            return outputs[i];
    return name + 3;
}

const char *glsl_repeated(const char *block)
{
    const size_t prefix = sizeof GLSL_AGAIN - 1;
    if (strncmp(block, GLSL_AGAIN, prefix) != 0)
        return block;
    const size_t digits = strspn(block + prefix, "0123456789");
    return digits && block[prefix + digits] == '_' ? block + prefix + digits + 1
                                                   : block;
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
