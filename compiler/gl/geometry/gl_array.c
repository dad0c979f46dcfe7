// Calls that say where vertex arrays are and what their elements look like, at once.
#include "compiler/gl/geometry/gl_array.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/geometry/gl_array_format.h"
#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_vertex_array.h"

// ---- where they are ----

// A copy of the program's memory for a slot.
static bool keep(struct gv_gl *gl, uint32_t slot, const struct gv_trace_value *bytes,
                 uint64_t *copy, struct gv_error *err)
{
    struct gv_gl_feeding *f =
        gv_gl_feeding(gl->context, gl->lists, gl->sink.arena, err);
    if (!f)
        return false;
    struct gv_gl_user_arrays *u = &f->user;
    if (u->slots[slot].capacity < bytes->count || !u->slots[slot].bytes) {
        uint8_t *larger = realloc(u->slots[slot].bytes, (size_t)bytes->count + 1);
        if (!larger)
            return gv_out_of_memory(err);
        u->slots[slot].bytes = larger;
        u->slots[slot].capacity = bytes->count;
    }
    memcpy(u->slots[slot].bytes, bytes->bytes, (size_t)bytes->count);
    u->slots[slot].size = bytes->count;
    u->slots[slot].copy = *copy = ++u->copies;
    return true;
}

// Where the array of a slot is, as a call says it.
struct pointer {
    struct gv_gl_vertex_array *object; // NULL: the bound one
    uint32_t slot;
    struct gv_gl_array format;
    int64_t stride;                  // as given; 0: tight
    uint32_t buffer;                 // where `at` is no bytes
    const struct gv_trace_value *at; // the program's memory, or an offset
};

static bool point(struct gv_gl *gl, const struct pointer *p, struct gv_error *err)
{
    struct gv_gl_vertex_array *v =
        p->object ? p->object : gl->context->client.vertex_array;
    struct gv_gl_array *a = &v->arrays[p->slot];
    struct gv_gl_binding *b = &v->bindings[p->slot];
    if (!gv_gl_array_is_format(&gl->sink, &p->format))
        return true;
    if (p->stride < 0 || p->stride > INT32_MAX)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    struct gv_gl_binding set = { .divisor = b->divisor };
    set.stride = p->stride ? (uint32_t)p->stride
                           : gv_gl_element_bytes(p->format.type, p->format.size);
    if (p->at->kind == GV_TRACE_BLOB) {
        if (!keep(gl, p->slot, p->at, &set.copy, err))
            return false;
    } else {
        set.buffer = p->buffer;
        set.offset = gv_trace_uint(p->at);
    }
    const bool enabled = a->enabled;
    *a = p->format;
    a->enabled = enabled;
    a->binding = (uint8_t)p->slot;
    *b = set;
    return true;
}

// The pointer of the functions that EXT_vertex_array has is behind a count.
static uint32_t pointer_after(const struct gv_trace_call *call, uint32_t last)
{
    const size_t length = strlen(call->function->name);
    const bool counted = length > 10 && call->argument_count > last + 1 &&
                         !strcmp(call->function->name + length - 10, "PointerEXT");
    return counted ? last + 1 : last;
}

static int64_t stride_of(const struct gv_trace_call *call, uint32_t i)
{
    return gv_trace_sint(gv_trace_argument(call, i));
}

// (size, type, stride, pointer)
static bool sized_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                          uint32_t slot, struct gv_error *err)
{
    struct pointer p = { .slot = slot, .stride = stride_of(call, 2) };
    p.format = gv_gl_array_sized(call, 0);
    p.format.normalized = slot == GV_GL_COLOR || slot == GV_GL_SECONDARY;
    p.buffer = gl->context->client.array_buffer;
    p.at = gv_trace_argument(call, pointer_after(call, 3));
    return point(gl, &p, err);
}

// What has no size has that which it is made with.
static struct gv_gl_array unsized(uint32_t slot, uint32_t type)
{
    return (struct gv_gl_array){ .size = slot == GV_GL_NORMAL ? 3 : 1,
                                 .type = type,
                                 .normalized = slot == GV_GL_NORMAL };
}

