// Draws whose numbers stand in a buffer (GL_DRAW_INDIRECT_BUFFER) or, in old contexts,
// in the program's memory.
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_buffer_device.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_array_device.h"
#include "compiler/gl/geometry/gl_array_draw.h"
#include "compiler/gl/geometry/gl_draw_counts.h"
#include "resources/base/checked.h"
#include "resources/base/cursor.h"

#define ARRAYS_BYTES 16u   // DrawArraysIndirectCommand
#define ELEMENTS_BYTES 20u // DrawElementsIndirectCommand

// The commands of a call.
struct commands {
    uint32_t mode;
    bool indexed;
    uint32_t type; // of indices
    const uint8_t *bytes;
    uint64_t size; // bytes
    uint64_t count, stride;
    struct gv_gl_buffer *buffer;    // of bytes that the device alone knows
    uint64_t offset;                // there
    struct gv_gl_buffer_part limit; // the count of them, of the device; buffer: NULL
};

// What the bytes behind a pointer are. False: rejected, or not known.
static bool find_bytes(struct gv_gl_context *context, struct gv_gl_objects *objects,
                       struct gv_gl_sink *sink, const struct gv_trace_value *pointer,
                       struct commands *c)
{
    const uint32_t name = *gv_gl_buffer_binding(context, GL_DRAW_INDIRECT_BUFFER);
    if (pointer->kind == GV_TRACE_BLOB) {
        c->bytes = pointer->bytes;
        c->size = pointer->count;
        return true;
    }
    if (!name && !context->core && context->family == GV_GL_DESKTOP)
        return !gv_gl_unsupported(sink, GV_GL_LACK(CLIENT_INDIRECT));
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, name);
    const uint64_t offset = gv_trace_uint(pointer);
    if (!b || offset >= b->size)
        return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (offset % 4)
        return !gv_gl_reject(sink, GL_INVALID_VALUE);
    if (b->unknown && !b->on_device)
        return !gv_gl_unsupported(sink, GV_GL_LACK(PACKED_INDIRECT));
    c->bytes = b->bytes + offset;
    c->size = b->size - offset;
    c->buffer = b->unknown ? b : NULL;
    c->offset = offset;
    return true;
}

