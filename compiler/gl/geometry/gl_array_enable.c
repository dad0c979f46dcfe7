// Calls that say which vertex arrays are on, where primitives restart, how large
// patches are.
#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_run.h"
#include "compiler/gl/geometry/gl_vertex_array.h"

#define MAX_PATCH_VERTICES 32 // GL_MAX_PATCH_VERTICES

// The slot of a client capability on a texture unit; GV_GL_ARRAY_SLOTS: none.
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
        return unit < GV_GL_UNITS ? GV_GL_TEXCOORD + unit : GV_GL_ARRAY_SLOTS;
    default:
        return GV_GL_ARRAY_SLOTS;
    }
}

static bool switch_slot(struct gv_gl_sink *sink, struct gv_gl_vertex_array *v,
                        uint32_t slot, bool on)
{
    if (slot == GV_GL_ARRAY_SLOTS)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    v->arrays[slot].enabled = on;
    return true;
}

static bool switch_array(struct gv_gl_context *context, struct gv_gl_sink *sink,
                         uint32_t array, uint32_t unit, bool on)
{
    struct gv_gl_client *c = &context->client;
    if (array == GL_PRIMITIVE_RESTART_NV) {
        c->primitive_restart = on;
        return true;
    }
    return switch_slot(sink, c->vertex_array, client_slot(array, unit), on);
}

bool gv_gl_switch_array(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        uint32_t array, bool on)
{
    return switch_array(c, sink, array, c->client.active, on);
}

// Of a named vertex array; GL_TEXTUREn is the coordinates of that unit.
static bool switch_named(struct gv_gl *gl, const struct gv_trace_call *call, bool on,
                         struct gv_error *err)
{
    const uint32_t array = gv_gl_uint(call, 1), unit = array - GL_TEXTURE0;
    struct gv_gl_vertex_array *v;
    if (!gv_gl_vertex_array_named(gl, call, &v, err))
        return false;
    const uint32_t slot = unit < GV_GL_UNITS
                              ? GV_GL_TEXCOORD + unit
                              : client_slot(array, gl->context->client.active);
    return !v || switch_slot(&gl->sink, v, slot, on);
}

#define SWITCH(name, expression)                                              \
    static bool gl_##name(struct gv_gl *gl, const struct gv_trace_call *call, \
                          struct gv_error *err)                               \
    {                                                                         \
        (void)err;                                                            \
        return expression;                                                    \
    }
SWITCH(EnableClientState,
       gv_gl_switch_array(gl->context, &gl->sink, gv_gl_uint(call, 0), true))
SWITCH(DisableClientState,
       gv_gl_switch_array(gl->context, &gl->sink, gv_gl_uint(call, 0), false))
SWITCH(EnableClientStatei, switch_array(gl->context, &gl->sink, gv_gl_uint(call, 0),
                                        gv_gl_uint(call, 1), true))
SWITCH(DisableClientStatei, switch_array(gl->context, &gl->sink, gv_gl_uint(call, 0),
                                         gv_gl_uint(call, 1), false))
SWITCH(EnableVertexArrayEXT, switch_named(gl, call, true, err))
SWITCH(DisableVertexArrayEXT, switch_named(gl, call, false, err))

static bool gl_ClientActiveTexture(struct gv_gl *gl, const struct gv_trace_call *call,
                                   struct gv_error *err)
{
    (void)err;
    const uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0;
    if (unit >= GV_GL_UNITS)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    gl->context->client.active = unit;
    return true;
}

static bool gl_PrimitiveRestartIndex(struct gv_gl *gl, const struct gv_trace_call *call,
                                     struct gv_error *err)
{
    (void)err;
    gl->context->client.primitive_restart_index = gv_gl_uint(call, 0);
    return true;
}

static bool gl_PatchParameteri(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    (void)err;
    const int32_t vertices = gv_gl_int(call, 1);
    if (gv_gl_uint(call, 0) != GL_PATCH_VERTICES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (vertices < 1 || vertices > MAX_PATCH_VERTICES)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    gl->context->patches.vertices = (uint32_t)vertices;
    return true;
}

static bool gl_PatchParameterfv(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    (void)err;
    switch (gv_gl_uint(call, 0)) {
    case GL_PATCH_DEFAULT_OUTER_LEVEL:
        gv_gl_floats(call, 1, gl->context->patches.outer, 4);
        return true;
    case GL_PATCH_DEFAULT_INNER_LEVEL:
        gv_gl_floats(call, 1, gl->context->patches.inner, 2);
        return true;
    default:
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    }
}

const struct gv_gl_row gv_gl_array_enable_rows[] = {
    { "glEnableClientState", gl_EnableClientState, GV_GL_INSIDE },
    { "glDisableClientState", gl_DisableClientState, GV_GL_INSIDE },
    { "glEnableClientStatei", gl_EnableClientStatei, GV_GL_INSIDE },
    { "glDisableClientStatei", gl_DisableClientStatei, GV_GL_INSIDE },
    { "glEnableClientStateIndexed", gl_EnableClientStatei, GV_GL_INSIDE },
    { "glDisableClientStateIndexed", gl_DisableClientStatei, GV_GL_INSIDE },
    { "glEnableVertexArrayEXT", gl_EnableVertexArrayEXT, 0 },
    { "glDisableVertexArrayEXT", gl_DisableVertexArrayEXT, 0 },
    { "glClientActiveTexture", gl_ClientActiveTexture, GV_GL_INSIDE },
    { "glPrimitiveRestartIndex", gl_PrimitiveRestartIndex, 0 },
    { "glPatchParameteri", gl_PatchParameteri, 0 },
    { "glPatchParameterfv", gl_PatchParameterfv, 0 },
    // The recorder gives the arrays as far as they are locked.
    { "glLockArrays", NULL, 0 },
    { "glUnlockArrays", NULL, 0 },
    { NULL, NULL, 0 },
};
