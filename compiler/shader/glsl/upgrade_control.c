#include "compiler/shader/glsl/upgrade_control.h"

#include "resources/base/bytes.h"

#include <string.h>

// What is written: declarations, then assignments.
struct control {
    struct glsl_stage *stage;
    struct gv_arena *arena;
    struct gv_bytes head, body;
};

static void put_token(const struct glsl_unit *u, size_t i, struct gv_bytes *out)
{
    const struct glsl_token *t = &u->code.tokens[i];
    gv_bytes_put(out, t->replacement ? t->replacement : t->text,
                 t->replacement ? strlen(t->replacement) : t->size);
}

static void put_tokens(const struct glsl_unit *u, size_t first, size_t last,
                       struct gv_bytes *out)
{
    for (size_t i = first; i <= last && i < u->code.count; i++)
        put_token(u, i, out);
}

// The dimensions of an element: those behind that of the patch.
static void put_dims(const struct glsl_unit *u, const struct glsl_declaration *d,
                     struct gv_bytes *out)
{
    unsigned depth = 0;
    size_t i = d->dims;
    while (i != GLSL_NO_TOKEN && i <= d->dims_end) {
        const struct glsl_token *t = &u->code.tokens[i++];
        depth += glsl_token_is(t, "[");
        if (glsl_token_is(t, "]") && --depth == 0)
            break;
    }
    if (i != GLSL_NO_TOKEN && i <= d->dims_end)
        put_tokens(u, i, d->dims_end, out);
}

// As the text says it, of both sides of the stage.
static bool note_location(struct control *c, const struct glsl_note *n)
{
    struct gv_bytes name = { 0 };
    gv_bytes_printf(&name, "Passed_%s", n->name);
    gv_bytes_u8(&name, 0);
    const char *passed =
        name.failed ? NULL : gv_arena_copy(c->arena, name.data, name.size);
    gv_bytes_finish(&name);
    if (!passed)
        return false;
    struct glsl_note *to = &c->stage->notes[c->stage->note_count];
    to[0] = *n;
    to[1] = *n;
    to[1].name = passed;
    c->stage->note_count += 2;
    return true;
}

static void pass_variable(struct control *c, const struct glsl_note *n)
{
    const struct glsl_unit *u = n->unit;
    const struct glsl_declaration *d = &n->declaration;
    for (int side = 0; side < 2; side++) {
        gv_bytes_printf(&c->head, side ? "out " : "in ");
        put_token(u, d->type, &c->head);
        gv_bytes_printf(&c->head, side ? " " : " " GLSL_PASSED);
        put_token(u, d->name, &c->head);
        gv_bytes_printf(&c->head, "[]");
        put_dims(u, d, &c->head);
        gv_bytes_printf(&c->head, ";\n");
        gv_bytes_printf(&c->body, side ? " = " GLSL_PASSED : "  ");
        put_token(u, d->name, &c->body);
        gv_bytes_printf(&c->body, "[gl_InvocationID]");
    }
    gv_bytes_printf(&c->body, ";\n");
}

static bool pass_block(struct control *c, const struct glsl_note *n)
{
    const struct glsl_unit *u = n->unit;
    const struct glsl_declaration *d = &n->declaration;
    struct gv_error unused = GV_ERROR_INIT;
    struct glsl_declarations members;
    static const char *const instances[] = { "gv_In_", "gv_Out_" };
    for (int side = 0; side < 2; side++) {
        gv_bytes_printf(&c->head, side ? "out " : "in ");
        put_tokens(u, d->type, d->close, &c->head);
        gv_bytes_printf(&c->head, " %s%s[];\n", instances[side], n->name);
    }
    if (!glsl_declare(&u->code, d->open + 1, d->close, c->arena, &members, &unused))
        return false;
    for (size_t i = 0; i < members.count; i++) {
        if (members.items[i].name == GLSL_NO_TOKEN)
            continue;
        for (int side = 1; side >= 0; side--) {
            gv_bytes_printf(&c->body, "%s%s%s[gl_InvocationID].", side ? "  " : " = ",
                            instances[side], n->name);
            put_token(u, members.items[i].name, &c->body);
        }
        gv_bytes_printf(&c->body, ";\n");
    }
    return true;
}

