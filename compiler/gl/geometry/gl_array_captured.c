// Draws of as many vertices as transform feedback captured.
#include "compiler/gl/draw/gl_transform_feedback.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_array_device.h"

// Which of an object's buffers a stream was captured into; false: none, nothing.
static bool find_buffer(const struct gv_gl_capture *t, uint32_t stream, uint32_t *out)
{
    for (uint32_t i = 0; i < GV_GL_CAPTURE_BUFFERS && t->began; i++)
        if (t->strides[i] && t->streams[i] == stream) {
            *out = i;
            return true;
        }
    return false;
}

struct captured {
    uint32_t mode, name, stream;
    int64_t instances;
};

static bool draw(struct gv_gl *gl, const struct captured *d, struct gv_error *err)
{
    if (d->mode > GL_PATCHES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (d->instances < 0 || d->stream >= GV_GL_CAPTURE_BUFFERS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    const struct gv_gl_capture *t = gv_gl_captured(gl->context, &gl->sink, d->name);
    uint32_t buffer = 0;
    if (!t || !d->instances || !find_buffer(t, d->stream, &buffer))
        return true;
    if (buffer) // the machine keeps the first one's count alone
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(SECOND_COUNTER));
    const struct gv_gl_counted counted = { .counter = t->counters,
                                           .stride = t->strides[0] };
    const struct gv_gl_device_draw on_device = {
        .counted = &counted,
        .mode = d->mode,
        .instances = d->instances > UINT32_MAX ? UINT32_MAX : (uint32_t)d->instances,
    };
    return gv_gl_draw_on_device(gl, &on_device, err);
}

static bool call_draw(struct gv_gl *gl, const struct gv_trace_call *call, bool streams,
                      bool instanced, struct gv_error *err)
{
    const uint32_t at = streams ? 3 : 2;
    const struct captured d = {
        .mode = gv_gl_uint(call, 0),
        .name = gv_gl_uint(call, 1),
        .stream = streams ? gv_gl_uint(call, 2) : 0,
        .instances = instanced ? gv_trace_sint(gv_trace_argument(call, at)) : 1,
    };
    return draw(gl, &d, err);
}

GV_GL_HANDLER(DrawTransformFeedback, call_draw(gl, call, false, false, err))
GV_GL_HANDLER(DrawTransformFeedbackInstanced, call_draw(gl, call, false, true, err))
GV_GL_HANDLER(DrawTransformFeedbackStream, call_draw(gl, call, true, false, err))
GV_GL_HANDLER(DrawTransformFeedbackStreamInstanced,
              call_draw(gl, call, true, true, err))

const struct gv_gl_row gv_gl_array_captured_rows[] = {
    { "glDrawTransformFeedback", gl_DrawTransformFeedback, 0 },
    { "glDrawTransformFeedbackInstanced", gl_DrawTransformFeedbackInstanced, 0 },
    { "glDrawTransformFeedbackStream", gl_DrawTransformFeedbackStream, 0 },
    { "glDrawTransformFeedbackStreamInstanced", gl_DrawTransformFeedbackStreamInstanced,
      0 },
    { NULL, NULL, 0 },
};
