// Macros and how they are expanded, for the files of the preprocessor.
#ifndef GV_GLSL_MACROS_H
#define GV_GLSL_MACROS_H

#include "compiler/shader/glsl/text/glsl_preprocess.h"

#define GLSL_MACRO_CHAINS 512u

enum macro_token_kind {
    MACRO_WORD,
    MACRO_NUMBER,
    MACRO_OTHER,
    MACRO_NOTHING,   // an argument without tokens, beside ##
    MACRO_DIRECTIVE, // # at the beginning of a line
    MACRO_NEWLINE,
    MACRO_END,
};

struct macro_token {
    const char *text;
    uint32_t size;
    uint8_t kind;  // enum macro_token_kind
    bool spaced;   // something stands in front of it
    bool made;     // by a macro
    bool finished; // the name of a macro that it is within: never expanded again
};

struct macro_tokens {
    struct macro_token *items;
    size_t count, capacity;
};

struct macro {
    const char *name;
    uint32_t size;
    bool function;
    bool active; // it is being expanded
    struct macro_token *params;
    size_t param_count;
    const struct macro_token *body;
    size_t body_count;
    struct macro *next;
};

// Where a text is read: tokens one by one.
struct macro_reader {
    const char *at; // lines that a backslash joins are one
    uint32_t line;  // of `at`, from 1
    bool begun;     // something stands in this line
    bool open;      // the text ends within a comment
    uint32_t owed;  // newlines passed by, in comments and arguments: for the next one
};

struct preprocessor {
    const struct gv_glsl_dialect *dialect;
    struct macro_reader reader;
    uint32_t line_offset; // of __LINE__ against reader.line
    uint32_t file;        // __FILE__
    struct macro *chains[GLSL_MACRO_CHAINS];
    size_t work; // what macros have made: tokens
    unsigned depth;
    struct gv_arena *arena;
    struct gv_error *err;
};

// Fails at the reader's place: "glsl: line 3: ...".
bool macro_refuse(struct preprocessor *p, enum gv_status status, const char *what);

// The next token of the text.
struct macro_token macro_read(struct preprocessor *p);

bool macro_is(const struct macro_token *t, const char *text);
bool macro_push(struct preprocessor *p, struct macro_tokens *to,
                const struct macro_token *t);
struct macro *macro_find(const struct preprocessor *p, const struct macro_token *name);
// The same, and of __LINE__ and its like.
bool macro_defined(const struct preprocessor *p, const struct macro_token *name);
// Defines or redefines; the macro's name, parameters and body are `m`'s.
bool macro_define(struct preprocessor *p, const struct macro *m);
void macro_undefine(struct preprocessor *p, const struct macro_token *name);

// Expands a list to its end. `condition`: of #if, where `defined X` becomes 0 or 1.
bool macro_expand_list(struct preprocessor *p, const struct macro_tokens *in,
                       bool condition, struct macro_tokens *out);
// Expands `first`, a word of the text that is read, with the arguments behind it.
// False also where it is no macro, or one whose arguments are missing; then `p->err`
// stays as it is and nothing was read.
bool macro_expand_read(struct preprocessor *p, const struct macro_token *first,
                       struct macro_tokens *out);

// Whether a condition holds, of expanded tokens (glsl_condition.c).
bool macro_condition(struct preprocessor *p, const struct macro_tokens *tokens,
                     bool *holds);

#endif
