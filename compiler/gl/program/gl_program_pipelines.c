// Program pipelines: which program gives which stage (OpenGL 4.6, section 7.4).
#include "compiler/gl/base/gl_capturing.h"
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/program/program_joined.h"

#define MOST_PIPELINES 65536u

// ---- objects ----

static struct gv_gl_pipelined *pipelined(struct gv_gl_context *c,
                                         struct gv_gl_programs *programs,
                                         struct gv_gl_sink *sink, struct gv_error *err)
{
    if (c->pipelined)
        return c->pipelined;
    c->pipelined = gv_arena_alloc(sink->arena, sizeof *c->pipelined);
    if (!c->pipelined) {
        gv_out_of_memory(err);
        return NULL;
    }
    c->pipelined->names =
        (struct gv_id_map){ .arena = sink->arena,
                            .object_bytes = sizeof(struct gv_gl_program_pipeline),
                            .serials = &sink->serials,
                            .limit = MOST_PIPELINES };
    c->pipelined->next = programs->pipelined;
    programs->pipelined = c->pipelined;
    return c->pipelined;
}

// Recordings that began late leave out what made them: they are made when first named.
static struct gv_gl_program_pipeline *make(struct gv_gl_context *c,
                                           struct gv_gl_programs *programs,
                                           struct gv_gl_sink *sink, uint32_t name,
                                           struct gv_error *err)
{
    struct gv_gl_pipelined *x = pipelined(c, programs, sink, err);
    struct gv_gl_program_pipeline *p =
        x ? (struct gv_gl_program_pipeline *)gv_gl_name_make(&x->names, name,
                                                             "program pipelines", err)
          : NULL;
    if (p)
        p->program.joined = &p->joined;
    return p;
}

static void hold(struct gv_gl_programs *programs, struct gv_gl_program **at,
                 struct gv_gl_program *p)
{
    if (p)
        gv_gl_hold_object(p);
    if (*at)
        gv_gl_drop_object(programs, *at);
    *at = p;
}

void gv_gl_settle_program(struct gv_gl_context *c)
{
    struct gv_gl_program_pipeline *p = c->pipelined ? c->pipelined->bound : NULL;
    bool any = false;
    for (uint32_t i = 0; p && i < GV_MAX_GLSL_STAGES; i++)
        any = any || p->joined.stages[i];
    c->program = c->used ? c->used : any ? &p->program : NULL;
}

void gv_gl_pipelines_finish(struct gv_gl_programs *programs)
{
    for (struct gv_gl_pipelined *x = programs->pipelined; x; x = x->next)
        for (struct gv_named *o = gv_id_first(&x->names); o; o = gv_id_next(o))
            gv_gl_executable_free(
                ((struct gv_gl_program_pipeline *)o)->program.executable);
}

// ---- calls ----

static bool gl_CreateProgramPipelines(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        if (name && !make(gl->context, gl->objects.programs, &gl->sink, name, err))
            return false;
    }
    return true;
}

static void delete_one(struct gv_gl_context *c, struct gv_gl_programs *programs,
                       struct gv_gl_pipelined *x, uint32_t name)
{
    struct gv_gl_program_pipeline *p =
        (struct gv_gl_program_pipeline *)gv_id_remove(&x->names, name);
    if (!p)
        return;
    if (x->bound == p)
        x->bound = NULL;
    for (uint32_t i = 0; i < GV_MAX_GLSL_STAGES; i++)
        hold(programs, &p->joined.stages[i], NULL);
    hold(programs, &p->active, NULL);
    gv_gl_executable_free(p->program.executable);
    p->program.executable = NULL;
    gv_gl_settle_program(c);
    if (gv_id_release(&p->named))
        gv_id_reuse(&x->names, &p->named);
}

static bool gl_DeleteProgramPipelines(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    struct gv_gl_pipelined *x =
        pipelined(gl->context, gl->objects.programs, &gl->sink, err);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; x && names->kind == GV_TRACE_ARRAY && i < names->count; i++)
        delete_one(gl->context, gl->objects.programs, x,
                   (uint32_t)gv_trace_uint(&names->items[i]));
    return x;
}

