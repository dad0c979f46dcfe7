// Tokens of WGSL: names, numbers, punctuation; comments are left out.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"
#include "resources/hash.h"

// Longest first where one begins another.
static const char *const punctuation[] = {
    [WGSL_LEFT_SHIFT_ASSIGN] = "<<=",
    [WGSL_ARROW] = "->",
    [WGSL_INCREMENT] = "++",
    [WGSL_DECREMENT] = "--",
    [WGSL_ADD_ASSIGN] = "+=",
    [WGSL_SUBTRACT_ASSIGN] = "-=",
    [WGSL_MULTIPLY_ASSIGN] = "*=",
    [WGSL_DIVIDE_ASSIGN] = "/=",
    [WGSL_REMAINDER_ASSIGN] = "%=",
    [WGSL_AND_ASSIGN] = "&=",
    [WGSL_OR_ASSIGN] = "|=",
    [WGSL_XOR_ASSIGN] = "^=",
    [WGSL_LEFT_SHIFT] = "<<",
    [WGSL_LESS_EQUAL] = "<=",
    [WGSL_EQUAL] = "==",
    [WGSL_NOT_EQUAL] = "!=",
    [WGSL_LOGICAL_AND] = "&&",
    [WGSL_LOGICAL_OR] = "||",
    [WGSL_ADD] = "+",
    [WGSL_SUBTRACT] = "-",
    [WGSL_MULTIPLY] = "*",
    [WGSL_DIVIDE] = "/",
    [WGSL_REMAINDER] = "%",
    [WGSL_AND] = "&",
    [WGSL_OR] = "|",
    [WGSL_XOR] = "^",
    [WGSL_LESS] = "<",
    [WGSL_GREATER] = ">",
    [WGSL_NOT] = "!",
    [WGSL_COMPLEMENT] = "~",
    [WGSL_ASSIGN] = "=",
    [WGSL_OPEN] = "(",
    [WGSL_CLOSE] = ")",
    [WGSL_OPEN_INDEX] = "[",
    [WGSL_CLOSE_INDEX] = "]",
    [WGSL_OPEN_BLOCK] = "{",
    [WGSL_CLOSE_BLOCK] = "}",
    [WGSL_COMMA] = ",",
    [WGSL_SEMICOLON] = ";",
    [WGSL_COLON] = ":",
    [WGSL_DOT] = ".",
    [WGSL_AT] = "@",
    [WGSL_RIGHT_SHIFT] = ">>",
    [WGSL_GREATER_EQUAL] = ">=",
    [WGSL_RIGHT_SHIFT_ASSIGN] = ">>=",
    [WGSL_NEGATE] = "-",
    [WGSL_ADDRESS_OF] = "&",
    [WGSL_INDIRECTION] = "*",
};

