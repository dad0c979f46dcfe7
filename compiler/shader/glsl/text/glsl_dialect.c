#include "compiler/shader/glsl/text/glsl_dialect.h"

#include "resources/base/bytes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum extension_use { DROP, KEEP };
static const struct {
    const char *name;
    uint8_t desktop, es;
    enum extension_use use;
} extensions[] = {
#define GLSL_EXTENSION(name, desktop, es, how) { name, desktop, es, how },
#include "compiler/shader/glsl/text/glsl_extensions.def"
#undef GLSL_EXTENSION
};
#define EXTENSION_COUNT (sizeof extensions / sizeof *extensions)

// ---- version ----

static const int desktop_versions[] = { 110, 120, 130, 140, 150, 330, 400,
                                        410, 420, 430, 440, 450, 460 };
static const int es_versions[] = { 100, 300, 310, 320 };

static bool known_version(int version, bool es)
{
    const int *versions = es ? es_versions : desktop_versions;
    size_t count = es ? sizeof es_versions / sizeof *es_versions
                      : sizeof desktop_versions / sizeof *desktop_versions;
    for (size_t i = 0; i < count; i++)
        if (versions[i] == version)
            return true;
    return false;
}

// What stands behind a directive's name, or NULL if that is another.
static const char *directive_text(const struct glsl_token *t, const char *name)
{
    if (t->kind != GLSL_DIRECTIVE)
        return NULL;
    const char *p = t->text + 1 + strspn(t->text + 1, " \t");
    size_t n = strlen(name);
    if (strncmp(p, name, n) != 0 ||
        (p[n] != ' ' && p[n] != '\t' && p[n] != '\r' && p[n] != '\n' && p[n] != '\0'))
        return NULL;
    return p + n;
}

