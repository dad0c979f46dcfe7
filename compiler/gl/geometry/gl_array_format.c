// Calls that say apart what generic attributes look like and where they come from, of
// the bound vertex array or of one that they name.
#include "compiler/gl/geometry/gl_array_format.h"

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_vertex_array.h"

#define ATTRIBUTES (GV_GL_SLOTS - GV_GL_GENERIC) // and bindings of them
#define MAX_RELATIVE 2047u // GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET of Mesa
#define MAX_STRIDE 2048    // GL_MAX_VERTEX_ATTRIB_STRIDE likewise
#define FIRST_STRIDE 16u   // of a binding that nothing was bound to

// ---- formats ----

struct gv_gl_array gv_gl_array_sized(const struct gv_trace_call *call, uint32_t first)
{
    const uint32_t size = gv_gl_uint(call, first);
    const bool bgra = size == GL_BGRA;
    return (struct gv_gl_array){
        .size = (uint8_t)(bgra        ? 4
                          : size <= 4 ? size
                                      : 0),
        .bgra = bgra,
        .type = gv_gl_uint(call, first + 1),
    };
}

static bool is_packed(uint32_t type)
{
    return type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV;
}

bool gv_gl_array_is_format(struct gv_gl_sink *sink, const struct gv_gl_array *f)
{
    if (f->size == 0 || !gv_gl_element_bytes(f->type, f->size))
        return !gv_gl_reject(sink, GL_INVALID_ENUM);
    if (f->bgra && f->type != GL_UNSIGNED_BYTE && !is_packed(f->type))
        return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    if ((is_packed(f->type) && f->size != 4) ||
        (f->type == GL_UNSIGNED_INT_10F_11F_11F_REV && f->size != 3))
        return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    return true;
}

// GV_GL_FLOATS: no integers.
static enum gv_gl_kind integers(uint32_t type)
{
    switch (type) {
    case GL_BYTE:
    case GL_SHORT:
    case GL_INT:
        return GV_GL_INTS;
    case GL_UNSIGNED_BYTE:
    case GL_UNSIGNED_SHORT:
    case GL_UNSIGNED_INT:
        return GV_GL_UINTS;
    default:
        return GV_GL_FLOATS;
    }
}

bool gv_gl_array_is_attribute(struct gv_gl_sink *sink, enum gv_gl_attribute_form form,
                              struct gv_gl_array *f)
{
    const enum gv_gl_kind kind = integers(f->type);
    f->kind = GV_GL_FLOATS;
    if ((form == GV_GL_ATTRIBUTE_INTEGER && kind == GV_GL_FLOATS) ||
        (form == GV_GL_ATTRIBUTE_DOUBLE && f->type != GL_DOUBLE))
        return !gv_gl_reject(sink, GL_INVALID_ENUM);
    if (f->bgra && form != GV_GL_ATTRIBUTE_FLOAT)
        return !gv_gl_reject(sink, GL_INVALID_VALUE);
    if (f->bgra && !f->normalized)
        return !gv_gl_reject(sink, GL_INVALID_OPERATION);
    if (form == GV_GL_ATTRIBUTE_INTEGER)
        f->kind = (uint8_t)kind;
    if (form == GV_GL_ATTRIBUTE_DOUBLE)
        f->kind = GV_GL_DOUBLES;
    return gv_gl_array_is_format(sink, f);
}

// ---- what a call is about ----

// A vertex array, and the arguments behind its name if the call has one.
struct subject {
    struct gv_gl_vertex_array *object; // NULL: the call was rejected
    const struct gv_trace_call *call;
    uint32_t first;
};

static struct subject bound(const struct gv_gl_context *c,
                            const struct gv_trace_call *call)
{
    return (struct subject){ c->client.vertex_array, call, 0 };
}

static bool named(struct gv_gl *gl, const struct gv_trace_call *call,
                  struct subject *out, struct gv_error *err)
{
    *out = (struct subject){ .call = call, .first = 1 };
    return gv_gl_vertex_array_named(gl, call, &out->object, err);
}

static const struct gv_trace_value *argument(const struct subject *s, uint32_t i)
{
    return gv_trace_argument(s->call, s->first + i);
}

// The slot of an attribute or binding that is argument `i`; 0: rejected.
static uint32_t slot_at(struct gv_gl_sink *sink, const struct subject *s, uint32_t i)
{
    const uint32_t index = gv_gl_uint(s->call, s->first + i);
    if (index < ATTRIBUTES)
        return GV_GL_GENERIC + index;
    gv_gl_reject(sink, GL_INVALID_VALUE);
    return 0;
}