const char *wgsl_op_text(enum wgsl_op op)
{
    static const char *const names[] = { "the end", "a name", "a number" };
    return op <= WGSL_NUMBER ? names[op] : punctuation[op];
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Block comments nest.
static bool skip_comment(struct wgsl *w)
{
    uint32_t start = w->pos, depth = 0;
    do {
        const char *p = w->text + w->pos;
        if (w->pos >= w->size)
            return wgsl_fail(w, start, "comment without an end");
        bool opens = p[0] == '/' && p[1] == '*', closes = p[0] == '*' && p[1] == '/';
        depth += opens;
        depth -= closes;
        w->pos += opens || closes ? 2 : 1;
    } while (depth);
    return true;
}

static bool skip_space(struct wgsl *w)
{
    for (;;) {
        const char *p = w->text + w->pos;
        if (*p && strchr(" \t\n\r\v\f", *p))
            w->pos++;
        else if (p[0] == '/' && p[1] == '/')
            w->pos += (uint32_t)strcspn(p, "\n\r\v\f");
        else if (p[0] != '/' || p[1] != '*')
            return true;
        else if (!skip_comment(w))
            return false;
    }
}

// As many buckets as there are symbols, and as many again.
static bool grow_buckets(struct wgsl *w)
{
    uint32_t count = w->bucket_count ? w->bucket_count * 2 : 256;
    struct wgsl_bucket *buckets = gv_arena_alloc(w->arena, count * sizeof *buckets);
    if (!buckets)
        return wgsl_no_memory(w);
    for (uint32_t i = 0; i < w->bucket_count; i++)
        for (struct wgsl_symbol *s = w->buckets[i].first, *next; s; s = next) {
            next = s->next;
            s->next = buckets[s->hash & (count - 1)].first;
            buckets[s->hash & (count - 1)].first = s;
        }
    w->buckets = buckets;
    w->bucket_count = count;
    return true;
}

struct wgsl_symbol *wgsl_intern(struct wgsl *w, const char *name, size_t size)
{
    const struct gv_hash digest = gv_hash_bytes(name, size);
    uint32_t hash = gv_load_u32(digest.bytes);
    if (w->symbols >= w->bucket_count && !grow_buckets(w))
        return NULL;
    struct wgsl_symbol **bucket = &w->buckets[hash & (w->bucket_count - 1)].first;
    for (struct wgsl_symbol *s = *bucket; s; s = s->next)
        if (s->hash == hash && s->size == size && !memcmp(s->name, name, size))
            return s;
    struct wgsl_symbol *s = wgsl_node(w, sizeof *s);
    if (!s)
        return NULL;
    s->name = gv_arena_copy(w->arena, name, size);
    s->size = size;
    s->hash = hash;
    w->symbols++;
    s->next = *bucket;
    *bucket = s;
    if (!s->name)
        wgsl_no_memory(w);
    return s->name ? s : NULL;
}

bool wgsl_is(const struct wgsl_symbol *s, const char *text)
{
    return s && !strcmp(s->name, text);
}

static bool lex_name(struct wgsl *w)
{
    const char *p = w->text + w->pos;
    size_t n = 1;
    while (is_letter(p[n]) || is_digit(p[n]))
        n++;
    if ((uint8_t)p[n] >= 0x80)
        return wgsl_unsupported(w, w->pos, "name beyond ASCII");
    if (n > 1 && p[0] == '_' && p[1] == '_')
        return wgsl_fail(w, w->pos, "name begins with two underscores");
    w->token.op = WGSL_NAME;
    w->token.name = wgsl_intern(w, p, n);
    w->pos += (uint32_t)n;
    return w->token.name != NULL;
}

// Digits, a fraction and an exponent: how long, and whether it is a float.
static size_t number_size(const char *p, bool *is_float)
{
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t n = hex ? 2 : 0;
    *is_float = false;
    while (hex ? is_hex(p[n]) : is_digit(p[n]))
        n++;
    if (p[n] == '.') {
        *is_float = true;
        n++;
        while (hex ? is_hex(p[n]) : is_digit(p[n]))
            n++;
    }
    int lower = p[n] ? (uint8_t)p[n] | 0x20 : 0;
    size_t sign = lower && (p[n + 1] == '+' || p[n + 1] == '-') ? 1 : 0;
    if (lower == (hex ? 'p' : 'e') && is_digit(p[n + 1 + sign])) {
        *is_float = true;
        n += 1 + sign;
        while (is_digit(p[n]))
            n++;
    }
    return n;
}

static bool float_value(struct wgsl *w, const char *p)
{
    w->token.value.f = strtod(p, NULL);
    if (w->token.number == WGSL_F32)
        w->token.value.f = (double)(float)w->token.value.f;
    if (!(w->token.value.f <= 3.4028234663852886e38) && w->token.number == WGSL_F32)
        return wgsl_fail(w, w->token.at, "number does not fit f32");
    if (!(w->token.value.f <= 1.7976931348623157e308))
        return wgsl_fail(w, w->token.at, "number is too large");
    return true;
}

static bool integer_value(struct wgsl *w, const char *p, size_t n)
{
    bool hex = n > 1 && (p[1] == 'x' || p[1] == 'X');
    uint64_t limit = w->token.number == WGSL_I32   ? INT32_MAX
                     : w->token.number == WGSL_U32 ? UINT32_MAX
                                                   : INT64_MAX;
    uint64_t value = 0;
    if ((hex && n == 2) || (!hex && n > 1 && p[0] == '0'))
        return wgsl_fail(w, w->token.at, "not a number");
    for (size_t i = hex ? 2 : 0; i < n; i++) {
        unsigned digit = is_digit(p[i]) ? (unsigned)(p[i] - '0')
                                        : (unsigned)((p[i] | 0x20) - 'a' + 10);
        if (value > (limit - digit) / (hex ? 16 : 10))
            return wgsl_fail(w, w->token.at, "number is too large");
        value = value * (hex ? 16 : 10) + digit;
    }
    w->token.value.i = (int64_t)value;
    return true;
}

static bool lex_number(struct wgsl *w)
{
    const char *p = w->text + w->pos;
    bool is_float;
    size_t n = number_size(p, &is_float), digits = n;
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    w->token.op = WGSL_NUMBER;
    w->token.value.known = true;
    w->token.number = is_float ? WGSL_ABSTRACT_FLOAT : WGSL_ABSTRACT_INT;
    if (p[n] == 'h')
        return wgsl_unsupported(w, w->pos, "f16");
    if (p[n] == 'f' && (!hex || is_float))
        w->token.number = WGSL_F32, n++;
    else if (p[n] == 'u' && !is_float)
        w->token.number = WGSL_U32, n++;
    else if (p[n] == 'i' && !is_float)
        w->token.number = WGSL_I32, n++;
    if (is_letter(p[n]) || is_digit(p[n]) || (is_float && digits == 1))
        return wgsl_fail(w, w->pos, "not a number");
    w->pos += (uint32_t)n;
    return wgsl_is_float(w->token.number) ? float_value(w, p)
                                          : integer_value(w, p, digits);
}

static bool lex_punctuation(struct wgsl *w)
{
    for (enum wgsl_op op = WGSL_LEFT_SHIFT_ASSIGN; op <= WGSL_AT; op++) {
        size_t n = strlen(punctuation[op]);
        if (strncmp(w->text + w->pos, punctuation[op], n) != 0)
            continue;
        w->token.op = op;
        w->pos += (uint32_t)n;
        return true;
    }
    uint8_t c = (uint8_t)w->text[w->pos];
    if (c >= 0x80)
        return wgsl_unsupported(w, w->pos, "name beyond ASCII");
    return wgsl_fail(w, w->pos, "character 0x%02x means nothing", c);
}

bool wgsl_advance(struct wgsl *w)
{
    if (!skip_space(w))
        return false;
    const char *p = w->text + w->pos;
    w->token = (struct wgsl_token){ .op = WGSL_END, .at = w->pos };
    if (w->pos >= w->size)
        return true;
    if (is_letter(*p))
        return lex_name(w);
    if (is_digit(*p) || (*p == '.' && is_digit(p[1])))
        return lex_number(w);
    return lex_punctuation(w);
}
