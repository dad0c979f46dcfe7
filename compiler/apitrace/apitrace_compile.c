// A trace to a payload: the calls, one by one, to the machine of OpenGL.
#include "compiler/apitrace/apitrace.h"
#include "compiler/apitrace/call_kinds.h"
#include "compiler/apitrace/contexts.h"
#include "compiler/frames_wanted.h"
#include "compiler/gl/gl.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORK 1000000000ul
#define WORK_UNITS (UINT64_C(1) << 20) // that the option counts in

static bool compile_calls(struct gv_trace_reader *reader, struct gv_gl *gl,
                          const struct gv_compile_params *params, uint64_t size,
                          struct gv_contexts *contexts, struct gv_error *err)
{
    const struct gv_trace_call *call;
    uint64_t frames = 0;
    while (gv_frames_wanted(params, frames)) {
        if (!gv_apitrace_next(reader, params, &call, err))
            return false;
        if (!call)
            return true;
        gv_gl_read_to(gl, gv_trace_position(reader).stream);
        gv_call_kind(call->function); // the machine hands it on
        if (gv_call_first(call->function))
            gv_contexts_note_function(contexts, call->function->name);
        if (!gv_gl_call(gl, call, err))
            return false;
        if (!gv_gl_ends_frame(call))
            continue;
        frames++;
        if (params->progress)
            params->progress(params->progress_context,
                             gv_trace_position(reader).file_read, size);
    }
    return true;
}

static bool read_work(const struct gv_compile_params *params, uint64_t *work,
                      struct gv_error *err)
{
    const char *text = gv_frontend_option(params, GV_APITRACE_WORK);
    *work = 0;
    if (!text)
        return true;
    char *end = NULL;
    *work = *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    const bool ok = *work && *work <= MOST_WORK && !*end;
    *work *= WORK_UNITS;
    return ok || gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                         GV_APITRACE_WORK " is a number from 1 to %lu", MOST_WORK);
}

static bool read_visual(const struct gv_compile_params *params, bool *recorded,
                        struct gv_error *err)
{
    const char *visual = gv_frontend_option(params, GV_APITRACE_VISUAL);
    *recorded = visual && !strcmp(visual, "recorded");
    return !visual || *recorded || !strcmp(visual, "glretrace") ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   GV_APITRACE_VISUAL " is glretrace or recorded");
}

bool gv_apitrace_compile(struct gv_cursor input, const struct gv_compile_params *params,
                         struct gv_arena *arena, struct gv_builder *out,
                         struct gv_error *err)
{
    struct gv_gl_params machine = { .compile = params, .arena = arena, .builder = out };
    if (!read_work(params, &machine.work, err) ||
        !read_visual(params, &machine.recorded_visual, err))
        return false;
    struct gv_trace_reader *reader = gv_apitrace_open(input, params, false, err);
    struct gv_gl *gl = reader ? gv_gl_create(&machine, err) : NULL;
    struct gv_contexts contexts = { 0 };
    bool ok = gl && compile_calls(reader, gl, params, input.size, &contexts, err) &&
              gv_gl_finish(gl, err);
    if (ok && gv_contexts_lack_system(&contexts))
        gv_builder_diagnose(out, GV_WARNING, "no-window", GV_CONTEXTS_ADVICE);
    if (ok && gv_trace_was_cut(reader))
        gv_builder_diagnose(out, GV_WARNING, "truncated",
                            "the trace ends early, after %llu bytes of its stream",
                            (unsigned long long)gv_trace_position(reader).stream);
    gv_gl_destroy(gl);
    gv_trace_close(reader);
    return ok;
}
