#include "compiler/shader/glsl/glsl_defaults.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUE_BYTES (4u << 20) // of all elements of one uniform
#define MAX_DEPTH 32               // of constants in constants
#define VALUE_NAME "gv_value"      // and the number of the note

// ---- text ----

static void put_tokens(const struct glsl_unit *u, size_t first, size_t last,
                       struct gv_bytes *out)
{
    for (size_t i = first; i <= last && i < u->code.count; i++) {
        const struct glsl_token *t = &u->code.tokens[i];
        const char *text = t->replacement ? t->replacement : t->text;
        gv_bytes_put(out, text, t->replacement ? strlen(text) : t->size);
    }
}

// How many values stand in the outermost brackets of an initialiser, 0 for none.
static uint32_t count_values(const struct glsl_unit *u, size_t first, size_t last)
{
    uint32_t depth = 0, count = 0;
    for (size_t i = first; i <= last && i < u->code.count; i++) {
        const struct glsl_token *t = &u->code.tokens[i];
        if (t->kind != GLSL_PUNCTUATION || t->size != 1)
            continue;
        depth += strchr("({[", t->text[0]) != NULL;
        count += depth == 1 && t->text[0] == ',';
        count += depth == 1 && (t->text[0] == ')' || t->text[0] == '}');
        depth -= depth && strchr(")}]", t->text[0]);
    }
    return count;
}

// `[]` has the size of what it begins with.
static bool set_size(struct glsl_unit *u, const struct glsl_declaration *d)
{
    if (d->dims == GLSL_NO_TOKEN || glsl_next(&u->code, d->dims) != d->dims_end)
        return true;
    char text[16];
    const int size =
        snprintf(text, sizeof text, "%u]", count_values(u, d->value, d->value_end));
    struct glsl_token *close = &u->code.tokens[d->dims_end];
    close->replacement = gv_arena_copy(u->arena, text, (size_t)size);
    return close->replacement || gv_out_of_memory(u->err);
}

static bool take_value(struct glsl_unit *u, struct glsl_note *n)
{
    const struct glsl_declaration *d = &n->declaration;
    struct gv_bytes text = { 0 };
    put_tokens(u, d->type, d->type, &text);
    gv_bytes_printf(&text, " " VALUE_NAME "%zu", (size_t)(n - u->stage->notes));
    if (d->dims != GLSL_NO_TOKEN)
        put_tokens(u, d->dims, d->dims_end, &text);
    gv_bytes_printf(&text, " = ");
    put_tokens(u, d->value, d->value_end, &text);
    n->value_text = text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
    gv_bytes_finish(&text);
    if (!set_size(u, d))
        return false;
    glsl_unit_erase(u, glsl_previous(&u->code, d->value), d->value_end);
    return n->value_text || gv_out_of_memory(u->err);
}

bool glsl_take_values(struct glsl_unit *u)
{
    struct glsl_stage *s = u->stage;
    for (size_t i = 0; i < s->note_count; i++) {
        struct glsl_note *n = &s->notes[i];
        if (n->unit == u && (n->qualifiers & GLSL_UNIFORM) &&
            n->declaration.value != GLSL_NO_TOKEN &&
            n->declaration.type != GLSL_NO_TOKEN && !take_value(u, n))
            return false;
    }
    return true;
}

// What constant expressions may use: structures and constants of the text.
static void put_constants(const struct glsl_unit *u, struct gv_bytes *out)
{
    size_t written = GLSL_NO_TOKEN;
    for (size_t i = 0; i < u->declared.count; i++) {
        const struct glsl_declaration *d = &u->declared.items[i];
        bool constant = d->what == GLSL_DECLARES_VARIABLE &&
                        (d->qualifiers & GLSL_CONST) && d->value != GLSL_NO_TOKEN;
        if ((d->what != GLSL_DECLARES_TYPE && !constant) || d->first == written)
            continue;
        put_tokens(u, d->first, d->last, out);
        written = d->first;
    }
}

// ---- values ----

struct value {
    const struct gv_spirv_types *t;
    struct gv_bytes words;
    bool odd; // not a constant that is understood
};

