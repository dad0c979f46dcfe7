// What the parts of the WGSL front end share.
//   wgsl_lexer.c      tokens
//   wgsl_parse*.c     text -> tree
//   wgsl_types.c, wgsl_layout.c
//   wgsl_resolve.c    what names at module scope mean
//   wgsl_fold*.c      constants
//   wgsl_check*.c     names and types of expressions
//   wgsl_flow.c       jumps, calls, cases
//   wgsl_emit*.c      tree -> GLSL
#ifndef GV_WGSL_INTERNAL_H
#define GV_WGSL_INTERNAL_H

#include "compiler/shader/wgsl/wgsl.h"
#include "compiler/shader/wgsl/wgsl_ast.h"
#include "resources/base/bytes.h"

#define WGSL_MAX_RESOURCES 64u // of one entry point

struct wgsl_token {
    enum wgsl_op op;
    uint32_t at;
    struct wgsl_symbol *name;
    enum wgsl_kind number; // abstract or concrete
    struct wgsl_value value;
};

struct wgsl {
    struct gv_arena *arena;
    struct gv_error *err;
    const struct gv_wgsl_params *params;
    struct gv_wgsl_shader *out;
    // Lexer and parser.
    const char *text; // NUL-terminated
    uint32_t size, pos;
    struct wgsl_token token; // the one to be parsed next
    struct wgsl_bucket {
        struct wgsl_symbol *first;
    } * buckets; // bucket_count of them: 0 or a power of two
    uint32_t bucket_count, symbols;
    uint32_t nodes, nesting, templates;
    struct wgsl_decl *globals; // in order
    // Checker.
    uint32_t module_scope;    // > 0: locals are not visible
    struct wgsl_decl *locals; // of open scopes, innermost first
    struct wgsl_decl *function;
    uint32_t values, depth;
    uint32_t skipped; // > 0: within an operand that && or || leaves out
    // Emitter.
    struct wgsl_decl *pending, *pending_last; // functions still to be written
    struct gv_bytes types, variables, prototypes, functions, zeroing;
    uint32_t names, blocks, indent, function_count, call_count;
    uint32_t loads; // textures that wgsl_put_loads serves
    bool helpers, discards, writes_storage, has_position; // in what was written so far
    struct wgsl_bound {
        const struct wgsl_decl *decl;
        uint32_t binding;
    } bound[WGSL_MAX_RESOURCES];
    uint32_t bound_count;
};

// Fails with GV_ERR_FORMAT, GV_ERR_LIMIT or GV_ERR_UNSUPPORTED ("unsupported: WGSL X")
// at a byte of the text. They return false.
bool wgsl_fail(struct wgsl *w, uint32_t at, const char *format, ...) GV_PRINTF(3, 4);
bool wgsl_limit(struct wgsl *w, uint32_t at, const char *format, ...) GV_PRINTF(3, 4);
bool wgsl_unsupported(struct wgsl *w, uint32_t at, const char *format, ...)
    GV_PRINTF(3, 4);
bool wgsl_no_memory(struct wgsl *w);

// ---- wgsl_lexer.c ----
bool wgsl_advance(struct wgsl *w);
struct wgsl_symbol *wgsl_intern(struct wgsl *w, const char *name, size_t size);
bool wgsl_is(const struct wgsl_symbol *s, const char *text); // `s` may be NULL
const char *wgsl_op_text(enum wgsl_op op);

// ---- wgsl_parse.c ----
bool wgsl_next_is(const struct wgsl *w, enum wgsl_op op);
bool wgsl_next_name(const struct wgsl *w, const char *name);
// Steps over a token that may be there.
bool wgsl_accept(struct wgsl *w, enum wgsl_op op, bool *found);
bool wgsl_expect(struct wgsl *w, enum wgsl_op op);
struct wgsl_symbol *wgsl_expect_name(struct wgsl *w);
void *wgsl_node(struct wgsl *w, size_t size);
bool wgsl_enter(struct wgsl *w); // one level of nesting; w->nesting-- leaves it
struct wgsl_expr *wgsl_parse_expression(struct wgsl *w);
struct wgsl_expr *wgsl_parse_unary(struct wgsl *w);
// A name with templates: a type.
struct wgsl_expr *wgsl_parse_type(struct wgsl *w);
// `( a, b )` with the opening bracket still to come.
bool wgsl_parse_arguments(struct wgsl *w, struct wgsl_expr **out);
struct wgsl_expr *wgsl_expr_new(struct wgsl *w, enum wgsl_expr_kind kind, uint32_t at);

// ---- wgsl_parse_statement.c, wgsl_parse_module.c ----
struct wgsl_stmt *wgsl_parse_block(struct wgsl *w);
struct wgsl_decl *wgsl_parse_variable(struct wgsl *w, enum wgsl_decl_kind kind);
bool wgsl_parse_attributes(struct wgsl *w, struct wgsl_attributes *out);
bool wgsl_parse_module(struct wgsl *w);