// (type, stride, pointer)
static bool unsized_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t slot, struct gv_error *err)
{
    const struct pointer p = {
        .slot = slot,
        .format = unsized(slot, gv_gl_uint(call, 0)),
        .stride = stride_of(call, 1),
        .buffer = gl->context->client.array_buffer,
        .at = gv_trace_argument(call, pointer_after(call, 2)),
    };
    return point(gl, &p, err);
}

static bool gl_EdgeFlagPointer(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    const struct pointer p = {
        .slot = GV_GL_EDGE,
        .format = unsized(GV_GL_EDGE, GL_UNSIGNED_BYTE),
        .stride = stride_of(call, 0),
        .buffer = gl->context->client.array_buffer,
        .at = gv_trace_argument(call, pointer_after(call, 1)),
    };
    return point(gl, &p, err);
}

// (texture unit, size, type, stride, pointer)
static bool gl_MultiTexCoordPointerEXT(struct gv_gl *gl,
                                       const struct gv_trace_call *call,
                                       struct gv_error *err)
{
    const uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0;
    if (unit >= GV_GL_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const struct pointer p = {
        .slot = GV_GL_TEXCOORD + unit,
        .format = gv_gl_array_sized(call, 1),
        .stride = stride_of(call, 3),
        .buffer = gl->context->client.array_buffer,
        .at = gv_trace_argument(call, 4),
    };
    return point(gl, &p, err);
}

// (index, size, type, [normalized,] stride, pointer) from argument `first` on.
static bool attribute_at(struct gv_gl_sink *sink, const struct gv_trace_call *call,
                         uint32_t first, bool floats, struct pointer *p)
{
    const uint32_t index = gv_gl_uint(call, first), behind = first + (floats ? 4 : 3);
    if (index >= GV_GL_SLOTS - GV_GL_GENERIC)
        return !gv_gl_reject(sink, GL_INVALID_VALUE);
    p->slot = GV_GL_GENERIC + index;
    p->format = gv_gl_array_sized(call, first + 1);
    p->format.normalized = floats && gv_gl_uint(call, first + 3) != 0;
    p->stride = stride_of(call, behind);
    p->at = gv_trace_argument(call, behind + 1);
    return true;
}

static bool attribute_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                              enum gv_gl_attribute_form form, struct gv_error *err)
{
    struct pointer p = { .buffer = gl->context->client.array_buffer };
    if (!attribute_at(&gl->sink, call, 0, form == GV_GL_ATTRIBUTE_FLOAT, &p) ||
        !gv_gl_array_is_attribute(&gl->sink, form, &p.format))
        return true;
    return point(gl, &p, err);
}

GV_GL_HANDLER(VertexPointer, sized_pointer(gl, call, GV_GL_POSITION, err))
GV_GL_HANDLER(ColorPointer, sized_pointer(gl, call, GV_GL_COLOR, err))
GV_GL_HANDLER(SecondaryColorPointer, sized_pointer(gl, call, GV_GL_SECONDARY, err))
GV_GL_HANDLER(WeightPointer, sized_pointer(gl, call, GV_GL_WEIGHT, err))
GV_GL_HANDLER(TexCoordPointer,
              sized_pointer(gl, call, GV_GL_TEXCOORD + gl->context->client.active, err))
GV_GL_HANDLER(NormalPointer, unsized_pointer(gl, call, GV_GL_NORMAL, err))
GV_GL_HANDLER(FogCoordPointer, unsized_pointer(gl, call, GV_GL_FOG_COORD, err))
GV_GL_HANDLER(IndexPointer, unsized_pointer(gl, call, GV_GL_INDEX, err))
GV_GL_HANDLER(PointSizePointer, unsized_pointer(gl, call, GV_GL_POINT_SIZE, err))
GV_GL_HANDLER(VertexAttribPointer,
              attribute_pointer(gl, call, GV_GL_ATTRIBUTE_FLOAT, err))
GV_GL_HANDLER(VertexAttribIPointer,
              attribute_pointer(gl, call, GV_GL_ATTRIBUTE_INTEGER, err))