static bool gl_BindProgramPipeline(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    struct gv_gl_pipelined *x =
        pipelined(gl->context, gl->objects.programs, &gl->sink, err);
    const uint32_t name = gv_gl_uint(call, 0);
    if (!x)
        return false;
    if (gv_gl_captures(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    struct gv_gl_program_pipeline *p =
        name ? make(gl->context, gl->objects.programs, &gl->sink, name, err) : NULL;
    if (name && !p)
        return false;
    x->bound = p;
    gv_gl_settle_program(gl->context);
    return true;
}

// A program as pipelines take it: linked, with stages that may be mixed if `separable`.
static bool is_taken(struct gv_gl *gl, uint32_t name, bool separable,
                     struct gv_gl_program **out, struct gv_error *err)
{
    struct gv_gl_program *p =
        name ? gv_gl_need_program(&gl->objects, &gl->sink, name) : NULL;
    *out = NULL;
    if (!p)
        return true;
    if (!gv_gl_link_now(gl, p, err))
        return false;
    const struct gv_gl_executable *x = p->executable;
    if (!x || p->unlinked || (x->status != GV_GL_LINKED && !x->passed) ||
        (separable && !x->separable))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    *out = p;
    return true;
}

// (pipeline, stages, program)
static bool gl_UseProgramStages(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    static const uint32_t stages[GV_MAX_GLSL_STAGES] = {
        GL_VERTEX_SHADER_BIT,          GL_TESS_CONTROL_SHADER_BIT,
        GL_TESS_EVALUATION_SHADER_BIT, GL_GEOMETRY_SHADER_BIT,
        GL_FRAGMENT_SHADER_BIT,        GL_COMPUTE_SHADER_BIT
    };
    const uint32_t name = gv_gl_uint(call, 0), bits = gv_gl_uint(call, 1);
    const uint32_t program = gv_gl_uint(call, 2);
    struct gv_gl_program *of;
    uint32_t known = 0;
    for (uint32_t i = 0; i < GV_MAX_GLSL_STAGES; i++)
        known |= stages[i];
    if (!name)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (bits != GL_ALL_SHADER_BITS && bits & ~known)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!is_taken(gl, program, true, &of, err))
        return false;
    if (program && !of)
        return true;
    struct gv_gl_program_pipeline *p =
        make(gl->context, gl->objects.programs, &gl->sink, name, err);
    if (!p)
        return false;
    if (gl->context->pipelined->bound == p && gv_gl_captures(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    for (uint32_t i = 0; i < GV_MAX_GLSL_STAGES; i++)
        if (bits & stages[i])
            hold(gl->objects.programs, &p->joined.stages[i], of);
    gv_gl_executable_free(p->program.executable);
    p->program.executable = NULL;
    gv_gl_settle_program(gl->context);
    return true;
}

static bool gl_ActiveShaderProgram(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    const uint32_t name = gv_gl_uint(call, 0), program = gv_gl_uint(call, 1);
    struct gv_gl_program *of;
    if (!name)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!is_taken(gl, program, false, &of, err))
        return false;
    if (program && !of)
        return true;
    struct gv_gl_program_pipeline *p =
        make(gl->context, gl->objects.programs, &gl->sink, name, err);
    if (p)
        hold(gl->objects.programs, &p->active, of);
    return p;
}

// (program, GL_PROGRAM_SEPARABLE, value); binaries are the program's own matter.
static bool set_ProgramParameteri(struct gv_gl_objects *objects,
                                  struct gv_gl_sink *sink,
                                  const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    (void)err;
    struct gv_gl_program *p = gv_gl_need_program(objects, sink, gv_gl_uint(call, 0));
    const uint32_t what = gv_gl_uint(call, 1), value = gv_gl_uint(call, 2);
    if (!p)
        return true;
    if (what != GL_PROGRAM_SEPARABLE && what != GL_PROGRAM_BINARY_RETRIEVABLE_HINT)
        return what - GL_GEOMETRY_VERTICES_OUT_ARB <= 2
                   ? gv_gl_unsupported(sink, GV_GL_LACK(GEOMETRY_SHADER4))
                   : gv_gl_reject(sink, GL_INVALID_ENUM);
    if (value > 1)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (what == GL_PROGRAM_SEPARABLE)
        p->separable = value != 0;
    return true;
}
GV_GL_OBJECT_SETTER(ProgramParameteri)

const struct gv_gl_row gv_gl_program_pipeline_rows[] = {
    { "glGenProgramPipelines", NULL, 0 }, // names are those that were recorded
    { "glCreateProgramPipelines", gl_CreateProgramPipelines, 0 },
    { "glDeleteProgramPipelines", gl_DeleteProgramPipelines, 0 },
    { "glBindProgramPipeline", gl_BindProgramPipeline, 0 },
    { "glUseProgramStages", gl_UseProgramStages, 0 },
    { "glActiveShaderProgram", gl_ActiveShaderProgram, 0 },
    { "glProgramParameteri", gl_ProgramParameteri, 0 },
    { NULL, NULL, 0 },
};