// Basic types alone: structures are declared elsewhere.
static bool is_basic(const struct glsl_unit *u, const struct glsl_declaration *d)
{
    const struct glsl_token *type = &u->code.tokens[d->type];
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *s = &u->declared.items[i];
        if (s->what != GLSL_DECLARES_BLOCK && s->open != GLSL_NO_TOKEN &&
            s->what != GLSL_DECLARES_FUNCTION && s->type != GLSL_NO_TOKEN &&
            u->code.tokens[s->type].size == type->size &&
            !memcmp(u->code.tokens[s->type].text, type->text, type->size))
            return false;
    }
    return true;
}

static bool pass(struct control *c, const struct glsl_stage *evaluation,
                 struct gv_error *err)
{
    for (size_t i = 0; i < evaluation->note_count; i++) {
        const struct glsl_note *n = &evaluation->notes[i];
        if (!(n->qualifiers & GLSL_IN) || n->qualifiers & GLSL_PATCH ||
            !strcmp(n->name, "gl_PerVertex"))
            continue;
        const bool block = n->declaration.what == GLSL_DECLARES_BLOCK;
        if (!block && !is_basic(n->unit, &n->declaration))
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: glsl structures between vertices and "
                           "evaluation");
        if (!note_location(c, n) || (block && !pass_block(c, n)))
            return gv_out_of_memory(err);
        if (!block)
            pass_variable(c, n);
    }
    return true;
}

static void write_rest(struct control *c, uint32_t vertices)
{
    struct gv_bytes *out = &c->head;
    gv_bytes_printf(out,
                    "layout(vertices = %u) out;\nuniform vec4 gv_StateOuterLevel;\n"
                    "uniform vec2 gv_StateInnerLevel;\nvoid main()\n{\n",
                    vertices);
    gv_bytes_put(out, c->body.data, c->body.size);
    gv_bytes_printf(out, "  gl_out[gl_InvocationID].gl_Position = "
                         "gl_in[gl_InvocationID].gl_Position;\n");
    for (unsigned i = 0; i < 4; i++)
        gv_bytes_printf(out, "  gl_TessLevelOuter[%u] = gv_StateOuterLevel[%u];\n", i,
                        i);
    for (unsigned i = 0; i < 2; i++)
        gv_bytes_printf(out, "  gl_TessLevelInner[%u] = gv_StateInnerLevel[%u];\n", i,
                        i);
    gv_bytes_printf(out, "}\n");
    gv_bytes_u8(out, 0);
}

static bool make(struct glsl_upgraded *p, const struct glsl_stage *evaluation,
                 struct gv_arena *arena, struct gv_error *err)
{
    struct control c = { .stage = &p->stages[p->count], .arena = arena };
    *c.stage = (struct glsl_stage){ .stage = GV_STAGE_TESSELLATION_CONTROL,
                                    .options = evaluation->options };
    c.stage->notes =
        gv_arena_array(arena, 2 * evaluation->note_count + 1, sizeof *c.stage->notes);
    if (!c.stage->notes)
        return gv_out_of_memory(err);
    gv_bytes_printf(&c.head, "#version 460\n");
    const bool ok = pass(&c, evaluation, err);
    write_rest(&c, evaluation->options->patch_vertices);
    const bool written = !c.head.failed && !c.body.failed;
    c.stage->whole_text =
        ok && written ? gv_arena_copy(arena, c.head.data, c.head.size) : NULL;
    gv_bytes_finish(&c.head);
    gv_bytes_finish(&c.body);
    p->count++;
    return ok && (c.stage->whole_text || gv_out_of_memory(err));
}

bool glsl_add_control(struct glsl_upgraded *p, struct gv_arena *arena,
                      struct gv_error *err)
{
    const struct glsl_stage *evaluation = NULL;
    bool vertex = false;
    for (size_t i = 0; i < p->count; i++) {
        if (p->stages[i].stage == GV_STAGE_TESSELLATION_CONTROL)
            return true;
        vertex = vertex || p->stages[i].stage == GV_STAGE_VERTEX;
        if (p->stages[i].stage == GV_STAGE_TESSELLATION_EVALUATION)
            evaluation = &p->stages[i];
    }
    if (!evaluation || !vertex || !evaluation->options->patch_vertices ||
        p->count == GV_MAX_GLSL_STAGES)
        return true;
    return make(p, evaluation, arena, err);
}
