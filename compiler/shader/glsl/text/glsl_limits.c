#include "compiler/shader/glsl/text/glsl_limits.h"

static bool too_much(struct gv_error *err, const char *what, unsigned limit)
{
    return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl: more than %u %s", limit,
                   what);
}

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