GV_GL_HANDLER(VertexAttribLPointer,
              attribute_pointer(gl, call, GV_GL_ATTRIBUTE_DOUBLE, err))

// ---- of named vertex arrays: (vertex array, buffer, what the pointers' calls have)
// ----

// What the calls begin with. False: rejected, or (`ok`) no memory.
static bool begin_named(struct gv_gl *gl, const struct gv_trace_call *call,
                        struct pointer *p, struct gv_error *err, bool *ok)
{
    *p = (struct pointer){ .buffer = gv_gl_uint(call, 1) };
    *ok = gv_gl_vertex_array_named(gl, call, &p->object, err);
    if (p->buffer && p->object && !gv_gl_buffer_find(&gl->objects, p->buffer)) {
        gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
        p->object = NULL;
    }
    return p->object != NULL;
}

static bool sized_offset(struct gv_gl *gl, const struct gv_trace_call *call,
                         uint32_t slot, uint32_t first, struct gv_error *err)
{
    struct pointer p;
    bool ok;
    if (!begin_named(gl, call, &p, err, &ok))
        return ok;
    p.slot = slot;
    p.format = gv_gl_array_sized(call, first);
    p.format.normalized = slot == GV_GL_COLOR || slot == GV_GL_SECONDARY;
    p.stride = stride_of(call, first + 2);
    p.at = gv_trace_argument(call, first + 3);
    return point(gl, &p, err);
}

static bool unsized_offset(struct gv_gl *gl, const struct gv_trace_call *call,
                           uint32_t slot, struct gv_error *err)
{
    const bool edge = slot == GV_GL_EDGE;
    struct pointer p;
    bool ok;
    if (!begin_named(gl, call, &p, err, &ok))
        return ok;
    p.slot = slot;
    p.format = unsized(slot, edge ? GL_UNSIGNED_BYTE : gv_gl_uint(call, 2));
    p.stride = stride_of(call, edge ? 2 : 3);
    p.at = gv_trace_argument(call, edge ? 3 : 4);
    return point(gl, &p, err);
}

static bool attribute_offset(struct gv_gl *gl, const struct gv_trace_call *call,
                             enum gv_gl_attribute_form form, struct gv_error *err)
{
    struct pointer p;
    bool ok;
    if (!begin_named(gl, call, &p, err, &ok))
        return ok;
    if (!attribute_at(&gl->sink, call, 2, form == GV_GL_ATTRIBUTE_FLOAT, &p) ||
        !gv_gl_array_is_attribute(&gl->sink, form, &p.format))
        return true;
    return point(gl, &p, err);
}

