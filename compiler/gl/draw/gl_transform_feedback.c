#include "compiler/gl/draw/gl_transform_feedback.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/base/gl_names.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/program/gl_program.h"

#define MOST_OBJECTS 65536u
#define COUNTER_BYTES 4u
#define POINTS_ROW 3u // of GL_TRANSFORM_FEEDBACK_BUFFER: gl_buffer_points.c

// ---- objects ----

static struct gv_gl_capturing *capturing(struct gv_gl_context *c,
                                         struct gv_gl_sink *sink, struct gv_error *err)
{
    if (c->capturing)
        return c->capturing;
    c->capturing = gv_arena_alloc(sink->arena, sizeof *c->capturing);
    if (!c->capturing) {
        gv_out_of_memory(err);
        return NULL;
    }
    c->capturing->names =
        (struct gv_id_map){ .arena = sink->arena,
                            .object_bytes = sizeof(struct gv_gl_capture),
                            .serials = &sink->serials,
                            .limit = MOST_OBJECTS };
    c->capturing->bound = &c->capturing->unnamed;
    return c->capturing;
}

static struct gv_gl_capture *find(struct gv_gl_capturing *x, uint32_t name)
{
    return name ? (struct gv_gl_capture *)gv_id_find(&x->names, name) : &x->unnamed;
}

// The indexed points of an object.
static struct gv_gl_buffer_point *points_of(struct gv_gl_context *c,
                                            struct gv_gl_capture *t)
{
    return t == c->capturing->bound ? c->points[POINTS_ROW] : t->points;
}

static void bind(struct gv_gl_context *c, struct gv_gl_capturing *x,
                 struct gv_gl_capture *t)
{
    struct gv_gl_buffer_point *now = c->points[POINTS_ROW];
    for (uint32_t i = 0; i < GV_GL_CAPTURE_BUFFERS; i++) {
        x->bound->points[i] = now[i];
        now[i] = t->points[i];
    }
    x->bound = t;
}

static bool gl_BindTransformFeedback(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    const uint32_t name = gv_gl_uint(call, 1);
    if (!x)
        return false;
    if (gv_gl_uint(call, 0) != GL_TRANSFORM_FEEDBACK)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (gv_gl_captures(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (name && !gv_gl_name_make(&x->names, name, "transform feedback objects", err))
        return false;
    struct gv_gl_capture *t = find(x, name);
    if (t)
        bind(gl->context, x, t);
    return true;
}

static bool gl_CreateTransformFeedbacks(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; x && names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        if (name &&
            !gv_gl_name_make(&x->names, name, "transform feedback objects", err))
            return false;
    }
    return x;
}

static bool gl_DeleteTransformFeedbacks(struct gv_gl *gl,
                                        const struct gv_trace_call *call,
                                        struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; x && names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        struct gv_gl_capture *t = name ? find(x, name) : NULL;
        if (!t)
            continue;
        if (t->active)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        if (x->bound == t)
            bind(gl->context, x, &x->unnamed);
        if (t->counters.id)
            gv_emit(gl->sink.b, buffer_destroy, .buffer = t->counters);
        struct gv_named *object = gv_id_remove(&x->names, name);
        if (gv_id_release(object))
            gv_id_reuse(&x->names, object);
    }
    return x;
}

// ---- points by name ----

// (object, index, buffer[, offset, size])
static bool bind_buffer(struct gv_gl *gl, const struct gv_trace_call *call, bool part,
                        struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    const uint32_t index = gv_gl_uint(call, 1), name = gv_gl_uint(call, 2);
    struct gv_gl_buffer_point to = { .buffer = name };
    if (!x)
        return false;
    struct gv_gl_capture *t = find(x, gv_gl_uint(call, 0));
    if (!t || t->active)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (name && !gv_gl_buffer_find(&gl->objects, name))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const int64_t at = part ? gv_trace_sint(gv_trace_argument(call, 3)) : 0;
    const int64_t size = part ? gv_trace_sint(gv_trace_argument(call, 4)) : 0;
    if (index >= GV_GL_CAPTURE_BUFFERS || at < 0 || at % 4 || size < 0 || size % 4 ||
        (part && name && !size))
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    to.offset = (uint64_t)at;
    to.size = (uint64_t)size;
    points_of(gl->context, t)[index] = to;
    return true;
}

GV_GL_HANDLER(TransformFeedbackBufferBase, bind_buffer(gl, call, false, err))
GV_GL_HANDLER(TransformFeedbackBufferRange, bind_buffer(gl, call, true, err))

// ---- begin and end ----

