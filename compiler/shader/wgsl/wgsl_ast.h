// The tree of a WGSL module. Lists are linked by `next`; everything lives in the arena.
#ifndef GV_WGSL_AST_H
#define GV_WGSL_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A name as the text has it; equal names are one symbol.
struct wgsl_symbol {
    const char *name;
    size_t size;
    uint32_t hash;
    struct wgsl_symbol *next; // of the hash bucket
    struct wgsl_decl *global; // at module scope, NULL
    struct wgsl_decl *local;  // innermost of the function being translated, NULL
};

// Operators and separators, in the order of wgsl_lexer.c's table.
enum wgsl_op {
    WGSL_END,
    WGSL_NAME,
    WGSL_NUMBER,
    WGSL_LEFT_SHIFT_ASSIGN,
    WGSL_ARROW,
    WGSL_INCREMENT,
    WGSL_DECREMENT,
    WGSL_ADD_ASSIGN,
    WGSL_SUBTRACT_ASSIGN,
    WGSL_MULTIPLY_ASSIGN,
    WGSL_DIVIDE_ASSIGN,
    WGSL_REMAINDER_ASSIGN,
    WGSL_AND_ASSIGN,
    WGSL_OR_ASSIGN,
    WGSL_XOR_ASSIGN,
    WGSL_LEFT_SHIFT,
    WGSL_LESS_EQUAL,
    WGSL_EQUAL,
    WGSL_NOT_EQUAL,
    WGSL_LOGICAL_AND,
    WGSL_LOGICAL_OR,
    WGSL_ADD,
    WGSL_SUBTRACT,
    WGSL_MULTIPLY,
    WGSL_DIVIDE,
    WGSL_REMAINDER,
    WGSL_AND,
    WGSL_OR,
    WGSL_XOR,
    WGSL_LESS,
    WGSL_GREATER,
    WGSL_NOT,
    WGSL_COMPLEMENT,
    WGSL_ASSIGN,
    WGSL_OPEN,
    WGSL_CLOSE,
    WGSL_OPEN_INDEX,
    WGSL_CLOSE_INDEX,
    WGSL_OPEN_BLOCK,
    WGSL_CLOSE_BLOCK,
    WGSL_COMMA,
    WGSL_SEMICOLON,
    WGSL_COLON,
    WGSL_DOT,
    WGSL_AT,
    // Made by the parser: '>' is one token, since it also closes template lists.
    WGSL_RIGHT_SHIFT,
    WGSL_GREATER_EQUAL,
    WGSL_RIGHT_SHIFT_ASSIGN,
    WGSL_NEGATE,
    WGSL_ADDRESS_OF,
    WGSL_INDIRECTION,
};

enum wgsl_kind {
    WGSL_VOID,
    WGSL_BOOL,
    WGSL_ABSTRACT_INT,
    WGSL_ABSTRACT_FLOAT,
    WGSL_I32,
    WGSL_U32,
    WGSL_F32,
    WGSL_VECTOR,
    WGSL_MATRIX,
    WGSL_ARRAY,
    WGSL_STRUCT,
    WGSL_ATOMIC,
    WGSL_POINTER,
    WGSL_TEXTURE,
    WGSL_SAMPLER,
};

enum wgsl_dimension { WGSL_2D, WGSL_3D, WGSL_CUBE };

struct wgsl_type {
    enum wgsl_kind kind;
    const struct wgsl_type
        *element;  // of vector, matrix, array, atomic, pointer, texture
    uint32_t rows; // of a vector or a matrix's columns
    uint32_t columns;
    uint32_t count;         // of an array; 0: sized at run time
    struct wgsl_decl *decl; // of a structure
    enum wgsl_dimension dimension;
    bool arrayed, depth, comparison;
};

// A scalar known while compiling.
struct wgsl_value {
    bool known;
    int64_t i; // integers and bool
    double f;  // floats
};

enum wgsl_expr_kind {
    WGSL_LITERAL,
    WGSL_IDENTIFIER, // also types: with templates
    WGSL_UNARY,
    WGSL_BINARY,
    WGSL_INDEX,
    WGSL_MEMBER,
    WGSL_CALL,
};

