// The machine's face: who takes a call, in which context, and whether a display list
// that is being made takes it first.
#include "compiler/gl/gl.h"

#include "compiler/gl/assembly/gl_assembly.h"
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/draw/gl_copy_texture.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/draw/gl_framebuffer.h"
#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/gl/geometry/gl_geometry_parts.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "compiler/gl/geometry/gl_list_build.h"
#include "compiler/gl/gl_functions.h"
#include "compiler/gl/gl_queries.h"
#include "compiler/gl/gl_visual.h"
#include "compiler/gl/gl_window.h"
#include "compiler/gl/program/gl_program.h"
#include "compiler/gl/texture/texture_object.h"

static bool run_checked(struct gv_gl *gl, const struct gv_gl_row *row,
                        const struct gv_trace_call *call, struct gv_error *err);

static bool make_parts(struct gv_gl *gl, struct gv_error *err)
{
    gl->visuals = gv_gl_visuals_create(&gl->sink, err);
    if (!gl->visuals || !gv_gl_windows_create(gl, err) ||
        !gv_gl_buffers_create(&gl->objects, &gl->sink, err) ||
        !gv_gl_assembly_create(&gl->objects, &gl->sink, err) ||
        !gv_gl_fixed_create(gl, err) ||
        !gv_gl_textures_create(&gl->objects, &gl->sink, err) ||
        !gv_gl_programs_create(&gl->objects, &gl->sink, err) ||
        !gv_gl_drawing_create(gl, err) || !gv_gl_geometry_create(gl, err))
        return false;
    gl->lists->run = run_checked;
    gl->objects.textures->copy_packed = gv_gl_copy_packed;
    gl->objects.textures->copy_rows = gv_gl_copy_texture_rows;
    return true;
}

static bool is_apart(const struct gv_compile_params *params)
{
    return params && params->apart;
}

struct gv_gl *gv_gl_create(const struct gv_gl_params *params, struct gv_error *err)
{
    struct gv_gl *gl = gv_arena_alloc(params->arena, sizeof *gl);
    if (!gl) {
        gv_out_of_memory(err);
        return NULL;
    }
    gl->sink.params = params->compile;
    gl->sink.work.allowed = params->work;
    gl->sink.arena = params->arena;
    gl->sink.b = gl->sink.pass.b = params->builder;
    gv_builder_forgive(gl->sink.b);
    gl->recorded_visual = params->recorded_visual;
    if (!is_apart(gl->sink.params))
        gv_builder_joins(gl->sink.b);
    if (make_parts(gl, err))
        return gl;
    gv_gl_destroy(gl);
    return NULL;
}

// In any state that gv_gl_create leaves.
void gv_gl_destroy(struct gv_gl *gl)
{
    if (!gl)
        return;
    gv_gl_geometry_destroy(gl);
    gv_gl_drawing_destroy(gl);
    gv_gl_programs_destroy(&gl->objects);
    gv_gl_assembly_destroy(&gl->objects);
    gv_gl_textures_destroy(&gl->objects);
    gv_gl_buffers_destroy(&gl->objects);
    gv_gl_windows_destroy(gl);
}

enum gv_gl_lowering gv_gl_lowering(const char *function)
{
    const struct gv_gl_row *row = gv_gl_function(function);
    if (row)
        return row->run ? GV_GL_LOWERED : GV_GL_QUERY;
    return gv_gl_is_query(function) ? GV_GL_QUERY : GV_GL_UNKNOWN;
}

// Numbers of commands ascend; calls are delivered by their leaves. One that is behind
// stands with the call before it; apart, its place is its number.
static void begin_command(struct gv_gl *gl, const char *name)
{
    const struct gv_trace_call *call = gl->sink.call;
    const uint8_t kinds = call->function->kinds & ((1u << GV_COMMAND_KINDS) - 1);
    uint64_t place = gl->delivered++;
    // All code since the place ahead of the first pass waits in memory.
    if (gv_builder_place_is_far(gl->sink.b))
        gv_gl_drawing_end(gl->drawing, &gl->sink.pass);
    if (!is_apart(gl->sink.params)) {
        if (call->number < gl->next_command)
            return;
        gv_builder_command(gl->sink.b, call->number, call->offset, name);
        gl->next_command = call->number + 1;
        return;
    }
    gv_builder_command(gl->sink.b, place, call->offset, name);
    if (kinds || place != call->number)
        gv_builder_command_is(gl->sink.b, call->number, kinds);
}

