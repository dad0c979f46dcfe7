// The integers of #if: operators by precedence, over tokens whose macros are expanded.
#include "compiler/shader/glsl/text/glsl_macros.h"

#include <stdlib.h>
#include <string.h>

struct condition {
    struct preprocessor *p;
    const struct macro_token *items;
    size_t count, at;
    unsigned depth;
};

static const struct {
    const char *text;
    int level; // binds the closer the higher
} operators[] = {
    { "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 },  { "&", 5 },  { "==", 6 },
    { "!=", 6 }, { "<", 7 },  { ">", 7 }, { "<=", 7 }, { ">=", 7 }, { "<<", 8 },
    { ">>", 8 }, { "+", 9 },  { "-", 9 }, { "*", 10 }, { "/", 10 }, { "%", 10 },
};
#define OPERATOR_COUNT (sizeof operators / sizeof *operators)

static bool refuse(struct condition *c, const char *what)
{
    return macro_refuse(c->p, GV_ERR_FORMAT, what);
}

static bool is(const struct condition *c, const char *text)
{
    return c->at < c->count && macro_is(&c->items[c->at], text);
}

// The operator that stands here and binds at least as close; OPERATOR_COUNT: none.
static size_t operator_here(const struct condition *c, int level)
{
    size_t i = 0;
    while (i < OPERATOR_COUNT &&
           (operators[i].level < level || !is(c, operators[i].text)))
        i++;
    return i;
}

static bool divide(struct condition *c, bool rest, int64_t a, int64_t b, int64_t *out)
{
    *out = 0;
    if (b == 0)
        return refuse(c, "a condition divides by zero");
    *out = b == -1 ? (rest ? 0 : (int64_t)(0 - (uint64_t)a)) : rest ? a % b : a / b;
    return true;
}

// Numbers wrap around; shifts take the low bits of how far.
static bool apply(struct condition *c, const char *o, int64_t a, int64_t b,
                  int64_t *out)
{
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (o[0] << 8 | o[1]) {
    case '|' << 8 | '|':
        *out = a || b;
        return true;
    case '&' << 8 | '&':
        *out = a && b;
        return true;
    case '=' << 8 | '=':
        *out = a == b;
        return true;
    case '!' << 8 | '=':
        *out = a != b;
        return true;
    case '<' << 8 | '=':
        *out = a <= b;
        return true;
    case '>' << 8 | '=':
        *out = a >= b;
        return true;
    case '<' << 8 | '<':
        *out = (int64_t)(x << (y & 63));
        return true;
    case '>' << 8 | '>':
        *out = a >> (y & 63);
        return true;
    case '|' << 8:
        *out = a | b;
        return true;
    case '^' << 8:
        *out = a ^ b;
        return true;
    case '&' << 8:
        *out = a & b;
        return true;
    case '<' << 8:
        *out = a < b;
        return true;
    case '>' << 8:
        *out = a > b;
        return true;
    case '+' << 8:
        *out = (int64_t)(x + y);
        return true;
    case '-' << 8:
        *out = (int64_t)(x - y);
        return true;
    case '*' << 8:
        *out = (int64_t)(x * y);
        return true;
    default:
        return divide(c, o[0] == '%', a, b, out);
    }
}

static bool read_level(struct condition *c, int level, bool live, int64_t *out);

static bool read_number(struct condition *c, const struct macro_token *t, int64_t *out)
{
    char text[32] = "", *end;
    if (t->size >= sizeof text)
        return refuse(c, "a condition's number is too long");
    memcpy(text, t->text, t->size);
    *out = (int64_t)strtoull(text, &end, 0);
    end += *end == 'u' || *end == 'U';
    return !*end || refuse(c, "a condition's number is no integer");
}

// A name that no macro has is 0, and an error in ES where it counts.
static bool read_name(struct condition *c, bool live, int64_t *out)
{
    *out = 0;
    return !live || !c->p->dialect->es ||
           refuse(c, "a condition names what is not defined");
}

static bool read_unary(struct condition *c, bool live, int64_t *out)
{
    if (c->at == c->count)
        return refuse(c, "a condition without an end");
    const struct macro_token *t = &c->items[c->at++];
    if (t->kind == MACRO_NUMBER)
        return read_number(c, t, out);
    if (t->kind == MACRO_WORD)
        return read_name(c, live, out);
    const bool group = macro_is(t, "(");
    if (!group && !(t->size == 1 && strchr("+-~!", t->text[0])))
        return refuse(c, "a condition with what is no operator");
    if (++c->depth > GV_MAX_MACRO_NESTING)
        return macro_refuse(c->p, GV_ERR_LIMIT, "operators within operators");
    if (group ? !read_level(c, 1, live, out) : !read_unary(c, live, out))
        return false;
    c->depth--;
    switch (t->text[0]) {
    case '-':
        *out = (int64_t)(0 - (uint64_t)*out);
        return true;
    case '~':
        *out = ~*out;
        return true;
    case '!':
        *out = !*out;
        return true;
    case '+':
        return true;
    default:
        if (!is(c, ")"))
            return refuse(c, "a condition's parenthesis without an end");
        c->at++;
        return true;
    }
}

// `live`: a name that nothing defines counts; behind `0 &&` it does not.
static bool read_level(struct condition *c, int level, bool live, int64_t *out)
{
    if (!read_unary(c, live, out))
        return false;
    for (size_t o; (o = operator_here(c, level)) < OPERATOR_COUNT;) {
        const char *text = operators[o].text;
        const bool decided =
            (!strcmp(text, "&&") && !*out) || (!strcmp(text, "||") && *out);
        int64_t right;
        c->at++;
        if (!read_level(c, operators[o].level + 1, live && !decided, &right) ||
            !apply(c, text, *out, right, out))
            return false;
    }
    return true;
}

bool macro_condition(struct preprocessor *p, const struct macro_tokens *tokens,
                     bool *holds)
{
    struct condition c = { .p = p, .items = tokens->items, .count = tokens->count };
    int64_t value = 0;
    if (!read_level(&c, 1, true, &value))
        return false;
    *holds = value != 0;
    return c.at == c.count || refuse(&c, "a condition with more behind its end");
}
