#include "compiler/shader/glsl/text/glsl_macros.h"

#include <stdio.h>
#include <string.h>

// What is expanded: lists one within another, the innermost first; below them the text
// that is read, if `reads`.
struct frame {
    const struct macro_token *items;
    size_t count, at;
    struct macro *macro; // that made them, NULL: none
};

struct expansion {
    struct preprocessor *p;
    struct frame *frames;
    size_t count, capacity;
    bool reads, condition;
};

// ---- lists and macros ----

bool macro_is(const struct macro_token *t, const char *text)
{
    return t->size == strlen(text) && !memcmp(t->text, text, t->size);
}

bool macro_push(struct preprocessor *p, struct macro_tokens *to,
                const struct macro_token *t)
{
    if (to->count == to->capacity) {
        const size_t more = to->capacity ? 2 * to->capacity : 8;
        struct macro_token *items = gv_arena_array(p->arena, more, sizeof *items);
        if (!items)
            return gv_out_of_memory(p->err);
        if (to->count)
            memcpy(items, to->items, to->count * sizeof *items);
        to->items = items;
        to->capacity = more;
    }
    to->items[to->count++] = *t;
    return true;
}

// The same of a token that a macro makes.
static bool make(struct preprocessor *p, struct macro_tokens *to,
                 const struct macro_token *t)
{
    if (++p->work > GV_MAX_GLSL_EXPANSION)
        return macro_refuse(p, GV_ERR_LIMIT, "macros that make too many tokens");
    struct macro_token made = *t;
    made.made = true;
    return macro_push(p, to, &made);
}

static struct macro **chain_of(struct preprocessor *p, const struct macro_token *name)
{
    uint32_t h = 2166136261u; // FNV-1a
    for (uint32_t i = 0; i < name->size; i++)
        h = (h ^ (unsigned char)name->text[i]) * 16777619u;
    return &p->chains[h % GLSL_MACRO_CHAINS];
}

static struct macro **place_of(struct preprocessor *p, const struct macro_token *name)
{
    struct macro **at = chain_of(p, name);
    while (*at && ((*at)->size != name->size ||
                   memcmp((*at)->name, name->text, name->size) != 0))
        at = &(*at)->next;
    return at;
}

struct macro *macro_find(const struct preprocessor *p, const struct macro_token *name)
{
    return *place_of((struct preprocessor *)p, name);
}

bool macro_defined(const struct preprocessor *p, const struct macro_token *name)
{
    return macro_find(p, name) || macro_is(name, "__LINE__") ||
           macro_is(name, "__FILE__") || macro_is(name, "__VERSION__");
}

void macro_undefine(struct preprocessor *p, const struct macro_token *name)
{
    struct macro **at = place_of(p, name);
    if (*at)
        *at = (*at)->next;
}

bool macro_define(struct preprocessor *p, const struct macro *m)
{
    const struct macro_token name = { .text = m->name, .size = m->size };
    struct macro *own = gv_arena_alloc(p->arena, sizeof *own);
    if (!own)
        return gv_out_of_memory(p->err);
    macro_undefine(p, &name);
    struct macro **at = chain_of(p, &name);
    *own = *m;
    own->next = *at;
    *at = own;
    return true;
}

// ---- one within another ----

static bool open_frame(struct expansion *e, const struct macro_tokens *list,
                       struct macro *m)
{
    if (e->count == e->capacity) {
        const size_t more = e->capacity ? 2 * e->capacity : 8;
        struct frame *frames = gv_arena_array(e->p->arena, more, sizeof *frames);
        if (!frames)
            return gv_out_of_memory(e->p->err);
        if (e->count)
            memcpy(frames, e->frames, e->count * sizeof *frames);
        e->frames = frames;
        e->capacity = more;
    }
    e->frames[e->count++] = (struct frame){ list->items, list->count, 0, m };
    if (m)
        m->active = true;
    return true;
}

static void close_frame(struct expansion *e)
{
    const struct frame *f = &e->frames[--e->count];
    if (f->macro)
        f->macro->active = false;
}

static struct macro_token take(struct expansion *e)
{
    while (e->count && e->frames[e->count - 1].at == e->frames[e->count - 1].count)
        close_frame(e);
    if (e->count) {
        struct frame *f = &e->frames[e->count - 1];
        return f->items[f->at++];
    }
    return e->reads ? macro_read(e->p) : (struct macro_token){ .kind = MACRO_END };
}

// The newline that `t` is, between a macro's name and the end of its arguments: space,
// and owed to the text.
static bool pass_newline(struct expansion *e, const struct macro_token *t)
{
    if (t->kind != MACRO_NEWLINE)
        return false;
    e->p->reader.owed++;
    return true;
}