// (index, size, type, [normalized,] relative offset)
static bool format(struct gv_gl_sink *sink, const struct subject *s,
                   enum gv_gl_attribute_form form)
{
    const bool floats = form == GV_GL_ATTRIBUTE_FLOAT;
    const uint32_t slot = slot_at(sink, s, 0);
    struct gv_gl_array f = gv_gl_array_sized(s->call, s->first + 1);
    f.normalized = floats && gv_trace_uint(argument(s, 3)) != 0;
    const uint64_t relative = gv_trace_uint(argument(s, floats ? 4 : 3));
    if (!slot || !gv_gl_array_is_attribute(sink, form, &f))
        return true;
    if (relative > MAX_RELATIVE)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    struct gv_gl_array *a = &s->object->arrays[slot];
    f.enabled = a->enabled;
    f.binding = a->binding;
    f.relative = (uint32_t)relative;
    *a = f;
    return true;
}

// (index, binding)
static bool attribute_binding(struct gv_gl_sink *sink, const struct subject *s)
{
    const uint32_t slot = slot_at(sink, s, 0), binding = slot_at(sink, s, 1);
    if (slot && binding)
        s->object->arrays[slot].binding = (uint8_t)binding;
    return true;
}

// (binding, divisor)
static bool binding_divisor(struct gv_gl_sink *sink, const struct subject *s)
{
    const uint32_t slot = slot_at(sink, s, 0);
    if (slot)
        s->object->bindings[slot].divisor = (uint32_t)gv_trace_uint(argument(s, 1));
    return true;
}

// (index, divisor): the attribute takes its own binding again.
static bool attribute_divisor(struct gv_gl_sink *sink, const struct subject *s)
{
    const uint32_t slot = slot_at(sink, s, 0);
    if (slot)
        s->object->arrays[slot].binding = (uint8_t)slot;
    return binding_divisor(sink, s);
}

static bool enable(struct gv_gl_sink *sink, const struct subject *s, bool on)
{
    const uint32_t slot = slot_at(sink, s, 0);
    if (slot)
        s->object->arrays[slot].enabled = on;
    return true;
}

// ---- buffers ----

struct buffer {
    uint32_t slot, name;
    int64_t offset, stride;
};

static bool bind_buffer(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                        struct gv_gl_vertex_array *v, const struct buffer *b,
                        struct gv_error *err)
{
    struct gv_gl_binding *to = &v->bindings[b->slot];
    if (b->offset < 0 || b->stride < 0 || b->stride > MAX_STRIDE)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (!gv_gl_buffer_need(objects, b->name, err))
        return false;
    to->buffer = b->name;
    to->copy = 0;
    to->offset = (uint64_t)b->offset;
    to->stride = (uint32_t)b->stride;
    return true;
}

// (binding, buffer, offset, stride)
static bool vertex_buffer(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                          const struct subject *s, struct gv_error *err)
{
    const struct buffer b = {
        .slot = slot_at(sink, s, 0),
        .name = (uint32_t)gv_trace_uint(argument(s, 1)),
        .offset = gv_trace_sint(argument(s, 2)),
        .stride = gv_trace_sint(argument(s, 3)),
    };
    return !b.slot || bind_buffer(objects, sink, s->object, &b, err);
}

// (first, count, buffers, offsets, strides); those that are wrong stay as they were.
static bool vertex_buffers(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           const struct subject *s, struct gv_error *err)
{
    const uint64_t first = gv_trace_uint(argument(s, 0));
    const int64_t count = gv_trace_sint(argument(s, 1));
    const bool none = argument(s, 2)->kind != GV_TRACE_ARRAY;
    if (count < 0 || count > ATTRIBUTES || first > ATTRIBUTES - (uint64_t)count)
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    for (uint64_t i = 0; i < (uint64_t)count; i++) {
        struct buffer b = { .slot = GV_GL_GENERIC + (uint32_t)(first + i),
                            .stride = FIRST_STRIDE };
        if (!none) {
            b.name = (uint32_t)gv_trace_uint(gv_trace_item(argument(s, 2), i));
            b.offset = gv_trace_sint(gv_trace_item(argument(s, 3), i));
            b.stride = gv_trace_sint(gv_trace_item(argument(s, 4), i));
        }
        if (b.name && !gv_gl_buffer_find(objects, b.name))
            gv_gl_reject(sink, GL_INVALID_OPERATION);
        else if (!bind_buffer(objects, sink, s->object, &b, err))
            return false;
    }
    return true;
}

static bool element_buffer(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           const struct subject *s)
{
    const uint32_t name = (uint32_t)gv_trace_uint(argument(s, 0));
    if (name && !gv_gl_buffer_find(objects, name))
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    s->object->elements = name;
    return true;
}

// ---- handlers: `s` is what a call is about ----

#define BOUND(name, expression)                                               \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        const struct subject s = bound(gl->context, call);                    \
        (void)err;                                                            \
        return expression;                                                    \
    }
