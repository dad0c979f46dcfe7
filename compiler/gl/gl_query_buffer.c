#include "compiler/gl/gl_query_buffer.h"

#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_drawing.h"
#include "compiler/gl/geometry/gl_immediate.h"
#include "resources/base/checked.h"
#include "resources/base/cursor.h"

#define COUNT_BYTES 8u

// Where a result goes.
struct place {
    struct gv_gl_buffer *buffer;
    uint64_t offset;
    uint32_t size; // bytes: 4 or 8
};

// Vulkan says how many samples passed where GL_ANY_SAMPLES_PASSED wants 1.
static const char any_text[] =
    "#version 460\n"
    "layout(local_size_x = 1) in;\n"
    "layout(set = 1, binding = 0) buffer Count { uint words[2]; };\n"
    "void main() {\n"
    "    words[0] = min(words[0] | words[1], 1u);\n"
    "    words[1] = 0u;\n"
    "}\n";

static bool make_one(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                     struct gv_buffer count, struct gv_error *err)
{
    struct gv_builder *b = gv_lower_transfer(&sink->pass);
    struct gv_pipeline *pipeline = &d->any_passed;
    if (!pipeline->id && !gv_gl_make_compute(sink, any_text, pipeline, err))
        return false;
    gv_emit(b, bind_pipeline, .pipeline = *pipeline);
    gv_emit(b, bind_buffer, .set = 1, .binding = 0, .element = 0, .buffer = count,
            .offset = 0, .size = 0);
    gv_emit(b, dispatch, .x = 1, .y = 1, .z = 1, .ranges = gv_data(""), .size = 0);
    return true;
}

// The device's count, by way of a buffer of its own: GL aligns nothing.
static bool copy_count(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                       const struct gv_gl_query_count *c, const struct place *to,
                       struct gv_error *err)
{
    if (c->target == GL_SAMPLES_PASSED && !c->precise)
        gv_gl_unsupported(sink, GV_GL_LACK(ROUGH_COUNT));
    const struct gv_buffer target = gv_gl_buffer_target(sink, to->buffer, 0);
    struct gv_builder *b = gv_lower_transfer(&sink->pass);
    const struct gv_buffer count = gv_emit(b, buffer_create, .size = COUNT_BYTES,
                                           .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, query_copy, .query = c->device, .first = 0, .count = 1, .buffer = count,
            .offset = 0, .stride = COUNT_BYTES,
            .flags = GV_QUERY_RESULT_WAIT | GV_QUERY_RESULT_64);
    if (c->target != GL_SAMPLES_PASSED && !make_one(d, sink, count, err))
        return false;
    gv_emit(b, buffer_copy, .dst = target, .dst_offset = to->offset, .src = count,
            .src_offset = 0, .size = to->size);
    gv_emit(b, buffer_destroy, .buffer = count);
    return !gv_builder_failed(sink->b, err);
}

static void write_value(struct gv_gl_sink *sink, const struct place *to, uint32_t value)
{
    const uint8_t bytes[COUNT_BYTES] = { (uint8_t)value, (uint8_t)(value >> 8),
                                         (uint8_t)(value >> 16),
                                         (uint8_t)(value >> 24) };
    gv_gl_buffer_write(to->buffer, to->offset, bytes, to->size);
    if (to->buffer->on_device)
        gv_gl_buffer_gpu(sink, to->buffer, 0);
}

static bool put(struct gv_gl *gl, uint32_t name, uint32_t what, const struct place *to,
                struct gv_error *err)
{
    struct gv_gl_query_count c;
    if (!to->buffer || !gv_range_inside(to->offset, to->size, to->buffer->size))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!gv_gl_query_counted(gl, name, &c))
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(QUERY_RESULT));
    if (c.active)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    switch (what) {
    case GL_QUERY_RESULT_AVAILABLE:
        write_value(&gl->sink, to, 1);
        return true;
    case GL_QUERY_TARGET:
        write_value(&gl->sink, to, c.target);
        return true;
    case GL_QUERY_RESULT:
    case GL_QUERY_RESULT_NO_WAIT: // it is there by then
        if (c.device.id)
            return copy_count(gl->drawing, &gl->sink, &c, to, err);
        write_value(&gl->sink, to, 0);
        return true;
    default:
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    }
}

// (query, what, params): memory, of which the trace has the result, or an offset.
static bool get(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t size,
                struct gv_error *err)
{
    const struct gv_trace_value *params = gv_trace_argument(call, 2);
    const uint32_t name = gv_gl_uint(call, 0), what = gv_gl_uint(call, 1);
    const uint32_t bound = *gv_gl_buffer_binding(gl->context, GL_QUERY_BUFFER);
    const struct place to = { .buffer =
                                  bound ? gv_gl_buffer_find(&gl->objects, bound) : NULL,
                              .offset = gv_trace_uint(params),
                              .size = size };
    if (bound) {
        if (gl->context->inside_begin)
            return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        return gv_gl_flush(gl, err) && put(gl, name, what, &to, err);
    }
    if (what == GL_QUERY_RESULT && params->kind == GV_TRACE_ARRAY && params->count)
        gv_gl_query_told(gl->context, name, gv_trace_uint(&params->items[0]) != 0);
    return true;
}

// (query, buffer, what, offset)
static bool get_named(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t size,
                      struct gv_error *err)
{
    const int64_t offset = gv_trace_sint(gv_trace_argument(call, 3));
    const struct place to = { .buffer =
                                  gv_gl_buffer_find(&gl->objects, gv_gl_uint(call, 1)),
                              .offset = (uint64_t)offset,
                              .size = size };
    if (offset < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    return put(gl, gv_gl_uint(call, 0), gv_gl_uint(call, 2), &to, err);
}

GV_GL_HANDLER(GetQueryObject, get(gl, call, 4, err))
GV_GL_HANDLER(GetQueryObject64, get(gl, call, 8, err))
GV_GL_HANDLER(GetQueryBufferObject, get_named(gl, call, 4, err))
GV_GL_HANDLER(GetQueryBufferObject64, get_named(gl, call, 8, err))

const struct gv_gl_row gv_gl_query_result_rows[] = {
    { "glGetQueryObjectiv", gl_GetQueryObject, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetQueryObjectuiv", gl_GetQueryObject, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetQueryObjecti64v", gl_GetQueryObject64, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetQueryObjectui64v", gl_GetQueryObject64, GV_GL_INSIDE | GV_GL_QUIET },
    { "glGetQueryBufferObjectiv", gl_GetQueryBufferObject, 0 },
    { "glGetQueryBufferObjectuiv", gl_GetQueryBufferObject, 0 },
    { "glGetQueryBufferObjecti64v", gl_GetQueryBufferObject64, 0 },
    { "glGetQueryBufferObjectui64v", gl_GetQueryBufferObject64, 0 },
    { NULL, NULL, 0 },
};
