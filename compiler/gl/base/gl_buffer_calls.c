// Calls of buffer objects: by the target they are bound to, and by name.
#include <string.h>

#include "compiler/gl/base/gl_buffer_device.h"
#include "resources/base/checked.h"

#define COPIED_PER_UNIT 256u // bytes, of gv_gl_work

static const uint32_t other_targets[] = {
    GL_COPY_READ_BUFFER,
    GL_COPY_WRITE_BUFFER,
    GL_UNIFORM_BUFFER,
    GL_TEXTURE_BUFFER,
    GL_TRANSFORM_FEEDBACK_BUFFER,
    GL_SHADER_STORAGE_BUFFER,
    GL_DRAW_INDIRECT_BUFFER,
    GL_DISPATCH_INDIRECT_BUFFER,
    GL_ATOMIC_COUNTER_BUFFER,
    GL_QUERY_BUFFER,
    GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD,
    GL_PARAMETER_BUFFER,
};
_Static_assert(sizeof other_targets / sizeof *other_targets <= GV_GL_BUFFER_TARGETS,
               "room for each target");

uint32_t *gv_gl_buffer_binding(struct gv_gl_context *context, uint32_t target)
{
    struct gv_gl_client *c = &context->client;
    switch (target) {
    case GL_ARRAY_BUFFER:
        return &c->array_buffer;
    case GL_ELEMENT_ARRAY_BUFFER:
        return &c->vertex_array->elements;
    case GL_PIXEL_PACK_BUFFER:
        return &c->pack.buffer;
    case GL_PIXEL_UNPACK_BUFFER:
        return &c->unpack.buffer;
    default:
        for (uint32_t i = 0; i < sizeof other_targets / sizeof *other_targets; i++)
            if (other_targets[i] == target)
                return &context->buffers[i];
        return NULL;
    }
}

// What a call works on. NULL: the call was rejected.
static struct gv_gl_buffer *bound(struct gv_gl_context *c,
                                  struct gv_gl_objects *objects,
                                  struct gv_gl_sink *sink, uint32_t target)
{
    const uint32_t *name = gv_gl_buffer_binding(c, target);
    struct gv_gl_buffer *b = name ? gv_gl_buffer_find(objects, *name) : NULL;
    if (!b)
        gv_gl_reject(sink, name ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
    return b;
}

static struct gv_gl_buffer *named(struct gv_gl_objects *objects,
                                  struct gv_gl_sink *sink, uint32_t name)
{
    struct gv_gl_buffer *b = gv_gl_buffer_find(objects, name);
    if (!b)
        gv_gl_reject(sink, GL_INVALID_OPERATION);
    return b;
}

struct gv_gl_buffer *gv_gl_buffer_of_call(struct gv_gl_context *c,
                                          struct gv_gl_objects *objects,
                                          struct gv_gl_sink *sink,
                                          const struct gv_trace_call *call,
                                          bool by_name)
{
    const uint32_t first = gv_gl_uint(call, 0);
    return by_name ? named(objects, sink, first) : bound(c, objects, sink, first);
}

static uint64_t size_of(const struct gv_trace_call *call, uint32_t i)
{
    return gv_trace_uint(gv_trace_argument(call, i));
}

// ---- names ----

static bool bind(struct gv_gl *gl, uint32_t target, uint32_t name, struct gv_error *err)
{
    uint32_t *to = gv_gl_buffer_binding(gl->context, target);
    if (!to)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!gv_gl_buffer_need(&gl->objects, name, err))
        return false;
    *to = name;
    return true;
}

static bool gl_BindBuffer(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    return bind(gl, gv_gl_uint(call, 0), gv_gl_uint(call, 1), err);
}

static bool set_CreateBuffers(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                              const struct gv_trace_call *call, struct gv_error *err)
{
    (void)sink;
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++)
        if (!gv_gl_buffer_need(objects, (uint32_t)gv_trace_uint(&names->items[i]), err))
            return false;
    return true;
}
GV_GL_OBJECT_SETTER(CreateBuffers)

static void forget(struct gv_gl_context *context, uint32_t name)
{
    struct gv_gl_client *c = &context->client;
    uint32_t *const names[] = { &c->array_buffer, &c->vertex_array->elements,
                                &c->pack.buffer, &c->unpack.buffer };
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*names[i] == name)
            *names[i] = 0;
    for (uint32_t i = 0; i < GV_GL_BUFFER_TARGETS; i++)
        if (context->buffers[i] == name)
            context->buffers[i] = 0;
    gv_gl_buffer_points_forget(context, name);
}

