#include "compiler/shader/glsl/text/glsl_preprocess.h"

#include "compiler/shader/glsl/text/glsl_macros.h"
#include "resources/base/bytes.h"

#include <stdlib.h>
#include <string.h>

// Between #if and #endif.
struct group {
    bool live;  // this branch is
    bool taken; // one was, or none can be
    bool last;  // behind #else
};

struct run {
    struct preprocessor p;
    struct group groups[GV_MAX_GLSL_CONDITIONS];
    size_t group_count;
    struct glsl_asking asked;
    struct gv_bytes out;
    bool made;  // the token in front is a macro's
    bool begun; // there was more than space
};

bool macro_refuse(struct preprocessor *p, enum gv_status status, const char *what)
{
    return gv_fail(p->err, status, GV_NO_OFFSET, "glsl: line %u: %s", p->reader.line,
                   what);
}

// ---- reading ----

static size_t newline(const char *s)
{
    if (*s != '\n' && *s != '\r')
        return 0;
    return (s[1] == '\n' || s[1] == '\r') && s[1] != *s ? 2 : 1;
}

// Lines that a backslash joins are one, and the newlines follow its end; all newlines
// are one character.
static const char *join_lines(const char *text, struct gv_arena *arena)
{
    char *out = gv_arena_alloc(arena, strlen(text) + 1), *to = out;
    size_t owed = 0;
    if (!out)
        return NULL;
    while (*text) {
        const size_t n = newline(text), joint = *text == '\\' ? newline(text + 1) : 0;
        if (joint) {
            owed++;
            text += 1 + joint;
            continue;
        }
        *to++ = *(n ? "\n" : text);
        for (; n && owed; owed--)
            *to++ = '\n';
        text += n ? n : 1;
    }
    *to = '\0';
    return out;
}

// Steps over space and comments; whether there is any.
static bool skip_space(struct macro_reader *r)
{
    const char *first = r->at;
    for (;;) {
        r->at += strspn(r->at, " \t\v\f");
        if (r->at[0] == '/' && r->at[1] == '/') {
            r->at += strcspn(r->at, "\n");
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            const char *end = strstr(r->at + 2, "*/");
            r->open = r->open || !end;
            end = end ? end + 2 : r->at + strlen(r->at);
            for (; r->at < end; r->at++) {
                r->owed += *r->at == '\n';
                r->line += *r->at == '\n';
            }
        } else {
            return r->at != first;
        }
    }
}

struct macro_token macro_read(struct preprocessor *p)
{
    struct macro_reader *r = &p->reader;
    const bool spaced = skip_space(r);
    struct macro_token t = { .text = r->at, .kind = MACRO_OTHER, .spaced = spaced };
    const bool begun = r->begun;
    r->begun = *r->at != '\n';
    if (*r->at == '\0' || *r->at == '\n') {
        t.kind = *r->at ? MACRO_NEWLINE : MACRO_END;
        t.size = *r->at != '\0';
        r->line += t.size;
    } else if (*r->at == '#') {
        t.kind = begun ? MACRO_OTHER : MACRO_DIRECTIVE;
        t.size = begun && r->at[1] == '#' ? 2 : 1;
    } else {
        const struct glsl_token own = glsl_token_at(r->at);
        t.size = own.size ? (uint32_t)own.size : 1; // a character that GLSL lacks
        if (own.kind == GLSL_IDENTIFIER)
            t.kind = MACRO_WORD;
        else if (own.kind == GLSL_NUMBER)
            t.kind = MACRO_NUMBER;
    }
    r->at += t.size;
    return t;
}

// The rest of a line.
static bool read_line(struct preprocessor *p, struct macro_tokens *out)
{
    const struct macro_reader *r = &p->reader;
    for (;;) {
        const struct macro_reader before = *r;
        const struct macro_token t = macro_read(p);
        if (t.kind == MACRO_NEWLINE || t.kind == MACRO_END) {
            p->reader = before; // of the text
            return true;
        }
        if (out && !macro_push(p, out, &t))
            return false;
    }
}

