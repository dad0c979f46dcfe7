// Expressions and types: recursive descent, operators by precedence.
#include "compiler/shader/wgsl/wgsl_internal.h"

bool wgsl_next_is(const struct wgsl *w, enum wgsl_op op)
{
    return w->token.op == op;
}

bool wgsl_next_name(const struct wgsl *w, const char *name)
{
    return w->token.op == WGSL_NAME && wgsl_is(w->token.name, name);
}

bool wgsl_accept(struct wgsl *w, enum wgsl_op op, bool *found)
{
    *found = w->token.op == op;
    return !*found || wgsl_advance(w);
}

bool wgsl_expect(struct wgsl *w, enum wgsl_op op)
{
    if (w->token.op != op)
        return wgsl_fail(w, w->token.at, "'%s' expected", wgsl_op_text(op));
    return wgsl_advance(w);
}

// Names that WGSL keeps to itself.
static bool is_keyword(const struct wgsl_symbol *s)
{
    static const char *const words[] = {
        "alias",    "break",      "case",    "const",      "const_assert", "continue",
        "discard",  "else",       "default", "continuing", "enable",       "false",
        "fn",       "for",        "if",      "let",        "loop",         "override",
        "return",   "struct",     "switch",  "true",       "var",          "while",
        "requires", "diagnostic", "_",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wgsl_is(s, words[i]))
            return true;
    return false;
}

struct wgsl_symbol *wgsl_expect_name(struct wgsl *w)
{
    struct wgsl_symbol *name = w->token.name;
    if (w->token.op != WGSL_NAME || is_keyword(name)) {
        wgsl_fail(w, w->token.at, "a name expected");
        return NULL;
    }
    return wgsl_advance(w) ? name : NULL;
}

void *wgsl_node(struct wgsl *w, size_t size)
{
    if (++w->nodes > GV_WGSL_MAX_NODES) {
        wgsl_limit(w, w->token.at, "more than %u parts", GV_WGSL_MAX_NODES);
        return NULL;
    }
    void *node = gv_arena_alloc(w->arena, size);
    if (!node)
        wgsl_no_memory(w);
    return node;
}

bool wgsl_enter(struct wgsl *w)
{
    if (++w->nesting > GV_WGSL_MAX_NESTING)
        return wgsl_limit(w, w->token.at, "nested deeper than %d", GV_WGSL_MAX_NESTING);
    return true;
}

struct wgsl_expr *wgsl_expr_new(struct wgsl *w, enum wgsl_expr_kind kind, uint32_t at)
{
    struct wgsl_expr *e = wgsl_node(w, sizeof *e);
    if (e) {
        e->kind = kind;
        e->at = at;
        e->depth = 1;
    }
    return e;
}

// Appends an operand; the tree must stay shallow enough to be walked.
static bool add_operand(struct wgsl *w, struct wgsl_expr *e, struct wgsl_expr *operand)
{
    struct wgsl_expr **end = &e->args;
    while (*end)
        end = &(*end)->next;
    *end = operand;
    if (e->depth <= operand->depth)
        e->depth = (uint16_t)(operand->depth + 1);
    if (e->depth > GV_WGSL_MAX_DEPTH)
        return wgsl_limit(w, e->at, "expression deeper than %d", GV_WGSL_MAX_DEPTH);
    return true;
}

// ---- templates and arguments ----

// `a, b` up to `close`, which is left to come. A comma may end the list.
static bool parse_list(struct wgsl *w, enum wgsl_op close, struct wgsl_expr **out)
{
    bool comma = true;
    while (comma && !wgsl_next_is(w, close)) {
        *out = wgsl_parse_expression(w);
        if (!*out || !wgsl_accept(w, WGSL_COMMA, &comma))
            return false;
        out = &(*out)->next;
    }
    return true;
}

bool wgsl_parse_arguments(struct wgsl *w, struct wgsl_expr **out)
{
    uint32_t templates = w->templates;
    w->templates = 0;
    bool ok = wgsl_enter(w) && wgsl_expect(w, WGSL_OPEN) &&
              parse_list(w, WGSL_CLOSE, out) && wgsl_expect(w, WGSL_CLOSE);
    w->nesting--;
    w->templates = templates;
    return ok;
}

// `<a, b>`. Inside, '>' closes the list unless brackets protect it.
static bool parse_templates(struct wgsl *w, struct wgsl_expr *e)
{
    e->templated = true;
    w->templates++;
    bool ok = wgsl_enter(w) && wgsl_expect(w, WGSL_LESS) &&
              parse_list(w, WGSL_GREATER, &e->templates);
    w->nesting--;
    w->templates--;
    return ok && wgsl_expect(w, WGSL_GREATER);
}

