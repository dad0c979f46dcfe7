#include "compiler/shader/glsl/upgrade.h"

#include "compiler/shader/glsl/glsl_limits.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- tables ----

enum word_kind { KEYWORD, BUILTIN };
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

enum legacy_kind { FUNCTION, NAME, REFUSED };
static const struct {
    const char *name;
    enum legacy_kind kind;
    const char *replacement;
} legacy[] = {
#define GLSL_FUNCTION(name, replacement) { name, FUNCTION, replacement },
#define GLSL_NAME(name, replacement) { name, NAME, replacement },
#define GLSL_REFUSED(name) { name, REFUSED, NULL },
#include "compiler/shader/glsl/glsl_legacy.def"
#undef GLSL_FUNCTION
#undef GLSL_NAME
#undef GLSL_REFUSED
};
#define LEGACY_COUNT (sizeof legacy / sizeof *legacy)

static const int versions[] = { 100, 110, 120, 130, 140, 150, 300, 310, 320,
                                330, 400, 410, 420, 430, 440, 450, 460 };

// ---- dialect ----

static bool known_version(int version, bool es)
{
    bool es_number =
        version == 100 || version == 300 || version == 310 || version == 320;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i] == version)
            return es == es_number;
    return false;
}

// The first directive's text after "version", or NULL.
static const char *version_text(const char *text, struct gv_arena *arena)
{
    struct glsl_tokens tokens;
    if (!glsl_tokenize(text, arena, &tokens, NULL) && !tokens.tokens)
        return NULL;
    for (size_t i = 0; i < tokens.count; i++) {
        const struct glsl_token *t = &tokens.tokens[i];
        if (t->kind == GLSL_SPACE)
            continue;
        if (t->kind != GLSL_DIRECTIVE)
            return NULL;
        const char *p = t->text + 1 + strspn(t->text + 1, " \t");
        return strncmp(p, "version", 7) ? NULL : p + 7;
    }
    return NULL;
}

static bool parse_version(const char *text, struct gv_glsl_dialect *out,
                          struct gv_error *err)
{
    char *end;
    long version = strtol(text, &end, 10);
    end += strspn(end, " \t");
    size_t profile = strcspn(end, " \t\r\n/");
    out->version = version > 0 && version < 1000 ? (int)version : 0;
    out->es = (profile == 2 && !strncmp(end, "es", 2)) || out->version == 100;
    out->compatibility = profile == 13 && !strncmp(end, "compatibility", 13);
    return known_version(out->version, out->es) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "glsl: no version %ld%s", version,
                   out->es ? " es" : "");
}

bool gv_glsl_dialect(const char *text, const struct gv_upgrade_options *options,
                     struct gv_glsl_dialect *out, struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    const char *version = version_text(text, &arena);
    bool es = options && options->es;
    bool ok = true;
    *out = (struct gv_glsl_dialect){ es ? 100 : 110, es, false };
    if (version)
        ok = parse_version(version, out, err);
    gv_arena_finish(&arena);
    return ok;
}

// ---- the pass ----

struct upgrade {
    struct glsl_tokens code;
    struct gv_glsl_dialect dialect;
    uint32_t stage;
    bool declared_word[WORD_COUNT];     // the program declares this name itself
    bool declared_legacy[LEGACY_COUNT]; // likewise
    bool frag_color, frag_data;
    struct gv_arena *arena;
    struct gv_error *err;
};

static struct glsl_token *token(struct upgrade *u, size_t i)
{
    return &u->code.tokens[i];
}

static void erase(struct upgrade *u, size_t first, size_t last)
{
    for (size_t i = first; i <= last && i < u->code.count; i++)
        token(u, i)->replacement =
            memchr(token(u, i)->text, '\n', token(u, i)->size) ? "\n" : "";
}

static bool unsupported(struct upgrade *u, const char *name)
{
    return gv_fail(u->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: glsl %s",
                   name);
}

