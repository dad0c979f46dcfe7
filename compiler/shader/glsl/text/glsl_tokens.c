#include "compiler/shader/glsl/text/glsl_tokens.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t space_size(const char *p)
{
    const char *start = p;
    for (;;) {
        if (is_space(*p)) {
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return (size_t)(p - start);
        }
    }
}

// Digits, letters and dots; a sign belongs to it behind an exponent's e.
static size_t number_size(const char *p)
{
    size_t n = 0;
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    while (is_digit(p[n]) || is_letter(p[n]) || p[n] == '.') {
        bool exponent = !hex && (p[n] == 'e' || p[n] == 'E');
        n++;
        if (exponent && (p[n] == '+' || p[n] == '-'))
            n++;
    }
    return n;
}

static size_t punctuation_size(const char *p)
{
    static const char *const longer[] = {
        "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "^^",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="
    };
    const bool more = p[0] && p[1] && strchr("<>=+-&|^", p[1]); // longer ones' second
    for (size_t i = 0; more && i < sizeof longer / sizeof *longer; i++)
        if (strncmp(p, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return strchr("+-*/%<>=!&|^~?:;,.()[]{}", *p) ? 1 : 0;
}

// Only the first character of a line (after blanks) makes a directive.
static size_t directive_size(const char *p)
{
    size_t n = 0;
    for (; p[n] && p[n] != '\n'; n++)
        if (p[n] == '\\' && p[n + 1] == '\n')
            n++;
    return n;
}

struct glsl_token glsl_token_at(const char *p)
{
    struct glsl_token t = { .text = p };
    if ((t.size = space_size(p)) > 0) {
        t.kind = GLSL_SPACE;
    } else if (is_letter(*p)) {
        t.kind = GLSL_IDENTIFIER;
        while (is_letter(p[t.size]) || is_digit(p[t.size]))
            t.size++;
    } else if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) {
        t.kind = GLSL_NUMBER;
        t.size = number_size(p);
    } else if (*p == '#') {
        t.kind = GLSL_DIRECTIVE;
        t.size = directive_size(p);
    } else {
        t.kind = GLSL_PUNCTUATION;
        t.size = punctuation_size(p);
    }
    return t;
}

static size_t count_tokens(const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; n++) {
        struct glsl_token t = glsl_token_at(p);
        if (t.size == 0)
            break;
        p += t.size;
    }
    return n;
}

bool glsl_tokenize(const char *text, struct gv_arena *arena, struct glsl_tokens *out,
                   struct gv_error *err)
{
    size_t count = count_tokens(text);
    *out = (struct glsl_tokens){ NULL, 0 };
    if (count > GV_MAX_GLSL_TOKENS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl of more than %u tokens",
                       GV_MAX_GLSL_TOKENS);
    out->tokens = gv_arena_array(arena, count + 1, sizeof *out->tokens);
    if (!out->tokens)
        return gv_out_of_memory(err);
    const char *p = text;
    for (; *p; out->count++) {
        struct glsl_token t = glsl_token_at(p);
        if (t.size == 0)
            return gv_fail(err, GV_ERR_FORMAT, (uint64_t)(p - text),
                           "glsl: unexpected character 0x%02x", (unsigned char)*p);
        out->tokens[out->count] = t;
        p += t.size;
    }
    out->tokens[out->count] = (struct glsl_token){ GLSL_END, p, 0, NULL };
    return true;
}

bool glsl_token_is(const struct glsl_token *t, const char *text)
{
    return t->size == strlen(text) && memcmp(t->text, text, t->size) == 0;
}

size_t glsl_next(const struct glsl_tokens *t, size_t i)
{
    while (i < t->count && t->tokens[++i].kind == GLSL_SPACE)
        ;
    return i;
}

size_t glsl_previous(const struct glsl_tokens *t, size_t i)
{
    while (i-- > 0)
        if (t->tokens[i].kind != GLSL_SPACE)
            return i;
    return SIZE_MAX;
}