#define NAMED(name, expression)                                               \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        struct subject s;                                                     \
        if (!named(gl, call, &s, err))                                        \
            return false;                                                     \
        return !s.object || (expression);                                     \
    }
BOUND(VertexAttribFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_FLOAT))
BOUND(VertexAttribIFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_INTEGER))
BOUND(VertexAttribLFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_DOUBLE))
BOUND(VertexAttribBinding, attribute_binding(&gl->sink, &s))
BOUND(VertexBindingDivisor, binding_divisor(&gl->sink, &s))
BOUND(VertexAttribDivisor, attribute_divisor(&gl->sink, &s))
BOUND(EnableVertexAttribArray, enable(&gl->sink, &s, true))
BOUND(DisableVertexAttribArray, enable(&gl->sink, &s, false))
BOUND(BindVertexBuffer, vertex_buffer(&gl->objects, &gl->sink, &s, err))
BOUND(BindVertexBuffers, vertex_buffers(&gl->objects, &gl->sink, &s, err))
NAMED(VertexArrayAttribFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_FLOAT))
NAMED(VertexArrayAttribIFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_INTEGER))
NAMED(VertexArrayAttribLFormat, format(&gl->sink, &s, GV_GL_ATTRIBUTE_DOUBLE))
NAMED(VertexArrayAttribBinding, attribute_binding(&gl->sink, &s))
NAMED(VertexArrayBindingDivisor, binding_divisor(&gl->sink, &s))
NAMED(VertexArrayVertexAttribDivisorEXT, attribute_divisor(&gl->sink, &s))
NAMED(EnableVertexArrayAttrib, enable(&gl->sink, &s, true))
NAMED(DisableVertexArrayAttrib, enable(&gl->sink, &s, false))
NAMED(VertexArrayVertexBuffer, vertex_buffer(&gl->objects, &gl->sink, &s, err))
NAMED(VertexArrayVertexBuffers, vertex_buffers(&gl->objects, &gl->sink, &s, err))
NAMED(VertexArrayElementBuffer, element_buffer(&gl->objects, &gl->sink, &s))

const struct gv_gl_row gv_gl_array_format_rows[] = {
    { "glVertexAttribFormat", gl_VertexAttribFormat, 0 },
    { "glVertexAttribIFormat", gl_VertexAttribIFormat, 0 },
    { "glVertexAttribLFormat", gl_VertexAttribLFormat, 0 },
    { "glVertexAttribBinding", gl_VertexAttribBinding, 0 },
    { "glVertexBindingDivisor", gl_VertexBindingDivisor, 0 },
    { "glVertexAttribDivisor", gl_VertexAttribDivisor, 0 },
    { "glEnableVertexAttribArray", gl_EnableVertexAttribArray, GV_GL_INSIDE },
    { "glDisableVertexAttribArray", gl_DisableVertexAttribArray, GV_GL_INSIDE },
    { "glBindVertexBuffer", gl_BindVertexBuffer, 0 },
    { "glBindVertexBuffers", gl_BindVertexBuffers, 0 },
    { "glVertexArrayAttribFormat", gl_VertexArrayAttribFormat, 0 },
    { "glVertexArrayAttribIFormat", gl_VertexArrayAttribIFormat, 0 },
    { "glVertexArrayAttribLFormat", gl_VertexArrayAttribLFormat, 0 },
    { "glVertexArrayAttribBinding", gl_VertexArrayAttribBinding, 0 },
    { "glVertexArrayBindingDivisor", gl_VertexArrayBindingDivisor, 0 },
    { "glEnableVertexArrayAttrib", gl_EnableVertexArrayAttrib, 0 },
    { "glDisableVertexArrayAttrib", gl_DisableVertexArrayAttrib, 0 },
    { "glVertexArrayVertexBuffer", gl_VertexArrayVertexBuffer, 0 },
    { "glVertexArrayVertexBuffers", gl_VertexArrayVertexBuffers, 0 },
    { "glVertexArrayElementBuffer", gl_VertexArrayElementBuffer, 0 },
    // EXT_direct_state_access
    { "glVertexArrayVertexAttribFormatEXT", gl_VertexArrayAttribFormat, 0 },
    { "glVertexArrayVertexAttribIFormatEXT", gl_VertexArrayAttribIFormat, 0 },
    { "glVertexArrayVertexAttribLFormatEXT", gl_VertexArrayAttribLFormat, 0 },
    { "glVertexArrayVertexAttribBindingEXT", gl_VertexArrayAttribBinding, 0 },
    { "glVertexArrayVertexBindingDivisorEXT", gl_VertexArrayBindingDivisor, 0 },
    { "glVertexArrayVertexAttribDivisorEXT", gl_VertexArrayVertexAttribDivisorEXT, 0 },
    { "glVertexArrayBindVertexBufferEXT", gl_VertexArrayVertexBuffer, 0 },
    { NULL, NULL, 0 },
};
