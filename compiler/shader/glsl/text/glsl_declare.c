#include "compiler/shader/glsl/text/glsl_declare.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const struct glsl_tokens *code;
    size_t at, end;
    struct gv_arena *arena;
    struct glsl_declarations *out;
    struct gv_error *err;
};

static const struct {
    const char *word;
    unsigned qualifier;
} qualifier_words[] = {
    { "uniform", GLSL_UNIFORM },
    { "in", GLSL_IN },
    { "out", GLSL_OUT },
    { "inout", GLSL_IN | GLSL_OUT },
    { "attribute", GLSL_ATTRIBUTE | GLSL_IN },
    { "varying", GLSL_VARYING },
    { "buffer", GLSL_BUFFER },
    { "const", GLSL_CONST },
    { "flat", GLSL_FLAT },
    { "patch", GLSL_PATCH },
    { "invariant", GLSL_INVARIANT },
    { "shared", GLSL_SHARED },
    { "smooth", GLSL_OTHER },
    { "noperspective", GLSL_OTHER },
    { "centroid", GLSL_OTHER },
    { "sample", GLSL_OTHER },
    { "precise", GLSL_OTHER },
    { "coherent", GLSL_OTHER },
    { "volatile", GLSL_OTHER },
    { "restrict", GLSL_OTHER },
    { "readonly", GLSL_OTHER },
    { "writeonly", GLSL_OTHER },
    { "lowp", GLSL_OTHER },
    { "mediump", GLSL_OTHER },
    { "highp", GLSL_OTHER },
};

static const struct glsl_token *token(const struct reader *r, size_t i)
{
    return &r->code->tokens[i < r->end ? i : r->code->count];
}

static bool is(const struct reader *r, size_t i, const char *text)
{
    return i < r->end && glsl_token_is(token(r, i), text);
}

static size_t next(const struct reader *r, size_t i)
{
    if (i >= r->end)
        return r->end;
    i = glsl_next(r->code, i);
    return i < r->end ? i : r->end;
}

static bool is_name(const struct reader *r, size_t i)
{
    return i < r->end && token(r, i)->kind == GLSL_IDENTIFIER;
}

size_t glsl_closing(const struct glsl_tokens *code, size_t open, size_t end)
{
    int depth = 0;
    for (size_t i = open; i < end; i++) {
        const struct glsl_token *t = &code->tokens[i];
        if (t->kind != GLSL_PUNCTUATION)
            continue;
        char c = t->text[0];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (depth <= 0)
            return i;
    }
    return end;
}

static unsigned qualifier_of(const struct glsl_token *t)
{
    for (size_t i = 0; i < sizeof qualifier_words / sizeof *qualifier_words; i++)
        if (glsl_token_is(t, qualifier_words[i].word))
            return qualifier_words[i].qualifier;
    return 0;
}

static bool add(struct reader *r, const struct glsl_declaration *d)
{
    struct glsl_declarations *out = r->out;
    if (out->count == out->capacity) {
        size_t more = out->capacity ? 2 * out->capacity : 64;
        if (more > GLSL_MAX_DECLARATIONS)
            return gv_fail(r->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                           "glsl: more than %u declarations", GLSL_MAX_DECLARATIONS);
        struct glsl_declaration *items = gv_arena_array(r->arena, more, sizeof *items);
        if (!items)
            return gv_out_of_memory(r->err);
        if (out->count)
            memcpy(items, out->items, out->count * sizeof *items);
        out->items = items;
        out->capacity = more;
    }
    out->items[out->count++] = *d;
    return true;
}

// Qualifiers in front; a word that a name follows as well (`sample` was one once).
static void read_qualifiers(struct reader *r, struct glsl_declaration *d)
{
    while (is_name(r, r->at)) {
        const struct glsl_token *t = token(r, r->at);
        if (glsl_token_is(t, "layout") && is(r, next(r, r->at), "(")) {
            d->layout = r->at;
            r->at = next(r, glsl_closing(r->code, next(r, r->at), r->end));
            continue;
        }
        unsigned qualifier = qualifier_of(t);
        size_t behind = next(r, r->at);
        if (!qualifier || !(is_name(r, behind) || is(r, behind, ";")))
            return;
        if (qualifier & (GLSL_IN | GLSL_OUT | GLSL_VARYING))
            d->storage = r->at;
        d->qualifiers |= qualifier;
        r->at = behind;
    }
}

static void read_dims(struct reader *r, struct glsl_declaration *d)
{
    while (is(r, r->at, "[")) {
        if (d->dims == GLSL_NO_TOKEN)
            d->dims = r->at;
        d->dims_end = glsl_closing(r->code, r->at, r->end);
        r->at = next(r, d->dims_end);
    }
}

static void read_value(struct reader *r, struct glsl_declaration *d)
{
    if (!is(r, r->at, "="))
        return;
    d->value = r->at = next(r, r->at);
    while (r->at < r->end && !is(r, r->at, ",") && !is(r, r->at, ";")) {
        bool opens = is(r, r->at, "(") || is(r, r->at, "[") || is(r, r->at, "{");
        d->value_end = opens ? glsl_closing(r->code, r->at, r->end) : r->at;
        r->at = next(r, d->value_end);
    }
}

