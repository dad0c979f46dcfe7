// Statements.
#include "compiler/shader/wgsl/wgsl_internal.h"

static struct wgsl_stmt *statement(struct wgsl *w, enum wgsl_stmt_kind kind)
{
    struct wgsl_stmt *s = wgsl_node(w, sizeof *s);
    if (s) {
        s->kind = kind;
        s->at = w->token.at;
    }
    return s;
}

static struct wgsl_stmt *parse_statement(struct wgsl *w);

struct wgsl_stmt *wgsl_parse_block(struct wgsl *w)
{
    struct wgsl_stmt *block = statement(w, WGSL_BLOCK);
    struct wgsl_attributes ignored = { 0 };
    if (!block || !wgsl_parse_attributes(w, &ignored) || !wgsl_enter(w) ||
        !wgsl_expect(w, WGSL_OPEN_BLOCK))
        return NULL;
    struct wgsl_stmt **end = &block->body;
    while (!wgsl_next_is(w, WGSL_CLOSE_BLOCK)) {
        if (wgsl_next_is(w, WGSL_SEMICOLON)) {
            if (!wgsl_advance(w))
                return NULL;
            continue;
        }
        *end = parse_statement(w);
        if (!*end)
            return NULL;
        end = &(*end)->next;
    }
    w->nesting--;
    return wgsl_advance(w) ? block : NULL;
}

// ---- assignments and calls ----

static enum wgsl_op compound(enum wgsl_op op)
{
    switch ((int)op) {
    case WGSL_ADD_ASSIGN:
        return WGSL_ADD;
    case WGSL_SUBTRACT_ASSIGN:
        return WGSL_SUBTRACT;
    case WGSL_MULTIPLY_ASSIGN:
        return WGSL_MULTIPLY;
    case WGSL_DIVIDE_ASSIGN:
        return WGSL_DIVIDE;
    case WGSL_REMAINDER_ASSIGN:
        return WGSL_REMAINDER;
    case WGSL_AND_ASSIGN:
        return WGSL_AND;
    case WGSL_OR_ASSIGN:
        return WGSL_OR;
    case WGSL_XOR_ASSIGN:
        return WGSL_XOR;
    case WGSL_LEFT_SHIFT_ASSIGN:
        return WGSL_LEFT_SHIFT;
    default:
        return WGSL_END;
    }
}

// `>>=` comes as '>' and two characters that no other token has in this place.
static bool next_is_right_shift_assign(const struct wgsl *w)
{
    const char *rest = w->text + w->pos;
    return wgsl_next_is(w, WGSL_GREATER) && rest[0] == '>' && rest[1] == '=';
}

// i++ is i += 1.
static struct wgsl_stmt *parse_step(struct wgsl *w, struct wgsl_stmt *s)
{
    s->op = wgsl_next_is(w, WGSL_INCREMENT) ? WGSL_ADD : WGSL_SUBTRACT;
    s->b = wgsl_expr_new(w, WGSL_LITERAL, w->token.at);
    if (!s->b)
        return NULL;
    s->b->type = wgsl_scalar(WGSL_ABSTRACT_INT);
    s->b->value = (struct wgsl_value){ true, 1, 1 };
    return wgsl_advance(w) ? s : NULL;
}

static struct wgsl_stmt *parse_set(struct wgsl *w, struct wgsl_stmt *s)
{
    s->kind = WGSL_SET;
    if (wgsl_next_is(w, WGSL_INCREMENT) || wgsl_next_is(w, WGSL_DECREMENT))
        return parse_step(w, s);
    if (next_is_right_shift_assign(w)) {
        s->op = WGSL_RIGHT_SHIFT;
        w->pos += 2;
    } else if (!wgsl_next_is(w, WGSL_ASSIGN)) {
        s->op = compound(w->token.op);
        if (s->op == WGSL_END) {
            wgsl_fail(w, w->token.at, "'=' expected");
            return NULL;
        }
    }
    if (!wgsl_advance(w))
        return NULL;
    s->b = wgsl_parse_expression(w);
    return s->b ? s : NULL;
}

