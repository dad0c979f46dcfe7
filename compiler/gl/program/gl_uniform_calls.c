// Calls that set uniforms, samplers among them, and binding points of blocks.
#include <string.h>

#include "compiler/gl/program/program_joined.h"

// What a function sets, by its name behind "glUniform" or "glProgramUniform".
struct form {
    const char *suffix;
    struct gv_glsl_type type;
    bool vector;
};

static const struct form forms[] = {
#define GV_GL_UNIFORM(suffix, scalar, rows, columns, vector) \
    { suffix, { scalar, rows, columns }, vector },
#include "compiler/gl/program/gl_uniform_calls.def"
#undef GV_GL_UNIFORM
};

// The form of a function's name without what is in front of it; extensions' suffixes
// follow. NULL: none.
static const struct form *form_of(const char *suffix)
{
    static const char *const endings[] = { "", "ARB", "EXT", "OES", "NV" };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t length = strlen(forms[i].suffix);
        if (strncmp(suffix, forms[i].suffix, length) != 0)
            continue;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (!strcmp(suffix + length, endings[k]))
                return &forms[i];
    }
    return NULL;
}

// ---- values ----

static void put_number(enum gv_glsl_scalar to, enum gv_glsl_scalar from,
                       const struct gv_trace_value *v, uint32_t *out)
{
    if (to == GV_GLSL_DOUBLE) {
        const double real = gv_trace_real(v);
        memcpy(out, &real, sizeof real);
    } else if (to == GV_GLSL_FLOAT) {
        const float real = (float)gv_trace_real(v);
        memcpy(out, &real, sizeof real);
    } else if (gv_glsl_scalar_words(to) == 2) {
        const int64_t whole = gv_trace_sint(v);
        memcpy(out, &whole, sizeof whole);
    } else if (to == GV_GLSL_BOOL) {
        *out = from == GV_GLSL_FLOAT ? gv_trace_real(v) != 0 : gv_trace_uint(v) != 0;
    } else {
        *out = (uint32_t)gv_trace_sint(v);
    }
}

// Whether a function may set a uniform (OpenGL 4.6, section 7.6.1).
static bool fits(const struct gv_gl_uniform *u, const struct form *f)
{
    const enum gv_glsl_scalar from = f->type.scalar;
    if (f->type.rows != u->type.rows || f->type.columns != u->type.columns)
        return false;
    if (u->sampler)
        return from == GV_GLSL_INT;
    return from == u->type.scalar ||
           (u->type.scalar == GV_GLSL_BOOL && gv_glsl_scalar_words(from) == 1);
}

struct given {
    const struct form *form;
    uint32_t location_at; // argument of the location
    uint32_t values_at;   // first argument of the values
    bool transposed;
    uint64_t count;
};

static const struct gv_trace_value *number_of(const struct gv_trace_call *call,
                                              const struct given *g, uint64_t i)
{
    return g->form->vector ? gv_trace_item(gv_trace_argument(call, g->values_at), i)
                           : gv_trace_argument(call, g->values_at + (uint32_t)i);
}

static void store(const struct gv_trace_call *call, const struct given *g,
                  struct gv_gl_uniform *u, uint32_t element)
{
    const uint32_t rows = u->type.rows, columns = u->type.columns;
    const uint32_t words = gv_glsl_scalar_words(u->type.scalar);
    for (uint64_t e = 0; e < g->count && element + e < u->elements; e++) {
        uint32_t *out = u->values + (size_t)(element + e) * u->words;
        for (uint32_t c = 0; c < columns; c++)
            for (uint32_t r = 0; r < rows; r++) {
                const uint32_t at = g->transposed ? r * columns + c : c * rows + r;
                put_number(u->type.scalar, g->form->type.scalar,
                           number_of(call, g, e * rows * columns + at),
                           out + (size_t)(c * rows + r) * words);
            }
    }
}

static bool is_unit(const struct gv_trace_call *call, const struct given *g)
{
    for (uint64_t i = 0; i < g->count; i++)
        if (gv_trace_uint(number_of(call, g, i)) >= GV_GL_IMAGE_UNITS)
            return false;
    return true;
}

