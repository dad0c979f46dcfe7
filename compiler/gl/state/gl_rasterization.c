// Polygons, lines, points: how primitives become fragments. Clip planes too.
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_matrix.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/state/gl_values.h"

static bool is_face(uint32_t face)
{
    return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK;
}

// ---- polygons ----

static bool set_FrontFace(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    const uint32_t winding = gv_gl_uint(call, 0);
    if (winding != GL_CW && winding != GL_CCW)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.polygon.front_face = winding;
    return true;
}
GV_GL_SETTER(FrontFace)

static bool set_CullFace(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    if (!is_face(gv_gl_uint(call, 0)))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    c->state.polygon.cull_face = gv_gl_uint(call, 0);
    return true;
}
GV_GL_SETTER(CullFace)

static bool set_PolygonMode(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    const uint32_t face = gv_gl_uint(call, 0), mode = gv_gl_uint(call, 1);
    uint32_t *to = c->state.polygon.mode;
    if (!is_face(face) || (c->core && face != GL_FRONT_AND_BACK) || mode < GL_POINT ||
        mode > GL_FILL)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (face != GL_BACK)
        to[0] = mode;
    if (face != GL_FRONT)
        to[1] = mode;
    return true;
}
GV_GL_SETTER(PolygonMode)

static bool gl_PolygonOffset(struct gv_gl *gl, const struct gv_trace_call *call,
                             struct gv_error *err)
{
    (void)err;
    gl->context->state.polygon.offset_factor = gv_gl_number(call, 0);
    gl->context->state.polygon.offset_units = gv_gl_number(call, 1);
    gl->context->state.polygon.offset_clamp = 0;
    return true;
}

static bool gl_PolygonOffsetClamp(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    gl_PolygonOffset(gl, call, err);
    gl->context->state.polygon.offset_clamp = gv_gl_float(call, 2);
    return true;
}

// EXT_polygon_offset has a bias as part of the depth range instead of units.
static bool set_PolygonOffsetEXT(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                 const struct gv_trace_call *call)
{
    (void)sink;
    c->state.polygon.offset_factor = gv_gl_float(call, 0);
    c->state.polygon.offset_units = gv_gl_float(call, 1) * 16777215.0f;
    return true;
}
GV_GL_SETTER(PolygonOffsetEXT)

// ---- polygon stipple ----

// What the call reads: an array of bytes, a blob, or a place in a buffer.
struct stipple_source {
    const struct gv_trace_value *value;
    const uint8_t *bytes; // instead, if not NULL
    uint64_t size;
};

static uint8_t byte_at(const struct stipple_source *s, uint64_t i)
{
    if (s->bytes)
        return i < s->size ? s->bytes[i] : 0;
    return (uint8_t)gv_trace_uint(gv_trace_item(s->value, i));
}

static struct stipple_source stipple_source(const struct gv_gl_context *c,
                                            const struct gv_gl_objects *objects,
                                            const struct gv_trace_value *v)
{
    struct stipple_source s = { .value = v };
    const uint32_t buffer = c->client.unpack.buffer;
    if (v->kind == GV_TRACE_BLOB) {
        s.bytes = v->bytes;
        s.size = v->count;
    } else if (v->kind != GV_TRACE_ARRAY && buffer) {
        s.size = 128;
        s.bytes = gv_gl_buffer_bytes(objects, buffer, gv_trace_uint(v), s.size);
    }
    return s;
}

// The bits of a row as unpacking finds them, bit 31 leftmost.
static uint32_t stipple_row(const struct stipple_source *s,
                            const struct gv_gl_pixel_store *unpack, uint32_t row)
{
    const uint64_t width = unpack->row_length ? unpack->row_length : 32;
    const uint64_t align = unpack->alignment;
    const uint64_t stride = ((width + 7) / 8 + align - 1) / align * align;
    const uint64_t first = ((uint64_t)unpack->skip_rows + row) * stride;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32; i++) {
        const uint64_t pixel = (uint64_t)unpack->skip_pixels + i;
        const uint32_t shift =
            (uint32_t)(unpack->lsb_first ? pixel % 8 : 7 - pixel % 8);
        const uint32_t byte = byte_at(s, first + pixel / 8);
        bits = bits << 1 | (byte >> shift & 1u);
    }
    return bits;
}

static bool gl_PolygonStipple(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    (void)err;
    const struct gv_trace_value *v = gv_trace_argument(call, 0);
    const struct stipple_source s = stipple_source(gl->context, &gl->objects, v);
    if (!s.bytes && v->kind != GV_TRACE_ARRAY)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    for (uint32_t row = 0; row < 32; row++)
        gl->context->state.polygon.pattern[row] =
            stipple_row(&s, &gl->context->client.unpack, row);
    return true;
}

// ---- lines ----

