// Subroutines (GLSL 4.00), which Vulkan has not: each subroutine uniform becomes an
// integer and a function that calls whichever subroutine the integer names. The text
// that comes out is of the same version and on the same lines.
#include "compiler/shader/glsl/glsl_unit.h"
#include "resources/base/bytes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TYPES 256u
#define MOST_ASSOCIATIONS 1024u // of functions with types

// `subroutine vec4 color(vec4 at);`: tokens of the result, the name, the parentheses.
struct type {
    size_t result, name, open, close;
};

struct association {
    size_t type_name; // token
    uint32_t function;
};

struct lowering {
    struct glsl_unit *u;
    struct type types[MOST_TYPES];
    struct association associations[MOST_ASSOCIATIONS];
    size_t type_count, association_count;
    struct gv_bytes behind; // what stands behind the text
};

static const struct glsl_token *token(const struct lowering *l, size_t i)
{
    return &l->u->code.tokens[i];
}

static bool is(const struct lowering *l, size_t i, const char *text)
{
    return i < l->u->code.count && glsl_token_is(token(l, i), text);
}

static size_t next(const struct lowering *l, size_t i)
{
    return i < l->u->code.count ? glsl_next(&l->u->code, i) : i;
}

static bool same(const struct lowering *l, size_t a, size_t b)
{
    const struct glsl_token *x = token(l, a), *y = token(l, b);
    return x->size == y->size && !memcmp(x->text, y->text, x->size);
}

static bool refuse(struct lowering *l)
{
    return glsl_unit_unsupported(l->u, "subroutines declared so");
}

static void put(const struct lowering *l, size_t i, struct gv_bytes *out)
{
    gv_bytes_put(out, token(l, i)->text, token(l, i)->size);
}

// ---- what is declared ----

static bool add(struct lowering *l, const struct glsl_subroutine *what)
{
    struct glsl_stage *s = l->u->stage;
    if (!s->subroutines)
        s->subroutines = gv_arena_array(l->u->arena, GV_MAX_GLSL_SUBROUTINES,
                                        sizeof *s->subroutines);
    if (!s->subroutines || !what->name)
        return gv_out_of_memory(l->u->err);
    if (s->subroutine_count == GV_MAX_GLSL_SUBROUTINES)
        return glsl_unit_unsupported(l->u, "so many subroutines");
    s->subroutines[s->subroutine_count++] = *what;
    return true;
}

#define NOT_SAID (-1)
#define NOT_PLAIN (-2) // an expression

// The number that token `i` is, alone in front of a comma or of what closes.
static int plain_number(const struct lowering *l, size_t i)
{
    const struct glsl_token *t = token(l, i);
    const size_t behind = next(l, i);
    char text[16] = "", *end = text;
    if (!t->size || t->size >= sizeof text ||
        !(is(l, behind, ",") || is(l, behind, ")") || is(l, behind, "]")))
        return NOT_PLAIN;
    memcpy(text, t->text, t->size);
    const unsigned long number = strtoul(text, &end, 0);
    if (end == text || *end || text[0] == '-' || number > INT_MAX)
        return NOT_PLAIN;
    return (int)number;
}

// The number of `word` in the layout that ends in front of token `i`, which is erased.
static int layout_number(struct lowering *l, size_t i, const char *word)
{
    size_t close = glsl_previous(&l->u->code, i), open = close;
    int number = NOT_SAID;
    if (close == SIZE_MAX || !is(l, close, ")"))
        return NOT_SAID;
    while (open > 0 && !is(l, open, "("))
        open--;
    const size_t layout = glsl_previous(&l->u->code, open);
    if (layout == SIZE_MAX || !is(l, layout, "layout"))
        return NOT_SAID;
    for (size_t k = open; k < close; k++)
        if (is(l, k, word) && is(l, next(l, k), "="))
            number = plain_number(l, next(l, next(l, k)));
    glsl_unit_erase(l->u, layout, close);
    return number;
}

static bool declare_type(struct lowering *l, size_t at)
{
    struct type t = { .result = next(l, at) };
    t.name = next(l, t.result);
    t.open = next(l, t.name);
    if (!is(l, t.open, "(") || l->type_count == MOST_TYPES)
        return refuse(l);
    t.close = glsl_closing(&l->u->code, t.open, l->u->code.count);
    const size_t end = next(l, t.close);
    if (!is(l, end, ";"))
        return refuse(l);
    glsl_unit_erase(l->u, at, end);
    l->types[l->type_count++] = t;
    return true;
}