struct wgsl_expr {
    enum wgsl_expr_kind kind;
    enum wgsl_op op;
    uint32_t at; // byte offset in the text
    uint16_t depth;
    bool parenthesised, templated;
    struct wgsl_symbol *name; // identifier, callee, member
    struct wgsl_expr *templates;
    struct wgsl_expr *args; // operands
    struct wgsl_expr *next;
    struct wgsl_value value;        // of a scalar
    const struct wgsl_value *parts; // of a vector, matrix or array, scalar by scalar
    // Known after checking.
    const struct wgsl_type *type; // NULL: not checked yet
    struct wgsl_decl *decl;       // what the name means, NULL: built in
    const struct wgsl_builtin *builtin;
    bool place;    // refers to memory: may be assigned or have its address taken
    bool writable; // of a place
    bool computed; // runs a function that may do more than compute
    uint8_t swizzle[4], swizzle_size;
};

enum wgsl_decl_kind {
    WGSL_DECL_ALIAS,
    WGSL_DECL_STRUCT,
    WGSL_DECL_MEMBER,
    WGSL_DECL_FUNCTION,
    WGSL_DECL_PARAMETER,
    WGSL_DECL_CONST,
    WGSL_DECL_LET,
    WGSL_DECL_VAR,
    WGSL_DECL_OVERRIDE,
};

enum wgsl_space {
    WGSL_FUNCTION_SPACE,
    WGSL_PRIVATE_SPACE,
    WGSL_WORKGROUP_SPACE,
    WGSL_UNIFORM_SPACE,
    WGSL_STORAGE_SPACE,
    WGSL_HANDLE_SPACE,
};

struct wgsl_attributes {
    struct wgsl_expr *location, *group, *binding, *align, *size;
    struct wgsl_expr *workgroup; // one to three
    struct wgsl_symbol *builtin, *interpolation, *sampling;
    uint32_t stage; // GV_STAGE_*
    bool invariant;
};

// A function's call of another.
struct wgsl_call {
    struct wgsl_decl *to;
    uint32_t at;
    struct wgsl_call *next;
};

enum wgsl_state { WGSL_FRESH, WGSL_BUSY, WGSL_DONE };

struct wgsl_decl {
    enum wgsl_decl_kind kind;
    uint32_t at;
    struct wgsl_symbol *name;
    struct wgsl_decl *next;
    struct wgsl_attributes attributes;
    struct wgsl_expr *type_expr, *init;
    struct wgsl_decl *members; // of a structure; parameters of a function
    struct wgsl_stmt *body;
    struct wgsl_attributes result; // of a function's result
    enum wgsl_space space;
    bool writable;
    // Known after checking.
    enum wgsl_state state;
    const struct wgsl_type *type; // of a function: its result
    const char *glsl;             // the name in the GLSL
    struct wgsl_value value;
    uint32_t offset;            // of a member
    uint32_t parts;             // of a structure: members, theirs included
    uint64_t scalars;           // of a structure, each array element counted
    struct wgsl_call *calls;    // of a function
    uint32_t levels;            // of calls below it, 1: it calls none
    bool calling;               // while they are counted
    struct wgsl_decl *pending;  // the next function to be written
    struct wgsl_decl *shadowed; // what the name meant before
    struct wgsl_decl *outer;    // the declaration before in the open scopes
    uint32_t order;             // of a local: counts them
};

enum wgsl_stmt_kind {
    WGSL_BLOCK,
    WGSL_DECLARE,
    WGSL_SET,      // a = b, a op= b
    WGSL_IGNORE,   // _ = b
    WGSL_EVALUATE, // a call
    WGSL_IF,       // a, body, other
    WGSL_SWITCH,   // a, body: cases
    WGSL_CASE,     // a: selectors, body
    WGSL_LOOP,     // body, other: continuing
    WGSL_FOR,      // init, a, step, body
    WGSL_BREAK,
    WGSL_BREAK_IF, // a
    WGSL_CONTINUE,
    WGSL_RETURN, // a
    WGSL_DISCARD,
    WGSL_ASSERT, // a
};

struct wgsl_stmt {
    enum wgsl_stmt_kind kind;
    enum wgsl_op op; // of a compound assignment
    uint32_t at;
    bool is_default; // a case
    struct wgsl_expr *a, *b;
    struct wgsl_decl *decl;
    struct wgsl_stmt *body, *other, *init, *step, *next;
};

#endif