// ---- wgsl_types.c ----
const struct wgsl_type *wgsl_scalar(enum wgsl_kind kind);
const struct wgsl_type *wgsl_vector(enum wgsl_kind element, uint32_t rows);
const struct wgsl_type *wgsl_matrix(enum wgsl_kind element, uint32_t columns,
                                    uint32_t rows);
struct wgsl_type *wgsl_type_new(struct wgsl *w, enum wgsl_kind kind,
                                const struct wgsl_type *element);
bool wgsl_same(const struct wgsl_type *a, const struct wgsl_type *b);
bool wgsl_is_scalar(const struct wgsl_type *t);
bool wgsl_is_abstract(const struct wgsl_type *t); // whatever its shape
bool wgsl_is_integer(enum wgsl_kind kind);
bool wgsl_is_float(enum wgsl_kind kind);
bool wgsl_is_opaque(const struct wgsl_type *t); // textures and samplers
// The scalar that vectors, matrices and arrays are made of; WGSL_VOID for others.
enum wgsl_kind wgsl_base(const struct wgsl_type *t);
// The same shape of another scalar. NULL: out of memory.
const struct wgsl_type *wgsl_reshape(struct wgsl *w, const struct wgsl_type *t,
                                     enum wgsl_kind scalar);
bool wgsl_can_become(enum wgsl_kind from, enum wgsl_kind to);
// For messages: at most `size` bytes with NUL.
const char *wgsl_type_text(const struct wgsl_type *t, char *out, size_t size);
bool wgsl_runtime_sized(const struct wgsl_type *t);
bool wgsl_has_atomics(const struct wgsl_type *t);
uint64_t wgsl_scalars(const struct wgsl_type *t); // array elements counted
uint32_t wgsl_parts(const struct wgsl_type *t);   // array elements not counted

// ---- wgsl_layout.c ----
// Whether std140 (or std430) lays `t` out just so; if not, refuses it.
bool wgsl_check_layout(struct wgsl *w, const struct wgsl_type *t, uint32_t at,
                       bool std140);

// ---- wgsl_resolve.c ----
struct wgsl_decl *wgsl_lookup(struct wgsl *w, const struct wgsl_symbol *name);
// The type that an expression names.
const struct wgsl_type *wgsl_resolve_type(struct wgsl *w, struct wgsl_expr *e);
// The type that a callee names; *out is NULL where it names none. `array` and vectors
// without templates are completed from the arguments.
bool wgsl_constructed_type(struct wgsl *w, struct wgsl_expr *e,
                           const struct wgsl_type **out);
// Makes a declaration of the module known: its type, value and GLSL.
bool wgsl_resolve_decl(struct wgsl *w, struct wgsl_decl *d);
// A constant that must be known now, at least `low`.
bool wgsl_constant(struct wgsl *w, struct wgsl_expr *e, int64_t low, int64_t high,
                   uint32_t *out);
void wgsl_open_name(struct wgsl *w, struct wgsl_decl *d); // of a local
void wgsl_close_names(struct wgsl *w, struct wgsl_decl *until);
bool wgsl_redeclared(struct wgsl *w, const struct wgsl_decl *d,
                     const struct wgsl_decl *until);