static bool set(struct gv_gl *gl, const struct gv_trace_call *call,
                struct gv_gl_program *p, const struct given *g, struct gv_error *err)
{
    const int64_t location = gv_trace_sint(gv_trace_argument(call, g->location_at));
    struct gv_gl_place at;
    if (!gv_gl_link_now(gl, p, err))
        return false;
    if (location == -1)
        return true;
    if (p->executable && !gv_gl_is_linked(p))
        return (p->executable->passed && !p->unlinked) ||
               gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (location < 0 || location > GV_GL_MAX_LOCATION)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!gv_gl_uniform_at(&gl->sink.work, p, (uint32_t)location, &at, err))
        return false;
    struct gv_gl_uniform *u = at.uniform;
    if (!u || !fits(u, g->form) || (g->count > 1 && !u->array))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    const uint64_t left = u->elements - at.element;
    struct given inside = *g;
    inside.count = g->count < left ? g->count : left;
    if (u->sampler && !u->image && !is_unit(call, &inside))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!gv_gl_work(&gl->sink.work, inside.count * u->words / 4, err))
        return false;
    store(call, &inside, u, at.element);
    return true;
}

// ---- calls ----

static bool run(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t first,
                struct gv_gl_program *p, struct gv_error *err)
{
    const char *name = call->function->name +
                       (first ? strlen("glProgramUniform") : strlen("glUniform"));
    const struct form *f = form_of(name);
    if (!f)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
    const bool matrix = f->type.columns > 1;
    struct given g = { .form = f,
                       .location_at = first,
                       .values_at = first + 1 + f->vector + matrix,
                       .count = 1 };
    if (f->vector) {
        const int64_t count = gv_trace_sint(gv_trace_argument(call, first + 1));
        if (count < 0)
            return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
        g.count = (uint64_t)count;
    }
    if (matrix)
        g.transposed = gv_gl_uint(call, first + 2) != 0;
    if (!p)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    return set(gl, call, p, &g, err);
}

static bool gl_Uniform(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    const struct gv_gl_program_pipeline *p = c->pipelined ? c->pipelined->bound : NULL;
    return run(gl, call, 0, c->used || !p ? c->used : p->active, err);
}

static bool gl_ProgramUniform(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    struct gv_gl_program *p =
        gv_gl_need_program(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    return !p || run(gl, call, 1, p, err);
}

// (program, block, point): blocks are told by the numbers that the recorded driver
// gave, else by those that they have here.
static bool bind_block(struct gv_gl *gl, const struct gv_trace_call *call, bool storage,
                       struct gv_error *err)
{
    struct gv_gl_program *p =
        gv_gl_need_program(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    const int64_t block = gv_trace_sint(gv_trace_argument(call, 1));
    const uint32_t point = gv_gl_uint(call, 2);
    const char *name = NULL;
    char own[GV_GL_MAX_NAME_BYTES];
    if (!p)
        return true;
    if (point >= GV_GL_POINTS || !p->executable || p->unlinked)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const struct gv_gl_numbers_by_name *told =
        storage ? &p->told_storage : &p->told_blocks;
    for (uint32_t i = 0; i < told->count; i++)
        if (told->list[i].number == block)
            name = told->list[i].name;
    if (!name && !gv_gl_link_now(gl, p, err))
        return false;
    if (!name && gv_gl_block_name(p, storage, block, own))
        name = own;
    if (!name)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return gv_gl_number_name(&p->executable->block_points, name, strlen(name),
                             (struct gv_gl_numbered){ .number = (int32_t)point }) ||
           gv_out_of_memory(err);
}

GV_GL_HANDLER(UniformBlockBinding, bind_block(gl, call, false, err))
GV_GL_HANDLER(ShaderStorageBlockBinding, bind_block(gl, call, true, err))

const struct gv_gl_row gv_gl_uniform_rows[] = {
#define GV_GL_UNIFORM(suffix, scalar, rows, columns, vector) \
    { "glUniform" suffix, gl_Uniform, GV_GL_LISTED },        \
        { "glProgramUniform" suffix, gl_ProgramUniform, GV_GL_LISTED },
#include "compiler/gl/program/gl_uniform_calls.def"
#undef GV_GL_UNIFORM
    { "glUniformBlockBinding", gl_UniformBlockBinding, 0 },
    { "glShaderStorageBlockBinding", gl_ShaderStorageBlockBinding, 0 },
    { NULL, NULL, 0 },
};