static void put_constant(struct value *v, uint32_t id, int depth)
{
    const uint32_t *w = gv_spirv_type(v->t, id);
    uint32_t length = gv_spirv_length(w), op = gv_spirv_op(w);
    bool within = depth <= MAX_DEPTH && v->words.size <= MAX_VALUE_BYTES && !v->odd;
    if (within && op == SpvOpConstant) {
        for (uint32_t i = 3; i < length; i++)
            gv_bytes_put(&v->words, &w[i], sizeof w[i]);
    } else if (within && (op == SpvOpConstantTrue || op == SpvOpConstantFalse)) {
        const uint32_t word = op == SpvOpConstantTrue;
        gv_bytes_put(&v->words, &word, sizeof word);
    } else if (within && op == SpvOpConstantComposite) {
        for (uint32_t i = 3; i < length; i++)
            put_constant(v, w[i], depth + 1);
    } else {
        v->odd = true;
    }
}

// The constant that variable `id` begins with, 0 for none.
static uint32_t constant_of(const struct gv_spirv_types *t, uint32_t id)
{
    const uint32_t *w = gv_spirv_type(t, id);
    if (gv_spirv_length(w) > 4)
        return w[4];
    for (size_t at = t->functions; at < t->count; at += gv_spirv_length(&t->words[at]))
        if (gv_spirv_op(&t->words[at]) == SpvOpStore && t->words[at + 1] == id)
            return t->words[at + 2];
    return 0;
}

static bool keep_value(struct glsl_note *n, const struct gv_spirv_types *t, uint32_t id,
                       struct gv_arena *arena, struct gv_error *err)
{
    struct value v = { .t = t };
    put_constant(&v, constant_of(t, id), 0);
    bool ok = !v.words.failed && !v.odd;
    if (v.words.failed)
        gv_out_of_memory(err);
    else if (v.odd)
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                "unsupported: glsl initialiser of '%.60s'", n->name);
    n->value_words = v.words.size / sizeof *n->value;
    n->value = ok ? gv_arena_copy(arena, v.words.data, v.words.size) : NULL;
    gv_bytes_finish(&v.words);
    return ok && (n->value || gv_out_of_memory(err));
}

static bool keep_values(struct glsl_unit *u, const struct gv_shader_stage *stage)
{
    struct gv_spirv_types t;
    if (!gv_spirv_types_read(stage->words, stage->word_count, u->arena, &t, u->err))
        return false;
    for (uint32_t id = 1; id < t.bound; id++) {
        const char *name = gv_spirv_name(&t, id);
        bool variable = gv_spirv_op(gv_spirv_type(&t, id)) == SpvOpVariable;
        if (!variable || strncmp(name, VALUE_NAME, sizeof VALUE_NAME - 1) != 0)
            continue;
        size_t k = strtoul(name + sizeof VALUE_NAME - 1, NULL, 10);
        if (k < u->stage->note_count &&
            !keep_value(&u->stage->notes[k], &t, id, u->arena, u->err))
            return false;
    }
    return true;
}

// A text that holds the values alone; false: there are none.
static bool write_values(const struct glsl_unit *u, struct gv_bytes *out)
{
    bool any = false;
    gv_bytes_printf(out, "#version 460\n");
    put_constants(u, out);
    for (size_t i = 0; i < u->stage->note_count; i++) {
        const struct glsl_note *n = &u->stage->notes[i];
        if (n->unit != u || !n->value_text)
            continue;
        gv_bytes_printf(out, "\n%s;", n->value_text);
        any = true;
    }
    gv_bytes_printf(out, "\nvoid main() { }\n");
    gv_bytes_u8(out, 0);
    return any;
}

bool glsl_evaluate_values(struct glsl_unit *u)
{
    struct gv_bytes text = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    struct gv_shader_stage stage = { 0 };
    bool any = write_values(u, &text), ok = true;
    if (text.failed) {
        ok = gv_out_of_memory(u->err);
    } else if (any) {
        const struct gv_glsl_text source = { GV_STAGE_VERTEX, (const char *)text.data };
        ok = gv_glsl_compile(&source, 1, 0, u->arena, &stage, &why);
        if (!ok)
            gv_fail(u->err,
                    why.status == GV_ERR_FORMAT ? GV_ERR_UNSUPPORTED : why.status,
                    GV_NO_OFFSET, "unsupported: glsl uniform initialiser: %.90s",
                    why.message);
    }
    gv_bytes_finish(&text);
    return ok && (!any || keep_values(u, &stage));
}