// ---- #define ----

static bool reserved(struct preprocessor *p, const struct macro_token *name)
{
    if ((name->size >= 3 && !memcmp(name->text, "GL_", 3)) || macro_is(name, "defined"))
        return !macro_refuse(p, GV_ERR_FORMAT, "a macro's name that is reserved");
    return false;
}

// Parameters from token 2 on: behind the name and the parenthesis, up to the body.
static bool read_params(struct preprocessor *p, const struct macro_tokens *line,
                        struct macro *m)
{
    size_t i = 2;
    m->params = line->items + 2;
    for (; i < line->count && line->items[i].kind == MACRO_WORD; i++) {
        m->params[m->param_count++] = line->items[i]; // in place of what was read
        i++;
        if (i + 1 >= line->count || !macro_is(&line->items[i], ",") ||
            line->items[i + 1].kind != MACRO_WORD)
            break;
    }
    if (i == line->count || !macro_is(&line->items[i], ")"))
        return macro_refuse(p, GV_ERR_FORMAT, "a macro's parameters");
    m->body = line->items + i + 1;
    return m->param_count <= GV_MAX_MACRO_PARAMS ||
           macro_refuse(p, GV_ERR_LIMIT, "too many parameters of a macro");
}

static bool same_tokens(const struct macro_token *a, const struct macro_token *b,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].size != b[i].size || memcmp(a[i].text, b[i].text, a[i].size) != 0 ||
            (i && a[i].spaced != b[i].spaced))
            return false;
    return true;
}

static bool same_macro(const struct macro *a, const struct macro *b)
{
    return a->function == b->function && a->param_count == b->param_count &&
           a->body_count == b->body_count &&
           same_tokens(a->params, b->params, a->param_count) &&
           same_tokens(a->body, b->body, a->body_count);
}

static bool check_macro(struct preprocessor *p, const struct macro *m)
{
    for (size_t i = 1; i < m->param_count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_tokens(&m->params[i], &m->params[k], 1))
                return macro_refuse(p, GV_ERR_FORMAT, "two parameters of one name");
    for (size_t i = 0; i < m->body_count; i++)
        if (macro_is(&m->body[i], "#") ||
            (p->dialect->es && macro_is(&m->body[i], "##")))
            return macro_refuse(p, GV_ERR_FORMAT, "# in a macro");
    return true;
}

static bool define(struct preprocessor *p, struct macro_tokens *line)
{
    if (!line->count || line->items[0].kind != MACRO_WORD)
        return macro_refuse(p, GV_ERR_FORMAT, "#define without a name");
    if (reserved(p, &line->items[0]))
        return false;
    struct macro m = { .name = line->items[0].text, .size = line->items[0].size };
    m.function =
        line->count > 1 && macro_is(&line->items[1], "(") && !line->items[1].spaced;
    m.body = line->items + 1;
    if (m.function && !read_params(p, line, &m))
        return false;
    m.body_count = line->count - (size_t)(m.body - line->items);
    const struct macro *known = macro_find(p, &line->items[0]);
    if (known && !same_macro(known, &m))
        return macro_refuse(p, GV_ERR_FORMAT, "a macro is defined otherwise before");
    return check_macro(p, &m) && macro_define(p, &m);
}

static bool has_underscores(const struct macro_token *name)
{
    for (uint32_t i = 1; i < name->size; i++)
        if (name->text[i - 1] == '_' && name->text[i] == '_')
            return true;
    return false;
}

static bool undefine(struct preprocessor *p, const struct macro_tokens *line)
{
    if (line->count != 1 || line->items[0].kind != MACRO_WORD)
        return macro_refuse(p, GV_ERR_FORMAT, "#undef of what is no name");
    if (reserved(p, &line->items[0]))
        return false;
    if (p->dialect->es && has_underscores(&line->items[0]))
        return macro_refuse(p, GV_ERR_FORMAT, "#undef of a name that is reserved");
    macro_undefine(p, &line->items[0]);
    return true;
}