static bool set_LineWidth(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    const float width = gv_gl_number(call, 0);
    if (!(width > 0))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    c->state.line.width = width;
    return true;
}
GV_GL_SETTER(LineWidth)

static bool set_LineStipple(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    (void)sink;
    const int32_t factor = gv_gl_int(call, 0);
    c->state.line.factor = (uint32_t)(factor < 1 ? 1 : factor < 256 ? factor : 256);
    c->state.line.pattern = (uint16_t)gv_gl_uint(call, 1);
    return true;
}
GV_GL_SETTER(LineStipple)

// ---- points ----

static bool set_PointSize(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    const float size = gv_gl_number(call, 0);
    if (!(size > 0))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    c->state.point.size = size;
    return true;
}
GV_GL_SETTER(PointSize)

static bool set_attenuation(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_gl_values *v)
{
    float f[3];
    if (!v->vector)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (!gv_gl_value_numbers(v, f, 3))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; i < 3; i++)
        c->state.point.attenuation[i] = f[i];
    return true;
}

static bool set_origin(struct gv_gl_context *c, struct gv_gl_sink *sink,
                       uint32_t origin)
{
    if (origin != GL_LOWER_LEFT && origin != GL_UPPER_LEFT)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    c->state.point.origin = origin;
    return true;
}

static bool set_PointParameter(struct gv_gl_context *c, struct gv_gl_sink *sink,
                               const struct gv_trace_call *call)
{
    struct gv_gl_point *p = &c->state.point;
    const struct gv_gl_values v = gv_gl_values(call, 1);
    float *to = NULL;
    switch (gv_gl_uint(call, 0)) {
    case GL_POINT_DISTANCE_ATTENUATION:
        return set_attenuation(c, sink, &v);
    case GL_POINT_SPRITE_COORD_ORIGIN:
        return set_origin(c, sink, (uint32_t)gv_gl_value_int(&v, 0));
    case GL_POINT_SIZE_MIN:
        to = &p->min;
        break;
    case GL_POINT_SIZE_MAX:
        to = &p->max;
        break;
    case GL_POINT_FADE_THRESHOLD_SIZE:
        to = &p->fade;
        break;
    default:
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    }
    const float number = gv_gl_value(&v, 0);
    if (v.count == 0 || !(number >= 0))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    *to = number;
    return true;
}
GV_GL_SETTER(PointParameter)

// ---- clip planes ----

static bool set_ClipPlane(struct gv_gl_context *c, struct gv_gl_sink *sink,
                          const struct gv_trace_call *call)
{
    const uint32_t plane = gv_gl_uint(call, 0) - GL_CLIP_PLANE0;
    const struct gv_gl_values v = gv_gl_values(call, 1);
    float equation[4];
    if (plane >= GV_GL_CLIP_PLANES)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (!gv_gl_value_numbers(&v, equation, 4))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    gv_gl_transform_plane(c->state.transform.clip_planes[plane],
                          gv_gl_top(&c->modelview), equation);
    return true;
}
GV_GL_SETTER(ClipPlane)

const struct gv_gl_row gv_gl_rasterization_rows[] = {
    { "glFrontFace", gl_FrontFace, GV_GL_LISTED },
    { "glCullFace", gl_CullFace, GV_GL_LISTED },
    { "glPolygonMode", gl_PolygonMode, GV_GL_LISTED },
    { "glPolygonOffset", gl_PolygonOffset, GV_GL_LISTED },
    { "glPolygonOffsetx", gl_PolygonOffset, GV_GL_LISTED },
    { "glPolygonOffsetClamp", gl_PolygonOffsetClamp, GV_GL_LISTED },
    { "glPolygonOffsetEXT", gl_PolygonOffsetEXT, GV_GL_LISTED },
    { "glPolygonStipple", gl_PolygonStipple, GV_GL_LISTED },
    { "glLineWidth", gl_LineWidth, GV_GL_LISTED },
    { "glLineWidthx", gl_LineWidth, GV_GL_LISTED },
    { "glLineStipple", gl_LineStipple, GV_GL_LISTED },
    { "glPointSize", gl_PointSize, GV_GL_LISTED },
    { "glPointSizex", gl_PointSize, GV_GL_LISTED },
    { "glPointParameterf", gl_PointParameter, GV_GL_LISTED },
    { "glPointParameterfv", gl_PointParameter, GV_GL_LISTED },
    { "glPointParameteri", gl_PointParameter, GV_GL_LISTED },
    { "glPointParameteriv", gl_PointParameter, GV_GL_LISTED },
    { "glPointParameterx", gl_PointParameter, GV_GL_LISTED },
    { "glPointParameterxv", gl_PointParameter, GV_GL_LISTED },
    { "glClipPlane", gl_ClipPlane, GV_GL_LISTED },
    { "glClipPlanef", gl_ClipPlane, GV_GL_LISTED },
    { "glClipPlanex", gl_ClipPlane, GV_GL_LISTED },
    { 0 },
};
