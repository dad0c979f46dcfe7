#include "compiler/shader/glsl/upgrade_unwritten.h"

#include "resources/base/bytes.h"

#include <string.h>

// In front of the name that the input itself has then, which nobody reads.
#define UNREAD GV_UPGRADE_PREFIX "unread_"

static const struct glsl_stage *stage_before(const struct glsl_upgraded *p,
                                             const struct glsl_stage *s)
{
    static const uint32_t order[] = { GV_STAGE_VERTEX, GV_STAGE_TESSELLATION_CONTROL,
                                      GV_STAGE_TESSELLATION_EVALUATION,
                                      GV_STAGE_GEOMETRY, GV_STAGE_FRAGMENT };
    const struct glsl_stage *before = NULL;
    for (size_t k = 0; k < sizeof order / sizeof *order && order[k] != s->stage; k++)
        for (size_t i = 0; i < p->count; i++)
            if (p->stages[i].stage == order[k])
                before = &p->stages[i];
    return s->stage == GV_STAGE_COMPUTE ? NULL : before;
}

static bool leaves_open(const struct glsl_upgraded *p)
{
    bool late = false;
    for (size_t i = 0; i < p->unit_count; i++) {
        if (p->units[i].dialect.es)
            return false;
        late |= p->units[i].dialect.version >= 130;
    }
    return late;
}

// Whether the stage before says something that the input may mean.
static bool is_met(const struct glsl_stage *before, const struct glsl_note *in)
{
    for (size_t i = 0; i < before->note_count; i++) {
        const struct glsl_note *out = &before->notes[i];
        if (!(out->qualifiers & (GLSL_OUT | GLSL_VARYING)))
            continue;
        const bool places = in->location >= 0 && out->location >= 0;
        if (places ? in->location == out->location : !strcmp(in->name, out->name))
            return true;
        for (size_t k = 0; k < out->placed_count && in->location >= 0; k++)
            if (out->placed[k] == in->location)
                return true;
    }
    return false;
}

static void put(const struct glsl_unit *u, size_t i, struct gv_bytes *out)
{
    const struct glsl_token *t = &u->code.tokens[i];
    if (t->replacement)
        gv_bytes_put(out, t->replacement, strlen(t->replacement));
    else
        gv_bytes_put(out, t->text, t->size);
}

static bool zero(struct glsl_note *n, struct gv_arena *arena, struct gv_error *err)
{
    const struct glsl_declaration *d = &n->declaration;
    struct glsl_token *end = glsl_unit_token(n->unit, d->last);
    struct glsl_token *name = glsl_unit_token(n->unit, d->name);
    const struct glsl_tokens *code = &n->unit->code;
    struct gv_bytes text = { 0 };
    gv_bytes_printf(&text, "%s ", end->replacement ? end->replacement : ";");
    put(n->unit, d->type, &text);
    gv_bytes_printf(&text, " ");
    put(n->unit, d->name, &text);
    for (size_t i = d->dims; i != GLSL_NO_TOKEN && i <= d->dims_end; i++) {
        if (i != d->name)
            put(n->unit, i, &text);
        if (glsl_token_is(&code->tokens[i], "[") &&
            glsl_token_is(&code->tokens[glsl_next(code, i)], "]"))
            gv_bytes_printf(&text, "gl_MaxPatchVertices"); // as many as there can be
    }
    gv_bytes_printf(&text, " = {};");
    name->replacement = glsl_unit_prefixed(n->unit, UNREAD, name);
    end->replacement = text.failed ? NULL : gv_arena_copy(arena, text.data, text.size);
    gv_bytes_finish(&text);
    n->unit->stage->zeros = true;
    return (name->replacement && end->replacement) || gv_out_of_memory(err);
}

bool glsl_zero_unwritten(struct glsl_upgraded *program, struct gv_arena *arena,
                         struct gv_error *err)
{
    for (size_t i = 0; i < program->count && leaves_open(program); i++) {
        struct glsl_stage *s = &program->stages[i];
        const struct glsl_stage *before = stage_before(program, s);
        for (size_t k = 0; before && k < s->note_count; k++) {
            struct glsl_note *n = &s->notes[k];
            const bool varying =
                s->stage == GV_STAGE_FRAGMENT && (n->qualifiers & GLSL_VARYING);
            if ((varying || (n->qualifiers & GLSL_IN)) &&
                n->declaration.what == GLSL_DECLARES_VARIABLE &&
                n->declaration.type != GLSL_NO_TOKEN &&
                strncmp(n->name, "gl_", 3) != 0 && !(n->qualifiers & GLSL_OUT) &&
                !is_met(before, n) && !zero(n, arena, err))
                return false;
        }
    }
    return true;
}
