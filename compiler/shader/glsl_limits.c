#include "compiler/shader/glsl_limits.h"

#include <string.h>

static bool too_much(struct gv_error *err, const char *what, unsigned limit)
{
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl: more than %u %s", limit,
                   what);
}

// ---- macros ----

struct macro {
    const char *name;
    size_t name_size;
    uint64_t size;   // tokens after expansion, arguments counted once
    uint32_t copies; // how often one parameter occurs at most
};

struct macros {
    struct macro *rows;
    size_t count;
};

static const struct macro *find_macro(const struct macros *m, const char *name,
                                      size_t size)
{
    for (size_t i = m->count; i-- > 0;) // the last definition counts
        if (m->rows[i].name_size == size && !memcmp(m->rows[i].name, name, size))
            return &m->rows[i];
    return NULL;
}

static size_t word_size(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end &&
           ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') ||
            (p[n] >= '0' && p[n] <= '9') || p[n] == '_'))
        n++;
    return n;
}

// A body's tokens, each macro in it at its own size. Macros defined later count as one
// token; chains that only close later are bounded by the next definition's check.
static uint64_t body_size(const struct macros *m, const char *p, const char *end)
{
    uint64_t sum = 0;
    while (p < end && sum <= GLSL_MAX_EXPANSION) {
        size_t n = word_size(p, end);
        if (n == 0) {
            sum += *p != ' ';
            p++;
            continue;
        }
        const struct macro *inner = find_macro(m, p, n);
        sum += inner ? inner->size * (inner->copies > 1 ? inner->copies : 1) : 1;
        p += n;
    }
    return sum;
}

static uint32_t count_word(const char *p, const char *end, const char *word,
                           size_t size)
{
    uint32_t count = 0;
    while (p < end) {
        size_t n = word_size(p, end);
        count += n == size && !memcmp(p, word, n);
        p += n ? n : 1;
    }
    return count;
}

static uint32_t most_copies(const char *params, const char *close, const char *end)
{
    uint32_t most = 0;
    for (const char *p = params; p < close;) {
        size_t n = word_size(p, close);
        uint32_t count = n ? count_word(close, end, p, n) : 0;
        most = count > most ? count : most;
        p += n ? n : 1;
    }
    return most;
}

static bool define(struct macros *m, const char *p, const char *end,
                   struct gv_error *err)
{
    while (p < end && *p == ' ')
        p++;
    struct macro row = { .name = p, .name_size = word_size(p, end) };
    p += row.name_size;
    if (p < end && *p == '(') {
        const char *close = memchr(p, ')', (size_t)(end - p));
        if (close)
            row.copies = most_copies(p + 1, close, end);
        p = close ? close : end;
    }
    row.size = body_size(m, p, end);
    if (row.size > GLSL_MAX_EXPANSION)
        return too_much(err, "tokens in a macro", GLSL_MAX_EXPANSION);
    m->rows[m->count++] = row;
    return true;
}

static bool check_directive(const struct glsl_token *t, struct macros *m,
                            struct gv_error *err)
{
    const char *p = t->text + 1, *end = t->text + t->size;
    int depth = 0;
    if (t->size > GLSL_MAX_DIRECTIVE)
        return too_much(err, "bytes in a directive", GLSL_MAX_DIRECTIVE);
    for (const char *c = p; c < end; c++) {
        depth += *c == '(';
        if (depth > GLSL_MAX_NESTING)
            return too_much(err, "brackets in a directive", GLSL_MAX_NESTING);
    }
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (end - p > 7 && !memcmp(p, "define", 6))
        return define(m, p + 7, end, err);
    return true;
}

bool glsl_check_directives(const struct glsl_tokens *tokens, struct gv_arena *arena,
                           struct gv_error *err)
{
    struct macros m = { NULL, 0 };
    size_t directives = 0;
    for (size_t i = 0; i < tokens->count; i++)
        directives += tokens->tokens[i].kind == GLSL_DIRECTIVE;
    m.rows = gv_arena_array(arena, directives, sizeof *m.rows);
    if (!m.rows)
        return gv_out_of_memory(err);
    uint64_t total = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct glsl_token *t = &tokens->tokens[i];
        if (t->kind == GLSL_DIRECTIVE && !check_directive(t, &m, err))
            return false;
        const struct macro *used =
            t->kind == GLSL_IDENTIFIER ? find_macro(&m, t->text, t->size) : NULL;
        total += used ? used->size : 1;
        if (total > GV_MAX_GLSL_TOKENS)
            return too_much(err, "tokens after macros", GV_MAX_GLSL_TOKENS);
    }
    return true;
}

// ---- code ----

bool glsl_check_code(const struct glsl_tokens *tokens, struct gv_error *err)
{
    int depth = 0;
    unsigned marks = 0, commas = 0, branches = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct glsl_token *t = &tokens->tokens[i];
        branches += t->kind == GLSL_IDENTIFIER && glsl_token_is(t, "else");
        if (t->kind != GLSL_PUNCTUATION)
            continue;
        char c = t->text[0];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (c == ';' || c == '{' || c == '}')
            marks = commas = 0;
        else if (c == ',')
            commas++;
        else
            marks++;
        if (depth > GLSL_MAX_NESTING)
            return too_much(err, "levels of brackets", GLSL_MAX_NESTING);
        if (marks > GLSL_MAX_STATEMENT)
            return too_much(err, "operators in a statement", GLSL_MAX_STATEMENT);
        if (commas > GLSL_MAX_COMMAS)
            return too_much(err, "commas in a statement", GLSL_MAX_COMMAS);
        if (branches > GLSL_MAX_BRANCHES)
            return too_much(err, "else branches", GLSL_MAX_BRANCHES);
    }
    return true;
}