// ---- conditions ----

static bool live(const struct run *r)
{
    return !r->group_count || r->groups[r->group_count - 1].live;
}

static bool condition(struct run *r, const struct macro_tokens *line, bool *holds)
{
    struct macro_tokens expanded = { 0 };
    return macro_expand_list(&r->p, line, true, &expanded) &&
           macro_condition(&r->p, &expanded, holds);
}

static bool open_group(struct run *r, const struct macro_token *word,
                       const struct macro_tokens *line)
{
    const bool here = live(r), names = !macro_is(word, "if");
    bool holds = false;
    if (r->group_count == GV_MAX_GLSL_CONDITIONS)
        return macro_refuse(&r->p, GV_ERR_LIMIT, "conditions within conditions");
    if (names && (line->count != 1 || line->items[0].kind != MACRO_WORD))
        return macro_refuse(&r->p, GV_ERR_FORMAT, "a condition of what is no name");
    if (here && names) {
        holds = macro_defined(&r->p, &line->items[0]) == macro_is(word, "ifdef");
    } else if (here && !condition(r, line, &holds)) {
        return false;
    }
    r->groups[r->group_count++] =
        (struct group){ .live = here && holds, .taken = !here || holds };
    return true;
}

// #else, #elif and #endif.
static bool next_branch(struct run *r, const struct macro_token *word,
                        const struct macro_tokens *line)
{
    struct group *g = r->group_count ? &r->groups[r->group_count - 1] : NULL;
    if (!g || (g->last && !macro_is(word, "endif")))
        return macro_refuse(&r->p, GV_ERR_FORMAT, "a branch without #if");
    if (macro_is(word, "endif")) {
        r->group_count--;
        return !line->count || !live(r) ||
               macro_refuse(&r->p, GV_ERR_FORMAT, "more behind #endif");
    }
    if (line->count && macro_is(word, "else"))
        return macro_refuse(&r->p, GV_ERR_FORMAT, "more behind #else");
    bool holds = !g->taken;
    g->last = macro_is(word, "else");
    if (holds && !g->last && !condition(r, line, &holds))
        return false;
    g->live = holds;
    g->taken |= holds;
    return true;
}

// ---- other directives ----

static bool take_line(struct run *r, const struct macro_tokens *line)
{
    struct macro_tokens numbers = { 0 };
    if (!macro_expand_list(&r->p, line, false, &numbers))
        return false;
    bool ok = numbers.count == 1 || numbers.count == 2;
    for (size_t i = 0; ok && i < numbers.count; i++)
        ok = numbers.items[i].kind == MACRO_NUMBER;
    if (!ok)
        return macro_refuse(&r->p, GV_ERR_FORMAT, "#line without numbers");
    // Of the line behind; the reader is at the end of this one.
    r->p.line_offset =
        (uint32_t)strtoul(numbers.items[0].text, NULL, 0) - (r->p.reader.line + 1);
    if (numbers.count == 2)
        r->p.file = (uint32_t)strtoul(numbers.items[1].text, NULL, 0);
    return true;
}

static bool define_one(struct preprocessor *p, const char *name)
{
    static const struct macro_token one = { .text = "1",
                                            .size = 1,
                                            .kind = MACRO_NUMBER };
    return macro_define(p, &(struct macro){ .name = name,
                                            .size = (uint32_t)strlen(name),
                                            .body = &one,
                                            .body_count = 1 });
}