// An assignment, a step or a call, without the semicolon.
static struct wgsl_stmt *parse_simple(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_EVALUATE);
    if (!s)
        return NULL;
    if (wgsl_next_name(w, "_")) {
        s->kind = WGSL_IGNORE;
        if (!wgsl_advance(w) || !wgsl_expect(w, WGSL_ASSIGN))
            return NULL;
        s->b = wgsl_parse_expression(w);
        return s->b ? s : NULL;
    }
    s->a = wgsl_parse_unary(w);
    if (!s->a)
        return NULL;
    bool call = s->a->kind == WGSL_CALL && !s->a->parenthesised;
    return call ? s : parse_set(w, s);
}

static struct wgsl_stmt *parse_declaration(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_DECLARE);
    if (!s)
        return NULL;
    enum wgsl_decl_kind kind = wgsl_next_name(w, "let")     ? WGSL_DECL_LET
                               : wgsl_next_name(w, "const") ? WGSL_DECL_CONST
                                                            : WGSL_DECL_VAR;
    s->decl = wgsl_parse_variable(w, kind);
    return s->decl ? s : NULL;
}

static bool next_is_declaration(const struct wgsl *w)
{
    return wgsl_next_name(w, "let") || wgsl_next_name(w, "const") ||
           wgsl_next_name(w, "var");
}

// ---- control flow ----

// `else if` chains are lists, not trees: they may be long.
static struct wgsl_stmt *parse_if(struct wgsl *w)
{
    struct wgsl_stmt *first = NULL, **end = &first;
    for (;;) {
        struct wgsl_stmt *arm = statement(w, WGSL_IF);
        if (!arm || !wgsl_advance(w) || !(arm->a = wgsl_parse_expression(w)) ||
            !(arm->body = wgsl_parse_block(w)))
            return NULL;
        *end = arm;
        if (!wgsl_next_name(w, "else"))
            return first;
        if (!wgsl_advance(w))
            return NULL;
        end = &arm->other;
        if (!wgsl_next_name(w, "if")) {
            arm->other = wgsl_parse_block(w);
            return arm->other ? first : NULL;
        }
    }
}

// `case a, default, b:` or `default:`, then a block.
static struct wgsl_stmt *parse_case(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_CASE);
    bool more = true, found;
    if (!s)
        return NULL;
    struct wgsl_expr **end = &s->a;
    if (wgsl_next_name(w, "default"))
        more = false, s->is_default = true;
    else if (!wgsl_next_name(w, "case")) {
        wgsl_fail(w, w->token.at, "'case' expected");
        return NULL;
    }
    if (!wgsl_advance(w))
        return NULL;
    while (more && !wgsl_next_is(w, WGSL_COLON) && !wgsl_next_is(w, WGSL_OPEN_BLOCK)) {
        if (wgsl_next_name(w, "default")) {
            s->is_default = true;
            if (!wgsl_advance(w))
                return NULL;
        } else {
            *end = wgsl_parse_expression(w);
            if (!*end)
                return NULL;
            end = &(*end)->next;
        }
        if (!wgsl_accept(w, WGSL_COMMA, &more))
            return NULL;
    }
    if (!s->a && !s->is_default) {
        wgsl_fail(w, s->at, "case without a selector");
        return NULL;
    }
    if (!wgsl_accept(w, WGSL_COLON, &found))
        return NULL;
    s->body = wgsl_parse_block(w);
    return s->body ? s : NULL;
}

static struct wgsl_stmt *parse_switch(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_SWITCH);
    if (!s || !wgsl_advance(w) || !(s->a = wgsl_parse_expression(w)) ||
        !wgsl_enter(w) || !wgsl_expect(w, WGSL_OPEN_BLOCK))
        return NULL;
    struct wgsl_stmt **end = &s->body;
    while (!wgsl_next_is(w, WGSL_CLOSE_BLOCK)) {
        *end = parse_case(w);
        if (!*end)
            return NULL;
        end = &(*end)->next;
    }
    w->nesting--;
    return wgsl_advance(w) ? s : NULL;
}

// Takes the `continuing` block off the end of a loop's body.
static bool split_continuing(struct wgsl *w, struct wgsl_stmt *loop)
{
    for (struct wgsl_stmt **at = &loop->body->body; *at; at = &(*at)->next)
        if ((*at)->kind == WGSL_LOOP && !(*at)->body) {
            if ((*at)->next)
                return wgsl_fail(w, (*at)->next->at, "statement behind continuing");
            loop->other = (*at)->other;
            *at = NULL;
            return true;
        }
    return true;
}