// The first directive's text after "version", or NULL.
static const char *version_text(const char *text, struct gv_arena *arena)
{
    struct glsl_tokens tokens;
    if (!glsl_tokenize(text, arena, &tokens, NULL) && !tokens.tokens)
        return NULL;
    for (size_t i = 0; i < tokens.count; i++)
        if (tokens.tokens[i].kind != GLSL_SPACE)
            return directive_text(&tokens.tokens[i], "version");
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

bool gv_glsl_dialect(const char *text, bool es, struct gv_glsl_dialect *out,
                     struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    const char *version = version_text(text, &arena);
    bool ok = true;
    *out = (struct gv_glsl_dialect){ es ? 100 : 110, es, false };
    if (version)
        ok = parse_version(version, out, err);
    gv_arena_finish(&arena);
    return ok;
}

// ---- extensions ----

#define NO_EXTENSION EXTENSION_COUNT
#define IF_REQUIRED 2 // of `desktop` and `es`

static size_t find_extension(const char *name, size_t size)
{
    for (size_t i = 0; i < EXTENSION_COUNT; i++)
        if (strlen(extensions[i].name) == size &&
            !memcmp(extensions[i].name, name, size))
            return i;
    return NO_EXTENSION;
}

// What lines of a source ask for: struct glsl_source, while it is gathered.
struct asking {
    struct gv_bytes lines, names;
};

// `NAME : BEHAVIOUR`. What is enabled and Vulkan's text needs too becomes a line of it.
// False: it is required and not offered.
static bool take_extension(const char *p, const struct gv_glsl_dialect *dialect,
                           struct asking *to)
{
    p += strspn(p, " \t");
    size_t size = strcspn(p, " \t\r\n:"), at = find_extension(p, size);
    const char *behaviour = p + size + strspn(p + size, " \t");
    if (*behaviour == ':')
        behaviour += 1 + strspn(behaviour + 1, " \t");
    bool required = strncmp(behaviour, "require", 7) == 0;
    const unsigned offered = at == NO_EXTENSION ? 0
                             : dialect->es      ? extensions[at].es
                                                : extensions[at].desktop;
    bool has = offered && (offered != IF_REQUIRED || required);
    if (required && !has)
        return false;
    if (!has || !strncmp(behaviour, "disable", 7))
        return true;
    gv_bytes_printf(&to->names, "%s ", extensions[at].name);
    if (extensions[at].use == KEEP)
        gv_bytes_printf(&to->lines, "#extension %s : enable\n", extensions[at].name);
    return true;
}

static void blank(char *text, size_t from, size_t size)
{
    for (size_t i = from; i < from + size; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

// An error where the preprocessor gets there: it may stand behind an #if.
static void refuse(char *directive, const char *name)
{
    static const char word[] = "#error";
    memset(directive, ' ', (size_t)(name - directive));
    memcpy(directive, word, sizeof word - 1); // shorter than #extension
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

// Macros of extensions that are not offered get another name: glslang defines them, and
// nothing may undefine a name of GL's.
static void hide_macros(char *text, size_t size, bool es)
{
    for (size_t i = 0; i < size; i++) {
        size_t n = 0;
        while (i + n < size && is_word(text[i + n]))
            n++;
        size_t at =
            n > 3 && text[i] == 'G' ? find_extension(text + i, n) : NO_EXTENSION;
        if (at != NO_EXTENSION && !(es ? extensions[at].es : extensions[at].desktop))
            text[i] = '_';
        i += n;
    }
}

static bool take_lines(char *text, const struct gv_glsl_dialect *dialect,
                       struct gv_arena *arena, struct asking *to, struct gv_error *err)
{
    struct glsl_tokens tokens;
    if (!glsl_tokenize(text, arena, &tokens, err))
        return false;
    for (size_t i = 0; i < tokens.count; i++) {
        const struct glsl_token *t = &tokens.tokens[i];
        const char *extension = directive_text(t, "extension");
        if (extension && !take_extension(extension, dialect, to)) {
            refuse(text + (t->text - text), extension);
            continue;
        }
        if (extension || directive_text(t, "version") || directive_text(t, "line"))
            blank(text, (size_t)(t->text - text), t->size);
        else if (t->kind == GLSL_DIRECTIVE)
            hide_macros(text + (t->text - text), t->size, dialect->es);
    }
    return true;
}

bool glsl_take_directives(const char *text, const struct gv_glsl_dialect *dialect,
                          struct gv_arena *arena, struct glsl_source *out,
                          struct gv_error *err)
{
    struct asking to = { { 0 }, { 0 } };
    char *copy = gv_arena_copy(arena, text, strlen(text));
    gv_bytes_printf(&to.names, " ");
    bool ok = copy ? take_lines(copy, dialect, arena, &to, err) : gv_out_of_memory(err);
    const bool whole = !to.lines.failed && !to.names.failed;
    out->text = copy;
    out->extensions = whole ? gv_arena_copy(arena, to.lines.data, to.lines.size) : NULL;
    out->asked = whole ? gv_arena_copy(arena, to.names.data, to.names.size) : NULL;
    gv_bytes_finish(&to.lines);
    gv_bytes_finish(&to.names);
    return ok && ((out->extensions && out->asked) || gv_out_of_memory(err));
}

// `asked`: names with a space in front of and behind each.
static bool asks(const char *asked, const char *name)
{
    const size_t size = strlen(name);
    const char *at = strstr(asked, name);
    while (at && (at[-1] != ' ' || at[size] != ' '))
        at = strstr(at + 1, name);
    return at != NULL;
}

const char *glsl_preamble(const struct gv_glsl_dialect *dialect, const char *asked,
                          struct gv_arena *arena, struct gv_error *err)
{
    // Their literals have suffixes, which the preprocessor reads.
    static const char *const literals[] = { " GL_ARB_gpu_shader_fp64 ",
                                            " GL_ARB_gpu_shader_int64 ",
                                            " GL_AMD_gpu_shader_int64 " };
    struct gv_bytes text = { 0 };
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
        if (strstr(asked, literals[i]))
            gv_bytes_printf(&text, "#extension GL_ARB_gpu_shader_%s : enable\n",
                            i ? "int64" : "fp64");
    for (size_t i = 0; i < EXTENSION_COUNT; i++) {
        const unsigned offered = dialect->es ? extensions[i].es : extensions[i].desktop;
        if (offered && (offered != IF_REQUIRED || asks(asked, extensions[i].name)))
            gv_bytes_printf(&text, "#define %s 1\n", extensions[i].name);
    }
    const char *out = text.failed ? NULL : gv_arena_copy(arena, text.data, text.size);
    gv_bytes_finish(&text);
    if (!out)
        gv_out_of_memory(err);
    return out;
}