static bool take_extension(struct run *r, const struct macro_tokens *line)
{
    const struct macro_token *t = line->items;
    bool ok = line->count == 3 && t[0].kind == MACRO_WORD && macro_is(&t[1], ":");
    static const char *const behaviours[] = { "require", "enable", "warn", "disable" };
    size_t i = 0;
    while (ok && i < 4 && !macro_is(&t[2], behaviours[i]))
        i++;
    if (!ok || i == 4)
        return macro_refuse(&r->p, GV_ERR_FORMAT, "#extension without a behaviour");
    const char *name;
    const bool required = macro_is(&t[2], "require");
    if (!glsl_ask(&r->asked, r->p.dialect, t[0].text, t[0].size, required,
                  macro_is(&t[2], "disable"), &name))
        return gv_fail(r->p.err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "glsl: line %u: no extension %.*s", r->p.reader.line,
                       t[0].size > 60 ? 60 : (int)t[0].size, t[0].text);
    return !name || define_one(&r->p, name);
}

static bool refuse_error(struct run *r, const struct macro_token *word)
{
    const char *text = word->text;
    return gv_fail(r->p.err, GV_ERR_FORMAT, GV_NO_OFFSET, "glsl: line %u: #%.*s",
                   r->p.reader.line, (int)strcspn(text, "\n"), text);
}

static bool obey(struct run *r, const struct macro_token *word,
                 struct macro_tokens *line)
{
    if (macro_is(word, "define"))
        return define(&r->p, line);
    if (macro_is(word, "undef"))
        return undefine(&r->p, line);
    if (macro_is(word, "line"))
        return take_line(r, line);
    if (macro_is(word, "extension"))
        return take_extension(r, line);
    if (macro_is(word, "pragma") || (macro_is(word, "version") && !r->begun))
        return true; // nobody asks for the one, gv_glsl_dialect has the other
    return macro_is(word, "error")
               ? refuse_error(r, word)
               : macro_refuse(&r->p, GV_ERR_FORMAT, "an unknown directive");
}

static bool read_directive(struct run *r)
{
    struct macro_tokens line = { 0 };
    const struct macro_reader before = r->p.reader;
    const struct macro_token word = macro_read(&r->p);
    if (word.kind == MACRO_NEWLINE || word.kind == MACRO_END) {
        r->p.reader = before;
        return true;
    }
    const bool opens =
        macro_is(&word, "if") || macro_is(&word, "ifdef") || macro_is(&word, "ifndef");
    const bool branch =
        macro_is(&word, "else") || macro_is(&word, "elif") || macro_is(&word, "endif");
    if (!opens && !branch && !live(r))
        return read_line(&r->p, NULL);
    if (!read_line(&r->p, &line))
        return false;
    return opens    ? open_group(r, &word, &line)
           : branch ? next_branch(r, &word, &line)
                    : obey(r, &word, &line);
}

// ---- text ----

static void put(struct run *r, const struct macro_token *t)
{
    r->begun = true;
    if (t->spaced || t->made || r->made)
        gv_bytes_u8(&r->out, ' '); // what a macro makes does not grow together
    gv_bytes_put(&r->out, t->text, t->size);
    r->made = t->made;
}

static bool put_word(struct run *r, const struct macro_token *t)
{
    struct macro_tokens made = { 0 };
    if (!macro_expand_read(&r->p, t, &made)) {
        put(r, t);
        return r->p.err->status == GV_OK;
    }
    for (size_t i = 0; i < made.count; i++)
        put(r, &made.items[i]);
    return true;
}

static bool read_text(struct run *r)
{
    for (;;) {
        struct macro_token t = macro_read(&r->p);
        if (t.kind == MACRO_END && r->p.reader.open)
            return macro_refuse(&r->p, GV_ERR_FORMAT, "a comment without an end");
        if (t.kind == MACRO_END)
            return !r->group_count ||
                   macro_refuse(&r->p, GV_ERR_FORMAT, "a condition without an end");
        if (t.kind == MACRO_NEWLINE) {
            r->made = false;
            gv_bytes_u8(&r->out, '\n');
            for (; r->p.reader.owed; r->p.reader.owed--)
                gv_bytes_u8(&r->out, '\n');
        } else if (t.kind == MACRO_DIRECTIVE) {
            if (!read_directive(r))
                return false;
            r->begun = true;
        } else if (!live(r)) {
            read_line(&r->p, NULL);
        } else if (t.kind != MACRO_WORD) {
            put(r, &t);
        } else if (!put_word(r, &t)) {
            return false;
        }
    }
}

