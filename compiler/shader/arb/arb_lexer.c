// Tokens of ARB programs, and errors that quote a line of theirs.
#include "compiler/shader/arb/arb_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 64u // of a number's text; more digits say nothing
#define QUOTED_BYTES 60u // of a line in an error
#define MESSAGE_BYTES 110u

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

// The character `ahead` of where the text is read; NUL: none.
static char peek(const struct arb *a, size_t ahead)
{
    if (ahead >= a->size - a->at.pos)
        return '\0';
    return a->text[a->at.pos + ahead];
}

// ---- errors ----

// What the current line says, without what is no text.
static void quote(const struct arb *a, char out[QUOTED_BYTES + 1])
{
    size_t n = 0, from = a->at.line_start;
    while (from < a->size && (a->text[from] == ' ' || a->text[from] == '\t'))
        from++;
    for (; from < a->size && n < QUOTED_BYTES; from++) {
        char c = a->text[from];
        if (c == '\n' || c == '\r' || c == '\0')
            break;
        out[n] = '?';
        if (c >= 0x20 && c < 0x7F)
            out[n] = c;
        n++;
    }
    out[n] = '\0';
}

bool arb_fail(struct arb *a, enum gv_status status, const char *format, ...)
{
    char message[MESSAGE_BYTES], line[QUOTED_BYTES + 1];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    quote(a, line);
    return gv_fail(a->err, status, GV_NO_OFFSET, "line %u: %s: %s", a->at.line, message,
                   line);
}

bool arb_unexpected(struct arb *a, const char *wanted)
{
    if (a->at.token.kind == ARB_END_OF_TEXT)
        return arb_fail(a, GV_ERR_FORMAT, "the text ends where %s should be", wanted);
    char c = a->at.token.text[0];
    if (c < 0x20 || c >= 0x7F)
        return arb_fail(a, GV_ERR_FORMAT, "%s expected", wanted);
    return arb_fail(a, GV_ERR_FORMAT, "%s expected, not \"%.*s\"", wanted,
                    (int)(a->at.token.size < 32 ? a->at.token.size : 32),
                    a->at.token.text);
}

// ---- tokens ----

static void skip(struct arb *a)
{
    for (;;) {
        char c = peek(a, 0);
        if (c == '#')
            while (a->at.pos < a->size && a->text[a->at.pos] != '\n' &&
                   a->text[a->at.pos] != '\r')
                a->at.pos++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            a->at.pos++;
        else
            return;
        if (c == '\n') {
            a->at.line++;
            a->at.line_start = a->at.pos;
        }
    }
}

static size_t digits(const struct arb *a, size_t n)
{
    while (is_digit(peek(a, n)))
        n++;
    return n;
}

// "1", "1.", ".5", "1e5"; "1..2" begins with an integer.
static void number(struct arb *a)
{
    char copy[NUMBER_BYTES];
    size_t n = digits(a, 0);
    a->at.token.kind = ARB_INTEGER;
    if (peek(a, n) == '.' && peek(a, n + 1) != '.') {
        a->at.token.kind = ARB_FLOAT;
        n = digits(a, n + 1);
    }
    if (peek(a, n) == 'e' || peek(a, n) == 'E') {
        size_t sign = peek(a, n + 1) == '+' || peek(a, n + 1) == '-';
        if (is_digit(peek(a, n + 1 + sign))) {
            a->at.token.kind = ARB_FLOAT;
            n = digits(a, n + 1 + sign);
        }
    }
    a->at.token.size = n;
    size_t copied = n < sizeof copy - 1 ? n : sizeof copy - 1;
    memcpy(copy, a->at.token.text, copied);
    copy[copied] = '\0';
    a->at.token.number = strtof(copy, NULL);
    a->at.token.integer = UINT32_MAX; // more than any limit
    if (a->at.token.kind == ARB_INTEGER && n < 10)
        a->at.token.integer = (uint32_t)strtoul(copy, NULL, 10);
}

// Names of textures begin with a digit.
static bool is_dimension(const struct arb *a)
{
    return peek(a, 0) >= '1' && peek(a, 0) <= '3' && peek(a, 1) == 'D' &&
           !is_letter(peek(a, 2)) && !is_digit(peek(a, 2));
}

void arb_advance(struct arb *a)
{
    skip(a);
    char c = peek(a, 0);
    a->at.token =
        (struct arb_token){ .kind = ARB_END_OF_TEXT, .text = a->text + a->at.pos };
    if (c == '\0')
        return;
    a->at.token.size = 1;
    if (is_letter(c) || is_dimension(a)) {
        a->at.token.kind = ARB_NAME;
        while (is_letter(peek(a, a->at.token.size)) ||
               is_digit(peek(a, a->at.token.size)))
            a->at.token.size++;
    } else if (is_digit(c) || (c == '.' && is_digit(peek(a, 1)))) {
        number(a);
    } else if (c == '.' && peek(a, 1) == '.') {
        a->at.token.kind = ARB_RANGE;
        a->at.token.size = 2;
    } else {
        a->at.token.kind = ARB_SIGN;
    }
    a->at.pos += a->at.token.size;
}

bool arb_is(const struct arb *a, const char *text)
{
    size_t n = strlen(text);
    return a->at.token.size == n && !memcmp(a->at.token.text, text, n);
}

bool arb_accept(struct arb *a, const char *text)
{
    bool here = arb_is(a, text);
    if (here)
        arb_advance(a);
    return here;
}

bool arb_expect(struct arb *a, const char *text)
{
    char wanted[24];
    snprintf(wanted, sizeof wanted, "\"%s\"", text);
    return arb_accept(a, text) || arb_unexpected(a, wanted);
}

bool arb_integer(struct arb *a, uint32_t limit, uint32_t *out)
{
    if (a->at.token.kind != ARB_INTEGER)
        return arb_unexpected(a, "a whole number");
    if (a->at.token.integer >= limit)
        return arb_fail(a, GV_ERR_FORMAT, "%.*s is not below %u",
                        (int)(a->at.token.size < 16 ? a->at.token.size : 16),
                        a->at.token.text, limit);
    *out = a->at.token.integer;
    arb_advance(a);
    return true;
}

bool arb_index(struct arb *a, uint32_t limit, uint32_t *out)
{
    return arb_expect(a, "[") && arb_integer(a, limit, out) && arb_expect(a, "]");
}
