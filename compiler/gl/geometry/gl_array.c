// Calls that say where vertex arrays are and which are on.
#include "compiler/gl/geometry/gl_array.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/geometry/gl_elements.h"

// ---- where they are ----

// A copy of the program's memory for a slot.
static bool keep(struct gv_gl *gl, uint32_t slot, const struct gv_trace_value *bytes,
                 uint64_t *copy, struct gv_error *err)
{
    struct gv_gl_feeding *f = gv_gl_feeding(gl, err);
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

// Sets the array of a slot from what a call says; `pointer` is its argument.
static bool point(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t slot,
                  const struct gv_gl_array *said, uint32_t pointer,
                  struct gv_error *err)
{
    const struct gv_trace_value *at = gv_trace_argument(call, pointer);
    struct gv_gl_array *a = gv_gl_array(gl, slot);
    struct gv_gl_array set = *said;
    if (said->size == 0 || said->size > 4 ||
        !gv_gl_element_bytes(said->type, said->size))
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    if (said->stride > INT32_MAX)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    set.enabled = a->enabled;
    set.divisor = a->divisor;
    if (at->kind == GV_TRACE_BLOB) {
        if (!keep(gl, slot, at, &set.copy, err))
            return false;
    } else {
        set.buffer = gl->context->client.array_buffer;
        set.offset = gv_trace_uint(at);
    }
    *a = set;
    return true;
}

// What arguments from `first` on say: size, type, stride; GL_BGRA is a size too.
static struct gv_gl_array sized(const struct gv_trace_call *call, uint32_t first)
{
    const uint32_t size = gv_gl_uint(call, first);
    return (struct gv_gl_array){
        .size = (uint8_t)(size == GL_BGRA ? 4
                          : size > 4      ? 0
                                          : size),
        .bgra = size == GL_BGRA,
        .type = gv_gl_uint(call, first + 1),
        .stride = gv_gl_uint(call, first + 2),
    };
}

static struct gv_gl_array unsized(const struct gv_trace_call *call, uint32_t size)
{
    return (struct gv_gl_array){
        .size = (uint8_t)size,
        .type = gv_gl_uint(call, 0),
        .stride = gv_gl_uint(call, 1),
    };
}

// The pointer of the functions that EXT_vertex_array has is behind a count.
static uint32_t pointer_after(const struct gv_trace_call *call, uint32_t last)
{
    const size_t length = strlen(call->function->name);
    const bool counted = length > 10 && call->argument_count > last + 1 &&
                         !strcmp(call->function->name + length - 10, "PointerEXT");
    return counted ? last + 1 : last;
}

static bool sized_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                          uint32_t slot, bool normalized, struct gv_error *err)
{
    struct gv_gl_array a = sized(call, 0);
    a.normalized = normalized;
    return point(gl, call, slot, &a, pointer_after(call, 3), err);
}

static bool unsized_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                            uint32_t slot, bool normalized, struct gv_error *err)
{
    struct gv_gl_array a = unsized(call, slot == GV_GL_NORMAL ? 3 : 1);
    a.normalized = normalized;
    return point(gl, call, slot, &a, pointer_after(call, 2), err);
}

static bool gl_EdgeFlagPointer(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    const struct gv_gl_array a = {
        .size = 1,
        .type = GL_UNSIGNED_BYTE,
        .stride = gv_gl_uint(call, 0),
    };
    return point(gl, call, GV_GL_EDGE, &a, pointer_after(call, 1), err);
}

// (index, size, type, [normalized,] stride, pointer)
static bool attribute_pointer(struct gv_gl *gl, const struct gv_trace_call *call,
                              bool floats, struct gv_error *err)
{
    const uint32_t index = gv_gl_uint(call, 0);
    struct gv_gl_array a = sized(call, 1);
    if (index >= GV_GL_SLOTS - GV_GL_GENERIC)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    a.integer = !floats;
    if (floats) {
        a.normalized = gv_gl_uint(call, 3) != 0;
        a.stride = gv_gl_uint(call, 4);
    }
    return point(gl, call, GV_GL_GENERIC + index, &a, floats ? 5 : 4, err);
}

#define HANDLER(name, expression)                                             \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        return expression;                                                    \
    }
HANDLER(VertexPointer, sized_pointer(gl, call, GV_GL_POSITION, false, err))
HANDLER(ColorPointer, sized_pointer(gl, call, GV_GL_COLOR, true, err))
HANDLER(SecondaryColorPointer, sized_pointer(gl, call, GV_GL_SECONDARY, true, err))
HANDLER(WeightPointer, sized_pointer(gl, call, GV_GL_WEIGHT, false, err))
HANDLER(TexCoordPointer,
        sized_pointer(gl, call, GV_GL_TEXCOORD + gl->context->client.active, false,
                      err))
