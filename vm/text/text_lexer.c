#include "vm/text/text_lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gv_token_fail(const struct gv_token *token, struct gv_error *err,
                   const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gv_fail(err, GV_ERR_FORMAT, token->offset, "line %u: %s", token->line, text);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const struct gv_lexer *l, size_t ahead)
{
    if (ahead >= l->size - l->pos)
        return '\0';
    return l->text[l->pos + ahead];
}

static bool set_token(struct gv_lexer *l, enum gv_token_kind kind, const char *text,
                      size_t length)
{
    l->token.kind = kind;
    l->token.length = length;
    l->token.text = gv_arena_copy(l->arena, text, length);
    return l->token.text ||
           gv_fail(l->err, GV_ERR_MEMORY, l->token.offset, "out of memory");
}

static void skip_space(struct gv_lexer *l)
{
    for (; l->pos < l->size; l->pos++) {
        char c = l->text[l->pos];
        if (c == '#') {
            while (l->pos + 1 < l->size && l->text[l->pos + 1] != '\n')
                l->pos++;
        } else if (c == '\n' && l->parens) {
            l->line++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
}

// A word that begins as a number takes the sign of its exponent with it: 2e-3.
static bool take_word(struct gv_lexer *l)
{
    size_t start = l->pos;
    bool number = is_digit(peek(l, 0)) || peek(l, 0) == '.';
    bool hex = peek(l, 0) == '0' && (peek(l, 1) == 'x' || peek(l, 1) == 'X');
    while (is_word(peek(l, 0))) {
        bool exponent = number && !hex && (peek(l, 0) == 'e' || peek(l, 0) == 'E');
        l->pos++;
        if (exponent && (peek(l, 0) == '-' || peek(l, 0) == '+') &&
            is_digit(peek(l, 1)))
            l->pos++;
    }
    return set_token(l, GV_TOKEN_WORD, l->text + start, l->pos - start);
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// One escaped character; pos is behind the backslash.
static bool take_escape(struct gv_lexer *l, char *out)
{
    char c = peek(l, 0);
    l->pos++;
    switch (c) {
    case 'n':
        *out = '\n';
        return true;
    case 't':
        *out = '\t';
        return true;
    case '"':
    case '\\':
        *out = c;
        return true;
    case 'x': {
        int high = hex_value(peek(l, 0)), low = hex_value(peek(l, 1));
        if (high < 0 || low < 0)
            break;
        l->pos += 2;
        *out = (char)(high << 4 | low);
        return true;
    }
    default:
        break;
    }
    return gv_token_fail(&l->token, l->err, "unknown escape in a string");
}

static bool take_string(struct gv_lexer *l)
{
    size_t end = ++l->pos, length = 0;
    while (end < l->size && l->text[end] != '"' && l->text[end] != '\n')
        end += l->text[end] == '\\' && end + 1 < l->size ? 2 : 1;
    if (end >= l->size || l->text[end] != '"')
        return gv_token_fail(&l->token, l->err, "a string does not end on its line");
    char *out = gv_arena_alloc(l->arena, end - l->pos + 1);
    if (!out)
        return gv_fail(l->err, GV_ERR_MEMORY, l->token.offset, "out of memory");
    while (l->pos < end) {
        char c = l->text[l->pos++];
        if (c == '\\' && !take_escape(l, &c))
            return false;
        out[length++] = c;
    }
    l->pos = end + 1;
    l->token.kind = GV_TOKEN_STRING;
    l->token.text = out;
    l->token.length = length;
    return true;
}

bool gv_lexer_next(struct gv_lexer *l)
{
    skip_space(l);
    l->token.offset = l->pos;
    l->token.line = l->line;
    if (l->pos >= l->size)
        return set_token(l, GV_TOKEN_END, "end of the text", 15);
    char c = l->text[l->pos];
    if (is_word(c))
        return take_word(l);
    if (c == '"')
        return take_string(l);
    if (!strchr("\n;=,()+-|{}:", c) || c == '\0')
        return gv_token_fail(&l->token, l->err, "unexpected character 0x%02x",
                             (unsigned)(unsigned char)c);
    l->pos++;
    l->line += c == '\n';
    if (c == '(')
        l->parens++;
    if (c == ')' && l->parens)
        l->parens--;
    if (c == '\n' || c == ';')
        return set_token(l, GV_TOKEN_NEWLINE, "end of the line", 15);
    return set_token(l, GV_TOKEN_MARK, &c, 1);
}

bool gv_lexer_begin(struct gv_lexer *lexer, const char *text, size_t size,
                    struct gv_arena *arena, struct gv_error *err)
{
    *lexer = (struct gv_lexer){
        .text = text, .size = size, .line = 1, .arena = arena, .err = err
    };
    return gv_lexer_next(lexer);
}

// ---- numbers ----

static bool parse_integer(const char *word, struct gv_number_text *out)
{
    unsigned base = 10;
    uint64_t value = 0;
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        base = 16;
        word += 2;
    }
    if (!*word)
        return false;
    for (; *word; word++) {
        int digit = hex_value(*word);
        if (digit < 0 || (unsigned)digit >= base ||
            value > (UINT64_MAX - (unsigned)digit) / base)
            return false;
        value = value * base + (unsigned)digit;
    }
    out->is_hex = base == 16;
    out->integer = value;
    out->real = (double)value;
    return true;
}

bool gv_number_parse(const char *word, struct gv_number_text *out)
{
    *out = (struct gv_number_text){ 0 };
    if (parse_integer(word, out))
        return true;
    if (!is_digit(word[0]) && !(word[0] == '.' && is_digit(word[1])))
        return false;
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        return false;
    char *end;
    out->is_float = true;
    out->real = strtod(word, &end);
    return *end == '\0';
}