static bool gl_DeleteBuffers(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    (void)err;
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    for (uint64_t i = 0; names->kind == GV_TRACE_ARRAY && i < names->count; i++) {
        const uint32_t name = (uint32_t)gv_trace_uint(&names->items[i]);
        if (!gv_gl_buffer_find(&gl->objects, name))
            continue;
        forget(gl->context, name);
        gv_gl_buffer_delete(&gl->objects, gl->sink.b, name);
    }
    return true;
}

// ---- content ----

// (size, data, ...) behind the first argument.
static bool data(struct gv_gl_buffers *buffers, struct gv_gl_sink *sink,
                 const struct gv_trace_call *call, struct gv_gl_buffer *b)
{
    if (!b)
        return true;
    const int64_t size = gv_trace_sint(gv_trace_argument(call, 1));
    const struct gv_trace_value *bytes = gv_trace_argument(call, 2);
    if (size < 0)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (!gv_gl_buffer_resize(buffers, sink->b, b, (uint64_t)size))
        return gv_gl_unsupported_over(sink, GV_GL_LACK(BUFFER_BYTES), (uint64_t)size,
                                      GV_GL_MAX_BUFFER_BYTES);
    if (bytes->kind == GV_TRACE_BLOB)
        gv_gl_buffer_write(b, 0, bytes->bytes, bytes->count);
    return true;
}

// (offset, size, data) behind the first argument.
static bool sub_data(struct gv_gl_sink *sink, const struct gv_trace_call *call,
                     struct gv_gl_buffer *b)
{
    if (!b)
        return true;
    const uint64_t offset = size_of(call, 1), size = size_of(call, 2);
    const struct gv_trace_value *bytes = gv_trace_argument(call, 3);
    if (!gv_range_inside(offset, size, b->size))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (bytes->kind == GV_TRACE_BLOB)
        gv_gl_buffer_write(b, offset, bytes->bytes,
                           bytes->count < size ? bytes->count : size);
    return true;
}

// (read offset, write offset, size) from argument 2 on.
static bool copy(struct gv_gl_sink *sink, const struct gv_trace_call *call,
                 struct gv_gl_buffer *from, struct gv_gl_buffer *to,
                 struct gv_error *err)
{
    if (!from || !to)
        return true;
    const uint64_t read = size_of(call, 2), write = size_of(call, 3);
    const uint64_t size = size_of(call, 4);
    if (!gv_range_inside(read, size, from->size) ||
        !gv_range_inside(write, size, to->size))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (from->unknown && !from->on_device) {
        to->unknown = true;
        to->on_device = false;
        return gv_gl_unsupported(sink, GV_GL_LACK(COPY_UNKNOWN));
    }
    if (from == to && read < write + size && write < read + size)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (from->unknown) {
        gv_gl_buffer_copy(sink, &(struct gv_gl_buffer_part){ to, write, size },
                          &(struct gv_gl_buffer_part){ from, read, size });
        return true;
    }
    if (!gv_gl_work(&sink->work, size / COPIED_PER_UNIT, err))
        return false;
    gv_gl_buffer_write(to, write, from->bytes + read, size);
    return true;
}

// ---- mappings ----

static bool map(struct gv_gl_buffers *buffers, const struct gv_trace_call *call,
                struct gv_gl_buffer *b)
{
    if (b)
        gv_gl_buffer_map(buffers, b, gv_trace_uint(&call->result), 0, b->size);
    return true;
}

// (offset, length, access) behind the first argument.
static bool map_range(struct gv_gl_buffers *buffers, const struct gv_trace_call *call,
                      struct gv_gl_buffer *b)
{
    if (b)
        gv_gl_buffer_map(buffers, b, gv_trace_uint(&call->result), size_of(call, 1),
                         size_of(call, 2));
    return true;
}

static bool unmap(struct gv_gl_buffers *buffers, struct gv_gl_buffer *b)
{
    if (b)
        gv_gl_buffer_unmap(buffers, b);
    return true;
}