HANDLER(NormalPointer, unsized_pointer(gl, call, GV_GL_NORMAL, true, err))
HANDLER(FogCoordPointer, unsized_pointer(gl, call, GV_GL_FOG_COORD, false, err))
HANDLER(IndexPointer, unsized_pointer(gl, call, GV_GL_INDEX, false, err))
HANDLER(PointSizePointer, unsized_pointer(gl, call, GV_GL_POINT_SIZE, false, err))
HANDLER(VertexAttribPointer, attribute_pointer(gl, call, true, err))
HANDLER(VertexAttribIPointer, attribute_pointer(gl, call, false, err))

// ---- which are on ----

// The slot of a client capability on a texture unit; GV_GL_RUN_SLOTS: none.
static uint32_t client_slot(uint32_t array, uint32_t unit)
{
    switch (array) {
    case GL_VERTEX_ARRAY:
        return GV_GL_POSITION;
    case GL_NORMAL_ARRAY:
        return GV_GL_NORMAL;
    case GL_COLOR_ARRAY:
        return GV_GL_COLOR;
    case GL_SECONDARY_COLOR_ARRAY:
        return GV_GL_SECONDARY;
    case GL_FOG_COORD_ARRAY:
        return GV_GL_FOG_COORD;
    case GL_INDEX_ARRAY:
        return GV_GL_INDEX;
    case GL_EDGE_FLAG_ARRAY:
        return GV_GL_EDGE;
    case GL_POINT_SIZE_ARRAY_OES:
        return GV_GL_POINT_SIZE;
    case GL_WEIGHT_ARRAY_ARB:
        return GV_GL_WEIGHT;
    case GL_TEXTURE_COORD_ARRAY:
        return unit < GV_GL_UNITS ? GV_GL_TEXCOORD + unit : GV_GL_RUN_SLOTS;
    default:
        return GV_GL_RUN_SLOTS;
    }
}

static bool switch_array(struct gv_gl *gl, uint32_t array, uint32_t unit, bool on)
{
    if (array == GL_PRIMITIVE_RESTART_NV) {
        gl->context->client.primitive_restart = on;
        return true;
    }
    const uint32_t slot = client_slot(array, unit);
    if (slot == GV_GL_RUN_SLOTS)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    gv_gl_array(gl, slot)->enabled = on;
    return true;
}

static bool switch_attribute(struct gv_gl *gl, uint32_t index, bool on)
{
    if (index >= GV_GL_SLOTS - GV_GL_GENERIC)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    gv_gl_array(gl, GV_GL_GENERIC + index)->enabled = on;
    return true;
}

#define SWITCH(name, expression)                                              \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        (void)err;                                                            \
        return expression;                                                    \
    }
SWITCH(EnableClientState,
       switch_array(gl, gv_gl_uint(call, 0), gl->context->client.active, true))
SWITCH(DisableClientState,
       switch_array(gl, gv_gl_uint(call, 0), gl->context->client.active, false))
SWITCH(EnableClientStatei,
       switch_array(gl, gv_gl_uint(call, 0), gv_gl_uint(call, 1), true))
SWITCH(DisableClientStatei,
       switch_array(gl, gv_gl_uint(call, 0), gv_gl_uint(call, 1), false))
SWITCH(EnableVertexAttribArray, switch_attribute(gl, gv_gl_uint(call, 0), true))
SWITCH(DisableVertexAttribArray, switch_attribute(gl, gv_gl_uint(call, 0), false))

static bool gl_ClientActiveTexture(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    (void)err;
    const uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0;
    if (unit >= GV_GL_UNITS)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    gl->context->client.active = unit;
    return true;
}

static bool gl_VertexAttribDivisor(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    (void)err;
    const uint32_t index = gv_gl_uint(call, 0);
    if (index >= GV_GL_SLOTS - GV_GL_GENERIC)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    gv_gl_array(gl, GV_GL_GENERIC + index)->divisor = gv_gl_uint(call, 1);
    return true;
}

static bool gl_PrimitiveRestartIndex(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    (void)err;
    gl->context->client.primitive_restart_index = gv_gl_uint(call, 0);
    return true;
}

// ---- glInterleavedArrays: OpenGL 1.5 specification, table 2.5 ----

struct interleaved {
    uint32_t format;
    uint8_t texcoord, color, normal, vertex; // components; 0: off
    uint32_t color_type;
    uint8_t color_at, normal_at, vertex_at, stride; // bytes
};

