// glBegin, glEnd and the calls that give vertices and current values.
#include <string.h>

#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/geometry/gl_number.h"
#include "compiler/gl/geometry/gl_run.h"

enum conversion {
    AS_IS,
    BYTE,
    SHORT,
    INT,
    UBYTE,
    USHORT,
    UINT,
    FIXED,
    HALF,
    SIGNED,   // an integer's bits
    UNSIGNED, // likewise
    DOUBLE,   // as it is
};

// Slots by the names of the table.
enum {
    POSITION = GV_GL_POSITION,
    NORMAL = GV_GL_NORMAL,
    COLOR = GV_GL_COLOR,
    SECONDARY = GV_GL_SECONDARY,
    FOG_COORD = GV_GL_FOG_COORD,
    INDEX = GV_GL_INDEX,
    EDGE = GV_GL_EDGE,
    TEXCOORD = GV_GL_TEXCOORD,
};

struct form {
    uint8_t components;
    enum conversion conversion;
};

// ---- numbers ----

static float converted(double v, enum conversion conversion)
{
    switch (conversion) {
    case BYTE:
        return gv_gl_signed_old(v, 8);
    case SHORT:
        return gv_gl_signed_old(v, 16);
    case INT:
        return gv_gl_signed_old(v, 32);
    case UBYTE:
        return gv_gl_unsigned(v, 8);
    case USHORT:
        return gv_gl_unsigned(v, 16);
    case UINT:
        return gv_gl_unsigned(v, 32);
    case FIXED:
        return (float)(v / 65536);
    case HALF:
        return gv_gl_half((uint16_t)v);
    default:
        return (float)v;
    }
}

static float bits_of(uint32_t word)
{
    float bits;
    memcpy(&bits, &word, sizeof bits);
    return bits;
}

static enum gv_gl_kind kind_of(enum conversion conversion)
{
    return conversion == SIGNED     ? GV_GL_INTS
           : conversion == UNSIGNED ? GV_GL_UINTS
                                    : GV_GL_FLOATS;
}

static const struct gv_trace_value *number_of(const struct gv_trace_call *call,
                                              uint32_t first, uint32_t i)
{
    const struct gv_trace_value *v = gv_trace_argument(call, first);
    return v->kind == GV_TRACE_ARRAY ? gv_trace_item(v, i)
                                     : gv_trace_argument(call, first + i);
}

// Argument `first` and those behind it, or the elements of `first`.
static void values_of(const struct gv_trace_call *call, uint32_t first,
                      const struct form *form, float out[4])
{
    const bool integers = kind_of(form->conversion) != GV_GL_FLOATS;
    out[0] = out[1] = out[2] = 0;
    out[3] = integers ? bits_of(1) : 1;
    for (uint32_t i = 0; i < form->components; i++) {
        const struct gv_trace_value *n = number_of(call, first, i);
        if (integers) {
            out[i] = bits_of((uint32_t)gv_trace_uint(n));
            continue;
        }
        double number = gv_trace_real(n);
        if (form->conversion == HALF && !(number >= 0 && number <= UINT16_MAX))
            number = 0;
        out[i] = converted(number, form->conversion);
    }
}

// ---- where they go ----

static bool give(struct gv_gl *gl, uint32_t slot, uint32_t components,
                 const float value[4], struct gv_error *err)
{
    if (slot == GV_GL_POSITION)
        return gv_gl_feed.vertex(gl, components, value, err);
    return gv_gl_feed.set(gl, slot, gv_gl_real(components), value, err);
}

static bool give_unit(struct gv_gl *gl, uint32_t texture, uint32_t components,
                      const float value[4], struct gv_error *err)
{
    const uint32_t unit = (texture - GL_TEXTURE0) % GV_GL_UNITS;
    return give(gl, GV_GL_TEXCOORD + unit, components, value, err);
}

