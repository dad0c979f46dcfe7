// Names: words that later versions took, functions and constants that they dropped.
#include "compiler/shader/glsl/glsl_unit.h"
#include "resources/base/bytes.h"

#include <pthread.h>
#include <string.h>

// ---- tables ----

enum word_kind { KEYWORD, BUILTIN, FUNCTION_OF_ALL };
static const struct {
    const char *name;
    enum word_kind kind;
    int desktop, es;
} words[] = {
#define GLSL_WORD(name, kind, desktop, es) { name, kind, desktop, es },
#include "compiler/shader/glsl/glsl_words.def"
#undef GLSL_WORD
};
#define WORD_COUNT (sizeof words / sizeof *words)

// Extensions that bring words to older versions.
static const struct {
    const char *word, *extension; // " NAME "
} brought[] = {
#define GLSL_BROUGHT(word, extension) { word, " GL_" extension " " },
#include "compiler/shader/glsl/glsl_brought.def"
#undef GLSL_BROUGHT
};

enum legacy_kind { FUNCTION, HELPER, NAME, REFUSED };
static const struct {
    const char *name;
    enum legacy_kind kind;
    const char *replacement; // of a helper: its definition
    const char *fragment;    // of a helper: what fragment stages have besides
} legacy[] = {
#define GLSL_FUNCTION(name, replacement) { name, FUNCTION, replacement, NULL },
#define GLSL_HELPER(name, text, fragment) { name, HELPER, text, fragment },
#define GLSL_NAME(name, replacement) { name, NAME, replacement, NULL },
#define GLSL_REFUSED(name) { name, REFUSED, NULL, NULL },
#include "compiler/shader/glsl/glsl_legacy.def"
#undef GLSL_FUNCTION
#undef GLSL_HELPER
#undef GLSL_NAME
#undef GLSL_REFUSED
};
#define LEGACY_COUNT (sizeof legacy / sizeof *legacy)

// Where a helper stands among helpers.
static size_t helper_number(size_t l)
{
    size_t n = 0;
    for (size_t i = 0; i < l; i++)
        n += legacy[i].kind == HELPER;
    return n;
}

// What helpers of shadow functions share.
static void write_depth(const struct glsl_stage *s, struct gv_bytes *out)
{
    static const char *const values[] = {
        [GV_GLSL_DEPTH_LUMINANCE] = "vec3(d), 1.0",
        [GV_GLSL_DEPTH_INTENSITY] = "d",
        [GV_GLSL_DEPTH_ALPHA] = "vec3(0.0), d",
        [GV_GLSL_DEPTH_RED] = "d, 0.0, 0.0, 1.0",
    };
    gv_bytes_printf(out, "vec4 gv_depth(float d) { return vec4(%s); }\n",
                    values[s->options->depth_mode]);
}

void glsl_write_helpers(const struct glsl_stage *s, struct gv_bytes *out)
{
    size_t n = 0;
    bool depth = false;
    for (size_t i = 0; i < LEGACY_COUNT; i++) {
        if (legacy[i].kind != HELPER || !s->helpers[n++])
            continue;
        if (!depth && strstr(legacy[i].replacement, "gv_depth")) {
            write_depth(s, out);
            depth = true;
        }
        gv_bytes_printf(out, "%s\n", legacy[i].replacement);
        if (s->stage == GV_STAGE_FRAGMENT && *legacy[i].fragment)
            gv_bytes_printf(out, "%s\n", legacy[i].fragment);
    }
}

// ---- names of both tables ----

// Rows that begin and end alike and are as long, in order: each identifier of a text is
// looked for in both tables.
#define CHAINS 256u
static struct chains {
    uint16_t first[CHAINS]; // row plus one; 0: none
    uint16_t next[WORD_COUNT > LEGACY_COUNT ? WORD_COUNT : LEGACY_COUNT];
} word_chains, legacy_chains;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint16_t *chain_of(struct chains *c, const char *name, size_t size)
{
    return &c->first[((uint8_t)name[0] * 7u + (uint8_t)name[size - 1] * 31u + size) %
                     CHAINS];
}