static const struct interleaved interleaved[] = {
    { GL_V2F, 0, 0, 0, 2, 0, 0, 0, 0, 8 },
    { GL_V3F, 0, 0, 0, 3, 0, 0, 0, 0, 12 },
    { GL_C4UB_V2F, 0, 4, 0, 2, GL_UNSIGNED_BYTE, 0, 0, 4, 12 },
    { GL_C4UB_V3F, 0, 4, 0, 3, GL_UNSIGNED_BYTE, 0, 0, 4, 16 },
    { GL_C3F_V3F, 0, 3, 0, 3, GL_FLOAT, 0, 0, 12, 24 },
    { GL_N3F_V3F, 0, 0, 3, 3, 0, 0, 0, 12, 24 },
    { GL_C4F_N3F_V3F, 0, 4, 3, 3, GL_FLOAT, 0, 16, 28, 40 },
    { GL_T2F_V3F, 2, 0, 0, 3, 0, 0, 0, 8, 20 },
    { GL_T4F_V4F, 4, 0, 0, 4, 0, 0, 0, 16, 32 },
    { GL_T2F_C4UB_V3F, 2, 4, 0, 3, GL_UNSIGNED_BYTE, 8, 0, 12, 24 },
    { GL_T2F_C3F_V3F, 2, 3, 0, 3, GL_FLOAT, 8, 0, 20, 32 },
    { GL_T2F_N3F_V3F, 2, 0, 3, 3, 0, 0, 8, 20, 32 },
    { GL_T2F_C4F_N3F_V3F, 2, 4, 3, 3, GL_FLOAT, 8, 24, 36, 48 },
    { GL_T4F_C4F_N3F_V4F, 4, 4, 3, 4, GL_FLOAT, 16, 32, 44, 60 },
};

// One array of the format, `at` bytes into each element of it; off without components.
static void interleave(struct gv_gl *gl, uint32_t slot, struct gv_gl_array part,
                       uint32_t at)
{
    struct gv_gl_array *a = gv_gl_array(gl, slot);
    if (part.size == 0) {
        a->enabled = false;
        return;
    }
    part.enabled = true;
    part.offset += at;
    *a = part;
}

// Recorded for buffers only: of the program's memory it comes as single arrays.
static bool gl_InterleavedArrays(struct gv_gl *gl, const struct gv_trace_call *call,
                                 struct gv_error *err)
{
    (void)err;
    const struct gv_gl_client *c = &gl->context->client;
    const struct interleaved *f = NULL;
    for (uint32_t i = 0; i < sizeof interleaved / sizeof *interleaved; i++)
        if (interleaved[i].format == gv_gl_uint(call, 0))
            f = &interleaved[i];
    if (!f)
        return gv_gl_reject(gl, GL_INVALID_ENUM);
    if (gv_gl_int(call, 1) < 0)
        return gv_gl_reject(gl, GL_INVALID_VALUE);
    const uint32_t stride = gv_gl_uint(call, 1);
    struct gv_gl_array part = {
        .type = GL_FLOAT,
        .stride = stride ? stride : f->stride,
        .buffer = c->array_buffer,
        .offset = gv_trace_uint(gv_trace_argument(call, 2)),
    };
    gv_gl_array(gl, GV_GL_EDGE)->enabled = false;
    gv_gl_array(gl, GV_GL_INDEX)->enabled = false;
    gv_gl_array(gl, GV_GL_SECONDARY)->enabled = false;
    gv_gl_array(gl, GV_GL_FOG_COORD)->enabled = false;
    part.size = f->texcoord;
    interleave(gl, GV_GL_TEXCOORD + c->active, part, 0);
    part.size = f->vertex;
    interleave(gl, GV_GL_POSITION, part, f->vertex_at);
    part.normalized = true;
    part.size = f->normal;
    interleave(gl, GV_GL_NORMAL, part, f->normal_at);
    part.size = f->color;
    part.type = f->color_type;
    interleave(gl, GV_GL_COLOR, part, f->color_at);
    return true;
}

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
    { "glVertexAttribLPointer", gl_VertexAttribIPointer, GV_GL_INSIDE },
    { "glInterleavedArrays", gl_InterleavedArrays, GV_GL_INSIDE },
    { "glEnableClientState", gl_EnableClientState, GV_GL_INSIDE },
    { "glDisableClientState", gl_DisableClientState, GV_GL_INSIDE },
    { "glEnableClientStatei", gl_EnableClientStatei, GV_GL_INSIDE },
    { "glDisableClientStatei", gl_DisableClientStatei, GV_GL_INSIDE },
    { "glEnableClientStateIndexed", gl_EnableClientStatei, GV_GL_INSIDE },
    { "glDisableClientStateIndexed", gl_DisableClientStatei, GV_GL_INSIDE },
    { "glEnableVertexAttribArray", gl_EnableVertexAttribArray, GV_GL_INSIDE },
    { "glDisableVertexAttribArray", gl_DisableVertexAttribArray, GV_GL_INSIDE },
    { "glClientActiveTexture", gl_ClientActiveTexture, GV_GL_INSIDE },
    { "glVertexAttribDivisor", gl_VertexAttribDivisor, 0 },
    { "glPrimitiveRestartIndex", gl_PrimitiveRestartIndex, 0 },
    // The recorder gives the arrays as far as they are locked.
    { "glLockArrays", NULL, 0 },
    { "glUnlockArrays", NULL, 0 },
    { NULL, NULL, 0 },
};
