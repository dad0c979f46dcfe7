// What a GLSL text declares at global scope (and in bodies of structures and blocks):
// qualifiers, types, names, where their tokens stand. No expression is understood.
#ifndef GV_GLSL_DECLARE_H
#define GV_GLSL_DECLARE_H

#include "compiler/shader/glsl/text/glsl_tokens.h"

#define GLSL_NO_TOKEN SIZE_MAX
#define GLSL_MAX_DECLARATIONS (1u << 16)

enum glsl_qualifier {
    GLSL_UNIFORM = 1 << 0,
    GLSL_IN = 1 << 1, // `attribute`, and `varying` of a fragment stage, too
    GLSL_OUT = 1 << 2,
    GLSL_BUFFER = 1 << 3,
    GLSL_CONST = 1 << 4,
    GLSL_FLAT = 1 << 5,
    GLSL_PATCH = 1 << 6,
    GLSL_INVARIANT = 1 << 7,
    GLSL_VARYING = 1 << 8, // the word
    GLSL_ATTRIBUTE = 1 << 9,
    GLSL_SHARED = 1 << 10,
    GLSL_OTHER = 1 << 11, // one without consequences here
};

enum glsl_declared {
    GLSL_DECLARES_VARIABLE, // one for each name of the statement
    GLSL_DECLARES_TYPE,     // a structure without variables
    GLSL_DECLARES_BLOCK,
    GLSL_DECLARES_FUNCTION, // or defines it
    GLSL_DECLARES_NOTHING,  // qualifiers, `invariant x`, what is no declaration
};

// Numbers are of tokens, GLSL_NO_TOKEN where there is none; ranges include both ends.
struct glsl_declaration {
    enum glsl_declared what;
    unsigned qualifiers;     // enum glsl_qualifier
    size_t first, last;      // the statement: its first token, its ; or }
    size_t layout;           // the word
    size_t storage;          // in, out, inout, attribute, varying
    size_t type;             // its name; of a structure or a block likewise
    size_t open, close;      // body of a structure, block or function
    size_t name;             // of a variable, a block's instance, a function
    size_t dims, dims_end;   // [ ] behind type and name, from the first [ to the last ]
    size_t value, value_end; // initialiser, without the =
};

struct glsl_declarations {
    struct glsl_declaration *items;
    size_t count, capacity;
};

// Everything between the tokens `first` and `end` (not included), in order.
// GV_ERR_LIMIT, GV_ERR_SYSTEM.
bool glsl_declare(const struct glsl_tokens *code, size_t first, size_t end,
                  struct gv_arena *arena, struct glsl_declarations *out,
                  struct gv_error *err);

// The token that closes what `open` opens, `end` where none does.
size_t glsl_closing(const struct glsl_tokens *code, size_t open, size_t end);

// The number of `word = number` in a declaration's layout, or -1.
int glsl_layout_number(const struct glsl_tokens *code, const struct glsl_declaration *d,
                       const char *word);
// Whether a word stands in it.
bool glsl_layout_has(const struct glsl_tokens *code, const struct glsl_declaration *d,
                     const char *word);

#endif