static bool gl_BeginTransformFeedback(struct gv_gl *gl,
                                      const struct gv_trace_call *call,
                                      struct gv_error *err)
{
    const struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    const uint32_t mode = gv_gl_uint(call, 0);
    if (!x)
        return false;
    struct gv_gl_capture *t = x->bound;
    if (mode != GL_POINTS && mode != GL_LINES && mode != GL_TRIANGLES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    struct gv_error failed = GV_ERROR_INIT;
    if (t->active || !gv_gl_program_captures(gl, &failed)) {
        if (failed.status == GV_OK)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        if (err)
            *err = failed;
        return false;
    }
    t->active = true;
    t->paused = t->began = false;
    t->mode = mode;
    t->program = gl->context->program;
    return true;
}

static bool gl_EndTransformFeedback(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(gl->context, &gl->sink, err);
    (void)call;
    if (!x)
        return false;
    if (!x->bound->active)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    x->bound->active = x->bound->paused = false;
    x->bound->ended = true;
    return true;
}

static bool pause(struct gv_gl_context *c, struct gv_gl_sink *sink, bool paused,
                  struct gv_error *err)
{
    struct gv_gl_capturing *x = capturing(c, sink, err);
    if (!x)
        return false;
    struct gv_gl_capture *t = x->bound;
    if (!t->active || t->paused == paused || (!paused && t->program != c->program))
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    t->paused = paused;
    return true;
}

GV_GL_HANDLER(PauseTransformFeedback,
              ((void)call, pause(gl->context, &gl->sink, true, err)))
GV_GL_HANDLER(ResumeTransformFeedback,
              ((void)call, pause(gl->context, &gl->sink, false, err)))

const struct gv_gl_row gv_gl_transform_feedback_rows[] = {
    { "glGenTransformFeedbacks", NULL, 0 }, // names are those that were recorded
    { "glBindTransformFeedback", gl_BindTransformFeedback, 0 },
    { "glCreateTransformFeedbacks", gl_CreateTransformFeedbacks, 0 },
    { "glDeleteTransformFeedbacks", gl_DeleteTransformFeedbacks, 0 },
    { "glTransformFeedbackBufferBase", gl_TransformFeedbackBufferBase, 0 },
    { "glTransformFeedbackBufferRange", gl_TransformFeedbackBufferRange, 0 },
    { "glBeginTransformFeedback", gl_BeginTransformFeedback, 0 },
    { "glEndTransformFeedback", gl_EndTransformFeedback, 0 },
    { "glPauseTransformFeedback", gl_PauseTransformFeedback, 0 },
    { "glResumeTransformFeedback", gl_ResumeTransformFeedback, 0 },
    { NULL, NULL, 0 },
};

// ---- for draws ----

bool gv_gl_capture_suits(const struct gv_gl_capture *t, enum gv_gl_primitive_class made)
{
    static const uint32_t modes[] = { [GV_GL_CLASS_POINTS] = GL_POINTS,
                                      [GV_GL_CLASS_LINES] = GL_LINES,
                                      [GV_GL_CLASS_TRIANGLES] = GL_TRIANGLES };
    return t->mode == modes[made];
}

static bool plan_buffer(struct gv_gl_context *c, struct gv_gl_objects *objects,
                        struct gv_gl_sink *sink, uint32_t i,
                        struct gv_gl_batch_capture *out)
{
    struct gv_gl_buffer_part part;
    if (!gv_gl_buffer_point(c, objects, GL_TRANSFORM_FEEDBACK_BUFFER, i, &part))
        return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    out->buffers[i] =
        gv_gl_buffer_target(sink, part.buffer, GV_BUFFER_USAGE_TRANSFORM_FEEDBACK);
    out->offsets[i] = part.offset;
    out->sizes[i] = part.size & ~UINT64_C(3);
    return out->buffers[i].id && out->sizes[i];
}

bool gv_gl_capture_plan(struct gv_gl *gl, struct gv_gl_capture *t,
                        const struct gv_gl_stages *stages,
                        struct gv_gl_batch_capture *out)
{
    bool several = false;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 1; i < GV_GL_CAPTURE_BUFFERS; i++)
        several = several || stages->captured[i].stride;
    // The machine knows the counts of all buffers but the first only of the last
    // capture.
    if (several && t->began && gl->drawing->captured != t)
        return !gv_gl_unsupported(&gl->sink, GV_GL_LACK(RESUMED_FEEDBACK));
    gl->drawing->captured = t;
    for (uint32_t i = 0; i < GV_GL_CAPTURE_BUFFERS; i++) {
        t->strides[i] = stages->captured[i].stride;
        t->streams[i] = stages->captured[i].stream;
        out->used[i] = t->strides[i] != 0;
        if (out->used[i] && !plan_buffer(gl->context, &gl->objects, &gl->sink, i, out))
            return false;
    }
    if (!t->counters.id)
        t->counters = gv_emit(gv_lower_transfer(&gl->sink.pass), buffer_create,
                              .size = (uint64_t)GV_GL_CAPTURE_BUFFERS * COUNTER_BYTES,
                              .usage = GV_BUFFER_USAGE_TRANSFORM_FEEDBACK);
    out->counters = t->counters;
    out->goes_on = t->began;
    t->began = true;
    return true;
}

const struct gv_gl_capture *gv_gl_captured(struct gv_gl_context *c,
                                           struct gv_gl_sink *sink, uint32_t name)
{
    struct gv_gl_capturing *x = c->capturing;
    const struct gv_gl_capture *t = x ? find(x, name) : NULL;
    if (!t || !t->ended)
        gv_gl_reject(sink, t ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    return t && t->ended ? t : NULL;
}