static bool define_dialect(struct preprocessor *p)
{
    const struct gv_glsl_dialect *d = p->dialect;
    const struct {
        const char *name;
        bool here;
    } rows[] = {
        { "GL_ES", d->es },
        { "GL_core_profile", !d->es && d->version >= 150 },
        { "GL_compatibility_profile", d->compatibility && d->version >= 150 },
        { "GL_FRAGMENT_PRECISION_HIGH", d->es || d->version >= 130 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].here && !define_one(p, rows[i].name))
            return false;
    const char *name;
    for (size_t i = 0; glsl_extension(i, d, &name); i++)
        if (name && !define_one(p, name))
            return false;
    return true;
}

static const char *keep(struct run *r, struct gv_bytes *bytes)
{
    const char *text =
        bytes->failed ? NULL : gv_arena_copy(r->p.arena, bytes->data, bytes->size);
    gv_bytes_finish(bytes);
    return text;
}

// ---- #version ----

static struct macro_token first_token(struct preprocessor *p)
{
    struct macro_token t = macro_read(p);
    while (t.kind == MACRO_NEWLINE)
        t = macro_read(p);
    return t;
}

// `t`: what stands behind the word.
static bool read_version(const struct macro_tokens *t, struct gv_glsl_dialect *out,
                         struct gv_error *err)
{
    const struct macro_token *profile = t->count > 1 ? &t->items[1] : NULL;
    const bool number = t->count && t->items[0].kind == MACRO_NUMBER;
    const long version = number ? strtol(t->items[0].text, NULL, 10) : 0;
    const bool es = profile && macro_is(profile, "es");
    out->version = version > 0 && version < 1000 ? (int)version : 0;
    out->es = es || out->version == 100;
    out->compatibility = profile && macro_is(profile, "compatibility");
    const bool has =
        !profile || (es && out->version >= 300) ||
        (out->version >= 150 && (out->compatibility || macro_is(profile, "core")));
    return (glsl_known_version(out->version, out->es) && has && t->count <= 2) ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "glsl: no version %ld%s", version,
                   out->es ? " es" : "");
}

bool gv_glsl_dialect(const char *text, bool es, struct gv_glsl_dialect *out,
                     struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    const char *joined = join_lines(text, &arena);
    struct preprocessor p = { .reader = { .at = joined, .line = 1 },
                              .arena = &arena,
                              .err = err };
    struct macro_tokens behind = { 0 };
    bool ok = joined || gv_out_of_memory(err);
    *out = (struct gv_glsl_dialect){ es ? 100 : 110, es, false };
    if (ok && first_token(&p).kind == MACRO_DIRECTIVE) {
        const struct macro_token word = macro_read(&p);
        if (macro_is(&word, "version"))
            ok = read_line(&p, &behind) && read_version(&behind, out, err);
    }
    gv_arena_finish(&arena);
    return ok;
}

// ---- all of it ----

bool glsl_preprocess(const char *text, const struct gv_glsl_dialect *dialect,
                     struct gv_arena *arena, struct glsl_source *out,
                     struct gv_error *err)
{
    struct gv_error own = GV_ERROR_INIT;
    struct run *r = gv_arena_alloc(arena, sizeof *r);
    const char *joined = join_lines(text, arena);
    if (!r || !joined)
        return gv_out_of_memory(err);
    r->p.dialect = dialect;
    r->p.reader = (struct macro_reader){ .at = joined, .line = 1 };
    r->p.arena = arena;
    r->p.err = err ? err : &own;
    gv_bytes_printf(&r->asked.names, " ");
    const bool ok = define_dialect(&r->p) && read_text(r);
    out->text = keep(r, &r->out);
    out->extensions = keep(r, &r->asked.lines);
    out->asked = keep(r, &r->asked.names);
    return ok &&
           ((out->text && out->extensions && out->asked) || gv_out_of_memory(err));
}
