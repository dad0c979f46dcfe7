// Calls of shader objects, and what they share with programs: names, deletion.
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/program/program_include.h"

#define MAX_SOURCE_BYTES ((uint64_t)GV_MAX_GLSL_BYTES)

static uint32_t result_name(const struct gv_trace_call *call)
{
    return (uint32_t)gv_trace_uint(&call->result);
}

static bool set_CreateShader(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call, struct gv_error *err)
{
    (void)sink;
    if (!result_name(call))
        return true;
    struct gv_gl_program *p = gv_gl_make_object(objects, result_name(call), false, err);
    if (!p)
        return false;
    p->shader.type = gv_gl_uint(call, 0);
    return true;
}
GV_GL_OBJECT_SETTER(CreateShader)

static bool set_CreateProgram(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call, struct gv_error *err)
{
    (void)sink;
    return !result_name(call) ||
           gv_gl_make_object(objects, result_name(call), true, err);
}
GV_GL_OBJECT_SETTER(CreateProgram)

// ---- sources ----

// How much of a string counts: its length as told (a negative one: up to its end).
static size_t piece_size(const struct gv_trace_value *piece,
                         const struct gv_trace_value *lengths, uint64_t i)
{
    uint64_t size = piece->count;
    const void *end = size ? memchr(piece->bytes, 0, (size_t)size) : NULL;
    if (end)
        size = (uint64_t)((const uint8_t *)end - piece->bytes);
    const int64_t told = lengths->kind == GV_TRACE_ARRAY && i < lengths->count
                             ? gv_trace_sint(&lengths->items[i])
                             : -1;
    return (size_t)(told >= 0 && (uint64_t)told < size ? (uint64_t)told : size);
}

static bool is_text(const struct gv_trace_value *v)
{
    return v->kind == GV_TRACE_STRING || v->kind == GV_TRACE_BLOB;
}

// Strings that follow each other as one; NULL: memory, or (`*size` over the bound) too
// long.
static struct gv_gl_text *join(const struct gv_trace_value *strings,
                               const struct gv_trace_value *lengths, uint64_t count,
                               uint64_t *size)
{
    *size = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct gv_trace_value *v = gv_trace_item(strings, i);
        *size += is_text(v) ? piece_size(v, lengths, i) : 0;
        if (*size >= MAX_SOURCE_BYTES)
            return NULL;
    }
    struct gv_gl_text *t = gv_gl_text_new((size_t)*size);
    size_t at = 0;
    for (uint64_t i = 0; t && i < count; i++) {
        const struct gv_trace_value *v = gv_trace_item(strings, i);
        const size_t n = is_text(v) ? piece_size(v, lengths, i) : 0;
        if (n)
            memcpy(t->text + at, v->bytes, n);
        at += n;
    }
    return t;
}

// Strings from argument `at` on, behind their count. *out NULL: too long.
static bool source_of(struct gv_gl_sink *sink, const struct gv_trace_call *call,
                      uint32_t at, struct gv_gl_text **out, struct gv_error *err)
{
    static const struct gv_trace_value none = { .kind = GV_TRACE_ABSENT };
    const struct gv_trace_value *strings = gv_trace_argument(call, at);
    uint64_t count = strings->kind == GV_TRACE_ARRAY ? strings->count : 1, size;
    const uint64_t told = gv_trace_uint(gv_trace_argument(call, at - 1));
    const struct gv_trace_value *lengths =
        call->argument_count > at + 1 ? gv_trace_argument(call, at + 1) : &none;
    *out = join(strings, lengths, count < told ? count : told, &size);
    if (!*out && size < MAX_SOURCE_BYTES)
        return gv_out_of_memory(err);
    return *out || gv_gl_unsupported(sink, GV_GL_LACK(SOURCE_BYTES));
}

static bool set_ShaderSource(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call, struct gv_error *err)
{
    struct gv_gl_program *p = gv_gl_need_shader(objects, sink, gv_gl_uint(call, 0));
    if (!p)
        return true;
    struct gv_gl_text *t;
    if (!source_of(sink, call, 2, &t, err))
        return false;
    if (!t)
        return true;
    if (p->shader.module)
        gv_gl_shader_clear(&p->shader);
    gv_gl_text_drop(p->shader.source);
    p->shader.source = t;
    return true;
}
GV_GL_OBJECT_SETTER(ShaderSource)