// Whether an opening parenthesis is next, which is taken then. Newlines may stand in
// front of it, a directive not.
static bool take_open(struct expansion *e)
{
    for (size_t i = e->count; i-- > 0;) {
        const struct frame *f = &e->frames[i];
        if (f->at == f->count)
            continue;
        const bool open = macro_is(&f->items[f->at], "(");
        if (open)
            take(e);
        return open;
    }
    if (!e->reads)
        return false;
    const struct macro_reader before = e->p->reader;
    struct macro_token t = macro_read(e->p);
    while (pass_newline(e, &t))
        t = macro_read(e->p);
    if (macro_is(&t, "("))
        return true;
    e->p->reader = before;
    return false;
}

// ---- arguments ----

struct argument {
    struct macro_tokens tokens, expanded;
    bool known; // `expanded` is
};

// `all` has room for one, and for each parameter.
static bool read_arguments(struct expansion *e, const struct macro *m,
                           struct argument *all)
{
    static const char wrong[] = "a macro with too few or too many arguments";
    bool spaced = false;
    size_t count = 1;
    for (unsigned depth = 1;;) {
        struct macro_token t = take(e);
        if (t.kind == MACRO_END || t.kind == MACRO_DIRECTIVE)
            return macro_refuse(e->p, GV_ERR_FORMAT,
                                "a macro's arguments without an end");
        if (pass_newline(e, &t)) {
            spaced = true;
            continue;
        }
        depth += macro_is(&t, "(");
        depth -= macro_is(&t, ")");
        if (!depth)
            break;
        if (depth == 1 && macro_is(&t, ",")) {
            if (++count > m->param_count)
                return macro_refuse(e->p, GV_ERR_FORMAT, wrong);
            continue;
        }
        t.spaced |= spaced;
        spaced = false;
        if (!make(e->p, &all[count - 1].tokens, &t))
            return false;
    }
    const bool none = count == 1 && !all->tokens.count && !m->param_count;
    return none || count == m->param_count || macro_refuse(e->p, GV_ERR_FORMAT, wrong);
}

// ---- ## ----

static bool is_paste(const struct macro_token *t)
{
    return macro_is(t, "##");
}

// What two tokens become one of: a word, a number, some operators.
static uint8_t pasted_kind(const struct glsl_token *t)
{
    static const char *const operators[] = { "<<", ">>", "<=", ">=",
                                             "==", "!=", "&&", "||" };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (glsl_token_is(t, operators[i]))
            return MACRO_OTHER;
    return t->kind == GLSL_IDENTIFIER ? MACRO_WORD
           : t->kind == GLSL_NUMBER   ? MACRO_NUMBER
                                      : MACRO_NOTHING;
}

static bool paste(struct preprocessor *p, struct macro_token *left,
                  const struct macro_token *right)
{
    if (right->kind == MACRO_NOTHING)
        return true;
    if (left->kind == MACRO_NOTHING) {
        *left = *right;
        return true;
    }
    const size_t size = (size_t)left->size + right->size;
    p->work += size / 8; // pasted again and again
    char *text =
        p->work > GV_MAX_GLSL_EXPANSION ? NULL : gv_arena_alloc(p->arena, size + 1);
    if (p->work > GV_MAX_GLSL_EXPANSION)
        return macro_refuse(p, GV_ERR_LIMIT, "macros that make too many tokens");
    if (!text)
        return gv_out_of_memory(p->err);
    memcpy(text, left->text, left->size);
    memcpy(text + left->size, right->text, right->size);
    const struct glsl_token t = glsl_token_at(text);
    const bool suffix = left->kind == MACRO_NUMBER && right->kind == MACRO_WORD;
    left->text = text;
    left->size = (uint32_t)size;
    left->kind = pasted_kind(&t);
    left->finished = false;
    return (t.size == size && left->kind != MACRO_NOTHING && !suffix) ||
           macro_refuse(p, GV_ERR_FORMAT, "## of what makes no token");
}

