// Shared by the files of the translator of ARB programs.
#ifndef GV_ARB_INTERNAL_H
#define GV_ARB_INTERNAL_H

#include "compiler/shader/arb/arb.h"
#include "resources/base/bytes.h"

enum arb_kind {
    ARB_END_OF_TEXT,
    ARB_NAME, // "1D", "2D" and "3D" are names too
    ARB_INTEGER,
    ARB_FLOAT,
    ARB_SIGN,  // any other character
    ARB_RANGE, // ".."
};

struct arb_token {
    enum arb_kind kind;
    const char *text;
    size_t size;
    float number; // of both kinds of numbers
    uint32_t integer;
};

// Where the text is read.
struct arb_place {
    size_t pos, line_start;
    uint32_t line;
    struct arb_token token;
};

enum arb_symbol_kind {
    ARB_TEMPORARY,
    ARB_ADDRESS,
    ARB_ATTRIBUTE,
    ARB_PARAMETER,
    ARB_RESULT,
};

// A name; aliases share what they name.
struct arb_variable {
    enum arb_symbol_kind kind;
    uint32_t number; // of what the text calls tN, in_N, out_N
    // Of parameters: what they are bound to.
    struct gv_arb_parameter *items;
    uint32_t count;
    bool array;
    bool placed; // the whole array lies in the block, from `row` on
    uint32_t row;
};

struct arb_symbol {
    struct arb_symbol *next; // in its bucket
    const char *name;
    size_t size;
    struct arb_variable *variable;
};

#define ARB_BUCKETS 1024u
#define ARB_TEXT 192u // of an operand as GLSL
struct arb {
    const char *text;
    size_t size;
    struct arb_place at;
    bool fragment;
    struct gv_arena *arena;
    struct gv_error *err;
    struct gv_arb_program *out;
    struct gv_bytes body;
    struct gv_bytes parameters; // struct gv_arb_parameter
    struct arb_symbol *buckets[ARB_BUCKETS];
    uint32_t declared, temporaries, addresses, helpers;
    uint32_t conventional, generic; // attributes: bit per number of the other kind
    bool draw_buffers, shadow, arrays;
};

// ---- text: arb_lexer.c ----

void arb_advance(struct arb *a);
bool arb_is(const struct arb *a, const char *text);
// Whether `text` stood here, which is stepped over.
bool arb_accept(struct arb *a, const char *text);
bool arb_expect(struct arb *a, const char *text);
// Of all errors: "line 3: MESSAGE: TEXT OF THE LINE"; returns false.
bool arb_fail(struct arb *a, enum gv_status status, const char *format, ...)
    GV_PRINTF(3, 4);
// "MESSAGE" of what stands here.
bool arb_unexpected(struct arb *a, const char *wanted);
// "[N]", N below `limit`.
bool arb_index(struct arb *a, uint32_t limit, uint32_t *out);
// N, below `limit`.
bool arb_integer(struct arb *a, uint32_t limit, uint32_t *out);

// ---- names: arb_declare.c ----

struct arb_variable *arb_find(const struct arb *a);
// One statement if it is a declaration.
bool arb_declaration(struct arb *a, bool *was);

// ---- bindings: arb_binding.c, arb_state.c ----

bool arb_attribute(struct arb *a, uint32_t *number);
bool arb_result(struct arb *a, uint32_t *number);
// A state's item, behind "state.": its first row to `out`, and how many rows there are
// (more than one where a whole matrix may stand).
bool arb_state(struct arb *a, bool whole, struct gv_arb_parameter *out,
               uint32_t *count);
// What a parameter may be bound to; several only if `whole`.
bool arb_parameter(struct arb *a, bool whole, struct gv_arb_parameter *out,
                   uint32_t *count);
// A constant with or without braces, the sign included.
bool arb_constant(struct arb *a, struct gv_arb_parameter *out);
bool arb_begins_constant(const struct arb *a);

// ---- operands: arb_operand.c ----

// A source with its sign and swizzle, as GLSL: a vec4, or a float if `scalar`.
bool arb_source(struct arb *a, bool scalar, char out[ARB_TEXT]);
// The same without a sign or swizzle.
bool arb_register(struct arb *a, char out[ARB_TEXT]);

struct arb_destination {
    char text[16];
    uint32_t mask; // bit per component
};
bool arb_destination(struct arb *a, struct arb_destination *out);
// Components of a name as numbers 0 to 3; false: it is not only these.
bool arb_components(const struct arb *a, uint32_t *count, uint8_t out[4]);

// ---- instructions: arb_instruction.c ----

bool arb_instruction(struct arb *a);
void arb_helpers(const struct arb *a, struct gv_bytes *out);

#endif