// To the end of a statement that is none of ours.
static void skip_statement(struct reader *r, struct glsl_declaration *d)
{
    while (r->at < r->end && !is(r, r->at, ";")) {
        bool body = is(r, r->at, "{");
        bool opens = body || is(r, r->at, "(") || is(r, r->at, "[");
        size_t close = opens ? glsl_closing(r->code, r->at, r->end) : r->at;
        if (body) {
            d->open = r->at;
            d->close = close;
            r->at = close;
            return;
        }
        r->at = next(r, close);
    }
}

static void read_body(struct reader *r, struct glsl_declaration *d)
{
    d->open = r->at;
    d->close = glsl_closing(r->code, r->at, r->end);
    r->at = next(r, d->close);
}

// One declaration for each name; `base` is what they share.
static bool read_names(struct reader *r, const struct glsl_declaration *base)
{
    size_t from = r->out->count;
    while (r->at < r->end) {
        struct glsl_declaration d = *base;
        read_dims(r, &d); // `vec4[2] a`
        if (is_name(r, r->at)) {
            d.name = r->at;
            r->at = next(r, r->at);
        }
        read_dims(r, &d);
        read_value(r, &d);
        if (!add(r, &d))
            return false;
        if (!is(r, r->at, ","))
            break;
        r->at = next(r, r->at);
    }
    struct glsl_declaration rest = *base;
    skip_statement(r, &rest);
    for (size_t i = from; i < r->out->count; i++)
        r->out->items[i].last = r->at;
    return true;
}

static bool read_other(struct reader *r, struct glsl_declaration *d,
                       enum glsl_declared what)
{
    d->what = what;
    skip_statement(r, d);
    d->last = r->at;
    return add(r, d);
}

static bool read_declaration(struct reader *r)
{
    struct glsl_declaration d = { GLSL_DECLARES_VARIABLE,
                                  0,
                                  r->at,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN,
                                  GLSL_NO_TOKEN };
    if (is(r, r->at, "precision"))
        return read_other(r, &d, GLSL_DECLARES_NOTHING);
    read_qualifiers(r, &d);
    if (is(r, r->at, "struct")) {
        r->at = next(r, r->at);
        if (is_name(r, r->at)) {
            d.type = r->at;
            r->at = next(r, r->at);
        }
        if (!is(r, r->at, "{"))
            return read_other(r, &d, GLSL_DECLARES_NOTHING);
        read_body(r, &d);
        if (is(r, r->at, ";"))
            return read_other(r, &d, GLSL_DECLARES_TYPE);
        return read_names(r, &d);
    }
    if (!is_name(r, r->at))
        return read_other(r, &d, GLSL_DECLARES_NOTHING);
    d.type = r->at;
    r->at = next(r, r->at);
    if (d.qualifiers && is(r, r->at, "{")) {
        d.what = GLSL_DECLARES_BLOCK;
        read_body(r, &d);
        return read_names(r, &d);
    }
    if (is_name(r, r->at) && is(r, next(r, r->at), "(")) {
        d.name = r->at;
        return read_other(r, &d, GLSL_DECLARES_FUNCTION);
    }
    if (!is_name(r, r->at) && !is(r, r->at, "["))
        return read_other(r, &d, GLSL_DECLARES_NOTHING);
    return read_names(r, &d);
}

bool glsl_declare(const struct glsl_tokens *code, size_t first, size_t end,
                  struct gv_arena *arena, struct glsl_declarations *out,
                  struct gv_error *err)
{
    *out = (struct glsl_declarations){ 0 };
    struct reader r = { code, first, end, arena, out, err };
    while (r.at < end) {
        enum glsl_token_kind kind = code->tokens[r.at].kind;
        if (kind == GLSL_SPACE || kind == GLSL_DIRECTIVE || is(&r, r.at, ";")) {
            r.at++;
            continue;
        }
        if (!read_declaration(&r))
            return false;
        r.at++; // behind its ; or }
    }
    return true;
}

// ---- layouts ----

// The token behind `word` in the layout, GLSL_NO_TOKEN if it is not there.
static size_t layout_word(const struct glsl_tokens *code,
                          const struct glsl_declaration *d, const char *word)
{
    if (d->layout == GLSL_NO_TOKEN)
        return GLSL_NO_TOKEN;
    size_t open = glsl_next(code, d->layout);
    size_t close = glsl_closing(code, open, code->count);
    for (size_t i = open; i < close; i = glsl_next(code, i))
        if (glsl_token_is(&code->tokens[i], word))
            return glsl_next(code, i);
    return GLSL_NO_TOKEN;
}

int glsl_layout_number(const struct glsl_tokens *code, const struct glsl_declaration *d,
                       const char *word)
{
    size_t at = layout_word(code, d, word);
    if (at == GLSL_NO_TOKEN || !glsl_token_is(&code->tokens[at], "="))
        return -1;
    const struct glsl_token *t = &code->tokens[glsl_next(code, at)];
    if (t->kind != GLSL_NUMBER)
        return -1;
    long value = strtol(t->text, NULL, 0);
    return value >= 0 && value < INT32_MAX ? (int)value : -1;
}

bool glsl_layout_has(const struct glsl_tokens *code, const struct glsl_declaration *d,
                     const char *word)
{
    return layout_word(code, d, word) != GLSL_NO_TOKEN;
}