// Whether `<` behind this name begins templates. WGSL looks ahead for the matching '>';
// only built-in names can have templates, so the name is enough.
static bool takes_templates(const struct wgsl_symbol *s)
{
    static const char *const names[] = { "array", "vec2",   "vec3",    "vec4",
                                         "ptr",   "atomic", "bitcast", "var" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wgsl_is(s, names[i]))
            return true;
    const char *n = s->name;
    return (s->size == 6 && n[0] == 'm' && n[1] == 'a' && n[2] == 't' && n[4] == 'x') ||
           (s->size > 8 && n[0] == 't' && n[1] == 'e' && n[2] == 'x' && n[7] == '_');
}

static struct wgsl_expr *parse_named(struct wgsl *w)
{
    struct wgsl_expr *e = wgsl_expr_new(w, WGSL_IDENTIFIER, w->token.at);
    if (!e || !(e->name = wgsl_expect_name(w)))
        return NULL;
    if (wgsl_next_is(w, WGSL_LESS) && takes_templates(e->name) && !e->name->local &&
        !e->name->global && !parse_templates(w, e))
        return NULL;
    return e;
}

struct wgsl_expr *wgsl_parse_type(struct wgsl *w)
{
    return parse_named(w);
}

// ---- primary expressions ----

static struct wgsl_expr *parse_literal(struct wgsl *w, enum wgsl_kind kind,
                                       struct wgsl_value value)
{
    struct wgsl_expr *e = wgsl_expr_new(w, WGSL_LITERAL, w->token.at);
    if (!e)
        return NULL;
    e->value = value;
    e->type = wgsl_scalar(kind);
    return wgsl_advance(w) ? e : NULL;
}

static struct wgsl_expr *parse_bracketed(struct wgsl *w)
{
    uint32_t templates = w->templates;
    w->templates = 0;
    if (!wgsl_enter(w) || !wgsl_advance(w))
        return NULL;
    struct wgsl_expr *e = wgsl_parse_expression(w);
    w->templates = templates;
    w->nesting--;
    if (!e || !wgsl_expect(w, WGSL_CLOSE))
        return NULL;
    e->parenthesised = true;
    return e;
}

static struct wgsl_expr *parse_primary(struct wgsl *w)
{
    if (wgsl_next_is(w, WGSL_OPEN))
        return parse_bracketed(w);
    if (wgsl_next_is(w, WGSL_NUMBER))
        return parse_literal(w, w->token.number, w->token.value);
    if (wgsl_next_name(w, "true") || wgsl_next_name(w, "false"))
        return parse_literal(w, WGSL_BOOL,
                             (struct wgsl_value){ true, wgsl_next_name(w, "true"), 0 });
    struct wgsl_expr *e = parse_named(w);
    if (!e || !wgsl_next_is(w, WGSL_OPEN))
        return e;
    e->kind = WGSL_CALL;
    if (!wgsl_parse_arguments(w, &e->args))
        return NULL;
    for (struct wgsl_expr *arg = e->args; arg; arg = arg->next)
        if (e->depth <= arg->depth)
            e->depth = (uint16_t)(arg->depth + 1);
    if (e->depth > GV_WGSL_MAX_DEPTH) {
        wgsl_limit(w, e->at, "expression deeper than %d", GV_WGSL_MAX_DEPTH);
        return NULL;
    }
    return e;
}

static struct wgsl_expr *parse_index(struct wgsl *w, struct wgsl_expr *base)
{
    uint32_t templates = w->templates;
    struct wgsl_expr *e = wgsl_expr_new(w, WGSL_INDEX, w->token.at);
    w->templates = 0;
    if (!e || !wgsl_enter(w) || !wgsl_advance(w))
        return NULL;
    struct wgsl_expr *index = wgsl_parse_expression(w);
    w->nesting--;
    w->templates = templates;
    return index && wgsl_expect(w, WGSL_CLOSE_INDEX) && add_operand(w, e, base) &&
                   add_operand(w, e, index)
               ? e
               : NULL;
}

static struct wgsl_expr *parse_postfix(struct wgsl *w)
{
    struct wgsl_expr *e = parse_primary(w);
    while (e) {
        struct wgsl_expr *base = e;
        if (wgsl_next_is(w, WGSL_OPEN_INDEX)) {
            e = parse_index(w, base);
        } else if (wgsl_next_is(w, WGSL_DOT)) {
            e = wgsl_expr_new(w, WGSL_MEMBER, w->token.at);
            if (!e || !wgsl_advance(w) || !(e->name = wgsl_expect_name(w)) ||
                !add_operand(w, e, base))
                return NULL;
        } else {
            return e;
        }
    }
    return NULL;
}

