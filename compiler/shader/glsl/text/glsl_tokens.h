// GLSL text as tokens: enough to rewrite it without a grammar.
#ifndef GV_GLSL_TOKENS_H
#define GV_GLSL_TOKENS_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

#define GV_MAX_GLSL_TOKENS (1u << 20)

enum glsl_token_kind {
    GLSL_IDENTIFIER, // keywords as well
    GLSL_NUMBER,
    GLSL_PUNCTUATION, // one operator or separator
    GLSL_SPACE,       // white space and comments
    GLSL_DIRECTIVE,   // a whole line that begins with #, without its newline
    GLSL_END,
};

struct glsl_token {
    enum glsl_token_kind kind;
    const char *text; // borrowed from the source
    size_t size;
    const char *replacement; // written instead of the token, NULL: the token itself
};

struct glsl_tokens {
    struct glsl_token *tokens; // the last one is GLSL_END
    size_t count;              // without it
};

// Cuts `text` (NUL-terminated, borrowed) into tokens. GV_ERR_LIMIT, GV_ERR_FORMAT for a
// character that GLSL does not know, with its byte offset in `text`.
bool glsl_tokenize(const char *text, struct gv_arena *arena, struct glsl_tokens *out,
                   struct gv_error *err);

// The token that begins at `p`; of size 0 at the end and at such a character.
struct glsl_token glsl_token_at(const char *p);

bool glsl_token_is(const struct glsl_token *t, const char *text);

// The next or previous token that is not white space; GLSL_END's index or SIZE_MAX at
// the ends.
size_t glsl_next(const struct glsl_tokens *t, size_t i);
size_t glsl_previous(const struct glsl_tokens *t, size_t i);

#endif