// What the numbers are only the device knows.
static bool draw_unknown(struct gv_gl *gl, const struct commands *c, uint64_t i,
                         struct gv_error *err)
{
    struct gv_gl_counted counted = { .commands = c->buffer,
                                     .offset = c->offset + i * c->stride };
    const struct gv_gl_device_draw d = {
        .counted = &counted, .mode = c->mode, .instances = 1, .draw = (uint32_t)i
    };
    if (c->mode > GL_PATCHES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return (c->indexed && !gv_gl_device_indices(gl, c->type, 0, &counted)) ||
           gv_gl_draw_on_device(gl, &d, err);
}

static bool draw_one(struct gv_gl *gl, const struct commands *c, uint64_t i,
                     struct gv_error *err)
{
    const uint8_t *p = c->bytes + i * c->stride;
    if (c->buffer)
        return draw_unknown(gl, c, i, err);
    struct gv_gl_array_draw d = {
        .mode = c->mode,
        .count = gv_load_u32(p),
        .instances = gv_load_u32(p + 4),
        .draw = (uint32_t)i,
    };
    if (!c->indexed) {
        d.first = gv_load_u32(p + 8);
        d.base_instance = gv_load_u32(p + 12);
        return gv_gl_array_draw(gl, &d, err);
    }
    const struct gv_trace_value indices = {
        .kind = GV_TRACE_UINT,
        .uint = (uint64_t)gv_load_u32(p + 8) * gv_gl_index_bytes(c->type),
    };
    d.indices = &indices;
    d.type = c->type;
    d.base = (int32_t)gv_load_u32(p + 12);
    d.base_instance = gv_load_u32(p + 16);
    return gv_gl_array_draw(gl, &d, err);
}

static bool draw_each(struct gv_gl *gl, const struct commands *c, struct gv_error *err)
{
    for (uint64_t i = 0; i < c->count; i++)
        if (!gv_gl_work(&gl->sink.work, GV_GL_DRAW_WORK, err) ||
            !draw_one(gl, c, i, err))
            return false;
    return true;
}

// As many of them as the device says: all, of which some have no instances.
static bool draw_limited(struct gv_gl *gl, const struct commands *given, uint32_t bytes,
                         struct gv_error *err)
{
    const struct gv_gl_indirect from = { .bytes = given->buffer ? NULL : given->bytes,
                                         .buffer = given->buffer,
                                         .offset = given->offset,
                                         .count = given->count,
                                         .stride = given->stride,
                                         .size = bytes };
    struct gv_gl_buffer limited;
    if (!gv_gl_limit_draws(gl, &from, &given->limit, &limited, err))
        return false;
    struct commands c = *given;
    c.buffer = &limited;
    c.offset = 0;
    c.stride = bytes;
    const bool ok = draw_each(gl, &c, err);
    gv_gl_buffer_leave(gl->sink.b, &limited);
    return ok;
}

static bool draw_all(struct gv_gl *gl, struct commands *c,
                     const struct gv_trace_value *pointer, struct gv_error *err)
{
    const uint32_t bytes = c->indexed ? ELEMENTS_BYTES : ARRAYS_BYTES;
    if (c->indexed && !gv_gl_index_bytes(c->type))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (c->indexed && !gl->context->client.vertex_array->elements)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (!c->count || !find_bytes(gl->context, &gl->objects, &gl->sink, pointer, c))
        return true;
    c->stride = c->stride ? c->stride : bytes;
    // GL takes all of them or none.
    if (c->size < bytes || (c->size - bytes) / c->stride < c->count - 1)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    return c->limit.buffer ? draw_limited(gl, c, bytes, err) : draw_each(gl, c, err);
}

// ---- calls ----

static bool gl_DrawArraysIndirect(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    struct commands c = { .mode = gv_gl_uint(call, 0), .count = 1 };
    return draw_all(gl, &c, gv_trace_argument(call, 1), err);
}

static bool gl_DrawElementsIndirect(struct gv_gl *gl, const struct gv_trace_call *call,
                                    struct gv_error *err)
{
    struct commands c = { .mode = gv_gl_uint(call, 0),
                          .indexed = true,
                          .type = gv_gl_uint(call, 1),
                          .count = 1 };
    return draw_all(gl, &c, gv_trace_argument(call, 2), err);
}

// (mode, [type,] indirect, count, stride), or with a place of the real count, in
// GL_PARAMETER_BUFFER, before the most there are.
static bool several(struct gv_gl *gl, const struct gv_trace_call *call, bool indexed,
                    const struct gv_gl_buffer_part *counted, struct gv_error *err)
{
    const uint32_t at = indexed ? 2 : 1, count = at + (counted ? 2 : 1);
    const int64_t most = gv_trace_sint(gv_trace_argument(call, count));
    const int64_t stride = gv_trace_sint(gv_trace_argument(call, count + 1));
    struct commands c = { .mode = gv_gl_uint(call, 0),
                          .indexed = indexed,
                          .type = indexed ? gv_gl_uint(call, 1) : 0 };
    if (most < 0 || stride < 0 || stride % 4)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    c.stride = (uint64_t)stride;
    c.count = (uint64_t)most;
    if (counted && counted->buffer->unknown) {
        c.limit = *counted;
    } else if (counted) {
        const uint32_t drawn = gv_load_u32(counted->buffer->bytes + counted->offset);
        c.count = drawn < c.count ? drawn : c.count;
    }
    return draw_all(gl, &c, gv_trace_argument(call, at), err);
}

static bool counted(struct gv_gl *gl, const struct gv_trace_call *call, bool indexed,
                    struct gv_error *err)
{
    const struct gv_trace_value *at = gv_trace_argument(call, indexed ? 3 : 2);
    const uint64_t offset = gv_trace_uint(at);
    const uint32_t name = *gv_gl_buffer_binding(gl->context, GL_PARAMETER_BUFFER);
    const struct gv_gl_buffer_part count = { gv_gl_buffer_find(&gl->objects, name),
                                             offset, 4 };
    if (offset % 4)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (!count.buffer || !gv_range_inside(offset, count.size, count.buffer->size))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (count.buffer->unknown && !count.buffer->on_device)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(PACKED_COUNT));
    return several(gl, call, indexed, &count, err);
}

GV_GL_HANDLER(MultiDrawArraysIndirect, several(gl, call, false, NULL, err))
GV_GL_HANDLER(MultiDrawElementsIndirect, several(gl, call, true, NULL, err))
GV_GL_HANDLER(MultiDrawArraysIndirectCount, counted(gl, call, false, err))
GV_GL_HANDLER(MultiDrawElementsIndirectCount, counted(gl, call, true, err))

const struct gv_gl_row gv_gl_array_indirect_rows[] = {
    { "glDrawArraysIndirect", gl_DrawArraysIndirect, 0 },
    { "glDrawElementsIndirect", gl_DrawElementsIndirect, 0 },
    { "glMultiDrawArraysIndirect", gl_MultiDrawArraysIndirect, 0 },
    { "glMultiDrawElementsIndirect", gl_MultiDrawElementsIndirect, 0 },
    { "glMultiDrawArraysIndirectCount", gl_MultiDrawArraysIndirectCount, 0 },
    { "glMultiDrawElementsIndirectCount", gl_MultiDrawElementsIndirectCount, 0 },
    { NULL, NULL, 0 },
};