// `subroutine(color, other) vec4 red(vec4 at)`
static bool declare_function(struct lowering *l, size_t at)
{
    const size_t open = next(l, at);
    const size_t close = glsl_closing(&l->u->code, open, l->u->code.count);
    int number = layout_number(l, at, "index");
    size_t result = next(l, close);
    if (is(l, result, "layout")) {
        const size_t from = next(l, result);
        const size_t to = glsl_closing(&l->u->code, from, l->u->code.count);
        result = next(l, to);
        number = layout_number(l, result, "index");
    }
    const size_t name = next(l, result);
    if (!is(l, next(l, name), "(") || number == NOT_PLAIN)
        return refuse(l);
    for (size_t k = next(l, open); k < close; k = next(l, k)) {
        if (is(l, k, ","))
            continue;
        if (l->association_count == MOST_ASSOCIATIONS)
            return refuse(l);
        l->associations[l->association_count++] =
            (struct association){ k, (uint32_t)l->u->stage->subroutine_count };
    }
    glsl_unit_erase(l->u, at, close);
    return add(l, &(struct glsl_subroutine){ .name = glsl_unit_text(l->u, name),
                                             .number = number });
}

// ---- parameters ----

static bool is_qualifier(const struct lowering *l, size_t i)
{
    static const char *const words[] = { "in",   "out",     "inout", "const",
                                         "lowp", "mediump", "highp" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is(l, i, words[k]))
            return true;
    return false;
}

// The parameters as they are declared, or as they are handed on; each gets a name.
static void put_parameters(const struct lowering *l, const struct type *t,
                           bool declared, struct gv_bytes *out)
{
    unsigned count = 0, words = 0;
    for (size_t i = next(l, t->open); i <= t->close; i = next(l, i)) {
        const bool ends = is(l, i, ",") || i == t->close;
        if (ends && words == 1 && !is(l, t->close, "void"))
            gv_bytes_printf(out, " gv_a%u", count);
        if (ends && i == t->close)
            return;
        if (ends) {
            gv_bytes_printf(out, ", ");
            count++;
            words = 0;
            continue;
        }
        const bool word = token(l, i)->kind == GLSL_IDENTIFIER && !is_qualifier(l, i);
        words += word;
        if (is(l, i, "void") || (!declared && !(word && words == 2))) {
            words -= is(l, i, "void");
            continue;
        }
        gv_bytes_printf(out, " ");
        put(l, i, out);
    }
}

// ---- uniforms ----

static const struct type *find_type(const struct lowering *l, size_t name)
{
    for (size_t i = 0; i < l->type_count; i++)
        if (same(l, l->types[i].name, name))
            return &l->types[i];
    return NULL;
}

static void put_head(const struct lowering *l, const struct type *t, size_t name,
                     bool array, struct gv_bytes *out)
{
    put(l, t->result, out);
    gv_bytes_printf(out, " gv_call_");
    put(l, name, out);
    gv_bytes_printf(out, "(%s", array ? "int gv_at" : "");
    if (array && !is(l, next(l, t->open), "void") && next(l, t->open) != t->close)
        gv_bytes_printf(out, ",");
    put_parameters(l, t, true, out);
    gv_bytes_printf(out, ")");
}

static void put_call(struct lowering *l, const struct type *t, uint32_t function)
{
    gv_bytes_printf(&l->behind, "%s%s(", is(l, t->result, "void") ? "" : "return ",
                    l->u->stage->subroutines[function].name);
    put_parameters(l, t, false, &l->behind);
    gv_bytes_printf(&l->behind, ");%s\n", is(l, t->result, "void") ? " return;" : "");
}

// Its functions are known when the text ends.
static void put_dispatch(struct lowering *l, const struct type *t, size_t name,
                         bool array)
{
    const struct association *first = NULL;
    put_head(l, t, name, array, &l->behind);
    gv_bytes_printf(&l->behind, " { switch (" GLSL_SUBROUTINE "%u_",
                    l->u->stage->stage);
    put(l, name, &l->behind);
    gv_bytes_printf(&l->behind, "%s) {\n", array ? "[gv_at]" : "");
    for (size_t i = 0; i < l->association_count; i++) {
        const struct association *a = &l->associations[i];
        if (!same(l, a->type_name, t->name))
            continue;
        first = first ? first : a;
        gv_bytes_printf(&l->behind, "case %u: ", a->function);
        put_call(l, t, a->function);
    }
    gv_bytes_printf(&l->behind, "}\n");
    if (first)
        put_call(l, t, first->function);
    gv_bytes_printf(&l->behind, "}\n");
}

struct uniform {
    size_t name;
    const struct type *type;
    bool array;
};

