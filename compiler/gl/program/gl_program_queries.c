// Queries of programs. Their recorded results say which numbers the recorded driver
// gave to names: the program goes on with those.
#include <string.h>

#include "compiler/gl/program/program_object.h"

static struct gv_gl_program *asked(struct gv_gl_objects *objects,
                                   const struct gv_trace_call *call)
{
    struct gv_gl_program *p = gv_gl_find_object(objects, gv_gl_uint(call, 0));
    return p && p->is_program ? p : NULL;
}

static bool tell(struct gv_gl_work *work, struct gv_gl_numbers_by_name *to,
                 const struct gv_trace_value *name, int64_t number,
                 struct gv_error *err)
{
    char text[GV_GL_MAX_NAME_BYTES];
    if (number < 0 || number > INT32_MAX || !gv_gl_name_argument(name, text))
        return true;
    if (!gv_gl_work(work, to->count / 8, err))
        return false;
    return gv_gl_number_name(to, text, strlen(text),
                             (struct gv_gl_numbered){ .number = (int32_t)number }) ||
           gv_out_of_memory(err);
}

static bool tell_uniform(struct gv_gl_work *work, struct gv_gl_program *p,
                         const struct gv_trace_value *name, int64_t number,
                         struct gv_error *err)
{
    const struct gv_gl_numbers_by_name *told = &p->told_uniforms;
    char text[GV_GL_MAX_NAME_BYTES];
    const struct gv_gl_numbered *before =
        gv_gl_name_argument(name, text) ? gv_gl_numbered(told, text) : NULL;
    if (p->executable && (!before || before->number != number))
        p->executable->placed = false;
    return tell(work, &p->told_uniforms, name, number, err);
}

static bool tell_attribute(struct gv_gl_work *work, struct gv_gl_program *p,
                           const struct gv_trace_value *name, int64_t number,
                           struct gv_error *err)
{
    return !p->executable ||
           tell(work, &p->executable->told_attributes, name, number, err);
}

static bool set_GetUniformLocation(struct gv_gl_objects *objects,
                                   struct gv_gl_sink *sink,
                                   const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    struct gv_gl_program *p = asked(objects, call);
    return !p || tell_uniform(&sink->work, p, gv_trace_argument(call, 1),
                              gv_trace_sint(&call->result), err);
}
GV_GL_OBJECT_SETTER(GetUniformLocation)

static bool set_GetAttribLocation(struct gv_gl_objects *objects,
                                  struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    struct gv_gl_program *p = asked(objects, call);
    return !p || tell_attribute(&sink->work, p, gv_trace_argument(call, 1),
                                gv_trace_sint(&call->result), err);
}
GV_GL_OBJECT_SETTER(GetAttribLocation)

static bool set_GetUniformBlockIndex(struct gv_gl_objects *objects,
                                     struct gv_gl_sink *sink,
                                     const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    struct gv_gl_program *p = asked(objects, call);
    return !p || tell(&sink->work, &p->told_blocks, gv_trace_argument(call, 1),
                      gv_trace_sint(&call->result), err);
}
GV_GL_OBJECT_SETTER(GetUniformBlockIndex)

// (program, index, size, length, name)
static bool gl_GetActiveUniformBlockName(struct gv_gl *gl,
                                         const struct gv_trace_call *call,
                                         struct gv_error *err)
{
    struct gv_gl_program *p = asked(&gl->objects, call);
    return !p || tell(&gl->sink.work, &p->told_blocks, gv_trace_argument(call, 4),
                      gv_trace_sint(gv_trace_argument(call, 1)), err);
}

// (program, interface, name)
static bool gl_GetProgramResourceLocation(struct gv_gl *gl,
                                          const struct gv_trace_call *call,
                                          struct gv_error *err)
{
    struct gv_gl_program *p = asked(&gl->objects, call);
    const struct gv_trace_value *name = gv_trace_argument(call, 2);
    const int64_t number = gv_trace_sint(&call->result);
    if (p && gv_gl_uint(call, 1) == GL_UNIFORM)
        return tell_uniform(&gl->sink.work, p, name, number, err);
    return !p || gv_gl_uint(call, 1) != GL_PROGRAM_INPUT ||
           tell_attribute(&gl->sink.work, p, name, number, err);
}

static bool gl_GetProgramResourceIndex(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    struct gv_gl_program *p = asked(&gl->objects, call);
    const uint32_t interface = gv_gl_uint(call, 1);
    if (!p || (interface != GL_UNIFORM_BLOCK && interface != GL_SHADER_STORAGE_BLOCK))
        return true;
    return tell(&gl->sink.work,
                interface == GL_UNIFORM_BLOCK ? &p->told_blocks : &p->told_storage,
                gv_trace_argument(call, 2), gv_trace_sint(&call->result), err);
}

// (program, pname, params): whether it linked.
static bool gl_GetProgramiv(struct gv_gl *gl, const struct gv_trace_call *call,
                            struct gv_error *err)
{
    (void)err;
    struct gv_gl_program *p = asked(&gl->objects, call);
    const struct gv_trace_value *params = gv_trace_argument(call, 2);
    const uint32_t what = gv_gl_uint(call, 1);
    if (!p || !p->executable || p->unlinked || what != GL_LINK_STATUS ||
        params->kind != GV_TRACE_ARRAY || !params->count)
        return true;
    const bool passed = gv_trace_sint(&params->items[0]) != 0;
    p->executable->passed = passed;
    p->executable->refused = !passed;
    return true;
}

// (shader, pname, params): whether it compiled; if not, no program links with it.
static bool gl_GetShaderiv(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    (void)err;
    struct gv_gl_program *p = gv_gl_find_object(&gl->objects, gv_gl_uint(call, 0));
    const struct gv_trace_value *params = gv_trace_argument(call, 2);
    if (p && !p->is_program && gv_gl_uint(call, 1) == GL_COMPILE_STATUS &&
        params->kind == GV_TRACE_ARRAY && params->count)
        p->shader.refused = gv_trace_sint(&params->items[0]) == 0;
    return true;
}

// GL_OBJECT_COMPILE_STATUS_ARB and GL_OBJECT_LINK_STATUS_ARB are the same numbers.
static bool gl_GetObjectParameterivARB(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    return gl_GetShaderiv(gl, call, err) && gl_GetProgramiv(gl, call, err);
}

const struct gv_gl_row gv_gl_program_query_rows[] = {
    { "glGetUniformLocation", gl_GetUniformLocation, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetAttribLocation", gl_GetAttribLocation, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetUniformBlockIndex", gl_GetUniformBlockIndex, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetActiveUniformBlockName", gl_GetActiveUniformBlockName,
      GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetProgramResourceLocation", gl_GetProgramResourceLocation,
      GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetProgramResourceIndex", gl_GetProgramResourceIndex,
      GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetProgramiv", gl_GetProgramiv, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetShaderiv", gl_GetShaderiv, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetObjectParameterivARB", gl_GetObjectParameterivARB,
      GV_GL_INSIDE | GV_GL_QUIET },
    { NULL, NULL, 0 },
};