static const char *copy_text(struct upgrade *u, const char *prefix,
                             const struct glsl_token *t)
{
    size_t n = strlen(prefix);
    char *text = gv_arena_alloc(u->arena, n + t->size + 1);
    if (!text) {
        gv_out_of_memory(u->err);
        return NULL;
    }
    snprintf(text, n + t->size + 1, "%s%.*s", prefix, (int)t->size, t->text);
    return text;
}

static size_t find_word(const struct glsl_token *t)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].name[0] == t->text[0] && glsl_token_is(t, words[i].name))
            return i;
    return WORD_COUNT;
}

static size_t find_legacy(const struct glsl_token *t)
{
    for (size_t i = 0; i < LEGACY_COUNT; i++)
        if (legacy[i].name[0] == t->text[0] && glsl_token_is(t, legacy[i].name))
            return i;
    return LEGACY_COUNT;
}

// `type name` followed by what a declaration has there.
static bool declares(const struct upgrade *u, size_t i)
{
    static const char *const not_types[] = { "return", "else",  "case", "in",
                                             "out",    "inout", "do",   "const" };
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

static void find_declared(struct upgrade *u)
{
    for (size_t i = 0; i < u->code.count; i++) {
        if (token(u, i)->kind != GLSL_IDENTIFIER || !declares(u, i))
            continue;
        size_t w = find_word(token(u, i)), l = find_legacy(token(u, i));
        if (w < WORD_COUNT)
            u->declared_word[w] = true;
        if (l < LEGACY_COUNT)
            u->declared_legacy[l] = true;
    }
}

// Whether the source's own version lets a program use this word as a name.
static bool must_rename(const struct upgrade *u, size_t w)
{
    int since = u->dialect.es ? words[w].es : words[w].desktop;
    bool is_name = since == 0 || u->dialect.version < since;
    if (words[w].kind == KEYWORD)
        return is_name;
    return u->declared_word[w];
}

static bool rewrite_name(struct upgrade *u, size_t i)
{
    struct glsl_token *t = token(u, i);
    bool call = glsl_token_is(token(u, glsl_next(&u->code, i)), "(");
    size_t before = glsl_previous(&u->code, i);
    bool member = before != SIZE_MAX && glsl_token_is(token(u, before), ".");
    size_t l = member ? LEGACY_COUNT : find_legacy(t);
    if (l < LEGACY_COUNT && !u->declared_legacy[l]) {
        if (legacy[l].kind == REFUSED)
            return unsupported(u, legacy[l].name);
        if (legacy[l].kind == NAME || call) {
            t->replacement = legacy[l].replacement;
            return true;
        }
    }
    size_t w = find_word(t);
    if (w < WORD_COUNT && must_rename(u, w))
        t->replacement = copy_text(u, GV_UPGRADE_PREFIX, t);
    return u->err == NULL || u->err->status == GV_OK;
}

static bool rewrite_fragment_output(struct upgrade *u, size_t i)
{
    struct glsl_token *t = token(u, i);
    if (u->stage != GV_STAGE_FRAGMENT)
        return false;
    if (glsl_token_is(t, "gl_FragColor")) {
        t->replacement = "gv_FragColor";
        u->frag_color = true;
    } else if (glsl_token_is(t, "gl_FragData")) {
        t->replacement = "gv_FragData";
        u->frag_data = true;
    }
    return t->replacement != NULL;
}

static bool is_precision_word(const struct glsl_token *t)
{
    return glsl_token_is(t, "lowp") || glsl_token_is(t, "mediump") ||
           glsl_token_is(t, "highp");
}

// ---- statements at global scope ----

struct statement {
    size_t first, last; // significant tokens; `last` is its ; { or the end
    bool uniform, input, flat, integer, initialised;
    size_t qualifier; // the `in`, `out`, `attribute` or `varying`
};

static bool is_integer_type(const struct glsl_token *t)
{
    static const char *const types[] = { "int",   "uint",  "ivec2", "ivec3",
                                         "ivec4", "uvec2", "uvec3", "uvec4" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (glsl_token_is(t, types[i]))
            return true;
    return false;
}

static struct statement read_statement(const struct upgrade *u, size_t first)
{
    struct statement s = { .first = first, .qualifier = SIZE_MAX };
    int parens = 0;
    size_t i = first;
    for (; i < u->code.count; i = glsl_next(&u->code, i)) {
        const struct glsl_token *t = &u->code.tokens[i];
        parens += glsl_token_is(t, "(") || glsl_token_is(t, "[");
        parens -= glsl_token_is(t, ")") || glsl_token_is(t, "]");
        if (parens > 0)
            continue;
        if (glsl_token_is(t, ";") || glsl_token_is(t, "{"))
            break;
        bool input = glsl_token_is(t, "in") || glsl_token_is(t, "varying") ||
                     glsl_token_is(t, "attribute");
        s.uniform |= glsl_token_is(t, "uniform");
        s.flat |= glsl_token_is(t, "flat");
        s.integer |= is_integer_type(t);
        s.initialised |= glsl_token_is(t, "=");
        if (input && s.qualifier == SIZE_MAX)
            s.qualifier = i;
        s.input |= input;
    }
    s.last = i;
    return s;
}

static size_t matching_paren(const struct upgrade *u, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < u->code.count; i++) {
        depth += glsl_token_is(&u->code.tokens[i], "(");
        depth -= glsl_token_is(&u->code.tokens[i], ")");
        if (depth == 0)
            return i;
    }
    return u->code.count;
}

// Uniform locations are the API's matter; on opaque uniforms they give invalid SPIR-V.
static void drop_location(struct upgrade *u, const struct statement *s)
{
    for (size_t i = s->first; i < s->last; i++) {
        if (!glsl_token_is(token(u, i), "layout"))
            continue;
        size_t open = glsl_next(&u->code, i), close = matching_paren(u, open);
        size_t kept = 0;
        for (size_t k = glsl_next(&u->code, open); k < close;) {
            size_t end = k;
            while (end < close && !glsl_token_is(token(u, end), ","))
                end++;
            bool location = glsl_token_is(token(u, k), "location");
            if (location) // with the comma behind it
                erase(u, k, end < close ? end : end - 1);
            kept += !location;
            k = end < close ? glsl_next(&u->code, end) : close;
        }
        if (kept == 0)
            erase(u, i, close);
        return;
    }
}

static void upgrade_invariant(struct upgrade *u, const struct statement *s)
{
    if (u->stage != GV_STAGE_FRAGMENT ||
        !glsl_token_is(token(u, s->first), "invariant"))
        return;
    // Inputs need not repeat it; a redeclaration says nothing else.
    erase(u, s->first, s->input || s->initialised ? s->first : s->last);
}

static bool upgrade_statement(struct upgrade *u, const struct statement *s)
{
    if (glsl_token_is(token(u, s->first), "precision") &&
        is_precision_word(token(u, glsl_next(&u->code, s->first)))) {
        erase(u, s->first, s->last);
        return true;
    }
    if (s->uniform && s->initialised)
        return unsupported(u, "uniform initialiser");
    if (s->uniform)
        drop_location(u, s);
    upgrade_invariant(u, s);
    if (s->qualifier == SIZE_MAX)
        return true;
    struct glsl_token *q = token(u, s->qualifier);
    bool varying = glsl_token_is(q, "varying");
    bool out = varying && u->stage == GV_STAGE_VERTEX;
    bool flat = u->stage == GV_STAGE_FRAGMENT && s->integer && !s->flat;
    if (varying || glsl_token_is(q, "attribute") || flat)
        q->replacement = out ? "out" : flat ? "flat in" : "in";
    return true;
}

static bool upgrade_statements(struct upgrade *u)
{
    int depth = 0;
    size_t i = 0;
    if (u->code.count && token(u, 0)->kind == GLSL_SPACE)
        i = glsl_next(&u->code, 0);
    while (i < u->code.count) {
        if (depth == 0 && token(u, i)->kind != GLSL_DIRECTIVE) {
            struct statement s = read_statement(u, i);
            if (!upgrade_statement(u, &s))
                return false;
            i = s.last;
        }
        depth += glsl_token_is(token(u, i), "{");
        depth -= depth > 0 && glsl_token_is(token(u, i), "}");
        i = glsl_next(&u->code, i);
    }
    return true;
}

static bool upgrade_tokens(struct upgrade *u)
{
    int layout = 0; // inside layout( ), whose words are no names
    for (size_t i = 0; i < u->code.count; i++) {
        struct glsl_token *t = token(u, i);
        if (t->kind == GLSL_DIRECTIVE)
            erase(u, i, i);
        if (layout > 0) {
            layout += glsl_token_is(t, "(");
            if (glsl_token_is(t, ")") && --layout == 1)
                layout = 0;
            continue;
        }
        if (t->kind != GLSL_IDENTIFIER || t->replacement)
            continue;
        if (glsl_token_is(t, "layout")) {
            layout = 1;
        } else if (glsl_token_is(t, "precision") &&
                   is_precision_word(token(u, glsl_next(&u->code, i)))) {
            struct statement s = read_statement(u, i); // inside a function
            erase(u, s.first, s.last);
        } else if (is_precision_word(t)) {
            erase(u, i, i);
        } else if (!rewrite_fragment_output(u, i) && !rewrite_name(u, i)) {
            return false;
        }
    }
    return true;
}

// ---- assembling ----

static bool write(struct upgrade *u, const char **out)
{
    struct gv_bytes text = { 0 };
    gv_bytes_printf(&text, "#version 460\n");
    if (u->frag_color)
        gv_bytes_printf(&text, "layout(location = 0) out vec4 gv_FragColor;\n");
    if (u->frag_data)
        gv_bytes_printf(&text, "layout(location = 0) out vec4 gv_FragData[8];\n");
    for (size_t i = 0; i < u->code.count; i++) {
        const struct glsl_token *t = token(u, i);
        const char *from = t->replacement ? t->replacement : t->text;
        gv_bytes_put(&text, from, t->replacement ? strlen(from) : t->size);
    }
    *out = text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
    gv_bytes_finish(&text);
    return *out || gv_out_of_memory(u->err);
}

static bool check_source(const char *text, struct gv_arena *arena, struct gv_error *err)
{
    struct glsl_tokens tokens;
    if (strlen(text) > GV_MAX_GLSL_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl text over %u bytes",
                       GV_MAX_GLSL_BYTES);
    return glsl_tokenize(text, arena, &tokens, err) &&
           glsl_check_directives(&tokens, err);
}

// The first versions with a stage; glslang fails on its own built-ins below them.
static bool check_stage(const struct upgrade *u)
{
    static const struct {
        uint32_t stages;
        int desktop, es;
    } first[] = {
        { GV_STAGE_GEOMETRY | GV_STAGE_TESSELLATION_CONTROL |
              GV_STAGE_TESSELLATION_EVALUATION,
          150, 310 },
        { GV_STAGE_COMPUTE, 420, 310 },
    };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if ((first[i].stages & u->stage) &&
            u->dialect.version < (u->dialect.es ? first[i].es : first[i].desktop))
            return gv_fail(u->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "glsl: version %d has no such stage", u->dialect.version);
    return true;
}

bool gv_glsl_upgrade(const struct gv_glsl_text *text,
                     const struct gv_upgrade_options *options, struct gv_arena *arena,
                     const char **out, struct gv_error *err)
{
    struct gv_error own = GV_ERROR_INIT;
    struct upgrade u = { .stage = text->stage,
                         .arena = arena,
                         .err = err ? err : &own };
    struct gv_glsl_text source = *text;
    const char *preprocessed;
    if (!check_source(text->text, arena, u.err) ||
        !gv_glsl_dialect(text->text, options, &u.dialect, u.err))
        return false;
    if (u.dialect.compatibility)
        return unsupported(&u, "compatibility profile");
    if (!check_stage(&u))
        return false;
    if (!gv_glsl_preprocess(&source, u.dialect.version, u.dialect.es, arena,
                            &preprocessed, u.err) ||
        !glsl_tokenize(preprocessed, arena, &u.code, u.err) ||
        !glsl_check_code(&u.code, u.err))
        return false;
    find_declared(&u);
    return upgrade_statements(&u) && upgrade_tokens(&u) && write(&u, out);
}