static struct wgsl_stmt *parse_loop(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_LOOP);
    return s && wgsl_advance(w) && (s->body = wgsl_parse_block(w)) &&
                   split_continuing(w, s)
               ? s
               : NULL;
}

// A loop without a body, until split_continuing finds it.
static struct wgsl_stmt *parse_continuing(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_LOOP);
    return s && wgsl_advance(w) && (s->other = wgsl_parse_block(w)) ? s : NULL;
}

static bool parse_for_header(struct wgsl *w, struct wgsl_stmt *s)
{
    if (!wgsl_expect(w, WGSL_OPEN))
        return false;
    if (!wgsl_next_is(w, WGSL_SEMICOLON)) {
        s->init = next_is_declaration(w) ? parse_declaration(w) : parse_simple(w);
        if (!s->init)
            return false;
    }
    if (!wgsl_expect(w, WGSL_SEMICOLON))
        return false;
    if (!wgsl_next_is(w, WGSL_SEMICOLON) && !(s->a = wgsl_parse_expression(w)))
        return false;
    if (!wgsl_expect(w, WGSL_SEMICOLON))
        return false;
    if (!wgsl_next_is(w, WGSL_CLOSE) && !(s->step = parse_simple(w)))
        return false;
    return wgsl_expect(w, WGSL_CLOSE);
}

static struct wgsl_stmt *parse_for(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_FOR);
    return s && wgsl_advance(w) && parse_for_header(w, s) &&
                   (s->body = wgsl_parse_block(w))
               ? s
               : NULL;
}

static struct wgsl_stmt *parse_while(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_FOR);
    return s && wgsl_advance(w) && (s->a = wgsl_parse_expression(w)) &&
                   (s->body = wgsl_parse_block(w))
               ? s
               : NULL;
}

static struct wgsl_stmt *parse_break(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_BREAK);
    if (!s || !wgsl_advance(w) || !wgsl_next_name(w, "if"))
        return s;
    s->kind = WGSL_BREAK_IF;
    return wgsl_advance(w) && (s->a = wgsl_parse_expression(w)) ? s : NULL;
}

static struct wgsl_stmt *parse_return(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_RETURN);
    if (!s || !wgsl_advance(w))
        return NULL;
    if (!wgsl_next_is(w, WGSL_SEMICOLON) && !(s->a = wgsl_parse_expression(w)))
        return NULL;
    return s;
}

static struct wgsl_stmt *parse_assert(struct wgsl *w)
{
    struct wgsl_stmt *s = statement(w, WGSL_ASSERT);
    return s && wgsl_advance(w) && (s->a = wgsl_parse_expression(w)) ? s : NULL;
}

static struct wgsl_stmt *parse_word(struct wgsl *w, enum wgsl_stmt_kind kind)
{
    struct wgsl_stmt *s = statement(w, kind);
    return s && wgsl_advance(w) ? s : NULL;
}

static struct wgsl_stmt *ended(struct wgsl *w, struct wgsl_stmt *s)
{
    return s && wgsl_expect(w, WGSL_SEMICOLON) ? s : NULL;
}

static struct wgsl_stmt *parse_statement(struct wgsl *w)
{
    static const struct {
        const char *word;
        struct wgsl_stmt *(*parse)(struct wgsl *w);
        bool semicolon;
    } words[] = {
        { "if", parse_if, false },
        { "switch", parse_switch, false },
        { "loop", parse_loop, false },
        { "continuing", parse_continuing, false },
        { "for", parse_for, false },
        { "while", parse_while, false },
        { "break", parse_break, true },
        { "return", parse_return, true },
        { "let", parse_declaration, true },
        { "var", parse_declaration, true },
        { "const", parse_declaration, true },
        { "const_assert", parse_assert, true },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wgsl_next_name(w, words[i].word)) {
            struct wgsl_stmt *s = words[i].parse(w);
            return words[i].semicolon ? ended(w, s) : s;
        }
    if (wgsl_next_name(w, "continue"))
        return ended(w, parse_word(w, WGSL_CONTINUE));
    if (wgsl_next_name(w, "discard"))
        return ended(w, parse_word(w, WGSL_DISCARD));
    if (wgsl_next_is(w, WGSL_OPEN_BLOCK) || wgsl_next_is(w, WGSL_AT))
        return wgsl_parse_block(w);
    return ended(w, parse_simple(w));
}
