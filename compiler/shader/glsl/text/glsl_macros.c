#include "compiler/shader/glsl/text/glsl_macros.h"

#include "compiler/shader/glsl/text/macro_scan.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PARAM_TOKENS 128          // of one macro
#define MAX_COUNT ((uint64_t)1 << 31) // of tokens; products of two fit 64 bits

// Tokens that a sequence makes, of S tokens in a macro's arguments: own + per * S.
struct count {
    uint64_t own, per;
};

// One definition. They are sorted by name; what is known of a name stands in its first.
struct macro {
    const char *text;      // of the name
    uint32_t size;         // of the name
    uint32_t name;         // its token
    uint32_t params, body; // first tokens of both
    uint32_t end;          // of the body
    bool has_params;
    size_t definitions;     // of the name
    bool function;          // some definition has parameters
    bool counted, counting; // `count` is known, is being found
    struct count count;
};

// Parentheses that are open; those of a macro's arguments multiply what is in them.
struct group {
    struct count factor, inside;
};

struct expansion {
    struct macro_source source;
    struct macro *macros;
    size_t macro_count, macro_capacity;
    struct group *groups;
    size_t group_count, group_capacity;
    unsigned depth;
};

// ---- definitions ----

static int compare(const void *left, const void *right)
{
    const struct macro *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(a->text, b->text, a->size);
}