static bool gl_VertexArrayMultiTexCoordOffsetEXT(struct gv_gl *gl,
                                                 const struct gv_trace_call *call,
                                                 struct gv_error *err)
{
    const uint32_t unit = gv_gl_uint(call, 2) - GL_TEXTURE0;
    if (unit >= GV_GL_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return sized_offset(gl, call, GV_GL_TEXCOORD + unit, 3, err);
}

GV_GL_HANDLER(VertexArrayVertexOffsetEXT,
              sized_offset(gl, call, GV_GL_POSITION, 2, err))
GV_GL_HANDLER(VertexArrayColorOffsetEXT, sized_offset(gl, call, GV_GL_COLOR, 2, err))
GV_GL_HANDLER(VertexArraySecondaryColorOffsetEXT,
              sized_offset(gl, call, GV_GL_SECONDARY, 2, err))
GV_GL_HANDLER(VertexArrayTexCoordOffsetEXT,
              sized_offset(gl, call, GV_GL_TEXCOORD + gl->context->client.active, 2,
                           err))
GV_GL_HANDLER(VertexArrayNormalOffsetEXT, unsized_offset(gl, call, GV_GL_NORMAL, err))
GV_GL_HANDLER(VertexArrayFogCoordOffsetEXT,
              unsized_offset(gl, call, GV_GL_FOG_COORD, err))
GV_GL_HANDLER(VertexArrayIndexOffsetEXT, unsized_offset(gl, call, GV_GL_INDEX, err))
GV_GL_HANDLER(VertexArrayEdgeFlagOffsetEXT, unsized_offset(gl, call, GV_GL_EDGE, err))
GV_GL_HANDLER(VertexArrayVertexAttribOffsetEXT,
              attribute_offset(gl, call, GV_GL_ATTRIBUTE_FLOAT, err))
GV_GL_HANDLER(VertexArrayVertexAttribIOffsetEXT,
              attribute_offset(gl, call, GV_GL_ATTRIBUTE_INTEGER, err))
GV_GL_HANDLER(VertexArrayVertexAttribLOffsetEXT,
              attribute_offset(gl, call, GV_GL_ATTRIBUTE_DOUBLE, err))

const struct gv_gl_row gv_gl_array_rows[] = {
    { "glVertexPointer", gl_VertexPointer, GV_GL_INSIDE },
    { "glVertexPointerEXT", gl_VertexPointer, GV_GL_INSIDE },
    { "glColorPointer", gl_ColorPointer, GV_GL_INSIDE },
    { "glColorPointerEXT", gl_ColorPointer, GV_GL_INSIDE },
    { "glSecondaryColorPointer", gl_SecondaryColorPointer, GV_GL_INSIDE },
    { "glWeightPointer", gl_WeightPointer, GV_GL_INSIDE },
    { "glTexCoordPointer", gl_TexCoordPointer, GV_GL_INSIDE },
    { "glTexCoordPointerEXT", gl_TexCoordPointer, GV_GL_INSIDE },
    { "glNormalPointer", gl_NormalPointer, GV_GL_INSIDE },
    { "glNormalPointerEXT", gl_NormalPointer, GV_GL_INSIDE },
    { "glFogCoordPointer", gl_FogCoordPointer, GV_GL_INSIDE },
    { "glIndexPointer", gl_IndexPointer, GV_GL_INSIDE },
    { "glIndexPointerEXT", gl_IndexPointer, GV_GL_INSIDE },
    { "glPointSizePointer", gl_PointSizePointer, GV_GL_INSIDE },
    { "glEdgeFlagPointer", gl_EdgeFlagPointer, GV_GL_INSIDE },
    { "glEdgeFlagPointerEXT", gl_EdgeFlagPointer, GV_GL_INSIDE },
    { "glVertexAttribPointer", gl_VertexAttribPointer, GV_GL_INSIDE },
    { "glVertexAttribIPointer", gl_VertexAttribIPointer, GV_GL_INSIDE },
    { "glVertexAttribLPointer", gl_VertexAttribLPointer, GV_GL_INSIDE },
    { "glMultiTexCoordPointerEXT", gl_MultiTexCoordPointerEXT, GV_GL_INSIDE },
    { "glVertexArrayVertexOffsetEXT", gl_VertexArrayVertexOffsetEXT, 0 },
    { "glVertexArrayColorOffsetEXT", gl_VertexArrayColorOffsetEXT, 0 },
    { "glVertexArraySecondaryColorOffsetEXT", gl_VertexArraySecondaryColorOffsetEXT,
      0 },
    { "glVertexArrayTexCoordOffsetEXT", gl_VertexArrayTexCoordOffsetEXT, 0 },
    { "glVertexArrayMultiTexCoordOffsetEXT", gl_VertexArrayMultiTexCoordOffsetEXT, 0 },
    { "glVertexArrayNormalOffsetEXT", gl_VertexArrayNormalOffsetEXT, 0 },
    { "glVertexArrayFogCoordOffsetEXT", gl_VertexArrayFogCoordOffsetEXT, 0 },
    { "glVertexArrayIndexOffsetEXT", gl_VertexArrayIndexOffsetEXT, 0 },
    { "glVertexArrayEdgeFlagOffsetEXT", gl_VertexArrayEdgeFlagOffsetEXT, 0 },
    { "glVertexArrayVertexAttribOffsetEXT", gl_VertexArrayVertexAttribOffsetEXT, 0 },
    { "glVertexArrayVertexAttribIOffsetEXT", gl_VertexArrayVertexAttribIOffsetEXT, 0 },
    { "glVertexArrayVertexAttribLOffsetEXT", gl_VertexArrayVertexAttribLOffsetEXT, 0 },
    { NULL, NULL, 0 },
};