// What the program wrote to a mapping, told by the recorder; a destination that is none
// changes nothing.
static bool call_memcpy(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct gv_error *err)
{
    (void)err;
    const struct gv_trace_value *bytes = gv_trace_argument(call, 1);
    uint64_t size = size_of(call, 2);
    if (bytes->kind != GV_TRACE_BLOB)
        return true;
    if (size > bytes->count)
        size = bytes->count;
    if (!gv_gl_buffer_write_mapped(gl->objects.buffers, size_of(call, 0), bytes->bytes,
                                   size))
        gv_builder_diagnose(gl->sink.b, GV_NOTE, "memcpy",
                            "memcpy: its destination is no mapped buffer");
    return true;
}

GV_GL_HANDLER(BufferData,
              data(gl->objects.buffers, &gl->sink, call,
                   bound(gl->context, &gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(BufferSubData, sub_data(&gl->sink, call,
                                      bound(gl->context, &gl->objects, &gl->sink,
                                            gv_gl_uint(call, 0))))
GV_GL_HANDLER(MapBuffer,
              map(gl->objects.buffers, call,
                  bound(gl->context, &gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(MapBufferRange, map_range(gl->objects.buffers, call,
                                        bound(gl->context, &gl->objects, &gl->sink,
                                              gv_gl_uint(call, 0))))
GV_GL_HANDLER(UnmapBuffer,
              unmap(gl->objects.buffers,
                    bound(gl->context, &gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(CopyBufferSubData,
              copy(&gl->sink, call,
                   bound(gl->context, &gl->objects, &gl->sink, gv_gl_uint(call, 0)),
                   bound(gl->context, &gl->objects, &gl->sink, gv_gl_uint(call, 1)),
                   err))
GV_GL_HANDLER(NamedBufferData,
              data(gl->objects.buffers, &gl->sink, call,
                   named(&gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(NamedBufferSubData,
              sub_data(&gl->sink, call,
                       named(&gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(MapNamedBuffer, map(gl->objects.buffers, call,
                                  named(&gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(MapNamedBufferRange,
              map_range(gl->objects.buffers, call,
                        named(&gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(UnmapNamedBuffer,
              unmap(gl->objects.buffers,
                    named(&gl->objects, &gl->sink, gv_gl_uint(call, 0))))
GV_GL_HANDLER(CopyNamedBufferSubData,
              copy(&gl->sink, call, named(&gl->objects, &gl->sink, gv_gl_uint(call, 0)),
                   named(&gl->objects, &gl->sink, gv_gl_uint(call, 1)), err))

const struct gv_gl_row gv_gl_buffer_rows[] = {
    { "glGenBuffers", NULL, 0 }, // names are those that were recorded
    { "glIsBuffer", NULL, 0 },
    { "glFlushMappedBufferRange", NULL, 0 }, // memcpy tells of what is written
    { "glFlushMappedNamedBufferRange", NULL, 0 },
    { "glInvalidateBufferData", NULL, 0 },
    { "glInvalidateBufferSubData", NULL, 0 },
    { "glBindBuffer", gl_BindBuffer, 0 },
    { "glCreateBuffers", gl_CreateBuffers, 0 },
    { "glDeleteBuffers", gl_DeleteBuffers, 0 },
    { "glBufferData", gl_BufferData, 0 },
    { "glBufferStorage", gl_BufferData, 0 },
    { "glBufferSubData", gl_BufferSubData, 0 },
    { "glMapBuffer", gl_MapBuffer, 0 },
    { "glMapBufferRange", gl_MapBufferRange, 0 },
    { "glUnmapBuffer", gl_UnmapBuffer, 0 },
    { "glCopyBufferSubData", gl_CopyBufferSubData, 0 },
    { "glNamedBufferData", gl_NamedBufferData, 0 },
    { "glNamedBufferStorage", gl_NamedBufferData, 0 },
    { "glNamedBufferSubData", gl_NamedBufferSubData, 0 },
    { "glMapNamedBuffer", gl_MapNamedBuffer, 0 },
    { "glMapNamedBufferRange", gl_MapNamedBufferRange, 0 },
    { "glUnmapNamedBuffer", gl_UnmapNamedBuffer, 0 },
    { "glCopyNamedBufferSubData", gl_CopyNamedBufferSubData, 0 },
    { "glNamedCopyBufferSubDataEXT", gl_CopyNamedBufferSubData, 0 },
    { "memcpy", call_memcpy, GV_GL_ANYWHERE | GV_GL_INSIDE },
    { NULL, NULL, 0 },
};