static bool paste_all(struct preprocessor *p, struct macro_tokens *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (is_paste(&list->items[i])) {
            if (!kept || i + 1 == list->count)
                return macro_refuse(p, GV_ERR_FORMAT, "## at an end of a macro");
            if (!paste(p, &list->items[kept - 1], &list->items[++i]))
                return false;
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = 0;
    for (size_t i = 0; i < kept; i++)
        if (list->items[i].kind != MACRO_NOTHING)
            list->items[list->count++] = list->items[i];
    return true;
}

// ---- expansion ----

static size_t param_of(const struct macro *m, const struct macro_token *t)
{
    size_t i = 0;
    while (i < m->param_count && (m->params[i].size != t->size ||
                                  memcmp(m->params[i].text, t->text, t->size) != 0))
        i++;
    return i;
}

// As in Mesa an argument is expanded beside ##, too.
static bool put_argument(struct expansion *e, struct argument *a, bool spaced,
                         struct macro_tokens *out)
{
    const struct macro_tokens *list = &a->expanded;
    if (!a->known && !macro_expand_list(e->p, &a->tokens, e->condition, &a->expanded))
        return false;
    a->known = true;
    const size_t first = out->count;
    for (size_t i = 0; i < list->count; i++)
        if (!make(e->p, out, &list->items[i]))
            return false;
    if (list->count) {
        out->items[first].spaced |= spaced;
        return true;
    }
    return make(e->p, out, &(struct macro_token){ .text = "", .kind = MACRO_NOTHING });
}

static bool replace(struct expansion *e, struct macro *m, struct argument *all,
                    bool spaced)
{
    struct macro_tokens list = { 0 };
    for (size_t i = 0; i < m->body_count; i++) {
        const struct macro_token *t = &m->body[i];
        const size_t n = t->kind == MACRO_WORD && all ? param_of(m, t) : m->param_count;
        if (n < m->param_count ? !put_argument(e, &all[n], t->spaced, &list)
                               : !make(e->p, &list, t))
            return false;
    }
    if (!paste_all(e->p, &list))
        return false;
    if (list.count)
        list.items[0].spaced |= spaced;
    return open_frame(e, &list, m);
}

static bool call(struct expansion *e, struct macro *m, bool spaced)
{
    const size_t count = m->param_count ? m->param_count : 1;
    struct argument *all = gv_arena_array(e->p->arena, count, sizeof *all);
    if (!all)
        return gv_out_of_memory(e->p->err);
    e->p->work += count; // the arena keeps them
    return read_arguments(e, m, all) && replace(e, m, all, spaced);
}

// __LINE__ and its like; false: it is none.
static bool builtin(struct preprocessor *p, struct macro_token *t)
{
    if (t->size < 2 || t->text[0] != '_' || t->text[1] != '_')
        return false;
    const bool line = macro_is(t, "__LINE__"), file = macro_is(t, "__FILE__");
    if (!line && !file && !macro_is(t, "__VERSION__"))
        return false;
    char text[16];
    const uint32_t number = line   ? p->reader.line + p->line_offset
                            : file ? p->file
                                   : (uint32_t)p->dialect->version;
    const int size = snprintf(text, sizeof text, "%u", number);
    const char *copy = gv_arena_copy(p->arena, text, (size_t)size);
    t->text = copy ? copy : "0";
    t->size = (uint32_t)strlen(t->text);
    t->kind = MACRO_NUMBER;
    t->made = true;
    return true;
}

// `defined X`, `defined(X)` of a condition: a number.
static bool put_defined(struct expansion *e, struct macro_tokens *out)
{
    struct macro_token name = take(e);
    const bool open = macro_is(&name, "(");
    if (open)
        name = take(e);
    const struct macro_token close =
        open ? take(e) : (struct macro_token){ .text = ")", .size = 1 };
    if (name.kind != MACRO_WORD || !macro_is(&close, ")"))
        return macro_refuse(e->p, GV_ERR_FORMAT, "defined without a name");
    const struct macro_token number = { .text = macro_defined(e->p, &name) ? "1" : "0",
                                        .size = 1,
                                        .kind = MACRO_NUMBER };
    return make(e->p, out, &number);
}

static bool expand_word(struct expansion *e, struct macro_token *t,
                        struct macro_tokens *out)
{
    struct macro *m = t->finished || builtin(e->p, t) ? NULL : macro_find(e->p, t);
    if (e->condition && macro_is(t, "defined"))
        return put_defined(e, out);
    if (m && m->active) {
        t->finished = true;
        m = NULL;
    }
    if (m && m->function)
        return take_open(e) ? call(e, m, t->spaced) : make(e->p, out, t);
    if (m)
        return replace(e, m, NULL, t->spaced);
    return make(e->p, out, t);
}

static bool expand(struct expansion *e, struct macro_tokens *out)
{
    for (;;) {
        while (e->count && e->frames[e->count - 1].at == e->frames[e->count - 1].count)
            close_frame(e);
        if (!e->count)
            return true;
        struct macro_token t = take(e);
        if (t.kind == MACRO_WORD ? !expand_word(e, &t, out) : !make(e->p, out, &t))
            return false;
    }
}

bool macro_expand_list(struct preprocessor *p, const struct macro_tokens *in,
                       bool condition, struct macro_tokens *out)
{
    struct expansion e = { .p = p, .condition = condition };
    if (++p->depth > GV_MAX_MACRO_DEPTH)
        return macro_refuse(p, GV_ERR_LIMIT, "macros within macros");
    const bool ok = open_frame(&e, in, NULL) && expand(&e, out);
    p->depth--;
    return ok;
}

bool macro_expand_read(struct preprocessor *p, const struct macro_token *first,
                       struct macro_tokens *out)
{
    struct expansion e = { .p = p, .reads = true };
    struct macro_token t = *first;
    if (builtin(p, &t))
        return macro_push(p, out, &t);
    struct macro *m = macro_find(p, first);
    if (!m)
        return false;
    if (m->function)
        return take_open(&e) && call(&e, m, t.spaced) && expand(&e, out);
    return replace(&e, m, NULL, t.spaced) && expand(&e, out);
}
