// Named strings, and texts that include them (ARB_shading_language_include): included
// where a shader is compiled, whatever #if says around it.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_include.h"
#include "resources/base/bytes.h"

#define MOST_STRINGS 4096u
#define MOST_INCLUDES 4096u // of one shader
#define MOST_NESTING 16u
#define NAME_WORK 16u // units of looking for a string

struct gv_gl_named_string {
    struct gv_gl_named_string *next;
    uint32_t group;          // that has it
    struct gv_gl_text *text; // held
    char path[GV_GL_MAX_NAME_BYTES];
};

// ---- paths ----

// `name` below `folder` without its dots, if it does not begin at the root itself.
// False: it is too long or leads out of the root.
static bool resolve(const char *folder, const char *name, size_t size,
                    char out[GV_GL_MAX_NAME_BYTES])
{
    size_t at = *name == '/' ? 0 : strlen(folder);
    if (at >= GV_GL_MAX_NAME_BYTES - 1)
        return false;
    memcpy(out, folder, at);
    while (at && out[at - 1] == '/')
        at--;
    for (size_t i = 0; i < size;) {
        while (i < size && name[i] == '/')
            i++;
        size_t n = 0;
        while (i + n < size && name[i + n] != '/')
            n++;
        const bool up = n == 2 && !memcmp(name + i, "..", 2);
        if (up && !at)
            return false;
        if (up)
            do
                at--;
            while (at && out[at] != '/');
        else if (n && !(n == 1 && name[i] == '.')) {
            if (n + 2 > GV_GL_MAX_NAME_BYTES - at)
                return false;
            out[at++] = '/';
            memcpy(out + at, name + i, n);
            at += n;
        }
        i += n;
    }
    out[at] = 0;
    return at != 0;
}

static struct gv_gl_named_string **find(struct gv_gl_objects *objects, const char *path)
{
    struct gv_gl_named_string **at = &objects->programs->strings;
    while (*at && ((*at)->group != objects->group || strcmp((*at)->path, path) != 0))
        at = &(*at)->next;
    return at;
}

static void drop(struct gv_gl_programs *programs, struct gv_gl_named_string **at)
{
    struct gv_gl_named_string *gone = *at;
    *at = gone->next;
    gv_gl_text_drop(gone->text);
    free(gone);
    programs->string_count--;
}

void gv_gl_strings_finish(struct gv_gl_programs *programs)
{
    while (programs->strings)
        drop(programs, &programs->strings);
}

void gv_gl_strings_end_group(struct gv_gl_objects *objects)
{
    struct gv_gl_named_string **at = &objects->programs->strings;
    while (*at)
        if ((*at)->group == objects->group)
            drop(objects->programs, at);
        else
            at = &(*at)->next;
}

// ---- texts ----

struct including {
    struct gv_gl *gl;
    const struct gv_gl_search *search;
    struct gv_bytes out;
    uint32_t count;
    bool refused;
    struct gv_error *err;
};

static void put_text(struct including *in, const char *text, const char *folder,
                     uint32_t nesting);

static struct gv_gl_named_string *look(struct including *in, const char *folder,
                                       const char *name, size_t size)
{
    char path[GV_GL_MAX_NAME_BYTES];
    struct gv_gl_named_string *found = NULL;
    if (*name == '/')
        folder = "";
    if (folder && resolve(folder, name, size, path))
        found = *find(&in->gl->objects, path);
    for (uint32_t i = 0; !found && i < in->search->count; i++)
        if (resolve(in->search->folders[i], name, size, path))
            found = *find(&in->gl->objects, path);
    return found;
}

// Whether a line includes something: where its name begins, up to `*size`.
static const char *included(const char *line, size_t *size, bool *quoted)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"' && *line != '<')
        return NULL;
    *quoted = *line == '"';
    *size = strcspn(line + 1, *quoted ? "\"\n" : ">\n");
    return line + 1;
}

static void include(struct including *in, const struct gv_gl_named_string *s,
                    uint32_t nesting)
{
    char folder[GV_GL_MAX_NAME_BYTES];
    memcpy(folder, s->path, sizeof folder);
    *strrchr(folder, '/') = 0;
    put_text(in, s->text->text, folder, nesting + 1);
    gv_bytes_printf(&in->out, "\n");
}

