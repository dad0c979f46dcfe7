// Tokens of the text form (docs/text.md, section 1).
#ifndef GV_TEXT_LEXER_H
#define GV_TEXT_LEXER_H

#include "resources/base/arena.h"
#include "resources/base/error.h"

enum gv_token_kind {
    GV_TOKEN_END,
    GV_TOKEN_NEWLINE, // or `;`
    GV_TOKEN_WORD,    // a name or a number
    GV_TOKEN_STRING,  // `text` is what it stands for
    GV_TOKEN_MARK,    // one character of punctuation
};

struct gv_token {
    enum gv_token_kind kind;
    const char *text; // NUL-terminated, the arena's
    size_t length;    // of `text`; strings may hold NUL
    size_t offset;    // bytes into the input
    uint32_t line;    // from 1
};

// `token` is the one to look at; gv_lexer_next steps on.
struct gv_lexer {
    const char *text; // borrowed
    size_t size, pos;
    uint32_t line;
    uint32_t parens; // inside them newlines are space
    struct gv_token token;
    struct gv_arena *arena; // borrowed
    struct gv_error *err;
};

// Starts at the first token. False and `err` filled on a malformed one.
bool gv_lexer_begin(struct gv_lexer *lexer, const char *text, size_t size,
                    struct gv_arena *arena, struct gv_error *err);
bool gv_lexer_next(struct gv_lexer *lexer);

// GV_ERR_FORMAT at a token: "line N: ...".
bool gv_token_fail(const struct gv_token *token, struct gv_error *err,
                   const char *format, ...) GV_PRINTF(3, 4);

// What a number token says.
struct gv_number_text {
    bool is_float; // has a point or an exponent
    bool is_hex;
    uint64_t integer; // if not is_float
    double real;      // the value in either case
};

// False if the word is no number.
bool gv_number_parse(const char *word, struct gv_number_text *out);

#endif