// The first definition of a name, or NULL.
static struct macro *find(const struct expansion *e, const struct macro_token *name)
{
    const struct macro wanted = { .text = e->source.text + name->at,
                                  .size = name->size };
    size_t low = 0, high = e->macro_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&e->macros[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < e->macro_count && compare(&e->macros[low], &wanted) == 0;
    return found ? &e->macros[low] : NULL;
}

// The definition whose name is the token.
static bool define(struct expansion *e, uint32_t name)
{
    const struct macro_token *t = e->source.tokens;
    if (t[name].kind != MACRO_WORD)
        return true; // glslang will say so
    void *macros = e->macros;
    if (!macro_room(&e->source, &macros, e->macro_count, &e->macro_capacity,
                    sizeof *e->macros))
        return false;
    e->macros = macros;
    struct macro m = { .text = e->source.text + t[name].at,
                       .size = t[name].size,
                       .name = name,
                       .params = name + 1,
                       .body = name + 1,
                       .end = macro_line_end(&e->source, name) };
    m.has_params = t[m.body].kind == MACRO_OPEN && !t[m.body].spaced;
    while (m.has_params && m.body < m.end && t[m.body].kind != MACRO_CLOSE)
        m.body++;
    m.body += m.has_params && m.body < m.end;
    if (m.has_params && m.body - m.params > MAX_PARAM_TOKENS)
        return macro_refuse(&e->source, GV_ERR_LIMIT, &t[name],
                            "too many parameters of a macro");
    e->macros[e->macro_count++] = m;
    return true;
}

// A # within a line may begin one too: what a backslash does depends on the version.
static bool find_definitions(struct expansion *e)
{
    for (uint32_t i = 0; i < e->source.count; i++)
        if (macro_is_hash(&e->source, &e->source.tokens[i]) &&
            macro_is_word(&e->source, &e->source.tokens[i + 1], "define") &&
            !define(e, i + 2))
            return false;
    if (e->macro_count)
        qsort(e->macros, e->macro_count, sizeof *e->macros, compare);
    for (size_t i = 0, first = 0; i < e->macro_count; i++) {
        if (compare(&e->macros[first], &e->macros[i]) != 0)
            first = i;
        e->macros[first].definitions++;
        e->macros[first].function |= e->macros[i].has_params;
    }
    return true;
}

// ---- counting ----

static uint64_t capped(uint64_t count)
{
    return count < MAX_COUNT ? count : MAX_COUNT;
}

static bool open_group(struct expansion *e, struct count factor)
{
    void *groups = e->groups;
    if (!macro_room(&e->source, &groups, e->group_count, &e->group_capacity,
                    sizeof *e->groups))
        return false;
    e->groups = groups;
    e->groups[e->group_count++] = (struct group){ .factor = factor };
    return true;
}

static void add(struct expansion *e, uint64_t own, uint64_t per)
{
    struct count *inside = &e->groups[e->group_count - 1].inside;
    inside->own = capped(inside->own + own);
    inside->per = capped(inside->per + per);
}

static void close_group(struct expansion *e)
{
    const struct group g = e->groups[--e->group_count];
    add(e, 2 + g.factor.own + g.factor.per * g.inside.own, g.factor.per * g.inside.per);
}

static bool is_param(const struct expansion *e, const struct macro *of,
                     const struct macro_token *t)
{
    for (uint32_t i = of ? of->params : 0; of && of->has_params && i < of->body; i++)
        if (e->source.tokens[i].kind == MACRO_WORD &&
            macro_same_word(&e->source, &e->source.tokens[i], t))
            return true;
    return false;
}

static bool count_tokens(struct expansion *e, const struct macro *of, uint32_t from,
                         uint32_t to, struct count *out);

// Of all definitions of a name the larger. One that stays as it is makes its name, and
// its arguments.
static bool count_macro(struct expansion *e, struct macro *m)
{
    if (m->counted)
        return true;
    if (++e->depth > GV_MAX_MACRO_DEPTH)
        return macro_refuse(&e->source, GV_ERR_LIMIT, &e->source.tokens[m->name],
                            "macros within macros");
    m->counting = true;
    m->count = (struct count){ 1, 1 };
    for (size_t i = 0; i < m->definitions; i++) {
        struct count c = { 0 };
        if (!count_tokens(e, &m[i], m[i].body, m[i].end, &c))
            return false;
        m->count.own = c.own > m->count.own ? c.own : m->count.own;
        m->count.per = c.per > m->count.per ? c.per : m->count.per;
    }
    m->counting = false;
    m->counted = true;
    e->depth--;
    return true;
}

// A word at token `*i`; of a macro with parameters also the parenthesis behind it.
static bool count_word(struct expansion *e, const struct macro *of, uint32_t *i)
{
    const struct macro_token *t = &e->source.tokens[*i];
    bool param = is_param(e, of, t);
    bool itself = of && macro_same_word(&e->source, t, &e->source.tokens[of->name]);
    struct macro *m = param ? NULL : find(e, t);
    if (m && !itself && m->counting)
        return macro_refuse(&e->source, GV_ERR_UNSUPPORTED, t,
                            "unsupported: macros in a circle");
    if (m && !itself && !count_macro(e, m))
        return false;
    if (!m || !m->function) {
        add(e, param ? 0 : m && !itself ? m->count.own : 1, param);
        return true;
    }
    uint32_t next = *i + 1;
    while (e->source.tokens[next].kind == MACRO_NEWLINE && !of)
        next++;
    if (e->source.tokens[next].kind != MACRO_OPEN)
        return macro_refuse(&e->source, GV_ERR_UNSUPPORTED, t,
                            "unsupported: a macro's name without its arguments");
    *i = next;
    return open_group(e, itself ? (struct count){ 1, 1 } : m->count);
}

static bool count_token(struct expansion *e, const struct macro *of, uint32_t *i,
                        size_t base)
{
    const struct macro_token *t = &e->source.tokens[*i];
    if (t->kind == MACRO_WORD)
        return count_word(e, of, i);
    if (of && macro_is_hash(&e->source, t))
        return macro_refuse(&e->source, GV_ERR_UNSUPPORTED, t,
                            "unsupported: # in a macro");
    if (t->kind == MACRO_OPEN)
        return open_group(e, (struct count){ 0, 1 });
    if (t->kind == MACRO_CLOSE && e->group_count > base) {
        close_group(e);
        return true;
    }
    if (t->kind == MACRO_CLOSE && of)
        return macro_refuse(&e->source, GV_ERR_UNSUPPORTED, t,
                            "unsupported: half a pair of parentheses in a macro");
    add(e, t->kind != MACRO_NEWLINE, 0);
    return true;
}

// The last token of a directive that is not looked at: #if, #elif and #line are, since
// macros are expanded in them.
static uint32_t skip_directive(const struct expansion *e, uint32_t i, bool *condition)
{
    const struct macro_token *word = &e->source.tokens[i + 1];
    *condition = macro_is_word(&e->source, word, "if") ||
                 macro_is_word(&e->source, word, "elif");
    return *condition || macro_is_word(&e->source, word, "line")
               ? i + 1
               : macro_line_end(&e->source, i);
}

// Behind `defined NAME` and `defined(NAME)` of a condition, where nothing is expanded.
static uint32_t skip_defined(const struct expansion *e, uint32_t i)
{
    if (!macro_is_word(&e->source, &e->source.tokens[i], "defined"))
        return i;
    i += e->source.tokens[i + 1].kind == MACRO_OPEN;
    return i + 1 + (e->source.tokens[i + 1].kind == MACRO_WORD);
}

// The tokens of a macro's body, or (`of` NULL) of the text.
static bool count_tokens(struct expansion *e, const struct macro *of, uint32_t from,
                         uint32_t to, struct count *out)
{
    if (!open_group(e, (struct count){ 0, 1 }))
        return false;
    size_t base = e->group_count;
    bool condition = false;
    for (uint32_t i = from; i < to; i++) {
        const struct macro_token *t = &e->source.tokens[i];
        condition &= t->kind != MACRO_NEWLINE;
        if (t->kind == MACRO_HASH && !of)
            i = skip_directive(e, i, &condition);
        else if (condition && skip_defined(e, i) != i)
            i = skip_defined(e, i) - 1;
        else if (!count_token(e, of, &i, base))
            return false;
        if (e->groups[base - 1].inside.own > GV_MAX_GLSL_EXPANSION)
            return macro_refuse(&e->source, GV_ERR_LIMIT, t,
                                "macros that make too many tokens");
    }
    if (of && e->group_count > base)
        return macro_refuse(&e->source, GV_ERR_UNSUPPORTED, &e->source.tokens[of->name],
                            "unsupported: half a pair of parentheses in a macro");
    while (e->group_count > base)
        close_group(e);
    *out = e->groups[--e->group_count].inside;
    if (out->own > GV_MAX_GLSL_EXPANSION)
        return macro_refuse(&e->source, GV_ERR_LIMIT, &e->source.tokens[from],
                            "macros that make too many tokens");
    return true;
}

// Bodies count once more as text: where a backslash does not join lines, they are.
static bool count_all(struct expansion *e)
{
    struct count text = { 0 };
    if (!count_tokens(e, NULL, 0, (uint32_t)e->source.count - 1, &text))
        return false;
    uint64_t sum = text.own;
    for (size_t i = 0; i < e->macro_count; i++) {
        const struct macro *m = &e->macros[i];
        if (!count_tokens(e, NULL, m->body, m->end, &text))
            return false;
        sum += text.own;
        if (sum > GV_MAX_GLSL_EXPANSION)
            return macro_refuse(&e->source, GV_ERR_LIMIT, &e->source.tokens[m->name],
                                "macros that make too many tokens");
    }
    return true;
}

bool gv_glsl_check_macros(const char *text, struct gv_error *err)
{
    if (!strstr(text, "define") && !strchr(text, '\\'))
        return true;
    struct expansion e = { .source = { .text = text, .err = err } };
    bool ok = macro_scan(&e.source) && find_definitions(&e) && count_all(&e);
    free(e.source.tokens);
    free(e.macros);
    free(e.groups);
    return ok;
}