static void hear_material(struct gv_gl_context *c, const struct gv_gl_row *row)
{
    if (c->given.waits && !(row->flags & GV_GL_QUIET))
        gv_gl_material_flush(c);
    else
        gv_gl_material_hear(c);
}

// A call of a row with a handler, read or out of a list.
static bool run_checked(struct gv_gl *gl, const struct gv_gl_row *row,
                        const struct gv_trace_call *call, struct gv_error *err)
{
    bool inside = row->flags & GV_GL_INSIDE, runs = true;
    gl->sink.call = call;
    if (!inside && gl->context && !gv_gl_flush(gl, err))
        return false;
    if (!inside && gl->context)
        hear_material(gl->context, row);
    if (row->flags & GV_GL_ANYWHERE)
        return row->run(gl, call, err);
    if (!gl->context)
        return true; // there is nothing that it could change
    if (gl->context->inside_begin && !inside)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (row->flags & GV_GL_LISTED && !gv_gl_list_take(gl, row, call, &runs, err))
        return false;
    return !runs || row->run(gl, call, err);
}

// Who is current on a call's thread; what another context holds back is drawn first.
static bool enter(struct gv_gl *gl, uint32_t thread, struct gv_error *err)
{
    if (gl->entered && gl->thread == thread)
        return true;
    if (gl->context && !gv_gl_flush(gl, err))
        return false;
    gl->entered = true;
    gl->thread = thread;
    return gv_gl_enter_thread(gl, thread, err);
}

static const struct gv_gl_row *row_of(const struct gv_trace_call *call)
{
    static const struct gv_gl_row unknown, query;
    struct gv_trace_function *f = call->function;
    if (!f->handler) {
        const struct gv_gl_row *row = gv_gl_function(f->name);
        f->handler = row ? row : gv_gl_is_query(f->name) ? &query : &unknown;
    }
    return f->handler == &unknown ? NULL : f->handler;
}

// Work that stands alone: a call's own, and then what pictures after it show.
static bool end_apart(struct gv_gl *gl, struct gv_error *err)
{
    if (gl->context && !gl->context->inside_begin && !gv_gl_flush(gl, err))
        return false;
    return gv_gl_view(gl, err);
}

// What has no place of its own has that of the call.
static bool failed_at(const struct gv_trace_call *call, struct gv_error *err)
{
    if (err && err->offset == GV_NO_OFFSET)
        err->offset = call->offset;
    return gv_error_at_command(err, call->number);
}

bool gv_gl_call(struct gv_gl *gl, const struct gv_trace_call *call,
                struct gv_error *err)
{
    const struct gv_gl_row *row = row_of(call);
    bool apart = is_apart(gl->sink.params), asks = row && !row->run;
    if (asks && !apart)
        return true;
    gl->sink.call = call;
    begin_command(gl, row && row->name ? row->name : "call");
    gv_gl_finish_swap(gl->drawing, &gl->sink.pass);
    bool ok = enter(gl, call->thread, err);
    if (ok && !asks)
        ok = row ? run_checked(gl, row, call, err)
                 : gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
    if (ok && apart)
        ok = end_apart(gl, err);
    // What the builder refused says why, and comes first.
    ok = !gv_builder_failed(gl->sink.b, err) && ok &&
         !gv_gl_exceeded(&gl->sink.work, err) &&
         !gv_gl_drawing_failed(gl->drawing, err);
    return ok || failed_at(call, err);
}

void gv_gl_read_to(struct gv_gl *gl, uint64_t bytes)
{
    gl->sink.work.read = bytes;
}

bool gv_gl_finish(struct gv_gl *gl, struct gv_error *err)
{
    if (gl->context && !gv_gl_flush(gl, err))
        return false;
    gv_gl_drawing_end(gl->drawing, &gl->sink.pass);
    return !gv_gl_exceeded(&gl->sink.work, err) &&
           !gv_gl_drawing_failed(gl->drawing, err) &&
           !gv_builder_failed(gl->sink.b, err);
}