// A position is of floats.
static bool give_position(struct gv_gl *gl, struct gv_gl_shape shape,
                          const float value[4], struct gv_error *err)
{
    float position[4];
    for (uint32_t i = 0; i < 4; i++) {
        int32_t word;
        memcpy(&word, &value[i], sizeof word);
        position[i] = shape.kind == GV_GL_INTS    ? (float)word
                      : shape.kind == GV_GL_UINTS ? (float)(uint32_t)word
                                                  : value[i];
    }
    return gv_gl_feed.vertex(gl, shape.size, position, err);
}

// Generic attribute 0 is the position, where a primitive is open.
static bool give_attribute(struct gv_gl *gl, uint32_t index, struct gv_gl_shape shape,
                           const float value[4], struct gv_error *err)
{
    if (index >= GV_GL_GENERICS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    if (index == 0 && gv_gl_feed_inside(gl->context))
        return give_position(gl, shape, value, err);
    return gv_gl_feed.set(gl, GV_GL_GENERIC + index, shape, value, err);
}

static bool form(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t slot,
                 const struct form *f, struct gv_error *err)
{
    float v[4];
    values_of(call, 0, f, v);
    if (slot == EDGE)
        v[0] = v[0] != 0 ? 1.0F : 0.0F;
    return give(gl, slot, f->components, v, err);
}

static bool unit_form(struct gv_gl *gl, const struct gv_trace_call *call,
                      const struct form *f, struct gv_error *err)
{
    float v[4];
    values_of(call, 1, f, v);
    return give_unit(gl, gv_gl_uint(call, 0), f->components, v, err);
}

// Two slots of floats have the words of four doubles. Generic attribute 0 is the
// position too, where a primitive is open.
static bool give_doubles(struct gv_gl *gl, const struct gv_trace_call *call,
                         const struct form *f, struct gv_error *err)
{
    const struct gv_gl_shape shape = { 4, GV_GL_DOUBLES };
    const uint32_t index = gv_gl_uint(call, 0);
    double numbers[4] = { 0, 0, 0, 1 };
    float words[8], position[4];
    if (index >= GV_GL_GENERICS)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; i < f->components; i++)
        numbers[i] = gv_trace_real(number_of(call, 1, i));
    memcpy(words, numbers, sizeof words);
    if (!gv_gl_feed.set(gl, GV_GL_GENERIC + index, shape, words, err) ||
        !gv_gl_feed.set(gl, GV_GL_BEHIND + index, shape, words + 4, err))
        return false;
    if (index != 0 || !gv_gl_feed_inside(gl->context))
        return true;
    for (uint32_t i = 0; i < 4; i++)
        position[i] = (float)numbers[i];
    return gv_gl_feed.vertex(gl, f->components, position, err);
}

static bool attribute_form(struct gv_gl *gl, const struct gv_trace_call *call,
                           const struct form *f, struct gv_error *err)
{
    float v[4];
    if (f->conversion == DOUBLE)
        return give_doubles(gl, call, f, err);
    const struct gv_gl_shape shape = { f->components, (uint8_t)kind_of(f->conversion) };
    values_of(call, 1, f, v);
    return give_attribute(gl, gv_gl_uint(call, 0), shape, v, err);
}

// ---- packed ----

// The word that is argument `i` (or its first element) in the type of argument `type`;
// components that the call does not give are 0, 0, 0, 1.
static bool unpack(const struct gv_trace_call *call, uint32_t type, uint32_t i,
                   bool normalized, uint32_t components, float out[4])
{
    const struct gv_trace_value *v = gv_trace_item(gv_trace_argument(call, i), 0);
    if (!gv_gl_unpack(gv_gl_uint(call, type), normalized, (uint32_t)gv_trace_uint(v),
                      out))
        return false;
    for (uint32_t c = components; c < 4; c++)
        out[c] = c == 3 ? 1.0F : 0.0F;
    return true;
}

static bool packed(struct gv_gl *gl, const struct gv_trace_call *call, uint32_t slot,
                   uint32_t components, bool normalized, struct gv_error *err)
{
    float v[4];
    if (!unpack(call, 0, 1, normalized, components, v))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return give(gl, slot, components, v, err);
}

