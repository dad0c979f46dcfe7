// Subroutines of programs: the numbers that the recorded driver gave them, and which of
// them uniforms choose. A program's names of them are "STAGE:NAME" of subroutines and
// "STAGE=NAME" of uniforms, STAGE a GV_STAGE_*.
#include <stdio.h>
#include <string.h>

#include "compiler/gl/program/program_object.h"

#define NUMBER_WORK 64u // units of asking for the number of a subroutine

// ---- what the recorded driver said ----

static bool tell(struct gv_gl *gl, const struct gv_trace_call *call, char kind,
                 const struct gv_trace_value *value, int64_t number,
                 struct gv_error *err)
{
    struct gv_gl_program *p = gv_gl_find_object(&gl->objects, gv_gl_uint(call, 0));
    char name[GV_GL_MAX_NAME_BYTES], text[GV_GL_MAX_NAME_BYTES + 16];
    if (!p || !p->is_program || number < 0 || number > INT32_MAX ||
        !gv_gl_name_argument(value, name))
        return true;
    snprintf(text, sizeof text, "%u%c%s", gv_gl_shader_stage(gv_gl_uint(call, 1)), kind,
             name);
    if (!gv_gl_work(&gl->sink.work, p->told_subroutines.count / 8, err))
        return false;
    return gv_gl_number_name(&p->told_subroutines, text, strlen(text),
                             (struct gv_gl_numbered){ .number = (int32_t)number }) ||
           gv_out_of_memory(err);
}

// (program, type, name)
static bool gl_GetSubroutineIndex(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    return tell(gl, call, ':', gv_trace_argument(call, 2),
                (int32_t)gv_trace_sint(&call->result), err);
}

static bool gl_GetSubroutineUniformLocation(struct gv_gl *gl,
                                            const struct gv_trace_call *call,
                                            struct gv_error *err)
{
    return tell(gl, call, '=', gv_trace_argument(call, 2), gv_trace_sint(&call->result),
                err);
}

// (program, type, index, size, length, name)
static bool gl_GetActiveSubroutineName(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return tell(gl, call, ':', gv_trace_argument(call, 5), gv_gl_int(call, 2), err);
}

// ---- numbers ----

static uint32_t room(const struct gv_glsl_subroutine *s)
{
    return s->uniform && s->elements ? s->elements : 1;
}

// Where the recorded driver, or the text, has one; -1: neither says.
static int64_t said(const struct gv_gl_program *p, const struct gv_glsl_subroutine *s)
{
    char text[GV_GL_MAX_NAME_BYTES + 16];
    for (int bare = 0; bare < 2; bare++) { // "pick[0]" is the first of an array
        snprintf(text, sizeof text, "%u%c%.1000s%s", s->stage, s->uniform ? '=' : ':',
                 s->name, bare ? "[0]" : "");
        const struct gv_gl_numbered *n = gv_gl_numbered(&p->told_subroutines, text);
        if (n)
            return n->number;
    }
    return s->placed;
}

// By their numbers: of those that nobody places each has the lowest free one, as Mesa
// gives them.
#define MOST_NUMBERS ((int64_t)2 * GV_MAX_GLSL_SUBROUTINES)
struct numbered {
    const struct gv_glsl_subroutine *at[MOST_NUMBERS];
};

static void number(const struct gv_gl_program *p, const struct gv_glsl_program *g,
                   uint32_t stage, bool uniform, struct numbered *out)
{
    *out = (struct numbered){ { NULL } };
    for (int open = 0; open < 2; open++)
        for (size_t i = 0; i < g->subroutine_count; i++) {
            const struct gv_glsl_subroutine *s = &g->subroutines[i];
            if (s->stage != stage || s->uniform != uniform)
                continue;
            int64_t first = said(p, s);
            if ((first < 0) != (open == 1))
                continue;
            for (first = first < 0 ? 0 : first;
                 open && first < MOST_NUMBERS && out->at[first];)
                first++;
            for (uint32_t k = 0; k < room(s) && first + k < MOST_NUMBERS; k++)
                out->at[first + k] = s;
        }
}

static void choose(const struct gv_gl_program *p, const struct numbered *uniforms,
                   const struct numbered *functions, uint32_t location, uint32_t index)
{
    char name[GV_GL_MAX_NAME_BYTES];
    uint32_t element = 0, other;
    if (location >= MOST_NUMBERS || index >= MOST_NUMBERS)
        return;
    const struct gv_glsl_subroutine *u = uniforms->at[location];
    const struct gv_glsl_subroutine *f = functions->at[index];
    if (!u || !f)
        return;
    while (element < location && uniforms->at[location - element - 1] == u)
        element++;
    snprintf(name, sizeof name, GLSL_SUBROUTINE "%u_%.900s", u->stage, u->name);
    struct gv_gl_uniform *to = gv_gl_uniform_named(p->executable, name, &other);
    if (to && element < to->elements)
        to->values[element] = f->number;
}

static const struct gv_glsl_program *compiled(const struct gv_gl_program *p)
{
    const struct gv_gl_variant *v = gv_gl_is_linked(p) ? p->executable->variants : NULL;
    while (v && v->compiled->failed)
        v = v->next;
    return v ? &v->compiled->program : NULL;
}

// (type, count, indices)
static bool gl_UniformSubroutinesuiv(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    struct gv_gl_program *p = gl->context->used;
    const struct gv_trace_value *list = gv_trace_argument(call, 2);
    if (!p && gl->context->program)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(PIPELINE_SUBROUTINES));
    if (!p)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!gv_gl_link_now(gl, p, err))
        return false;
    const struct gv_glsl_program *g = compiled(p);
    const uint32_t stage = gv_gl_shader_stage(gv_gl_uint(call, 0));
    if (!g || list->kind != GV_TRACE_ARRAY)
        return true;
    struct numbered uniforms, functions;
    if (!gv_gl_work(&gl->sink.work, NUMBER_WORK * g->subroutine_count + list->count,
                    err))
        return false;
    number(p, g, stage, true, &uniforms);
    number(p, g, stage, false, &functions);
    for (uint32_t i = 0; i < list->count && i < MOST_NUMBERS; i++)
        choose(p, &uniforms, &functions, i,
               (uint32_t)gv_trace_uint(gv_trace_item(list, i)));
    return true;
}

void gv_gl_reset_subroutines(const struct gv_gl_program *p)
{
    const struct gv_gl_executable *x = p->executable;
    for (uint32_t i = 0; x && i < x->uniform_count; i++)
        for (uint32_t e = 0; x->uniforms[i].hidden && e < x->uniforms[i].elements; e++)
            x->uniforms[i].values[e] = UINT32_MAX;
}

const struct gv_gl_row gv_gl_subroutine_rows[] = {
    { "glGetSubroutineIndex", gl_GetSubroutineIndex, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetSubroutineUniformLocation", gl_GetSubroutineUniformLocation,
      GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetActiveSubroutineName", gl_GetActiveSubroutineName,
      GV_GL_INSIDE | GV_GL_QUIET },
    { "glUniformSubroutinesuiv", gl_UniformSubroutinesuiv, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