static void put_text(struct including *in, const char *text, const char *folder,
                     uint32_t nesting)
{
    while (*text && !in->refused) {
        const size_t line = strcspn(text, "\n");
        size_t size = 0;
        bool quoted = false;
        const char *name = included(text, &size, &quoted);
        const struct gv_gl_named_string *s =
            name ? look(in, quoted ? folder : NULL, name, size) : NULL;
        const uint64_t work =
            name ? NAME_WORK + in->gl->objects.programs->string_count : 0;
        in->refused = in->count == MOST_INCLUDES || nesting == MOST_NESTING ||
                      in->out.size + line > GV_MAX_GLSL_BYTES ||
                      (work && !gv_gl_work(&in->gl->sink.work, work, in->err));
        in->count += s != NULL;
        if (s && !in->refused)
            include(in, s, nesting);
        else
            gv_bytes_put(&in->out, text, line);
        text += line;
        if (*text)
            gv_bytes_put(&in->out, text++, 1);
    }
}

bool gv_gl_include(struct gv_gl *gl, const struct gv_gl_text *from,
                   const struct gv_gl_search *search, struct gv_gl_text **out,
                   struct gv_error *err)
{
    struct including in = { .gl = gl, .search = search, .err = err };
    *out = NULL;
    if (!strstr(from->text, "include") || !gl->objects.programs->strings)
        return true;
    put_text(&in, from->text, NULL, 0);
    const bool failed = err && err->status != GV_OK;
    if (!in.refused && !failed && !in.out.failed)
        *out = gv_gl_text_new(in.out.size);
    if (*out && in.out.size)
        memcpy((*out)->text, in.out.data, in.out.size);
    gv_bytes_finish(&in.out);
    if (failed)
        return false;
    if (in.refused)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(INCLUDED_BYTES));
    return *out || gv_out_of_memory(err);
}

// ---- calls ----

// A path argument `at` behind its length; false: none.
static bool path_of(const struct gv_trace_call *call, uint32_t at,
                    char out[GV_GL_MAX_NAME_BYTES])
{
    char name[GV_GL_MAX_NAME_BYTES];
    const int32_t told = gv_gl_int(call, at - 1);
    if (!gv_gl_name_argument(gv_trace_argument(call, at), name))
        return false;
    const size_t size = strlen(name);
    return *name == '/' &&
           resolve("", name, told >= 0 && (size_t)told < size ? (size_t)told : size,
                   out);
}

// (type, length, name, length, string)
static bool set_NamedStringARB(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call, struct gv_error *err)
{
    struct gv_gl_programs *all = objects->programs;
    char path[GV_GL_MAX_NAME_BYTES];
    const struct gv_trace_value *v = gv_trace_argument(call, 4);
    const int32_t told = gv_gl_int(call, 3);
    if (!path_of(call, 2, path))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (!gv_gl_work(&sink->work, NAME_WORK + all->string_count, err))
        return false;
    struct gv_gl_named_string **at = find(objects, path);
    if (*at)
        drop(objects->programs, at);
    uint64_t size =
        v->kind == GV_TRACE_STRING || v->kind == GV_TRACE_BLOB ? v->count : 0;
    size = told >= 0 && (uint64_t)told < size ? (uint64_t)told : size;
    if (all->string_count == MOST_STRINGS || size > GV_MAX_GLSL_BYTES)
        return gv_gl_unsupported_over(sink, GV_GL_LACK(NAMED_STRINGS),
                                      all->string_count, MOST_STRINGS);
    struct gv_gl_named_string *s = calloc(1, sizeof *s);
    if (s)
        s->text = gv_gl_text_new((size_t)size);
    if (!s || !s->text) {
        free(s);
        return gv_out_of_memory(err);
    }
    if (size)
        memcpy(s->text->text, v->bytes, (size_t)size);
    memcpy(s->path, path, sizeof path);
    s->group = objects->group;
    s->next = all->strings;
    all->strings = s;
    all->string_count++;
    return true;
}
GV_GL_OBJECT_SETTER(NamedStringARB)

static bool set_DeleteNamedStringARB(struct gv_gl_objects *objects,
                                     struct gv_gl_sink *sink,
                                     const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    char path[GV_GL_MAX_NAME_BYTES];
    if (!path_of(call, 1, path))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (!gv_gl_work(&sink->work, NAME_WORK + objects->programs->string_count, err))
        return false;
    struct gv_gl_named_string **at = find(objects, path);
    if (!*at)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    drop(objects->programs, at);
    return true;
}
GV_GL_OBJECT_SETTER(DeleteNamedStringARB)

const struct gv_gl_row gv_gl_shader_include_rows[] = {
    { "glNamedStringARB", gl_NamedStringARB, 0 },
    { "glDeleteNamedStringARB", gl_DeleteNamedStringARB, 0 },
    { NULL, NULL, 0 },
};
