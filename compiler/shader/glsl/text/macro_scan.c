#include "compiler/shader/glsl/text/macro_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool macro_refuse(const struct macro_source *s, enum gv_status status,
                  const struct macro_token *t, const char *what)
{
    unsigned line = 1;
    for (uint32_t i = 0; i < t->at; i++)
        line += s->text[i] == '\n';
    return gv_fail(s->err, status, t->at, "glsl: line %u: %s", line, what);
}

bool macro_room(const struct macro_source *s, void **items, size_t count,
                size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? *capacity * 2 : 64;
    void *moved = realloc(*items, more * size);
    if (!moved)
        return gv_out_of_memory(s->err);
    *items = moved;
    *capacity = more;
    return true;
}

static bool word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool newline(const char *s)
{
    return *s == '\n' || *s == '\r';
}

// What separates tokens at `s`: white space, a comment, a newline behind a backslash.
static size_t space(const char *s)
{
    if (*s == ' ' || *s == '\t' || *s == '\v' || *s == '\f')
        return 1;
    if (*s == '\\' && newline(s + 1))
        return s[1] == '\r' && s[2] == '\n' ? 3 : 2;
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\r\n"); // more than where a backslash goes on: never less
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? (size_t)(end - s) + 2 : strlen(s);
    }
    return 0;
}

static struct macro_token token_at(const char *s, bool line_begins)
{
    struct macro_token t = { .size = 1, .kind = MACRO_OTHER };
    if (*s == '\0')
        t.kind = MACRO_END;
    else if (newline(s))
        t.kind = MACRO_NEWLINE;
    else if (*s == '(')
        t.kind = MACRO_OPEN;
    else if (*s == ')')
        t.kind = MACRO_CLOSE;
    else if (*s == '#' && line_begins)
        t.kind = MACRO_HASH;
    if (t.kind != MACRO_OTHER || !word_byte(*s) || isdigit((unsigned char)*s))
        return t; // digits one by one: what follows them may be a name
    t.kind = MACRO_WORD;
    while (word_byte(s[t.size]))
        t.size++;
    return t;
}

static bool cut_tokens(struct macro_source *s)
{
    bool line_begins = true, spaced = false;
    for (const char *at = s->text;;) {
        size_t gap = space(at);
        if (gap) {
            spaced |= *at != '\\';
            at += gap;
            continue;
        }
        void *tokens = s->tokens;
        if (!macro_room(s, &tokens, s->count, &s->capacity, sizeof *s->tokens))
            return false;
        s->tokens = tokens;
        struct macro_token t = token_at(at, line_begins);
        t.at = (uint32_t)(at - s->text);
        t.spaced = spaced;
        s->tokens[s->count++] = t;
        if (t.kind == MACRO_END)
            return true;
        if (*at == '"')
            return macro_refuse(s, GV_ERR_UNSUPPORTED, &t,
                                "unsupported: strings and macros");
        if (s->count > GV_MAX_MACRO_TOKENS)
            return macro_refuse(s, GV_ERR_LIMIT, &t, "too many tokens beside macros");
        at += t.size;
        line_begins = t.kind == MACRO_NEWLINE;
        spaced = false;
    }
}

bool macro_same_word(const struct macro_source *s, const struct macro_token *a,
                     const struct macro_token *b)
{
    return a->size == b->size && memcmp(s->text + a->at, s->text + b->at, a->size) == 0;
}

bool macro_is_hash(const struct macro_source *s, const struct macro_token *t)
{
    return t->kind == MACRO_HASH || (t->kind == MACRO_OTHER && s->text[t->at] == '#');
}

bool macro_is_word(const struct macro_source *s, const struct macro_token *t,
                   const char *word)
{
    return t->kind == MACRO_WORD && t->size == strlen(word) &&
           memcmp(s->text + t->at, word, t->size) == 0;
}

uint32_t macro_line_end(const struct macro_source *s, uint32_t i)
{
    while (s->tokens[i].kind != MACRO_NEWLINE && s->tokens[i].kind != MACRO_END)
        i++;
    return i;
}

// Tokens and comments that go on behind a backslash would not be seen as such.
static bool check_joints(const struct macro_source *s)
{
    const char *at = strchr(s->text, '\\');
    for (; at; at = strchr(at + 1, '\\')) {
        if (!newline(at + 1) || at == s->text)
            continue;
        const char *next = at + (at[1] == '\r' && at[2] == '\n' ? 3 : 2);
        const struct macro_token t = { .at = (uint32_t)(at - s->text) };
        if (*next == '\\' || (word_byte(at[-1]) && word_byte(*next)) ||
            (*next && strchr("*/#", at[-1]) && strchr("*/#", *next)))
            return macro_refuse(s, GV_ERR_UNSUPPORTED, &t,
                                "unsupported: a token in two lines, and macros");
    }
    return true;
}

bool macro_scan(struct macro_source *s)
{
    return check_joints(s) && cut_tokens(s);
}
