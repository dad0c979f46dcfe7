// Parameters of programs of assembly: of the environment, of one program.
#include <string.h>

#include "compiler/gl/assembly/gl_assembly.h"

// Makes room for `end` of an object's own parameters.
static bool reserve(struct gv_gl_sink *sink, struct gv_gl_assembly_object *o,
                    uint32_t end, struct gv_error *err)
{
    if (end <= o->local_count)
        return true;
    const uint32_t count = end < 16 ? 16 : 2 * end;
    if (!gv_gl_made(sink, count * sizeof *o->locals, err))
        return false;
    float(*larger)[4] = gv_arena_array(sink->arena, count, sizeof *larger);
    if (!larger)
        return gv_out_of_memory(err);
    if (o->local_count)
        memcpy(larger, o->locals, o->local_count * sizeof *larger);
    o->locals = larger;
    o->local_count = count;
    return true;
}

// Sets `count` rows out of an array's, or a single one out of what stands for it.
static bool set(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t count,
                bool local, struct gv_error *err)
{
    const uint32_t index = gv_gl_uint(call, 1);
    const uint32_t most = local ? GV_ARB_MAX_LOCALS : GV_ARB_MAX_ENVIRONMENT;
    const bool several = call->argument_count == 4;
    const bool listed = several || call->argument_count == 3;
    enum gv_gl_half half;
    if (!gv_gl_assembly_half(&gl->sink, gv_gl_uint(call, 0), &half))
        return true;
    if (index > most || count > most - index)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    struct gv_gl_assembly_object *o =
        gv_gl_assembly_bound(gl->context, gl->objects.assembly, half);
    struct gv_gl_assembled *a = gv_gl_assembled(gl->context, gl->sink.arena, err);
    if (!a || (local && !reserve(&gl->sink, o, index + count, err)))
        return false;
    float(*rows)[4] = local ? o->locals : a->environment[half];
    const struct gv_trace_value *list = gv_trace_argument(call, several ? 3 : 2);
    for (uint32_t i = 0; i < 4 * count; i++)
        rows[index + i / 4][i % 4] = listed
                                         ? (float)gv_trace_real(gv_trace_item(list, i))
                                         : gv_gl_float(call, 2 + i);
    return true;
}

static bool set_several(struct gv_gl *gl, const struct gv_trace_call *call, bool local,
                        struct gv_error *err)
{
    const int32_t count = gv_gl_int(call, 2);
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return set(gl, call, (uint32_t)count, local, err);
}

GV_GL_HANDLER(ProgramEnvParameter, set(gl, call, 1, false, err))
GV_GL_HANDLER(ProgramLocalParameter, set(gl, call, 1, true, err))
GV_GL_HANDLER(ProgramEnvParameters, set_several(gl, call, false, err))
GV_GL_HANDLER(ProgramLocalParameters, set_several(gl, call, true, err))

const struct gv_gl_row gv_gl_assembly_parameter_rows[] = {
    { "glProgramEnvParameter4fARB", gl_ProgramEnvParameter, GV_GL_LISTED },
    { "glProgramEnvParameter4fvARB", gl_ProgramEnvParameter, GV_GL_LISTED },
    { "glProgramEnvParameter4dARB", gl_ProgramEnvParameter, GV_GL_LISTED },
    { "glProgramEnvParameter4dvARB", gl_ProgramEnvParameter, GV_GL_LISTED },
    { "glProgramEnvParameters4fvEXT", gl_ProgramEnvParameters, GV_GL_LISTED },
    { "glProgramLocalParameter4fARB", gl_ProgramLocalParameter, GV_GL_LISTED },
    { "glProgramLocalParameter4fvARB", gl_ProgramLocalParameter, GV_GL_LISTED },
    { "glProgramLocalParameter4dARB", gl_ProgramLocalParameter, GV_GL_LISTED },
    { "glProgramLocalParameter4dvARB", gl_ProgramLocalParameter, GV_GL_LISTED },
    { "glProgramLocalParameters4fvEXT", gl_ProgramLocalParameters, GV_GL_LISTED },
    { 0 },
};