static void put_first(struct chains *c, size_t row, const char *name)
{
    uint16_t *chain = chain_of(c, name, strlen(name));
    c->next[row] = *chain;
    *chain = (uint16_t)(row + 1);
}

static void make_chains(void)
{
    for (size_t i = WORD_COUNT; i-- > 0;)
        put_first(&word_chains, i, words[i].name);
    for (size_t i = LEGACY_COUNT; i-- > 0;)
        put_first(&legacy_chains, i, legacy[i].name);
}

static size_t find_word(const struct glsl_token *t)
{
    pthread_once(&once, make_chains);
    size_t row = *chain_of(&word_chains, t->text, t->size);
    while (row && !glsl_token_is(t, words[row - 1].name))
        row = word_chains.next[row - 1];
    return row ? row - 1 : WORD_COUNT;
}

static size_t find_legacy(const struct glsl_token *t)
{
    pthread_once(&once, make_chains);
    size_t row = *chain_of(&legacy_chains, t->text, t->size);
    while (row && !glsl_token_is(t, legacy[row - 1].name))
        row = legacy_chains.next[row - 1];
    return row ? row - 1 : LEGACY_COUNT;
}

// ---- what the program declares ----

// `type name` followed by what a declaration has there. What stands behind a qualifier
// is the type.
static bool declares(const struct glsl_unit *u, size_t i)
{
    static const char *const not_types[] = {
        "return", "else",    "case",      "in",       "out",
        "inout",  "do",      "const",     "flat",     "smooth",
        "lowp",   "mediump", "highp",     "uniform",  "varying",
        "patch",  "sample",  "attribute", "centroid", "noperspective",
    };
    size_t before = glsl_previous(&u->code, i);
    const struct glsl_token *next = &u->code.tokens[glsl_next(&u->code, i)];
    if (before == SIZE_MAX || u->code.tokens[before].kind != GLSL_IDENTIFIER)
        return false;
    for (size_t k = 0; k < sizeof not_types / sizeof *not_types; k++)
        if (glsl_token_is(&u->code.tokens[before], not_types[k]))
            return false;
    return next->kind == GLSL_PUNCTUATION && strchr("(=;,[)", next->text[0]) &&
           next->size == 1;
}

static bool is_called(const struct glsl_unit *u, size_t i)
{
    return glsl_token_is(&u->code.tokens[glsl_next(&u->code, i)], "(");
}

// Whether the name at `i` is the program's own, which declared it so. A variable's
// initialiser may still call the function of its name.
static bool means_own(const struct glsl_unit *u, size_t i, uint8_t declared)
{
    return declared &
           (is_called(u, i) ? GLSL_AS_FUNCTION : GLSL_AS_FUNCTION | GLSL_AS_VARIABLE);
}

static void find_declared(struct glsl_unit *u)
{
    for (size_t i = 0; i < u->code.count; i++) {
        const struct glsl_token *t = &u->code.tokens[i];
        if (t->kind != GLSL_IDENTIFIER || !declares(u, i))
            continue;
        size_t w = find_word(t), l = find_legacy(t);
        const uint8_t as = is_called(u, i) ? GLSL_AS_FUNCTION : GLSL_AS_VARIABLE;
        if (w < WORD_COUNT && as == GLSL_AS_FUNCTION &&
            !(u->declared_words[w] & GLSL_AS_FUNCTION))
            u->first_words[w] = i;
        if (w < WORD_COUNT)
            u->declared_words[w] |= as;
        if (l < LEGACY_COUNT)
            u->declared_legacy[l] |= as;
    }
}

// ---- rectangles ----