static bool packed_unit(struct gv_gl *gl, const struct gv_trace_call *call,
                        uint32_t components, struct gv_error *err)
{
    float v[4];
    if (!unpack(call, 1, 2, false, components, v))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return give_unit(gl, gv_gl_uint(call, 0), components, v, err);
}

static bool packed_attribute(struct gv_gl *gl, const struct gv_trace_call *call,
                             uint32_t components, struct gv_error *err)
{
    float v[4];
    if (!unpack(call, 1, 3, gv_gl_uint(call, 2) != 0, components, v))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    return give_attribute(gl, gv_gl_uint(call, 0), gv_gl_real(components), v, err);
}

// ---- handlers ----

static bool gl_Begin(struct gv_gl *gl, const struct gv_trace_call *call,
                     struct gv_error *err)
{
    if (!gv_gl_feed_inside(gl->context))
        gl->context->begun = gv_gl_uint(call, 0);
    return gv_gl_feed.begin(gl, gv_gl_uint(call, 0), err);
}

static bool gl_PrimitiveRestartNV(struct gv_gl *gl, const struct gv_trace_call *call,
                                  struct gv_error *err)
{
    (void)call;
    if (!gv_gl_feed_inside(gl->context))
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    return gv_gl_feed.end(gl, err) && gv_gl_feed.begin(gl, gl->context->begun, err);
}

static bool gl_End(struct gv_gl *gl, const struct gv_trace_call *call,
                   struct gv_error *err)
{
    (void)call;
    return gv_gl_feed.end(gl, err);
}

#define FORM(components, conversion) (&(const struct form){ components, conversion })
#define GV_GL_FORM(name, slot, components, conversion) \
    GV_GL_HANDLER(name, form(gl, call, slot, FORM(components, conversion), err))
#define GV_GL_UNIT(name, components, conversion) \
    GV_GL_HANDLER(name, unit_form(gl, call, FORM(components, conversion), err))
#define GV_GL_ATTRIBUTE(name, components, conversion) \
    GV_GL_HANDLER(name, attribute_form(gl, call, FORM(components, conversion), err))
#define GV_GL_PACKED(name, slot, components, normalized) \
    GV_GL_HANDLER(name, packed(gl, call, slot, components, normalized, err))
#define GV_GL_PACKED_UNIT(name, components) \
    GV_GL_HANDLER(name, packed_unit(gl, call, components, err))
#define GV_GL_PACKED_ATTRIBUTE(name, components) \
    GV_GL_HANDLER(name, packed_attribute(gl, call, components, err))
#include "compiler/gl/geometry/gl_vertex_calls.def"
#undef GV_GL_FORM
#undef GV_GL_UNIT
#undef GV_GL_ATTRIBUTE
#undef GV_GL_PACKED
#undef GV_GL_PACKED_UNIT
#undef GV_GL_PACKED_ATTRIBUTE

#define ROWS(name)                           \
    { "gl" #name, gl_##name, GV_GL_INSIDE }, \
        { "gl" #name "v", gl_##name, GV_GL_INSIDE },
#define GV_GL_FORM(name, slot, components, conversion) ROWS(name)
#define GV_GL_UNIT(name, components, conversion) ROWS(name)
#define GV_GL_ATTRIBUTE(name, components, conversion) ROWS(name)
#define GV_GL_PACKED(name, slot, components, normalized) ROWS(name)
#define GV_GL_PACKED_UNIT(name, components) ROWS(name)
#define GV_GL_PACKED_ATTRIBUTE(name, components) ROWS(name)
const struct gv_gl_row gv_gl_vertex_rows[] = {
#include "compiler/gl/geometry/gl_vertex_calls.def"
    { "glBegin", gl_Begin, GV_GL_INSIDE },
    { "glEnd", gl_End, GV_GL_INSIDE },
    { "glPrimitiveRestartNV", gl_PrimitiveRestartNV, GV_GL_INSIDE },
    { NULL, NULL, 0 },
};