static bool compile(struct gv_gl *gl, struct gv_gl_program *p,
                    const struct gv_gl_search *search, struct gv_error *err)
{
    struct gv_gl_text *whole = NULL;
    if (p->shader.module)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (p->shader.source && !gv_gl_include(gl, p->shader.source, search, &whole, err))
        return false;
    gv_gl_text_drop(p->shader.compiled);
    p->shader.refused = false;
    p->shader.compiled = whole ? whole : p->shader.source;
    if (!whole && p->shader.source)
        p->shader.source->references++;
    return true;
}

static bool gl_CompileShader(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    static const struct gv_gl_search nowhere = { 0 };
    struct gv_gl_program *p =
        gv_gl_need_shader(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    return !p || compile(gl, p, &nowhere, err);
}

// (shader, count, paths, lengths)
static bool gl_CompileShaderIncludeARB(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    struct gv_gl_program *p =
        gv_gl_need_shader(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    struct gv_gl_search search = { 0 };
    const struct gv_trace_value *paths = gv_trace_argument(call, 2);
    for (uint64_t i = 0; paths->kind == GV_TRACE_ARRAY && i < paths->count &&
                         search.count < GV_GL_SEARCH_FOLDERS;
         i++)
        search.count +=
            gv_gl_name_argument(gv_trace_item(paths, i), search.folders[search.count]);
    return !p || compile(gl, p, &search, err);
}

// glCreateShaderProgramv: one stage, linked.
static bool gl_CreateShaderProgramv(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    if (!result_name(call))
        return true;
    struct gv_gl_program *p =
        gv_gl_make_object(&gl->objects, result_name(call), true, err);
    struct gv_gl_text *t;
    if (!p || !source_of(&gl->sink, call, 2, &t, err))
        return false;
    if (!t)
        return true;
    p->separable = true;
    struct gv_gl_program shader = {
        .shader = { .type = gv_gl_uint(call, 0), .source = t, .compiled = t }
    };
    p->attached[p->attached_count++] = &shader;
    const bool ok = gv_gl_link_program(gl, p, err);
    p->attached_count = 0;
    gv_gl_text_drop(t);
    return ok;
}

// ---- deletion ----

static bool delete_named(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                         uint32_t name, int kind)
{
    struct gv_gl_program *p = gv_gl_find_object(objects, name);
    if (!name)
        return true;
    if (!p || (kind >= 0 && p->is_program != (kind == 1)))
        return gv_gl_reject(sink, p ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    gv_gl_delete_object(objects->programs, p);
    return true;
}

GV_GL_HANDLER(DeleteShader,
              delete_named(&gl->objects, &gl->sink, gv_gl_uint(call, 0), 0))
GV_GL_HANDLER(DeleteProgram,
              delete_named(&gl->objects, &gl->sink, gv_gl_uint(call, 0), 1))
GV_GL_HANDLER(DeleteObjectARB,
              delete_named(&gl->objects, &gl->sink, gv_gl_uint(call, 0), -1))

const struct gv_gl_row gv_gl_shader_rows[] = {
    { "glCreateShader", gl_CreateShader, 0 },
    { "glCreateShaderObjectARB", gl_CreateShader, 0 },
    { "glCreateProgram", gl_CreateProgram, 0 },
    { "glCreateProgramObjectARB", gl_CreateProgram, 0 },
    { "glCreateShaderProgramv", gl_CreateShaderProgramv, 0 },
    { "glShaderSource", gl_ShaderSource, 0 },
    { "glCompileShader", gl_CompileShader, 0 },
    { "glCompileShaderIncludeARB", gl_CompileShaderIncludeARB, 0 },
    { "glDeleteShader", gl_DeleteShader, 0 },
    { "glDeleteProgram", gl_DeleteProgram, 0 },
    { "glDeleteObjectARB", gl_DeleteObjectARB, 0 },
    { NULL, NULL, 0 },
};
