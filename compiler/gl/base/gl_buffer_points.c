// Indexed binding points of buffers: what blocks of programs and transform feedback
// use.
#include "compiler/gl/base/gl_buffer.h"
#include "resources/base/checked.h"

// The row of a context's points, and how many of it Mesa's llvmpipe has.
static const struct target {
    uint32_t target, count;
    uint32_t granule; // of offsets and sizes, bytes
} targets[GV_GL_POINT_TARGETS] = {
    { GL_UNIFORM_BUFFER, 90, 1 },
    { GL_SHADER_STORAGE_BUFFER, 96, 1 },
    { GL_ATOMIC_COUNTER_BUFFER, 90, 4 },
    { GL_TRANSFORM_FEEDBACK_BUFFER, 4, 4 },
};

static uint32_t row_of(uint32_t target)
{
    uint32_t row = 0;
    while (row < GV_GL_POINT_TARGETS && targets[row].target != target)
        row++;
    return row;
}

bool gv_gl_buffer_point(const struct gv_gl_context *c,
                        const struct gv_gl_objects *objects, uint32_t target,
                        uint32_t index, struct gv_gl_buffer_part *out)
{
    const uint32_t row = row_of(target);
    *out = (struct gv_gl_buffer_part){ 0 };
    if (row == GV_GL_POINT_TARGETS || index >= targets[row].count)
        return false;
    const struct gv_gl_buffer_point *p = &c->points[row][index];
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, p->buffer);
    if (!b || p->offset >= b->size)
        return false;
    const uint64_t there = b->size - p->offset;
    const uint64_t size = p->size && p->size < there ? p->size : there;
    *out = (struct gv_gl_buffer_part){ b, p->offset, size };
    return true;
}

void gv_gl_buffer_points_forget(struct gv_gl_context *c, uint32_t name)
{
    for (uint32_t row = 0; row < GV_GL_POINT_TARGETS; row++)
        for (uint32_t i = 0; i < targets[row].count; i++)
            if (c->points[row][i].buffer == name)
                c->points[row][i] = (struct gv_gl_buffer_point){ 0 };
}

// ---- calls ----

// What a call wants of the points of a target from `first` on.
struct wish {
    uint32_t row, first;
    uint64_t count;
};

static bool find(struct gv_gl_sink *sink, const struct gv_trace_call *call,
                 uint64_t count, struct wish *out)
{
    *out = (struct wish){ row_of(gv_gl_uint(call, 0)), gv_gl_uint(call, 1), count };
    if (out->row == GV_GL_POINT_TARGETS)
        return !gv_gl_reject(sink, GL_INVALID_ENUM);
    const uint32_t there = targets[out->row].count;
    return gv_range_inside(out->first, count, there) ||
           !gv_gl_reject(sink, GL_INVALID_VALUE);
}

// A part of a buffer; rejected: sizes of nothing, what is not aligned.
static bool is_part(struct gv_gl_sink *sink, uint32_t row,
                    const struct gv_trace_value *offset,
                    const struct gv_trace_value *size)
{
    const int64_t at = gv_trace_sint(offset), bytes = gv_trace_sint(size);
    const int64_t granule = targets[row].granule;
    // Sizes are counters' and outputs' own only for transform feedback.
    const bool whole =
        targets[row].target != GL_TRANSFORM_FEEDBACK_BUFFER || bytes % granule == 0;
    return (at >= 0 && bytes > 0 && at % granule == 0 && whole) ||
           !gv_gl_reject(sink, GL_INVALID_VALUE);
}

// glBindBufferBase, glBindBufferRange: the target's own binding follows.
static bool bind_one(struct gv_gl *gl, const struct gv_trace_call *call, bool part,
                     struct gv_error *err)
{
    struct wish w;
    const uint32_t name = gv_gl_uint(call, 2);
    struct gv_gl_buffer_point to = { .buffer = name };
    if (!find(&gl->sink, call, 1, &w))
        return true;
    if (part && name) {
        const struct gv_trace_value *offset = gv_trace_argument(call, 3);
        const struct gv_trace_value *size = gv_trace_argument(call, 4);
        if (!is_part(&gl->sink, w.row, offset, size))
            return true;
        to.offset = gv_trace_uint(offset);
        to.size = gv_trace_uint(size);
    }
    if (!gv_gl_buffer_need(&gl->objects, name, err))
        return false;
    *gv_gl_buffer_binding(gl->context, gv_gl_uint(call, 0)) = name;
    gl->context->points[w.row][w.first] = to;
    return true;
}

// One of several; those that are wrong are left out, as they were.
static bool bind_item(struct gv_gl *gl, const struct gv_trace_call *call,
                      const struct wish *w, uint64_t i, bool part)
{
    const struct gv_trace_value *names = gv_trace_argument(call, 3);
    const uint32_t name = names->kind == GV_TRACE_ARRAY
                              ? (uint32_t)gv_trace_uint(gv_trace_item(names, i))
                              : 0;
    struct gv_gl_buffer_point to = { .buffer = name };
    if (name && !gv_gl_buffer_find(&gl->objects, name))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (name && part) {
        const struct gv_trace_value *offset =
            gv_trace_item(gv_trace_argument(call, 4), i);
        const struct gv_trace_value *size =
            gv_trace_item(gv_trace_argument(call, 5), i);
        if (!is_part(&gl->sink, w->row, offset, size))
            return true;
        to.offset = gv_trace_uint(offset);
        to.size = gv_trace_uint(size);
    }
    gl->context->points[w->row][w->first + i] = to;
    return true;
}

// glBindBuffersBase, glBindBuffersRange: the target's own binding stays.
static bool bind_several(struct gv_gl *gl, const struct gv_trace_call *call, bool part)
{
    struct wish w;
    const int64_t count = gv_trace_sint(gv_trace_argument(call, 2));
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!find(&gl->sink, call, (uint64_t)count, &w))
        return true;
    for (uint64_t i = 0; i < w.count; i++)
        if (!bind_item(gl, call, &w, i, part))
            return false;
    return true;
}

GV_GL_HANDLER(BindBufferBase, bind_one(gl, call, false, err))
GV_GL_HANDLER(BindBufferRange, bind_one(gl, call, true, err))
GV_GL_HANDLER(BindBuffersBase, bind_several(gl, call, false))
GV_GL_HANDLER(BindBuffersRange, bind_several(gl, call, true))

// (target, index, buffer, offset): from there to the end.
static bool gl_BindBufferOffset(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    const int64_t offset = gv_trace_sint(gv_trace_argument(call, 3));
    struct wish w;
    if (!find(&gl->sink, call, 1, &w))
        return true;
    if (offset < 0 || offset % targets[w.row].granule)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!bind_one(gl, call, false, err))
        return false;
    gl->context->points[w.row][w.first].offset = (uint64_t)offset;
    return true;
}

const struct gv_gl_row gv_gl_buffer_point_rows[] = {
    { "glBindBufferBase", gl_BindBufferBase, 0 },
    { "glBindBufferRange", gl_BindBufferRange, 0 },
    { "glBindBufferOffset", gl_BindBufferOffset, 0 },
    { "glBindBuffersBase", gl_BindBuffersBase, 0 },
    { "glBindBuffersRange", gl_BindBuffersRange, 0 },
    { NULL, NULL, 0 },
};