// Whether `call` is of a function on a sampler that was declared as one of rectangles.
static bool takes_rectangle(const struct glsl_unit *u, size_t call)
{
    size_t open = glsl_next(&u->code, call);
    const struct glsl_token *sampler = &u->code.tokens[glsl_next(&u->code, open)];
    if (open >= u->code.count || sampler->kind != GLSL_IDENTIFIER)
        return false;
    for (size_t i = 0; i < u->code.count; i++) {
        const struct glsl_token *t = &u->code.tokens[i];
        if (t->kind != GLSL_IDENTIFIER || t->size < 13 || t->size > 19 ||
            !memchr(t->text, 'R', t->size))
            continue;
        bool type = glsl_token_is(t, "sampler2DRect") ||
                    glsl_token_is(t, "isampler2DRect") ||
                    glsl_token_is(t, "usampler2DRect") ||
                    glsl_token_is(t, "sampler2DRectShadow");
        const struct glsl_token *name = &u->code.tokens[glsl_next(&u->code, i)];
        if (type && name->size == sampler->size &&
            !memcmp(name->text, sampler->text, name->size))
            return true;
    }
    return false;
}

// `rect_NAME` where a function's rectangles have rules of their own.
static size_t find_rectangle(struct glsl_unit *u, size_t i)
{
    struct glsl_token *t = &u->code.tokens[i];
    if (t->text[0] != 't' || u->dialect.es)
        return LEGACY_COUNT;
    for (size_t l = 0; l < LEGACY_COUNT; l++)
        if (!strncmp(legacy[l].name, "rect_", 5) &&
            glsl_token_is(t, legacy[l].name + 5) && takes_rectangle(u, i))
            return l;
    return LEGACY_COUNT;
}

// ---- names ----

static bool is_brought(const struct glsl_unit *u, const char *word)
{
    for (size_t i = 0; i < sizeof brought / sizeof *brought; i++)
        if (!strcmp(brought[i].word, word) && strstr(u->asked, brought[i].extension))
            return true;
    return false;
}

// Whether the source's own version lets a program use this word as a name.
static bool must_rename(const struct glsl_unit *u, size_t i, size_t w)
{
    int since = u->dialect.es ? words[w].es : words[w].desktop;
    bool is_name = since == 0 || u->dialect.version < since;
    if (words[w].kind == KEYWORD)
        return is_name && !is_brought(u, words[w].name);
    // ES adds functions to those that are built in, in its first version; what is
    // called in front of the program's own is built in, too.
    if (words[w].kind == FUNCTION_OF_ALL &&
        (u->dialect.es || !(u->declared_words[w] & GLSL_AS_FUNCTION)))
        return false;
    return means_own(u, i, u->declared_words[w]) &&
           (!is_called(u, i) || i >= u->first_words[w]);
}

static bool replace(struct glsl_token *t, const char *text)
{
    t->replacement = text;
    return text != NULL;
}

static bool call_helper(struct glsl_unit *u, struct glsl_token *t, size_t l)
{
    u->stage->helpers[helper_number(l)] = true;
    if (!strcmp(legacy[l].name, "ftransform"))
        u->stage->variables[GLSL_VARIABLE_MVP] =
            u->stage->variables[GLSL_VARIABLE_VERTEX] = true;
    const struct glsl_token name = { .text = legacy[l].name,
                                     .size = strlen(legacy[l].name) };
    return replace(t, glsl_unit_prefixed(u, GV_UPGRADE_PREFIX, &name));
}

// False: an error. `*done`: the name was one of glsl_legacy.def.
static bool rewrite_legacy(struct glsl_unit *u, size_t i, bool *done)
{
    struct glsl_token *t = &u->code.tokens[i];
    bool call = is_called(u, i);
    size_t l = call ? find_rectangle(u, i) : LEGACY_COUNT;
    if (l == LEGACY_COUNT)
        l = find_legacy(t);
    *done = false;
    if (l == LEGACY_COUNT || means_own(u, i, u->declared_legacy[l]))
        return true;
    if (legacy[l].kind == REFUSED)
        return glsl_unit_unsupported(u, legacy[l].name);
    *done = legacy[l].kind == NAME || call;
    if (!*done)
        return true;
    if (strstr(legacy[l].replacement, "ubgroup"))
        u->stage->subgroups = true;
    return legacy[l].kind == HELPER ? call_helper(u, t, l)
                                    : replace(t, legacy[l].replacement);
}

