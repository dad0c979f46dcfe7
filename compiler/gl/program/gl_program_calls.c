// Calls of program objects: what is attached and bound, linking, use.
#include <string.h>

#include "compiler/gl/base/gl_capturing.h"
#include "compiler/gl/program/program_joined.h"

// ---- shaders of a program ----

static bool set_AttachShader(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call, struct gv_error *err)
{
    (void)err;
    struct gv_gl_program *p = gv_gl_need_program(objects, sink, gv_gl_uint(call, 0));
    struct gv_gl_program *s =
        p ? gv_gl_need_shader(objects, sink, gv_gl_uint(call, 1)) : NULL;
    if (!s)
        return true;
    for (uint32_t i = 0; i < p->attached_count; i++)
        if (p->attached[i] == s)
            return gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (p->attached_count == GV_GL_MAX_ATTACHED)
        return gv_gl_unsupported(sink, GV_GL_LACK(SHADERS));
    gv_gl_hold_object(s);
    p->attached[p->attached_count++] = s;
    return true;
}
GV_GL_OBJECT_SETTER(AttachShader)

static bool set_DetachShader(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                             const struct gv_trace_call *call, struct gv_error *err)
{
    (void)err;
    struct gv_gl_program *p = gv_gl_need_program(objects, sink, gv_gl_uint(call, 0));
    struct gv_gl_program *s =
        p ? gv_gl_need_shader(objects, sink, gv_gl_uint(call, 1)) : NULL;
    uint32_t at = 0;
    while (s && at < p->attached_count && p->attached[at] != s)
        at++;
    if (!s)
        return true;
    if (at == p->attached_count)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    p->attached_count--;
    for (; at < p->attached_count; at++)
        p->attached[at] = p->attached[at + 1];
    gv_gl_drop_object(objects->programs, s);
    return true;
}
GV_GL_OBJECT_SETTER(DetachShader)

// ---- locations ----

static bool bind(struct gv_gl_numbers_by_name *to, const struct gv_trace_value *name,
                 struct gv_gl_numbered value, struct gv_error *err)
{
    char text[GV_GL_MAX_NAME_BYTES];
    return !gv_gl_name_argument(name, text) ||
           gv_gl_number_name(to, text, strlen(text), value) || gv_out_of_memory(err);
}

static bool set_BindAttribLocation(struct gv_gl_objects *objects,
                                   struct gv_gl_sink *sink,
                                   const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    struct gv_gl_program *p = gv_gl_need_program(objects, sink, gv_gl_uint(call, 0));
    const uint32_t index = gv_gl_uint(call, 1);
    if (p && index >= GV_GL_SLOTS - GV_GL_GENERIC)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    return !p || bind(&p->attributes, gv_trace_argument(call, 2),
                      (struct gv_gl_numbered){ .number = (int32_t)index }, err);
}
GV_GL_OBJECT_SETTER(BindAttribLocation)

static bool bind_output(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                        const struct gv_trace_call *call, uint32_t index,
                        struct gv_error *err)
{
    struct gv_gl_program *p = gv_gl_need_program(objects, sink, gv_gl_uint(call, 0));
    const uint32_t color = gv_gl_uint(call, 1);
    if (p && (color >= GV_GL_DRAW_BUFFERS || index > 1))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    const uint32_t at = call->argument_count - 1;
    return !p ||
           bind(&p->outputs, gv_trace_argument(call, at),
                (struct gv_gl_numbered){ .number = (int32_t)color, .index = index },
                err);
}

static bool set_BindFragDataLocation(struct gv_gl_objects *objects,
                                     struct gv_gl_sink *sink,
                                     const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    return bind_output(objects, sink, call, 0, err);
}
GV_GL_OBJECT_SETTER(BindFragDataLocation)

static bool gl_BindFragDataLocationIndexed(struct gv_gl *gl,
                                           const struct gv_trace_call *call,
                                           struct gv_error *err)
{
    return bind_output(&gl->objects, &gl->sink, call, gv_gl_uint(call, 2), err);
}

// ---- linking and use ----

static bool gl_LinkProgram(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    struct gv_gl_program *p =
        gv_gl_need_program(&gl->objects, &gl->sink, gv_gl_uint(call, 0));
    return !p || gv_gl_link_program(gl, p, err);
}

static bool gl_UseProgram(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    const uint32_t name = gv_gl_uint(call, 0);
    struct gv_gl_context *c = gl->context;
    struct gv_gl_program *p =
        name ? gv_gl_need_program(&gl->objects, &gl->sink, name) : NULL;
    if (name && !p)
        return true;
    if (gv_gl_captures(c))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (p && !gv_gl_link_now(gl, p, err))
        return false;
    if (p && !gv_gl_is_linked(p))
        // What the recorded driver linked stays in use: nothing is drawn with it.
        if (!p->executable || !p->executable->passed || p->unlinked)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (p) {
        gv_gl_hold_object(p);
        gv_gl_reset_subroutines(p);
    }
    if (c->used)
        gv_gl_drop_object(gl->objects.programs, c->used);
    c->used = p;
    gv_gl_settle_program(c);
    return true;
}

void gv_gl_programs_leave(struct gv_gl_programs *programs, struct gv_gl_context *c)
{
    if (c->used)
        gv_gl_drop_object(programs, c->used);
    c->used = c->program = NULL;
}

const struct gv_gl_row gv_gl_program_rows[] = {
    { "glAttachShader", gl_AttachShader, 0 },
    { "glAttachObjectARB", gl_AttachShader, 0 },
    { "glDetachShader", gl_DetachShader, 0 },
    { "glDetachObjectARB", gl_DetachShader, 0 },
    { "glBindAttribLocation", gl_BindAttribLocation, 0 },
    { "glBindFragDataLocation", gl_BindFragDataLocation, 0 },
    { "glBindFragDataLocationIndexed", gl_BindFragDataLocationIndexed, 0 },
    { "glLinkProgram", gl_LinkProgram, 0 },
    { "glUseProgram", gl_UseProgram, GV_GL_LISTED },
    { "glUseProgramObjectARB", gl_UseProgram, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