// ---- wgsl_fold.c ----
bool wgsl_fold_unary(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_fold_binary(struct wgsl *w, struct wgsl_expr *e);
// A known scalar as another type. `checked`: the value must stay what it is.
bool wgsl_fold_convert(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_value *in,
                       enum wgsl_kind from, enum wgsl_kind to, bool checked);

// ---- wgsl_fold_parts.c ----
bool wgsl_known(const struct wgsl_expr *e); // whatever its shape
bool wgsl_fold_operator(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_fold_zero(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_fold_constructor(struct wgsl *w, struct wgsl_expr *e);
// The parts of `from` as another scalar, for `e`.
bool wgsl_fold_parts(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_expr *from,
                     enum wgsl_kind to, bool checked);
bool wgsl_fold_swizzle(struct wgsl *w, struct wgsl_expr *e);
void wgsl_fold_index(struct wgsl_expr *e); // within bounds
bool wgsl_fold_builtin(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_fold_dot(struct wgsl *w, struct wgsl_expr *e);

// ---- wgsl_check*.c ----
bool wgsl_check(struct wgsl *w, struct wgsl_expr *e);
// Checks, then gives it the type `t`, or the concrete one it has by itself (NULL).
bool wgsl_check_as(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t);
// One level deeper into what declarations and expressions refer to; w->depth-- leaves.
bool wgsl_deepen(struct wgsl *w, uint32_t at);
bool wgsl_coerce(struct wgsl *w, struct wgsl_expr *e, const struct wgsl_type *t);
bool wgsl_concrete(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_check_call(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_check_constructor(struct wgsl *w, struct wgsl_expr *e,
                            const struct wgsl_type *t);
bool wgsl_check_builtin(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_check_texture(struct wgsl *w, struct wgsl_expr *e);
bool wgsl_no_overload(struct wgsl *w, const struct wgsl_expr *e); // fails
bool wgsl_is_comparison(enum wgsl_op op);
uint32_t wgsl_count(const struct wgsl_expr *list);
struct wgsl_expr *wgsl_arg(const struct wgsl_expr *e, uint32_t i);
// The scalar that both can become; false where there is none.
bool wgsl_unify(enum wgsl_kind a, enum wgsl_kind b, enum wgsl_kind *out);

// Built-in functions (wgsl_builtins.def).
enum wgsl_rule {
    WGSL_RULE_FLOAT,   // all arguments and the result of one float type
    WGSL_RULE_NUMBER,  // ... of one numeric type
    WGSL_RULE_INTEGER, // ... of one integer type
    WGSL_RULE_SIGNED,  // ... float or signed
    WGSL_RULE_MEASURE, // floats of one type; the result is their scalar
    WGSL_RULE_VECTOR,  // vectors of floats
    WGSL_RULE_SPECIAL, // wgsl_check_builtin.c has a rule for it
    WGSL_RULE_TEXTURE,
    WGSL_RULE_ATOMIC,
    WGSL_RULE_BARRIER,
    WGSL_RULE_REFUSED,
};

struct wgsl_builtin {
    const char *name;
    enum wgsl_rule rule;
    uint8_t least, most; // arguments
    const char *glsl;    // the function that does it
};

const struct wgsl_builtin *wgsl_builtin_find(const struct wgsl_symbol *name);

// ---- wgsl_flow.c ----
// A function that has a result must return one, wherever it ends.
bool wgsl_check_end(struct wgsl *w, const struct wgsl_decl *d);
// w->function calls `to`.
bool wgsl_add_call(struct wgsl *w, struct wgsl_decl *to, uint32_t at);
// Once all functions are written: none calls itself.
bool wgsl_check_calls(struct wgsl *w, struct wgsl_decl *entry);
// Selectors of a switch whose value is checked: constants, no two the same.
bool wgsl_check_cases(struct wgsl *w, const struct wgsl_stmt *s);

// ---- wgsl_emit*.c ----
void wgsl_put(struct gv_bytes *out, const char *text);
const char *wgsl_pick_name(struct wgsl *w, const struct wgsl_symbol *name, bool taken);
void wgsl_put_type(struct gv_bytes *out, const struct wgsl_type *t);
// `type name`, with an array's dimensions behind either.
void wgsl_put_declarator(struct gv_bytes *out, const struct wgsl_type *t,
                         const char *name);
bool wgsl_put_zero(struct wgsl *w, struct gv_bytes *out, const struct wgsl_type *t,
                   uint32_t at);
void wgsl_put_scalar(struct gv_bytes *out, const struct wgsl_value *v,
                     enum wgsl_kind kind);
bool wgsl_put_expression(struct wgsl *w, struct gv_bytes *out,
                         const struct wgsl_expr *e);
// An argument, with those behind it.
bool wgsl_put_argument(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e,
                       const struct wgsl_expr *later);
bool wgsl_put_binary(struct wgsl *w, struct gv_bytes *out, enum wgsl_op op,
                     const struct wgsl_expr *a, const struct wgsl_expr *b,
                     const struct wgsl_type *type);
bool wgsl_put_builtin(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e);
void wgsl_put_helpers(struct wgsl *w, struct gv_bytes *out);
void wgsl_put_loads(struct wgsl *w, struct gv_bytes *out);
bool wgsl_put_texture(struct wgsl *w, struct gv_bytes *out, const struct wgsl_expr *e);
// Whether a checked expression is known before the shader runs.
bool wgsl_is_constant(const struct wgsl_expr *e);
// Checks a variable's type and value.
bool wgsl_declare(struct wgsl *w, struct wgsl_decl *d);
bool wgsl_put_variable(struct wgsl *w, struct gv_bytes *out, const struct wgsl_decl *d);
// An assignment or a call, without the semicolon.
bool wgsl_put_simple(struct wgsl *w, struct gv_bytes *out, const struct wgsl_stmt *s);
bool wgsl_put_global(struct wgsl *w, struct wgsl_decl *d);
bool wgsl_put_struct(struct wgsl *w, struct wgsl_decl *d);
bool wgsl_put_function(struct wgsl *w, struct wgsl_decl *d);
bool wgsl_put_entry(struct wgsl *w, struct wgsl_decl *d, struct gv_bytes *interface,
                    struct gv_bytes *body);
bool wgsl_check_size(struct wgsl *w, const struct gv_bytes *out, uint32_t at);

#endif