// A name of a subroutine uniform where it is called: `pick(x)`, `pick[i](x)`.
static void rewrite_calls(struct lowering *l, const struct uniform *f, size_t from)
{
    for (size_t i = from; i < l->u->code.count; i++) {
        struct glsl_token *t = glsl_unit_token(l->u, i);
        const size_t open = next(l, i), before = glsl_previous(&l->u->code, i);
        if (t->kind != GLSL_IDENTIFIER || t->replacement || !same(l, i, f->name) ||
            (before != SIZE_MAX && is(l, before, ".")))
            continue;
        if (!f->array && is(l, open, "("))
            t->replacement = glsl_unit_prefixed(l->u, "gv_call_", t);
        if (!f->array || !is(l, open, "["))
            continue;
        const size_t close = glsl_closing(&l->u->code, open, l->u->code.count);
        const size_t call = next(l, close);
        if (!is(l, call, "("))
            continue;
        t->replacement = glsl_unit_prefixed(l->u, "gv_call_", t);
        glsl_unit_token(l->u, open)->replacement = "(int(";
        glsl_unit_token(l->u, close)->replacement =
            is(l, next(l, call), ")") ? ")" : "),";
        glsl_unit_token(l->u, call)->replacement = "";
    }
}

// `subroutine uniform color pick;`: an integer, and a function that is defined behind.
static bool declare_uniform(struct lowering *l, size_t at)
{
    const size_t type = next(l, next(l, at));
    struct uniform f = { .name = next(l, type), .type = find_type(l, type) };
    struct gv_bytes text = { 0 };
    size_t end = next(l, f.name);
    int elements = 0;
    const int number = layout_number(l, at, "location");
    f.array = is(l, end, "[");
    if (f.array) {
        elements = plain_number(l, next(l, end));
        end = next(l, glsl_closing(&l->u->code, end, l->u->code.count));
    }
    if (!f.type || !is(l, end, ";") || number == NOT_PLAIN ||
        (f.array && (elements < 1 || elements > 1024)))
        return refuse(l);
    gv_bytes_printf(&text, "uniform int " GLSL_SUBROUTINE "%u_", l->u->stage->stage);
    put(l, f.name, &text);
    if (f.array)
        gv_bytes_printf(&text, "[%d]", elements);
    gv_bytes_printf(&text, "; ");
    put_head(l, f.type, f.name, f.array, &text);
    gv_bytes_printf(&text, ";");
    glsl_unit_erase(l->u, at, end);
    const char *whole =
        text.failed ? NULL : gv_arena_copy(l->u->arena, text.data, text.size);
    gv_bytes_finish(&text);
    if (!whole)
        return gv_out_of_memory(l->u->err);
    glsl_unit_token(l->u, end)->replacement = whole;
    rewrite_calls(l, &f, end);
    put_dispatch(l, f.type, f.name, f.array);
    return add(l, &(struct glsl_subroutine){ .name = glsl_unit_text(l->u, f.name),
                                             .number = number,
                                             .uniform = true,
                                             .elements = (uint32_t)elements });
}

// ---- the text ----

// Uniforms last: then all functions are known.
static bool rewrite(struct lowering *l, bool uniforms)
{
    bool ok = true;
    for (size_t i = 0; ok && i < l->u->code.count; i++) {
        const struct glsl_token *t = token(l, i);
        const size_t behind = next(l, i);
        if (t->kind != GLSL_IDENTIFIER || t->replacement || !is(l, i, "subroutine") ||
            is(l, behind, "uniform") != uniforms)
            continue;
        ok = uniforms             ? declare_uniform(l, i)
             : is(l, behind, "(") ? declare_function(l, i)
                                  : declare_type(l, i);
    }
    return ok;
}

bool glsl_lower_subroutines(struct glsl_unit *u, const char **text)
{
    if (!strstr(*text, "subroutine"))
        return true;
    if (!glsl_tokenize(*text, u->arena, &u->code, u->err))
        return false;
    struct lowering *l = gv_arena_alloc(u->arena, sizeof *l);
    if (!l)
        return gv_out_of_memory(u->err);
    l->u = u;
    const bool ok = rewrite(l, false) && rewrite(l, true) && u->err->status == GV_OK;
    struct gv_bytes out = { 0 };
    for (size_t i = 0; ok && i < u->code.count; i++) {
        const struct glsl_token *t = token(l, i);
        const char *from = t->replacement;
        gv_bytes_put(&out, from ? from : t->text, from ? strlen(from) : t->size);
    }
    gv_bytes_printf(&out, "\n");
    gv_bytes_put(&out, l->behind.data, l->behind.size);
    *text = out.failed || l->behind.failed
                ? NULL
                : gv_arena_copy(u->arena, out.data, out.size);
    gv_bytes_finish(&out);
    gv_bytes_finish(&l->behind);
    return ok && (*text || gv_out_of_memory(u->err));
}
