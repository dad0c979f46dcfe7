#include "compiler/shader/glsl/text/glsl_constants.h"

#include <string.h>

#define MOST_LOOSENED 256u // of one object; more stay, and do not compile

// Functions of constants that glslang leaves as they are.
static const char *const unfolded[] = {
    "acosh",
    "asinh",
    "atanh",
    "bitCount",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "cosh",
    "determinant",
    "findLSB",
    "findMSB",
    "floatBitsToInt",
    "floatBitsToUint",
    "fma",
    "intBitsToFloat",
    "inverse",
    "ldexp",
    "matrixCompMult",
    "packDouble2x32",
    "packHalf2x16",
    "packSnorm2x16",
    "packSnorm4x8",
    "packUnorm2x16",
    "packUnorm4x8",
    "sinh",
    "tanh",
    "transpose",
    "uintBitsToFloat",
    "unpackDouble2x32",
    "unpackHalf2x16",
    "unpackSnorm2x16",
    "unpackSnorm4x8",
    "unpackUnorm2x16",
    "unpackUnorm4x8",
};

struct loosened {
    size_t names[MOST_LOOSENED]; // tokens
    size_t count;
};

static const struct glsl_token *token(const struct glsl_tokens *code, size_t i)
{
    return &code->tokens[i];
}

static bool is_loosened(const struct glsl_tokens *code, const struct loosened *l,
                        size_t i)
{
    for (size_t k = 0; k < l->count; k++) {
        const struct glsl_token *name = token(code, l->names[k]);
        if (name->size == token(code, i)->size &&
            !memcmp(name->text, token(code, i)->text, name->size))
            return true;
    }
    return false;
}

static bool is_unfolded(const struct glsl_tokens *code, size_t i)
{
    if (!glsl_token_is(token(code, glsl_next(code, i)), "("))
        return false;
    for (size_t k = 0; k < sizeof unfolded / sizeof *unfolded; k++)
        if (glsl_token_is(token(code, i), unfolded[k]))
            return true;
    return false;
}

static bool is_loose(const struct glsl_tokens *code, const struct loosened *l,
                     const struct glsl_declaration *d)
{
    for (size_t i = d->value; i != GLSL_NO_TOKEN && i <= d->value_end; i++)
        if (token(code, i)->kind == GLSL_IDENTIFIER &&
            (is_unfolded(code, i) || is_loosened(code, l, i)))
            return true;
    return false;
}

void glsl_loosen_constants(struct glsl_tokens *code,
                           const struct glsl_declarations *declared)
{
    struct loosened l = { .count = 0 };
    const struct glsl_declarations *all = declared;
    for (size_t i = 0, end = 0; i < all->count; i = end) {
        bool loose = false;
        for (; end < all->count && all->items[end].first == all->items[i].first; end++)
            loose |= (all->items[end].qualifiers & GLSL_CONST) &&
                     is_loose(code, &l, &all->items[end]);
        if (!loose || end - i > MOST_LOOSENED - l.count)
            continue;
        for (size_t k = all->items[i].first; k < all->items[i].type; k++)
            if (glsl_token_is(token(code, k), "const"))
                code->tokens[k].replacement = "";
        for (size_t k = i; k < end; k++)
            if (all->items[k].name != GLSL_NO_TOKEN)
                l.names[l.count++] = all->items[k].name;
    }
}