static bool rewrite_name(struct glsl_unit *u, size_t i)
{
    struct glsl_token *t = &u->code.tokens[i];
    size_t before = glsl_previous(&u->code, i);
    bool member = before != SIZE_MAX && glsl_token_is(&u->code.tokens[before], ".");
    bool done = false;
    if (!member && !rewrite_legacy(u, i, &done))
        return false;
    if (done)
        return true;
    size_t w = find_word(t);
    bool ours = t->size >= 3 && !memcmp(t->text, GV_UPGRADE_PREFIX, 3);
    if (ours || (w < WORD_COUNT && must_rename(u, i, w)))
        return replace(t, glsl_unit_prefixed(u, GV_UPGRADE_PREFIX, t));
    return true;
}

static bool is_precision_word(const struct glsl_token *t)
{
    return glsl_token_is(t, "lowp") || glsl_token_is(t, "mediump") ||
           glsl_token_is(t, "highp");
}

// `precision mediump float;`
static bool drop_precision(struct glsl_unit *u, size_t i)
{
    if (u->dialect.es || !glsl_token_is(&u->code.tokens[i], "precision") ||
        !is_precision_word(&u->code.tokens[glsl_next(&u->code, i)]))
        return false;
    size_t end = i;
    while (end < u->code.count && !glsl_token_is(&u->code.tokens[end], ";"))
        end++;
    glsl_unit_erase(u, i, end);
    return true;
}

// `unsigned int` of GL_EXT_gpu_shader4.
static bool join_unsigned(struct glsl_unit *u, size_t i)
{
    struct glsl_token *type = &u->code.tokens[glsl_next(&u->code, i)];
    if (!glsl_token_is(&u->code.tokens[i], "unsigned") || !glsl_token_is(type, "int"))
        return false;
    glsl_unit_erase(u, i, i);
    type->replacement = "uint";
    return true;
}

static bool upgrade_name(struct glsl_unit *u, size_t i)
{
    struct glsl_token *t = &u->code.tokens[i];
    if (drop_precision(u, i) || join_unsigned(u, i))
        return true;
    if (!u->dialect.es && is_precision_word(t)) {
        glsl_unit_erase(u, i, i);
        return true;
    }
    if (glsl_upgrade_variable(u, i))
        return u->err->status == GV_OK;
    return rewrite_name(u, i);
}

// `case 1: ;` says nothing behind the label, which glslang wants.
static bool is_nothing(const struct glsl_unit *u, size_t i)
{
    const size_t before = glsl_previous(&u->code, i);
    return glsl_token_is(&u->code.tokens[i], ";") && before != SIZE_MAX &&
           glsl_token_is(&u->code.tokens[before], ":");
}

bool glsl_upgrade_names(struct glsl_unit *u)
{
    u->declared_words = gv_arena_array(u->arena, WORD_COUNT, 1);
    u->declared_legacy = gv_arena_array(u->arena, LEGACY_COUNT, 1);
    u->first_words = gv_arena_array(u->arena, WORD_COUNT, sizeof *u->first_words);
    if (!u->first_words || !u->declared_words || !u->declared_legacy)
        return gv_out_of_memory(u->err);
    find_declared(u);
    size_t layout_end = 0; // words inside layout( ) are no names
    for (size_t i = 0; i < u->code.count; i++) {
        struct glsl_token *t = &u->code.tokens[i];
        if (t->kind == GLSL_DIRECTIVE)
            glsl_unit_erase(u, i, i);
        if (is_nothing(u, i))
            t->replacement = "0;";
        if (t->kind != GLSL_IDENTIFIER || t->replacement || i < layout_end)
            continue;
        if (glsl_token_is(t, "layout") &&
            glsl_token_is(&u->code.tokens[glsl_next(&u->code, i)], "("))
            layout_end = glsl_closing(&u->code, glsl_next(&u->code, i), u->code.count);
        else if (!upgrade_name(u, i))
            return false;
    }
    return true;
}