struct wgsl_expr *wgsl_parse_unary(struct wgsl *w)
{
    static const struct {
        enum wgsl_op token, op;
    } operators[] = {
        { WGSL_SUBTRACT, WGSL_NEGATE },       { WGSL_NOT, WGSL_NOT },
        { WGSL_COMPLEMENT, WGSL_COMPLEMENT }, { WGSL_AND, WGSL_ADDRESS_OF },
        { WGSL_MULTIPLY, WGSL_INDIRECTION },
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (!wgsl_next_is(w, operators[i].token))
            continue;
        struct wgsl_expr *e = wgsl_expr_new(w, WGSL_UNARY, w->token.at);
        if (!e || !wgsl_enter(w) || !wgsl_advance(w))
            return NULL;
        e->op = operators[i].op;
        struct wgsl_expr *operand = wgsl_parse_unary(w);
        w->nesting--;
        return operand && add_operand(w, e, operand) ? e : NULL;
    }
    return parse_postfix(w);
}

// ---- binary operators ----

enum level {
    LEVEL_NONE,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_BITS,
    LEVEL_COMPARE,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
};

static enum level level_of(enum wgsl_op op)
{
    if (op == WGSL_LOGICAL_OR)
        return LEVEL_OR;
    if (op == WGSL_LOGICAL_AND)
        return LEVEL_AND;
    if (op == WGSL_AND || op == WGSL_OR || op == WGSL_XOR)
        return LEVEL_BITS;
    if (op == WGSL_EQUAL || op == WGSL_NOT_EQUAL || op == WGSL_LESS ||
        op == WGSL_GREATER || op == WGSL_LESS_EQUAL || op == WGSL_GREATER_EQUAL)
        return LEVEL_COMPARE;
    if (op == WGSL_LEFT_SHIFT || op == WGSL_RIGHT_SHIFT)
        return LEVEL_SHIFT;
    if (op == WGSL_ADD || op == WGSL_SUBTRACT)
        return LEVEL_ADD;
    if (op == WGSL_MULTIPLY || op == WGSL_DIVIDE || op == WGSL_REMAINDER)
        return LEVEL_MULTIPLY;
    return LEVEL_NONE;
}

// The operator to come; `>>` and `>=` are put together from '>' and what follows it.
// `extra` bytes belong to it besides the token.
static enum wgsl_op next_operator(const struct wgsl *w, uint32_t *extra)
{
    *extra = 0;
    if (w->token.op != WGSL_GREATER)
        return w->token.op;
    if (w->templates)
        return WGSL_END;
    const char *rest = w->text + w->pos;
    *extra = rest[0] == '>' || rest[0] == '=' ? 1 : 0;
    if (rest[0] == '>' && rest[1] == '=')
        return WGSL_END; // an assignment
    return rest[0] == '>'   ? WGSL_RIGHT_SHIFT
           : rest[0] == '=' ? WGSL_GREATER_EQUAL
                            : WGSL_GREATER;
}

// WGSL wants brackets where C programmers guess: `a & b == c`, `a << b + c`,
// `a && b || c`, `a < b < c` are not in its grammar.
static bool may_contain(const struct wgsl_expr *e, const struct wgsl_expr *operand,
                        bool left)
{
    if (operand->kind != WGSL_BINARY || operand->parenthesised)
        return true;
    enum level outer = level_of(e->op), inner = level_of(operand->op);
    switch (outer) {
    case LEVEL_OR:
    case LEVEL_AND:
        return inner == outer || inner >= LEVEL_COMPARE;
    case LEVEL_BITS:
        return left && operand->op == e->op;
    case LEVEL_COMPARE:
        return inner >= LEVEL_SHIFT;
    case LEVEL_SHIFT:
        return false;
    case LEVEL_ADD:
    case LEVEL_MULTIPLY:
    case LEVEL_NONE:
        break;
    }
    return inner >= outer;
}

static struct wgsl_expr *binary(struct wgsl *w, enum wgsl_op op, uint32_t at,
                                struct wgsl_expr *a, struct wgsl_expr *b)
{
    struct wgsl_expr *e = wgsl_expr_new(w, WGSL_BINARY, at);
    if (!e)
        return NULL;
    e->op = op;
    if (!add_operand(w, e, a) || !add_operand(w, e, b))
        return NULL;
    if (!may_contain(e, a, true) || !may_contain(e, b, false)) {
        wgsl_fail(w, at, "'%s' among other operators needs brackets", wgsl_op_text(op));
        return NULL;
    }
    return e;
}

static struct wgsl_expr *parse_binary(struct wgsl *w, enum level lowest)
{
    struct wgsl_expr *e = wgsl_parse_unary(w);
    while (e) {
        uint32_t extra, at = w->token.at;
        enum wgsl_op op = next_operator(w, &extra);
        enum level level = level_of(op);
        if (level == LEVEL_NONE || level < lowest)
            return e;
        w->pos += extra;
        if (!wgsl_advance(w))
            return NULL;
        struct wgsl_expr *right = parse_binary(w, level + 1);
        e = right ? binary(w, op, at, e, right) : NULL;
    }
    return NULL;
}

struct wgsl_expr *wgsl_parse_expression(struct wgsl *w)
{
    return parse_binary(w, LEVEL_OR);
}
